"""What makes a table one's own: its cloth, and a pause."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.shell import to
from e2e.support.tables import begin
from tests.support.examples import ONE_DEAL

pytestmark = pytest.mark.shares_pages


def test_another_cloth_lies_on_the_table_and_the_backs_go_with_it(visit: Callable[..., Page], page: Page,
                                                                  axe: Callable[[Page], list[str]]) -> None:
    visit("#/settings")
    page.get_by_role("radio", name="Checked").check()
    expect(page.locator("html")).to_have_attribute("data-cloth", "gingham")
    to(page, f"#/{ONE_DEAL}/new")
    page.locator("#play").click()
    stage = page.locator(".table-screen .stage")
    expect(stage).to_be_visible()
    assert "gradient" in stage.evaluate("(one) => getComputedStyle(one).backgroundImage")
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--back').trim()") == "#84200a"
    assert axe(page) == []


def test_a_pause_covers_the_cards_until_it_ends(visit: Callable[..., Page], page: Page, axe: Callable[[Page], list[str]]) -> None:
    begin(visit, page, ONE_DEAL, seats="me,easy", first_seat=1)
    page.get_by_role("button", name="More", exact=True).click()
    page.locator("[data-key=pause]").click()
    on = page.locator("[data-key=go_on]")
    expect(on).to_be_focused()
    expect(page.locator(".stage .piece").first).to_be_hidden()
    expect(page.locator(".table-screen h1")).to_have_text("Pause")
    expect(page.locator(":is(.actions, .hand-actions) button:visible")).to_have_count(0)
    expect(page.locator(".note")).to_be_hidden()
    assert axe(page) == []
    on.press("Enter")
    expect(page.locator(".stage .piece").first).to_be_visible()
    expect(page.locator(".my-turn")).to_be_visible()
