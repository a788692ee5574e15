"""Iota's guide: a way other than the one it shows."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.tables import begin_guide

pytestmark = pytest.mark.shares_pages


def test_another_way_is_explained_and_leaves_nothing_behind(visit: Callable[..., Page], page: Page) -> None:
    begin_guide(page, visit, "iota")
    page.locator("#guide-on").click()
    expect(page.locator(".guided .piece.is-pointed")).to_have_count(1)
    expect(page.locator(".note")).to_have_text("")  # the guide alone says what to do
    expect(page.locator(".actions [data-key=trade]")).to_have_count(0)  # what would be refused is not offered
    page.locator(".over > .piece.can-tap").nth(1).click()
    page.locator(".spot.on-plane").first.click()
    expect(page.locator(".note")).to_contain_text("That works too")
    expect(page.locator(".actions .primary[data-key=play]")).to_have_count(0)
    expect(page.locator(".guided .piece.is-pointed .name")).to_have_attribute("aria-label", re.compile("^red circle 2"))
    page.locator("#guide-skip").click()
    expect(page.locator("form.newmatch")).to_be_visible()
    expect(page.locator("#first-time")).to_have_count(0)
    page.goto(page.url.split("#")[0] + "#/")
    expect(page.locator("#unfinished")).to_be_hidden()
