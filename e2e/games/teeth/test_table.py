"""Teeth in the browser: a phone held sideways in very large text."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from e2e.support.tables import QUICK, begin_with, my_turn, resting

pytestmark = pytest.mark.shares_pages

OVERLAPPING: Final = """() => {  // words of the table that lie over other words
    const found = [...document.querySelectorAll(".label:not(.count), .plate")];
    const over = (one, other) => {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        return wide > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    };
    return found.flatMap((one, at) => found.slice(at + 1).filter((other) => over(one, other))
        .map((other) => `${one.textContent} / ${other.textContent}`));
}"""


HIGHER: Final = """() => [...document.querySelectorAll(".spot > .points")]
    .map((points) => [points.parentElement.clientHeight, points.clientHeight])
    .filter(([high, words]) => !(words <= 0.45 * high))"""  # places whose upper half does not stay free of what they would bring


@pytest.mark.browser_context_args(viewport={"width": 844, "height": 390})
def test_in_very_large_text_columns_and_the_drawn_card_have_room_on_a_phone_held_sideways(
        visit: Callable[..., Page], page: Page) -> None:
    begin_with(json.dumps({**json.loads(QUICK), "text": "200"}), visit, page, "teeth", seats="me,easy", seed=3)
    assert my_turn(page)
    assert page.evaluate(OVERLAPPING) == []
    page.locator("[data-key=draw]").click()
    drawn = page.locator(".piece.can-drag")
    expect(drawn).to_have_count(1)
    assert resting(drawn)["width"] >= 44
    assert page.evaluate(OVERLAPPING) == []
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".spot > .points .small-back").first).to_be_visible()
    assert page.evaluate(HIGHER) == [], "they covered the corners of the cards"
    assert page.evaluate(OVERLAPPING) == []
