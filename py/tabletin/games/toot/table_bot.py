"""What the bots of the two games with one TooT on the table share: the hand by kinds, what is unseen, making a play."""

from __future__ import annotations

from random import Random

from tabletin.bots.decision import Decision, Position
from tabletin.games.toot.cards import DECK, KIND_OF, Kinds, kinds
from tabletin.games.toot.solver import Use, best_use, build
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.schema import Move


def hand_of(position: Position) -> list[tuple[Card, Face]]:
    """The hand of the bot's seat."""
    return [(card, position.faces[card]) for card in position.state.hands[position.seat]]


def count_hidden(position: Position) -> list[int]:
    """The kinds of the cards it has not seen: in the pile or in other hands."""
    left = [0] * len(Kinds._fields)
    for face in DECK:
        left[KIND_OF[face]] += 1
    for card in (*position.state.table_cards, *position.state.hands[position.seat]):
        left[KIND_OF[position.faces[card]]] -= 1
    return [kind for kind, count in enumerate(left) for _ in range(count)]


def notice(hand: list[tuple[Card, Face]], overlooks: float, rng: Random) -> Kinds:
    """The kinds of a hand of which each card is overlooked with probability ``overlooks``."""
    return kinds(face for _, face in hand if rng.random() >= overlooks)


def nothing(position: Position, own: Kinds) -> Decision:
    """Lay nothing: there is nothing to lay, or what there is waits. In Fluke only what is left in the end counts (TO-6)."""
    shown = position.state.top_face
    if best_use(own, shown) is not None:
        keeps = "keep" if best_use(own._replace(wilds=0), shown) is not None else "keep_wild"
        return Decision(("pass",), f"toot.why.{keeps if position.rules.low_wins else 'wait'}")
    return Decision(("pass",), f"toot.why.nothing_{'makes' if shown is None else 'fits'}")


def laying(position: Position, use: Use, *, one_on_top: bool = False) -> Move:
    """The play of ``use``."""
    return ("play", (build(use, hand_of(position), position.state.top_face, one_on_top=one_on_top),))
