"""A page that one test leaves to the next is as it was when it was opened."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.support.page_python import get_inside, watch
from e2e.support.rooms import hosted
from e2e.support.shared_pages import SharedPages
from e2e.support.site import Heard, Served
from tests.support.examples import ONE_DEAL

AS_IT_IS = """async () => {
    const { dataset, lang } = document.documentElement;
    const shown = ["home", "screen", "notices", "announcer"].map((id) => document.getElementById(id));
    return [location.hash, document.title, lang, { ...dataset }, innerWidth, matchMedia("(prefers-reduced-motion)").matches,
        shown.map(({ hidden, innerHTML }) => [hidden, innerHTML]), { ...localStorage }, await tabletinStore.records(),
        ["far", "wire", "inside", "altered", "pressed"].filter((name) => Object.hasOwn(globalThis, name)),
        (await navigator.locks.query()).held.length];
}"""


@pytest.fixture
def arguments(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Of a context that no other test has."""
    return {**browser_context_args, "viewport": {"width": 1111, "height": 700}, "timezone_id": "Europe/Vienna"}


def as_it_is(page: Page) -> Any:
    """What the page shows and keeps, once home is whole: the line of the puzzle comes a moment later."""
    expect(page.locator("#puzzle-line")).to_contain_text("★")
    return page.evaluate(AS_IT_IS)


def use(page: Page) -> None:
    """Leave something everywhere: another language, a match, a room, what a test put there."""
    page.evaluate("location.hash = '#/settings'")
    page.locator("#language").select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.evaluate(f"location.hash = '#/{ONE_DEAL}/new?seats=me,easy'")
    page.locator("#play").click()
    expect(page.locator(".table-screen .stage")).to_be_visible()
    get_inside(page)
    watch(page)
    page.set_viewport_size({"width": 400, "height": 700})
    page.emulate_media(reduced_motion="no-preference")


def test_nothing_is_left_of_the_test_before(
    shared_pages: SharedPages, heard: Heard, served: Served, arguments: dict[str, Any],
) -> None:
    page = shared_pages.take(arguments, heard, served.address)
    before = as_it_is(page)
    use(page)
    shared_pages.give_back(heard)
    again = shared_pages.take(arguments, heard, served.address)
    assert again is page
    assert as_it_is(page) == before
    hosted(page)
    shared_pages.give_back(heard)
    assert shared_pages.take(arguments, heard, served.address) is page
    assert as_it_is(page) == before
    with pytest.raises(AssertionError, match="would last longer"):
        page.add_init_script("")
    shared_pages.give_back(heard)
