"""First-play guides in the browser: each from its offer to its end, by touch, by keyboard or by dragging.

The tests do what a child does: read, go on, and tap what is pointed at. What is legal is the business of tests/board.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.tables import QUICK, begin_guide, focus_is_kept
from tabletin.board.guide import guide_for
from tabletin.registry import GAMES
from tests.support.examples import MANY_HANDS, ONE_DEAL, WIDEST

pytestmark = pytest.mark.shares_pages

MOST = 120  # things to do until a guide is over
NEXT = """(before) => {
    const now = document.querySelector("#guide")?.dataset.now;
    return now && now !== before && document.querySelector("#guide-on, .guided .is-pointed") ? now : null;
}"""
FILLED = """() => {
    const probe = document.createElement("i");
    probe.style.color = "var(--accent)";
    document.body.append(probe);
    const accent = getComputedStyle(probe).color;
    probe.remove();
    return [...document.querySelectorAll("#guide-on, .guided .table-foot > .actions .button")]
        .filter((button) => getComputedStyle(button).backgroundColor === accent).map((button) => button.dataset.key ?? button.id);
}"""


def follow(page: Page, act: Callable[[Page], None]) -> int:
    """Do what the guide says until it is over; how many steps there were."""
    now = ""
    for count in range(MOST):
        now = str(page.wait_for_function(NEXT, arg=now).json_value())
        focus_is_kept(page)
        assert len(page.evaluate(FILLED)) <= 1, "one thing at most looks as if it were to be pressed"
        if page.locator("#guide-again").count():
            return count
        if page.locator("#guide-on").count():
            expect(page.locator("#guide-on")).to_be_focused()
            page.keyboard.press("Enter")
        else:
            act(page)
    raise AssertionError("the guide does not end")


HIDDEN_BELOW = """() => {
    const table = document.querySelector(".table-main");
    return table.scrollHeight - table.clientHeight;
}"""
RESTING = """() => new Promise((resolve) => {
    let last = "", same = 0;
    const look = () => {
        const one = document.querySelector(".guided .is-pointed");
        const box = one?.getBoundingClientRect();
        const now = box ? [one.dataset.key, box.x, box.y, box.width, box.height].join() : "";
        same = now && now === last ? same + 1 : 0;
        last = now;
        if (same < 3) requestAnimationFrame(look);
        else resolve([box.x + box.width / 2, box.y + box.height / 2]);
    };
    look();
})"""


def centre(page: Page) -> tuple[float, float]:
    """The middle of what is pointed at, once it lies still: longer words above make the table a little lower."""
    x, y = page.evaluate(RESTING)
    return x, y


def tap(page: Page) -> None:
    page.touchscreen.tap(*centre(page))


def tap_where_nothing_is_covered(page: Page) -> None:
    assert page.evaluate(HIDDEN_BELOW) <= 1, "the buttons lie over the hand"
    tap(page)


def click(page: Page) -> None:
    page.mouse.click(*centre(page))


def enter(page: Page) -> None:
    page.wait_for_function("document.activeElement.closest('.is-pointed') !== null")
    page.keyboard.press("Enter")


def drag(page: Page) -> None:
    """Carry what is pointed at to where it is pointed then; what cannot be carried is clicked."""
    pointed = page.locator(".guided .is-pointed").first
    leads = page.locator(".spot[data-key=lead_here]").count()  # wherever it is let go
    if leads or "can-drag" not in (pointed.get_attribute("class") or ""):
        click(page)
        return
    before = pointed.get_attribute("data-key")
    page.mouse.move(*centre(page))
    page.mouse.down()
    x, y = centre(page)
    page.mouse.move(x + 3, y - 14, steps=4)
    page.wait_for_function("key => { const one = document.querySelector('.guided .is-pointed');"
                           " return one && one.dataset.key !== key; }", arg=before)
    page.mouse.move(*centre(page), steps=6)
    carried = page.locator("#guide").get_attribute("data-now")
    page.mouse.up()
    # Until it is laid down the place is still pointed at, which would look like the next thing to do.
    page.wait_for_function("carried => document.querySelector('#guide').dataset.now !== carried", arg=carried)


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 360, "height": 740})
@pytest.mark.parametrize("game", [ONE_DEAL, pytest.param(WIDEST, marks=pytest.mark.wide)])
def test_by_touch_on_a_phone(visit: Callable[..., Page], page: Page, game: str,
                             axe: Callable[[Page], list[str]]) -> None:
    begin_guide(page, visit, game)
    assert axe(page) == []
    assert follow(page, tap) > 8
    assert axe(page) == []
    page.locator("#guide-on").click()
    expect(page.locator("form.newmatch")).to_be_visible()
    expect(page.locator("#first-time")).to_have_count(0)
    expect(page.locator("header a[href='#/" + game + "/guide']")).to_have_count(1)


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 390, "height": 844})
def test_text_as_large_as_can_be_set_leaves_the_hand_to_be_seen(visit: Callable[..., Page], page: Page) -> None:
    begin_guide(page, visit, ONE_DEAL, json.dumps({**json.loads(QUICK), "text": "200"}))
    assert follow(page, tap_where_nothing_is_covered) > 8


@pytest.mark.parametrize("game", [game for game in GAMES if guide_for(game) and game not in (ONE_DEAL, WIDEST, MANY_HANDS)])
def test_by_keyboard_alone(visit: Callable[..., Page], page: Page, game: str) -> None:
    """The keyboard goes along with the pointer, so that Enter is enough."""
    begin_guide(page, visit, game)
    assert follow(page, enter) > 8


def test_by_dragging(visit: Callable[..., Page], page: Page) -> None:
    begin_guide(page, visit, MANY_HANDS)
    assert follow(page, drag) > 8
