"""A reply's link was opened here: its code goes to the page whose room waits for it, or is shown to be copied."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from tabletin.app.routes import address
from tabletin.app.screens.room.code_entry import reason
from tabletin.app.ui.html import bar, button, esc
from tabletin.app.ui.screen import Screen
from tabletin.peers.net.code import BadCode
from tabletin.peers.net.transport import Unreachable

SOON: Final = 1.5  # seconds until it is said that no page takes it; one on a slow device may do so later


class ReplyScreen(Screen):
    """``#reply=CODE``."""

    _handing: asyncio.Task[None] | None = None  # while another page may still take it
    _said_nobody = False

    async def open(self) -> None:
        rooms, code = self.shell.rooms, self.route.query.get("code", "")
        name = self.text("invite.reply.title")
        self.paint(name, self.text("invite.reply.handing"))
        if rooms.invites:  # this page waits for it
            try:
                await rooms.accept(code)
            except (BadCode, Unreachable) as error:
                self.shell.notices.say(self.text(f"invite.wrong.{reason(error)}" if isinstance(error, BadCode) else error.key))
            self.shell.go(address("room"), replace=True)
            return
        self._handing = asyncio.ensure_future(self._hand_over(name, code))
        await asyncio.wait({self._handing}, timeout=SOON)
        if not self._handing.done():
            self._say_nobody(name)

    async def _hand_over(self, name: str, code: str) -> None:
        if await self.shell.rooms.exchange.hand_over(code):
            self.paint(name, self.text("invite.reply.taken"))
        elif not self._said_nobody:
            self._say_nobody(name)

    def _say_nobody(self, name: str) -> None:
        self._said_nobody = True
        copy = button(self.text("invite.reply.copy"), "copy", look="primary", picture="copy", id="copy")
        self.paint(name, self.text("invite.reply.nobody"), copy)

    def close(self) -> None:
        if self._handing is not None:
            self._handing.cancel()

    def paint(self, name: str, sentence: str, ways: str = "") -> None:
        self.shell.document.paint(f'{bar(self.words, name)}<div class="joining"><p class="lead" role="status">{esc(sentence)}</p>'
                         f'<div class="row">{ways}</div></div>', name)

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        if do == "copy" and await self.shell.rooms.exchange.copy(self.route.query.get("code", "")):
            self.shell.notices.announce(self.text("invite.reply.title"))
