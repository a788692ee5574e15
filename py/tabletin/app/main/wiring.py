"""The browser's meeting: links by WebRTC, codes by clipboard, camera and share sheet, the replica in its worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabletin.app.browser.code_exchange import Exchange
from tabletin.app.room.controller import LinkedNet, Meeting
from tabletin.app.session.session import Opened
from tabletin.kernel.log import Json
from tabletin.peers.net.transport import Net

if TYPE_CHECKING:
    from tabletin.app.main.app import App


def meeting_of(app: App) -> Meeting:
    """The meeting of the running page."""
    async def opened(peering: Any, helpers: Any, room: str | None) -> LinkedNet:
        from tabletin.app.browser.transport import open_net
        return await open_net(peering, helpers, room)

    async def begin(genesis: Json, peering: Any, net: Net) -> Opened:
        from tabletin.app.session.peers.session import PeerSession
        return await PeerSession.begin(genesis, app.around, peering, net)

    return Meeting(app, Exchange(), opened, begin)
