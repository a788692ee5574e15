"""The links to other devices, in the browser: ``peers/net.py`` carried out by WebRTC, with no server of ours.

What to do is decided in ``peers/mesh.py``; here it is done: connections are made, invites handed out and taken back,
signatures asked of the worker that holds the key. Nothing here knows a room or a match.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import js
from js import Date as JsDate
from js import addEventListener, performance, removeEventListener
from pyodide.ffi import JsException, create_proxy
from pyscript import config, js_import

from tabletin.peers import links as act
from tabletin.peers.framing import LANE_COUNT
from tabletin.peers.invite import ROOM_BYTES, BadCode, Code, Description, Kind
from tabletin.peers.links import Effect, Ticket
from tabletin.peers.mesh import Mesh
from tabletin.peers.net import Blocked, Presence

from .peering import absolute
from .wirelink import Connection, redeems

if TYPE_CHECKING:
    from .gathering import Gathering

LIFE: Final = 3600  # seconds an invite is good for
SLACK: Final = 900  # seconds that a guest's clock may be wrong
FIND_A_WAY: Final = 25.0  # seconds for a connection once both descriptions are known
TICK: Final = 0.5
MOST_INVITES: Final = 12


class Peering(Protocol):
    """Who this device is: ``page/peering.py``."""

    @property
    def author(self) -> str: ...

    async def sign(self, text: str) -> str: ...

    async def check(self, author: str, text: str, signature: str) -> bool: ...


class Helpers(Protocol):
    """Servers that a player switched on; "" is none."""

    stun: str
    turn: str
    turn_user: str
    turn_password: str
    relay: bool
    relay_url: str  # "": trystero's own choice of public relays


async def open_net(peering: Peering, helpers: Helpers | None = None, room: str | None = None) -> Wire:
    """The links of this device in ``room``, to which it comes back by itself where it can; None: a room of its own, or that
    of the first invite answered.

    Raises ``Blocked`` where the browser knows no WebRTC.
    """
    if not hasattr(js, "RTCPeerConnection"):
        raise Blocked("no_webrtc")
    module, = await js_import(absolute(config["tabletin"]["modules"]["wire"]))
    wire = Wire(peering, helpers, await module.certificate(), await redeems(), module)
    if room is not None:
        await wire.come_back(room)
    return wire


def servers(helpers: Helpers | None) -> list[dict[str, str]]:
    """Whom to ask for a way through."""
    found: list[dict[str, str]] = []
    if helpers is not None and helpers.stun:
        found.append({"urls": helpers.stun})
    if helpers is not None and helpers.turn:
        found.append({"urls": helpers.turn, "username": helpers.turn_user, "credential": helpers.turn_password})
    return found


def clock() -> float:
    return float(JsDate.now()) / 1000


@dataclass
class Invite:
    """``Invitation``, on the host's side. ``state``: "open", "used", "expired"."""

    wire: Wire
    number: int
    link: int
    expires: int
    met: asyncio.Future[str]
    code: str = ""
    state: str = "open"

    async def accept(self, reply: str) -> str:
        return await self.wire.accept(reply)

    def cancel(self) -> None:
        if self.state == "open":
            self.state = "expired"
            self.wire.give_up(self.link)


@dataclass
class Answer:
    """``Answering``, on the guest's side."""

    wire: Wire
    link: int
    reply: str
    expires: int
    met: asyncio.Future[str]

    async def connected(self) -> str:
        return await self.wire.patient(self.link, self.met, max(self.expires - clock(), FIND_A_WAY))

    def cancel(self) -> None:
        self.wire.give_up(self.link)


