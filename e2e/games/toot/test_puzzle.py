"""Today's puzzle from home, where it is Fluke TooT's: an answer that is not the best, then the best."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from playwright.sync_api import Page, expect

from e2e.support.puzzles import kept, make_inside, moves_of, tap
from e2e.support.tables import QUICK, settings
from tabletin.puzzles.calendar import game_of, puzzle_of

TODAY = date(2026, 1, 7)


def test_today_s_puzzle_from_home_and_a_second_try(visit: Callable[..., Page], page: Page) -> None:
    day = TODAY
    assert game_of(day) == "toot-fluke"
    page.clock.set_fixed_time(f"{day}T12:00:00")
    settings(page, QUICK)
    visit("#/")
    expect(page.locator("#puzzle-line")).to_contain_text("Fluke TooT – Use them all ★")
    expect(page.locator("#home a.daily")).to_have_accessible_name(re.compile("Use them all Difficulty: [123] of 3$"))
    page.locator("#home a.daily").press("Enter")
    expect(page.locator("#guide[data-state=open]")).to_be_visible()
    tap(page, "pass")
    expect(page.locator("#guide-words")).to_contain_text("Nothing was laid.")
    expect(page.locator("#puzzle-on")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#guide[data-state=open]")).to_be_visible()
    make_inside(page, next(moves_of(puzzle_of(day))))
    expect(page.locator(".puzzle-standing")).to_contain_text("2 tries")
    expect(page.locator("#puzzle-on")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"Tabletin {day.day} Jan – Fluke TooT ★★ · 2 tries")).to_be_visible()
    page.locator("#guide-acts a[href='#/']").click()
    expect(page.locator("#puzzle-line")).to_contain_text("Solved!")
    assert (kept(page).row, kept(page).tries(day)) == (1, 2)
