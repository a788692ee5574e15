"""What reaches a person beside the picture: a voice, a call where the page is behind, the list of keys."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.tables import QUICK, ask_for_all, begin, begin_with, do_as_hinted, my_turn
from tests.support.examples import ONE_DEAL

pytestmark = pytest.mark.shares_pages

VOICE = """() => {
    const own = Object.getOwnPropertyDescriptor(window, "speechSynthesis");
    window.said = [];
    Object.defineProperty(window, "speechSynthesis", { configurable: true, value: {
        speak: (one) => { window.said.push([one.text, one.lang]); one.dispatchEvent(new Event("end")); },
        cancel: () => {},
    } });
    globalThis.altered = { end() { Object.defineProperty(window, "speechSynthesis", own); } };
}"""
BEHIND = """() => {
    window.behind = false;
    Object.defineProperty(document, "visibilityState", {
        configurable: true, get: () => window.behind ? "hidden" : "visible" });
    globalThis.altered = { end() { delete document.visibilityState; } };
}"""
AT_WORK = """() => {  // what keeps the site has been found and is not ready; the device may show notices
    const { serviceWorker } = navigator, own = Object.getOwnPropertyDescriptor(navigator, "serviceWorker");
    const permission = Object.getOwnPropertyDescriptor(Notification, "permission");
    window.shown = [];
    const waiting = { showNotification: () => Promise.reject(new TypeError("No active registration")) };
    const ready = { showNotification: async (sentence) => { window.shown.push(sentence); } };
    Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: {
        controller: serviceWorker?.controller, addEventListener: () => {}, getRegistration: async () => waiting,
        ready: new Promise((resolve) => { window.keeps = () => resolve(ready); }) } });
    Object.defineProperty(Notification, "permission", { configurable: true, value: "granted" });
    const before = globalThis.altered;
    globalThis.altered = { end() {
        before?.end();
        if (own) Object.defineProperty(navigator, "serviceWorker", own); else delete navigator.serviceWorker;
        Object.defineProperty(Notification, "permission", permission);
    } };
}"""
DENIED = """() => {
    const own = Notification.requestPermission;
    Notification.requestPermission = async () => "denied";
    globalThis.altered = { end() { Notification.requestPermission = own; } };
}"""
MINE = "Your turn"


def test_a_voice_reads_the_table_for_those_who_cannot_read_yet(page: Page, visit: Callable[..., Page]) -> None:
    page.evaluate(VOICE)
    stored = {"pace": "instant", "own_taps": True, "sound_asked": True, "read_aloud": True}
    begin_with(json.dumps(stored), visit, page, ONE_DEAL, seats="me,easy", seed=5)
    my_turn(page)
    page.wait_for_function("mine => window.said.some(([text, language]) => text.startsWith(mine) && language === 'en')", arg=MINE)
    ask_for_all(page)
    note = page.locator(".note").inner_text()
    page.wait_for_function("note => window.said.filter(([text]) => text === note).length === 1", arg=note)
    page.locator(".actions .primary").press("Enter")
    page.wait_for_function("mine => window.said.filter(([text]) => text.startsWith(mine)).length > 1", arg=MINE)
    spoken = page.locator(".spoken p").all_inner_texts()
    assert set(spoken) <= {text for text, _ in page.evaluate("window.said")}


def test_the_voice_is_tried_where_it_is_switched_on(page: Page, visit: Callable[..., Page]) -> None:
    page.evaluate(VOICE)
    visit("#/settings")
    page.locator("[name=read_aloud]").check()
    page.wait_for_function("window.said.length === 1")
    assert json.loads(page.evaluate("localStorage.getItem('tabletin.settings')"))["read_aloud"] is True


def test_ones_turn_is_told_where_the_page_is_behind(page: Page, visit: Callable[..., Page]) -> None:
    page.evaluate(BEHIND)
    begin(visit, page, ONE_DEAL, seats="me,easy", seed=5)
    my_turn(page)
    title = page.title()
    assert MINE not in title
    page.evaluate("window.behind = true")
    do_as_hinted(page)
    page.wait_for_function("mine => document.title.startsWith(`● ${mine}`)", arg=MINE)
    page.evaluate("window.behind = false; document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function("title => document.title === title", arg=title)


def test_a_notice_waits_until_the_site_is_kept_that_shows_it(page: Page, visit: Callable[..., Page]) -> None:
    page.evaluate(BEHIND)
    begin_with(json.dumps({**json.loads(QUICK), "notify": True}), visit, page, ONE_DEAL, seats="me,easy", seed=5)
    my_turn(page)
    page.evaluate(AT_WORK)
    page.evaluate("window.behind = true")
    do_as_hinted(page)
    page.wait_for_function("mine => document.title.startsWith(`● ${mine}`)", arg=MINE)
    assert page.evaluate("window.shown") == []
    page.evaluate("window.keeps()")
    page.wait_for_function("mine => window.shown.length === 1 && window.shown[0].startsWith(mine)", arg=MINE)


def test_a_device_that_shows_nothing_says_so(page: Page, visit: Callable[..., Page]) -> None:
    page.evaluate(DENIED)
    visit("#/settings")
    page.locator("[name=notify]").click()  # and it goes off again at once
    expect(page.locator("#choices .notice")).to_be_visible()
    expect(page.locator("[name=notify]")).not_to_be_checked()


def test_the_keys_are_one_key_away(page: Page, visit: Callable[..., Page]) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    begin(visit, page, ONE_DEAL, seats="me,easy", seed=5)
    my_turn(page)
    page.keyboard.press("?")
    expect(page.locator(".panel .keys")).to_be_visible()
    expect(page.locator(".panel .keys dt").first).to_have_text("Arrows")
    expect(page.locator(".panel .keys h3")).to_be_focused()
    expect(page.locator(".panel .keys dt").last).to_be_in_viewport()
    page.keyboard.press("?")
    expect(page.locator(".panel .keys")).to_be_hidden()


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 820, "height": 1180})
def test_the_keys_are_listed_on_a_touch_screen_once_one_is_pressed(page: Page, visit: Callable[..., Page]) -> None:
    begin(visit, page, ONE_DEAL, seats="me,easy", seed=5)
    my_turn(page)
    page.get_by_role("button", name="More").click()
    expect(page.locator(".panel .keys")).to_have_count(1)
    expect(page.locator(".panel .keys")).to_be_hidden()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator(".panel .keys h3")).to_be_focused()
    expect(page.locator(".panel .keys")).to_be_visible()
