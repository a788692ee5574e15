"""The links of this device in the browser: ``peers/net/transport.py`` by WebRTC, without a server of this site.

Invites are made and accepted here; ``mesh_driver.py`` does everything else for the mesh. Nothing here knows a room of friends
or a match.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from js import Date as JsDate
from js import addEventListener, removeEventListener
from pyodide.ffi import JsException, create_proxy
from pyscript import config, js_import

from tabletin.app.browser.abilities import can_connect
from tabletin.app.browser.ice_servers import IceAddresses, usable
from tabletin.app.browser.mesh_driver import MeshDriver, Signer
from tabletin.app.browser.relays import Relays
from tabletin.app.browser.rtc_connection import can_redeem
from tabletin.app.browser.workers import absolute
from tabletin.peers.net.code import ROOM_BYTES, BadCode, Code, Description, Kind
from tabletin.peers.net.diagnosis import Findings, reason_of_pairs
from tabletin.peers.net.rendezvous import Rendezvous
from tabletin.peers.net.transport import Presence, Unreachable

LIFE: Final = 3600  # seconds an invite is good for
SLACK: Final = 900  # seconds that a guest's clock may be wrong
FIND_A_WAY: Final = 25.0  # seconds for a connection once both descriptions are known …
SLOW_WAY: Final = 65.0  # … and more where the browser has not given up then: devices can be slow
LOOK_EVERY: Final = 1.0
FAREWELL: Final = 0.3  # seconds for a goodbye to get through before connections are closed
MOST_INVITES: Final = 12


async def open_transport(signer: Signer, servers: IceAddresses | None = None, room: str | None = None) -> WebRtcTransport:
    """The links of this device in ``room``, to which it returns by itself where it can.

    None: a new room, or that of the first invite answered. Raises ``Unreachable`` where the browser knows no WebRTC, or no locks
    between tabs: two tabs would sign with one key, and contradict each other.
    """
    if not can_connect():
        raise Unreachable("no_webrtc")
    storage, = await js_import(absolute(config["tabletin"]["modules"]["certificate"]))
    transport = WebRtcTransport(signer, servers, await storage.certificate(), await can_redeem(), storage)
    if room is not None:
        await transport.driver.return_to(room)
    return transport


def clock() -> float:
    return float(JsDate.now()) / 1000


@dataclass
class Invite:
    """``Invitation``, on the host's side. ``state``: "open", "used", "expired"."""

    transport: WebRtcTransport
    number: int
    link: int
    expires: int
    guest: asyncio.Future[str]
    code: str = ""
    state: str = "open"

    async def accept(self, reply: str) -> str:
        return await self.transport.accept(reply)

    def cancel(self) -> None:
        if self.state == "open":
            self.state = "expired"
            self.transport.driver.end_link(self.link)


@dataclass
class WebRtcInviteReply:
    """``InviteReply``, on the guest's side."""

    transport: WebRtcTransport
    link: int
    reply: str
    expires: int
    host: asyncio.Future[str]

    async def wait_connected(self) -> str:
        return await self.transport.wait_for(self.link, self.host, max(self.expires - clock(), FIND_A_WAY))

    def cancel(self) -> None:
        self.transport.driver.end_link(self.link)


