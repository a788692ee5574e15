"""The page's end of the bots' worker: starts it on first need, sends it what is new, starts it again when it fails.

It passes texts that ``bots.worker`` writes and reads, and decides nothing. web/workers/bots.py is the other end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from pyodide.ffi import JsException

from tabletin.app.browser.workers import start_worker
from tabletin.app.session.bot_driver import BotFailed, TurnPassed
from tabletin.bots.decision import Decision
from tabletin.bots.worker import SyncPoint, decode_reply, encode_request
from tabletin.kernel.match import Match

PATIENCE: Final = 8.0  # seconds over a decision's budget until a worker is given up
START: Final = 60.0  # seconds a worker may take to start, on a slow phone
TRIES: Final = 2


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
        failure: BaseException | None = None
        for _ in range(TRIES):
            try:
                async with self._turn:
                    if seat not in match.rules.to_act(match.state):
                        raise TurnPassed
                    return await self._think(match, seat, level, budget)
            except (JsException, TimeoutError) as error:
                failure = error
                self._give_up()
        raise BotFailed(str(failure)) from failure

    async def _think(self, match: Match, seat: int, level: str, budget: float) -> Decision:
        worker = await self._ready()
        while True:
            synced = self._synced.setdefault(match.id, SyncPoint())
            request = encode_request(match, seat, level, budget, synced)
            decision = decode_reply(match, str(await asyncio.wait_for(worker.sync.think(request), budget + PATIENCE)))
            if decision is not None:
                return decision
            del self._synced[match.id]

    def forget(self, match: Match) -> None:
        """The worker drops old matches by itself, and the next worker starts with none."""

    def warm(self) -> None:
        """Start the worker now, so that it is there when the first bot is to move."""
        if self._worker is None:
            self._worker = asyncio.ensure_future(start_worker(self._source, self._site))

    async def _ready(self) -> Any:
        self.warm()
        assert self._worker is not None
        return await asyncio.wait_for(asyncio.shield(self._worker), START)

    def _give_up(self) -> None:
        """End the worker that failed; the next request starts another."""
        if self._worker is not None and self._worker.done() and self._worker.exception() is None:
            self._worker.result().terminate()
        self._worker = None
        self._synced.clear()
