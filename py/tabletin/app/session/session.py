"""A match that is open in this page, as its table sees it: what may be read, who looks, what is told, what lies on disk.

How a match goes on – by this device alone (``session``), or among several (``peersession``) – is theirs. Storage, locks and
bots are given, so it runs under CPython too. An entry is on disk before anybody is told of it; the page may paint it sooner.
"""

from __future__ import annotations

import asyncio
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final

from tabletin.app.session.bot_driver import BotDriver, Bots
from tabletin.app.storage.matches import (
    AlreadyWritten,
    MatchStore,
    Record,
    Row,
    StorageFailed,
    TabLocks,
    local_id,
    record_of,
)
from tabletin.app.storage.rows import match_of
from tabletin.bots.decision import BUDGET, Decision
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refusal, refused
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import Seat
from tabletin.kernel.state import Event
from tabletin.words import Catalogue
from tabletin.words.wording import Wording

HINT_LEVEL: Final = "hard"

OnChange = Callable[[list[Event], int], None]
OnTrouble = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class SessionContext:
    """What a session stands on. ``pace``: seconds that a bot lets pass at least before it acts."""

    shelf: MatchStore
    claims: TabLocks
    bots: Bots
    catalogue: Catalogue
    pace: Callable[[], float] = lambda: 0.0
    trouble: OnTrouble = lambda key: None




