"""What the four TooT games share: the deck, drawing, laying cards that make one TooT, and the words for it.

It judges arrangements on open faces and deals by requests. Each game decides whose turn it is and what counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Final, TypeVar

from tabletin.games.toot.arrangement import Node, Toots, cards_of, flaw, laid_on_table, wilds_stated
from tabletin.games.toot.cards import DECK, kinds, word_key
from tabletin.games.toot.solver import Use, best_use, build, uses
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.options import Choice, Refusal
from tabletin.kernel.requests import Show, Shuffle
from tabletin.kernel.rules import Rules
from tabletin.kernel.schema import Move
from tabletin.kernel.state import State

LOOKED_AT: Final = 800  # ways to use a hand that are looked through for a proposal of each size
MOST_SEATS: Final = 6
FIRST_SEAT: Final = Choice("first_seat", ("random", *map(str, range(1, MOST_SEATS + 1))), "random")


class TootState(State):
    """``pile``: next card first. ``hands`` by seat. ``end_reason``: why the match is over, or ""."""

    __slots__ = ("end_reason", "hands", "pile")

    def __init__(self, seats: int) -> None:
        super().__init__()
        self.pile: tuple[Card, ...] = ()
        self.hands: tuple[tuple[Card, ...], ...] = ((),) * seats
        self.end_reason = ""

    @property
    def table(self) -> Node | None:
        """The TooT on the table; None in a game that has none, and before it is started."""
        return None

    @property
    def top_face(self) -> Face | None:
        """What the TooT on the table has on top."""
        return None

    @property
    def table_cards(self) -> tuple[Card, ...]:
        """The cards of the TooT on the table."""
        return ()

    def hold(self, seat: int, cards: tuple[Card, ...]) -> None:
        self.hands = (*self.hands[:seat], cards, *self.hands[seat + 1:])

    def lose(self, seat: int, cards: tuple[Card, ...]) -> None:
        """Take ``cards`` out of the hand of ``seat``."""
        self.hold(seat, tuple(card for card in self.hands[seat] if card not in cards))


S = TypeVar("S", bound=TootState)


class TootRules(Rules[S]):
    """Base of the four games; ``decks`` says how many decks are shuffled together."""

    decks = 1
    plays_on = True

    def deck(self) -> tuple[Face, ...]:
        """57 cards a deck (TO-1)."""
        return DECK * self.decks

    def check(self) -> Refusal | None:
        first = self.option_values.get("first_seat", "random")
        if first != "random" and int(first) > self.seats:
            return Refusal("toot.refuse.first_seat", {"seats": self.seats})
        return None

    def take(self, state: S, seat: int, count: int, purpose: str = "draw") -> None:
        """``seat`` takes ``count`` cards off the pile, fewer if it runs short, and is to be shown them."""
        cards = self.deal(state, seat, count)
        if cards:
            state.ask(Show(cards, seat, purpose))

    def deal(self, state: S, seat: int, count: int) -> tuple[Card, ...]:
        """``count`` cards off the pile to ``seat``, face down."""
        cards, state.pile = state.pile[:count], state.pile[count:]
        state.hold(seat, state.hands[seat] + cards)
        return cards

    def remix(self, state: S) -> None:
        if state.pile:
            state.ask(Shuffle(state.pile, purpose="remix"))

    def opens(self, state: S, seat: int, move: Move) -> tuple[Card, ...]:
        """The cards laid; every other move leaves all cards closed."""
        return cards_of(move[1]) if len(move) > 1 else ()

    def laying_refusal(self, state: S, seat: int, toots: Toots, shown: Face | None = None) -> Refusal | None:
        """Why ``seat`` may not lay ``toots`` as one TooT, with what lies on the table if it shows ``shown`` (TO-4)."""
        return laid_on_table(toots, state.hands[seat]) or flaw(toots, state.public, shown)

    def say_wilds(self, state: S, seat: int, toots: Toots) -> None:
        """Say what each X laid stands for (TO-2)."""
        for card, face in wilds_stated(toots):
            state.say("toot.log.stated", seat, cards=(card,), face=word_key(face))

    def proposals(self, state: S, seat: int, faces: Faces, shown: Face | None = None) -> Iterator[Toots]:
        """TooTs that ``seat`` can lay: one of each number of cards, smallest first, with a 1 on top and without."""
        hand = [(card, faces[card]) for card in state.hands[seat]]
        for use, one_on_top in proposed_uses(hand, shown):
            yield (build(use, hand, shown, one_on_top=one_on_top),)

    def random_laying(self, state: S, seat: int, faces: Faces, rng: Random, shown: Face | None = None) -> Toots:
        """One of ``proposals``, or none, at random: to list every arrangement of a hand would never end."""
        hand = [(card, faces[card]) for card in state.hands[seat]]
        chosen = rng.choice([None, *proposed_uses(hand, shown)])
        return () if chosen is None else (build(chosen[0], hand, shown, one_on_top=chosen[1]),)


def proposed_uses(hand: list[tuple[Card, Face]], shown: Face | None) -> list[tuple[Use, bool]]:
    """A use of each number of cards of ``hand``, the best among them, and whether a 1 is to be on top."""
    own = kinds(face for _, face in hand)
    by_size: dict[int, Use] = {}
    for use in islice(uses(own, shown), LOOKED_AT):
        by_size.setdefault(use.size, use)
    best = best_use(own, shown)
    if best is not None:
        by_size.setdefault(best.size, best)
    return [(by_size[size], top) for size in sorted(by_size) for top in (False, True)
            if not top or (by_size[size].ones and by_size[size].may_show_other(shown))]
