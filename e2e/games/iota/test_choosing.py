"""Choosing before a match of Iota, by keyboard; and playing it in German."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.shares_pages

PRESET = "input[name=preset]"


def test_by_keyboard_from_the_first_control_to_play(visit: Callable[..., Page], page: Page) -> None:
    visit("#/iota/new")
    expect(page.locator("#screen h1")).to_be_focused()
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        at = page.evaluate("document.activeElement.id || document.activeElement.name || document.activeElement.tagName")
        reached.add(at)
        if at == "preset":
            page.keyboard.press("ArrowLeft")  # from "as printed" to "family"
            expect(page.locator(f"{PRESET}:checked")).to_have_value("family")
            expect(page.locator(f"{PRESET}:checked")).to_be_focused()
        if at == "play":
            break
    assert {"who-0", "name-0", "preset", "SUMMARY", "play"} <= reached
    page.keyboard.press("Enter")
    expect(page.locator(".table-screen .stage")).to_be_visible()


def test_german_is_chosen_spoken_and_kept(visit: Callable[..., Page], page: Page, axe: Callable[[Page], list[str]]) -> None:
    visit("#/settings")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.locator("#language").select_option("de")
    expect(page.locator("#screen h1")).to_have_text("Einstellungen")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert axe(page) == []
    page.goto(page.url.split("#")[0] + "#/iota/new?seats=me,easy&seed=5&first_seat=1")
    expect(page.locator("#play")).to_have_text("Spielen")
    page.locator("#play").click()
    expect(page.locator(".status")).to_contain_text("Du bist dran")
    page.locator(".over > .piece.can-tap.is-legal").first.click()
    expect(page.locator(".note")).to_have_text(re.compile("Passt an"))
    page.locator(".spot.on-plane").first.click()
    page.locator(".actions [data-key=play]").click()
    expect(page.locator(".spoken")).to_contain_text("Du hast ")
    page.reload()
    expect(page.locator(".table-screen .stage")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_what_was_chosen_last_time_is_chosen_again(visit: Callable[..., Page]) -> None:
    page = visit("#/iota/new")
    page.get_by_role("button", name="Add a player").click()
    page.get_by_label("Who plays seat 2").select_option("hard")
    page.get_by_label("Name of seat 2").fill("Oma")
    page.get_by_text("All options").click()
    page.get_by_label("Half deck").check()
    page.locator("#play").click()
    expect(page.locator(".table-screen")).to_be_visible()
    page.evaluate("location.hash = '#/iota/new'")
    expect(page.get_by_label("Name of seat 2")).to_have_value("Oma")
    expect(page.get_by_label("Who plays seat 2")).to_have_value("hard")
    expect(page.get_by_label("Half deck")).to_be_checked()
    expect(page.locator(".seats li")).to_have_count(3)


def test_options_that_do_not_go_together_say_why(visit: Callable[..., Page]) -> None:
    page = visit("#/iota/new?first_seat=4")
    expect(page.locator("#start .why")).to_contain_text("2 seats")
    expect(page.locator("#play")).to_be_disabled()
    page.get_by_label("Who begins").select_option("random")
    expect(page.locator("#play")).to_be_enabled()
