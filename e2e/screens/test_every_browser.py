"""What Chromium's tests look at screen by screen, at one go in Firefox: every screen opens, and axe finds nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.tables import begin, my_turn
from tests.support.examples import MANY_HANDS, ONE_DEAL, WIDEST

SCREENS = (f"#/{ONE_DEAL}/new", f"#/{WIDEST}/rules", "#/settings", "#/matches", "#/room", "#/judge", f"#/{MANY_HANDS}/guide")


@pytest.mark.firefox_only
def test_every_screen_opens_and_axe_finds_nothing(
    visit: Callable[..., Page], page: Page, axe: Callable[[Page], list[str]],
) -> None:
    begin(visit, page, ONE_DEAL, seed=5)
    assert my_turn(page)
    found = {"table": axe(page)}
    visit("#/")
    expect(page.locator("#unfinished a")).to_be_visible()
    found["#/"] = axe(page)
    for at in SCREENS:
        before = page.title()
        visit(at)
        expect(page).not_to_have_title(before)
        found[at] = axe(page)
    assert {at: wrong for at, wrong in found.items() if wrong} == {}
