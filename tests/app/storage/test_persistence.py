"""Entries on disk among peers: the last ones may fall away, in the same write that puts others in their places."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tabletin.app.storage.matches import AlreadyWritten, MatchRecord, MemoryMatches, Row, SingleTab, record_of
from tabletin.app.storage.persistence import Persistence, WriteResult
from tabletin.kernel.match import Happening, Match
from tests.support.highcard import random_table


def happenings(match: Match, start: int, end: int) -> list[Happening]:
    return [Happening(entry, []) for entry in match.entries[start:end]]


async def stored(shelf: MemoryMatches, name: str) -> list[str]:
    _, rows = await shelf.read(name)
    return [line for line, _ in rows]


async def test_what_falls_away_is_dropped_in_the_write_that_replaces_it() -> None:
    shelf, one, other = MemoryMatches(), random_table(1).match, random_table(2).match
    persistence = Persistence("m", shelf, SingleTab(), lambda key: None)
    await persistence.claim()
    persistence.add(happenings(one, 0, 10))
    assert await persistence.write(lambda: record_of(one, 0.0)) is WriteResult.ALL
    persistence.cut(6)
    assert persistence.pending and len(await stored(shelf, "m")) == 10, "not before what replaces it is written"
    persistence.add(happenings(other, 6, 8))
    assert await persistence.write(lambda: record_of(one, 0.0)) is WriteResult.ALL
    lines = [entry.line for entry in (*one.entries[:6], *other.entries[6:8])]
    assert await stored(shelf, "m") == lines and not persistence.pending


async def test_what_was_never_written_falls_away_without_a_trace() -> None:
    shelf, one = MemoryMatches(), random_table(1).match
    persistence = Persistence("m", shelf, SingleTab(), lambda key: None)
    await persistence.claim()
    persistence.add(happenings(one, 0, 4))
    await persistence.write(lambda: record_of(one, 0.0))
    persistence.add(happenings(one, 4, 9))
    persistence.cut(5)
    await persistence.write(lambda: record_of(one, 0.0))
    assert await stored(shelf, "m") == [entry.line for entry in one.entries[:5]]


async def test_who_gave_a_match_free_writes_no_record_over_that_of_the_next_one() -> None:
    """An answer of the worker may come late: what the next one has signed since stands in its record alone."""
    shelf, locks, one = MemoryMatches(), SingleTab(), random_table(1).match
    first, second = (Persistence("m", shelf, locks, lambda key: None) for _ in range(2))
    await first.claim()
    first.add(happenings(one, 0, 4))
    await first.write(lambda: record_of(one, 0.0))
    first.release()
    await second.claim()
    second._saved = second._stored_length = 4
    await second.write(lambda: replace(record_of(one, 0.0), saying=[None, 7]))
    assert await first.write(lambda: replace(record_of(one, 0.0), saying=[None, 3])) is WriteResult.NOT_NOW
    record, _ = await shelf.read("m")
    assert record.saying == [None, 7]


class SlowShelf(MemoryMatches):
    """Writes only when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.let = asyncio.Event()

    async def append(self, name: str, at: int, rows: list[Row], record: MatchRecord, end: int | None = None) -> None:
        await self.let.wait()
        await super().append(name, at, rows, record, end)


async def test_entries_may_fall_away_while_they_are_written() -> None:
    shelf, one, other = SlowShelf(), random_table(1).match, random_table(2).match
    persistence = Persistence("m", shelf, SingleTab(), lambda key: None)
    await persistence.claim()
    persistence.add(happenings(one, 0, 9))
    writing = asyncio.ensure_future(persistence.write(lambda: record_of(one, 0.0)))
    await asyncio.sleep(0)
    persistence.cut(5)
    persistence.add(happenings(other, 5, 6))
    shelf.let.set()
    await writing
    assert persistence.pending
    await persistence.write(lambda: record_of(one, 0.0))
    assert await stored(shelf, "m") == [entry.line for entry in (*one.entries[:5], *other.entries[5:6])]


async def test_nothing_is_dropped_where_another_tab_has_written() -> None:
    shelf, one = MemoryMatches(), random_table(1).match
    await shelf.append("m", 0, [(entry.line, "") for entry in one.entries[:7]], record_of(one, 0.0))
    with pytest.raises(AlreadyWritten):
        await shelf.append("m", 3, [("x", "")], record_of(one, 0.0), 6)
    assert len(await stored(shelf, "m")) == 7
