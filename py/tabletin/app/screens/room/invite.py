"""Inviting one guest: a link, a QR code and a short text to hand over, and the field for the guest's reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tabletin.app.room.invites import MOVE, PLAY, USELESS, WATCH, OpenInvite
from tabletin.app.room.transitions import room_for
from tabletin.app.routes import Route, address
from tabletin.app.screens.room.advice import network_help
from tabletin.app.screens.room.code_entry import CodeEntry, reason
from tabletin.app.screens.room.parts import Parts
from tabletin.app.screens.room.share_panel import SharePanel
from tabletin.app.ui.html import bar, button, esc, game_name, link, section, tag, trouble
from tabletin.app.ui.screen import Screen, Shell
from tabletin.peers.net.code import BadCode
from tabletin.peers.net.transport import Unreachable


class InviteScreen(Screen):
    """``#/room/invite``; ``…?watch=1`` for a guest who only looks on."""

    purpose = PLAY

    def __init__(self, shell: Shell, route: Route) -> None:
        super().__init__(shell, route)
        self.entry = CodeEntry(self, self.use_reply, self.explain)
        self.link = ""
        self.return_address = address("room")
        self.sharing = SharePanel(self, self.message_with, self.word, self.link_changed)
        self._stop: Callable[[], None] | None = None
        self.is_handed_over = False  # the invite is on its way: what is waited for is the reply
        self.status = ""  # how it was handed over, in words

    async def open(self) -> None:
        self.purpose = WATCH if self.route.query.get("watch") == "1" else PLAY
        name = self.word("title")
        self.reopen_room()
        room = self.shell.rooms.room
        if room is None or not room.inside or room.state is None:
            ways = link(self.text("home.far"), address("room"), look="primary")
            self.shell.document.paint(bar(self.words, name) + trouble(self.words, self.text("room.none"), ways), name)
            return
        self.game = game_name(self.words, room.state.game)
        self.inviter = Parts(room, self.words).signature
        self.shell.rooms.renew_servers()
        self.link = "" if self.route.query.get("by") == "code" else self.shell.rooms.link(watch=self.purpose == WATCH)
        if self.link:
            self.show_link(name)
        else:
            await self.invite(name, self.return_address)

    def show_link(self, name: str) -> None:
        """The link that is good for everybody; as soon as somebody comes by it, back to where they are seen."""
        self.sharing.offer(self.link)
        if self._stop is None and self.purpose != MOVE:
            self._stop = self.watch_room()
        by_code = link(self.text("invite.link.by_code"), self.code_address(), look="quiet", id="by-code")
        send = f'<div class="row">{self.sharing.send_button("primary large")}</div>{self.sharing.status_line()}'
        step = section("send", self.word("send"), f'{send}{self.sharing.html()}<div class="row">{by_code}</div>')
        self.shell.document.paint(f'{bar(self.words, name, back=self.return_address)}<div class="inviting">{step}</div>', name)

    def watch_room(self) -> Callable[[], None] | None:
        """Go back to the room once somebody has come; what ends that."""
        room = self.shell.rooms.room
        if room is None or room.state is None:
            return None
        before = len(room.state.members)

        def look(what: str) -> None:
            if room.state is not None and len(room.state.members) > before:
                self.guest_connected("")

        return room.on_change(look)

    def code_address(self) -> str:
        """This screen with a code in place of the link."""
        return address("room", "invite", **{**self.route.query, "by": "code"})

    def reopen_room(self) -> None:
        """``…?match=ID``: somebody is missing at that table, and the room may be closed."""
        name = self.route.query.get("match", "")
        session = self.shell.handoff.take(name) if name else None
        if session is not None:
            from tabletin.app.session.peers.session import PeerSession
            self.return_address = address("match", name)
            if isinstance(session, PeerSession):
                room_for(self.shell.rooms, session)
            self.shell.handoff.put(session)

    def message_with(self, to: str) -> str:
        """The text that is handed over with the link ``to``."""
        return self.word("text", name=self.inviter, game=self.game, link=to)

    def link_changed(self) -> None:
        """The picture of the link is there, or it was sent."""
        self.show_link(self.word("title"))

    def word(self, key: str, /, **params: str) -> str:
        """A sentence about invites, in the words for this purpose if there are any."""
        own = f"invite.{key}_{self.purpose}"
        return self.text(own if own in self.words else f"invite.{key}", **params)

    async def invite(self, name: str, back: str) -> None:
        """Show the screen."""
        head = bar(self.words, name, back=back)
        self.shell.document.paint(f'{head}<p class="lead" role="status">{esc(self.text("invite.making"))}</p>', name)
        self.shell.rooms.on_guest = self.guest_connected
        await self.make(head, name, back)

    async def obtain(self) -> OpenInvite:
        """The invite to show. Raises ``Unreachable``."""
        return await self.shell.rooms.invite(self.purpose == WATCH)

    async def make(self, head: str, name: str, back: str) -> None:
        """Make the invite, and lay out both steps."""
        exchange = self.shell.rooms.exchange
        exchange.prepare_qr()
        try:
            self.link = (await self.obtain()).link
            picture = await exchange.qr(self.link, self.text("invite.qr"))
        except Unreachable as error:
            by_link = link(self.text("advice.do.link"), address("room", ask="helpers"), picture="house")
            ways = (button(self.text("invite.again"), "again", look="primary")
                    + (by_link if error.reason == "no_candidate" and self.purpose != MOVE else "")
                    + link(self.text("shell.back"), back, look="quiet"))
            said = trouble(self.words, self.text(error.key), ways) + network_help(self.words, error)
            self.shell.document.paint(head + said, name)
            return
        one = (f'<section class="step" aria-labelledby="send"><h2 id="send"><span class="number" aria-hidden="true">1</span>'
               f'{esc(self.word("send"))}</h2><div id="handing">{self.handing(picture)}</div></section>')
        two = (f'<section class="step" aria-labelledby="bring"><h2 id="bring"><span class="number" aria-hidden="true">2</span>'
               f'{esc(self.text("invite.bring"))}</h2><p class="quiet">{esc(self.word("bring_help"))}</p>'
               f'<div id="entry">{self.reply_entry()}</div></section>')
        self.shell.document.paint(f'{head}<div class="inviting">{one}{two}</div>', name)

    def handing(self, picture: str) -> str:
        """The invite, and the ways to hand it over."""
        return (f'<div class="hand-over">{picture}<div><div id="ways">{self.ways()}</div>'
                f'<p class="quiet">{esc(self.word("send_help"))}</p>{self.as_text()}{self.by_link()}</div></div>')

    def by_link(self) -> str:
        """The way from a code to a link, where there can be one."""
        rooms = self.shell.rooms
        if self.purpose == MOVE or rooms.rendezvous is None or rooms.rendezvous.is_named:
            return ""
        known = {name: value for name, value in self.route.query.items() if name != "by"}
        there = address("room", "invite", **known) if rooms.link(watch=self.purpose == WATCH) else address("room", ask="helpers")
        return f'<div class="row">{link(self.text("advice.do.link"), there, look="quiet", picture="house", id="by-link")}</div>'

    async def replace(self) -> None:
        """The invite is of no use any more: show a new one in its place."""
        self.link = (await self.obtain()).link
        picture = await self.shell.rooms.exchange.qr(self.link, self.text("invite.qr"))
        self.is_handed_over, self.status = False, self.text("invite.replaced")
        self.shell.document.repaint("handing", self.handing(picture))

    @property
    def message(self) -> str:
        """The text that is handed over with the link."""
        return self.message_with(self.link)

    def ways(self) -> str:
        """The buttons that hand it over; the device's own way first."""
        exchange = self.shell.rooms.exchange
        look = "" if self.is_handed_over else "primary"
        ways = button(self.word("share"), "share", look=look, picture="share-2", id="share") if exchange.can_share else ""
        ways += button(self.word("copy"), "copy", look="" if ways else look, picture="copy", id="copy")
        status = f'<p role="status">{esc(self.status)}</p>' if self.status else ""
        return f'<div class="row">{ways}</div>{status}'

    def as_text(self) -> str:
        area = tag("textarea", esc(self.message), id="as-text", rows=5, readonly=True, spellcheck="false",
                   aria_label=self.text("invite.as_text"))
        return f'<details><summary>{esc(self.text("invite.as_text"))}</summary>{area}</details>'

    def reply_entry(self) -> str:
        return self.entry.html(self.text("invite.code"), self.text("invite.connect"), primary=self.is_handed_over)

    # ---- acts ----

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        exchange = self.shell.rooms.exchange
        if await self.sharing.act(do):
            return
        if do == "share":
            text = self.message.replace(self.link, "").strip(" :")
            if await exchange.share(self.text("shell.name"), text, self.link):
                self.hand_over("shared")
        elif do == "copy":
            self.hand_over("copied" if await exchange.copy(self.message) else "not_copied")
        elif do == "again":
            await self.open()
        else:
            await self.entry.act(do, data)

    def hand_over(self, how: str) -> None:
        """The invite is on its way: the next thing is the reply."""
        self.is_handed_over, self.status = True, self.word(how)
        self.shell.document.repaint("ways", self.ways())
        self.shell.document.repaint("entry", self.reply_entry())

    async def on_change(self, name: str, value: str) -> None:
        await self.entry.on_change(name, value)

    async def on_input(self, name: str, value: str) -> None:
        await self.entry.on_input(name, value)

    async def on_file(self, name: str, text: str) -> None:
        await self.entry.on_file(name, text)

    async def use_reply(self, text: str) -> None:
        """Take a reply. Raises ``BadCode``, ``Unreachable``."""
        try:
            self.guest_connected(await self.shell.rooms.accept(text))
        except BadCode as error:
            if error.key in USELESS:
                await self.replace()
            raise
        except Unreachable:
            await self.replace()
            raise

    def guest_connected(self, author: str) -> None:
        """A guest is connected: back to the screen that waits for it."""
        self.shell.go(self.return_address, replace=True)

    def explain(self, error: BadCode) -> str:
        """Why a reply cannot be used."""
        why = reason(error)
        return self.text(f"invite.wrong.{'kind_invite' if why == 'kind' else why}")

    def close(self) -> None:
        self.entry.close()
        self.sharing.close()
        if self._stop is not None:
            self._stop()
            self._stop = None
        self.shell.rooms.on_guest = lambda author: None
