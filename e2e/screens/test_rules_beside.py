"""The rulebook beside the table, from its menu."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.tables import begin
from tests.support.examples import MANY_HANDS

pytestmark = pytest.mark.shares_pages

SEED = 5


def test_the_log_leaves_a_narrow_table_and_rules_are_two_taps_away(visit: Callable[..., Page], page: Page) -> None:
    """A tablet that is turned has no space beside the table: what opened there by itself does not cover it."""
    page.set_viewport_size({"width": 1280, "height": 800})
    begin(visit, page, MANY_HANDS, seats="me,easy", seed=SEED)
    expect(page.locator(".panel .log")).to_be_visible()
    page.set_viewport_size({"width": 820, "height": 1180})
    expect(page.locator(".panel")).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".panel .log")).to_be_visible()
    page.locator(".table-bar [aria-label=More]").click()
    page.locator(".panel [data-key=rules]").click()
    expect(page.locator(".panel-title")).to_be_focused()
    expect(page.locator(".panel article figure").first).to_be_attached()
    expect(page.locator(".table-screen")).to_be_visible()
