"""What the arena plays by default: for every game how many sit down, by which options, and how many deals a pair of levels.

Each family declares its own in ``measurements``. Deals are as many as it takes for two levels' intervals to part in a game where
much is luck, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from tabletin.kernel.setup import RANDOM, SEER
from tabletin.registry import GAMES, rules_of

Pair: TypeAlias = tuple[str, str]  # the level expected to be the stronger one first

PAIRS: Final[tuple[Pair, ...]] = (("hard", "medium"), ("medium", "easy"), ("easy", RANDOM))
CEILING: Final[Pair] = (SEER, "hard")
ARENA_BUDGET: Final = 0.1  # seconds of processor time: what a device eight times slower does within a page's budget


class Bout(NamedTuple):
    """A pair of levels to be measured: ``deals`` deals, each played once for both ways round."""

    game: str
    pair: Pair
    seats: int
    deals: int
    options: tuple[tuple[str, Any], ...] = ()


class Measurement(NamedTuple):
    """How a game is measured. ``deals``: for each of ``PAIRS``; ``ceiling``: for one shown every card against hard.

    ``plays``, ``waits``: the verbs of turns that bring something, and of those that bring nothing; ``busts``: the events that
    say that somebody has gone too far.
    """

    seats: int
    deals: tuple[int, int, int]
    options: Mapping[str, Any] = {}
    ceiling: int = 0
    plays: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()
    busts: tuple[str, ...] = ()

    @property
    def by_pair(self) -> dict[Pair, int]:
        return {CEILING: self.ceiling, **dict(zip(PAIRS, self.deals, strict=True))}


USUAL_DEALS: Final = (60, 60, 60)


def measurement_of(game: str) -> Measurement:
    """How the family's ``measurements`` say that ``game`` is measured; by default as few seats as can compete."""
    measurements: Mapping[str, Measurement] = GAMES[game].declaration("measurements", "MEASUREMENTS", {})
    return measurements.get(game) or Measurement(max(2, rules_of(game).seat_counts[0]), USUAL_DEALS)


def bouts(games: Iterable[str], *, pairs: Iterable[Pair] | None = None, seats: int | None = None, deals: int | None = None,
          options: Mapping[str, Any] | None = None) -> list[Bout]:
    """The bouts of ``games`` in order; what is given replaces what its family declares."""
    found = []
    for game in games:
        usual = measurement_of(game)
        asked = usual.options if options is None else options
        planned = usual.by_pair
        for pair in pairs or [pair for pair, number in planned.items() if number]:
            number = deals or planned.get(pair) or max(usual.deals)
            found.append(Bout(game, pair, seats or usual.seats, number, tuple(sorted(asked.items()))))
    return found
