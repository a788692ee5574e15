"""TooT's guide in large text: what it says is read whole."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.tables import QUICK, begin_guide, resting

pytestmark = pytest.mark.shares_pages

STEPS = 8  # of the guide, among them its longest
NEXT = """(before) => {
    const now = document.querySelector("#guide")?.dataset.now;
    return now && now !== before && document.querySelector("#guide-on, .guided .is-pointed") ? now : null;
}"""
WHOLE = """() => {
    const words = document.querySelector("#guide-words");
    return words.scrollHeight <= words.clientHeight + 1;
}"""


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844})
def test_no_line_of_it_is_cut_in_text_twice_as_large(visit: Callable[..., Page], page: Page) -> None:
    begin_guide(page, visit, "toot-progressive")
    page.evaluate("(settings) => tabletin.dress(settings)", json.dumps({**json.loads(QUICK), "text": 200}))
    now = ""
    for step in range(STEPS):
        now = str(page.wait_for_function(NEXT, arg=now).json_value())
        assert page.evaluate(WHOLE), (step, page.locator("#guide-words").inner_text())
        page.evaluate("document.querySelector('#guide-on, .guided .is-pointed').focus()")
        page.keyboard.press("Enter")


@pytest.mark.browser_context_args(viewport={"width": 844, "height": 390})
def test_so_the_hand_is_seen_on_a_phone_held_sideways(visit: Callable[..., Page], page: Page) -> None:
    begin_guide(page, visit, "toot-fluke", json.dumps({**json.loads(QUICK), "text": "200"}))
    for _ in range(2):
        page.locator("#guide-on, .actions .is-pointed").first.click()
    pointed = page.locator(".piece.can-drag.is-pointed")
    expect(pointed).to_have_count(1)
    box = resting(pointed)
    assert box["width"] >= 44 and box["y"] + box["height"] <= 390


EARLY = """() => {  // what is asked of the learner while the table still shows another one's turn
    window.early = [];
    const words = document.querySelector("#guide-words"), status = () => document.querySelector(".table-bar .status").innerText;
    new MutationObserver(() => {
        if (words.textContent.includes("Your turn") && !status().startsWith("Your turn")) window.early.push(status());
    }).observe(words, { childList: true, characterData: true, subtree: true });
}"""


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844}, has_touch=True)
def test_a_turn_is_announced_once_it_has_come(visit: Callable[..., Page], page: Page) -> None:
    begin_guide(page, visit, "toot-pursuit", json.dumps({**json.loads(QUICK), "pace": "brisk"}))
    page.evaluate(EARLY)
    words, now = page.locator("#guide-words"), ""
    while "Your turn" not in words.inner_text():
        now = str(page.wait_for_function(NEXT, arg=now).json_value())
        if "Your turn" not in words.inner_text():
            page.evaluate("document.querySelector('#guide-on, .guided .is-pointed').focus()")
            page.keyboard.press("Enter")
    assert page.evaluate("window.early") == []
