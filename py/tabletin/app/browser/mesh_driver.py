"""What a mesh wants done, done in the browser: connections, pieces, signatures, what must be found again after a reload.

The half of a ``Wire`` that decides nothing: ``peers/mesh.py`` says what, this says it to WebRTC, to the worker that holds the
key and to the browser's storage, and brings back what came of it.
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
from tabletin.peers.net import effects as act
from tabletin.peers.net.code import BadCode, Description
from tabletin.peers.net.effects import Effect
from tabletin.peers.net.framing import LANE_COUNT
from tabletin.peers.net.link import Stage
from tabletin.peers.net.mesh import Mesh
from tabletin.peers.net.transport import Unreachable

TICK: Final = 0.5  # seconds


class Peering(Protocol):
    """Who this device is: ``page/peering.py``."""

    @property
    def author(self) -> str: ...

    async def sign(self, text: str) -> str: ...

    async def check(self, author: str, text: str, signature: str) -> bool: ...


class MeshDriver:
    """A mesh (None until there is a room) and its connections. ``kept``: web/storage/certificate.js."""

    def __init__(self, peering: Peering, servers: list[dict[str, str]], certificate: Any, redeems: bool, kept: Any) -> None:
        self._peering = peering
        self._settings = {"iceServers": servers, "certificates": [certificate]}
        self._fingerprint = next(bytes.fromhex(str(found.value).replace(":", ""))
                                 for found in certificate.getFingerprints() if str(found.algorithm) == "sha-256")
        self._redeems = redeems
        self._kept = kept
        self._mesh: Mesh | None = None
        self._connections: dict[int, RtcConnection] = {}
        self._waiting: dict[int, asyncio.Future[str]] = {}  # who is met on a link made by hand
        self._heard: dict[str, Callable[[str, str], None]] = {}
        self._changed: list[Callable[[str], None]] = []
        self._tickets: dict[str, list[list[str]]] = {}  # whom this room has met, and the ways back to them
        self._tasks: set[asyncio.Task[None]] = set()
        self._performing = False

    def _enter(self, room: str) -> Mesh:
        """Be in ``room``, if in none yet."""
        if self._mesh is None:
            self._mesh = Mesh(self._peering.author, room, can_redeem=self._redeems)
            self._mesh.tick(float(performance.now()) / 1000)
            self._start(self._ticking())
        return self._mesh

    def give_up(self, link: int) -> None:
        """End a link that nobody needs, or that is gone."""
        if self._mesh is not None:
            self._mesh.link_ended(link)
            self._perform()

    def _connection(self, link: int) -> RtcConnection:
        """The connection of a link, made on first need."""
        found = self._connections.get(link)
        if found is None:
            mesh = self._mesh
            assert mesh is not None

            def opened() -> None:
                mesh.link_opened(link, self._fingerprint, self._connections[link].theirs)
                self._perform()

            def heard(lane: int, piece: bytes) -> None:
                mesh.piece_received(link, lane, piece)
                self._perform()

            found = self._connections[link] = RtcConnection(
                self._settings, opened=opened, heard=heard, free=lambda lane: self._flush(link, lane),
                ended=lambda: self._ended(link))
        return found

    def _ended(self, link: int) -> None:
        """The browser gave a connection up: one that never opened found no way, however soon the browser knew."""
        found = self._mesh.state.links.get(link) if self._mesh is not None else None
        waiting = self._waiting.get(link)
        if found is not None and found.stage is Stage.CALLING and waiting is not None and not waiting.done():
            self._no_way(waiting, "no_path")
        self.give_up(link)

    @staticmethod
    def _no_way(waiting: asyncio.Future[str], why: str) -> None:
        waiting.set_exception(Unreachable(why))
        waiting.exception()  # nobody must be waiting

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
            while (effect := mesh.next_effect()) is not None:
                self._do(mesh, effect)
        finally:
            self._performing = False

    def _do(self, mesh: Mesh, effect: Effect) -> None:
        match effect:
            case act.Flush(link):
                for lane in range(LANE_COUNT):
                    self._flush(link, lane)
            case act.Deliver(author, channel, text):
                heard = self._heard.get(channel)
                if heard is not None:
                    heard(author, text)
            case act.Notify(author):
                for heard_of in self._changed:
                    heard_of(author)
            case act.Welcome(link, author):
                waiting = self._waiting.pop(link, None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(author)
            case act.Close(link):
                connection = self._connections.pop(link, None)
                if connection is not None:
                    connection.close()
                waiting = self._waiting.pop(link, None)
                if waiting is not None and not waiting.done():
                    self._no_way(waiting, "closed")
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
        mesh.signature_made(link, await self._peering.sign(text))
        self._perform()

    async def _check(self, mesh: Mesh, link: int, author: str, text: str, signature: str) -> None:
        mesh.signature_checked(link, await self._peering.check(author, text, signature))
        self._perform()

    async def _keep(self, mesh: Mesh, author: str, text: str) -> None:
        with suppress(JsException):  # where nothing can be stored, a reloaded page needs a fresh code
            await self._kept.keep(f"room {mesh.state.room}", text)
            mesh.tickets_stored(author)
            self._perform()

    async def _describe(self, mesh: Mesh, effect: act.Dial | act.Reply | act.Finish | act.Arm | act.Redeem) -> None:
        link = effect.link
        if link not in mesh.state.links:
            return
        connection = self._connection(link)
        try:
            match effect:
                case act.Dial(mend=mend):
                    mesh.description_made(link, (await connection.offer(mend=mend)).to_text())
                case act.Reply(offer=offer):
                    mesh.description_made(link, (await connection.reply(Description.from_text(offer))).to_text())
                case act.Finish(answer=answer):
                    await connection.finish(Description.from_text(answer))
                case act.Arm(fingerprint=fingerprint):
                    mesh.ticket_made(link, await connection.arm(fingerprint))
                case act.Redeem(ticket=ticket):
                    await connection.redeem(ticket)
        except (BadCode, JsException):
            mesh.description_failed(link)
        self._perform()

    async def _ticking(self) -> None:
        mesh = self._mesh
        while mesh is not None:
            await asyncio.sleep(TICK)
            mesh.tick(float(performance.now()) / 1000)
            self._perform()
            self._ticked(mesh)

    def _ticked(self, mesh: Mesh) -> None:
        """Something to be done now and then."""

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
