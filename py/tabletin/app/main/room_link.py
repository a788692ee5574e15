"""The room of the running page, as its sessions see it. It loads what a room needs only where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tabletin.app.session.room_link import SharedMatch
from tabletin.kernel.log import Json
from tabletin.words import Catalogue

if TYPE_CHECKING:
    from tabletin.app.main.notices import PageNotices
    from tabletin.app.room.controller import RoomController


class RoomLinkHost(Protocol):
    """The running page, as far as this needs it. ``rooms_if_any``: its room controller, None before there is one."""

    words: Catalogue
    rooms_if_any: RoomController | None

    @property
    def rooms(self) -> RoomController: ...

    @property
    def notices(self) -> PageNotices: ...


class PageRoom:
    """A ``session.room_link.RoomLink``."""

    def __init__(self, page: RoomLinkHost) -> None:
        self._page = page

    def follow(self, session: SharedMatch) -> None:
        room = None if self._page.rooms_if_any is None else self._page.rooms_if_any.room
        if room is not None:
            from tabletin.app.room.transitions import sync_room_with_match
            sync_room_with_match(room, session)

    async def start_successor(self, session: SharedMatch, genesis: Json) -> None:
        from tabletin.app.room.transitions import start_successor_match
        if session.author not in session.match.former_authors:  # who was left behind only looks on
            self._page.notices.say(self._page.words.text("parting.dealt_anew"))
        await start_successor_match(self._page.rooms, session, genesis)
