"""Bringing a code to this page: pasted, typed, scanned with the camera, or from a picture. For screens that wait for one.

The screen says what the code is for (``got``); here is only how it comes. What went wrong stands below the field, in words,
until something else happens.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.app.room.camera import NoCamera
from tabletin.app.routes import address
from tabletin.app.ui.html import button, esc, icon, link, tag
from tabletin.app.ui.screen import Screen
from tabletin.peers.net.code import BadCode, Code
from tabletin.peers.net.invite_link import read
from tabletin.peers.net.transport import Unreachable

CLUES: Final = ("same", "far", "strict", "vpn")
"""What helps where two devices find no way to each other: sentences of the catalogue."""


class CodeScreen(Screen):
    """A screen that takes a code. Its page holds ``entry()``."""

    code = ""
    trouble = ""
    blocked = False
    scanning = False
    busy = False

    async def got(self, text: str) -> None:
        """Use what was brought. Raises ``BadCode``, ``Blocked``."""
        raise NotImplementedError

    def wrong(self, error: BadCode) -> str:
        """Why a code cannot be used, in words for this screen."""
        return self.text(f"invite.wrong.{reason(error)}")

    # ---- parts ----

    def entry(self, label: str, go: str, *, primary: bool) -> str:
        """The field and the other ways; ``go``: what its button says."""
        box = tag("input", type="text", name="code", id="code", autocomplete="off", autocapitalize="off", spellcheck="false",
                  data_typed=True, aria_describedby="code-trouble").removesuffix("</input>")
        push = tag("button", f"<span>{esc(go)}</span>", type="submit", id="use-code",
                   class_="button primary" if primary else "button")
        ways = (button(self.text("invite.paste"), "paste", picture="clipboard-paste", id="paste-code")
                + button(self.text("invite.scan"), "scan", picture="camera", id="scan-code")
                + f'<label class="button file" for="picture">{icon("image")}<span>{esc(self.text("invite.picture"))}</span>'
                  '</label><input type="file" class="unseen" id="picture" name="picture" accept="image/*">')
        return (f'<form class="code" data-do="use" novalidate><label for="code">{esc(label)}</label>'
                f'<div class="code-field">{box}{push}</div><div class="row ways">{ways}</div></form>'
                f'<div id="camera"></div><div id="code-trouble" role="alert">{self.said()}</div>')

    def said(self) -> str:
        """What is to be said of the code now."""
        if self.busy:
            return f'<p class="quiet">{esc(self.text("invite.connecting"))}</p>'
        return (f'<p class="why">{esc(self.trouble)}</p>' if self.trouble else "") + (self.help() if self.blocked else "")

    def help(self) -> str:
        """What helps where the network lets nothing through."""
        clues = "".join(f'<li>{esc(self.text(f"invite.helps.{clue}"))}</li>' for clue in CLUES)
        way = link(self.text("invite.settings"), address("settings", at="far"), look="quiet", picture="settings")
        return f'<div class="helps"><h3>{esc(self.text("invite.helps.title"))}</h3><ul>{clues}</ul>{way}</div>'

    def say_code(self, trouble: str = "", *, blocked: bool = False, busy: bool = False) -> None:
        """Show how it stands with the code."""
        self.trouble, self.blocked, self.busy = trouble, blocked, busy
        self.shell.document.repaint("code-trouble", self.said())

    # ---- acts ----

    async def use(self, text: str) -> None:
        """Something was brought."""
        if self.busy:
            return
        self.say_code(busy=True)
        try:
            await self.got(text)
        except BadCode as error:
            self.say_code(self.wrong(error))
        except Unreachable as error:
            self.say_code(self.text(error.key) if error.key in self.words else self.text("invite.blocked"), blocked=True)
        else:
            self.say_code()

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        exchange = self.shell.rooms.exchange
        if do == "use":
            await self.use(self.code)
        elif do == "paste":
            text = await exchange.pasted()
            if text:
                await self.use(text)
            else:
                self.say_code(self.text("invite.clipboard"))
                self.shell.document.focus("code")
        elif do == "scan":
            await self.scan()
        elif do == "stop_scan":
            exchange.stop_camera()

    async def scan(self) -> None:
        """Look through the camera until a code is seen."""
        self.say_code()
        stop = button(self.text("invite.stop"), "stop_scan", id="stop-scan")
        self.shell.document.repaint("camera", (
            f'<p>{esc(self.text("invite.camera.look"))}</p>'
            f'<video id="seen" playsinline muted aria-label="{esc(self.text("invite.camera.label"))}"></video>{stop}'))
        self.shell.document.focus("stop-scan")
        try:
            text = await self.shell.rooms.exchange.camera(self.shell.document.element("seen"))
        except NoCamera as error:
            text = ""
            self.say_code(self.text(error.key))
        self.shell.document.repaint("camera", "")
        self.shell.document.focus("scan-code")
        if text:
            await self.use(text)

    async def chosen_file(self, name: str, text: str) -> None:
        """``text``: what the picture's QR code says."""
        if name == "picture":
            await (self.use(text) if text else self.no_code())

    async def no_code(self) -> None:
        self.say_code(self.text("invite.no_code_in_picture"))

    async def changed(self, name: str, value: str) -> None:
        if name == "code":
            self.code = value

    async def typed(self, name: str, value: str) -> None:
        """A code that is whole is used at once."""
        if name != "code":
            return
        self.code = value
        try:
            Code.from_text(read(value).code)
        except BadCode:
            return
        await self.use(value)

    def close(self) -> None:
        self.shell.rooms.exchange.stop_camera()




def reason(error: BadCode) -> str:
    """What the catalogue calls it: "used", "expired", … ("other" chooses a plural there)"""
    found = error.key.rpartition(".")[2]
    return "of_another" if found == "other" else found
