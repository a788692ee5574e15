"""Choosing before a match of dominoes: presets fill the options and are remembered; not every set is for so many."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.shares_pages

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


def test_rules_are_in_the_language_of_the_page_and_marked_so(visit: Callable[..., Page], page: Page) -> None:
    visit("#/settings")
    page.locator("#language").select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.goto(page.url.split("#")[0] + "#/dominoes/rules")
    expect(page.locator("#screen h1")).to_have_text("Regeln von Domino")
    expect(page.locator("#rulebook")).to_have_attribute("lang", "de")
    expect(page.locator("#rulebook")).to_contain_text("Der höchste Doppelstein fängt an.")
