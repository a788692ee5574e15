"""An address that leads nowhere: says so, and offers the way home."""

from __future__ import annotations

from tabletin.app.ui.html import bar, link, trouble
from tabletin.app.ui.screen import Screen


class NotFoundScreen(Screen):
    """Whatever no other screen is for."""

    async def open(self) -> None:
        title = self.text("shell.lost.title")
        sentence = self.text("shell.lost.text", address=self.route.subject[:60])
        way_out = link(self.text("shell.home"), "#/", look="primary")
        self.shell.document.paint(bar(self.words, title) + trouble(self.words, sentence, way_out), title)
