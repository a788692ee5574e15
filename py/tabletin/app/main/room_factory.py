"""Wires the room of a running page to the browser: links by WebRTC, codes by clipboard and camera, the replica in its worker."""

from __future__ import annotations

from typing import Any, Protocol

from tabletin.app.browser.code_exchange import CodeExchange
from tabletin.app.room.controller import PageServices, RoomController, RoomTransport
from tabletin.app.room.league_link import LeagueLink
from tabletin.app.session.session import MatchSession, SessionContext
from tabletin.app.storage.league import LeagueBook
from tabletin.kernel.log import Json
from tabletin.peers.net.transport import Transport
from tabletin.peers.worker.answer import WorkerAnswer
from tabletin.peers.worker.calls import DeviceCall


class RoomPage(PageServices, Protocol):
    """The running page, as far as a room and its matches need it."""

    @property
    def context(self) -> SessionContext: ...

    @property
    def league(self) -> LeagueBook: ...


def room_controller(page: RoomPage) -> RoomController:
    """The room controller of ``page``."""
    async def open_transport(device: Any, servers: Any, room: str | None) -> RoomTransport:
        from tabletin.app.browser.transport import open_transport
        return await open_transport(device, servers, room)

    async def begin_session(genesis: Json, device: Any, transport: Transport, was_here: bool) -> MatchSession:
        from tabletin.app.session.peers.session import PeerSession
        return await PeerSession.begin(genesis, page.context, device, transport, was_here=was_here)

    async def ask(call: DeviceCall) -> WorkerAnswer:
        return await (await page.device()).call(call)

    league = LeagueLink(page.league, ask, page.start_task)
    return RoomController(page, CodeExchange(), open_transport, begin_session, league.attach)
