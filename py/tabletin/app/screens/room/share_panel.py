"""A link that is good for everybody, as long as the room is open: sent, copied, or scanned from this screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tabletin.app.ui.html import button, esc, tag
from tabletin.app.ui.screen import Screen


class SharePanel:
    """A part of ``screen``. ``message``: the text that goes with a link. ``word``: a sentence about invites, by its key.

    ``on_change``: what is shown has changed.
    """

    def __init__(self, screen: Screen, message: Callable[[str], str], word: Callable[[str], str],
                 on_change: Callable[[], None]) -> None:
        self._screen = screen
        self._message = message
        self._word = word
        self._on_change = on_change
        self._link = ""
        self._picture = ""
        self._drawing: asyncio.Task[None] | None = None
        self.is_sent = False
        self.status = ""  # how it was handed over, in words

    def offer(self, link: str) -> None:
        """Show ``link`` from now on."""
        if link == self._link:
            return
        self.close()
        self._link, self._picture = link, ""
        if link:
            self._drawing = asyncio.ensure_future(self._draw(link))

    async def _draw(self, link: str) -> None:
        exchange = self._screen.shell.rooms.exchange
        exchange.prepare_qr()
        self._picture = await exchange.qr(link, self._screen.text("invite.qr"))
        self._on_change()

    def close(self) -> None:
        if self._drawing is not None:
            self._drawing.cancel()
            self._drawing = None

    # ---- drawing ----

    def send_button(self, look: str) -> str:
        """The one step: the device's own way to send it, else copying."""
        text = self._screen.text
        if self._screen.shell.rooms.exchange.can_share:
            return button(text("invite.link.share"), "share_link", look=look, picture="share-2", id="share-link")
        return button(text("invite.link.copy"), "copy_link", look=look, picture="copy", id="copy-link")

    def html(self, *, has_step: bool = True) -> str:
        """The picture to be scanned, and the other ways. ``has_step``: the one step stands elsewhere on the screen, and with it
        what became of it."""
        text = self._screen.text
        can_share = self._screen.shell.rooms.exchange.can_share
        ways = button(text("invite.link.share"), "share_link", picture="share-2", id="share-too") \
            if can_share and not has_step else ""
        ways += button(text("invite.link.copy"), "copy_link", picture="copy", id="copy-too") if can_share or not has_step else ""
        status = "" if has_step else self.status_line()
        area = tag("textarea", esc(self._message(self._link)), id="as-text", rows=4, readonly=True, spellcheck="false",
                   aria_label=text("invite.as_text"))
        return (f'<div class="hand-over">{self._picture}<div><p class="quiet">{esc(self._word("link.help"))}</p>'
                f'<div class="row">{ways}</div>{status}'
                f'<details><summary>{esc(text("invite.as_text"))}</summary>{area}</details></div></div>')

    def status_line(self) -> str:
        """How the link was handed over, in words."""
        return f'<p id="link-status" role="status">{esc(self.status)}</p>'

    # ---- acts ----

    async def act(self, do: str) -> bool:
        """Send or copy the link; whether ``do`` is one of these."""
        if do == "share_link":
            await self.send()
        elif do == "copy_link":
            await self._copy()
        else:
            return False
        return True

    async def send(self) -> None:
        """Hand the link over by the device's own dialog where it has one, else copy it."""
        exchange = self._screen.shell.rooms.exchange
        if not exchange.can_share:
            await self._copy()
        elif await exchange.share(self._screen.text("shell.name"), self._message("").strip(" :"), self._link):
            self._say("link.shared")

    async def _copy(self) -> None:
        copied = await self._screen.shell.rooms.exchange.copy(self._message(self._link))
        self._say("link.copied" if copied else "not_copied")

    def _say(self, key: str) -> None:
        self.is_sent, self.status = True, self._word(key)
        self._on_change()