class Wire:
    """``Net`` in the browser. ``room``: its id in hexadecimal, None until there is one."""

    def __init__(self, peering: Peering, helpers: Helpers | None, certificate: Any, redeems: bool, kept: Any) -> None:
        self._peering = peering
        self._helpers = helpers
        self._gathering: Gathering | None = None
        self._settings = {"iceServers": servers(helpers), "certificates": [certificate]}
        self._fingerprint = next(bytes.fromhex(str(found.value).replace(":", ""))
                                 for found in certificate.getFingerprints() if str(found.algorithm) == "sha-256")
        self._mesh: Mesh | None = None
        self._connections: dict[int, Connection] = {}
        self._waiting: dict[int, asyncio.Future[str]] = {}
        self._invites: dict[int, Invite] = {}
        self._answered: set[tuple[bytes, int]] = set()
        self._heard: dict[str, Callable[[str, str], None]] = {}
        self._changed: list[Callable[[str], None]] = []
        self._redeems = redeems
        self._kept = kept  # web/wire.js
        self._tickets: dict[str, list[list[str]]] = {}  # whom this room has met, and the ways back to them
        self._tasks: set[asyncio.Task[None]] = set()
        self._performing = False
        self._closed = False
        self._hidden = create_proxy(self._page_hidden)
        addEventListener("pagehide", self._hidden)

    @property
    def author(self) -> str:
        return self._peering.author

    @property
    def room(self) -> str | None:
        return self._mesh.room if self._mesh is not None else None

    def _enter(self, room: str) -> Mesh:
        if self._mesh is None:
            self._mesh = Mesh(self.author, room, redeems=self._redeems)
            self._mesh.tick(float(performance.now()) / 1000)
            self._start(self._ticking())
        return self._mesh

    @property
    def troubles(self) -> dict[str, int]:
        """What came in and was wrong, counted by reason."""
        return dict(self._mesh.troubles) if self._mesh is not None else {}

    async def come_back(self, room: str) -> None:
        """Be in a room where this device was before."""
        mesh = self._enter(room)
        self._tickets = json.loads(str(await self._kept.kept(f"room {room}") or "{}"))
        for author, tickets in self._tickets.items():
            mesh.expect(author, [Ticket(*ticket) for ticket in tickets])
        mesh.tick(float(performance.now()) / 1000)
        self._perform()

    # ---- Net ----

    def presence(self, author: str) -> Presence:
        return self._mesh.presence(author) if self._mesh is not None else Presence.UNKNOWN

    def connected(self) -> tuple[str, ...]:
        return self._mesh.connected() if self._mesh is not None else ()

    def lost(self) -> tuple[str, ...]:
        return self._mesh.lost() if self._mesh is not None else ()

    def returns(self, author: str) -> bool:
        return self._mesh is not None and self._mesh.returns(author)

    def send(self, to: str | None, channel: str, text: str) -> None:
        if self._mesh is not None:
            self._mesh.send(to, channel, text)
            self._perform()

    def on_text(self, channel: str, heard: Callable[[str, str], None]) -> None:
        self._heard[channel] = heard

    def on_presence(self, heard: Callable[[str], None]) -> None:
        self._changed.append(heard)

    def admit(self, author: str) -> None:
        if self._mesh is not None:
            self._mesh.admit(author)

    def refuse(self, author: str) -> None:
        if self._mesh is not None:
            self._mesh.refuse(author)
            self._perform()

    def close(self) -> None:
        """Say goodbye and close everything, for good."""
        if self._closed:
            return
        self._goodbye()
        self._closed = True
        removeEventListener("pagehide", self._hidden)
        self._hidden.destroy()
        for task in list(self._tasks):
            task.cancel()
        if self._gathering is not None:
            asyncio.ensure_future(self.scatter())  # noqa: RUF006 – nothing waits for it
        for link in list(self._connections):
            self.give_up(link)

    def _goodbye(self) -> None:
        if self._mesh is not None and not self._closed:
            self._mesh.bye()
            self._perform()

    def _page_hidden(self, event: Any) -> None:
        self._goodbye()

    # ---- invites ----

    async def invite(self) -> Invite:
        mesh = self._enter(secrets.token_hex(ROOM_BYTES))
        for invite in self._invites.values():
            if invite.state == "open" and invite.expires < clock():
                invite.cancel()
        if sum(invite.state == "open" for invite in self._invites.values()) >= MOST_INVITES:
            next(invite for invite in self._invites.values() if invite.state == "open").cancel()
        number = secrets.randbelow(1 << 16)
        while number in self._invites:
            number = secrets.randbelow(1 << 16)
        link = mesh.link()
        invite = Invite(self, number, link, int(clock() + LIFE) // 60 * 60, self._wait(link))
        description = await self._by_hand(invite.link, self._connection(invite.link).offer())
        invite.code = Code(Kind.INVITE, bytes.fromhex(mesh.room), number, invite.expires, description).to_text()
        self._invites[number] = invite
        return invite

    async def accept(self, reply: str) -> str:
        """Take a reply to any open invite of this device."""
        code = Code.from_text(reply)
        if code.kind is not Kind.REPLY:
            raise BadCode("kind")
        invite = self._invites.get(code.number)
        if invite is None or code.room.hex() != self.room:
            raise BadCode("of_another")
        if invite.state != "open":
            raise BadCode(invite.state)
        if invite.expires + SLACK < clock():
            invite.cancel()
            raise BadCode("expired")
        invite.state = "used"
        try:
            await self._connections[invite.link].finish(code.description)
        except JsException as error:
            self.give_up(invite.link)
            raise BadCode("form") from error
        return await self.patient(invite.link, invite.met, FIND_A_WAY)

    async def answer(self, invite: str) -> Answer:
        code = Code.from_text(invite)
        if code.kind is not Kind.INVITE:
            raise BadCode("kind")
        if code.expires + SLACK < clock():
            raise BadCode("expired")
        if code.description.fingerprint == self._fingerprint:
            raise BadCode("own")
        if self.room not in (None, code.room.hex()):
            raise BadCode("of_another")
        if (code.room, code.number) in self._answered:
            raise BadCode("used")
        mesh = self._enter(code.room.hex())
        link = mesh.link(newcomer=True)
        met = self._wait(link)
        description = await self._by_hand(link, self._connection(link).reply(code.description))
        self._answered.add((code.room, code.number))
        reply = Code(Kind.REPLY, code.room, code.number, code.expires, description).to_text()
        return Answer(self, link, reply, code.expires, met)

    async def _by_hand(self, link: int, describing: Coroutine[Any, Any, Description]) -> Description:
        """A description that goes as a code."""
        try:
            found = await describing
        except JsException as error:
            self.give_up(link)
            raise BadCode("form") from error
        if not found.candidates:
            self.give_up(link)
            raise Blocked("no_candidate")
        return found

    async def patient(self, link: int, met: asyncio.Future[str], seconds: float) -> str:
        """The author at the other end of a link once it is authenticated. Raises ``Blocked``."""
        try:
            return await asyncio.wait_for(asyncio.shield(met), seconds)
        except asyncio.CancelledError:
            met.cancel()  # nobody waits for it any more
            raise
        except TimeoutError as error:
            met.cancel()
            self.give_up(link)
            raise Blocked("no_path") from error

    def give_up(self, link: int) -> None:
        """End a link that nobody needs, or that is gone."""
        if self._mesh is not None:
            self._mesh.end(link)
            self._perform()

    def _wait(self, link: int) -> asyncio.Future[str]:
        """Who is met on a link made by hand."""
        waiting = self._waiting[link] = asyncio.get_running_loop().create_future()
        return waiting

    # ---- by name, through relays ----

    async def gather(self, name: str = "") -> None:
        """Find others who use the same name, through the relays that the player switched on; they come by ``on_presence``.

        "": those of this room who were lost. Does nothing where relays are off. Raises ``Blocked`` if this device is in
        another room already.
        """
        if self._helpers is None or not self._helpers.relay:
            return
        from .gathering import Gathering, room_of
        if name and self._enter(room_of(name)).room != room_of(name):
            raise Blocked("closed")
        if self._mesh is not None and self._gathering is None:
            urls = [self._helpers.relay_url] if self._helpers.relay_url else []
            self._gathering = Gathering(self, name or f"room {self._mesh.room}", urls, servers(self._helpers))
            await self._gathering.begin()

    async def scatter(self) -> None:
        """Look for nobody any more."""
        gathering, self._gathering = self._gathering, None
        if gathering is not None:
            await gathering.leave()

    # ---- connections ----

    def _connection(self, link: int) -> Connection:
        """The connection of a link, made on first need."""
        found = self._connections.get(link)
        if found is None:
            mesh = self._mesh
            assert mesh is not None

            def opened() -> None:
                mesh.opened(link, self._fingerprint, self._connections[link].theirs)
                self._perform()

            def heard(lane: int, piece: bytes) -> None:
                mesh.received(link, lane, piece)
                self._perform()

            found = self._connections[link] = Connection(
                self._settings, opened=opened, heard=heard, free=lambda lane: self._flush(link, lane),
                ended=lambda: self.give_up(link))
        return found

    def _flush(self, link: int, lane: int) -> None:
        """Send pieces while the lane takes them."""
        connection = self._connections.get(link)
        while connection is not None and self._mesh is not None and connection.room(lane):
            piece = self._mesh.piece(link, lane)
            if piece is None:
                break
            connection.send(lane, piece)

    def _perform(self) -> None:
        """Do what the mesh wants done."""
        mesh = self._mesh
        if self._performing or mesh is None:
            return
        self._performing = True
        try:
            while mesh.effects:
                effects, mesh.effects = mesh.effects, []
                for effect in effects:
                    self._do(mesh, effect)
        finally:
            self._performing = False

    def _do(self, mesh: Mesh, effect: Effect) -> None:
        match effect:
            case act.Flush(link):
                for lane in range(LANE_COUNT):
                    self._flush(link, lane)
            case act.Heard(author, channel, text):
                heard = self._heard.get(channel)
                if heard is not None:
                    heard(author, text)
            case act.Changed(author):
                for heard_of in self._changed:
                    heard_of(author)
            case act.Met(link, author):
                waiting = self._waiting.pop(link, None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(author)
            case act.Close(link):
                connection = self._connections.pop(link, None)
                if connection is not None:
                    connection.close()
                waiting = self._waiting.pop(link, None)
                if waiting is not None and not waiting.done():
                    waiting.set_exception(Blocked("closed"))
                    waiting.exception()  # nobody must be waiting
            case act.Sign(link, text):
                self._start(self._sign(mesh, link, text))
            case act.Check(link, author, text, signature):
                self._start(self._check(mesh, link, author, text, signature))
            case act.Dial() | act.Reply() | act.Finish() | act.Arm() | act.Redeem():
                self._start(self._describe(mesh, effect))
            case act.Keep(author, tickets):
                self._tickets[author] = [[ticket.offer, ticket.user, ticket.password] for ticket in tickets]
                self._start(self._keep(mesh, author, json.dumps(self._tickets)))

    async def _sign(self, mesh: Mesh, link: int, text: str) -> None:
        mesh.signed(link, await self._peering.sign(text))
        self._perform()

    async def _check(self, mesh: Mesh, link: int, author: str, text: str, signature: str) -> None:
        mesh.checked(link, await self._peering.check(author, text, signature))
        self._perform()

    async def _keep(self, mesh: Mesh, author: str, text: str) -> None:
        with suppress(JsException):  # where nothing can be stored, a reloaded page needs a fresh code
            await self._kept.keep(f"room {mesh.room}", text)
            mesh.kept(author)
            self._perform()

    async def _describe(self, mesh: Mesh, effect: act.Dial | act.Reply | act.Finish | act.Arm | act.Redeem) -> None:
        link = effect.link
        if link not in mesh.links:
            return
        connection = self._connection(link)
        try:
            match effect:
                case act.Dial(mend=mend):
                    mesh.described(link, (await connection.offer(mend=mend)).to_text())
                case act.Reply(offer=offer):
                    mesh.described(link, (await connection.reply(Description.from_text(offer))).to_text())
                case act.Finish(answer=answer):
                    await connection.finish(Description.from_text(answer))
                case act.Arm(fingerprint=fingerprint):
                    mesh.armed(link, await connection.arm(fingerprint))
                case act.Redeem(ticket=ticket):
                    await connection.redeem(ticket)
        except (BadCode, JsException):
            mesh.troubles["description"] += 1
            mesh.end(link)
        self._perform()

    async def _ticking(self) -> None:
        mesh = self._mesh
        while mesh is not None:
            await asyncio.sleep(TICK)
            mesh.tick(float(performance.now()) / 1000)
            self._perform()
            if mesh.lost():
                await self.gather()  # the last way back, where it is switched on

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
