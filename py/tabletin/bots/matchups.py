"""What the arena plays by default: for every game how many sit down, by which options, and how many deals a pair of levels.

Pure data. Deals are as many as it takes for two levels' intervals to part in a game where much is luck, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from tabletin.bots.decision import RANDOM, SEER
from tabletin.kernel.setup import LEVELS

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
    """How a game is measured. ``deals``: for each of ``PAIRS``; ``ceiling``: for one shown every card against hard."""

    seats: int
    deals: tuple[int, int, int]
    options: Mapping[str, Any] = {}
    ceiling: int = 0

    @property
    def by_pair(self) -> dict[Pair, int]:
        return {CEILING: self.ceiling, **dict(zip(PAIRS, self.deals, strict=True))}


PRESETS: Final[Mapping[str, Measurement]] = {
    "teeth-time": Measurement(2, (60, 40, 40)),
    "teeth": Measurement(2, (40, 60, 150)),
    "dominoes": Measurement(2, (40, 300, 300)),
    "matador": Measurement(3, (150, 300, 800), ceiling=30),
    "tiddle-a-wink": Measurement(6, (40, 100, 100)),
    "iota": Measurement(2, (66, 20, 20)),
    "toot-progressive": Measurement(2, (60, 40, 60)),
    "toot-fluke": Measurement(2, (60, 100, 100)),
    "toot-pursuit": Measurement(2, (60, 100, 100)),
    "toot-speed": Measurement(2, (60, 60, 40)),
}
assert all(set(pair) <= {*LEVELS, RANDOM} for pair in PAIRS)


def bouts(games: Iterable[str], *, pairs: Iterable[Pair] | None = None, seats: int | None = None, deals: int | None = None,
          options: Mapping[str, Any] | None = None) -> list[Bout]:
    """The bouts of ``games`` in order; whatever is given takes the preset's place."""
    found = []
    for game in games:
        preset = PRESETS[game]
        asked = preset.options if options is None else options
        planned = preset.by_pair
        for pair in pairs or [pair for pair, number in planned.items() if number]:
            number = deals or planned.get(pair) or max(preset.deals)
            found.append(Bout(game, pair, seats or preset.seats, number, tuple(sorted(asked.items()))))
    return found
