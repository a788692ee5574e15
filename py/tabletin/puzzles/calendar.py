"""Which puzzle a day has: its game, how hard it is, and the puzzle itself. It follows from the date alone.

The games take turns. Mondays are easy, Sundays hard.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final

from tabletin.puzzles.dice import Dice
from tabletin.puzzles.puzzle import Puzzle, maker_of, puzzle_games

STARS_OF_WEEKDAY: Final = (1, 1, 2, 2, 2, 3, 3)  # Monday first


def day_of(text: str) -> date | None:
    """The day that ``text`` names as "2026-11-23"; None for anything else."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text else None


def game_of(day: date) -> str:
    """The game whose turn it is; "" where no game has puzzles."""
    games = puzzle_games()
    return games[day.toordinal() % len(games)] if games else ""


def stars_of(day: date) -> int:
    """How hard the puzzle of ``day`` is."""
    return STARS_OF_WEEKDAY[day.weekday()]


def attempts(day: date) -> Iterator[Puzzle | None]:
    """The puzzle of ``day``, after a None for each attempt that gave none: who waits may do something else in between."""
    maker, stars, number = maker_of(game_of(day)), stars_of(day), 0
    while True:
        found = maker.attempt(Dice(f"{day.isoformat()} {number}"), stars)
        yield found
        if found is not None:
            return
        number += 1


def puzzle_of(day: date) -> Puzzle:
    """The puzzle of ``day``."""
    return next(found for found in attempts(day) if found is not None)
