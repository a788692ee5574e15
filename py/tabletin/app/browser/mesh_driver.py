"""Carries out in the browser what a mesh asks for: connections, pieces, signatures, storage of what a reload must find.

It decides nothing: ``peers/net/mesh.py`` says what is to be done. The driver passes it to WebRTC, to the worker that holds
the key and to the browser's storage, and brings back the answers.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final, Protocol

from js import performance
from pyodide.ffi import JsException

from tabletin.app.browser.rtc_connection import RtcConnection
from tabletin.peers.net import effects
from tabletin.peers.net.code import BadCode, Description
from tabletin.peers.net.effects import Effect
from tabletin.peers.net.framing import LANE_COUNT
from tabletin.peers.net.link import LinkStage, Ticket
from tabletin.peers.net.mesh import Mesh
from tabletin.peers.net.mesh_state import MOST_NEIGHBOURS
from tabletin.peers.net.transport import Unreachable

TICK: Final = 0.5  # seconds

# Effects that need a description made or taken by the browser.
Describing = effects.Dial | effects.Reply | effects.Finish | effects.Extend | effects.Arm | effects.Redeem


class Signer(Protocol):
    """This device's key: ``app/browser/replica_worker.py``."""

    @property
    def author(self) -> str: ...

    async def sign(self, text: str) -> str: ...

    async def check(self, author: str, text: str, signature: str) -> bool: ...


class Publisher(Protocol):
    """Seals texts, and hands them to relays: ``app/browser/relays.py``."""

    def publish(self, text: str) -> None: ...


