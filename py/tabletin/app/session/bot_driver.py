"""The seats that bots play in an open match: asks for their decisions when it is for them to act, and makes their moves.

Several may think at once; a decision that no longer fits the position – it came too late, or its delay outlasted the
round – is dropped, and asked for anew. Whoever thinks (a worker, or a test) is behind ``Bots``.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Protocol

from tabletin.bots.decision import BUDGET, Decision
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Move

if TYPE_CHECKING:
    from tabletin.app.session.session import MatchSession


class BotFailed(Exception):
    """A bot gave no answer, even after its worker was started again."""


class TurnPassed(Exception):
    """While the bot waited for its turn to think, somebody else's act closed the window it was to answer in."""


class Bots(Protocol):
    """Where bots think: a worker, or this very process."""

    async def think(self, match: Match, seat: int, level: str, budget: float) -> Decision:
        """What ``seat`` decides from its own view. Raises ``BotFailed``, or ``NoLongerAsked``."""
        ...

    def forget(self, match: Match) -> None:
        """``match`` is closed."""
        ...


class BotDriver:
    """The bots of ``session``."""

    def __init__(self, session: MatchSession) -> None:
        self._session = session
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._decided: dict[int, Move] = {}  # what bots will do when their delay is over

    def drive(self) -> None:
        """Let every bot that may act now think, if it does not already; drop decisions that no longer fit."""
        session = self._session
        for seat in [seat for seat, move in self._decided.items() if not self._fits(seat, move)]:
            self._tasks.pop(seat).cancel()
            del self._decided[seat]
        for seat in session.bots_to_act:
            if seat not in self._tasks:
                task = asyncio.ensure_future(self._play(seat))
                self._tasks[seat] = task
                task.add_done_callback(partial(self._played, seat))

    def stop(self) -> None:
        """Drop what they think: the position is another one, or nobody plays any more."""
        tasks, self._tasks = self._tasks, {}
        self._decided.clear()
        for task in tasks.values():
            task.cancel()

    async def _play(self, seat: int) -> None:
        session, loop = self._session, asyncio.get_event_loop()
        since, head = loop.time(), session.match.head
        await session.flushed()
        level = session.match.setup.seats[seat].level
        try:
            decision = await session.context.bots.think(session.match, seat, level, BUDGET)
        except TurnPassed:
            return
        if head != session.match.head and not self._fits(seat, decision.move):
            return
        self._decided[seat] = decision.move
        await asyncio.sleep(max(0.0, since + max(session.context.pace(), decision.delay) - loop.time()))
        del self._decided[seat]
        if not session.owner or seat not in session.acting:
            return
        try:
            await session.bot_move(seat, decision.move)
        except Refused:
            if head == session.match.head:  # nothing changed meanwhile: the bot itself was wrong
                raise

    def _fits(self, seat: int, move: Move) -> bool:
        """Whether ``seat`` could still make ``move``."""
        return seat in self._session.acting and self._session.match.view((seat,)).refusal(seat, move) is None

    def _played(self, seat: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(seat) is not task:
            return
        del self._tasks[seat]
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self._session.settled()
            return
        self._session.context.trouble("shell.bots.failed")
        if not isinstance(error, BotFailed):
            raise error
