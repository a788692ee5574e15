"""The page's end of the worker that holds this device's key and its replica of a match among peers: started on first need.

It passes texts and decides nothing. ``peers.worker.calls`` says what can be asked; web/workers/replica.py is the other end.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Mapping
from typing import Any, Final

from js import tabletinStore
from pyodide.ffi import JsException

from tabletin.app.browser.workers import start_replica
from tabletin.kernel.log import Hash
from tabletin.peers.worker import calls
from tabletin.peers.worker.answer import WorkerAnswer
from tabletin.peers.worker.results import DeviceAuthor, Signature, SignatureCheck

SEED_BYTES: Final = 32


class ReplicaWorker:
    """A replica in a worker of its own. ``await start(site)``, then ``await call(…)``."""

    def __init__(self, worker: Any) -> None:
        self._worker = worker

    @classmethod
    async def start(cls, site: Mapping[str, Any]) -> ReplicaWorker:
        """``site``: what the page was started with (pyscript.config)."""
        return cls(await start_replica(site))

    async def call(self, call: calls.Call, match: Hash | None = None) -> WorkerAnswer:
        """One call and its answer; for ``match`` alone where that is named."""
        return WorkerAnswer.decode(str(await self._worker.sync.call(calls.encode(call, match))))

    def end(self) -> None:
        self._worker.terminate()


class BrowserDevice:
    """This device among others: a ``PeerDevice`` in the browser. ``author``: its public key; ``is_stored``: whether that
    outlives the page."""

    def __init__(self, worker: ReplicaWorker, author: str, *, is_stored: bool) -> None:
        self.call = worker.call
        self.author = author
        self.is_stored = is_stored

    @classmethod
    async def begin(cls, starting: Awaitable[Any]) -> BrowserDevice:
        """Tell a worker of ``start_replica`` this device's seed. Where nothing can be kept, it lasts as long as the page."""
        worker = ReplicaWorker(await starting)
        is_stored = True
        try:
            seed = str(await tabletinStore.secret())
        except JsException:
            seed, is_stored = os.urandom(SEED_BYTES).hex(), False
        return cls(worker, (await worker.call(calls.Identify(seed))).result_as(DeviceAuthor).author, is_stored=is_stored)

    async def sign(self, text: str) -> str:
        """This device's signature over ``text``: a greeting, never a statement of a match."""
        return (await self.call(calls.SignGreeting(text))).result_as(Signature).signature

    async def check(self, author: str, text: str, sig: str) -> bool:
        """Whether ``sig`` is ``author``'s signature over ``text``."""
        return (await self.call(calls.CheckGreeting(author, text, sig))).result_as(SignatureCheck).holds
