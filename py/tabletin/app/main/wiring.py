"""The browser's meeting: links by WebRTC, codes by clipboard, camera and share sheet, the replica in its worker."""

from __future__ import annotations

from typing import Any, Protocol

from tabletin.app.browser.code_exchange import CodeExchange
from tabletin.app.room.controller import LinkedNet, PageServices, RoomController
from tabletin.app.session.session import MatchSession, SessionContext
from tabletin.kernel.log import Json
from tabletin.peers.net.transport import Transport


class Page(PageServices, Protocol):
    """The running page, as far as a room and its matches need it."""

    @property
    def context(self) -> SessionContext: ...


def meeting_of(app: Page) -> RoomController:
    """The room controller of the running page."""
    async def opened(peering: Any, helpers: Any, room: str | None) -> LinkedNet:
        from tabletin.app.browser.transport import open_net
        return await open_net(peering, helpers, room)

    async def begin(genesis: Json, peering: Any, net: Transport) -> MatchSession:
        from tabletin.app.session.peers.session import PeerSession
        return await PeerSession.begin(genesis, app.context, peering, net)

    return RoomController(app, CodeExchange(), opened, begin)
