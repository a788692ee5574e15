"""The browser's meeting: links by WebRTC, codes by clipboard, camera and share sheet, the replica in its worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabletin.kernel.log import Json
from tabletin.peers.net import Net

from .exchange import Exchange
from .meeting import LinkedNet, Meeting
from .opened import Opened

if TYPE_CHECKING:
    from .app import App


def meeting_of(app: App) -> Meeting:
    """The meeting of the running page."""
    async def opened(peering: Any, helpers: Any, room: str | None) -> LinkedNet:
        from .wire import open_net
        return await open_net(peering, helpers, room)

    async def begin(genesis: Json, peering: Any, net: Net) -> Opened:
        from .peersession import PeerSession
        return await PeerSession.begin(genesis, app.around, peering, net)

    return Meeting(app, Exchange(), opened, begin)
