"""The matches of this device on disk, and which tab plays them: what a store and its locks promise. In memory for tests.

A match is a record (what the home page shows of it) and rows, one an entry. Rows are only added. Nothing here knows a browser:
``browser/indexed_db`` keeps the same promises with IndexedDB and Web Locks. docs/storage.md describes the format.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import time
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from tabletin.kernel.log import Hash
from tabletin.kernel.options import Failure, Refusal

if TYPE_CHECKING:
    from tabletin.kernel.match import Match

Row: TypeAlias = tuple[str, str]  # the entry's line of the log; its private faces as JSON, or ""
Record: TypeAlias = dict[str, Any]

FORM: Final = 1


class StorageFailed(Failure):
    """Nothing can be written or read now. ``key``: the catalogue's reason."""

    def __init__(self, key: str) -> None:
        super().__init__(Refusal(key))


class AlreadyWritten(Exception):
    """Somebody else has written an entry at that place of the log."""


class MatchStore(Protocol):
    """A place where matches are kept."""

    async def append(self, name: str, at: int, rows: list[Row], record: Record) -> None:
        """Add ``rows`` from entry ``at`` on, and the new record: all or nothing, and durable when it returns.

        Raises ``AlreadyWritten`` where there is an entry already, ``StorageFailed`` where nothing can be written.
        """
        ...

    async def read(self, name: str) -> tuple[Record, list[Row]]:
        """A match. Raises ``KeyError``, ``StorageFailed``."""
        ...

    async def records(self) -> list[Record]:
        """What there is, the latest first. Raises ``StorageFailed``."""
        ...

    async def remove(self, name: str) -> None:
        """Take a match away for good. Raises ``StorageFailed``."""
        ...

    async def clear(self) -> None:
        """Take everything away for good. Raises ``StorageFailed``."""
        ...


class TabLocks(Protocol):
    """Which tab plays a match. A lock ends with its tab."""

    async def claim(self, name: str) -> bool:
        """Take the match if no other tab has it."""
        ...

    async def wait(self, name: str) -> bool:
        """Returns True once the match is this tab's, or False when ``release`` gave up waiting."""
        ...

    def release(self, name: str) -> None: ...

    def announce(self, name: str) -> None:
        """Tell other tabs that the match has gone on."""
        ...

    def on_news(self, name: str, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener`` when another tab announces; returns its end."""
        ...


def record_of(match: Match, created: float) -> Record:
    """What the home page and the statistics need to know of ``match`` without reading its log."""
    setup, outcome = match.setup, match.outcome
    state = match.state
    return {
        "form": FORM, "id": match.id[:16], "game": setup.game, "version": setup.version,
        "created": created, "updated": time(), "entries": len(match.entries),
        "options": {key: list(value) if isinstance(value, tuple) else value for key, value in setup.options.items()},
        "seats": [seat.to_json() for seat in setup.seats], "extra": dict(setup.extra),
        "acting": list(match.rules.to_act(state)), "scores": list(match.rules.standings(state)),
        "practice": state.practice,
        "outcome": None if outcome is None else {
            "scores": list(outcome.scores), "winners": list(outcome.winners), "reason": outcome.reason,
            "low_wins": outcome.low_wins, "unfinished": outcome.unfinished},
    }


class MemoryMatches:
    """A store that lasts as long as the page: for tests, and where the browser keeps nothing."""

    def __init__(self) -> None:
        self._matches: dict[str, tuple[Record, list[Row]]] = {}

    async def append(self, name: str, at: int, rows: list[Row], record: Record) -> None:
        _, there = self._matches.get(name, ({}, []))
        if len(there) != at:
            raise AlreadyWritten
        self._matches[name] = record, there + list(rows)

    async def read(self, name: str) -> tuple[Record, list[Row]]:
        record, rows = self._matches[name]
        return record, list(rows)

    async def records(self) -> list[Record]:
        return sorted((record for record, _ in self._matches.values()), key=lambda record: -float(record["updated"]))

    async def remove(self, name: str) -> None:
        self._matches.pop(name, None)

    async def clear(self) -> None:
        self._matches.clear()


class SingleTab:
    """Locks where there are no other tabs."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Event] = {}

    async def claim(self, name: str) -> bool:
        if name in self._locks:
            return False
        self._locks[name] = asyncio.Event()
        return True

    async def wait(self, name: str) -> bool:
        while not await self.claim(name):
            await self._locks[name].wait()
        return True

    def release(self, name: str) -> None:
        freed = self._locks.pop(name, None)
        if freed is not None:
            freed.set()

    def announce(self, name: str) -> None:
        pass

    def on_news(self, name: str, listener: Callable[[], None]) -> Callable[[], None]:
        return lambda: None


ID_LENGTH: Final = 16  # hex digits of a match's hash that name it on this device


def local_id(match: Hash) -> str:
    """The name of a match on this device and in its address."""
    return match[:ID_LENGTH]
