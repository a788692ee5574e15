"""The rulebook beside the table, from its menu."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.tables import begin
from tests.support.examples import MANY_HANDS

pytestmark = pytest.mark.shares_pages

SEED = 5


def test_rules_are_two_taps_away_at_the_table(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, MANY_HANDS, seats="me,easy", seed=SEED)
    page.locator(".table-bar [aria-label=More]").click()
    page.locator(".panel [data-key=rules]").click()
    expect(page.locator(".panel-title")).to_be_focused()
    expect(page.locator(".panel article figure").first).to_be_attached()
    expect(page.locator(".table-screen")).to_be_visible()