class MeshDriver:
    """``mesh``: None until this device is in a room. ``connections``: by link. ``relay``: None while none is used.

    ``on_text``: channel → who takes its texts. ``on_presence``: called with an author whose presence changed. ``storage``:
    web/storage/certificate.js.
    """

    def __init__(self, signer: Signer, servers: list[dict[str, str]], certificate: Any, can_redeem: bool, storage: Any) -> None:
        self.mesh: Mesh | None = None
        self.connections: dict[int, RtcConnection] = {}
        self.on_text: dict[str, Callable[[str, str], None]] = {}
        self.on_presence: list[Callable[[str], None]] = []
        self.fingerprint = next(bytes.fromhex(str(one.value).replace(":", ""))
                                for one in certificate.getFingerprints() if str(one.algorithm) == "sha-256")
        self.relay: Publisher | None = None
        self._signer = signer
        self._configuration = {"iceServers": servers, "certificates": [certificate]}
        self._can_redeem = can_redeem
        self._storage = storage
        self._expected: dict[int, asyncio.Future[str]] = {}  # the author to come, by link made by hand
        self._tickets: dict[str, list[list[str]]] = {}  # the neighbours of this room, and the ways back to them
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_performing = False

    # ---- commands ----

    def enter(self, room: str) -> Mesh:
        """The mesh of ``room``, or of the room that this device is in already."""
        if self.mesh is None:
            self.mesh = Mesh(self._signer.author, room, can_redeem=self._can_redeem)
            self.mesh.tick(float(performance.now()) / 1000)
            self.start(self._keep_ticking(self.mesh))
        return self.mesh

    async def return_to(self, room: str) -> None:
        """Be in a room where this device was before, with the tickets it has stored."""
        mesh = self.enter(room)
        self._tickets = json.loads(str(await self._storage.kept(f"room {room}") or "{}"))
        for author, tickets in self._tickets.items():
            mesh.expect(author, [Ticket(*ticket) for ticket in tickets])
        mesh.tick(float(performance.now()) / 1000)
        self.perform()

    def use_servers(self, servers: list[dict[str, str]]) -> None:
        """Connections that are made from now on use these servers."""
        self._configuration = {**self._configuration, "iceServers": servers}

    def expect_author(self, link: int) -> asyncio.Future[str]:
        """The author at the other end of a link made by hand, once it is authenticated. Fails with ``Unreachable``."""
        expected = self._expected[link] = asyncio.get_running_loop().create_future()
        return expected

    def end_link(self, link: int) -> None:
        """End a link that nobody needs, or whose connection is gone."""
        if self.mesh is not None:
            self.mesh.link_ended(link)
            self.perform()

    def connection(self, link: int) -> RtcConnection:
        """The connection of a link, made on first need."""
        found = self.connections.get(link)
        if found is None:
            mesh = self.mesh
            assert mesh is not None

            def find_way() -> None:
                mesh.way_found(link)
                self.perform()

            def open_link() -> None:
                mesh.link_opened(link, self.fingerprint, self.connections[link].their_fingerprint)
                self.perform()

            def receive(lane: int, piece: bytes) -> None:
                mesh.piece_received(link, lane, piece)
                self.perform()

            found = self.connections[link] = RtcConnection(
                self._configuration, on_way=find_way, on_open=open_link, on_piece=receive,
                on_space=lambda lane: self._flush(link, lane), on_end=lambda: self._connection_ended(link))
        return found

    def perform(self) -> None:
        """Carry out what the mesh asks for. To be called after each call of one of its methods."""
        mesh = self.mesh
        if self._is_performing or mesh is None:
            return
        self._is_performing = True
        try:
            while (effect := mesh.next_effect()) is not None:
                self._carry_out(mesh, effect)
        finally:
            self._is_performing = False

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run ``work`` beside everything else, until ``stop``."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """Cancel what was started, and call no listener any more."""
        for task in list(self._tasks):
            task.cancel()
        self.on_text.clear()
        self.on_presence.clear()

    def close_connections(self) -> None:
        for link in list(self.connections):
            self.end_link(link)

    # ---- effects ----

    def _carry_out(self, mesh: Mesh, effect: Effect) -> None:
        match effect:
            case effects.Flush(link):
                for lane in range(LANE_COUNT):
                    self._flush(link, lane)
            case effects.Deliver(author, channel, text):
                take = self.on_text.get(channel)
                if take is not None:
                    take(author, text)
            case effects.Notify(author):
                for listener in self.on_presence:
                    listener(author)
            case effects.Welcome(link, author):
                expected = self._expected.pop(link, None)
                if expected is not None and not expected.done():
                    expected.set_result(author)
            case effects.Close(link):
                connection = self.connections.pop(link, None)
                if connection is not None:
                    connection.close()
                expected = self._expected.pop(link, None)
                if expected is not None and not expected.done():
                    fail(expected, "closed")
            case effects.Publish(text):
                if self.relay is not None:
                    self.relay.publish(text)
            case effects.Sign(link, text):
                self.start(self._sign(mesh, link, text))
            case effects.Check(link, author, text, signature):
                self.start(self._check(mesh, link, author, text, signature))
            case effects.Keep(author, tickets):
                self._tickets.pop(author, None)
                self._tickets[author] = [[ticket.offer, ticket.user, ticket.password] for ticket in tickets]
                self._tickets = dict(list(self._tickets.items())[-MOST_NEIGHBOURS:])
                self.start(self._store(mesh, author, json.dumps(self._tickets)))
            case _:
                self.start(self._describe(mesh, effect))

    def _flush(self, link: int, lane: int) -> None:
        """Send pieces while the lane takes them."""
        connection = self.connections.get(link)
        while connection is not None and self.mesh is not None and connection.has_space(lane):
            piece = self.mesh.piece(link, lane)
            if piece is None:
                break
            connection.send(lane, piece)

    async def _sign(self, mesh: Mesh, link: int, text: str) -> None:
        mesh.signature_made(link, await self._signer.sign(text))
        self.perform()

    async def _check(self, mesh: Mesh, link: int, author: str, text: str, signature: str) -> None:
        mesh.signature_checked(link, await self._signer.check(author, text, signature))
        self.perform()

    async def _store(self, mesh: Mesh, author: str, text: str) -> None:
        with suppress(JsException):  # where nothing can be stored, a reloaded page needs a new code
            await self._storage.keep(f"room {mesh.state.room}", text)
            mesh.tickets_stored(author)
            self.perform()

    async def _describe(self, mesh: Mesh, effect: Describing) -> None:
        link = effect.link
        if link not in mesh.state.links:
            return
        connection, is_carried = self.connection(link), mesh.state.links[link].carrier is not None
        try:
            match effect:
                case effects.Dial(mend=mend):
                    mesh.description_made(link, (await connection.offer(mend=mend, in_parts=is_carried)).to_text())
                case effects.Reply(offer=offer):
                    answer = await connection.reply(Description.from_text(offer), in_parts=is_carried)
                    mesh.description_made(link, answer.to_text())
                case effects.Extend(description=description):
                    await connection.extend(Description.from_text(description))
                case effects.Finish(answer=answer):
                    await connection.finish(Description.from_text(answer))
                case effects.Arm(fingerprint=fingerprint):
                    ticket, other = await connection.arm(fingerprint)
                    mesh.ticket_made(link, ticket)
                    self.start(connection.hold_open(other, ends=True))
                case effects.Redeem(ticket=ticket):
                    await connection.redeem(ticket)
        except (BadCode, JsException):
            mesh.description_failed(link)
        self.perform()
        if is_carried and isinstance(effect, effects.Dial | effects.Reply):
            async for found in connection.further_addresses():
                mesh.addresses_found(link, found.to_text())
                self.perform()

    def _connection_ended(self, link: int) -> None:
        """The browser gave a connection up. One that never opened found no way, even if the browser knew at once."""
        found = self.mesh.state.links.get(link) if self.mesh is not None else None
        expected = self._expected.get(link)
        if found is not None and found.stage is LinkStage.CALLING and expected is not None and not expected.done():
            fail(expected, "no_path")
        self.end_link(link)

    async def _keep_ticking(self, mesh: Mesh) -> None:
        while True:
            await asyncio.sleep(TICK)
            mesh.tick(float(performance.now()) / 1000)
            self.perform()


def fail(expected: asyncio.Future[str], reason: str) -> None:
    """The author that is expected on a link does not come."""
    expected.set_exception(Unreachable(reason))
    expected.exception()  # it is no error if nobody waits for it
