"""Fluke TooT's bots. *Easy* overlooks a card in five, *medium* is thrifty with its X, *hard* keeps what it will need.

Only what is left at the end counts, and cards that can be laid early can still be laid late; but an X that is spent now is
missing later. Hard imagines the cards it may still draw, and lays the most that costs it nothing on average.
"""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter
from random import Random
from typing import Final

from tabletin.bots.characters import BOLD, CAREFUL, COLLECTOR, SPRINTER
from tabletin.bots.decision import Decision, Position
from tabletin.games.toot.cards import Kinds, kinds
from tabletin.games.toot.fluke import DIE
from tabletin.games.toot.solver import Use, best_use
from tabletin.games.toot.table_bot import count_hidden, hand_of, laying, nothing, notice

OVERLOOKS: Final = 0.2
WORTH_AN_X: Final = 4  # cards that medium must be rid of on top, to lay an X before its last turn
WORTH_BY_HABIT: Final = {SPRINTER: 2, BOLD: 3, CAREFUL: 5, COLLECTOR: 6}  # or as its habit has it
WORLDS: Final = 60
SLACK: Final = 0.03  # cards in the mean that hard gives for being rid of some now
SLACK_OF_ADVICE: Final = 0.15  # … where it advises a person: laying is more fun …
SLACK_BY_HABIT: Final = {SPRINTER: 0.1, BOLD: 0.06, CAREFUL: 0.01, COLLECTOR: 0.0}  # or as its habit has it


def fluke(position: Position) -> Decision:
    """What a bot of Fluke TooT does."""
    if not position.state.drawn:
        return Decision(("roll",), "toot.why.roll")
    hand, shown = hand_of(position), position.state.top_face
    own = kinds(face for _, face in hand)
    if position.level == "hard" and not position.state.closing:
        return _hard(position, own)
    use = best_use(notice(hand, OVERLOOKS, position.rng) if position.level == "easy" else own, shown)
    if position.level == "medium" and not position.state.closing:
        use = _thrifty(own, shown, WORTH_BY_HABIT.get(position.habit, WORTH_AN_X))
    if use is None:
        return nothing(position, own)
    return Decision(laying(position, use), "toot.why.plain", {"n": use.size})


def _thrifty(own: Kinds, shown: str | None, worth: int) -> Use | None:
    """The most that can be laid without an X, unless an X is rid of ``worth`` cards more."""
    most, plain = best_use(own, shown), best_use(own._replace(wilds=0), shown)
    if most is not None and most.size - (plain.size if plain else 0) >= worth:
        return most
    return plain


def _hard(position: Position, own: Kinds) -> Decision:
    """The largest play, or none, after which as few cards are left in the end as after any."""
    options = _options(own, position.state.top_face)
    if len(options) == 1:
        return nothing(position, own)
    sums = [0] * len(options)
    pool, worlds = count_hidden(position), 0
    while worlds < WORLDS and not position.out_of_time(0.7):
        drawn = [0] * len(own)
        for kind in position.rng.sample(pool, _to_draw(position, position.rng)):
            drawn[kind] += 1
        for index, use in enumerate(options):
            sums[index] += _left(own if use is None else use.rest(own), drawn)
        worlds += 1
    position.worlds = worlds
    slack = SLACK_OF_ADVICE if position.is_advice else SLACK_BY_HABIT.get(position.habit, SLACK)
    enough = min(sums) + slack * worlds
    use = max((use for use, total in zip(options, sums, strict=True) if total <= enough),
              key=lambda use: 0 if use is None else use.size)
    if use is None:
        _, other = min(((total, use) for use, total in zip(options, sums, strict=True) if use is not None), key=itemgetter(0))
        following = position.rules.next_seat(position.state, position.seat)
        return replace(nothing(position, own), params={"n": other.size, "seat": following},
                       short_why="toot.why.again", other=laying(position, other), or_else="toot.why.or_rid")
    most = max(option.size for option in options if option is not None)
    return Decision(laying(position, use), "toot.why.most" if use.size == most else "toot.why.later", {"n": use.size})


def _options(own: Kinds, shown: str | None) -> list[Use | None]:
    """Nothing, and the most that can be laid of the hand, of the hand without its X, without its 1s, and a little."""
    plain = own._replace(wilds=0)
    one, pair, leaf = min(1, own.ones), min(2, own.primaries), min(1, own.secondaries)
    parts = (own, plain, plain._replace(ones=0), plain._replace(secondaries=0), plain._replace(primaries=0),
             Kinds(ones=one), Kinds(primaries=pair), Kinds(secondaries=leaf))
    found = dict.fromkeys(use for part in parts if (use := best_use(part, shown)) is not None)
    return [None, *found]


def _to_draw(position: Position, rng: Random) -> int:
    """How many cards of the pile may come to this seat, with the die as it may fall."""
    pile, mine, seat = len(position.state.pile), 0, position.seat
    while pile:
        seat = position.rules.next_seat(position.state, seat)
        rolled = min(pile, rng.randint(1, DIE))
        pile -= rolled
        mine += rolled * (seat == position.seat)
    return mine


def _left(kept: Kinds, drawn: list[int]) -> int:
    """Cards left of these in the end, laid as well as can be on a TooT that shows no 1."""
    final = Kinds._make(map(sum, zip(kept, drawn, strict=True)))
    use = best_use(final, "2")
    return sum(final) - (use.size if use else 0)
