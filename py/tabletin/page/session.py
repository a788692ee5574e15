"""One match that is open on this device: it makes people's moves, drives the bots, and keeps everything on disk.

It knows all faces, like the table it drives, and hands out views; it draws nothing. Storage, locks and bots are given to
it, so it runs under CPython too. An entry is on disk before a bot is told of it; the page may paint it sooner.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import time
from typing import Any, Final

from tabletin.games import rules_of
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry, Hash
from tabletin.kernel.match import Match
from tabletin.kernel.options import refused
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.shapes import Move
from tabletin.kernel.state import Event
from tabletin.kernel.table import AUTHOR, Table
from tabletin.search.bots import BUDGET, Decision
from tabletin.words import Catalogue
from tabletin.words.wording import Wording

from .botseats import Bots, BotSeats
from .chosen import dealer_for
from .rows import match_of, row_of
from .shelf import Claims, Occupied, Row, Shelf, StorageFailed, record_of

ID_LENGTH: Final = 16  # hex digits of a match's hash that name it on this device
HINT_LEVEL: Final = "hard"

OnChange = Callable[[list[Event], int], None]
OnTrouble = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a session stands on. ``pace``: seconds that a bot lets pass at least before it acts."""

    shelf: Shelf
    claims: Claims
    bots: Bots
    catalogue: Catalogue
    pace: Callable[[], float] = lambda: 0.0
    trouble: OnTrouble = lambda key: None


def local_id(match: Hash) -> str:
    """How a match is called on this device and in its address."""
    return match[:ID_LENGTH]


