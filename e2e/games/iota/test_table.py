"""Iota in the browser: a whole match by mouse, by touch and by keyboard; hidden faces nowhere; nothing for axe to find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from e2e.support.page_python import get_inside, play_on, seen, watch
from e2e.support.tables import (
    Eyes,
    ask_for_all,
    begin,
    dealt,
    focus_is_kept,
    middle,
    my_turn,
    news,
    resting,
    told,
)

pytestmark = pytest.mark.shares_pages

SEED = 5
HAND = ".over > .piece.can-tap"
SPOT = ".spot.on-plane"
MOST_TURNS = 40


def primary(page: Page) -> Locator:
    return page.locator(".table-foot > .actions .primary")


def trade_one(page: Page, tap: Callable[[Locator], None]) -> None:
    """Pass, putting one card under the pile where there is one."""
    begin_trade = page.locator(".actions [data-key=trade]")
    if begin_trade.count():
        tap(begin_trade)
        tap(page.locator(HAND).first)
    tap(page.locator(".actions [data-key=do_trade]"))


def turn(page: Page, tap: Callable[[Locator], None], check: Callable[[], Any]) -> None:
    """Lay as many cards as the first places lead to, or trade."""
    for _ in range(4):
        usable = page.locator(f"{HAND}.is-legal")
        if not usable.count():
            break
        tap(usable.first)
        places = page.locator(SPOT)
        if not places.count():
            tap(usable.first if usable.count() else page.locator(f"{HAND}.is-chosen").first)
            break
        tap(places.first)
        check()
    if primary(page).count() and page.locator(".actions [data-key=play]").count():
        tap(primary(page))
    else:
        trade_one(page, tap)


def play(page: Page, tap: Callable[[Locator], None], check: Callable[[], Any]) -> int:
    """Play to the end; how many turns that took."""
    for count in range(MOST_TURNS):
        if not my_turn(page):
            return count
        check()
        before = told(page)
        turn(page, tap, check)
        news(page, before)
    raise AssertionError("the match does not end")


@pytest.mark.wide  # every family is played this way in test_whole_hands.py
def test_a_whole_match_by_mouse_and_no_hidden_face_in_the_page(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "iota", seats="me,easy", seed=SEED, half_deck=1)
    eyes = Eyes(page, "iota", dealt("iota", 2, SEED, {"half_deck": True}))
    my_turn(page)
    assert eyes.look() >= 5, "a starter and a hand lie open"
    turns = play(page, lambda target: target.click(), eyes.look)
    assert turns >= 3
    expect(page.locator(".status")).to_contain_text("won")
    page.locator(".actions [data-key=result]").click()
    expect(page.locator(".table-screen")).to_have_count(0)


@pytest.mark.parametrize("wide", [pytest.param(False, marks=pytest.mark.wide), True])
def test_dragging_lays_takes_back_and_says_why_not(visit: Callable[..., Page], page: Page, wide: bool) -> None:
    page.set_viewport_size({"width": 1280, "height": 800} if wide else {"width": 390, "height": 844})
    begin(visit, page, "iota", seats="me,easy", seed=SEED, first_seat=1)
    my_turn(page)
    card = page.locator(f"{HAND}.is-legal").first
    key = card.get_attribute("data-key")
    held, window = resting(card), resting(page.locator(".window"))
    page.mouse.move(held["x"] + 20, held["y"] + 20)
    page.mouse.down()
    page.mouse.move(window["x"] + 30, window["y"] + 40, steps=6)
    page.mouse.up()
    expect(page.locator(".note.wrong")).to_contain_text("touch")
    expect(page.locator(f".over > [data-key={key}]")).to_be_visible()
    page.mouse.move(held["x"] + 20, held["y"] + 20)
    page.mouse.down()
    page.mouse.move(held["x"], held["y"] - 60, steps=4)
    page.mouse.move(*middle(page.locator(SPOT).first), steps=6)
    page.mouse.up()
    expect(page.locator(f".plane > [data-key={key}].is-tentative")).to_be_visible()
    expect(primary(page)).to_contain_text("Lay 1 card for")
    laid = resting(page.locator(f"[data-key={key}]"))
    page.mouse.move(laid["x"] + 10, laid["y"] + 10)
    page.mouse.down()
    page.mouse.move(held["x"] + 30, held["y"] + 30, steps=6)
    page.mouse.up()
    expect(page.locator(f".over > [data-key={key}]")).to_be_visible()
    expect(page.locator(".actions .primary[data-key=play]")).to_have_count(0)


@pytest.mark.wide  # every family is played this way in test_whole_hands.py
@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 390, "height": 844})
def test_a_whole_match_by_touch(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "iota", seats="me,easy", seed=SEED + 1, half_deck=1)

    def tap(target: Locator) -> None:
        target.tap()

    def tap_place(target: Locator) -> None:
        """A place too small for a finger is zoomed to by the first tap."""
        before = page.locator(".plane > .is-tentative").count()
        place = (target.get_attribute("data-key") or "").startswith("at")
        tap(target)
        if place and page.locator(".plane > .is-tentative, .over > .is-tentative").count() == before and target.count():
            tap(target)

    assert play(page, tap_place, lambda: None) >= 3


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 390, "height": 844})
def test_a_card_is_carried_by_a_finger_and_two_fingers_zoom(
    visit: Callable[..., Page], page: Page, context: BrowserContext,
) -> None:
    begin(visit, page, "iota", seats="me,easy", seed=SEED, first_seat=1)
    my_turn(page)
    devtools = context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
            {"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)]})

    card = page.locator(f"{HAND}.is-legal").first
    key = card.get_attribute("data-key")
    held = resting(card)
    x, y = held["x"] + 30, held["y"] + 30
    touch("touchStart", (x, y))
    for step in range(1, 6):
        touch("touchMove", (x, y - 12 * step))
    spot = middle(page.locator(SPOT).first)
    for step in range(1, 6):
        aim = spot[0], spot[1] + 34
        touch("touchMove", (x + (aim[0] - x) * step / 5, y - 60 + (aim[1] - y + 60) * step / 5))
    touch("touchEnd")
    expect(page.locator(f".plane > [data-key={key}].is-tentative")).to_be_visible()

    resting(page.locator(".plane > .piece").first)
    zoom = "parseFloat(getComputedStyle(document.querySelector('.plane')).getPropertyValue('--zoom'))"
    before = float(page.evaluate(zoom))
    touch("touchStart", (150, 300))
    touch("touchStart", (150, 300), (240, 300))
    for step in range(1, 6):
        touch("touchMove", (150 - 12 * step, 300), (240 + 12 * step, 300))
    touch("touchEnd")
    page.wait_for_function(f"before => {zoom} > before * 1.5", arg=before)
    page.locator(".fit").tap()
    page.wait_for_function(f"before => Math.abs({zoom} / before - 1) < 0.35", arg=before)


def test_a_whole_match_by_keyboard(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "iota", seats="me,easy", seed=SEED + 2, half_deck=1)
    keyboard = page.keyboard

    def focused() -> str:
        return str(page.evaluate("document.activeElement.closest('[data-key]')?.dataset.key ?? ''"))

    for count in range(MOST_TURNS):
        if not my_turn(page):
            break
        for _ in range(30):
            if page.evaluate("document.querySelector('.stage').contains(document.activeElement)"):
                break
            keyboard.press("Tab")
        focus_is_kept(page)
        for _ in range(12):  # walk to a card that can be laid
            if page.evaluate("document.activeElement.parentElement.classList.contains('is-legal')"):
                break
            keyboard.press("PageDown")
        before = told(page)
        if page.evaluate("document.activeElement.parentElement.classList.contains('is-legal')"):
            card = focused()
            keyboard.press("Enter")
            focus_is_kept(page)
            if focused().startswith(("at", "wild")):
                keyboard.press("ArrowRight")
                keyboard.press("ArrowLeft")
                keyboard.press("Enter")
                focus_is_kept(page)
            if count == 0:
                assert page.locator(f".plane > [data-key={card}], .over > [data-key={card}].is-tentative").count()
                keyboard.press("Backspace")
                assert page.locator(".actions .primary[data-key=play]").count() == 0
                continue
        if page.locator(".actions .primary[data-key=play]").count() == 0:
            keyboard.press("t")
            page.locator(f"{HAND} .name").first.focus()
            keyboard.press("Enter")
        keyboard.press("c")
        focus_is_kept(page)
        news(page, before)
    else:
        raise AssertionError("the match does not end")
    expect(page.locator(".status")).to_contain_text("won")


@pytest.mark.wide
def test_nothing_for_axe_to_find(
    visit: Callable[..., Page], page: Page, axe: Callable[[Page], list[str]],
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    begin(visit, page, "iota", seats="me,easy", seed=SEED, first_seat=1)
    my_turn(page)
    assert axe(page) == []
    page.locator(f"{HAND}.is-legal").first.click()
    assert axe(page) == []
    page.locator(SPOT).first.click()
    assert axe(page) == []
    for panel in ("Log", "Scores", "More"):
        page.get_by_role("button", name=panel, exact=True).click()
        assert axe(page) == [], panel
    page.locator(".more-item [data-key=past]").click()
    assert axe(page) == []


def test_hands_are_covered_when_the_device_changes_hands(
    visit: Callable[..., Page], page: Page, axe: Callable[[Page], list[str]],
) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})  # the log lies open beside the table
    begin(visit, page, "iota", seats="me,easy,person", seed=SEED, first_seat=1)
    cover = page.locator(".prompt.cover")
    expect(cover).to_be_visible()
    assert page.locator(HAND).count() == 0 and axe(page) == []
    eyes = Eyes(page, "iota", dealt("iota", 3, SEED, {"first_seat": "1"}))
    assert eyes.look() == 1, "only the starter lies open"
    cover.locator(".primary").click()
    expect(page.locator(HAND)).to_have_count(4)
    assert eyes.look() == 5
    first = {page.locator(HAND).nth(index).get_attribute("data-key") for index in range(4)}
    trade_one(page, lambda target: target.click())
    expect(cover).to_be_visible()
    expect(page.locator(".log-button", has_text="drew")).to_have_count(0)
    assert eyes.look() >= 1
    assert page.locator(HAND).count() == 0
    cover.locator(".primary").click()
    expect(page.locator(HAND)).to_have_count(4)
    second = {page.locator(HAND).nth(index).get_attribute("data-key") for index in range(4)}
    assert not first & second
    eyes.look()
    names = {eyes.names[int(str(key)[1:])] for key in first}
    assert not any(name in page.content() for name in names), "the first hand is gone from the page"


def test_an_undo_is_offered_before_the_device_is_passed_on(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "iota", seats="me,person", seed=SEED, first_seat=1)
    cover = page.locator(".prompt.cover")
    first = cover.locator(".prompt-title").inner_text()
    cover.locator(".primary").click()
    page.locator(".actions [data-key=trade]").click()
    page.locator(".actions [data-key=do_trade]").click()  # a pass without a trade: no card is drawn
    expect(cover.locator("[data-key=undo]")).to_be_visible()
    assert cover.locator(".prompt-title").inner_text() != first
    cover.locator("[data-key=undo]").click()
    expect(cover.locator(".prompt-title")).to_have_text(first)
    focus_is_kept(page)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640), (844, 390), (1280, 800)])
def test_a_second_tap_where_a_trade_begins_leads_back(visit: Callable[..., Page], page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    begin(visit, page, "iota", seats="me,easy", seed=SEED, first_seat=1)
    my_turn(page)
    trade, passing = page.locator(".actions [data-key=trade]"), page.locator(".actions [data-key=do_trade]")
    begun = resting(trade)
    trade.click()
    expect(passing).to_be_visible()
    back, beside = resting(trade), resting(passing)
    assert abs(back["x"] - begun["x"]) < 1 and abs(back["width"] - begun["width"]) < 1
    beyond = begun["x"] + begun["width"] <= beside["x"], begun["y"] + begun["height"] <= beside["y"]
    assert any(beyond), "what passes lies where no part of that button was"
    page.mouse.click(*middle(trade))
    expect(passing).to_have_count(0)
    assert my_turn(page)


def test_hint_undo_log_and_score_sheet(visit: Callable[..., Page], page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    begin(visit, page, "iota", seats="me,easy", seed=SEED, first_seat=1)
    my_turn(page)
    hand = {piece.get_attribute("data-key") for piece in page.locator(HAND).all()}
    ask_for_all(page)
    expect(page.locator(".actions [data-key=play], .actions [data-key=do_trade]")).to_be_visible()
    expect(page.locator(".note")).to_contain_text("points")
    primary(page).click()
    page.wait_for_selector(".hand-actions [data-key=undo]")
    assert page.locator(".log-line").count() >= 4
    my_turn(page)
    page.get_by_role("button", name="Scores", exact=True).click()
    expect(page.locator(".sheet .total td").first).not_to_have_text("0")
    page.locator(".hand-actions [data-key=undo]").click()
    page.locator(".prompt [data-key=back_now]").click()
    expect(page.locator(".sheet .total td").first).to_have_text("0")
    assert {piece.get_attribute("data-key") for piece in page.locator(HAND).all()} == hand
    page.get_by_role("button", name="Log", exact=True).click()
    page.locator(".log-button").nth(2).click()
    expect(page.locator(".status")).to_have_text("Watch again")
    page.get_by_role("button", name="Back to the match").click()
    expect(page.locator(".table-screen.my-turn")).to_be_visible()


def test_every_event_is_announced_once_and_in_order(visit: Callable[..., Page], page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    begin(visit, page, "iota", seats="me,easy", seed=SEED, first_seat=1)
    for _ in range(3):
        if my_turn(page):
            before = told(page)
            trade_one(page, lambda target: target.click())
            news(page, before)
    my_turn(page)
    spoken = page.locator(".spoken p").all_inner_texts()
    logged = page.locator(".log-button").all_inner_texts()
    assert spoken and spoken == logged[-len(spoken):]


def test_a_phone_held_in_the_hand_has_room_for_everything(visit: Callable[..., Page], page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    begin(visit, page, "iota", seats="me,easy,easy,easy", seed=SEED, first_seat=1)
    my_turn(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    small = page.evaluate("""() => [...document.querySelectorAll(".table-screen button, .table-screen a")]
        .filter((item) => item.offsetParent !== null)
        .filter((item) => item.offsetHeight < 43.5 || item.offsetWidth < 43.5)
        .map((item) => item.outerHTML.slice(0, 80))""")
    assert small == []


def test_a_hand_stays_open_while_bots_play_and_is_covered_for_the_next_person(
    visit: Callable[..., Page], page: Page,
) -> None:
    """On a shared device; the bot is held, so that its turn lasts as long as it is looked at."""
    page.set_viewport_size({"width": 1280, "height": 800})  # the log lies open beside the table
    begin(visit, page, "iota", seats="me,easy,person", seed=5, first_seat=1)
    get_inside(page)
    watch(page)
    cover, hand = page.locator(".prompt.cover"), page.locator(".over > .piece:has([aria-label*='in your hand'])")
    drew = page.locator(".log-button", has_text="drew")
    cover.locator(".primary").click()
    expect(hand).to_have_count(4)
    expect(drew).to_have_count(1)  # what was dealt
    page.evaluate("inside.hold()")
    page.locator(".actions [data-key=trade]").click()
    hand.first.dispatch_event("click")
    page.locator(".actions [data-key=do_trade]").click()
    expect(drew).to_have_count(2)
    expect(hand).to_have_count(4)
    expect(cover).to_be_hidden()
    play_on(page, 1, seat=-1)  # the bot, and then it is for the other person
    expect(cover).to_be_visible()
    expect(hand).to_have_count(0)
    expect(drew).to_have_count(0)
    assert seen(page)["wrong"] == []
