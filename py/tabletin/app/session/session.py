"""A match that is open in this page, as its table sees it: reading it, acting in it, whose hand is shown, who hears of news.

A subclass says how a match goes on: ``local`` on this device alone, ``peers.session`` among several. Storage, locks and bots
are given, so it runs under CPython too. An entry is on disk before another device or a bot hears of it; the page may paint it
sooner.
"""

from __future__ import annotations

import asyncio
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tabletin.app.session.bot_driver import BotDriver, Bots
from tabletin.app.session.forced_moves import ForcedMoves
from tabletin.app.session.pacing import Pacing
from tabletin.app.storage.matches import MatchRecord, MatchStore, StorageFailed, TabLocks, local_id, record_of
from tabletin.app.storage.persistence import Persistence, WriteResult
from tabletin.bots.decision import BUDGET, Decision
from tabletin.kernel.match import Happening, Match
from tabletin.kernel.options import Refusal, Refused, refused
from tabletin.kernel.schema import Malformed, Move
from tabletin.kernel.setup import Seat
from tabletin.words import Catalogue
from tabletin.words.wording import Wording

if TYPE_CHECKING:
    from tabletin.app.session.room_link import RoomLink
    from tabletin.app.storage.league import LeagueBook

HINT_LEVEL: Final = "hard"
READ_AGAIN: Final = 3.0  # seconds after a stored match could not be read, before that is tried again

OnChange = Callable[[Sequence[Happening]], None]
OnTrouble = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class SessionContext:
    """What a page gives its sessions. ``pace``: seconds that pass at least before something happens that nobody tapped;
    ``trouble``: tells the people at the page what went wrong, by a key of the catalogue; ``room``: where the people of a match
    among peers are; ``forces``: whether moves that are no choice are made for the people here; ``league``: gives what keeps
    the results of matches among peers; ``note_hint``: keeps that a hint laid out a turn in a match, by its id."""

    matches: MatchStore
    locks: TabLocks
    bots: Bots
    catalogue: Catalogue
    pace: Callable[[], float] = lambda: 0.0
    trouble: OnTrouble = lambda key: None
    room: RoomLink | None = None
    forces: Callable[[], bool] = lambda: False
    league: Callable[[], LeagueBook] | None = None
    note_hint: Callable[[str], None] = lambda name: None