class WebRtcTransport:
    """``Transport`` in the browser. ``driver``: carries out what the mesh asks for."""

    def __init__(self, signer: Signer, servers: IceAddresses | None, certificate: Any, can_redeem: bool, storage: Any) -> None:
        self.driver = MeshDriver(signer, usable(servers), certificate, can_redeem, storage)
        self._signer = signer
        self._has_stun, self._has_turn = (bool(servers.stun), bool(servers.turn)) if servers is not None else (False, False)
        self._relays: Relays | None = None
        self._met_at = 0.0  # when it began to use relays
        self._invites: dict[int, Invite] = {}
        self._answered: set[tuple[bytes, int]] = set()
        self._is_closed = False
        self._page_listeners = {"pagehide": create_proxy(lambda event: self._say_goodbye()),
                                "online": create_proxy(lambda event: self._network_changed())}
        for name, proxy in self._page_listeners.items():
            addEventListener(name, proxy)

    @property
    def author(self) -> str:
        return self._signer.author

    @property
    def room(self) -> str | None:
        """The room's id in hexadecimal, None until there is one."""
        return self.driver.mesh.state.room if self.driver.mesh is not None else None

    @property
    def troubles(self) -> dict[str, int]:
        """What came in and was wrong, counted by reason."""
        return dict(self.driver.mesh.state.troubles) if self.driver.mesh is not None else {}

    # ---- Transport ----

    def presence(self, author: str) -> Presence:
        return self.driver.mesh.presence(author) if self.driver.mesh is not None else Presence.UNKNOWN

    def connected_authors(self) -> tuple[str, ...]:
        return self.driver.mesh.connected_authors() if self.driver.mesh is not None else ()

    def lost_authors(self) -> tuple[str, ...]:
        return self.driver.mesh.lost_authors() if self.driver.mesh is not None else ()

    def returns(self, author: str) -> bool:
        return self.driver.mesh is not None and self.driver.mesh.can_return(author)

    def send(self, to: str | None, channel: str, text: str) -> None:
        if self.driver.mesh is not None:
            self.driver.mesh.send(to, channel, text)
            self.driver.perform()

    def on_text(self, channel: str, listener: Callable[[str, str], None]) -> None:
        self.driver.on_text[channel] = listener

    def off_text(self, channel: str, listener: Callable[[str, str], None]) -> None:
        if self.driver.on_text.get(channel) == listener:
            del self.driver.on_text[channel]

    def on_presence(self, listener: Callable[[str], None]) -> None:
        self.driver.on_presence.append(listener)

    def admit(self, author: str) -> None:
        if self.driver.mesh is not None:
            self.driver.mesh.admit(author)

    def retain(self, authors: Collection[str]) -> None:
        if self.driver.mesh is not None:
            self.driver.mesh.retain(authors)

    def refuse(self, author: str) -> None:
        if self.driver.mesh is not None:
            self.driver.mesh.refuse(author)
            self.driver.perform()

    def close(self) -> None:
        """Say goodbye and close everything, for good."""
        if self._is_closed:
            return
        self._say_goodbye()
        self._is_closed = True
        for name, proxy in self._page_listeners.items():
            removeEventListener(name, proxy)
            proxy.destroy()
        self.driver.stop()
        self.driver.start(self._close_connections())

    async def _close_connections(self) -> None:
        self.leave_relays()
        await asyncio.sleep(FAREWELL)
        self.driver.close_connections()

    def _say_goodbye(self) -> None:
        if self.driver.mesh is not None and not self._is_closed:
            self.driver.mesh.leave()
            self.driver.perform()

    def _network_changed(self) -> None:
        if self._relays is not None:
            self._relays.renew()
        if self.driver.mesh is not None:
            self.driver.mesh.network_changed()
            self.driver.perform()

    # ---- invites ----

    async def invite(self) -> Invite:
        mesh = self.driver.enter(secrets.token_hex(ROOM_BYTES))
        for invite in self._invites.values():
            if invite.state == "open" and invite.expires < clock():
                invite.cancel()
        if sum(invite.state == "open" for invite in self._invites.values()) >= MOST_INVITES:
            next(invite for invite in self._invites.values() if invite.state == "open").cancel()
        number = secrets.randbelow(1 << 16)
        while number in self._invites:
            number = secrets.randbelow(1 << 16)
        link = mesh.make_link()
        invite = Invite(self, number, link, int(clock() + LIFE) // 60 * 60, self.driver.expect_author(link))
        description = await self._describe(link, self.driver.connection(link).offer())
        room = bytes.fromhex(mesh.state.room)
        invite.code = Code(Kind.INVITE, room, number, invite.expires, description).to_text()
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
            await self.driver.connections[invite.link].finish(code.description)
        except JsException as error:
            self.driver.end_link(invite.link)
            raise BadCode("form") from error
        try:
            return await self.wait_for(invite.link, invite.guest, FIND_A_WAY)
        except Unreachable as error:
            if error.reason != "no_path":
                raise
            own, theirs = (frozenset(one.kind for one in each.description.candidates)
                           for each in (Code.from_text(invite.code), code))
            found = Findings(FIND_A_WAY, own=own, theirs=theirs, has_stun=self._has_stun, has_turn=self._has_turn)
            raise Unreachable("no_path", reason_of_pairs(found)) from error

    async def answer(self, invite: str) -> WebRtcInviteReply:
        code = Code.from_text(invite)
        if code.kind is not Kind.INVITE:
            raise BadCode("kind")
        if code.expires + SLACK < clock():
            raise BadCode("expired")
        if code.description.fingerprint == self.driver.fingerprint:
            raise BadCode("own")
        if self.room not in (None, code.room.hex()):
            raise BadCode("of_another")
        if (code.room, code.number) in self._answered:
            raise BadCode("used")
        mesh = self.driver.enter(code.room.hex())
        link = mesh.make_link(newcomer=True)
        host = self.driver.expect_author(link)
        description = await self._describe(link, self.driver.connection(link).reply(code.description))
        self._answered.add((code.room, code.number))
        self.driver.start(self.driver.connection(link).hold_open(code.description))
        reply = Code(Kind.REPLY, code.room, code.number, code.expires, description).to_text()
        return WebRtcInviteReply(self, link, reply, code.expires, host)

    async def _describe(self, link: int, describing: Coroutine[Any, Any, Description]) -> Description:
        """A description for a code. Raises ``BadCode``, ``Unreachable``."""
        try:
            found = await describing
        except JsException as error:
            self.driver.end_link(link)
            raise BadCode("form") from error
        if not found.candidates:
            self.driver.end_link(link)
            raise Unreachable("no_candidate")
        return found

    async def wait_for(self, link: int, author: asyncio.Future[str], seconds: float) -> str:
        """The author at the other end of a link once it is authenticated. Raises ``Unreachable``."""
        try:
            with suppress(TimeoutError):
                return await asyncio.wait_for(asyncio.shield(author), seconds)
            return await self._wait_on(link, author)
        except asyncio.CancelledError:
            author.cancel()  # nobody waits for it any more
            raise
        except TimeoutError as error:
            author.cancel()
            self.driver.end_link(link)
            raise Unreachable("no_path") from error

    async def _wait_on(self, link: int, author: asyncio.Future[str]) -> str:
        """The same while the browser still looks for a way, or has found one."""
        for _ in range(int(SLOW_WAY / LOOK_EVERY)):
            connection = self.driver.connections.get(link)
            if connection is None or not connection.seeks_way:
                break
            with suppress(TimeoutError):
                return await asyncio.wait_for(asyncio.shield(author), LOOK_EVERY)
        raise TimeoutError

    # ---- through relays ----

    def use_servers(self, servers: IceAddresses) -> None:
        """Connections that are made from now on use these STUN and TURN servers."""
        self.driver.use_servers(usable(servers))
        self._has_stun, self._has_turn = bool(servers.stun), bool(servers.turn)

    async def meet(self, rendezvous: Rendezvous, relays: Sequence[str], *, seeks: bool) -> None:
        """Be found through ``relays`` by all who hold the link of ``rendezvous``; ``seeks``: look for anybody, as a guest does.

        Raises ``Unreachable`` if this device is in another room already.
        """
        mesh = self.driver.enter(rendezvous.room)
        if mesh.state.room != rendezvous.room:
            raise Unreachable("closed")
        if self._relays is not None and (self._relays.rendezvous, self._relays.urls) == (rendezvous, tuple(relays)):
            return
        self.leave_relays()

        def take(text: str) -> None:
            mesh.relay_received(text)
            self.driver.perform()

        def count() -> None:
            if made.open:
                mesh.use_relays(seeks=seeks)
            else:
                mesh.leave_relays()
            self.driver.perform()

        self._met_at = clock()
        made = self._relays = self.driver.relay = Relays(rendezvous, relays, take, count)
        with suppress(JsException):  # where no relay can be had, a code does it
            await made.begin()

    def leave_relays(self) -> None:
        """Use no relay any more. Links that were made stay."""
        if self._relays is not None:
            self._relays.close()
        self._relays = self.driver.relay = None
        if self.driver.mesh is not None:
            self.driver.mesh.leave_relays()

    def findings(self, author: str = "") -> Findings:
        """What was found while this device looks for others, or for the one whose author begins so."""
        found = self.driver.mesh.findings(author) if self.driver.mesh is not None else Findings(0.0)
        relays = self._relays
        return replace(found, waiting_time=clock() - self._met_at, relays=len(relays.urls) if relays is not None else 0,
                       relays_open=relays.open if relays is not None else 0, has_stun=self._has_stun, has_turn=self._has_turn)
