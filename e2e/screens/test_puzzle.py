"""The puzzle of a day in the browser: each kind solved on its own table.

What the best answer is, and that it is, is the business of tests/puzzles; here the same puzzle must stand in the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.support.layout import TOO_SMALL
from e2e.support.player import Keyboard
from e2e.support.puzzles import kept, moves_of, tap
from e2e.support.tables import QUICK, carry, middle, settings
from tabletin.app.storage.puzzle_progress import KEPT_AS, Progress
from tabletin.board.scene import card_key
from tabletin.kernel.schema import Move
from tabletin.puzzles.calendar import game_of, puzzle_of
from tabletin.puzzles.puzzle import puzzle_games

pytestmark = pytest.mark.shares_pages
MONDAY = date(2026, 1, 5)
DAYS = {game_of(day): day for day in (MONDAY + timedelta(days=n) for n in range(len(puzzle_games())))}


def stacked(node: Any, *, apart: bool = False) -> Iterator[str | tuple[str, str]]:
    """What is tapped for one TooT, or carried to a place: what lies below, its number on top, then what else goes below that.
    ``apart``: another one lies there already."""
    cards, parts = node
    first = cards[0][0]
    if not parts:
        yield (card_key(first), "mat") if apart else card_key(first)
        for card, _ in cards[1:]:
            yield card_key(card), f"on{first}"
        return
    below, *others = sorted(parts, key=lambda part: not part[1])  # a card can be put on a number, but no number on two TooTs
    yield from stacked(below, apart=apart)
    yield card_key(first), f"on{below[0][-1][0]}"
    for part in others:
        if part[1]:
            yield from stacked(part, apart=True)
            yield card_key(part[0][0][0]), f"on{first}"
        else:
            for card, _ in part[0]:
                yield card_key(card), f"on{first}"


def taps(move: Move) -> Sequence[str | tuple[str, str]]:
    """What is tapped for ``move``, or carried to a place."""
    match move:
        case ("play", (node,)):
            return [*stacked(node), "play"]
        case ("play", (), lays):
            return [key for card, x, y in lays for key in (card_key(card), f"at{x},{y}")] + ["play"]
        case ("lay", card, place):
            return [card_key(card), f"at{place}"]
        case ("down", (group,)):
            return [*map(card_key, group[2]), "lay"]
        case ("group", _, _, cards):
            return [*map(card_key, cards), "lay"]
        case (verb,):
            return [verb]
    return []


def test_each_kind_is_solved_on_its_own_table(visit: Callable[..., Page], page: Page, axe: Callable[[Page], list[str]]) -> None:
    settings(page, QUICK)
    visit("#/")
    for game, day in DAYS.items():
        page.goto(page.url.split("#")[0] + f"#/puzzle?day={day}")
        expect(page.locator("#guide[data-state=open]")).to_be_visible()
        expect(page.locator(".hand-actions [data-key=hint]")).to_have_count(0)
        assert axe(page) == [], game
        assert page.evaluate(TOO_SMALL) == [], game
        for move in moves_of(puzzle_of(day)):
            for done in taps(move):
                if isinstance(done, str):
                    tap(page, done)
                else:  # a tap would lay it where it makes sense
                    piece, place = (page.locator(f'#table [data-key="{key}"]:not([hidden])').first for key in done)
                    carry(page, piece, partial(middle, place))
        expect(page.locator("#guide[data-state=solved]")).to_be_visible()
        expect(page.locator("#puzzle-on")).to_be_focused()
        expect(page.locator(".puzzle-standing")).to_contain_text("At the first try")
        expect(page.locator(".confetti i").first).to_be_attached()
        assert axe(page) == [], game
    progress = kept(page)
    assert progress.solutions == {str(day): 1 for day in DAYS.values()}
    assert progress.row == 0, "earlier days count for nothing else"


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844}, has_touch=True)
def test_on_a_phone_the_day_and_the_ways_on_are_one_line_and_leave_the_room_to_the_table(visit: Callable[..., Page],
                                                                                        page: Page) -> None:
    settings(page, QUICK)
    for day in DAYS.values():
        visit(f"#/puzzle?day={day}")
        expect(page.locator("#guide[data-state=open]")).to_be_visible()
        before, shown, again, acts = (page.locator(one).bounding_box() for one in
                                      ("#puzzle-before", ".puzzle-day", "#puzzle-again", "#guide-acts"))
        assert before is not None and shown is not None and again is not None and acts is not None
        assert before["x"] < shown["x"] < again["x"] and acts["height"] <= 48
        assert all(acts["y"] <= one["y"] < acts["y"] + acts["height"] for one in (before, shown, again))
        expect(page.get_by_role("button", name="Start over")).to_be_visible()
        assert page.evaluate(TOO_SMALL) == []


def test_after_two_answers_hints_lead_to_the_best_one_and_the_line_says_so(visit: Callable[..., Page], page: Page) -> None:
    """Whoever did not find it never saw it."""
    day = next(day for day in DAYS.values() if len(puzzle_of(day).answer) == 1)
    settings(page, QUICK)
    visit("#/")
    missed = Progress().after_miss(day).after_miss(day).to_json()
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEPT_AS, missed])
    visit(f"#/puzzle?day={day}")
    hint = page.locator(".hand-actions [data-key=hint]")
    expect(hint).to_be_visible()
    while hint.count():
        said = page.locator(".note").inner_text()
        hint.click()
        expect(page.locator(".note")).not_to_have_text(said)
    tap(page, "play")
    expect(page.locator(".puzzle-standing")).to_contain_text("3 tries · with a hint")


def test_a_puzzle_is_solved_by_keyboard_alone(visit: Callable[..., Page], page: Page) -> None:
    day = next(iter(DAYS.values()))
    settings(page, QUICK)
    visit(f"#/puzzle?day={day}")
    expect(page.locator("#guide[data-state=open]")).to_be_visible()
    keys = [key for move in moves_of(puzzle_of(day)) for key in taps(move)]
    for key in keys:
        assert isinstance(key, str) and Keyboard().press(page, key, ""), key
    expect(page.locator("#guide[data-state=solved]")).to_be_visible()
    expect(page.locator("#puzzle-on")).to_be_focused()
