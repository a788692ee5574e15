"""What every test of home-like networks stands on: houses, servers, and a browser without any flag about WebRTC in a house."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright

from e2e.support.site import LATER, Heard
from tests.networks.houses import Internet, Space
from tests.networks.programs import Program, Servers, ours
from workshop import site
from workshop.chromium import FLAGS, chromium
from workshop.namespaces import INSIDE

SITE_PORT = 8340
NO_ERRANDS = "--host-resolver-rules=MAP *.google.com ~NOTFOUND, MAP *.googleapis.com ~NOTFOUND"
"""The browser looks for news at its maker's, whatever page it shows; the site never names those hosts."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "wide: one of the many rows that CI leaves out")


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
def heard() -> Iterator[Heard]:
    """Nothing is said in the console, and the page asks no other origin for a file."""
    found = Heard([], [])
    yield found
    assert found.messages == []
    assert found.elsewhere == []


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
    """``browse(device, settings)``: the site in a browser of that device, with these settings from before.

    The page is still starting, so that several start at once: wait until they are ``ready``. Asked for a second time, after
    the browser was killed, it starts with what it has kept.
    """
    contexts: list[BrowserContext] = []
    served: set[str] = set()

    def browse(device: Space, settings: dict[str, object] | None = None) -> Page:
        if device.name not in served:
            started(device, "site", str(built), str(SITE_PORT))
            served.add(device.name)
        wrapper = tmp_path / f"chromium-{device.name}"
        wrapper.write_text(f'#!/bin/sh\nexec {" ".join(device.inside(str(chromium())))} "$@"\n', "utf-8")
        wrapper.chmod(0o755)
        context = playwright.chromium.launch_persistent_context(
            tmp_path / device.name, executable_path=wrapper, args=[*FLAGS, LATER, NO_ERRANDS],
            viewport={"width": 390, "height": 844}, locale="en-GB", reduced_motion="reduce", has_touch=True)
        contexts.append(context)
        heard.watch(context)
        if settings is not None:
            context.add_init_script(f"localStorage.getItem('tabletin.settings') ?? "
                                    f"localStorage.setItem('tabletin.settings', {json.dumps(json.dumps(settings))})")
        page = context.pages[0]
        page.goto(f"http://localhost:{SITE_PORT}/", wait_until="commit")
        return page

    yield browse
    for context in contexts:
        context.close()
