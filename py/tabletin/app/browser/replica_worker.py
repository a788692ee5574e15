"""The page's end of the worker that holds this device's key and its replica of a match among peers: started on first need.

It passes text and decides nothing. See ``peers/remote.py`` for what is said, and web/workers/replica.py for the other end.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Final

from js import tabletinStore
from pyodide.ffi import JsException

from tabletin.app.browser.workers import absolute, start_worker

SEED_BYTES: Final = 32


class PeerWorker:
    """A replica in a worker of its own. ``await started(site)``, then ``await call(do=…)``."""

    def __init__(self, worker: Any) -> None:
        self._worker = worker

    @classmethod
    async def started(cls, site: Mapping[str, Any]) -> PeerWorker:
        """``site``: what the page was started with (pyscript.config)."""
        own = site["tabletin"]
        return cls(await start_worker(str(own["workers"]["replica"]), site, sodium=absolute(own["modules"]["sodium"])))

    async def call(self, **asked: Any) -> dict[str, Any]:
        """One call and its answer; see ``peers/remote.py``."""
        answer: dict[str, Any] = json.loads(str(await self._worker.sync.call(json.dumps(asked))))
        return answer

    def end(self) -> None:
        self._worker.terminate()


class ReplicaWorker:
    """This device among others: ``author`` is its public key, ``kept`` whether it outlives the page.

    It is ``page.far.Device`` in the browser.
    """

    def __init__(self, worker: PeerWorker, author: str, *, kept: bool) -> None:
        self._worker = worker
        self.author = author
        self.kept = kept

    @classmethod
    async def begun(cls, site: Mapping[str, Any]) -> ReplicaWorker:
        """Start the worker and tell it this device's seed. Where nothing can be kept, the seed lasts as long as the page."""
        worker = await PeerWorker.started(site)
        kept = True
        try:
            seed = str(await tabletinStore.secret())
        except JsException:
            seed, kept = os.urandom(SEED_BYTES).hex(), False
        return cls(worker, str((await worker.call(do="identify", seed=seed))["author"]), kept=kept)

    async def call(self, **asked: Any) -> dict[str, Any]:
        return await self._worker.call(**asked)

    async def sign(self, text: str) -> str:
        """This device's signature over ``text``: a greeting, never a statement of a match."""
        return str((await self.call(do="sign", text=text))["sig"])

    async def check(self, author: str, text: str, sig: str) -> bool:
        """Whether ``sig`` is ``author``'s signature over ``text``."""
        return bool((await self.call(do="check", author=author, text=text, sig=sig))["ok"])
