"""The site under test: served, watched, waited for. Fixtures that hand it out stand in ``e2e/conftest.py``."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, WebError, expect

from workshop import server

READY = "document.documentElement.dataset.python === 'ready'"
PEER_FLAGS = (  # without them a machine that has only loopback offers no way from browser to browser
    "--allow-loopback-in-peer-connection", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
)
# Once it is warm, Python's interpreter would be compiled a second time, for speed: a third of what a page's start costs. Only
# pages that live longer than most tests gain by it.
COMPILED_ONCE = "--js-flags=--liftoff-only"
# A service worker fetches the site a second time: a fifth of what a device's start costs.
UNKEPT = "if (navigator.serviceWorker) navigator.serviceWorker.register = () => new Promise(() => {});"
PATIENCE = 300_000  # ms for anything that is waited for: on a starved machine a page's start alone has taken 150 s
expect.set_options(timeout=PATIENCE)
VIEWPORTS = {"phone": (360, 740), "tablet": (820, 1180), "desktop": (1440, 900)}


@dataclass
class Served:
    """The site while it is served. ``stop`` and ``start`` take the network away and give it back on the same port."""

    folder: Path
    prefix: str
    port: int = 0
    running: server.Server | None = None

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}{self.prefix}"

    def start(self) -> None:
        self.running = server.server(self.folder, port=self.port, prefix=self.prefix)
        self.port = self.running.server_port
        threading.Thread(target=self.running.serve_forever, daemon=True).start()

    def stop(self) -> None:
        if self.running is not None:
            self.running.shutdown()
            self.running.server_close()
            self.running = None


def serving(folder: Path, prefix: str) -> Iterator[Served]:
    served = Served(folder, prefix)
    served.start()
    yield served
    served.stop()


@dataclass
class Heard:
    """What pages said and asked for. A test that provokes messages says so first (``provoked``), and finds them in
    ``expected``. ``keeps_site``: whether pages keep the site for use offline, as they do when nobody tests them."""

    messages: list[str]
    elsewhere: list[str]
    slow: float = 1
    keeps_site: bool = True
    expected: list[str] = field(default_factory=list)
    provoked: bool = False

    def watch(self, context: BrowserContext) -> None:
        """Listen to every page and worker of ``context``, which is used with patience from now on."""
        self.prepare(context)
        self.listen(context)

    def prepare(self, context: BrowserContext) -> None:
        """``context`` is used with patience, and keeps the site only where that is wanted."""
        context.set_default_timeout(PATIENCE)
        if not self.keeps_site:
            context.add_init_script(UNKEPT)
        if self.slow > 1:
            context.on("page", self.slowed)

    def listen(self, context: BrowserContext) -> None:
        context.on("console", self.said)
        context.on("weberror", self.failed)
        context.on("request", self.asked)

    def unlisten(self, context: BrowserContext) -> None:
        """Another test listens to ``context`` from now on."""
        context.remove_listener("console", self.said)
        context.remove_listener("weberror", self.failed)
        context.remove_listener("request", self.asked)

    def failed(self, error: WebError) -> None:
        self.note(f"uncaught: {error.error}")

    def slowed(self, page: Page) -> None:
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": self.slow})

    def said(self, message: ConsoleMessage) -> None:
        if message.text.startswith("Banner not shown"):  # a browser with a profile says so of every page that can be installed
            return
        self.note(f"{message.type}: {message.text}")

    def note(self, words: str) -> None:
        (self.expected if self.provoked else self.messages).append(words)

    def asked(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.hostname != "localhost":
            self.elsewhere.append(request.url)


@dataclass
class Process:
    """A browser of its own: a real process, to be stopped, woken and killed. ``page``: its page."""

    program: subprocess.Popen[bytes]
    page: Page

    def stop(self) -> None:
        os.killpg(self.program.pid, signal.SIGSTOP)

    def wake(self) -> None:
        os.killpg(self.program.pid, signal.SIGCONT)

    def kill(self) -> None:
        """End it without a word. Does nothing the second time."""
        if self.program.poll() is None:
            os.killpg(self.program.pid, signal.SIGKILL)
            self.program.wait()


def device_context(browser: Browser, arguments: dict[str, Any]) -> BrowserContext:
    """A device of its own, with camera and microphone allowed; Firefox's preferences allow them."""
    allowed: dict[str, Any] = {} if browser.browser_type.name == "firefox" else {"permissions": ["camera", "microphone"]}
    return browser.new_context(**arguments, **allowed)


def until(page: Page, holds: Callable[[], object]) -> None:
    """Waits until something holds that the page brings about here, not in itself."""
    for _ in range(PATIENCE // 50):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it never came to that")


def ready(page: Page) -> None:
    """Waits until Python is there, which a touch hurries (web/page/delivery.js).

    It looks now and then: looking at every frame draws frames that nobody asked for.
    """
    page.evaluate("dispatchEvent(new Event('wheel'))")
    page.wait_for_function(READY, polling=50)


def eventually(page: Page, asked: str, given: object = None) -> None:
    """Waits until what ``asked``, a function in JavaScript, promises is true.

    ``wait_for_function`` takes any promise for true.
    """
    until(page, lambda: bool(page.evaluate(asked, given)))


def kept_offline(page: Page) -> None:
    """Waits until the service worker has kept the whole site."""
    eventually(page, "() => navigator.serviceWorker.ready.then((found) => found.active?.state === 'activated')")
