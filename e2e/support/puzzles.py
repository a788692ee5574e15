"""Puzzles of a day in a page: the answer with the cards that it has there, taps, and what was kept."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

from tabletin.app.storage.puzzle_progress import KEPT_AS, Progress
from tabletin.kernel.schema import Move
from tabletin.puzzles.puzzle import ME, Puzzle, maker_of
from tests.support.puzzles import make, stand


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
