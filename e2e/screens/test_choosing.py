"""Choosing before a match, and the language: presets fill the options and are remembered; German is spoken and kept."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from e2e.support.site import ready

PRESET = "input[name=preset]"


def test_a_preset_fills_the_options_and_is_remembered(visit: Callable[..., Page], page: Page) -> None:
    visit("#/dominoes/new")
    expect(page.locator(f"{PRESET}:checked")).to_have_value("as_printed")
    about = page.locator("#preset-about")
    before = about.inner_text()
    page.locator(f"{PRESET}[value=quick]").check()
    expect(page.locator(f"{PRESET}[value=quick]")).to_be_focused()
    expect(about).not_to_have_text(before)
    page.locator("#options summary").click()
    expect(page.locator("#option-target")).to_have_value("50")
    expect(page.locator("input[name=option-set]:checked")).to_have_value("6")
    page.locator("#option-target-more").click()
    expect(page.locator(f"{PRESET}:checked")).to_have_value("own")
    expect(page.locator("#option-target")).to_be_visible()
    page.locator(f"{PRESET}[value=family]").check()
    expect(page.locator(f"{PRESET}")).to_have_count(3)
    page.locator("#play").click()
    expect(page.locator(".table-screen .stage")).to_be_visible()
    page.goto(page.url.split("#")[0] + "#/dominoes/new")
    expect(page.locator(f"{PRESET}:checked")).to_have_value("family")
    for _ in range(3):  # five players: the double-six set is not for so many
        page.locator("#add-seat").click()
    expect(page.locator(f"{PRESET}[value=family]")).to_have_count(0)
    expect(page.locator("#play")).to_be_disabled()
    page.locator(f"{PRESET}[value=as_printed]").check()
    expect(page.locator("#play")).to_be_enabled()


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
    expect(page.locator(".status")).to_have_text("Du bist dran")
    page.locator(".over > .piece.can-tap.is-legal").first.click()
    expect(page.locator(".note")).to_have_text(re.compile("Plätze dafür|Ein Platz dafür"))
    page.locator(".spot.on-plane").first.click()
    page.locator(".actions [data-key=play]").click()
    expect(page.locator(".spoken")).to_contain_text("Du hast ")
    page.reload()
    expect(page.locator(".table-screen .stage")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.goto(page.url.split("#")[0] + "#/dominoes/rules")
    expect(page.locator("#screen h1")).to_have_text("Regeln von Domino")
    expect(page.locator("#rulebook")).to_have_attribute("lang", "en")


def test_the_browsers_own_language_is_taken(visit: Callable[..., Page], page: Page) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'languages', { get: () => ['de-AT', 'en'] })")
    visit("")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#tins-title")).to_have_text("Die Dose")
    page.add_init_script("""addEventListener("DOMContentLoaded", () => {
        globalThis.early = document.querySelector("#tins-title").textContent;
    })""")
    page.reload()
    assert page.evaluate("globalThis.early") == "Die Dose", "said at once, before Python is there"
    ready(page)
    expect(page.locator("#tins-title")).to_have_text("Die Dose")
