"""One match among peers that is open on this device: drives its replica in the worker, and lets the table see it as any other.

The page folds the entries that the worker has verified, knows the faces of its own seats, and no more. What is to be kept is
on disk before a word of it is sent. While nobody is connected the match can be read, and waits. Worker, links and storage are
given, so it runs under CPython too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import time
from typing import Any, Final

from tabletin.app.session.peers.continuation import Continuation
from tabletin.app.session.peers.device_transfer import DeviceTransfer
from tabletin.app.session.peers.leave import Leave
from tabletin.app.session.peers.ports import PeerDevice, PeerGateway
from tabletin.app.session.peers.rejoin import Rejoin
from tabletin.app.session.peers.side_channel import SIDE_CHANNEL_MARK, SideChannel
from tabletin.app.session.peers.status import PeerStatus
from tabletin.app.session.persistence import Persistence
from tabletin.app.session.session import MatchSession, SessionContext
from tabletin.app.storage.matches import Record, local_id
from tabletin.app.storage.rows import match_of, row_of
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry, Hash, Json
from tabletin.kernel.logfile import read_faces
from tabletin.kernel.match import Match, prepares_next_hand
from tabletin.kernel.options import Refusal, Refused, refused
from tabletin.kernel.schema import Malformed, Move
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.trusted import follow, is_told, read_answers, trusted_match
from tabletin.peers.net.transport import MATCH, Transport, Unreachable
from tabletin.registry import rules_of

BEAT: Final = 0.5  # seconds between two looks at the clock and at who is there
TAKEN_IN_GAP: Final = 1 << 20  # counters left out after an archive, which does not say what was signed since it was made
SEEN_ANYWAY: Final = 0.04  # seconds after which what is new is drawn, though the disk has not answered yet
MOST_WAITING: Final = 4096  # messages that wait for the worker; what is dropped is asked for again


class PeerSession(MatchSession):
    """A sealed match and this device's part in it. Use ``begin`` or ``resume``.

    ``standing``: how it stands with the others, for the strip at the table. ``asides``: what tables ask of each other;
    of these ``parting``: going on without somebody, ``returning``: taking a seat back, ``moving``: to another device.
    ``leaving``: going politely. ``sending``: whether a person's act is on its way to the peer that orders.
    """

    among_peers = True

    def __init__(self, match: Match, context: SessionContext, persistence: Persistence, created: float, author: str) -> None:
        super().__init__(context, persistence, created)
        self._match = match
        self._author = author
        self.device: PeerDevice | None = None
        self.net: Transport | None = None
        self.sending = False
        self.status = PeerStatus(self)
        self.side_channel = SideChannel(self)
        self.continuation, self.rejoin = Continuation(self), Rejoin(self)
        self.device_transfer, self.leave = DeviceTransfer(self), Leave(self)
        self._saying: list[Json] = [None, 0]
        self._kept_saying = self._saying
        self._kept_unsigned: tuple[str, ...] = ()
        self._out: list[tuple[str | None, str]] = []
        self._inbox: list[list[str]] = []
        self._placed: set[Hash] = set()  # own statements that got into the log since the page was opened
        self._rejected: set[Hash] = set()
        self._next = asyncio.Event()
        self._turn = asyncio.Lock()  # answers are taken in in the order in which they were asked for
        self._speaking = asyncio.Lock()
        self._hearing = False
        self._beating: asyncio.Task[None] | None = None
        self._far: PeerGateway | None = None
        self._watchers: list[Callable[[], None]] = []

    @property
    def over(self) -> bool:
        """Also where somebody was proven to cheat: honest devices sign nothing more."""
        return super().over or bool(self.status.accused)

    # ---- opening and closing ----

    @classmethod
    async def begin(cls, genesis: Json, context: SessionContext, device: PeerDevice, net: Transport) -> PeerSession:
        """The match that ``genesis`` (an entry as JSON) founds, joined; a stored one goes on.

        Raises ``Refused``, ``Malformed``.
        """
        first = Entry.from_json(genesis)
        match = trusted_match(rules_of(Setup.from_statement(first.statement).game), first)
        persistence = Persistence(local_id(match.id), context.matches, context.locks, context.trouble)
        try:
            await persistence.read()
        except KeyError:
            pass
        else:
            session = await cls.resume(persistence.name, context)
            session.join(device, net)
            return session
        session = cls(match, context, persistence, time(), device.author)
        persistence.add(row_of(first, Faces()))
        if await persistence.claim():
            await session._joined(device, net, restarted=False)
        else:
            session.device, session.net = device, net
            session._wait_for_tab()
        session.settled()
        return session

    @classmethod
    async def resume(cls, name: str, context: SessionContext) -> PeerSession:
        """The stored match ``name``, to be read; ``join`` or ``come_back`` lets it go on.

        Raises ``Malformed``, ``Refused``, ``StorageFailed``; ``KeyError`` for none.
        """
        persistence = Persistence(name, context.matches, context.locks, context.trouble)
        record = await persistence.open()
        try:
            match = match_of(persistence.rows)
            if not is_told(match):
                raise Malformed("not a match among peers")
        except BaseException:
            persistence.release()
            raise
        session = cls(match, context, persistence, record["created"], str(record.get("author", "")))
        session.status.unsigned = tuple(record.get("unsigned", session.status.unsigned))
        session._kept_unsigned = session.status.unsigned
        session._kept_saying = session._saying = list(record.get("saying", [None, len(persistence.rows) + TAKEN_IN_GAP]))
        if not session.owner:
            session._wait_for_tab()
        session.settled()
        return session

    def come_back(self, far: PeerGateway) -> None:
        """Find the others again and go on, as soon as the match is this tab's; nothing is done for one that is over and
        signed by all."""
        self._far = far
        if self.owner and (self.match.outcome is None or (self.status.unsigned and self.people)):
            self.later(self._come_back(far))

    async def _come_back(self, far: PeerGateway) -> None:
        device = await far.device()
        self.join(device, None)
        try:
            self.join(device, await far.net_for(self.match.setup, self.match.id))
        except Unreachable as blocked:
            self.context.trouble(blocked.key)

    def join(self, device: PeerDevice, net: Transport | None) -> None:
        """Go on with a stored match on ``device``, over ``net`` once there is one."""
        self.net = net or self.net
        if self.device is None:
            self.device = device
            if self.owner:
                self.later(self._joined(device, self.net, restarted=True))
        elif net is not None:
            self._listen()

    async def _joined(self, device: PeerDevice, net: Transport | None, *, restarted: bool) -> None:
        self.device, self.net, self._author = device, net or self.net, device.author
        said, count = self._saying
        lines = [entry.to_json() for entry in self.match.entries]
        async with self._turn:
            answer = await device.call(do="join", genesis=lines[0], entries=lines[1:], saying=said, count=count,
                                       restarted=restarted)
            if "refused" in answer:
                raise Refused(Refusal(answer["refused"], answer["params"]))
            self._take(answer)
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
            self.net.on_text(MATCH, self._hear)
            self.later(self._pump())

    def close(self) -> None:
        if self._beating is not None:
            self._beating.cancel()
        if self.net is not None:
            self.net.off_text(MATCH, self._hear)
        super().close()

    def put_away(self) -> bool:
        """The others need this device's part of each deal, and at the end what they have not heard yet."""
        if not self.owner or self._beating is None:
            self.close()
            return False
        self._listeners.clear()
        self._watchers.clear()
        return True

    async def _save_and_release(self) -> None:
        await self._save()
        if self.device is not None and self.owner:
            await self.device.call(do="part", match=self.match.id)
        self.persistence.release()

    # ---- what kind of match ----

    @property
    def match(self) -> Match:
        return self._match

    @property
    def author(self) -> str:
        return self._author

    def _adopt(self, match: Match) -> None:
        self._match = match

    def _take_over(self) -> None:
        if self.device is not None:
            self.later(self._joined(self.device, self.net, restarted=True))
        elif self._far is not None:
            self.come_back(self._far)

    async def _look_on(self) -> None:
        """Another tab goes on with this match: nothing is said here any more."""
        if self._beating is not None:
            self._beating.cancel()
        if self.device is not None:
            await self.device.call(do="part", match=self.match.id)
        self._out.clear()
        await super()._look_on()

    def record(self) -> Record:
        mine = {} if self.me is None else {"me": self.me}
        found = super().record()
        return {**found, "extra": {**found["extra"], **mine}, "author": self.author, "saying": self._saying,
                "unsigned": list(self.status.unsigned)}

    # ---- acting ----

    async def move(self, seat: int, move: Move) -> None:
        """Returns when the move stands in the log; until then the turn stays as it was composed, and ``sending`` holds."""
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
            await self._speak(do="move", seat=seat, move=move)
        finally:
            self.sending = False

    @property
    def bots_to_act(self) -> tuple[int, ...]:
        return () if self.leave.stage else super().bots_to_act

    async def bot_move(self, seat: int, move: Move) -> None:
        try:
            await self._speak(do="move", seat=seat, move=move)
        except Refused:
            if not self.leave.stage:  # who is about to go moves no more, nor do the bots here
                raise

    def ask_back(self, seat: int, to: int) -> None:
        self.side_channel.ask(seat, to)

    async def undo(self, seat: int, to: int, practice: bool = False) -> None:
        await self._said(anew=True, do="say", kind="undo", body={"seat": seat, "to": to})

    async def consent(self, seat: int, to: int) -> None:
        await self._said(do="say", kind="consent", body={"seat": seat, "to": to})

    async def resign(self, seat: int) -> None:
        await self._said(anew=True, do="say", kind="resign", body={"seat": seat})

    async def replace(self, seat: int, player: Seat) -> None:
        await self._said(anew=True, do="say", kind="seat", body={"seat": seat, "to": player.to_json()})

    async def time_out(self, seat: int) -> None:
        """This device's vote that ``seat`` kept the table waiting; it counts when everybody else's does."""
        self.status.timeouts.add(seat)
        await self.status.vote()

    async def _said(self, *, anew: bool = False, **asked: Any) -> None:
        await self.speak(**asked)
        if anew:
            self._bots.stop()
            self.settled()

    async def news(self) -> None:
        """Wait until the worker has told something."""
        await self._next.wait()

    async def speak(self, **asked: Any) -> None:
        """Have this device sign what the worker is asked to say, and wait until it stands in the log. Raises ``Refused``."""
        self._must_own()
        await self._speak(**asked)

    async def _speak(self, **asked: Any) -> None:
        """Have the worker sign a statement, and wait until it stands in the log. Raises ``Refused``."""
        if self.device is None:
            raise refused("peer_match.nobody_yet")
        async with self._speaking:
            answer = await self.ask_worker(**asked)
            while "wait" in answer:
                await self._next.wait()
                answer = await self.ask_worker(**asked)
            if "refused" in answer:
                raise Refused(Refusal(answer["refused"], answer["params"]))
            said: Hash = answer["said"]
            while said not in self._placed and said not in self._rejected:
                await self._next.wait()
            self._placed.discard(said)
            if said in self._rejected:  # it was right when it was made: somebody else was first
                raise refused("peer_match.overtaken")

    # ---- the worker ----

    async def ask_worker(self, **asked: Any) -> dict[str, Any]:
        """One call about this match, and its answer; what is new in it has been taken in."""
        assert self.device is not None
        async with self._turn:
            answer = await self.device.call(match=self.match.id, **asked)
            self._take(answer)
        return answer

    def _take(self, answer: dict[str, Any]) -> None:
        """Take in what is new in an answer of the worker's: it can be painted now, and is kept before anything is sent."""
        told = read_faces({"faces": answer.get("faces", {})})
        faces = Faces((card, face) for card, face in told.items() if card not in self.match.knowledge)
        self.match.learn(faces)
        lines = answer.get("entries", [])
        for number, (line, answers) in enumerate(zip(lines, answer.get("told", []), strict=True)):
            entry, read = Entry.from_json(line), read_answers(answers)
            events = follow(self.match, entry, read)
            self.persistence.add(row_of(entry, faces if number == len(lines) - 1 else Faces(), read))
            self._news.append((events, entry.index))
            self.side_channel.went_on(entry)
            if not prepares_next_hand(entry.statement):
                self.status.went_on()
            if entry.statement.author == self.author:
                self._placed.add(entry.statement.hash)
        self._saying = answer.get("saying", self._saying)
        self._out += [(to, text) for to, text in answer.get("out", [])]
        status = answer.get("status", {})
        self._rejected.update(said for said, _ in status.get("rejected", []))
        changed = self.status.hear(status)
        self._next.set()
        self._next = asyncio.Event()
        if changed:
            self.status_changed()
        if lines:
            self.at_once(self._keep_and_tell())
        elif self._out or self._unsaved:
            self.at_once(self._save())

    async def _keep_and_tell(self) -> None:
        """The others hear of it before this page is drawn, which takes longer than the disk – unless that is slow today, or
        nobody waits for a word of this device."""
        if not self._out:
            self.at_once(self._save())
            self._settled_if_new()
            return
        drawn_anyway = asyncio.get_running_loop().call_later(SEEN_ANYWAY, self._settled_if_new)
        try:
            await self._save()
        finally:
            drawn_anyway.cancel()
            self._settled_if_new()

    def _settled_if_new(self) -> None:
        if self._news:
            self.settled()

    async def _beat(self) -> None:
        loop = asyncio.get_event_loop()
        while True:
            await self.ask_worker(do="tick", now=loop.time())
            if self.status.look(loop.time()):
                self.status_changed()
            self.continuation.look(loop.time())
            self.rejoin.look(loop.time())
            await asyncio.sleep(BEAT)

    # ---- the others ----

    def _hear(self, sender: str, text: str) -> None:
        if text.startswith(SIDE_CHANNEL_MARK):
            self.side_channel.hear(sender, text)
        elif len(self._inbox) < MOST_WAITING:
            self._inbox.append([sender, text])
            if not self._hearing:
                self.at_once(self._pump())

    async def _pump(self) -> None:
        """Hand on what came in, all that waits in one call."""
        if self._hearing or self._beating is None:
            return
        self._hearing = True
        try:
            while self._inbox:
                texts, self._inbox = self._inbox, []
                await self.ask_worker(do="receive", texts=texts)
        finally:
            self._hearing = False

    def on_status(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener`` when something beside the match has changed: who is here, how far a deal is, what is asked.

        Returns what ends it. Tables need not be drawn for it.
        """
        self._watchers.append(listener)
        return lambda: self._watchers.remove(listener) if listener in self._watchers else None

    def status_changed(self) -> None:
        for listener in list(self._watchers):
            listener()

    def aside(self, to: str | None, text: str) -> None:
        """Say something to the other tables that is no part of the match."""
        if self.net is not None:
            self.net.send(to, MATCH, text)

    # ---- disk, and only then the others ----

    @property
    def _unsaved(self) -> bool:
        return (super()._unsaved or self._kept_saying is not self._saying
                or self._kept_unsigned != self.status.unsigned)

    async def _save(self) -> None:
        async with self.persistence.lock:
            out, self._out = self._out, []
            saying, unsigned = self._saying, self.status.unsigned
            if await self._write():
                self._kept_saying, self._kept_unsigned = saying, unsigned
            elif self.device is None or self.device.kept:  # told to nobody before it is kept
                self._out = out + self._out
                return
            if self.net is not None:
                for to, text in out:
                    self.net.send(to, MATCH, text)
