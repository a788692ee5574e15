"""Bots that adapt: which level somebody should meet next, by how their last matches of a game went. Pure.

A level that is won against twice in a row gives way to the next one, and one that is lost against twice in a row to the one
before. So in the long run about half of the matches of two are won. A log names the level that was played; that the seat adapts
stands beside it (``Setup.extra``), so that the match after it moves on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from tabletin.app.storage.matches import MatchRecord
from tabletin.kernel.setup import LEVELS, USUAL_LEVEL, Setup

ADAPTS: Final = "adapts"  # who sits on a planned seat; among a setup's ``extra``: the seats whose bots adapt
IN_A_ROW: Final = 2  # matches won or lost until the level changes


def level_that_fits(game: str, records: Iterable[MatchRecord]) -> str:
    """The level for the next match of ``game``; ``records`` in any order. Those count that the person here played against bots of
    one level to the end, without taking a turn back after a draw."""
    level, row = USUAL_LEVEL, 0  # ``row``: matches won in a row, below 0 lost, at this level
    for record in sorted(records, key=lambda one: one.update_time):
        outcome, levels = record.outcome, {seat.level for seat in record.seats if seat.is_bot}
        if record.game != game or record.me is None or record.practice or outcome is None or outcome.unfinished:
            continue
        if len(levels) != 1 or not levels <= set(LEVELS) or not outcome.winners:
            continue
        met = levels.pop()
        if met != level:
            level, row = met, 0
        if record.me not in outcome.winners:
            row = min(row, 0) - 1
        elif len(outcome.winners) == 1:
            row = max(row, 0) + 1
        if abs(row) >= IN_A_ROW:
            step = 1 if row > 0 else -1
            level, row = LEVELS[min(max(LEVELS.index(level) + step, 0), len(LEVELS) - 1)], 0
    return level


def seats_that_adapt(setup: Setup) -> tuple[int, ...]:
    """The seats of ``setup`` whose bots adapt."""
    named: Any = setup.extra.get(ADAPTS)
    seats = named if isinstance(named, (list, tuple)) else ()
    return tuple(seat for seat in seats if type(seat) is int and 0 <= seat < len(setup.seats) and setup.seats[seat].is_bot)


def adapt(setup: Setup, level: str) -> Setup:
    """``setup`` with bots of ``level`` on the seats that adapt."""
    for index in seats_that_adapt(setup):
        setup = setup.with_seat(index, replace(setup.seats[index], level=level))
    return setup
