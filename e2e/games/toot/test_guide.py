"""TooT's guide in large text: what it says is read whole."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from e2e.screens.test_guides import follow, tap
from e2e.support.tables import QUICK, begin_guide

pytestmark = pytest.mark.shares_pages

WHOLE = """() => {
    const words = document.querySelector("#guide-words");
    return words.scrollHeight <= words.clientHeight + 1;
}"""


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 390, "height": 844})
def test_no_line_of_it_is_cut_in_text_twice_as_large(visit: Callable[..., Page], page: Page) -> None:
    begin_guide(page, visit, "toot-progressive")
    page.evaluate("(settings) => tabletin.dress(settings)", json.dumps({**json.loads(QUICK), "text": 200}))

    def read_and_tap(page: Page) -> None:
        assert page.evaluate(WHOLE), page.locator("#guide-words").inner_text()
        tap(page)

    assert follow(page, read_and_tap) > 8
