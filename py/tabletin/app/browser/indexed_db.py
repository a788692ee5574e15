"""The browser's store of matches and locks of tabs: thin Python over web/storage, which keeps their promises.

Only texts and lists of them pass between the two. What the browser says when it cannot store is turned into ``StorageFailed``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from js import tabletinStore
from pyodide.ffi import JsException, create_proxy, to_js

from tabletin.app.storage.matches import AlreadyWritten, MatchRecord, Row, StorageFailed


class IndexedDbMatches:
    """Matches in IndexedDB."""

    async def append(self, name: str, at: int, rows: list[Row], record: MatchRecord, end: int | None = None) -> None:
        refusal = str(await tabletinStore.append(name, at, to_js(rows), json.dumps(record.to_json()), at if end is None else end))
        if refusal == "occupied":
            raise AlreadyWritten
        if refusal:
            raise StorageFailed(f"shell.storage.{refusal}")

    async def read(self, name: str) -> tuple[MatchRecord, list[Row]]:
        text = await _asked(tabletinStore.read(name))
        if not text:
            raise KeyError(name)
        found = json.loads(str(text))
        return MatchRecord.from_json(found["record"]), [(line, faces) for line, faces in found["rows"]]

    async def records(self) -> list[MatchRecord]:
        found: list[Any] = json.loads(str(await _asked(tabletinStore.records())))
        return sorted(map(MatchRecord.from_json, found), key=lambda record: -record.update_time)

    async def remove(self, name: str) -> None:
        await _asked(tabletinStore.remove(name))

    async def clear(self) -> None:
        await _asked(tabletinStore.clear())


async def _asked(promise: Any) -> Any:
    try:
        return await promise
    except JsException as error:
        raise StorageFailed("shell.storage.blocked") from error


class WebLocks:
    """Web Locks, and a broadcast channel for news."""

    def __init__(self) -> None:
        self._listeners: dict[str, list[Callable[[], None]]] = {}
        tabletinStore.listen(create_proxy(self._heard))

    async def claim(self, name: str) -> bool:
        return bool(await tabletinStore.claim(name))

    async def wait(self, name: str) -> bool:
        return bool(await tabletinStore.wait(name))

    def release(self, name: str) -> None:
        tabletinStore.release(name)

    async def claim_room(self, room: str) -> bool:
        return bool(await tabletinStore.claimRoom(room))

    def release_room(self, room: str) -> None:
        tabletinStore.releaseRoom(room)

    def announce(self, name: str) -> None:
        tabletinStore.announce(name)

    def on_news(self, name: str, listener: Callable[[], None]) -> Callable[[], None]:
        there = self._listeners.setdefault(name, [])
        there.append(listener)
        return lambda: there.remove(listener) if listener in there else None

    def _heard(self, name: str) -> None:
        for listener in list(self._listeners.get(str(name), ())):
            listener()
