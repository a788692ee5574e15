"""Takes codes out of the page and into it: copying, sharing, QR codes, pasting, the camera, other tabs.

It carries texts and reads none of them. Where the browser cannot do something, or its user does not allow it, the answer
says so; that is no error.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import js
from pyodide.ffi import JsException, create_proxy, to_js
from pyscript import config, js_import

from tabletin.app.browser.packages import install
from tabletin.app.browser.workers import absolute
from tabletin.app.room.camera import NoCamera

ANSWER_TIME: Final = 60_000  # ms for another tab to take a reply: it may be at work
CHANNEL: Final = "tabletin replies"


def _object(**fields: Any) -> Any:
    return to_js(fields, dict_converter=js.Object.fromEntries)


class CodeExchange:
    """One a page."""

    def __init__(self) -> None:
        self._stop: Any = None
        self._channel: Any = None
        self._packages: asyncio.Future[None] | None = None

    @property
    def site(self) -> str:
        """This site's own address, as links begin."""
        location = js.window.location
        return f"{location.origin}{location.pathname}"

    # ---- out ----

    @property
    def can_share(self) -> bool:
        return bool(getattr(js.navigator, "share", None))

    async def share(self, title: str, text: str, link: str) -> bool:
        """Share by the device's own dialog; whether something was shared. ``link``: "" for a text alone."""
        shared = {"title": title, "text": text} | ({"url": link} if link else {})
        try:
            await js.navigator.share(_object(**shared))
        except JsException:  # cancelled by the player, or not allowed here
            return False
        return True

    async def copy(self, text: str) -> bool:
        """Put ``text`` on the clipboard; whether that was possible."""
        try:
            await js.navigator.clipboard.writeText(text)
        except (JsException, AttributeError):
            return self._copy_selected(text)
        return True

    def _copy_selected(self, text: str) -> bool:
        """Copy in the way of older browsers."""
        area = js.document.createElement("textarea")
        area.value = text
        js.document.body.append(area)
        area.select()
        done = bool(js.document.execCommand("copy"))
        area.remove()
        return done

    def prepare_qr(self) -> None:
        """Begin to load what draws QR codes, while the text of one is still being made. Failures show in ``qr``."""
        if self._packages is None:
            self._packages = asyncio.ensure_future(install("segno"))
            self._packages.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def qr(self, text: str, label: str) -> str:
        """``text`` as a QR code, as SVG; "" where what draws it cannot be fetched: the text goes other ways then."""
        self.prepare_qr()
        assert self._packages is not None
        try:
            await asyncio.shield(self._packages)
        except OSError:
            self._packages = None  # the next code tries again
            return ""
        from tabletin.app.ui.qr import picture
        return picture(text, label)

    # ---- in ----

    async def read_clipboard(self) -> str:
        """The text on the clipboard; "" if it may not be read."""
        try:
            return str(await js.navigator.clipboard.readText())
        except (JsException, AttributeError):
            return ""

    async def picture(self, file: Any) -> str:
        """The text of the QR code in a picture; "" for none."""
        scan = await self._scanner()
        return str(await scan.picture(file, self._wasm))

    async def camera(self, video: Any) -> str:
        """The text of the first QR code that the camera sees, shown in ``video``; "" when stopped.

        Raises ``NoCamera``.
        """
        self.stop_camera()
        stop = self._stop = js.AbortController.new()
        try:
            scan = await self._scanner()
            return str(await scan.camera(video, self._wasm, stop.signal))
        except JsException as error:
            if stop.signal.aborted:
                return ""
            name = str(error.name)
            raise NoCamera("denied" if name in ("NotAllowedError", "SecurityError") else "none") from error

    def stop_camera(self) -> None:
        if self._stop is not None:
            self._stop.abort()
            self._stop = None

    async def _scanner(self) -> Any:
        module, = await js_import(absolute(config["tabletin"]["modules"]["scan"]))
        return module

    @property
    def _wasm(self) -> str:
        return absolute(config["tabletin"]["assets"]["scan"])

    # ---- between the tabs of this device ----

    def listen(self, take: Callable[[str], bool]) -> None:
        """Call ``take`` with each reply that another tab was opened with; it answers whether the reply belongs to this tab."""
        if self._channel is None and getattr(js.window, "BroadcastChannel", None):
            self._channel = js.BroadcastChannel.new(CHANNEL)
            self._channel.onmessage = create_proxy(
                lambda event: self._channel.postMessage(f"taken {event.data}")
                if not str(event.data).startswith("taken ") and take(str(event.data)) else None)

    async def hand_over(self, reply: str) -> bool:
        """Give a reply to the tab that waits for it; whether one took it."""
        if not getattr(js.window, "BroadcastChannel", None):
            return False
        channel = js.BroadcastChannel.new(CHANNEL)
        answered: Awaitable[bool] = js.Promise.new(create_proxy(lambda resolve, _reject: self._await(channel, reply, resolve)))
        try:
            return bool(await answered)
        finally:
            channel.close()

    @staticmethod
    def _await(channel: Any, reply: str, resolve: Any) -> None:
        channel.onmessage = create_proxy(lambda event: resolve(True) if str(event.data) == f"taken {reply}" else None)
        channel.postMessage(reply)
        js.setTimeout(create_proxy(lambda: resolve(False)), ANSWER_TIME)