class MatchSession(ABC):
    """An open match. ``close`` it when its screen goes.

    ``uncovered``: the seat whose hand lies open on a device that several people share, None while it is covered.
    ``owner``: whether this tab may act; another one may hold the match. ``stored``: whether all entries are on disk.
    """

    among_peers = False  # whether others keep this match with us

    def __init__(self, context: SessionContext, created: float) -> None:
        self.context = context
        self.created = created
        self.owner = False
        self.stored = True
        self.uncovered: int | None = None
        self._listeners: list[OnChange] = []
        self._rows: list[Row] = []
        self._saved = 0
        self._news: list[tuple[list[Event], int]] = []
        self._saving = asyncio.Lock()
        self._bots = BotDriver(self)
        self._waiting: asyncio.Task[None] | None = None
        self._background: set[asyncio.Task[Any]] = set()
        self._closed = False

    @property
    def over(self) -> bool:
        """Whether nothing can be played any more."""
        return self.match.outcome is not None

    def close(self) -> None:
        """Stop the bots and give the match free. What is not on disk yet is still written."""
        self._closed = True
        self._listeners.clear()
        self._bots.stop()
        if self._waiting is not None:
            self._waiting.cancel()
        self.context.bots.forget(self.match)
        self.later(self._save_and_release())

    def put_away(self) -> bool:
        """Its screen goes: closed, unless others count on it to go on (True), for whoever comes back to it."""
        self.close()
        return False

    async def _save_and_release(self) -> None:
        await self._save()
        self.context.claims.release(self.id)

    # ---- what kind of match ----

    @property
    @abstractmethod
    def match(self) -> Match: ...

    @property
    @abstractmethod
    def author(self) -> str:
        """In whose name this device speaks for its seats."""

    @abstractmethod
    def _adopt(self, match: Match) -> None:
        """Go on with ``match``, read anew from disk."""

    @abstractmethod
    def _took_over(self) -> None:
        """The match has become this tab's."""

    # ---- acting: each raises ``Refused`` and changes nothing where it may not be ----

    @abstractmethod
    async def move(self, seat: int, move: Move) -> None:
        """``seat`` makes ``move``. On return the move can be painted."""

    @abstractmethod
    async def bot_move(self, seat: int, move: Move) -> None:
        """The bot of ``seat`` makes ``move``."""

    @abstractmethod
    async def undo(self, seat: int, to: int, practice: bool = False) -> None:
        """Back to entry ``to``; see ``Match.undo_refusal``."""

    @abstractmethod
    async def consent(self, seat: int, to: int) -> None:
        """``seat`` agrees that the match goes back to entry ``to``."""

    @abstractmethod
    async def resign(self, seat: int) -> None:
        """``seat`` gives the match up."""

    @abstractmethod
    async def replace(self, seat: int, player: Seat) -> None:
        """``player`` plays on for ``seat``: a bot for somebody who left, or somebody for a bot."""

    @abstractmethod
    async def time_out(self, seat: int) -> None:
        """``seat`` did not answer in time."""

    def ask_back(self, seat: int, to: int) -> None:
        """Ask those who sit elsewhere whether ``seat`` may take the match back to entry ``to``."""
        raise refused("kernel.undo.consent")

    async def play_on(self, seat: int, level: str = "medium") -> None:
        """A bot of ``level`` plays on for the person of ``seat``, under the same name."""
        player = self.match.setup.seats[seat]
        await self.replace(seat, Seat("bot", self.author, player.name, level, player.colour))

    async def hint(self, seat: int) -> Decision:
        """What the hard bot would do on ``seat``, from what that seat knows. Raises ``BotFailed``."""
        await self.flushed()
        return await self.context.bots.think(self.match, seat, HINT_LEVEL, BUDGET)

    def _must_own(self) -> None:
        if not self.owner:
            raise refused("shell.other_tab.refused")

    # ---- reading ----

    @property
    def id(self) -> str:
        return local_id(self.match.id)

    @property
    def seats_here(self) -> tuple[int, ...]:
        """The seats that this device speaks for."""
        return tuple(seat for seat, player in enumerate(self.match.setup.seats) if player.by == self.author)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people on this device."""
        seats = self.match.setup.seats
        return tuple(seat for seat in self.seats_here if not seats[seat].is_bot)

    @property
    def me(self) -> int | None:
        """The seat of the only person here, if there is just one."""
        people = self.people
        return people[0] if len(people) == 1 else None

    @property
    def open_hands(self) -> bool:
        """Whether all hands of people here lie open, as for small children."""
        return self.match.setup.extra.get("open_hands") is True and bool(self.people)

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
        return Wording(self.context.catalogue, self.match.setup, self.me)

    @property
    def acting(self) -> tuple[int, ...]:
        return self.match.rules.to_act(self.match.state)

    @property
    def thinking(self) -> int | None:
        """The seat whose bot is at it, while nobody else may act."""
        acting = self.acting
        return acting[0] if len(acting) == 1 and self.match.setup.seats[acting[0]].is_bot else None

    @property
    def bots_to_act(self) -> tuple[int, ...]:
        """The seats on which this device's bots are to act."""
        seats = self.match.setup.seats
        return tuple(seat for seat in self.acting if seats[seat].is_bot and seats[seat].by == self.author)

    def refusal(self) -> Refusal | None:
        """Why nobody here can act now though it may be their turn; None if they can."""
        return None

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
        self.changed()

    def cover(self) -> None:
        """Hide the hand again, where several people share this device."""
        if self.me is None:
            self.uncovered = None
            self.changed()

    def _cover_for_next(self) -> None:
        """A hand stays open until another person is to act."""
        if self.me is not None:
            self.uncovered = self.me
            return
        waiting = [seat for seat in self.acting if seat in self.people]
        if self.uncovered not in self.people or (waiting and self.uncovered not in waiting):
            self.uncovered = None

    # ---- what follows an entry ----

    def settled(self) -> None:
        """Everything an act brought about is in the match: tell the page, write it down, let the bots go on."""
        self._cover_for_next()
        news, self._news = self._news, []
        for events, index in news or [([], -1)]:
            self._tell(events, index)
        if not self._closed:
            self.later(self._save())
            self.wake()

    def changed(self) -> None:
        """Something a table shows has changed, though no entry was made."""
        self._tell([], -1)

    def _tell(self, events: list[Event], index: int) -> None:
        for listener in list(self._listeners):
            listener(events, index)

    def later(self, work: Any) -> None:
        """Have ``work`` done beside everything else."""
        task = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def at_once(self, work: Coroutine[Any, Any, Any]) -> None:
        """Have ``work`` begun now, as far as it goes without waiting, and done beside everything else.

        Every round of a browser's loop lets other things in between: drawing, timers, what arrives."""
        if sys.version_info >= (3, 12):
            task: asyncio.Task[Any] = asyncio.Task(work, loop=asyncio.get_running_loop(), eager_start=True)
        else:
            task = asyncio.ensure_future(work)
        if not task.done():
            self._background.add(task)
            task.add_done_callback(self._background.discard)

    def wake(self) -> None:
        """Ask the bots again, after one of them failed."""
        if self.owner and not self._closed:
            self._bots.drive()

    # ---- disk ----

    def record(self) -> Record:
        """What the shelf keeps beside the entries."""
        return record_of(self.match, self.created)

    @property
    def _unsaved(self) -> bool:
        return self._saved < len(self._rows)

    async def flushed(self) -> None:
        """Wait until everything is on disk, or it is known that it cannot be."""
        await self._save()

    async def _save(self) -> None:
        async with self._saving:
            await self._write()

    async def _write(self) -> bool:
        """Write down what is not on disk yet; whether it all is now. Only while ``_saving`` is held."""
        if not self.owner:
            return False
        if not self._unsaved:
            return True
        rows = self._rows[self._saved:]
        try:
            await self.context.shelf.append(self.id, self._saved, rows, self.record())
        except AlreadyWritten:
            await self._lost()
            return False
        except StorageFailed as failure:
            if self.stored:
                self.stored = False
                self.context.trouble(failure.key)
            return False
        self._saved += len(rows)
        self.stored = True
        self.context.claims.announce(self.id)
        return True

    async def _lost(self) -> None:
        """Another tab wrote where we were about to: its entries stand, and this tab looks on."""
        self.owner = False
        self._bots.stop()
        self.context.trouble("shell.other_tab.lost")
        await self._reread()

    async def _reread(self) -> None:
        _, rows = await self.context.shelf.read(self.id)
        before = len(self.match.entries)
        match = match_of(rows)
        self._adopt(match)
        self._rows, self._saved = list(rows), len(rows)
        for index in range(before, len(match.entries)):
            self._news.append((match.events(index), index))
        self.settled()

    # ---- one tab owns a match ----

    async def _wait_for_claim(self) -> None:
        """Look on while another tab plays; go on here when it is closed."""
        def news() -> None:
            if not self.owner and not self._closed:
                self.later(self._reread())
        unsubscribe = self.context.claims.on_news(self.id, news)
        try:
            if not await self.context.claims.wait(self.id):
                return
        finally:
            unsubscribe()
        await self._reread()
        self.owner = True
        self._took_over()
        self.settled()
