"""What was solved on this device: which day's puzzle with how many tries, and how many days in a row. Pure.

It is kept as one short text. What cannot be read of it is as if it had never been.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, Final

from tabletin.app.kept_text import kept_object

KEPT_AS: Final = "tabletin.puzzle"
MOST_DAYS: Final = 60  # that are remembered one by one
MOST_TRIES: Final = 10_000  # that are counted, of a day
MOST_IN_ROW: Final = 100_000  # days
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Progress:
    """``solutions``: day → how many tries it took. ``misses``: day → tries so far, while it is not solved. ``last``: the day that
    was solved last on the day itself; ``row``: how many days in a row until then; ``longest``: the most ever."""

    solutions: Mapping[str, int] = field(default_factory=dict)
    misses: Mapping[str, int] = field(default_factory=dict)
    last: str = ""
    row: int = 0
    longest: int = 0

    def tries(self, day: date) -> int:
        """How many answers were given on the puzzle of ``day``."""
        key = day.isoformat()
        return self.solutions.get(key, self.misses.get(key, 0))

    def is_solved(self, day: date) -> bool:
        return day.isoformat() in self.solutions

    def row_on(self, today: date) -> int:
        """How many days in a row were solved, as it stands ``today``: a day without breaks it only once it is over."""
        return self.row if self.last in (today.isoformat(), (today - DAY).isoformat()) else 0

    def after_miss(self, day: date) -> Progress:
        """After an answer to the puzzle of ``day`` that was not the best."""
        if self.is_solved(day):
            return self
        return replace(self, misses={**self.misses, day.isoformat(): self.tries(day) + 1})

    def after_solving(self, day: date, today: date) -> Progress:
        """After the best answer to the puzzle of ``day``. Only today's counts for the days in a row."""
        if self.is_solved(day):
            return self
        key = day.isoformat()
        solutions = dict(sorted({**self.solutions, key: self.tries(day) + 1}.items())[-MOST_DAYS:])
        misses = {other: tries for other, tries in self.misses.items() if other != key and other >= min(solutions)}
        if day != today:
            return replace(self, solutions=solutions, misses=misses)
        row = self.row_on(today) + 1
        return Progress(solutions, misses, key, row, max(row, self.longest))

    def without_future(self, today: date) -> Progress:
        """Without days that nobody can have solved ``today``, nor tomorrow: clocks differ."""
        latest = (today + DAY).isoformat()
        solutions = {day: tries for day, tries in self.solutions.items() if day <= latest}
        misses = {day: tries for day, tries in self.misses.items() if day <= latest}
        last, row = (self.last, self.row) if self.last <= latest else ("", 0)
        return Progress(solutions, misses, last, row, self.longest)

    def merge(self, other: Progress) -> Progress:
        """With what was solved on another device: the fewer tries count, and the row that ended last goes on."""
        solutions = {day: min(tries for tries in (self.solutions.get(day), other.solutions.get(day)) if tries is not None)
                     for day in sorted({*self.solutions, *other.solutions})[-MOST_DAYS:]}
        misses = {day: tries for day, tries in {**other.misses, **self.misses}.items() if day not in solutions}
        misses = dict(sorted(misses.items())[-MOST_DAYS:])
        newer = max(self, other, key=lambda one: (one.last, one.row))
        return Progress(solutions, misses, newer.last, newer.row, max(self.longest, other.longest))

    def to_json(self) -> str:
        return json.dumps({"solutions": dict(self.solutions), "misses": dict(self.misses), "last": self.last, "row": self.row,
                           "longest": self.longest})

    @classmethod
    def from_json(cls, text: str | None) -> Progress:
        """Whatever of ``text`` can be used."""
        found = kept_object(text)
        last = str(found["last"]) if _is_day(found.get("last")) else ""
        row = _count(found.get("row"), MOST_IN_ROW) if last else 0
        return cls(_days(found.get("solutions")), _days(found.get("misses")), last, row,
                   max(row, _count(found.get("longest"), MOST_IN_ROW)))


def _count(found: Any, most: int) -> int:
    """``found`` if it is a number of things, 1 to ``most``; else 0."""
    return found if type(found) is int and 0 < found <= most else 0


def _is_day(found: Any) -> bool:
    """Whether ``found`` is a day as it is kept, "2026-11-23"."""
    try:
        return isinstance(found, str) and date.fromisoformat(found).isoformat() == found
    except ValueError:
        return False


def _days(found: Any) -> dict[str, int]:
    """Days with their tries, as far as ``found`` has the form; the latest."""
    if not isinstance(found, dict):
        return {}
    days = sorted((day, tries) for day, tries in found.items() if _count(tries, MOST_TRIES) and _is_day(day))
    return dict(days[-MOST_DAYS:])
