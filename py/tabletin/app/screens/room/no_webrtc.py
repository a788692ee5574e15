"""Friends far away in a browser without WebRTC: says so at once, before anybody handles codes, and what works all the same."""

from __future__ import annotations

from tabletin.app.ui.html import bar, link, trouble
from tabletin.app.ui.screen import Screen


class NoWebRtcScreen(Screen):
    """In place of every screen that leads to other devices."""

    async def open(self) -> None:
        title = self.text("room.title")
        way_out = link(self.text("shell.home"), "#/", look="primary")
        self.shell.document.paint(bar(self.words, title) + trouble(self.words, self.text("room.no_webrtc"), way_out), title)
