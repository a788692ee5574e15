"""The puzzle of a day in the browser: found from home, each kind solved on its own table, an answer that is not the best.

What the best answer is, and that it is, is the business of tests/puzzles; here the same puzzle must stand in the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta

from playwright.sync_api import Page, expect

from e2e.support.tables import QUICK, settings
from tabletin.board.scene import card_key
from tabletin.kernel.schema import Move
from tabletin.puzzles.calendar import game_of, puzzle_of
from tabletin.puzzles.progress import KEPT_AS, Progress
from tabletin.puzzles.puzzle import ME, Puzzle, maker_of, puzzle_games
from tests.support.puzzles import make, stand

MONDAY = date(2026, 1, 5)
DAYS = {game_of(day): day for day in (MONDAY + timedelta(days=n) for n in range(len(puzzle_games())))}


def moves_of(puzzle: Puzzle) -> Iterator[Move]:
    """The answer with the cards that it has in the page, while the others answer as they do there."""
    table, maker = stand(puzzle), maker_of(puzzle.game)
    for do in puzzle.answer:
        yield make(table, ME, do)
        while (acting := table.match.rules.to_act(table.match.state)) and ME not in acting:
            reply = maker.reply(puzzle, table.match, acting[0])
            if reply is None:
                break
            table.move(acting[0], reply)


def taps(move: Move) -> list[str]:
    """The keys that are tapped for ``move``."""
    match move:
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


def tap(page: Page, key: str) -> None:
    page.locator(f'#table [data-key="{key}"]:not([hidden])').first.click()


def make_inside(page: Page, move: Move) -> None:
    """The move as a table makes it once it was composed."""
    page.evaluate("""(code) => {
        const script = document.createElement("script");
        script.type = "py";
        script.textContent = code;
        document.body.append(script);
    }""", f"from tabletin.app.main.app import app\napp.screen.table.do(app.screen.session.move(0, {move!r}))")


def kept(page: Page) -> Progress:
    return Progress.from_json(page.evaluate(f"localStorage.getItem('{KEPT_AS}')"))


def test_each_kind_is_solved_on_its_own_table(visit: Callable[..., Page], page: Page, axe: Callable[[Page], list[str]]) -> None:
    settings(page, QUICK)
    visit("#/")
    for game, day in DAYS.items():
        page.goto(page.url.split("#")[0] + f"#/puzzle?day={day}")
        expect(page.locator("#guide[data-state=open]")).to_be_visible()
        expect(page.locator(".hand-actions [data-key=hint]")).to_have_count(0)
        assert axe(page) == [], game
        for move in moves_of(puzzle_of(day)):
            keys = taps(move)
            for key in keys:
                tap(page, key)
            if not keys:
                make_inside(page, move)
        expect(page.locator("#guide[data-state=solved]")).to_be_visible()
        expect(page.locator("#puzzle-on")).to_be_focused()
        assert axe(page) == [], game
    progress = kept(page)
    assert progress.solved == {str(day): 1 for day in DAYS.values()}
    assert progress.row == 0, "earlier days count for nothing else"


def test_today_s_puzzle_from_home_and_a_second_try(visit: Callable[..., Page], page: Page) -> None:
    day = DAYS["toot-fluke"]
    page.clock.set_fixed_time(f"{day}T12:00:00")
    settings(page, QUICK)
    visit("#/")
    expect(page.locator("#puzzle-line")).to_contain_text("Fluke TooT – Use them all ★")
    page.locator("#home a.daily").press("Enter")
    expect(page.locator("#guide[data-state=open]")).to_be_visible()
    tap(page, "pass")
    expect(page.locator("#guide-words")).to_contain_text("Nothing was laid.")
    expect(page.locator("#puzzle-on")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#guide[data-state=open]")).to_be_visible()
    make_inside(page, next(moves_of(puzzle_of(day))))
    expect(page.locator("#guide-words")).to_contain_text("2 tries")
    expect(page.locator("#puzzle-on")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"Tabletin {day.day} Jan – Fluke TooT ★★ · 2 tries")).to_be_visible()
    page.locator("#guide-acts a[href='#/']").click()
    expect(page.locator("#puzzle-line")).to_contain_text("Solved!")
    assert (kept(page).row, kept(page).tries(day)) == (1, 2)
