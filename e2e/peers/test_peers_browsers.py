"""Friends with different browsers: a match between two Firefoxes, and one between Firefox and Chromium, through the room's own
screens; either side is loaded anew and plays on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.support.rooms import RETURNS, hosted, meet, playing, python
from e2e.support.rooms import ready as say_ready
from e2e.support.site import Heard, Served, device_context, ready, until
from e2e.support.tables import do_as_hinted
from tests.support.examples import ONE_DEAL

pytestmark = [pytest.mark.firefox_only, pytest.mark.keeps_site]
TURN = ".table-screen.my-turn"
WAITS = """
import asyncio
from js import document
from tabletin.app.main import app
driver = app.app.rooms.transport.driver
stored, store = [], driver._store
driver._store = lambda *given: stored.append(given) or store(*given)
before = set(driver.mesh.state.links)
await asyncio.sleep(8)  # Firefox gives up after five a connection that has nothing to try
document.documentElement.dataset.waits = f"{len(stored)} {driver.mesh.state.arms_lost} {before == set(driver.mesh.state.links)}"
"""
"""How often something was stored meanwhile, how many connections that waited were lost, and whether all are still there."""

LOSES = """
import asyncio
from js import document
from tabletin.app.main import app
while not app.app.rooms.transport.driver.mesh.state.arms_lost:
    await asyncio.sleep(0.5)
document.documentElement.dataset.loses = "yes"
"""
"""Says so once the browser has given connections up that waited, and the mesh knows."""
HELD_UP = "() => { const end = performance.now() + 18000; while (performance.now() < end); }"
"""Holds a page up for longer than Firefox keeps a connection that has nothing to try."""


@pytest.fixture(params=["firefox", pytest.param("chromium", marks=pytest.mark.wide)])  # tests/networks has the two together
def friend(
    request: pytest.FixtureRequest, new_device: Callable[..., Page], browser_context_args: dict[str, Any], served: Served,
    heard: Heard,
) -> Any:
    """The device of somebody else: in another Firefox, or in a Chromium."""
    if request.param == "firefox":
        yield new_device()
        return
    beside: Browser = request.getfixturevalue("chromium_beside")
    context = device_context(beside, browser_context_args)
    heard.watch(context)
    page = context.new_page()
    page.goto(served.address)
    ready(page)
    yield page
    context.close()


def to_move(*pages: Page) -> Page:
    """The page whose turn it is, once it is anybody's."""
    found: list[Page] = []

    def looked() -> bool:
        found[:] = [page for page in pages if page.locator(TURN).count()]
        return bool(found)

    until(pages[0], looked)
    return found[0]


def two_turns(*pages: Page) -> None:
    """Each of two makes the move that its hint names; both hear of it."""
    for _ in pages:
        page = to_move(*pages)
        entries = [other.locator(".log-button").count() for other in pages]
        do_as_hinted(page)
        expect(page.locator(TURN)).to_have_count(0)
        for other, before in zip(pages, entries, strict=True):
            expect(other.locator(".log-button")).not_to_have_count(before)


def finds_back(page: Page) -> None:
    """Wait until each of the two would find the other after a reload."""
    page.evaluate("() => { delete document.documentElement.dataset.returns; }")
    python(page, RETURNS)
    page.wait_for_function("document.documentElement.dataset.returns === 'yes'")


def test_a_match_goes_on_after_a_reload_of_either_side(new_device: Callable[..., Page], friend: Page) -> None:
    host = hosted(new_device(), ONE_DEAL, "Ada")
    meet(host, friend, "Bo")
    for page in (host, friend):
        say_ready(page)
    playing(host, friend)
    two_turns(host, friend)
    for reloaded in (host, friend):
        for page in (host, friend):
            finds_back(page)
        reloaded.reload()
        ready(reloaded)
        playing(reloaded)
        two_turns(host, friend)


@pytest.mark.wide
@pytest.mark.parametrize("friend", ["firefox"], indirect=True)
def test_a_page_that_was_held_up_for_long_is_still_found_after_a_reload(new_device: Callable[..., Page], friend: Page,
                                                                        heard: Heard) -> None:
    heard.provoked = True  # Firefox says on the console that it gave a waiting connection up
    host = hosted(new_device(), ONE_DEAL, "Ada")
    meet(host, friend, "Bo")
    for page in (host, friend):
        say_ready(page)
    playing(host, friend)
    for page in (host, friend):
        finds_back(page)
    friend.evaluate(HELD_UP)
    python(friend, LOSES)
    friend.wait_for_function("document.documentElement.dataset.loses")
    for page in (host, friend):
        finds_back(page)
    host.reload()
    ready(host)
    playing(host)
    two_turns(host, friend)


def test_connections_that_wait_are_kept_and_nothing_is_stored_meanwhile(new_device: Callable[..., Page], friend: Page) -> None:
    host = hosted(new_device(), ONE_DEAL, "Ada")
    meet(host, friend, "Bo")
    for page in (host, friend):
        finds_back(page)
    for page in (host, friend):
        python(page, WAITS)
    for page in (host, friend):
        page.wait_for_function("document.documentElement.dataset.waits")
        assert page.evaluate("document.documentElement.dataset.waits") == "0 0 True"
