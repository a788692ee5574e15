"""The three domino games in the browser: a round by mouse, by keyboard, by dragging; ten seats on a small phone."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.games.dominoes.player import (
    FITS,
    MOST_STEPS,
    PLACE,
    QUICK_MATCH,
    by_click,
    control,
    play,
    waiting,
)
from e2e.support.page_python import get_inside, play_on
from e2e.support.player import Player, Pointer
from e2e.support.tables import THINKING, Eyes, begin, begin_with, dealt, focus_is_kept, middle, news, press, told

pytestmark = pytest.mark.shares_pages


@pytest.mark.wide  # every family is played this way in test_whole_hands.py
def test_a_round_by_mouse_and_no_hidden_face_in_the_page(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "dominoes", seats="me,easy", seed=5, **QUICK_MATCH)
    eyes = Eyes(page, "dominoes", dealt("dominoes", 2, 5, QUICK_MATCH))
    assert play(page, by_click, eyes.look) in ("ready", "result")
    expect(page.locator(".zone.mat")).to_have_count(2)  # both hands are opened and counted
    assert len(eyes.seen) >= 10


@pytest.mark.wide  # every family is played this way in test_whole_hands.py
def test_a_round_of_matador_by_keyboard(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "matador", seats="me,easy,easy", seed=3, target=1)

    def by_keys(page: Page, what: str) -> None:
        if what == "tile":
            page.locator(f"{FITS} .name").first.focus()
            page.keyboard.press("Enter")
            focus_is_kept(page)
            look = "(place) => !document.querySelector(place) || document.activeElement.matches('.spot')"
            assert page.evaluate(look, PLACE), "the focus goes on to a place"
        elif what == "place":
            page.keyboard.press("Enter")  # what was laid already may be on its way still: then this is for nothing
        else:
            page.locator(".stage").focus()
            for letter in control(page, what).evaluate_all("all => all.map((one) => one.getAttribute('aria-keyshortcuts'))"):
                page.keyboard.press(letter.lower())

    assert play(page, by_keys, lambda: None) in ("ready", "result")


@pytest.mark.parametrize("wide", [False, pytest.param(True, marks=pytest.mark.wide)])
def test_laying_and_drawing_by_dragging(visit: Callable[..., Page], page: Page, wide: bool) -> None:
    page.set_viewport_size({"width": 1280, "height": 800} if wide else {"width": 390, "height": 844})
    begin(visit, page, "dominoes", seats="me,easy", seed=11, set=9)
    done = set()
    for _ in range(MOST_STEPS):
        what = waiting(page)
        before = told(page)  # whoever may lay or draw is alone with that
        if what == "tile":
            x, y = middle(page.locator(FITS).first)
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
            by_click(page, what)
            continue
        done.add(what)
        news(page, before)
        if {"tile", "draw"} <= done:
            return
    raise AssertionError(f"only {done} were met")


LIT = """(zone) => {
    const style = getComputedStyle(zone), zoom = zone.getBoundingClientRect().width / zone.offsetWidth;
    return [parseFloat(style.borderTopWidth) * zoom, style.backgroundColor];
}"""


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 390, "height": 844})
def test_the_place_that_a_hint_shows_is_filled_and_its_frame_as_thick_at_any_zoom(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "dominoes", seats="me,easy", seed=11, set=9)
    hint, place = page.locator("[data-key=hint]"), page.locator(".plane .zone.slot.is-marked")
    for _ in range(MOST_STEPS):
        what = waiting(page)
        assert what not in ("ready", "result"), "no hint showed a place"
        if what == "tile" and page.locator(".plane .piece").count() > 6:
            for _ in range(2):
                if hint.count():
                    hint.dispatch_event("click")
                    page.wait_for_function("(thinking) => document.querySelector('.note').innerText !== thinking", arg=THINKING)
            if place.count():
                break
        by_click(page, what)
    width, background = place.first.evaluate(LIT)
    assert 3.5 < width < 4.5
    assert not background.endswith((", 0)", "/ 0)")), "it is more than a frame"


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 360, "height": 740})
def test_ten_seats_on_a_small_phone(visit: Callable[..., Page], page: Page, axe: Callable[[Page], list[str]]) -> None:
    begin(visit, page, "tiddle-a-wink", seats="me" + ",easy" * 9, seed=4, target=1)
    waiting(page)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert play(page, by_click, lambda: None) in ("ready", "result")
    expect(page.locator(".zone.mat")).to_have_count(10)
    assert axe(page) == []
    expect(page.locator(".plate")).to_have_count(10)


@pytest.mark.wide
@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 390, "height": 844})
def test_a_whole_match_of_tiddle_a_wink_by_touch(visit: Callable[..., Page], page: Page) -> None:
    """Round after round to the result. Whatever is pressed can be hit by a finger."""
    begin(visit, page, "tiddle-a-wink", seats="me" + ",easy" * 5, seed=5, target=100)
    get_inside(page)
    player = Player(page, Pointer(touch=True))
    player.play()
    assert "ready" in player.steps, "a round was over, and the next one asked for"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if not page.locator(".ranking").count():  # the last tap may have met the button that leads there
        page.locator(".actions [data-key=result]").tap()
    expect(page.locator(".ranking .score")).to_have_count(6)
    assert page.locator(".ledger tbody tr:not(.total)").count() >= 2


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 390, "height": 844})
def test_choosing_a_domino_leaves_the_table_in_view_and_one_tap_lays_it(visit: Callable[..., Page], page: Page) -> None:
    """Its places are far enough from each other to be hit as they are (tests/app/table/test_table_parts.py has those that are
    not)."""
    begin(visit, page, "dominoes", seats="me,easy", seed=5)
    get_inside(page)
    play_on(page, 16, asked="phase=playing", seed=5)
    zoom = "parseFloat(getComputedStyle(document.querySelector('.plane')).getPropertyValue('--zoom'))"
    whole = float(page.evaluate(zoom))
    page.locator(".over > .piece.can-tap.is-legal").first.tap()
    expect(page.locator(".spot.on-plane")).not_to_have_count(0)
    assert float(page.evaluate(zoom)) == whole
    before = page.evaluate("inside.at()")
    page.locator(".spot.on-plane").first.tap()
    page.wait_for_function("before => inside.at() > before", arg=before)


NUMBERS_OUTSIDE = """() => [...document.querySelectorAll(".spot.on-plane")].filter((spot) => {
    const range = document.createRange();
    range.selectNodeContents(spot);
    const number = range.getBoundingClientRect(), place = spot.getBoundingClientRect();
    return spot.textContent && (number.top < place.top - 1 || number.bottom > place.bottom + 1);
}).map((spot) => spot.getAttribute("aria-label"))"""


@pytest.mark.parametrize("text", [pytest.param("100", marks=pytest.mark.wide), "200"])
@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 390, "height": 844})
def test_numbers_fit_places_that_lie_on_a_full_table(visit: Callable[..., Page], page: Page, text: str) -> None:
    stored = {"pace": "instant", "own_taps": True, "sound_asked": True, "text": text}
    begin_with(json.dumps(stored), visit, page, "dominoes", seats="me" + ",easy" * 5, seed=4, set=12)
    get_inside(page)
    looked = 0
    for _ in range(6):
        play_on(page, 12, asked="phase=playing")
        if press(page.locator(FITS)):
            expect(page.locator(PLACE).first).to_be_visible()
            assert page.evaluate(NUMBERS_OUTSIDE) == []
            looked += 1
            page.keyboard.press("Escape")
    assert looked
