"""The matches of this device on disk, and which tab plays them: what a store and its locks promise. In memory for tests.

A match is a record (what the home page shows of it) and rows, one an entry. Rows are only added. Nothing here knows a browser:
``browser/indexed_db`` keeps the same promises with IndexedDB and Web Locks. docs/storage.md describes the format.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import time
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from tabletin.kernel.log import Hash, Json
from tabletin.kernel.options import Failure, Refusal
from tabletin.kernel.rules import Outcome
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat

if TYPE_CHECKING:
    from tabletin.kernel.match import Match

Row: TypeAlias = tuple[str, str]  # the entry's line of the log; its private faces as JSON, or ""

FORM: Final = 1


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """What lists and statistics show of a match without reading its log, and what its session needs to go on with it.

    ``id``: its name on this device. ``version``: of the game's rules. ``creation_time``, ``update_time``: seconds since 1970.
    ``entries``: how many the log has. ``extra``: what its genesis names beside; ``me``: the seat that was called mine.
    ``acting``: whose turn it is. ``scores``: so far. ``practice``: whether a turn was taken back.

    The last three are of a match among peers that this device takes part in, else None. ``author``: as whom it speaks.
    ``saying``: the ``Pending`` of its replica, as JSON. ``missing_signers``: the devices that have not signed the end.
    """

    id: str
    game: str
    version: int
    creation_time: float
    update_time: float
    entries: int
    options: Mapping[str, Json]
    seats: tuple[Seat, ...]
    extra: Mapping[str, Json]
    acting: tuple[int, ...]
    scores: tuple[int, ...]
    practice: bool
    outcome: Outcome | None
    author: str | None = None
    saying: list[Json] | None = None
    missing_signers: tuple[str, ...] | None = None

    @property
    def me(self) -> int | None:
        """The seat that was called mine as the match was planned, even where others sit here, too. A file may name anything."""
        me = self.extra.get("me")
        return me if type(me) is int and 0 <= me < len(self.seats) else None

    @property
    def people_here(self) -> tuple[int, ...]:
        """The seats of those who sit at this device: of everybody where I sit, or of all people where they share one device."""
        people = {seat: player.author for seat, player in enumerate(self.seats) if not player.is_bot}
        devices = {people[self.me]} if self.me in people else {self.author} if self.author else set(people.values())
        return tuple(seat for seat, author in people.items() if devices == {author})

    @property
    def own_seat(self) -> int | None:
        """The seat of the only person at this device; None where there is no such seat."""
        here = self.people_here
        return here[0] if len(here) == 1 else None

    def to_json(self) -> dict[str, Json]:
        """The record as it is stored."""
        outcome = self.outcome
        data: dict[str, Json] = {
            "form": FORM, "id": self.id, "game": self.game, "version": self.version,
            "created": self.creation_time, "updated": self.update_time, "entries": self.entries,
            "options": dict(self.options), "seats": [seat.to_json() for seat in self.seats], "extra": dict(self.extra),
            "acting": list(self.acting), "scores": list(self.scores), "practice": self.practice,
            "outcome": None if outcome is None else {
                "scores": list(outcome.scores), "winners": list(outcome.winners), "reason": outcome.reason,
                "low_wins": outcome.low_wins, "unfinished": outcome.unfinished},
        }
        if self.author is not None:
            data["author"] = self.author
        if self.saying is not None:
            data["saying"] = self.saying
        if self.missing_signers is not None:
            data["unsigned"] = list(self.missing_signers)
        return data

    @classmethod
    def from_json(cls, data: Any) -> MatchRecord:
        """A stored record. What a newer version stored beside is passed over. Raises ``Malformed``."""
        try:
            outcome, unsigned = data["outcome"], data.get("unsigned")
            return cls(
                data["id"], data["game"], data["version"], data["created"], data["updated"], data["entries"], data["options"],
                tuple(Seat.from_json({name: one[name] for name in SEAT_FIELDS}) for one in data["seats"]),
                data["extra"], tuple(data["acting"]), tuple(data["scores"]), data["practice"],
                None if outcome is None else Outcome(tuple(outcome["scores"]), tuple(outcome["winners"]), outcome["reason"],
                                                     outcome["low_wins"], outcome["unfinished"]),
                data.get("author"), data.get("saying"), None if unsigned is None else tuple(unsigned))
        except (KeyError, TypeError, AttributeError) as error:
            raise Malformed("expected the record of a match") from error


SEAT_FIELDS: Final = tuple(Seat("", "").to_json())


class StorageFailed(Failure):
    """Nothing can be written or read now. ``key``: the catalogue's reason."""

    def __init__(self, key: str) -> None:
        super().__init__(Refusal(key))


