"""The page's end of the worker that holds this device's replica of a match among peers: started on first need.

It passes text and decides nothing. See ``peers/remote.py`` for what is said, and web/peers.py for the other end.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from js import URL, document
from pyscript import PyWorker

TAKEN_OVER: Final = ("interpreter", "files", "plugins", "sync_main_only")  # of the page's own configuration


class PeerWorker:
    """A replica in a worker of its own. ``await started(site)``, then ``await call(do=…)``."""

    def __init__(self, worker: Any) -> None:
        self._worker = worker

    @classmethod
    async def started(cls, site: Mapping[str, Any]) -> PeerWorker:
        """``site``: what the page was started with (pyscript.config)."""
        own = site["tabletin"]
        config = {name: site[name] for name in TAKEN_OVER if name in site}
        config["sodium"] = absolute(own["modules"]["sodium"])
        worker = PyWorker(str(own["workers"]["peers"]), type="pyodide", version=absolute(site["interpreter"]), config=config)
        await worker.ready
        return cls(worker)

    async def call(self, **asked: Any) -> dict[str, Any]:
        """One call and its answer; see ``peers/remote.py``."""
        answer: dict[str, Any] = json.loads(str(await self._worker.sync.call(json.dumps(asked))))
        return answer

    def end(self) -> None:
        self._worker.terminate()


def absolute(address: str) -> str:
    return str(URL.new(address, document.baseURI).href)
