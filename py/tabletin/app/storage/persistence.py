"""One match on disk: its entries as rows, a match from rows, and the rows of an open match, written by the tab that has it.

A row is the entry's line of the log, and what is stored beside it: the private faces that came with it, and in a match among
peers what a deal answered. Rows are added in order, all or nothing; nobody else may think they are on disk before they are.
Among peers the last ones may fall away, in the same write that puts others in their places. It never changes a match: its
session reads anew when another tab has written. See docs/storage.md. Pure.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Any

from tabletin.app.storage.matches import AlreadyWritten, MatchRecord, MatchStore, Row, StorageFailed, TabLocks
from tabletin.app.time_slices import in_slices
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry, canonical, parse
from tabletin.kernel.logfile import read_faces, refold_steps
from tabletin.kernel.match import Happening, Match
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Setup
from tabletin.kernel.stepwise import Steps
from tabletin.kernel.trusted_match import SEALED, Answers, answers_json, follow, read_answers, trusted_match
from tabletin.registry import rules_of


def row_of(entry: Entry, faces: Faces, answers: Answers | None = None) -> Row:
    """The line of ``entry``; beside it the private ``faces`` that came with it and, in a match among peers, what it
    answered."""
    beside: dict[str, Any] = {"faces": {str(card): face for card, face in faces.items()}} if faces else {}
    if answers is not None:
        beside["told"] = answers_json(answers)
    return entry.line, canonical(beside).decode() if beside else ""


def match_steps(rows: Sequence[Row]) -> Steps[Match]:
    """The match of ``rows`` in steps, every entry judged anew. Raises ``Malformed`` or ``Refused``."""
    entries = [Entry.from_json(parse(line)) for line, _ in rows]
    if [entry.index for entry in entries] != list(range(len(entries))):
        raise Malformed("entries are missing")
    beside = [_beside(text) for _, text in rows]
    if entries and Setup.from_statement(entries[0].statement).dealing == SEALED:
        match = trusted_match(rules_of(Setup.from_statement(entries[0].statement).game), entries[0])
        for entry, (_, answers) in zip(entries[1:], beside[1:], strict=True):
            follow(match, entry, answers)
            yield
    else:
        match = yield from refold_steps(entries, rules_of)
    for faces, _ in beside:
        match.learn(faces)
    return match


def _beside(text: str) -> tuple[Faces, Answers | None]:
    """The faces and the answers in a row's second text."""
    if not text:
        return Faces(), None
    data = parse(text)
    if type(data) is not dict or not data.keys() <= {"faces", "told"}:
        raise Malformed("beside an entry: expected faces and answers")
    faces = read_faces({"faces": data["faces"]}) if "faces" in data else Faces()
    return faces, read_answers(data.get("told"))


class WriteResult(Enum):
    """What came of writing. ``LOST``: another tab has written there, and this one looks on from now on."""

    ALL = "all"
    NOT_NOW = "not now"
    LOST = "lost"


class Persistence:
    """The stored match ``name``. ``owner``: whether this tab may write, and so act. ``stored``: whether all entries could be
    written when that was last tried. ``lock`` is held while a session writes and does what must follow at once."""

    def __init__(self, name: str, store: MatchStore, locks: TabLocks, trouble: Callable[[str], None]) -> None:
        self.name = name
        self.owner = False
        self.stored = True
        self.lock = asyncio.Lock()
        self._saved = 0  # how many entries on disk are to stay
        self._stored_length = 0  # how many there are
        self._cut_to: int | None = None  # the shortest length to which was cut since the last write began
        self._unsaved: list[Happening] = []  # those that follow
        self._store = store
        self._locks = locks
        self._trouble = trouble

    @property
    def pending(self) -> bool:
        """Whether there are entries that are not on disk."""
        return bool(self._unsaved) or self._saved < self._stored_length

    def add(self, happenings: Iterable[Happening]) -> None:
        """These are to be written next."""
        self._unsaved += happenings

    def cut(self, length: int) -> None:
        """All entries but the first ``length`` fall away with the next write."""
        self._unsaved = [one for one in self._unsaved if one.entry.index < length]
        self._saved = min(self._saved, length)
        self._cut_to = length if self._cut_to is None else min(self._cut_to, length)

    async def write(self, record: Callable[[], MatchRecord]) -> WriteResult:
        """Write what is not on disk yet, with the record of this moment. Only while ``lock`` is held."""
        if not self.owner:
            return WriteResult.NOT_NOW
        batch, at = list(self._unsaved), self._saved
        rows = [row_of(one.entry, one.faces, one.answers) for one in batch]
        end = self._stored_length if at < self._stored_length else None
        self._cut_to = None
        try:
            await self._store.append(self.name, at, rows, record(), end)
        except AlreadyWritten:
            self.owner = False
            self._trouble("shell.other_tab.lost")
            return WriteResult.LOST
        except StorageFailed as failure:
            if self.stored:
                self.stored = False
                self._trouble(failure.key)
            return WriteResult.NOT_NOW
        self._stored_length = at + len(rows)
        self._saved = self._stored_length if self._cut_to is None else min(self._stored_length, self._cut_to)
        written = {id(one) for one in batch}
        self._unsaved = [one for one in self._unsaved if id(one) not in written]
        self.stored = True
        self._locks.announce(self.name)
        return WriteResult.ALL

    async def kept_lines(self) -> tuple[str, ...]:
        """The lines of its log on disk; none where there is no such match."""
        try:
            _, rows = await self._store.read(self.name)
        except KeyError:
            return ()
        return tuple(line for line, _ in rows)

    async def read(self) -> tuple[MatchRecord, Match]:
        """The match as it lies on disk now, in place of all that was known. Raises ``KeyError``, ``StorageFailed``,
        ``Malformed``, ``Refused``."""
        record, rows = await self._store.read(self.name)
        match = await in_slices(match_steps(rows))
        self._saved = self._stored_length = len(rows)
        self._unsaved = []
        return record, match

    async def open(self) -> tuple[MatchRecord, Match]:
        """Take the stored match if no other tab has it, and ``read`` it."""
        await self.claim()
        try:
            return await self.read()
        except BaseException:
            self.release()
            raise

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
        """Give the match free for other tabs. From then on this one writes nothing more: not even a record that is older."""
        self.owner = False
        self._locks.release(self.name)
