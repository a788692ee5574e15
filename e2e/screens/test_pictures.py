"""Home and a table as pictures for docs/browsers.md, in the browser under test: ``pytest e2e --pictures docs``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from e2e.support.pictures import MOST_BYTES, QUALITY
from e2e.support.site import Heard
from e2e.support.tables import begin, my_turn
from tests.support.examples import ONE_DEAL

pytestmark = [pytest.mark.pictures, pytest.mark.firefox]
SCREEN = {"viewport": {"width": 800, "height": 600}, "color_scheme": "light"}
AT_REST = """() => document.fonts.status === "loaded"
    && document.getAnimations().every(({ playState }) => playState !== "running")"""


@pytest.mark.browser_context_args(**SCREEN)
def test_home_and_a_table(visit: Callable[..., Page], page: Page, browser_name: str, pictures: Path, heard: Heard) -> None:
    heard.provoked = True  # the driver adds a style to take a picture, and the page refuses it

    def take(name: str) -> None:
        page.wait_for_function(AT_REST)
        path = pictures / f"{name}-{browser_name}.jpg"
        page.screenshot(path=path, type="jpeg", quality=QUALITY)
        assert 5_000 < path.stat().st_size < MOST_BYTES

    visit("#/")
    expect(page.locator("#home h1")).to_be_visible()
    take("home")
    begin(visit, page, ONE_DEAL, seed=5, first_seat=1)
    assert my_turn(page)
    take("table")
