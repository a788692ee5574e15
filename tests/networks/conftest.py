"""What every test of home-like networks stands on: houses, servers, and a browser without any flag about WebRTC in a house."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright

from e2e.support.firefox import LACKING_COMMANDS
from e2e.support.second_attempt import pytest_runtest_protocol as pytest_runtest_protocol
from e2e.support.second_attempt import pytest_terminal_summary as pytest_terminal_summary
from e2e.support.site import COMPILED_ONCE, PATIENCE, Heard
from tests.networks.houses import SERVERS, SERVERS_6, Internet, Space
from tests.networks.programs import CHROMIUM, ENVIRONMENT, FIREFOX, RELAY_PORTS, Program, Servers, ours
from workshop import site
from workshop.chromium import FLAGS, chromium
from workshop.firefox import firefox
from workshop.namespaces import INSIDE

SITE_PORT = 8340
FIREFOX_SAYS = re.compile(r"ICE failed, (add a (STUN|TURN) server|see about:webrtc)|can’t establish a connection to the server at ws://"
                          r"|The connection to ws://\S+ was interrupted")
"""What Firefox itself notes where a network lets something not through."""
SOCKETS = {f"http://{address}:{port}/" for address in (SERVERS, f"[{SERVERS_6}]") for port in RELAY_PORTS}
"""What Firefox's driver calls a relay's sockets; Chromium's does not tell of any."""
NO_ERRANDS = "--host-resolver-rules=MAP *.google.com ~NOTFOUND, MAP *.googleapis.com ~NOTFOUND"
"""The browser looks for news at its maker's, whatever page it shows; the site never names those hosts."""


class Launch(NamedTuple):
    """How a browser is started in a device. ``command``: the words for that device; ``options``: what Playwright is told."""

    command: Callable[[Space], list[str]]
    options: dict[str, Any]


def driven_firefox(device: Space) -> list[str]:
    words = sys.executable, "-m", "tests.networks.driven", device.name, str(firefox())
    return ["env", f"PYTHONPATH={ENVIRONMENT['PYTHONPATH']}", *words]


LAUNCHES = {
    CHROMIUM: Launch(lambda device: device.inside(str(chromium())), {"args": [*FLAGS, COMPILED_ONCE, NO_ERRANDS]}),
    FIREFOX: Launch(driven_firefox, {"channel": "moz-firefox", "args": [], "firefox_user_prefs": {
        "ui.prefersReducedMotion": 1}}),
}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "wide: one of the many rows that CI leaves out")
    config.addinivalue_line("markers", "keeps_site: pages keep the site for use offline, as they do when nobody tests them")
    if INSIDE in os.environ:
        os.environ["NODE_OPTIONS"] = f"--require={LACKING_COMMANDS}"


if INSIDE not in os.environ:  # they would make their namespaces in the world of this machine
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder of the built site."""
    return site.built()


@pytest.fixture
def internet() -> Iterator[Internet]:
    made = Internet()
    yield made
    made.remove()


@pytest.fixture
def servers(internet: Internet) -> Iterator[Servers]:
    made = Servers(internet.servers)
    yield made
    made.stop()


@pytest.fixture
def heard(request: pytest.FixtureRequest) -> Iterator[Heard]:
    """Pages say nothing in the console, and ask no other origin for a file."""
    found = Heard([], [], keeps_site=request.node.get_closest_marker("keeps_site") is not None)
    yield found
    assert [said for said in found.messages if not FIREFOX_SAYS.search(said)] == []
    assert [address for address in found.elsewhere if address not in SOCKETS] == []


@pytest.fixture
def started(internet: Internet) -> Iterator[Callable[..., Program]]:
    """``started(space, *words)``: a program of ours in a namespace, until the test is over."""
    running: list[Program] = []

    def start(space: Space, *words: str) -> Program:
        running.append(Program(space, *ours(*words)))
        return running[-1]

    yield start
    for one in running:
        one.stop()


@pytest.fixture
def browse(playwright: Playwright, built: Path, tmp_path: Path, heard: Heard,
           started: Callable[..., Program]) -> Iterator[Callable[..., Page]]:
    """``browse(device, settings, browser)``: the site in a browser of that device, with these settings from before.

    ``browser``: ``CHROMIUM`` or ``FIREFOX``, neither with a flag about WebRTC. The page is still starting, so that several
    start at once: wait until they are ``ready``. Asked for a second time, after the browser was killed, it starts with what
    it has kept.
    """
    contexts: list[BrowserContext] = []
    served: set[str] = set()

    def browse(device: Space, settings: dict[str, object] | None = None, browser: str = CHROMIUM) -> Page:
        if device.name not in served:
            started(device, "site", str(built), str(SITE_PORT))
            served.add(device.name)
        launch = LAUNCHES[browser]
        wrapper = tmp_path / f"{browser}-{device.name}"
        wrapper.write_text(f'#!/bin/sh\nexec {shlex.join(launch.command(device))} "$@"\n', "utf-8")
        wrapper.chmod(0o755)
        kind = playwright.firefox if browser == FIREFOX else playwright.chromium
        context = kind.launch_persistent_context(
            tmp_path / device.name, executable_path=wrapper, viewport={"width": 390, "height": 844}, locale="en-GB",
            timeout=2 * PATIENCE, reduced_motion="reduce", has_touch=browser == CHROMIUM, **launch.options)
        contexts.append(context)
        heard.watch(context)
        if settings is not None:
            context.add_init_script("if (location.protocol === 'http:') localStorage.getItem('tabletin.settings') ?? "
                                    f"localStorage.setItem('tabletin.settings', {json.dumps(json.dumps(settings))})")
        page = context.pages[0]
        page.goto(f"http://localhost:{SITE_PORT}/", wait_until="commit")
        return page

    yield browse
    for context in contexts:
        context.close()
