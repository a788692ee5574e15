"""One match among peers that is open on this device: drives its replica in the worker, and shows the match to its table.

The page folds the entries that the worker has verified, knows the faces of its own seats, and no more. All that must be kept
is on disk before a word of it is sent. While nobody is connected the match can be read, and waits. Worker, links, room and
storage are given, so it runs under CPython too.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from time import time
from typing import Final

from tabletin.app.session.peers.continuation import Continuation
from tabletin.app.session.peers.device_transfer import DeviceTransfer
from tabletin.app.session.peers.leave import Withdrawal
from tabletin.app.session.peers.ports import PeerDevice, PeerGateway, SessionPart
from tabletin.app.session.peers.rejoin import Rejoin
from tabletin.app.session.peers.result_signing import ResultSigning
from tabletin.app.session.peers.side_channel import SIDE_CHANNEL_MARK, SideChannel, payer_of
from tabletin.app.session.peers.status import PeerStatus
from tabletin.app.session.session import MatchSession, SessionContext
from tabletin.app.storage.matches import MatchRecord, local_id
from tabletin.app.storage.persistence import Persistence
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry, Hash, Json
from tabletin.kernel.match import Happening, Match
from tabletin.kernel.options import Refused, refused
from tabletin.kernel.schema import Malformed, Move
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.trusted_match import cut, follow, is_trusted, trusted_match
from tabletin.peers.net.transport import MATCH, Transport, Unreachable
from tabletin.peers.replication.outbox import Pending
from tabletin.peers.worker import calls
from tabletin.peers.worker.answer import WorkerAnswer
from tabletin.peers.worker.results import SpeechResult
from tabletin.registry import rules_of

BEAT: Final = 0.5  # seconds between two ticks
DRAWN_AFTER: Final = 0.04  # seconds after which what is new is drawn, though the disk has not answered yet
MOST_WAITING: Final = 12_000_000  # characters of one player that wait for the worker; what is dropped is asked for again
EACH_COSTS: Final = 2_000  # characters, counted for each message beside its own


class PeerSession(MatchSession):
    """A sealed match and this device's part in it. Use ``begin`` or ``resume``.

    Its parts: ``side_channel``: what tables say to each other beside the match; ``leave``: leaving politely; ``status``: how
    the match stands; ``continuation``: going on without somebody; ``rejoin``: taking a seat back; ``device_transfer``: going
    on from another device; ``result_signing``: signing the end for a league. It drives them by the events of ``SessionPart``
    alone, in this order. ``sending``: whether a person's act is on its way to the peer that orders.
    """

    among_peers = True

    def __init__(self, match: Match, context: SessionContext, persistence: Persistence, created: float, author: str) -> None:
        super().__init__(context, persistence, created)
        self._match = match
        self._author = author
        self.device: PeerDevice | None = None
        self.net: Transport | None = None
        self.sending = False
        self.side_channel = SideChannel(self)
        self.leave = Withdrawal(self)
        self.status = PeerStatus(self, self.side_channel, self.leave)
        self.continuation = Continuation(self, self.side_channel, self.status)
        self.rejoin = Rejoin(self, self.side_channel)
        self.device_transfer = DeviceTransfer(self, self.side_channel)
        self.result_signing = ResultSigning(self, self.status)
        self._parts: tuple[SessionPart, ...] = (self.side_channel, self.leave, self.status, self.continuation, self.rejoin,
                                         self.device_transfer, self.result_signing)
        self._pending = self._stored_pending = Pending()
        self._stored_unsigned: tuple[str, ...] = ()
        self._out: list[tuple[str | None, str]] = []
        self._inbox: list[tuple[str, str]] = []
        self._inbox_sizes: Counter[str] = Counter()  # characters in it, by player; "" for all who do not play
        self._placed: set[Hash] = set()  # own statements that got into the log since the page was opened
        self._rejected: set[Hash] = set()
        self._cuts = 0  # how often entries fell away
        self._next = asyncio.Event()
        self._turn = asyncio.Lock()  # answers are taken in in the order in which they were asked for
        self._speaking = asyncio.Lock()
        self._receiving = False
        self._beating: asyncio.Task[None] | None = None
        self._gateway: PeerGateway | None = None
        self._watchers: list[Callable[[], None]] = []

    @property
    def over(self) -> bool:
        """Also where somebody was proven to cheat: then honest devices sign nothing more."""
        return super().over or bool(self.status.culprits)

    # ---- opening and closing ----

    @classmethod
    async def begin(cls, genesis: Json, context: SessionContext, device: PeerDevice, net: Transport, *,
                    was_here: bool = False) -> PeerSession:
        """The match that ``genesis`` (an entry as JSON) begins, joined. A stored one goes on. ``was_here``: whether this device
        may have played it before; where it is not stored any more, others know better what it signed.

        Raises ``Refused``, ``Malformed``.
        """
        first = Entry.from_json(genesis)
        match = trusted_match(rules_of(Setup.from_statement(first.statement).game), first)
        persistence = Persistence(local_id(match.id), context.matches, context.locks, context.trouble)
        kept = await persistence.kept_lines()
        if kept and (kept[0] == first.line or len(kept) > 1 or await _is_signed(kept[0], device)):
            session = await cls.resume(persistence.name, context)
            session.join(device, net)
            return session
        (await device.call(calls.CheckGenesis(first.line))).require()
        if kept:
            await context.matches.remove(persistence.name)  # somebody else said it in its founder's name
        session = cls(match, context, persistence, time(), device.author)
        if was_here:
            session._pending = Pending(None, _unused_count())
        persistence.add([Happening(first)])
        if await persistence.claim():
            await session._join(device, net, restarted=was_here)
        else:
            session.device, session.net = device, net
            session._wait_for_tab()
        session.publish()
        return session

    @classmethod
    async def resume(cls, name: str, context: SessionContext) -> PeerSession:
        """The stored match ``name``, to be read; ``join`` or ``come_back`` lets it go on.

        Raises ``Malformed``, ``Refused``, ``StorageFailed``; ``KeyError`` for none.
        """
        persistence = Persistence(name, context.matches, context.locks, context.trouble)
        record, match = await persistence.open()
        if not is_trusted(match):
            persistence.release()
            raise Malformed("not a match among peers")
        session = cls(match, context, persistence, record.creation_time, record.author or "")
        session._take_up(record)
        if not session.owner:
            session._wait_for_tab()
        session.publish()
        return session

    def come_back(self, gateway: PeerGateway) -> None:
        """Find the others again and go on, as soon as the match is this tab's. Nothing is done for one that is over and
        signed by all."""
        self._gateway = gateway
        if self.owner and (self.match.outcome is None or (self.status.missing_signers and self.people)):
            self.start_task(self._come_back(gateway, gateway.device()))  # it starts before the table is drawn

    async def _come_back(self, gateway: PeerGateway, starting: Awaitable[PeerDevice]) -> None:
        finding = asyncio.ensure_future(gateway.net_for(self.match.setup, self.match.id))  # it reads while the worker starts
        try:
            device = await starting
            self.join(device, None)
            self.join(device, await finding)
        except Unreachable as unreachable:
            self.context.trouble(unreachable.key)
        finally:
            finding.cancel()

    def join(self, device: PeerDevice, net: Transport | None) -> None:
        """Go on with a stored match on ``device``, over ``net`` once there is one; not if it was closed meanwhile."""
        if self._closed:
            return
        self.net = net or self.net
        if self.device is None:
            self.device = device
            if self.owner:
                self.start_task(self._join(device, self.net, restarted=True))
        elif net is not None:
            self._listen()

    async def _join(self, device: PeerDevice, net: Transport | None, *, restarted: bool) -> None:
        self.device, self.net, self._author = device, net or self.net, device.author
        lines = tuple(entry.line for entry in self.match.entries)
        async with self._turn:
            answer = await device.call(calls.Join(lines, self._pending, restarted))
            self._take(answer.require())
        self._beating = asyncio.ensure_future(self._beat())
        self._beating.add_done_callback(self._stopped)
        self._listen()

    def _stopped(self, beating: asyncio.Task[None]) -> None:
        """The worker failed: what was stored stands, and a page opened anew goes on from there."""
        if not beating.cancelled() and beating.exception() is not None:
            self.context.trouble("peer_match.broken")
            raise beating.exception()  # type: ignore[misc]  # checked just above

    def _listen(self) -> None:
        if self.net is not None:
            if self.context.room is not None:  # before anybody says anything over these links
                self.context.room.follow(self)
            self.net.on_text(MATCH, self._hear)
            self.start_task(self._receive())

    def close(self) -> None:
        if self._beating is not None:
            self._beating.cancel()
        if self.net is not None:
            self.net.off_text(MATCH, self._hear)
        super().close()

    def put_away(self) -> bool:
        """It goes on: the others need this device's part of each deal, and at the end what they have not heard yet."""
        if not self.owner or self._beating is None:
            self.close()
            return False
        self._listeners.clear()
        self._watchers.clear()
        self.continuation.hide()
        return True

    async def _save_and_release(self) -> None:
        await self._save()
        if self.device is not None and self.owner:
            await self.device.call(calls.Release(), self.match.id)
        self.persistence.release()

    # ---- what kind of match ----

    @property
    def match(self) -> Match:
        return self._match

    @property
    def author(self) -> str:
        return self._author

    def _adopt(self, record: MatchRecord, match: Match) -> None:
        self._match = match
        self._take_up(record)

    def _take_up(self, record: MatchRecord) -> None:
        """What this device signed last, as the tab kept it that had the match: nothing that is said here may contradict it. And
        who still has to hear of the match's end."""
        self.status.take_up(record.missing_signers)
        self._stored_unsigned = self.status.missing_signers
        kept = record.saying
        self._pending = self._stored_pending = Pending(None, _unused_count()) if kept is None else Pending.from_json(kept)

    def _take_over(self) -> None:
        if self.device is not None:
            self.start_task(self._join(self.device, self.net, restarted=True))
        elif self._gateway is not None:
            self.come_back(self._gateway)

    async def _look_on(self) -> None:
        """Another tab goes on with this match: nothing is said here any more."""
        if self._beating is not None:
            self._beating.cancel()
        if self.device is not None:
            await self.device.call(calls.Release(), self.match.id)
        self._out.clear()
        await super()._look_on()

    def record(self) -> MatchRecord:
        mine = {} if self.me is None else {"me": self.me}
        found = super().record()
        return replace(found, extra={**found.extra, **mine}, author=self.author, saying=self._pending.to_json(),
                       missing_signers=self.status.missing_signers)

    # ---- acting ----

    async def move(self, seat: int, move: Move) -> None:
        """Returns when the move stands in the log. Until then the turn stays as it was composed, and ``sending`` holds."""
        self._must_own()
        if self.sending:
            raise refused("peer_match.sending")
        if seat not in self.seats_here:
            raise refused("kernel.not_your_seat", seat=seat)
        refusal = self.match.view((seat,)).refusal(seat, move)
        if refusal is not None:
            raise Refused(refusal)
        self.sending = True
        try:
            await self._speak(calls.PlayMove(seat, move))
        finally:
            self.sending = False

    @property
    def bots_to_act(self) -> tuple[int, ...]:
        return () if self.leave.stage else super().bots_to_act

    async def bot_move(self, seat: int, move: Move) -> None:
        try:
            await self._speak(calls.PlayMove(seat, move))
        except Refused:
            if not self.leave.stage:  # a device that is about to leave moves no more, nor do its bots
                raise

    def ask_back(self, seat: int, to: int) -> None:
        self.side_channel.ask(seat, to)

    async def undo(self, seat: int, to: int, practice: bool = False) -> None:
        await self._say_and_settle(kind="undo", body={"seat": seat, "to": to})

    async def consent(self, seat: int, to: int) -> None:
        await self.speak(calls.Say("consent", {"seat": seat, "to": to}))

    async def resign(self, seat: int) -> None:
        await self._say_and_settle(kind="resign", body={"seat": seat})

    async def replace(self, seat: int, player: Seat) -> None:
        await self._say_and_settle(kind="seat", body={"seat": seat, "to": player.to_json()})

    async def time_out(self, seat: int) -> None:
        """This device's vote that ``seat`` kept the table waiting; it counts when everybody else's does."""
        self.status.wants_timeout.add(seat)
        await self.status.vote()

    async def _say_and_settle(self, kind: str, body: dict[str, Json]) -> None:
        """Say what makes all that bots think worthless."""
        await self.speak(calls.Say(kind, body))
        self._bots.stop()
        self.publish()

    async def next_answer(self) -> None:
        await self._next.wait()

    async def speak(self, speech: calls.Speech) -> None:
        self._must_own()
        await self._speak(speech)

    async def _speak(self, speech: calls.Speech) -> None:
        """Have the worker sign a statement, and wait until it stands in the log. Raises ``Refused``.

        What is said before a page that was loaded anew has its worker waits for it. Where entries fall away meanwhile, it was
        meant for a log that is no more, and may name an entry of that by its number.
        """
        cuts = self._cuts
        async with self._speaking:
            while self.device is None:
                await self._next.wait()
            while (said := (await self._ask_shielded(speech, cuts)).result_as(SpeechResult).statement) is None:
                await self._next.wait()
            while said not in self._placed and said not in self._rejected:
                await self._next.wait()
            self._placed.discard(said)
            if said in self._rejected:  # it was right when it was made: somebody else was first
                raise refused("peer_match.overtaken")

    # ---- the worker ----

    async def ask_worker(self, call: calls.MatchCall) -> WorkerAnswer:
        return await self._ask_shielded(call, None)

    async def _ask_shielded(self, call: calls.MatchCall, cuts: int | None) -> WorkerAnswer:
        """As ``ask_worker``; refused where entries fell away since they had ``cuts`` times, if that is given. Whoever asks may go
        meanwhile, as a table does that is left: what is new in the answer is taken in all the same."""
        return await asyncio.shield(self.at_once(self._ask(call, cuts)))

    async def _ask(self, call: calls.MatchCall, cuts: int | None) -> WorkerAnswer:
        assert self.device is not None
        async with self._turn:
            if cuts not in (None, self._cuts):
                raise refused("peer_match.overtaken")
            answer = await self.device.call(call, self.match.id)
            self._take(answer)
        return answer

    def _take(self, answer: WorkerAnswer) -> None:
        """Take in what is new in an answer of the worker. It can be painted now, and is stored before anything is sent."""
        news, status = answer.news, answer.news.status
        if news.length is not None:
            self._cut(news.length)
        faces = Faces((card, face) for card, face in news.faces.items() if card not in self.match.knowledge)
        self.match.learn(faces)
        if news.length is not None:
            faces = Faces(self.match.knowledge)  # some may have lain beside what fell away
        for number, new in enumerate(news.entries, 1):
            entry, is_last = new.entry, number == len(news.entries)
            events = follow(self.match, entry, new.answers)
            self._grow([Happening(entry, events, faces if is_last else Faces(), new.answers)])
            for part in self._parts:
                part.on_entry(entry)
            if entry.statement.author == self.author:
                self._placed.add(entry.statement.hash)
        self._pending = news.pending or self._pending
        self._out += news.messages
        if status is not None:
            self._rejected.update(status.rejected_statements)
            for part in self._parts:
                part.on_status(status)
            if self.context.room is not None:
                self.context.room.follow(self)
        self._next.set()
        self._next = asyncio.Event()
        if news.entries:
            self.at_once(self._save_and_settle())
        elif self._out or self._unsaved:
            self.at_once(self._save())

    def _cut(self, length: int) -> None:
        """The others went on from an earlier entry: what stood behind it here fell away, and is drawn away with what follows."""
        cut(self.match, length)
        self._cuts += 1
        self.persistence.cut(length)
        self._untold = [one for one in self._untold if one.entry.index < length]
        self._bots.stop()

    async def _save_and_settle(self) -> None:
        """Send before drawing, and draw after ``DRAWN_AFTER`` seconds at the latest. Where nothing is to be sent, draw at
        once."""
        if not self._out:
            self.at_once(self._save())
            self._settle_untold()
            return
        timer = asyncio.get_running_loop().call_later(DRAWN_AFTER, self._settle_untold)
        try:
            await self._save()
        finally:
            timer.cancel()
            self._settle_untold()

    def _settle_untold(self) -> None:
        if self._untold:
            self.publish()

    async def _beat(self) -> None:
        loop = asyncio.get_event_loop()
        while True:
            await self.ask_worker(calls.Tick(loop.time()))
            for part in self._parts:
                part.on_tick(loop.time())
            await asyncio.sleep(BEAT)

    # ---- the others ----

    def _hear(self, sender: str, text: str) -> None:
        if text.startswith(SIDE_CHANNEL_MARK):
            self.side_channel.hear(sender, text)
            return
        payer = payer_of(self.match, sender)
        if self._inbox_sizes[payer] + len(text) + EACH_COSTS <= MOST_WAITING:
            self._inbox_sizes[payer] += len(text) + EACH_COSTS
            self._inbox.append((sender, text))
            if not self._receiving:
                self.at_once(self._receive())

    async def _receive(self) -> None:
        """Give the worker what came in: all that waits in one call."""
        if self._receiving or self._beating is None:
            return
        self._receiving = True
        try:
            while self._inbox:
                inbox, self._inbox = self._inbox, []
                self._inbox_sizes.clear()
                await self.ask_worker(calls.Receive(tuple(sender for sender, _ in inbox), tuple(text for _, text in inbox)))
        finally:
            self._receiving = False

    def on_status_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener`` when something beside the match has changed: who is here, how far a deal is, what is asked.

        Tables need not be drawn for it. Returns a function that ends this.
        """
        self._watchers.append(listener)
        return lambda: self._watchers.remove(listener) if listener in self._watchers else None

    def status_changed(self) -> None:
        for listener in list(self._watchers):
            listener()

    def send_aside(self, to: str | None, text: str) -> None:
        if self.net is not None:
            self.net.send(to, MATCH, text)

    # ---- disk, and only then the others ----

    @property
    def _unsaved(self) -> bool:
        return (super()._unsaved or self._stored_pending is not self._pending
                or self._stored_unsigned != self.status.missing_signers)

    async def _save(self) -> None:
        async with self.persistence.lock:
            out, self._out = self._out, []
            pending, unsigned = self._pending, self.status.missing_signers
            if await self._write():
                self._stored_pending, self._stored_unsigned = pending, unsigned
            elif self.device is None or self.device.is_stored:  # sent to nobody before it is stored
                self._out = out + self._out
                return
            if self.net is not None:
                for to, text in out:
                    self.net.send(to, MATCH, text)


def _unused_count() -> int:
    """A counter for the next statement where it is not known what was signed: after an archive, or after a deletion. By the
    clock, in milliseconds: what was said in vain since the time before has a lower one, too."""
    return int(time() * 1000)


async def _is_signed(genesis: str, device: PeerDevice) -> bool:
    """Whether the founder signed ``genesis``, a line."""
    return (await device.call(calls.CheckGenesis(genesis))).refusal is None
