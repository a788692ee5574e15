"""A season's table: who played how often, won, and has how many points. A season is a year of the calendar.

A player is a name at a device. Whoever changes either begins a new line: nobody can collect under a name that is another's.
Only results that everybody has signed count, and one of each match and its people.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tabletin.kernel.log import Hash
from tabletin.peers.league.signed_result import SignedResult

WIN: Final = 3
SHARED_WIN: Final = 2
PLAYED: Final = 1
"""Points of a match: for its winner, for each of several winners, for everybody else."""


@dataclass(frozen=True, slots=True, order=True)
class Player:
    """The person called ``name`` at the device ``author``."""

    name: str
    author: str


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line of the table. ``rank``: 1 for the first; the same for who has as many points and wins."""

    player: Player
    matches: int
    wins: int
    points: int
    rank: int = 0


def counted_results(results: Iterable[SignedResult]) -> tuple[SignedResult, ...]:
    """Those that count: signed by all, and of each match one of the same signers, the earliest. Who played a match can sign two
    ends of it; and anybody can sign something that names it, which takes nothing from those who played."""
    first: dict[tuple[Hash, frozenset[str]], SignedResult] = {}
    for one in sorted((one for one in results if one.is_complete), key=lambda one: (one.day, one.result.hash)):
        first.setdefault((one.result.match, frozenset(one.result.signers)), one)
    return tuple(first.values())


def second_ends(results: Iterable[SignedResult]) -> frozenset[Hash]:
    """The hashes of those that all have signed and that do not count all the same, because the same people signed another end of
    that match earlier."""
    complete = [one for one in results if one.is_complete]
    return frozenset({one.result.hash for one in complete} - {one.result.hash for one in counted_results(complete)})


def season_of(one: SignedResult) -> str:
    """The year in which ``one`` was signed by the last."""
    return one.day[:4]


def seasons(results: Iterable[SignedResult]) -> tuple[str, ...]:
    """The seasons in which something counts, the latest first."""
    return tuple(sorted(set(map(season_of, counted_results(results))), reverse=True))


def players_of(one: SignedResult) -> dict[Player, int]:
    """The people of a match, with the points that each has from it."""
    result = one.result
    points: dict[Player, int] = {}
    for number, seat in enumerate(result.seats):
        if not seat.is_bot:
            player = Player(seat.name, seat.author)
            won = (WIN if len(result.winners) == 1 else SHARED_WIN) if number in result.winners else PLAYED
            points[player] = max(won, points.get(player, 0))
    return points


def standings(results: Iterable[SignedResult], season: str) -> tuple[TableLine, ...]:
    """The table of ``season``: by points, then by wins, then by name."""
    tallies: dict[Player, list[int]] = {}
    for one in counted_results(results):
        if season_of(one) == season:
            for player, points in players_of(one).items():
                tally = tallies.setdefault(player, [0, 0, 0])
                tally[0] += 1
                tally[1] += points > PLAYED
                tally[2] += points
    lines = [TableLine(player, *tally) for player, tally in tallies.items()]
    lines.sort(key=lambda line: (-line.points, -line.wins, line.player))
    ranked: list[TableLine] = []
    for number, line in enumerate(lines, 1):
        before = ranked[-1] if ranked else None
        is_level = before is not None and (before.points, before.wins) == (line.points, line.wins)
        rank = before.rank if before is not None and is_level else number
        ranked.append(TableLine(line.player, line.matches, line.wins, line.points, rank))
    return tuple(ranked)