class MatchSession(ABC):
    """An open match. ``close`` it when its screen goes.

    ``visible_seat``: the seat whose hand lies open on a device that several people share, None while it is covered.
    ``creation_time``: when the match began, in seconds since 1970. ``is_paused``: nothing goes on by itself, and nobody plays.
    """

    among_peers = False  # whether other devices keep this match, too
    gives_help = True  # whether the table tells what happened, and offers to take a turn back
    gives_hints = True  # … and whether it offers hints

    def __init__(self, context: SessionContext, persistence: Persistence, created: float) -> None:
        self.context = context
        self.persistence = persistence
        self.creation_time = created
        self.visible_seat: int | None = None
        self.is_paused = False
        self._listeners: list[OnChange] = []
        self._untold: list[Happening] = []  # what the page has not been told yet
        self.pacing = Pacing(context.pace)
        self.forced_moves = ForcedMoves(self)
        self._bots = BotDriver(self)
        self._waiting: asyncio.Task[None] | None = None
        self._reading = asyncio.Lock()  # what another tab wrote is read once at a time, so that the newest is taken up last
        self._unread = ""  # why that could not be read last, as the page was told; "" for nothing
        self._has_news = False  # whether it has written something that is to be read next
        self._background: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._release: asyncio.Task[None] | None = None  # what writes the rest when the session is closed

    @property
    def is_answered(self) -> bool:
        """Whether it is a puzzle, and an answer to it was given."""
        return False

    @property
    def over(self) -> bool:
        """Whether nothing can be played any more."""
        return self.match.outcome is not None

    def close(self) -> None:
        """Stop the bots and give the match free, after what is not on disk yet has been written."""
        self._closed = True
        self._listeners.clear()
        self._bots.stop()
        self.forced_moves.stop()
        if self._waiting is not None:
            self._waiting.cancel()
        self.context.bots.forget(self.match)
        self._release = self.start_task(self._save_and_release())

    def put_away(self) -> bool:
        """Its screen goes. Closes it and returns False; or returns True and goes on, because other devices count on it."""
        self.close()
        return False

    async def _save_and_release(self) -> None:
        await self._save()
        self.persistence.release()

    # ---- what kind of match ----

    @property
    @abstractmethod
    def match(self) -> Match: ...

    @property
    @abstractmethod
    def author(self) -> str:
        """The author in whose name this device speaks for its seats."""

    @abstractmethod
    def _adopt(self, record: MatchRecord, match: Match) -> None:
        """Go on with ``match`` and its ``record``, which were read anew from disk."""

    @abstractmethod
    def _take_over(self) -> None:
        """Go on with the match, now that it is this tab's."""

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
        """``player`` plays on for ``seat``: a bot for a person who left, or a person for a bot."""

    @abstractmethod
    async def time_out(self, seat: int) -> None:
        """``seat`` did not answer in time."""

    def ask_back(self, seat: int, to: int) -> None:
        """Ask the people at other devices whether ``seat`` may take the match back to entry ``to``."""
        raise refused("kernel.undo.consent")

    async def play_on(self, seat: int, level: str = "medium") -> None:
        """A bot of ``level`` plays on for the person of ``seat``, under the same name."""
        player = self.match.setup.seats[seat]
        await self.replace(seat, Seat("bot", self.author, player.name, level, player.colour))

    def note_hint(self) -> None:
        """A hint laid out a turn here."""
        self.context.note_hint(local_id(self.match.id))

    async def hint(self, seat: int) -> Decision:
        """What the hard bot would do on ``seat``, from what that seat knows. Raises ``BotFailed``, ``TurnPassed``."""
        await self.flush()
        return await self.context.bots.think(self.match, seat, HINT_LEVEL, BUDGET)

    def _must_own(self) -> None:
        if not self.owner:
            raise refused("shell.other_tab.refused")

    # ---- reading ----

    @property
    def id(self) -> str:
        """What the match is called on this device and in its address."""
        return self.persistence.name

    @property
    def owner(self) -> bool:
        """Whether this tab may act; another tab may hold the match."""
        return self.persistence.owner

    @property
    def stored(self) -> bool:
        """Whether all entries could be written to disk when that was last tried."""
        return self.persistence.stored

    @property
    def seats_here(self) -> tuple[int, ...]:
        """The seats that this device speaks for."""
        return tuple(seat for seat, player in enumerate(self.match.setup.seats) if player.author == self.author)

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
        seat = self.visible_seat
        return () if seat is None else (seat,)

    @property
    def wording(self) -> Wording:
        """Words for the people who look at the page."""
        return Wording(self.context.catalogue, self.match.setup, self.me)

    @property
    def acting(self) -> tuple[int, ...]:
        return self.match.rules.to_act(self.match.state)

    @property
    def thinking(self) -> int | None:
        """The seat whose bot thinks, while nobody else may act; None otherwise."""
        acting = self.acting
        return acting[0] if len(acting) == 1 and self.match.setup.seats[acting[0]].is_bot else None

    @property
    def bots_to_act(self) -> tuple[int, ...]:
        """The seats on which this device's bots are to act."""
        seats = self.match.setup.seats
        return tuple(seat for seat in self.acting if seats[seat].is_bot and seats[seat].author == self.author)

    @property
    def is_forcing(self) -> bool:
        """Whether moves that are no choice are made for the people here."""
        return self.owner and self.context.forces() and self.refusal() is None

    def refusal(self) -> Refusal | None:
        """Why nobody here can act now though it may be their turn; None if they can."""
        return None

    def on_change(self, listener: OnChange) -> Callable[[], None]:
        """Call ``listener`` with what has happened, each time all that an act brought about is in the match; with nothing when
        only who sees or acts has changed.

        Returns a function that ends this.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    # ---- whose hand lies open ----

    def uncover(self, seat: int) -> None:
        """The person of ``seat`` looks at its hand. Raises ``Refused`` for a seat that is not a person's here."""
        if seat not in self.people:
            raise refused("kernel.not_your_seat", seat=seat)
        self.visible_seat = seat
        self.notify()

    def cover(self) -> None:
        """Hide the hand again, where several people share this device."""
        if self.me is None:
            self.visible_seat = None
            self.notify()

    def _cover_for_next(self) -> None:
        """Cover the hand that is shown, once another person is to act."""
        if self.me is not None:
            self.visible_seat = self.me
            return
        waiting = [seat for seat in self.acting if seat in self.people]
        if self.visible_seat not in self.people or (waiting and self.visible_seat not in waiting):
            self.visible_seat = None

    # ---- what follows an entry ----

    def _grow(self, happenings: Iterable[Happening]) -> None:
        """The match has grown: this is to be written, and told once all that belongs to it is there."""
        happenings = tuple(happenings)
        self.persistence.add(happenings)
        self._untold += happenings

    def publish(self) -> None:
        """All that an act brings about is in the match: tell the page, write it to disk, let the bots go on."""
        self._cover_for_next()
        untold, self._untold = self._untold, []
        if any(one.events for one in untold):
            moves = [one.entry.statement.body["do"] for one in untold if one.entry.statement.kind == "move"]
            self.pacing.note_act(is_brief=bool(moves) and all(map(self.match.rules.is_brief, moves)))
            if moves and all(move[0] in self.match.rules.unseen_verbs for move in moves):
                self.pacing.end_pause()
        self._tell(untold)
        if not self._closed:
            self.start_task(self._save())
            self.wake()

    def notify(self) -> None:
        """Something a table shows has changed, though no entry was made."""
        self._tell(())

    def _tell(self, happenings: Sequence[Happening]) -> None:
        for listener in list(self._listeners):
            listener(happenings)

    def start_task(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Do ``work`` in the background."""
        task = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    def at_once(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Begin ``work`` now, as far as it goes without waiting, and do the rest in the background.

        Each round of a browser's loop lets other things come first: drawing, timers, messages."""
        if sys.version_info >= (3, 12):
            task: asyncio.Task[Any] = asyncio.Task(work, loop=asyncio.get_running_loop(), eager_start=True)
        else:
            task = asyncio.ensure_future(work)
        if not task.done():
            self._background.add(task)
            task.add_done_callback(self._background.discard)
        return task

    def wake(self) -> None:
        """Let go on what goes on by itself: the bots, after one of them failed, too."""
        if self.owner and not self._closed and not self.is_paused:
            self._bots.drive()
            self.forced_moves.drive()

    def pause(self) -> None:
        """Let nothing go on until ``go_on``. Only where no other device waits."""
        self.is_paused = True
        self._bots.stop()
        self.forced_moves.stop()
        self.notify()

    def go_on(self) -> None:
        """End the pause."""
        self.is_paused = False
        self.wake()
        self.notify()

    @property
    def may_pause(self) -> bool:
        """Whether there is something to pause: bots at this device, and nobody elsewhere who would wait."""
        bots = any(player.is_bot for player in self.match.setup.seats)
        return self.owner and self.gives_help and bots and not self.among_peers and self.match.outcome is None

    # ---- disk ----

    def record(self) -> MatchRecord:
        """What the store keeps beside the entries."""
        return record_of(self.match, self.creation_time)

    async def flush(self) -> None:
        """Wait until everything is on disk, or it is known that it cannot be. A closed session writes by itself."""
        if self._release is not None:
            await asyncio.wait({self._release})
        else:
            await self._save()

    async def _save(self) -> None:
        async with self.persistence.lock:
            await self._write()

    @property
    def _unsaved(self) -> bool:
        """Whether something is to be written."""
        return self.persistence.pending

    async def _write(self) -> bool:
        """Write what is not on disk yet; whether everything is there now. Only while the lock is held."""
        if self.owner and not self._unsaved:
            return True
        written = await self.persistence.write(self.record)
        if written is WriteResult.LOST:
            await self._look_on()
        return written is WriteResult.ALL

    async def _look_on(self) -> None:
        """Another tab wrote where this one was about to: its entries stand, and this tab only shows them."""
        self._bots.stop()
        await self._reread()

    async def _reread(self) -> None:
        record, match = await self.persistence.read()
        self._unread = ""
        before = len(self.match.entries)
        self._adopt(record, match)
        self._untold += [Happening(entry, match.events(entry.index)) for entry in match.entries[before:]]
        self.publish()

    def _wait_for_tab(self) -> None:
        """Show what another tab plays, and go on here when that tab is closed."""
        self._waiting = asyncio.ensure_future(self._follow_tab())

    async def _follow_tab(self) -> None:
        def on_news() -> None:
            if not self._has_news:
                self._has_news = True
                self.start_task(self._look_again())
        while await self.persistence.wait(on_news):
            try:
                async with self._reading:
                    await self._reread()
                    self.persistence.owner = True
            except StorageFailed as failure:  # nobody has the match meanwhile: another tab may be able to read it
                self.persistence.release()
                self._tell_unread(failure)
                await asyncio.sleep(READ_AGAIN)
            except (Malformed, Refused, KeyError) as failure:  # it stays so, however often it is read
                self.persistence.release()
                self._tell_unread(failure)
                return
            else:
                self._take_over()
                self.publish()
                return

    async def _look_again(self) -> None:
        """Another tab wrote. What it wrote last may be heard of once this one goes on: then it was read, and more is here."""
        async with self._reading:
            self._has_news = False
            if not self.owner and not self._closed:
                try:
                    await self._reread()
                except (StorageFailed, Malformed, Refused, KeyError) as failure:  # it is read again with what comes next
                    self._tell_unread(failure)

    def _tell_unread(self, failure: Exception) -> None:
        """Say why what another tab wrote could not be read; once, until something else is the matter."""
        if isinstance(failure, StorageFailed):
            key = failure.key
        else:
            key = "playing.none" if isinstance(failure, KeyError) else "playing.unreadable"
        if key != self._unread:
            self._unread = key
            self.context.trouble(key)
