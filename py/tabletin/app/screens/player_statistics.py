"""What the matches of one person come to: games played and won, best scores, and badges for what was done. Pure.

Everything is counted from the records each time. Practice matches and chosen deals do not count, as on the list of matches. A
day is one of the place where the device is, as for puzzles.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from tabletin.app.storage.matches import MatchRecord
from tabletin.app.storage.profiles import Profile
from tabletin.kernel.rules import Outcome
from tabletin.registry import GAMES

SIGNS: Final = {"first": "play", "win": "trophy", "hard": "star", "row": "chart-no-axes-column", "brave": "heart",
                "crowd": "users", "days": "clock", "tin": "puzzle"}
"""The icon of each badge."""


@dataclass(slots=True)
class GameTally:
    """One game: how many matches, how many won, the best score and the last ones."""

    matches: int = 0
    wins: int = 0
    best: int | None = None


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that counts, from the side of one seat; the oldest first."""

    record: MatchRecord
    outcome: Outcome
    seat: int
    is_helped: bool = False  # a hint laid out a turn

    @property
    def is_won(self) -> bool:
        return self.seat in self.outcome.winners

    @property
    def people(self) -> int:
        return sum(not player.is_bot for player in self.record.seats)

    @property
    def has_hard(self) -> bool:
        return any(player.is_bot and player.level == "hard" for player in self.record.seats)


@dataclass(frozen=True, slots=True)
class Badge:
    """``key``: of its words. ``have`` of ``need``; earned when it is all there."""

    key: str
    have: int
    need: int

    @property
    def is_earned(self) -> bool:
        return self.have >= self.need


@dataclass(slots=True)
class Statistics:
    """Everything about one person. ``games`` by id, in the order of the tin."""

    matches: int = 0
    wins: int = 0
    games: dict[str, GameTally] = field(default_factory=dict)
    badges: list[Badge] = field(default_factory=list)


def matches_of(profile: Profile, records: Iterable[MatchRecord], hinted: Collection[str] = ()) -> list[FinishedMatch]:
    """The finished matches of ``profile`` that count, the oldest first. ``hinted``: the ids of those in which a hint laid out a
    turn."""
    found = []
    for record in records:
        outcome, seat = record.outcome, profile.seat_in(record)
        if outcome is None or outcome.unfinished or seat is None or record.practice or "seed" in record.extra:
            continue
        if record.game in GAMES:
            found.append(FinishedMatch(record, outcome, seat, record.id in hinted))
    return sorted(found, key=lambda one: one.record.update_time)


def statistics(profile: Profile, records: Iterable[MatchRecord], hinted: Collection[str] = ()) -> Statistics:
    """What ``records`` say of ``profile``; ``hinted`` as of ``matches_of``."""
    played = matches_of(profile, records, hinted)
    games: dict[str, GameTally] = {}
    for one in played:
        tally = games.setdefault(one.record.game, GameTally())
        score = one.outcome.scores[one.seat]
        tally.matches += 1
        tally.wins += one.is_won
        better = min if one.outcome.low_wins else max
        tally.best = score if tally.best is None else better(tally.best, score)
    return Statistics(len(played), sum(one.is_won for one in played), {game: games[game] for game in GAMES if game in games},
                      badges(played))


def badges(played: Sequence[FinishedMatch]) -> list[Badge]:
    """Every badge with how far it is; each stands for something that one can set out to do."""
    return [
        Badge("first", min(1, len(played)), 1),
        Badge("win", min(1, sum(one.is_won for one in played)), 1),
        Badge("hard", min(1, sum(one.is_won and one.has_hard and not one.is_helped for one in played)), 1),
        Badge("row", min(3, _longest_row(played)), 3),
        Badge("brave", min(5, sum(not one.is_won for one in played)), 5),
        Badge("crowd", min(1, sum(one.people >= 4 for one in played)), 1),
        Badge("days", min(7, len({date.fromtimestamp(one.record.update_time) for one in played})), 7),
        Badge("tin", min(len(GAMES), len({one.record.game for one in played})), len(GAMES)),
    ]


def new_badges(profile: Profile, record: MatchRecord, records: Iterable[MatchRecord],
               hinted: Collection[str] = ()) -> list[Badge]:
    """The badges that ``profile`` earned with ``record``, one of ``records``: those that the matches before do not give.
    ``hinted`` as of ``matches_of``."""
    before = [one for one in records if one.id != record.id and one.update_time <= record.update_time]
    there = {badge.key for badge in badges(matches_of(profile, before, hinted)) if badge.is_earned}
    now = badges(matches_of(profile, [*before, record], hinted))
    return [badge for badge in now if badge.is_earned and badge.key not in there]


def _longest_row(played: Sequence[FinishedMatch]) -> int:
    """The most matches won one after the other."""
    longest = row = 0
    for one in played:
        row = row + 1 if one.is_won else 0
        longest = max(longest, row)
    return longest
