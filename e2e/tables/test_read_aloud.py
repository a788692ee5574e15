"""Every table as a screen reader tells it, line by line: the table in browse order, what is said of moves before what is asked,
the end with the winner.

The texts lie in ``tests/games/<family>/read_aloud``. ``--write-read-aloud`` writes them anew: read them as somebody hears them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from e2e.support.page_python import get_inside
from e2e.support.reader import heard, listen, tree
from e2e.support.tables import begin
from tabletin.registry import GAMES
from tests.support.examples import by_hand, example_of, hand_of, home_of

pytestmark = pytest.mark.shares_pages

SEED: Final = 5
SOME: Final = 6  # moves before the table is looked at
LAST: Final = 8  # sentences


def read_aloud(page: Page) -> Iterator[str]:
    """A table, a round of moves and the end of the match, as they are told."""
    listen(page)
    for title, moves in (("The table", SOME), ("One move, and those of the others", 1)):
        if page.evaluate("([moves, seed]) => inside.play_aloud(moves, seed)", [moves, SEED]) == "over":
            break
        said = heard(page)
        yield from (f"# {title}", *(said[-LAST:] if moves == SOME else said), *(tree(page) if moves == SOME else []))
    page.evaluate("seed => inside.play_aloud(-1, seed)", SEED)
    expect(page.locator(".actions [data-key=result]")).to_be_visible()
    yield from ("# The end", *heard(page)[-LAST:])


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844})
@pytest.mark.parametrize("game", [pytest.param(game, marks=[] if game in by_hand() else [pytest.mark.wide]) for game in GAMES])
def test_a_table_is_told_as_it_was(visit: Callable[..., Page], page: Page, pytestconfig: pytest.Config, game: str) -> None:
    path = home_of(GAMES[game].family) / "read_aloud" / f"{game}.txt"
    is_written = pytestconfig.getoption("--write-read-aloud")
    if not is_written and not path.exists():
        pytest.skip("tests/games/test_completeness.py says that it is missing")
    visit()
    get_inside(page)
    page.evaluate("inside.still(true)")
    begin(visit, page, game, **{**hand_of(game), **example_of(game).longer, "seed": SEED})
    told = "\n".join(read_aloud(page)) + "\n"
    page.evaluate("inside.still(false)")
    if is_written:
        path.parent.mkdir(exist_ok=True)
        path.write_text(told, "utf-8")
    assert told == path.read_text("utf-8")
