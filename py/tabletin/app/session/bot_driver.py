"""The seats that bots play in an open match: asks for their decisions when they are to act, and makes their moves.

Several bots may think at once; they act one after another, as ``pacing`` says. A decision that no longer fits the position is
dropped and asked for anew. The driver knows an open match only as a ``BotTable``, and bots only as ``Bots``: a worker, or a
test. It never judges a position twice.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from tabletin.app.session.pacing import Pacing
from tabletin.bots.decision import BUDGET, Decision
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import LEVELS, USUAL_LEVEL

if TYPE_CHECKING:
    from collections.abc import Callable


class BotFailed(Exception):
    """A bot gave no answer, even after its worker was started again."""


class TurnPassed(Exception):
    """The seat is not asked any more: somebody else acted while its bot waited for its turn to think."""


class Bots(Protocol):
    """Where bots think: a worker, or this very process."""

    async def think(self, match: Match, seat: int, level: str, budget: float) -> Decision:
        """What ``seat`` decides from its own view, in about ``budget`` seconds. Raises ``BotFailed``, ``TurnPassed``."""
        ...

    def forget(self, match: Match) -> None:
        """``match`` is closed."""
        ...


class BotContext(Protocol):
    """What a table gives its bots. ``trouble``: tells the page by a key."""

    @property
    def bots(self) -> Bots: ...

    @property
    def trouble(self) -> Callable[[str], None]: ...


class BotTable(Protocol):
    """An open match, as its bots need it. ``owner``: whether this tab may act."""

    @property
    def context(self) -> BotContext: ...

    @property
    def pacing(self) -> Pacing: ...

    @property
    def owner(self) -> bool: ...

    @property
    def match(self) -> Match: ...

    @property
    def acting(self) -> tuple[int, ...]: ...

    @property
    def bots_to_act(self) -> tuple[int, ...]: ...

    async def flush(self) -> None: ...

    async def bot_move(self, seat: int, move: Move) -> None:
        """Make the move and everything that follows from it. Raises ``Refused``."""
        ...


@dataclass(slots=True)
class PendingMove:
    """What a bot does when its delay is over. ``head``: of the log for which it is known to fit."""

    move: Move
    head: str


class BotDriver:
    """The bots of ``table``."""

    def __init__(self, table: BotTable) -> None:
        self._table = table
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._pending: dict[int, PendingMove] = {}

    def drive(self) -> None:
        """Let every bot think that may act now and does not think yet. Drop decisions that no longer fit."""
        table = self._table
        for seat in [seat for seat, pending in self._pending.items() if not self._fits(seat, pending)]:
            self._tasks.pop(seat).cancel()
            del self._pending[seat]
        for seat in table.bots_to_act:
            if seat not in self._tasks:
                task = asyncio.ensure_future(self._play(seat))
                self._tasks[seat] = task
                task.add_done_callback(partial(self._played, seat))

    def stop(self) -> None:
        """Drop all that the bots think: the position is another one, or nobody plays any more."""
        tasks, self._tasks = self._tasks, {}
        self._pending.clear()
        for task in tasks.values():
            task.cancel()

    async def _play(self, seat: int) -> None:
        table, loop = self._table, asyncio.get_event_loop()
        since, head = loop.time(), table.match.head
        await table.flush()
        named = table.match.setup.seats[seat].level
        level = named if named in LEVELS else USUAL_LEVEL  # a file may name one of the arena's, or none
        try:
            decision = await table.context.bots.think(table.match, seat, level, BUDGET)
        except TurnPassed:
            return
        pending = PendingMove(decision.move, head)
        if not self._fits(seat, pending):
            return
        self._pending[seat] = pending
        if decision.delay:  # speed counts: nothing that is shown may change it
            await asyncio.sleep(max(0.0, since + decision.delay - loop.time()))
        else:
            await table.pacing.turn(together=len(table.acting) > 1, is_brief=table.match.rules.is_brief(decision.move))
        del self._pending[seat]
        if not table.owner or seat not in table.acting:
            return
        try:
            await table.bot_move(seat, decision.move)
        except Refused:
            if head == table.match.head:  # nothing changed meanwhile: the bot itself was wrong
                raise

    def _fits(self, seat: int, pending: PendingMove) -> bool:
        """Whether ``seat`` can still make the move. It is judged only where the log has grown since it last was."""
        match = self._table.match
        if pending.head != match.head:
            if seat not in self._table.acting or match.view((seat,)).refusal(seat, pending.move) is not None:
                return False
            pending.head = match.head
        return True

    def _played(self, seat: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(seat) is not task:
            return
        del self._tasks[seat]
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self.drive()  # the same seat may be to act again
            return
        self._table.context.trouble("shell.bots.failed")
        if not isinstance(error, BotFailed):
            raise error
