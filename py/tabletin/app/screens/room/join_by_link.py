"""The guest's way in by a link: who invites to what, a name, and the servers that the link uses.

Nothing is asked of any server before the guest has agreed. Then the page looks for the host by itself, for as long as it takes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from tabletin.app.connection_servers import Servers
from tabletin.app.room.transitions import take_over_seat_by_link
from tabletin.app.routes import address
from tabletin.app.screens.room.advice import advice
from tabletin.app.screens.room.answer_form import answer_form
from tabletin.app.screens.room.server_list import consent_words, server_list
from tabletin.app.ui.html import bar, esc, field, game_name, link, tag, trouble
from tabletin.app.ui.screen import Screen
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.user_text import NAME, clean
from tabletin.peers.net.rendezvous import Rendezvous
from tabletin.peers.net.transport import Unreachable
from tabletin.registry import GAMES

LOOK_EVERY: Final = 1.0  # seconds


class JoinByLinkScreen(Screen):
    """``#meet=TOKEN…``, also ``#/room/meet?code=…``."""

    _waiting: asyncio.Task[None] | None = None
    _advising: asyncio.Task[None] | None = None

    async def open(self) -> None:
        query = self.route.query
        self.game = query["game"] if query.get("game") in GAMES else ""
        self.watch, self.transfer = query.get("watch") == "1", query.get("move", "")
        self.inviter = clean(query.get("by", ""), NAME)
        self.title = self.text("invite.join.title_move" if self.transfer else "invite.join.title")
        self.servers = Servers.from_link(query)
        try:
            found = Rendezvous.from_token(query.get("code", ""), watch=self.watch or bool(self.transfer))
        except ValueError:
            self.refuse("invite.link.damaged")
            return
        self.rendezvous = found.led_to(query.get("of", ""))
        self.ask()
        self.shell.rooms.start_device()

    def refuse(self, key: str) -> None:
        ways = link(self.text("home.far"), address("room"), look="primary") + link(self.text("shell.home"), "#/", look="quiet")
        self.shell.document.paint(bar(self.words, self.title) + trouble(self.words, self.text(key), ways), self.title)

    def ask(self) -> None:
        """Ask for the guest's name, and for consent where it was not given before."""
        game = game_name(self.words, self.game) if self.game else ""
        if self.transfer:
            headline = self.text("invite.join.goes_on", game=game)
            inner = f'<p>{esc(self.text("invite.join.goes_on_help"))}</p>'
        else:
            key = "invites_plain" if not game else "invites_watch" if self.watch else "invites"
            headline = self.text(f"invite.join.{key}", name=self.inviter or self.text("room.someone"), game=game)
            box = tag("input", type="text", name="name", id="name", value=self.shell.rooms.name, maxlength=NAME,
                      autocomplete="nickname", placeholder=self.text("room.person_name", n=2), spellcheck="false",
                      ).removesuffix("</input>")
            inner = field("name", self.text("invite.join.name"), box)
        is_agreed = self.servers.are_agreed_to(self.shell.settings)
        consent = "" if is_agreed else (
            f'<section class="consent" aria-labelledby="consent"><h2 id="consent">{esc(self.text("helpers.title"))}</h2>'
            f'<p>{esc(consent_words(self.words, "guest", self.servers))}</p>{server_list(self.words, self.servers)}</section>')
        key = "invite.join.answer_move" if self.transfer else "invite.join.answer"
        answer = self.text(key if is_agreed else f"{key}_agreed")
        form = answer_form(self.words.language, self.game, headline, inner + consent, answer)
        self.shell.document.paint(bar(self.words, self.title) + form, self.title)

    async def on_change(self, name: str, value: str) -> None:
        if name == "name":
            self.shell.rooms.set_name(value)

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        if do == "answer":
            await self.answer()

    async def answer(self) -> None:
        """Agreed: go to the room, which is looked for there."""
        rooms = self.shell.rooms
        if self.servers == Servers.proposal(self.shell.settings):
            rooms.agree()
        try:
            if self.transfer:
                await self.take_over()
                return
            room = await rooms.join_by_link(self.rendezvous, self.servers, watch=self.watch)
            rooms.inviter = self.inviter
        except Unreachable as error:
            self.refuse(error.key)
            return
        # A page that is loaded again goes on looking by the room's id. The secret stays on the disk, and out of the history.
        looking = {"link": self.rendezvous.room, "by": self.inviter or None} if room.state is None else {}
        self.shell.go(address("room", **looking), replace=True)

    # ---- the same person's other device ----

    async def take_over(self) -> None:
        self.wait("invite.join.waiting_move")
        self._advising = asyncio.ensure_future(self.advise())
        self._waiting = asyncio.ensure_future(take_over_seat_by_link(
            self.shell.rooms, self.rendezvous, self.servers, self.transfer, self.route.query.get("of", ""),
            self.note_connection))
        try:
            await self._waiting
        except Refused as error:
            self.shell.notices.say(self.sentence(error.refusal))
            self.ask()
        except Malformed:
            self.refuse("invite.join.not_taken")
        except asyncio.CancelledError:  # the screen was left
            return
        finally:
            self._advising.cancel()

    def note_connection(self) -> None:
        """The two devices are connected; the seat is on its way."""
        if self._advising is not None:
            self._advising.cancel()
        self.wait("invite.join.taking")

    async def advise(self) -> None:
        """Say what was found so far, as long as the other device is looked for."""
        shown = ""
        while True:
            cause = self.shell.rooms.search_cause(self.route.query.get("of", ""))
            if cause != shown:
                shown = cause
                self.shell.document.repaint("search", advice(self.words, cause, guest=True, own=True) if cause else "")
            await asyncio.sleep(LOOK_EVERY)

    def wait(self, key: str) -> None:
        said = f'<p class="lead" role="status">{esc(self.text(key))}</p><div id="search" role="status"></div>'
        self.shell.document.paint(f'{bar(self.words, self.title)}<div class="joining">{said}</div>', self.title)

    def close(self) -> None:
        for task in (self._waiting, self._advising):
            if task is not None and not task.done():
                task.cancel()
