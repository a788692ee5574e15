"""What every test of the running site stands on: the built site on a free port, a real Chromium, and three watchers.

The watchers fail a test for any console message, any uncaught error and any request to another origin; a test asks for
nothing to get them. ``visit`` opens an address of the site and waits until Python is there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request

from workshop import server, site
from workshop.chromium import FLAGS, chromium
from workshop.paths import NODE_MODULES

READY = "document.documentElement.dataset.python === 'ready'"
PATIENCE = 60_000  # ms until Python is there, on a busy machine
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


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder of the built site."""
    return site.built()


def serving(folder: Path, prefix: str) -> Iterator[Served]:
    served = Served(folder, prefix)
    served.start()
    yield served
    served.stop()


@pytest.fixture(scope="session")
def shared_server(built: Path) -> Iterator[Served]:
    """One server for all tests that do not stop it."""
    yield from serving(built, "/")


@pytest.fixture
def served(shared_server: Served) -> Served:
    """The site at the root of a host."""
    return shared_server


@pytest.fixture
def own_server(built: Path) -> Iterator[Served]:
    """A server of the test's own, to be stopped at will."""
    yield from serving(built, "/")


@pytest.fixture
def under_path(built: Path) -> Iterator[Served]:
    """The site under a path, as on a project's page."""
    yield from serving(built, "/games/tin/")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": str(chromium()), "args": list(FLAGS)}


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    """Ask for this to run a test in light and in dark."""
    return str(request.param)


@pytest.fixture(params=list(VIEWPORTS))
def viewport(request: pytest.FixtureRequest) -> str:
    """Ask for this to run a test on a phone, a tablet and a desktop."""
    return str(request.param)


@pytest.fixture
def browser_context_args(
    browser_context_args: dict[str, Any], request: pytest.FixtureRequest,
) -> dict[str, Any]:
    """The context's settings: in the scheme and on the screen that the test asked for, if it did."""
    wanted = {**browser_context_args, "locale": "en-GB", "reduced_motion": "reduce"}
    if "scheme" in request.fixturenames:
        wanted["color_scheme"] = request.getfixturevalue("scheme")
    if "viewport" in request.fixturenames:
        name = request.getfixturevalue("viewport")
        width, height = VIEWPORTS[name]
        wanted |= {"viewport": {"width": width, "height": height}, "has_touch": name != "desktop"}
    return wanted


@dataclass
class Heard:
    """What pages said and asked for. A test that provokes a message takes it out of ``messages`` itself."""

    messages: list[str]
    elsewhere: list[str]

    def watch(self, context: BrowserContext) -> None:
        """Listen to every page and worker of ``context``."""
        context.on("console", self.said)
        context.on("weberror", lambda error: self.messages.append(f"uncaught: {error.error}"))
        context.on("request", self.asked)

    def said(self, message: ConsoleMessage) -> None:
        self.messages.append(f"{message.type}: {message.text}")

    def asked(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.hostname != "localhost":
            self.elsewhere.append(request.url)


@pytest.fixture(autouse=True)
def heard(context: BrowserContext) -> Iterator[Heard]:
    """Nothing may be said in the console and nothing asked of another origin, in any test."""
    found = Heard([], [])
    found.watch(context)
    yield found
    assert found.messages == []
    assert found.elsewhere == []


@pytest.fixture
def visit(page: Page, served: Served) -> Callable[..., Page]:
    """``visit("#/…")`` opens that address of the site and returns the page once Python is there."""
    def go(path: str = "", *, wait: bool = True) -> Page:
        page.goto(served.address + path)
        if wait:
            ready(page)
        return page

    return go


def ready(page: Page) -> None:
    """Waits until Python is there."""
    page.wait_for_function(READY, timeout=PATIENCE)


def kept_offline(page: Page) -> None:
    """Waits until the service worker has kept the whole site."""
    page.wait_for_function("navigator.serviceWorker.ready.then((found) => found.active?.state === 'activated')",
                           timeout=PATIENCE)


@pytest.fixture
def axe() -> Callable[[Page], list[str]]:
    """``axe(page)`` lists what axe-core finds wrong with the page as it stands: rule, and where."""
    source = (NODE_MODULES / "axe-core" / "axe.min.js").read_text("utf-8")

    def check(page: Page) -> list[str]:
        page.evaluate(source)
        found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        return [
            f"{violation['id']}: {', '.join(' '.join(map(str, node['target'])) for node in violation['nodes'])}"
            for violation in found["violations"]
        ]

    return check
