"""Bots of the games in which everybody works on their own cards: Progressive and Speed TooT.

Both are puzzles that the solver solves, so the levels are declared handicaps. Progressive: easy overlooks each of its
cards one time in four, medium one time in ten, hard none. Speed: all levels see the same, but need different time.
Delays are memoryless: the wait so far says nothing about the wait still to come. So a bot that is asked again after
somebody's draw need not remember how long it has been looking.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tabletin.bots.decision import Decision, Position
from tabletin.games.toot.cards import Kinds, kinds
from tabletin.games.toot.solver import best_use, build, uses
from tabletin.games.toot.speed import HAND
from tabletin.games.toot.table_bot import hand_of, notice
from tabletin.kernel.schema import Move

OVERLOOKS: Final[Mapping[str, float]] = MappingProxyType({"easy": 0.25, "medium": 0.1, "hard": 0.0})

FINDING: Final[Mapping[str, float]] = MappingProxyType({"easy": 60.0, "medium": 20.0, "hard": 10.0})  # mean seconds …
SOONEST: Final = 0.5  # … and the part of them that it always takes
DOUBTING: Final[Mapping[str, float]] = MappingProxyType({"easy": 30.0, "medium": 16.0, "hard": 9.0})  # until it draws
REACTION: Final = 0.8  # seconds that nobody is faster than


def progressive(position: Position) -> Decision:
    """What a bot of Progressive TooT does."""
    sees_all, hand = not OVERLOOKS[position.level], hand_of(position)
    if position.state.phase == "work" and not sees_all:
        return Decision(("done",), "toot.why.ready")
    use = best_use(notice(hand, OVERLOOKS[position.level], position.rng))
    if use is None:  # nobody overlooks every TooT there is
        use = min(uses(kinds(face for _, face in hand)), key=lambda use: use.size, default=None)
    move: Move = ("done",) if position.state.phase == "work" else ("show", () if use is None else (build(use, hand),))
    if use is None:
        return Decision(move, "toot.why.none")
    if not sees_all:
        return Decision(move, "toot.why.uses", {"n": use.size})
    left = len(hand) - use.size
    return Decision(move, f"toot.why.uses_{'most' if left else 'all'}", {"n": use.size, "left": left})


def speed(position: Position) -> Decision:
    """What a bot of Speed TooT does, and after how many seconds."""
    state = position.state
    if position.rules.option_values["heats"]:
        return heat(position)
    if state.phase == "ready":
        return Decision(("ready",), "toot.why.ready")
    hand = hand_of(position)
    own: Kinds = kinds(face for _, face in hand)
    use = best_use(own)
    if use is not None and use.size == len(hand):
        return Decision(("claim", (build(use, hand),)), "toot.why.claim", delay=_finding(position, len(hand)))
    if state.pile:
        return Decision(("draw",), "toot.why.draw_more", {"n": len(hand)}, delay=_doubting(position))
    return Decision(("give_up",), "toot.why.give_up", {"n": len(hand)}, delay=_doubting(position))


def heat(position: Position) -> Decision:
    """The same alone against the clock: nobody has to wait for a bot, which says how long it would have needed."""
    state = position.state
    if state.phase == "ready":
        return Decision(("set_off", 0), "toot.why.ready")
    hand = hand_of(position)
    use = best_use(kinds(face for _, face in hand))
    if use is not None and use.size == len(hand):
        needed = sum(_doubting(position) for _ in range(len(hand) - HAND)) + _finding(position, len(hand))
        return Decision(("finish", (build(use, hand),), state.start_time + round(1000 * needed)), "toot.why.claim")
    if state.pile:
        return Decision(("draw",), "toot.why.draw_more", {"n": len(hand)})
    return Decision(("give_up",), "toot.why.give_up", {"n": len(hand)})


def _finding(position: Position, count: int) -> float:
    """Seconds until one TooT of all ``count`` cards is seen: longer for more cards."""
    mean = FINDING[position.level] * count / HAND
    return _delay(position, SOONEST * mean, mean)


def _doubting(position: Position) -> float:
    """Seconds until it draws a card, or gives up."""
    return _delay(position, REACTION, DOUBTING[position.level])


def _delay(position: Position, least: float, mean: float) -> float:
    return least + position.rng.expovariate(1 / (mean - least))
