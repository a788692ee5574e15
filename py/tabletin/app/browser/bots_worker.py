"""The page's end of the bots' worker: starts it on first need, sends it what is new, starts it again when it fails.

It passes texts that ``bots.worker`` writes and reads, and decides nothing. web/workers/bots.py is the other end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pyodide.ffi import JsException

from tabletin.app.browser.workers import start_worker
from tabletin.app.session.bot_driver import BotFailed, TurnPassed
from tabletin.bots.decision import Decision
from tabletin.bots.worker import SyncPoint, decode_comparison, decode_reply, encode_request
from tabletin.kernel.match import Match
from tabletin.kernel.schema import Move

if TYPE_CHECKING:
    from tabletin.bots.comparison import Comparison

T = TypeVar("T")

PATIENCE: Final = (8.0, 40.0)  # seconds over a decision's budget until a worker is given up, and the one after it: a device may
# be slow, and two that are given up alike would not help it
START: Final = 60.0  # seconds a worker may take to start, on a slow phone; as much again before bots are said to fail


class WorkerBots:
    """Bots in a worker of their own."""

    def __init__(self, site: Mapping[str, Any]) -> None:
        """``site``: what the page was started with (pyscript.config)."""
        self._source = str(site["tabletin"]["workers"]["bots"])
        self._site = site
        self._worker: asyncio.Future[Any] | None = None
        self._synced: dict[str, SyncPoint] = {}
        self._turn = asyncio.Lock()

    async def think(self, match: Match, seat: int, level: str, budget: float) -> Decision:
        def ask(patience: float) -> Awaitable[Decision]:
            if seat not in match.rules.to_act(match.state):
                raise TurnPassed
            return self._ask(match, "think", budget + patience, lambda synced: encode_request(match, seat, level, budget, synced),
                             lambda reply: decode_reply(match, reply))
        return await self._try(ask)

    async def think_back(self, match: Match, seat: int, index: int, level: str, budget: float) -> Decision:
        return await self._try_or_end(lambda patience: self._ask(
            match, "think", budget + patience, lambda synced: encode_request(match, seat, level, budget, synced, index),
            lambda reply: decode_reply(match, reply)))

    async def compare(self, match: Match, seat: int, index: int, moves: tuple[Move, Move], budget: float) -> Comparison:
        return await self._try_or_end(lambda patience: self._ask(
            match, "compare", budget + patience, lambda synced: encode_request(match, seat, "", budget, synced, index, moves),
            decode_comparison))

    async def _try_or_end(self, ask: Callable[[float], Awaitable[T]]) -> T:
        """As ``_try``. Whoever does not want the answer any more ends the worker: bots must not wait for what nobody reads."""
        try:
            return await self._try(ask)
        except asyncio.CancelledError:
            self._give_up()
            raise

    async def _try(self, ask: Callable[[float], Awaitable[T]]) -> T:
        """The answer of a worker, one asked after the other; where one fails, of the next. ``ask`` is told its patience."""
        failure: BaseException | None = None
        for patience in PATIENCE:
            try:
                async with self._turn:
                    return await ask(patience)
            except (JsException, TimeoutError) as error:
                failure = error
                self._give_up()
        raise BotFailed(str(failure)) from failure

    async def _ask(self, match: Match, what: str, seconds: float, encode: Callable[[SyncPoint], str],
                   decode: Callable[[str], T | None]) -> T:
        worker = await self._ready(match.setup.game)
        while True:
            request = encode(self._synced.setdefault(match.id, SyncPoint()))
            reply = decode(str(await asyncio.wait_for(getattr(worker.sync, what)(request), seconds)))
            if reply is not None:
                return reply
            del self._synced[match.id]

    def forget(self, match: Match) -> None:
        """The worker drops old matches by itself, and the next worker starts with none."""

    def warm(self, game: str = "") -> None:
        """Start the worker now, with what the bots of ``game`` need, so that it is there when the first is to move."""
        if self._worker is None:
            self._worker = asyncio.ensure_future(self._start(game))

    async def _start(self, game: str) -> Any:
        worker = await start_worker(self._source, self._site)
        if game:
            await worker.sync.prepare(game)
        return worker

    async def _ready(self, game: str) -> Any:
        self.warm(game)
        assert self._worker is not None
        return await asyncio.wait_for(asyncio.shield(self._worker), START)

    def _give_up(self) -> None:
        """End the worker that failed; the next request starts another. One that is still starting goes on: another one beside it
        would make both slower."""
        if self._worker is not None and not self._worker.done():
            return
        if self._worker is not None and self._worker.exception() is None:
            self._worker.result().terminate()
        self._worker = None
        self._synced.clear()
