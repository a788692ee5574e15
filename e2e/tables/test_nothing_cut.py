"""Plates cut neither names nor scores: long names and three digits at every table, on a phone and on a desk, in large text too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page

from e2e.support.tables import begin_with
from tabletin.registry import GAMES, rules_of

pytestmark = pytest.mark.shares_pages

SIZES: Final = ((390, 844), (844, 390), (1280, 800))
USUAL, LARGE = ('{"pace":"instant","own_taps":true,"sound_asked":true,"text":%d}' % size for size in (100, 200))
LENGTHEN: Final = """() => {  // as if they were called so and had so many points
    const names = ["Maximilian", "Anna-Sophie", "Großmutter", "Jean-Baptiste", "Schneewittchen"];
    [...document.querySelectorAll(".plate")].forEach((plate, number) => {
        const name = names[number % names.length], score = plate.querySelector(".plate-score");
        plate.querySelector(".plate-name").textContent = name;
        plate.style.setProperty("--letters", name.length + 2);
        if (score) {
            score.textContent = "−888";
            plate.style.setProperty("--digits", 4);
        }
    });
}"""
CUT: Final = """() => [...document.querySelectorAll(".plate-name, .plate-score, .plate-count")].filter((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const words = range.getBoundingClientRect(), plate = each.closest(".plate").getBoundingClientRect();
    const out = words.left < plate.left - 1 || words.right > plate.right + 1 || words.top < plate.top - 1
        || words.bottom > plate.bottom + 1;
    return out || each.scrollWidth > each.clientWidth + 1 && each.matches(".plate-name") || each.scrollHeight > each.clientHeight + 2
        && each.matches(".plate-name");
}).map((each) => `${each.className}: ${each.textContent}`)"""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("stored", [USUAL, LARGE], ids=["usual", "large"])
def test_plates_hold_long_names_and_large_scores(visit: Callable[..., Page], page: Page, game: str, stored: str) -> None:
    seats = rules_of(game).seat_counts[-1]
    begin_with(stored, visit, page, game, seats=",".join(["me", *["easy"] * (seats - 1)]), seed=5)
    found = {}
    for size in SIZES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_function("(wide) => document.querySelector('.plate')?.getBoundingClientRect().right <= wide", arg=size[0])
        for names in ("stock", "long"):
            if names == "long":
                page.evaluate(LENGTHEN)
            found[size, names] = page.evaluate(CUT)
    assert {where: cut for where, cut in found.items() if cut} == {}
