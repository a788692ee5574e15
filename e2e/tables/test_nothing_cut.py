"""Plates cut neither names nor scores: long names and three digits at every table, on phone and desk, in large text too."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page

from e2e.support.tables import QUICK, begin
from tabletin.app.session.plan import kept_as
from tabletin.registry import GAMES, rules_of

pytestmark = pytest.mark.shares_pages

SIZES: Final = ((390, 844), (844, 390), (1280, 800))
TEXTS: Final = (100, 200)
NAMES: Final = ("Maximilian", "Bruno", "Anna-Sophie", "Großmutter", "Jean-Baptiste", "Schneewittchen")
SCORED: Final = """() => {  // as if they had so many points
    for (const score of document.querySelectorAll(".plate-score")) {
        score.textContent = "−88";
        score.closest(".plate").style.setProperty("--digits", 3);
    }
}"""
WITHIN: Final = "(wide) => document.querySelector('.plate')?.getBoundingClientRect().right <= wide"
CUT: Final = """() => [...document.querySelectorAll(".plate-name, .plate-score, .plate-count")].filter((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const words = range.getBoundingClientRect(), plate = each.closest(".plate").getBoundingClientRect();
    if (words.left < plate.left - 1 || words.right > plate.right + 1) return true;
    if (words.top < plate.top - 1 || words.bottom > plate.bottom + 1) return true;
    const lines = words.height / parseFloat(getComputedStyle(each).fontSize);
    if (each.textContent.length < 7 && lines > 1.7) return true;  // a short name is not broken
    return each.matches(".plate-name") && (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 2);
}).map((each) => `${each.className}: ${each.textContent}`)"""


@pytest.mark.parametrize("game", GAMES)
def test_plates_hold_long_names_and_large_scores(visit: Callable[..., Page], page: Page, game: str) -> None:
    seats = [["me" if not number else "easy", NAMES[number % len(NAMES)]] for number in range(rules_of(game).seat_counts[-1])]
    visit()
    page.evaluate("([key, plan]) => localStorage.setItem(key, plan)", [kept_as(game), json.dumps({"seats": seats})])
    begin(visit, page, game, seed=5)
    found = {}
    for text in TEXTS:
        page.evaluate("(settings) => tabletin.dress(settings)", json.dumps({**json.loads(QUICK), "text": text}))
        for size in SIZES:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.wait_for_function(WITHIN, arg=size[0])
            page.wait_for_timeout(200)
            page.evaluate(SCORED)
            found[text, size] = page.evaluate(CUT)
    assert {where: cut for where, cut in found.items() if cut} == {}