class AlreadyWritten(Exception):
    """Somebody else has written an entry at that place of the log."""


class MatchStore(Protocol):
    """A place where matches are kept."""

    async def append(self, name: str, at: int, rows: list[Row], record: MatchRecord, end: int | None = None) -> None:
        """Add ``rows`` from entry ``at`` on, and the new record: all or nothing, and durable when it returns. ``end``: how many
        entries there are, where those from ``at`` on fall away first.

        Raises ``AlreadyWritten`` where there is an entry already, or not as many as ``end``;
        ``StorageFailed`` where nothing can be written.
        """
        ...

    async def read(self, name: str) -> tuple[MatchRecord, list[Row]]:
        """A match. Raises ``KeyError`` for none, ``StorageFailed``, ``Malformed``."""
        ...

    async def records(self) -> list[MatchRecord]:
        """What there is, the latest first. Raises ``StorageFailed``, ``Malformed``."""
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

    async def claim_room(self, room: str) -> bool:
        """Take the links of ``room`` if no other tab has them."""
        ...

    def release_room(self, room: str) -> None: ...

    def announce(self, name: str) -> None:
        """Tell other tabs that the match has gone on."""
        ...

    def on_news(self, name: str, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener`` when another tab announces; returns its end."""
        ...


def record_of(match: Match, created: float) -> MatchRecord:
    """What the home page and the statistics need to know of ``match`` without reading its log."""
    setup, outcome = match.setup, match.outcome
    state = match.state
    options = {key: list(value) if isinstance(value, tuple) else value for key, value in setup.options.items()}
    return MatchRecord(
        local_id(match.id), setup.game, setup.version, created, time(), len(match.entries), options, setup.seats,
        dict(setup.extra), tuple(match.rules.to_act(state)), tuple(match.rules.standings(state)), state.practice, outcome)


class MemoryMatches:
    """A store that lasts as long as the page: for tests, and where the browser keeps nothing. It keeps records as JSON, as
    the browser's store does."""

    def __init__(self) -> None:
        self._matches: dict[str, tuple[dict[str, Json], list[Row]]] = {}

    async def append(self, name: str, at: int, rows: list[Row], record: MatchRecord, end: int | None = None) -> None:
        _, there = self._matches.get(name, ({}, []))
        if len(there) != (at if end is None else end):
            raise AlreadyWritten
        self._matches[name] = record.to_json(), there[:at] + list(rows)

    async def read(self, name: str) -> tuple[MatchRecord, list[Row]]:
        record, rows = self._matches[name]
        return MatchRecord.from_json(record), list(rows)

    async def records(self) -> list[MatchRecord]:
        records = (MatchRecord.from_json(record) for record, _ in self._matches.values())
        return sorted(records, key=lambda record: -record.update_time)

    async def remove(self, name: str) -> None:
        self._matches.pop(name, None)

    async def clear(self) -> None:
        self._matches.clear()


class SingleTab:
    """Locks where there are no other tabs."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Event] = {}
        self.rooms: set[str] = set()  # whose links are taken

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

    async def claim_room(self, room: str) -> bool:
        is_free = room not in self.rooms
        self.rooms.add(room)
        return is_free

    def release_room(self, room: str) -> None:
        self.rooms.discard(room)

    def announce(self, name: str) -> None:
        pass

    def on_news(self, name: str, listener: Callable[[], None]) -> Callable[[], None]:
        return lambda: None


ID_LENGTH: Final = 16  # hex digits of a match's hash that name it on this device


def local_id(match: Hash) -> str:
    """The name of a match on this device and in its address."""
    return match[:ID_LENGTH]
