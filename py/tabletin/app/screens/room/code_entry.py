"""The field for a code, and the other ways to bring one to this page: pasting, the camera, a picture.

What a code is for, and in what words it is refused, is decided by the screen that holds the entry. What went wrong stands
below the field until something else happens.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from tabletin.app.room.camera import NoCamera
from tabletin.app.screens.room.advice import network_help, tell_friend, unreachable_words
from tabletin.app.ui.html import button, esc, file_button, tag
from tabletin.app.ui.screen import Screen
from tabletin.peers.net.code import BadCode, Code
from tabletin.peers.net.invite_link import MEET, read_link
from tabletin.peers.net.transport import Unreachable


class CodeEntry:
    """A part of ``screen``. ``use`` takes a code that was brought, and raises ``BadCode`` or ``Unreachable``.

    ``explain``: in which words a code is refused; None: in those for any code. ``guest``: whether the person here was invited.
    """

    def __init__(self, screen: Screen, use: Callable[[str], Awaitable[None]],
                 explain: Callable[[BadCode], str] | None = None, *, guest: bool = False) -> None:
        self._screen = screen
        self._shell = screen.shell
        self._use = use
        self._explain = explain or (lambda error: screen.text(f"invite.wrong.{reason(error)}"))
        self._guest = guest
        self._code = ""  # as typed
        self._trouble = ""
        self._advice = ""  # HTML: what helps
        self._is_busy = False

    # ---- drawing ----

    def html(self, label: str, go: str, *, primary: bool) -> str:
        """The field and the other ways; ``go``: the text of its button."""
        text = self._screen.text
        box = tag("input", type="text", name="code", id="code", autocomplete="off", autocapitalize="off", spellcheck="false",
                  data_typed=True, aria_describedby="code-trouble").removesuffix("</input>")
        push = tag("button", f"<span>{esc(go)}</span>", type="submit", id="use-code",
                   class_="button primary" if primary else "button")
        ways = (button(text("invite.paste"), "paste", picture="clipboard-paste", id="paste-code")
                + button(text("invite.scan"), "scan", picture="camera", id="scan-code")
                + file_button("picture", text("invite.picture"), "image/*", picture="image"))
        return (f'<form class="code" data-do="use" novalidate><label for="code">{esc(label)}</label>'
                f'<div class="code-field">{box}{push}</div><div class="row ways">{ways}</div></form>'
                f'<div id="camera"></div><div id="code-trouble" role="alert">{self._status()}</div>')

    def _status(self) -> str:
        """The lines below the field."""
        if self._is_busy:
            return f'<p class="quiet">{esc(self._screen.text("invite.connecting"))}</p>'
        trouble = f'<p class="why">{esc(self._trouble)}</p>' if self._trouble else ""
        return trouble + self._advice

    def _show(self, trouble: str = "", *, advice: str = "", busy: bool = False) -> None:
        self._trouble, self._advice, self._is_busy = trouble, advice, busy
        self._shell.document.repaint("code-trouble", self._status())

    # ---- acts of the screen ----

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        exchange, text = self._shell.rooms.exchange, self._screen.text
        if do == "use":
            await self._take(self._code)
        elif do == "paste":
            pasted = await exchange.read_clipboard()
            if pasted:
                await self._take(pasted)
            else:
                self._show(text("invite.clipboard"))
                self._shell.document.focus("code")
        elif do == "scan":
            await self._scan()
        elif do == "stop_scan":
            exchange.stop_camera()
        elif do == "tell":
            await tell_friend(self._screen, data["cause"])

    async def on_change(self, name: str, value: str) -> None:
        if name == "code":
            self._code = value

    async def on_input(self, name: str, value: str) -> None:
        """A code that is complete is used at once."""
        if name != "code":
            return
        self._code = value
        if read_link(value).kind == MEET:
            return
        try:
            Code.from_text(read_link(value).code)
        except BadCode:
            return
        await self._take(value)

    async def on_file(self, name: str, text: str) -> None:
        """``text``: the content of the picture's QR code, or ""."""
        if name == "picture":
            if text:
                await self._take(text)
            else:
                self._show(self._screen.text("invite.no_code_in_picture"))

    def close(self) -> None:
        self._shell.rooms.exchange.stop_camera()

    async def _take(self, text: str) -> None:
        """Use what was brought, and say what is wrong with it."""
        if self._is_busy:
            return
        self._show(busy=True)
        try:
            await self._use(text)
        except BadCode as error:
            self._show(self._explain(error))
        except Unreachable as error:
            helps = network_help(self._screen.words, error, guest=self._guest)
            self._show(unreachable_words(self._screen.words, error), advice=helps)
        else:
            self._show()

    async def _scan(self) -> None:
        """Look through the camera until it sees a code."""
        text, document = self._screen.text, self._shell.document
        self._show()
        stop = button(text("invite.stop"), "stop_scan", id="stop-scan")
        document.repaint("camera", (
            f'<p>{esc(text("invite.camera.look"))}</p>'
            f'<video id="seen" playsinline muted aria-label="{esc(text("invite.camera.label"))}"></video>{stop}'))
        document.focus("stop-scan")
        try:
            code = await self._shell.rooms.exchange.camera(document.element("seen"))
        except NoCamera as error:
            code = ""
            self._show(text(error.key))
        document.repaint("camera", "")
        document.focus("scan-code")
        if code:
            await self._take(code)


def reason(error: BadCode) -> str:
    """The catalogue's word for it: "used", "expired", … ("other" chooses a plural there)."""
    found = error.key.rpartition(".")[2]
    return "of_another" if found == "other" else found
