"""The guest's way into a room: who invites to what, a name, a reply to hand over, and waiting until the host has taken it.

The link says who invites, and the screen shows it; it is believed only after the two devices have connected.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from tabletin.app.room.transitions import take_over_seat
from tabletin.app.routes import Route, address
from tabletin.app.screens.room.advice import advice, network_help, unreachable_words
from tabletin.app.screens.room.answer_form import answer_form
from tabletin.app.screens.room.code_entry import CodeEntry, reason
from tabletin.app.screens.room.start import go_to_invite
from tabletin.app.ui.html import bar, button, esc, field, game_name, link, tag, trouble
from tabletin.app.ui.screen import Screen, Shell
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.user_text import NAME, clean
from tabletin.peers.net.code import BadCode, Code, Kind
from tabletin.peers.net.transport import Unreachable
from tabletin.registry import GAMES

PATIENCE: Final = 60.0  # seconds after which the guest reads what may be in the way


class JoinScreen(Screen):
    """``#join=CODE…``, also ``#/room/join?code=…``."""

    def __init__(self, shell: Shell, route: Route) -> None:
        super().__init__(shell, route)
        self.link = ""
        self.is_handed_over = False  # the reply is on its way
        self.status = ""  # how it was handed over, in words
        self._waiting: asyncio.Task[None] | None = None
        self._advising: asyncio.Task[None] | None = None
        self._entry = CodeEntry(self, self.use_invite, guest=True)  # for a new invitation, where the reply leads to nothing

    async def open(self) -> None:
        query = self.route.query
        self.invite = query.get("code", "")
        self.game = query["game"] if query.get("game") in GAMES else ""
        self.watch, self.move = query.get("watch") == "1", query.get("move") == "1"
        name = clean(query.get("by", ""), NAME)
        self.inviter, self.friend = name or self.text("room.someone"), name or self.text("room.someone_within")
        self.title = self.word("title")
        try:
            if Code.from_text(self.invite).kind is not Kind.INVITE:
                raise BadCode("kind")
        except BadCode as error:
            self.refuse(self.explain(error))
            return
        self.ask()
        self.shell.rooms.start_device()

    def word(self, key: str, /, **params: str) -> str:
        """A sentence for the guest; in other words for a player who goes on here with the same seat."""
        own = f"invite.join.{key}_move"
        return self.text(own if self.move and own in self.words else f"invite.join.{key}", **params)

    def refuse(self, sentence: str, more: str = "", ways: str = "") -> None:
        ways = ways or (link(self.text("home.far"), address("room"), look="primary")
                        + link(self.text("shell.home"), "#/", look="quiet"))
        self.shell.document.paint(bar(self.words, self.title) + trouble(self.words, sentence, ways) + more, self.title)

    def explain(self, error: BadCode) -> str:
        """Why an invite cannot be used, in words for the guest."""
        why = reason(error)
        for_guest = f"invite.guest.{why}"
        return self.text(for_guest, name=self.friend) if for_guest in self.words else self.text(f"invite.wrong.{why}")

    def headline(self) -> str:
        """A sentence: who invites to what."""
        if not self.game:
            return self.text("invite.join.invites_plain", name=self.inviter)
        key = "invite.join.invites_watch" if self.watch else "invite.join.invites"
        return self.text(key, name=self.inviter, game=game_name(self.words, self.game))

    # ---- the name ----

    def ask(self) -> None:
        """Ask for the guest's name; the reply follows."""
        if self.move:
            self.ask_to_go_on()
            return
        box = tag("input", type="text", name="name", id="name", value=self.shell.rooms.name, maxlength=NAME,
                  autocomplete="nickname", placeholder=self.text("room.person_name", n=2), spellcheck="false",
                  ).removesuffix("</input>")
        self.lay_out(self.headline(), field("name", self.text("invite.join.name"), box))

    def ask_to_go_on(self) -> None:
        """It is the same person: ask only for consent."""
        self.lay_out(self.text("invite.join.goes_on", game=game_name(self.words, self.game) if self.game else ""),
                     f'<p>{esc(self.text("invite.join.goes_on_help"))}</p>')

    def lay_out(self, headline: str, inner: str) -> None:
        form = answer_form(self.words.language, self.game, headline, inner, self.word("answer"))
        self.shell.document.paint(bar(self.words, self.title) + form, self.title)

    async def on_change(self, name: str, value: str) -> None:
        if name == "name":
            self.shell.rooms.set_name(value)
        await self._entry.on_change(name, value)

    async def on_input(self, name: str, value: str) -> None:
        await self._entry.on_input(name, value)

    async def on_file(self, name: str, text: str) -> None:
        await self._entry.on_file(name, text)

    async def use_invite(self, text: str) -> None:
        """A new invitation takes the place of this one. Raises ``BadCode``."""
        go_to_invite(self.shell, text)

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        exchange = self.shell.rooms.exchange
        if do in ("answer", "again"):
            await self.answer()
        elif do == "share":
            message = self.word("text", link="").strip(" :")
            if await exchange.share(self.text("shell.name"), message, self.link):
                self.hand_over(self.word("shared"))
        elif do == "copy":
            message = self.word("text", link=self.link)
            copied = await exchange.copy(message)
            self.hand_over(self.word("copied", name=self.friend) if copied else self.text("invite.not_copied"))
        else:
            await self._entry.act(do, data)

    # ---- the reply ----

    async def answer(self) -> None:
        """Make the reply, show it, and wait until the host has taken it."""
        rooms = self.shell.rooms
        waiting = f'<p class="lead" role="status">{esc(self.word("answering"))}</p>'
        self.shell.document.paint(f'{bar(self.words, self.title)}<div class="joining">{waiting}</div>', self.title)
        rooms.exchange.prepare_qr()
        try:
            self.link = await rooms.answer(self.invite)
            self.show(await rooms.exchange.qr(self.link, self.word("qr")))
            self._advising = asyncio.ensure_future(self.advise())
            self._waiting = asyncio.ensure_future(self.connect())
            await self._waiting
        except BadCode as error:
            self.refuse(self.explain(error))
        except Unreachable as error:
            ways = (button(self.text("invite.again"), "again", look="primary")
                    + link(self.text("shell.home"), "#/", look="quiet"))
            self.refuse(unreachable_words(self.words, error), network_help(self.words, error, guest=True, own=self.move), ways)
        except Refused as error:
            self.refuse(self.sentence(error.refusal))
        except Malformed:
            self.refuse(self.text("invite.join.not_taken"))
        except asyncio.CancelledError:  # the screen was left
            return

    def show(self, picture: str) -> None:
        area = tag("textarea", esc(self.word("text", link=self.link)), id="as-text", rows=5, readonly=True,
                   spellcheck="false", aria_label=self.text("invite.as_text"))
        self.shell.document.paint(
            f'{bar(self.words, self.title)}<div class="inviting"><section class="step" aria-labelledby="send">'
            f'<h2 id="send">{esc(self.word("now", name=self.friend))}</h2><div class="hand-over">{picture}<div>'
            f'<div id="ways">{self.ways()}</div>'
            f'<p class="quiet">{esc(self.word("now_help", name=self.friend))}</p>'
            f'<p class="quiet" id="good-until">{esc(self.text("invite.join.good_until", time=self.good_until()))}</p>'
            f'<details><summary>{esc(self.text("invite.as_text"))}</summary>{area}</details></div></div>'
            f'<p class="waiting" role="status">{esc(self.word("waiting", name=self.friend))}</p>'
            f'<div id="nothing-yet" role="status"></div></section></div>',
            self.title)

    async def advise(self) -> None:
        """Nothing comes from the other device where no way is found: after a while, say what that would be due to."""
        await asyncio.sleep(PATIENCE)
        cause = self.shell.rooms.cause_of_reply(self.invite, self.link)
        nothing_yet = esc(self.word("nothing_yet", name=self.friend))
        entry = self._entry.html(self.text("room.start.code"), self.text("room.start.go"), primary=True)
        self.shell.document.repaint("nothing-yet", (
            f'<div class="helps"><p>{nothing_yet}</p></div>{advice(self.words, cause, guest=True, own=self.move)}{entry}'))

    def good_until(self) -> str:
        """Until when the host may take the reply: this page keeps its side open so long."""
        return self.shell.describe_time(Code.from_text(self.invite).expires)

    def ways(self) -> str:
        look = "" if self.is_handed_over else "primary"
        share = self.shell.rooms.exchange.can_share
        ways = button(self.word("share"), "share", look=look, picture="share-2", id="share") if share else ""
        ways += button(self.word("copy"), "copy", look="" if ways else look, picture="copy", id="copy")
        status = f'<p role="status">{esc(self.status)}</p>' if self.status else ""
        return f'<div class="row">{ways}</div>{status}'

    def hand_over(self, status: str) -> None:
        self.is_handed_over, self.status = True, status
        self.shell.document.repaint("ways", self.ways())

    async def connect(self) -> None:
        if self.move:
            await take_over_seat(self.shell.rooms, self.note_connection)
            return
        await self.shell.rooms.join(watch=self.watch)
        self.shell.notices.announce(self.word("connected"))
        self.shell.go(address("room"), replace=True)

    def note_connection(self) -> None:
        """The two devices are connected; the seat is on its way."""
        self.shell.notices.announce(self.word("connected"))
        self.shell.document.paint(f'{bar(self.words, self.title)}<div class="joining"><p class="lead" role="status">'
                         f'{esc(self.text("invite.join.taking"))}</p></div>', self.title)

    def close(self) -> None:
        self._entry.close()
        for task in (self._waiting, self._advising):
            if task is not None and not task.done():
                task.cancel()
