"""Going on at another device: an invite for one's own other device, and how far the transfer is. Then this one only watches."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Final

from tabletin.app.room.invites import MOVE, OpenInvite
from tabletin.app.routes import address
from tabletin.app.screens.match.match import resume
from tabletin.app.screens.match.peers import waiting_words
from tabletin.app.screens.room.invite import InviteScreen
from tabletin.app.session.peers.session import PeerSession
from tabletin.app.storage.matches import StorageFailed
from tabletin.app.ui.html import bar, esc, game_name, icon, link, tag, trouble
from tabletin.kernel.log import Json
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.peers.net.transport import Unreachable
from tabletin.words.wording import seat_name

TRANSFER_BYTES: Final = 12
LOOKS: Final = 100  # times to look for the links, a tenth of a second apart


class MoveScreen(InviteScreen):
    """``#/match/<id>/move``."""

    purpose = MOVE
    session: PeerSession | None = None
    _end: Callable[[], None] | None = None
    _html = ""

    async def open(self) -> None:
        self.table = address("match", self.route.subject)
        session = self.shell.handoff.take(self.route.subject)
        if session is None:
            try:
                session = await resume(self.route.subject, self.shell)
            except (KeyError, StorageFailed, Refused, Malformed):
                self.refuse("playing.none")
                return
        if not isinstance(session, PeerSession):
            self.refuse("move.alone")
            return
        self.session = session
        if session.match.outcome is not None or not session.people:
            self.refuse("move.over" if session.people else "move.nobody")
            return
        name = self.word("title")
        setup = session.match.setup
        seat = session.people[0]
        self.inviter, self.game = seat_name(self.words, setup.seats[seat].name, seat), game_name(self.words, setup.game)
        session.device_transfer.begin()
        self.shell.rooms.on_guest = self.guest_connected
        self.return_address = self.table
        transfer = secrets.token_urlsafe(TRANSFER_BYTES)
        await self.wait_for_links(session)
        self.link = "" if self.route.query.get("by") == "code" else self.shell.rooms.device_link(session, transfer)
        if self.link:
            session.device_transfer.accept_link(transfer, self.room_state)
            self.show_link(name)
        else:
            await self.invite(name, self.table)
        self._end = session.on_status_change(self.draw)

    def code_address(self) -> str:
        return address("match", self.route.subject, "move", by="code")

    def refuse(self, key: str) -> None:
        name = self.word("title")
        ways = link(self.text("room.do.table"), self.table, look="primary", picture="play")
        self.shell.document.paint(bar(self.words, name, back=self.table) + trouble(self.words, self.text(key), ways), name)

    async def wait_for_links(self, session: PeerSession) -> None:
        """The links of a match that was just taken up are there in a moment."""
        for _ in range(LOOKS):
            if session.net is None:
                await asyncio.sleep(0.1)

    async def obtain(self) -> OpenInvite:
        assert self.session is not None
        await self.wait_for_links(self.session)
        if self.session.net is None:
            raise Unreachable("closed")
        return await self.shell.rooms.invite_device(self.session)

    def guest_connected(self, author: str) -> None:
        """The other device is there: it may have the seat."""
        assert self.session is not None
        self.session.device_transfer.expect(author, self.room_state())
        self.draw()

    def room_state(self) -> Json:
        """The room that the others are in, for the other device; None where this one is in none."""
        assert self.session is not None
        room = self.shell.rooms.room
        known = room is not None and room.state is not None and room.state.playing == self.session.match.id
        return room.state.to_json() if known and room is not None and room.state else None

    def draw(self) -> None:
        """How far it is, once the other device has come."""
        session = self.session
        if session is None or not (session.device_transfer.stage or session.device_transfer.trouble):
            return
        html = self.progress(session)
        if html != self._html:
            self._html = html
            name = self.word("title")
            self.shell.document.paint(f'{bar(self.words, name, back=self.table)}<div class="joining moving">{html}</div>', name)

    def progress(self, session: PeerSession) -> str:
        moving = session.device_transfer
        if moving.trouble is not None:
            again = link(self.text("room.do.table"), self.table, look="primary", picture="play")
            return f'<div role="alert"><p class="lead">{esc(session.wording.refusal(moving.trouble))}</p></div>{again}'
        sign = icon("circle-check") if moving.stage == "done" else ""
        said = tag("p", f'{sign}<span>{esc(self.text(f"move.stage.{moving.stage}"))}</span>', class_="lead", role="status")
        if moving.stage != "done":
            return said + tag("p", esc(waiting_words(self.words, session)), class_="quiet")
        ways = (link(self.text("move.watch"), self.table, picture="eye", id="watch")
                + link(self.text("shell.home"), "#/", look="quiet"))
        return f'{said}<div class="row">{ways}</div>'

    def close(self) -> None:
        super().close()
        if self._end is not None:
            self._end()
        if self.session is not None:
            self.shell.handoff.leave(self.session)
