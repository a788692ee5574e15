"""Moves that are no choice – "No, I do not have it", drawing, passing – made for the people at this device.

The rules say which these are (``Rules.forced_move``). This makes them the way a person's are made, one after another as
``pacing`` says, so that they are seen. So it answers offers that are of no use to a person (``Rules.idle_move``), who has a
moment to take them all the same. Whoever switches that off, or has just taken a move back, makes each of them by hand.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import Protocol

from tabletin.app.session.pacing import Pacing
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Move


class ForcedTable(Protocol):
    """An open match, as this needs it. ``is_forcing``: whether moves that are no choice are made here at all."""

    @property
    def is_forcing(self) -> bool: ...

    @property
    def pacing(self) -> Pacing: ...

    @property
    def match(self) -> Match: ...

    @property
    def acting(self) -> tuple[int, ...]: ...

    @property
    def people(self) -> tuple[int, ...]: ...

    async def move(self, seat: int, move: Move) -> None: ...


def forced_move(match: Match, seat: int, index: int | None = None) -> Move | None:
    """What ``seat`` could do after entry ``index`` (None: now), if it was no choice."""
    others = any(not player.is_bot for other, player in enumerate(match.setup.seats) if other != seat)
    view = match.view((seat,), index)
    return view.rules.forced_move(view.state, seat, view.faces, among_people=others)


def idle_move(match: Match, seat: int, index: int | None = None) -> Move | None:
    """What the page of ``seat`` answers after entry ``index`` (None: now) where its person lets a moment pass; None where there
    is a choice to think about."""
    view = match.view((seat,), index)
    return view.rules.idle_move(view.state, seat, view.faces) if seat in view.rules.to_act(view.state) else None


def forced_reason(match: Match, seat: int, index: int | None = None) -> str:
    """Why ``seat`` had no choice after entry ``index`` (None: now): the key of a sentence for that seat alone; "" if it had."""
    view = match.view((seat,), index)
    move = view.rules.forced_move(view.state, seat, view.faces, among_people=False)
    return "" if move is None else view.rules.forced_reason(view.state, seat, view.faces, move)


class ForcedMoves:
    """Those of the people at ``table``."""

    def __init__(self, table: ForcedTable) -> None:
        self._table = table
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._looked: dict[int, tuple[str, Move | None]] = {}  # by seat: the log's head, and what is forced there
        self._idle: tuple[str, Move | None] = "", None  # the log's head, and what the only person here answers in a moment
        self._reasons: dict[int, str] = {}  # by seat: what stood there last as the reason

    def move_of(self, seat: int) -> Move | None:
        """The move that is about to be made for ``seat``; None where it chooses."""
        table = self._table
        if not table.is_forcing or seat not in table.acting or seat not in table.people:
            return None
        match = table.match
        if self._looked.get(seat, ("",))[0] != match.head:
            self._looked[seat] = match.head, None if _is_taken_back(match, seat) else forced_move(match, seat)
        return self._looked[seat][1]

    def idle_of(self, seat: int) -> Move | None:
        """What ``seat`` answers in a moment to an offer that is of no use to it; None where it is asked. Where several people
        share this device all of them are asked: how long the offer stands would tell of a hand."""
        table = self._table
        if not table.is_forcing or table.people != (seat,) or seat not in table.acting:
            return None
        match = table.match
        if self._idle[0] != match.head:
            self._idle = match.head, None if _is_taken_back(match, seat) else idle_move(match, seat)
        return self._idle[1]

    def was_made(self, seat: int, index: int) -> bool:
        """Whether the move of ``seat`` at entry ``index`` was no choice, or came by itself, where such moves are made here."""
        if not self._table.is_forcing:
            return False
        match = self._table.match
        if forced_move(match, seat, index - 1) is not None:
            return True
        statement = match.entries[index].statement
        return statement.kind == "move" and idle_move(match, seat, index - 1) == statement.body["do"]

    def drive(self) -> None:
        """Make what is forced now, in its time."""
        for seat in self._table.people:
            if seat not in self._tasks and self._due(seat) is not None:
                task = asyncio.ensure_future(self._make(seat))
                self._tasks[seat] = task
                task.add_done_callback(partial(self._made, seat))

    def stop(self) -> None:
        """Nothing is made any more."""
        tasks, self._tasks = self._tasks, {}
        for task in tasks.values():
            task.cancel()

    def _due(self, seat: int) -> Move | None:
        """What is made for ``seat`` next."""
        return self.move_of(seat) or self.idle_of(seat)

    async def _make(self, seat: int) -> None:
        table = self._table
        announced, is_idle = self._due(seat), self.move_of(seat) is None
        if announced is None:
            return
        reason = "" if is_idle else forced_reason(table.match, seat)
        if is_idle:
            table.pacing.note_offer()
        elif reason and not _repeats(table.match, seat, announced):
            table.pacing.note_words(is_new=reason != self._reasons.get(seat))
            self._reasons[seat] = reason
        together = is_idle or len(table.acting) > 1  # nothing is seen of an offer that is let go
        await table.pacing.turn(together=together, is_brief=table.match.rules.is_brief(announced))
        move = self._due(seat)
        if move is None:  # somebody did it by hand meanwhile, or it is another position
            return
        with suppress(Refused):  # it was made by hand at the same moment
            await table.move(seat, move)

    def _made(self, seat: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(seat) is not task:
            return
        del self._tasks[seat]
        if task.cancelled():
            return
        if (error := task.exception()) is not None:
            raise error
        self.drive()


def _repeats(match: Match, seat: int, move: Move) -> bool:
    """Whether ``seat`` did the same in its last move: many draws in a row have one reason, and it was read."""
    own = (entry.statement.body["do"] for entry in reversed(match.entries)
           if entry.statement.kind == "move" and entry.statement.body["seat"] == seat)
    return bool(next(own, ("",))[0] == move[0])


def _is_taken_back(match: Match, seat: int) -> bool:
    """Whether a move was taken back and ``seat`` has made none since: that is not made again unasked."""
    for entry in reversed(match.entries):
        statement = entry.statement
        if statement.kind == "undo":
            return True
        if statement.kind == "move" and statement.body["seat"] == seat:
            return False
    return False
