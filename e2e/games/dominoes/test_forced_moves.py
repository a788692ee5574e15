"""What is no choice is done for a person: answering that one does not have a domino, drawing, passing."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from e2e.games.dominoes.player import MOST_STEPS, QUICK_MATCH, by_click, waiting
from e2e.support.tables import begin_with

pytestmark = pytest.mark.shares_pages

ONE_WAY = ("none", "draw", "pass")
STORED = json.dumps({"pace": "instant", "sound_asked": True})


def test_a_round_is_played_without_tapping_what_is_no_choice(visit: Callable[..., Page], page: Page) -> None:
    begin_with(STORED, visit, page, "dominoes", seats="me,easy", seed=5, **QUICK_MATCH)
    for _ in range(MOST_STEPS):
        what = waiting(page)
        if what in ("ready", "result"):
            break
        if what in ONE_WAY:
            page.wait_for_timeout(20)  # it goes by itself
        else:
            by_click(page, what)
    else:
        raise AssertionError("the round does not end")
    said = page.locator(".spoken").inner_text()
    assert "You" in said
