"""What stands around the puzzle of a day: the ways to other days, and how many in a row were solved."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from tabletin.app.routes import Route
from tabletin.app.screens.puzzle import PuzzleScreen
from tabletin.app.screens.puzzle_line import home_line
from tabletin.app.storage.puzzle_progress import DAY, KEPT_AS, Progress
from tabletin.puzzles.calendar import game_of, stars_of
from tabletin.words import load

TODAY = date(2026, 1, 20)


def screen(day: date, progress: Progress, *, is_solved: bool) -> PuzzleScreen:
    """The screen of ``day``, whose puzzle is solved or still open."""
    texts = SimpleNamespace(recall={KEPT_AS: progress.to_json()}.get)
    shell: Any = SimpleNamespace(texts=texts, words=load(), describe_day=lambda day: f"the day {day}")
    found = PuzzleScreen(shell, Route("puzzle"))
    verdict = SimpleNamespace(is_best=True) if is_solved else None
    found.today, found.day = TODAY, day
    found.session = SimpleNamespace(is_solved=is_solved, verdict=verdict, is_hinted=False)  # type: ignore[assignment]
    return found


def solved_on(*days: date) -> Progress:
    progress = Progress()
    for day in days:
        progress = progress.after_solving(day, day)
    return progress


@pytest.mark.parametrize("is_solved", [False, True])
@pytest.mark.parametrize("back", [0, 1, 2])
def test_other_days_are_a_tap_away_solved_or_not(back: int, is_solved: bool) -> None:
    day = TODAY - timedelta(days=back)
    acts = screen(day, Progress(), is_solved=is_solved).acts()
    assert f"the day {day}" in acts and "arrow" not in acts, "an arrow leads back elsewhere"
    assert f'href="#/puzzle?day={day - DAY}"' in acts
    assert (f'href="#/puzzle?day={day + DAY}"' in acts) == bool(back), "tomorrow's is not out yet"


def test_the_longest_row_is_told_once_it_is_longer_than_the_present_one() -> None:
    before = [TODAY - timedelta(days=days) for days in (9, 8, 7)]
    now = [TODAY - DAY, TODAY]
    assert "2 days in a row · longest so far: 3" in screen(TODAY, solved_on(*before, *now), is_solved=True).praise()
    assert "longest" not in screen(TODAY, solved_on(*now), is_solved=True).praise()
    assert "longest" not in screen(TODAY - DAY, solved_on(*before, *now), is_solved=True).praise(), "that is of today"


def test_how_hard_a_puzzle_is_can_be_heard_wherever_it_is_shown_in_stars() -> None:
    """A reader of the page says "star" of a star, or nothing."""
    day = next(TODAY + timedelta(days=days) for days in range(9) if game_of(TODAY + timedelta(days=days)))
    level = f'<span class="puzzle-stars" role="img" aria-label="Difficulty: {stars_of(day)} of 3">★'
    assert level in home_line(load(), Progress(), day)
    assert "★" not in home_line(load(), solved_on(day), day)
    found = screen(day - DAY, solved_on(day - DAY), is_solved=True)
    found.today = day - DAY
    assert level in found.praise()


@pytest.mark.parametrize(("done", "shown", "told"), [
    ("copied", {"puzzle-on": "Copied"}, []), ("shared", {}, []), ("", {}, ["This browser can’t share"]),
])
def test_the_button_says_that_the_line_is_copied_and_nothing_moves_the_table(
    done: str, shown: dict[str, str], told: list[str],
) -> None:
    async def share(line: str) -> str:
        return done

    found = screen(TODAY, solved_on(TODAY), is_solved=True)
    painted: dict[str, str] = {}
    said, heard = list[str](), list[str]()
    shell: Any = found.shell
    shell.describe_day, shell.notices = str, SimpleNamespace(say=said.append, announce=heard.append)
    shell.document = SimpleNamespace(share_words=share, repaint=painted.__setitem__)
    asyncio.run(found.act("share", {}))
    assert painted.keys() == shown.keys() and all(words in painted[part] for part, words in shown.items())
    assert [one.partition(".")[0] for one in said] == told and len(heard) == len(shown)
