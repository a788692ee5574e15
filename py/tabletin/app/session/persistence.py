"""One open match on disk, and in the browser's tabs: its rows, which of them are written, and whether this tab may write.

It knows rows and records, and nothing of what they mean. Rows are only added, in order, all or nothing; nobody else may
think they are on disk before they are. It never changes a match: its session reads anew when another tab has written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import Enum

from tabletin.app.storage.matches import AlreadyWritten, MatchRecord, MatchStore, Row, StorageFailed, TabLocks


class Written(Enum):
    """What came of writing. ``LOST``: another tab has written there, and this one looks on from now on."""

    ALL = "all"
    NOT_NOW = "not now"
    LOST = "lost"


class Persistence:
    """The stored match ``name``. ``owner``: whether this tab may write, and so act. ``stored``: whether all rows could be
    written when that was last tried. ``lock`` is held while a session writes and does what must follow at once."""

    def __init__(self, name: str, store: MatchStore, locks: TabLocks, trouble: Callable[[str], None]) -> None:
        self.name = name
        self.owner = False
        self.stored = True
        self.rows: list[Row] = []
        self.lock = asyncio.Lock()
        self._saved = 0
        self._store = store
        self._locks = locks
        self._trouble = trouble

    @property
    def pending(self) -> bool:
        """Whether there are rows that are not on disk."""
        return self._saved < len(self.rows)

    def add(self, row: Row) -> None:
        self.rows.append(row)

    def adopt(self, rows: list[Row]) -> None:
        """Take ``rows`` as they lie on disk in place of all that was known."""
        self.rows, self._saved = list(rows), len(rows)

    async def write(self, record: Callable[[], MatchRecord]) -> Written:
        """Write what is not on disk yet, with the record of this moment. Only while ``lock`` is held."""
        if not self.owner:
            return Written.NOT_NOW
        rows = self.rows[self._saved:]
        try:
            await self._store.append(self.name, self._saved, rows, record())
        except AlreadyWritten:
            self.owner = False
            self._trouble("shell.other_tab.lost")
            return Written.LOST
        except StorageFailed as failure:
            if self.stored:
                self.stored = False
                self._trouble(failure.key)
            return Written.NOT_NOW
        self._saved += len(rows)
        self.stored = True
        self._locks.announce(self.name)
        return Written.ALL

    async def read(self) -> list[Row]:
        """The rows as they lie on disk now."""
        _, rows = await self._store.read(self.name)
        return rows

    async def open(self) -> MatchRecord:
        """Take the stored match if no other tab has it, and read it; its record. Raises ``KeyError``, ``StorageFailed``."""
        await self.claim()
        try:
            record, rows = await self._store.read(self.name)
        except BaseException:
            self.release()
            raise
        self.adopt(rows)
        return record

    async def claim(self) -> bool:
        """Take the match for this tab, if no other tab has it."""
        self.owner = await self._locks.claim(self.name)
        return self.owner

    async def wait(self, on_news: Callable[[], None]) -> bool:
        """Wait until no other tab has the match; ``on_news`` is called whenever that one wrote. False if this was given up."""
        unsubscribe = self._locks.on_news(self.name, on_news)
        try:
            return await self._locks.wait(self.name)
        finally:
            unsubscribe()

    def release(self) -> None:
        """Give the match free for other tabs."""
        self._locks.release(self.name)