class Session:
    """A match, its people and its bots. Use ``begin`` or ``resume``; ``close`` it when its screen goes.

    ``uncovered``: the seat whose hand lies open on a device that several people share, None while it is covered.
    ``owner``: whether this tab may act; another one may hold the match. ``stored``: whether all entries are on disk.
    """

    def __init__(self, table: Table, around: Surroundings, created: float) -> None:
        self.table = table
        self.around = around
        self.created = created
        self.owner = False
        self.stored = True
        self.uncovered: int | None = None
        self._listeners: list[OnChange] = []
        self._rows: list[Row] = []
        self._saved = 0
        self._news: list[tuple[list[Event], int]] = []
        self._saving = asyncio.Lock()
        self._bots = BotSeats(self)
        self._waiting: asyncio.Task[None] | None = None
        self._background: set[asyncio.Task[Any]] = set()
        self._closed = False
        table.listener = self._heard

    # ---- opening and closing ----

    @classmethod
    async def begin(cls, setup: Setup, around: Surroundings) -> Session:
        """A new match, dealt; it is on disk soon after. Raises ``Refused``, ``Malformed`` for a wrong setup."""
        heard: list[tuple[Entry, Faces]] = []
        table = Table.begin(rules_of(setup.game), setup, dealer_for(setup),
                            lambda entry, faces, _: heard.append((entry, faces)))
        session = cls(table, around, time())
        session._rows = [row_of(entry, faces) for entry, faces in heard]
        session.owner = await around.claims.claim(session.id)
        session.settled()
        return session

    @classmethod
    async def resume(cls, name: str, around: Surroundings) -> Session:
        """The stored match ``name``. Raises ``Malformed``, ``Refused``, ``StorageFailed``; ``KeyError`` for none."""
        owner = await around.claims.claim(name)
        try:
            record, rows = await around.shelf.read(name)
            match = match_of(rows)
        except BaseException:
            around.claims.release(name)
            raise
        session = cls(Table(match, dealer_for(match.setup)), around, record["created"])
        session._rows, session._saved = list(rows), len(rows)
        session.owner = owner
        if owner:
            session._took_over()
        else:
            session._waiting = asyncio.ensure_future(session._wait_for_claim())
        session.settled()
        return session

    def close(self) -> None:
        """Stop the bots and give the match free. What is not on disk yet is still written."""
        self._closed = True
        self._listeners.clear()
        self._bots.stop()
        if self._waiting is not None:
            self._waiting.cancel()
        self.around.bots.forget(self.match)
        self._later(self._save_and_release())

    async def _save_and_release(self) -> None:
        await self._save()
        self.around.claims.release(self.id)

    # ---- reading ----

    @property
    def match(self) -> Match:
        return self.table.match

    @property
    def id(self) -> str:
        return local_id(self.match.id)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people on this device."""
        return tuple(seat for seat, player in enumerate(self.match.setup.seats) if not player.is_bot)

    @property
    def me(self) -> int | None:
        """The seat of the only person here, if there is just one."""
        people = self.people
        return people[0] if len(people) == 1 else None

    @property
    def open_hands(self) -> bool:
        """Whether all hands of people here lie open, as for small children."""
        return self.match.setup.extra.get("open_hands") is True

    @property
    def readers(self) -> tuple[int, ...]:
        """The seats whose knowledge may be drawn now."""
        if self.open_hands:
            return self.people
        seat = self.uncovered
        return () if seat is None else (seat,)

    @property
    def wording(self) -> Wording:
        """Words for whoever looks at the page now."""
        return Wording(self.around.catalogue, self.match.setup, self.me)

    @property
    def acting(self) -> tuple[int, ...]:
        return self.match.rules.to_act(self.match.state)

    @property
    def thinking(self) -> int | None:
        """The seat whose bot is at it, while nobody else may act."""
        acting = self.acting
        return acting[0] if len(acting) == 1 and self.match.setup.seats[acting[0]].is_bot else None

    def on_change(self, listener: OnChange) -> Callable[[], None]:
        """Call ``listener(events, index)`` for every entry; ``([], -1)`` when only who sees or acts changed.

        Returns what ends it.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    # ---- whose hand lies open ----

    def uncover(self, seat: int) -> None:
        """The person of ``seat`` looks at its hand. Raises ``Refused`` for a seat that is not a person's here."""
        if seat not in self.people:
            raise refused("kernel.not_your_seat", seat=seat)
        self.uncovered = seat
        self._tell([], -1)

    def cover(self) -> None:
        """Hide the hand again, where several people share this device."""
        if self.me is None:
            self.uncovered = None
            self._tell([], -1)

    # ---- acting: each raises ``Refused`` and changes nothing where it may not be ----

    async def move(self, seat: int, move: Move) -> None:
        """``seat`` makes ``move``. On return the move can be painted; it is on disk soon after."""
        with self._acting():
            self.table.move(seat, move)

    async def undo(self, seat: int, to: int, practice: bool = False) -> None:
        """Back to entry ``to``; see ``Match.undo_refusal``."""
        with self._acting(anew=True):
            self.table.undo(seat, to, practice=practice)

    async def consent(self, seat: int, to: int) -> None:
        """``seat`` agrees that the match goes back to entry ``to``."""
        with self._acting():
            self.table.consent(seat, to)

    async def resign(self, seat: int) -> None:
        """``seat`` gives the match up."""
        with self._acting(anew=True):
            self.table.resign(seat)

    async def replace(self, seat: int, player: Seat) -> None:
        """``player`` plays on for ``seat``: a bot for somebody who left, or somebody for a bot."""
        with self._acting(anew=True):
            self.table.replace(seat, player)

    async def play_on(self, seat: int, level: str = "medium") -> None:
        """A bot of ``level`` plays on for the person of ``seat``, under the same name."""
        name = self.match.setup.seats[seat].name
        await self.replace(seat, Seat("bot", AUTHOR, name, level, self.match.setup.seats[seat].colour))

    async def time_out(self, seat: int) -> None:
        """``seat`` did not answer in time."""
        with self._acting():
            self.table.time_out(seat)

    async def hint(self, seat: int) -> Decision:
        """What the hard bot would do on ``seat``, from what that seat knows. Raises ``BotFailed``."""
        await self.flushed()
        return await self.around.bots.think(self.match, seat, HINT_LEVEL, BUDGET)

    @contextmanager
    def _acting(self, *, anew: bool = False) -> Iterator[None]:
        if not self.owner:
            raise refused("shell.other_tab.refused")
        yield
        if anew:
            self._bots.stop()
        self.settled()

    # ---- what follows an entry ----

    def _heard(self, entry: Entry, faces: Faces, events: list[Event]) -> None:
        self._rows.append(row_of(entry, faces))
        self._news.append((events, entry.index))

    def settled(self) -> None:
        """Everything an act brought about is in the match: tell the page, write it down, let the bots go on."""
        self._cover_for_next()
        news, self._news = self._news, []
        for events, index in news or [([], -1)]:
            self._tell(events, index)
        if not self._closed:
            self._later(self._save())
            self.wake()

    def _cover_for_next(self) -> None:
        """A hand stays open until another person is to act."""
        if self.me is not None:
            self.uncovered = self.me
            return
        waiting = [seat for seat in self.acting if seat in self.people]
        if self.uncovered not in self.people or (waiting and self.uncovered not in waiting):
            self.uncovered = None

    def _tell(self, events: list[Event], index: int) -> None:
        for listener in list(self._listeners):
            listener(events, index)

    def _later(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    # ---- disk ----

    async def flushed(self) -> None:
        """Wait until everything is on disk, or it is known that it cannot be."""
        await self._save()

    async def _save(self) -> None:
        async with self._saving:
            if not self.owner or self._saved == len(self._rows):
                return
            rows = self._rows[self._saved:]
            record = record_of(self.match, self.created)
            try:
                await self.around.shelf.append(self.id, self._saved, rows, record)
            except Occupied:
                await self._lost()
            except StorageFailed as failure:
                if self.stored:
                    self.stored = False
                    self.around.trouble(failure.key)
            else:
                self._saved += len(rows)
                self.stored = True
                self.around.claims.announce(self.id)

    async def _lost(self) -> None:
        """Another tab wrote where we were about to: its entries stand, and this tab looks on."""
        self.owner = False
        self._bots.stop()
        self.around.trouble("shell.other_tab.lost")
        await self._reread()

    async def _reread(self) -> None:
        _, rows = await self.around.shelf.read(self.id)
        before = len(self.match.entries)
        match = match_of(rows)
        self.table.match = match
        self._rows, self._saved = list(rows), len(rows)
        for index in range(before, len(match.entries)):
            self._news.append((match.events(index), index))
        self.settled()

    # ---- one tab owns a match ----

    async def _wait_for_claim(self) -> None:
        """Look on while another tab plays; go on here when it is closed."""
        def news() -> None:
            if not self.owner and not self._closed:
                self._later(self._reread())
        unsubscribe = self.around.claims.on_news(self.id, news)
        try:
            if not await self.around.claims.wait(self.id):
                return
        finally:
            unsubscribe()
        await self._reread()
        self.owner = True
        self._took_over()
        self.settled()

    def _took_over(self) -> None:
        """What was asked of the dealer when the page went is answered now."""
        self.table.listener = self._heard
        self.table.settle()

    def wake(self) -> None:
        """Ask the bots again, after one of them failed."""
        if self.owner and not self._closed:
            self._bots.drive()
