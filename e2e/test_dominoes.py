"""The three domino games in the browser: a round by mouse, by keyboard, by dragging; ten seats on a small phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from e2e.tables import PATIENCE, Eyes, begin, dealt, focus_is_kept

BAR = ".table-main > .actions"
FITS = ".over > .piece.can-tap.is-legal:has(.name[aria-pressed])"
PLACE = ".spot.on-plane"
MOST_STEPS = 120
QUICK_MATCH = {"set": 6, "target": 1}


def button(page: Page, key: str) -> Locator:
    return page.locator(f"{BAR} [data-key={key}]")


def waiting(page: Page) -> str:
    """Wait until something is asked of the person: the key of the button to press, "tile" to lay one, "result" at the end."""
    handle = page.wait_for_function("""(fits) => {
        const keys = [...document.querySelectorAll(".table-main > .actions .button")].map((each) => each.dataset.key);
        const found = ["result", "ready", "lead", "none", "pass"].find((key) => keys.includes(key));
        if (found) return found;
        if (!document.querySelector(".my-turn")) return "";
        if (document.querySelector(fits)) return "tile";
        return keys.includes("draw") ? "draw" : "";
    }""", arg=FITS, timeout=PATIENCE)
    return str(handle.json_value())


def heard(page: Page) -> str:
    return page.locator(".spoken").inner_text()


def something_happened(page: Page, before: str) -> None:
    page.wait_for_function("before => document.querySelector('.spoken').innerText !== before", arg=before, timeout=PATIENCE)


def by_click(target: Locator) -> None:
    """Another seat may answer under the pointer: then there is nothing to press any more."""
    if target.count():
        target.dispatch_event("click")


def lay(page: Page) -> None:
    """Lay the first domino that fits on the first of its places, with either half."""
    page.locator(FITS).first.dispatch_event("click")
    page.locator(PLACE).first.dispatch_event("click")
    half = page.locator(".asking:not([hidden]) [data-key^=inner]")
    if half.count():
        half.first.click()


def play(page: Page, lay_one: Callable[[Page], None], press: Callable[[Locator], None], check: Callable[[], object]) -> str:
    """Play to the end of a round; "ready" or "result"."""
    for _ in range(MOST_STEPS):
        what = waiting(page)
        check()
        if what in ("ready", "result"):
            return what
        before = heard(page)
        if what == "tile":
            lay_one(page)
        else:
            press(button(page, what))
        something_happened(page, before)
    raise AssertionError("the round does not end")


@pytest.mark.wide  # every family is played this way in test_whole_hands.py
def test_a_round_by_mouse_and_no_hidden_face_in_the_page(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "dominoes", seats="me,easy", seed=5, **QUICK_MATCH)
    eyes = Eyes(page, "dominoes", dealt("dominoes", 2, 5, QUICK_MATCH))
    assert play(page, lay, by_click, eyes.look) in ("ready", "result")
    assert page.locator(".zone.mat").count() == 2, "both hands are opened and counted"
    assert len(eyes.seen) >= 10


@pytest.mark.wide  # every family is played this way in test_whole_hands.py
def test_a_round_of_matador_by_keyboard(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "matador", seats="me,easy,easy", seed=3, target=1)

    def press(target: Locator) -> None:
        if target.count():
            page.locator(".stage").focus()
            page.keyboard.press((target.get_attribute("aria-keyshortcuts") or "?").lower())

    def lay_one(page: Page) -> None:
        page.locator(f"{FITS} .name").first.focus()
        page.keyboard.press("Enter")
        focus_is_kept(page)
        on_place = page.evaluate("document.activeElement.matches('.spot')")
        assert on_place, "the focus goes on to a place"
        page.keyboard.press("Enter")
        if page.locator(".asking:not([hidden]) [data-key^=inner]").count():
            page.locator(".asking:not([hidden]) .button.primary").focus()
            page.keyboard.press("Enter")

    assert play(page, lay_one, press, lambda: None) in ("ready", "result")


@pytest.mark.parametrize("wide", [False, True])
def test_laying_and_drawing_by_dragging(visit: Callable[..., Page], page: Page, wide: bool) -> None:
    page.set_viewport_size({"width": 1280, "height": 800} if wide else {"width": 390, "height": 844})
    begin(visit, page, "dominoes", seats="me,easy", seed=11, set=9)
    done = set()

    def middle(target: Locator) -> tuple[float, float]:
        box = target.bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    for _ in range(MOST_STEPS):
        what = waiting(page)
        before = heard(page)
        page.wait_for_timeout(350)  # what lies must have arrived to be taken hold of
        if what == "tile":
            tile = page.locator(FITS).first
            x, y = middle(tile)
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x, y - 40, steps=3)
            page.mouse.move(*middle(page.locator(PLACE).first), steps=5)
            page.mouse.up()
        elif what == "draw":
            page.mouse.move(*middle(page.locator(".over > .piece.can-drag.is-legal").first))
            page.mouse.down()
            page.mouse.move(*middle(page.locator(".zone.tray")), steps=6)
            page.mouse.up()
        else:
            by_click(button(page, what))
        something_happened(page, before)
        done.add(what)
        if {"tile", "draw"} <= done:
            return
    raise AssertionError(f"only {done} were met")


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 360, "height": 740})
def test_ten_seats_on_a_small_phone(visit: Callable[..., Page], page: Page, axe: Callable[[Page], list[str]]) -> None:
    begin(visit, page, "tiddle-a-wink", seats="me" + ",easy" * 9, seed=4, target=1)
    waiting(page)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert play(page, lay, by_click, lambda: None) in ("ready", "result")
    assert page.locator(".zone.mat").count() == 10
    assert axe(page) == []
    expect(page.locator(".plate")).to_have_count(10)
