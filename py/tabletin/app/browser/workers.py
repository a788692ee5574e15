"""Starting a worker of this page: its configuration, and addresses as a worker needs them.

What is said to a worker, and when it is ended, is its owner's affair: ``bots_worker`` and ``replica_worker``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Any, Final

from js import URL, document
from pyscript import PyWorker

INHERITED: Final = ("interpreter", "files", "plugins", "sync_main_only")  # parts of the page's configuration


def absolute(address: str) -> str:
    """``address`` made absolute: a worker resolves relative ones from elsewhere."""
    return str(URL.new(address, document.baseURI).href)


def start_worker(source: str, site: Mapping[str, Any], **more: str) -> Awaitable[Any]:
    """A worker that runs the Python at ``source``. It starts at once; what is returned waits until it can be called.

    ``site`` is what the page was started with (pyscript.config); ``more`` goes into the worker's configuration as it is.
    """
    configuration = {name: site[name] for name in INHERITED if name in site}
    worker = PyWorker(source, type="pyodide", version=absolute(site["interpreter"]), config=configuration | more)
    return _ready(worker)


def start_replica(site: Mapping[str, Any]) -> Awaitable[Any]:
    """The worker that holds this device's key: here, because it starts while the page still loads ``replica_worker``."""
    own = site["tabletin"]
    return start_worker(str(own["workers"]["replica"]), site, sodium=absolute(own["modules"]["sodium"]))


async def _ready(worker: Any) -> Any:
    await worker.ready
    return worker
