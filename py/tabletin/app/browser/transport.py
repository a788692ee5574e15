"""The links to other devices, in the browser: ``peers/net.py`` carried out by WebRTC, with no server of ours.

Invites are handed out and taken back here; what the mesh (``peers/mesh.py``) decides is done in ``carrying.py``. Nothing
here knows a room or a match.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import js
from js import Date as JsDate
from js import addEventListener, performance, removeEventListener
from pyodide.ffi import JsException, create_proxy
from pyscript import config, js_import

from tabletin.app.browser.ice_servers import Helpers, servers
from tabletin.app.browser.mesh_driver import MeshDriver, Peering
from tabletin.app.browser.rtc_connection import redeems
from tabletin.app.browser.workers import absolute
from tabletin.peers.net.code import ROOM_BYTES, BadCode, Code, Description, Kind
from tabletin.peers.net.link import Ticket
from tabletin.peers.net.mesh import Mesh
from tabletin.peers.net.transport import Presence, Unreachable

if TYPE_CHECKING:
    from tabletin.app.browser.relay_rendezvous import RelayRendezvous

LIFE: Final = 3600  # seconds an invite is good for
SLACK: Final = 900  # seconds that a guest's clock may be wrong
FIND_A_WAY: Final = 25.0  # seconds for a connection once both descriptions are known
FAREWELL: Final = 0.3  # seconds for a goodbye to get through before connections are closed
MOST_INVITES: Final = 12


async def open_transport(peering: Peering, helpers: Helpers | None = None, room: str | None = None) -> WebRtcTransport:
    """The links of this device in ``room``, to which it comes back by itself where it can; None: a room of its own, or that
    of the first invite answered.

    Raises ``Blocked`` where the browser knows no WebRTC.
    """
    if not hasattr(js, "RTCPeerConnection"):
        raise Unreachable("no_webrtc")
    module, = await js_import(absolute(config["tabletin"]["modules"]["certificate"]))
    wire = WebRtcTransport(peering, helpers, await module.certificate(), await redeems(), module)
    if room is not None:
        await wire.come_back(room)
    return wire


def clock() -> float:
    return float(JsDate.now()) / 1000


@dataclass
class Invite:
    """``Invitation``, on the host's side. ``state``: "open", "used", "expired"."""

    wire: WebRtcTransport
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

    wire: WebRtcTransport
    link: int
    reply: str
    expires: int
    met: asyncio.Future[str]

    async def connected(self) -> str:
        return await self.wire.patient(self.link, self.met, max(self.expires - clock(), FIND_A_WAY))

    def cancel(self) -> None:
        self.wire.give_up(self.link)


class WebRtcTransport(MeshDriver):
    """``Net`` in the browser. ``room``: its id in hexadecimal, None until there is one."""

    def __init__(self, peering: Peering, helpers: Helpers | None, certificate: Any, redeems: bool, kept: Any) -> None:
        super().__init__(peering, servers(helpers), certificate, redeems, kept)
        self._helpers = helpers
        self._gathering: RelayRendezvous | None = None
        self._seeking = False  # gathering to find somebody who was lost
        self._invites: dict[int, Invite] = {}
        self._answered: set[tuple[bytes, int]] = set()
        self._closed = False
        self._listening = {"pagehide": create_proxy(lambda event: self._goodbye()),
                           "online": create_proxy(lambda event: self._network_changed())}
        for name, proxy in self._listening.items():
            addEventListener(name, proxy)

    @property
    def author(self) -> str:
        return self._peering.author

    @property
    def room(self) -> str | None:
        return self._mesh.state.room if self._mesh is not None else None

    @property
    def troubles(self) -> dict[str, int]:
        """What came in and was wrong, counted by reason."""
        return dict(self._mesh.state.troubles) if self._mesh is not None else {}

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
        return self._mesh is not None and self._mesh.can_return(author)

    def send(self, to: str | None, channel: str, text: str) -> None:
        if self._mesh is not None:
            self._mesh.send(to, channel, text)
            self._perform()

    def on_text(self, channel: str, heard: Callable[[str, str], None]) -> None:
        self._heard[channel] = heard

    def off_text(self, channel: str, heard: Callable[[str, str], None]) -> None:
        if self._heard.get(channel) == heard:
            del self._heard[channel]

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
        for name, proxy in self._listening.items():
            removeEventListener(name, proxy)
            proxy.destroy()
        for task in list(self._tasks):
            task.cancel()
        self._heard.clear()
        self._changed.clear()
        self._start(self._end())

    async def _end(self) -> None:
        await self.scatter()
        await asyncio.sleep(FAREWELL)
        for link in list(self._connections):
            self.give_up(link)

    def _goodbye(self) -> None:
        if self._mesh is not None and not self._closed:
            self._mesh.leave()
            self._perform()

    def _network_changed(self) -> None:
        if self._mesh is not None:
            self._mesh.network_changed()
            self._perform()

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
        link = mesh.make_link()
        invite = Invite(self, number, link, int(clock() + LIFE) // 60 * 60, self._wait(link))
        description = await self._by_hand(invite.link, self._connection(invite.link).offer())
        invite.code = Code(Kind.INVITE, bytes.fromhex(mesh.state.room), number, invite.expires, description).to_text()
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
        link = mesh.make_link(newcomer=True)
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
            raise Unreachable("no_candidate")
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
            raise Unreachable("no_path") from error

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
        from tabletin.app.browser.relay_rendezvous import RelayRendezvous, room_of
        if name and self._enter(room_of(name)).state.room != room_of(name):
            raise Unreachable("closed")
        if self._mesh is not None and self._gathering is None:
            urls = [self._helpers.relay_url] if self._helpers.relay_url else []
            self._gathering = RelayRendezvous(self, name or f"room {self._mesh.state.room}", urls, servers(self._helpers))
            await self._gathering.begin()

    def _ticked(self, mesh: Mesh) -> None:
        """The last way back, where it is switched on: look for who is lost until nobody is."""
        if bool(mesh.lost()) is not self._seeking and not self._closed and self._helpers is not None and self._helpers.relay:
            self._seeking = not self._seeking
            self._start(self._seek(self._seeking))

    async def _seek(self, looking: bool) -> None:
        with suppress(JsException):  # no relay to be had: a fresh code does it
            await (self.gather() if looking else self.scatter())

    async def scatter(self) -> None:
        """Look for nobody any more."""
        gathering, self._gathering = self._gathering, None
        if gathering is not None:
            await gathering.leave()
