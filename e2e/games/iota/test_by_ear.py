"""What a screen reader meets at a table of Iota, and when: the own hand first, what happened before what is asked, who won."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.page_python import get_inside, play_on
from e2e.support.tables import begin, do_as_hinted, my_turn

pytestmark = pytest.mark.shares_pages

HEARD = """() => {
    window.heard = [];
    const note = (changes) => changes.forEach(({ target, addedNodes }) =>
        addedNodes.forEach((node) => window.heard.push([target.className, node.textContent])));
    for (const region of document.querySelectorAll(".spoken, .asked"))
        new MutationObserver(note).observe(region, { childList: true });
}"""
ORDER = """() => {
    const owned = document.querySelector(".stage").getAttribute("aria-owns").split(" ");
    const there = owned.map((id) => document.querySelectorAll(`[id="${id}"]`).length);
    const held = owned.map((id) => document.getElementById(id).querySelector(".name")?.getAttribute("aria-label") ?? "");
    return [owned.length - new Set(owned).size, there.filter((count) => count !== 1).length, held];
}"""
MINE = "Your turn"


def asked(page: Page) -> list[int]:
    """Where among all that was heard one's own turn was."""
    return [at for at, (where, said) in enumerate(page.evaluate("window.heard")) if where == "asked" and said.startswith(MINE)]


def test_what_happened_is_said_before_what_is_asked_and_that_once(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "iota", seats="me,easy", seed=5, first_seat=1)
    my_turn(page)
    page.evaluate(HEARD)
    do_as_hinted(page)
    page.wait_for_function("window.heard.some(([where, said]) => where === 'asked' && said.startsWith('Your turn'))")
    heard = page.evaluate("window.heard")
    (turn,) = asked(page)
    before = [said for where, said in heard[:turn] if where == "spoken"]
    assert any(said.startswith("You ") for said in before) and not before[-1].startswith("You "), "the other's act comes before"
    page.locator(".over > .piece.can-tap.is-legal").first.click()
    expect(page.locator(".note")).to_contain_text("fits")
    assert len(asked(page)) == 1, "a card is chosen: whose turn it is was said"
    expect(page.locator(".asked")).to_be_empty()  # read piece by piece it is met where it stands, once


def test_the_own_hand_is_met_first_and_who_has_won_is_said(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "iota", seats="me,easy", seed=5, half_deck=1)
    get_inside(page)
    play_on(page, 6)
    twice, missing, names = page.evaluate(ORDER)
    assert (twice, missing) == (0, 0)
    assert [f"card {n} of 4 in your hand" in name for n, name in enumerate(names[:4], 1)] == [True] * 4
    page.evaluate(HEARD)
    play_on(page, 400)
    expect(page.locator(".actions [data-key=result]")).to_be_visible()
    page.wait_for_function("window.heard.some(([where, said]) => where === 'asked' && /won|win/.test(said))")
    assert page.locator(".status").inner_text() in [said for where, said in page.evaluate("window.heard") if where == "asked"]
