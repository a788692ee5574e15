"""The puzzle of each day: the same from the date alone, at home in its game's own rules, with one best answer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from hashlib import sha256
from itertools import pairwise

import pytest

from tabletin.kernel.match import Match
from tabletin.kernel.schema import Move
from tabletin.kernel.table import Table
from tabletin.puzzles.calendar import STARS_OF_WEEKDAY, day_of, game_of, puzzle_of, stars_of
from tabletin.puzzles.puzzle import ME, Puzzle, Verdict, maker_of, makers, puzzle_games
from tabletin.registry import GAMES, HOMES, install, remove
from tabletin.words import load
from tests.support.puzzles import make, stand

FIRST = date(2026, 1, 1)
YEAR = [FIRST + timedelta(days=n) for n in range(365)]
SAMPLE = YEAR[::29]  # 13 days: every game, every weekday
BARE = "tests.support.bare_family"


def answer(puzzle: Puzzle, table: Table, moves: tuple[Move, ...]) -> Verdict | None:
    """What ``moves`` of ``ME`` are worth, while the others answer as the puzzle has it."""
    maker, start = maker_of(puzzle.game), len(table.match.entries)
    verdict = maker.judge(puzzle, table.match, start)
    for do in moves:
        assert verdict is None, "the puzzle was over before the answer was"
        make(table, ME, do)
        verdict = maker.judge(puzzle, table.match, start)
        while verdict is None and (seat := acting(table.match)) not in (ME, None):
            reply = maker.reply(puzzle, table.match, seat)
            if reply is None:
                break
            table.move(seat, reply)
            verdict = maker.judge(puzzle, table.match, start)
    return verdict


def acting(match: Match) -> int:
    return next(iter(match.rules.to_act(match.state)), ME)


@pytest.mark.parametrize("day", SAMPLE, ids=str)
def test_its_answer_is_the_best(day: date) -> None:
    puzzle = puzzle_of(day)
    assert (puzzle.game, puzzle.stars) == (game_of(day), stars_of(day))
    table = stand(puzzle)
    assert acting(table.match) == ME
    verdict = answer(puzzle, table, puzzle.answer)
    assert verdict is not None and verdict.is_best


@pytest.mark.parametrize("day", SAMPLE[:4], ids=str)
def test_it_follows_from_the_date(day: date) -> None:
    assert puzzle_of(day) == puzzle_of(day) != puzzle_of(day + timedelta(days=len(puzzle_games())))


def test_it_is_the_same_everywhere_and_stays_so() -> None:
    """Written down once, and run inside Pyodide, too: whoever changes them changes everybody's puzzles."""
    digests = {str(day): sha256(repr(puzzle_of(day)).encode()).hexdigest()[:12] for day in YEAR[::73]}
    assert digests == {"2026-01-01": "e1e061f1b034", "2026-03-15": "ca1cfc128e5c", "2026-05-27": "87b7fe194073",
                       "2026-08-08": "ee226f333dbc", "2026-10-20": "7896d221e3bf"}


def test_games_take_turns_and_weeks_become_harder() -> None:
    assert all(game_of(day) != game_of(after) for day, after in pairwise(YEAR))
    assert {game_of(day) for day in YEAR} == set(puzzle_games()) == set(makers())
    week = [stars_of(date(2026, 11, 23) + timedelta(days=n)) for n in range(7)]
    assert week == sorted(week) == list(STARS_OF_WEEKDAY)


def test_a_family_says_which_games_its_makers_are_for() -> None:
    for family in HOMES.values():
        declared = GAMES[next(iter(family.games))].declaration("puzzle", "PUZZLES", {})
        assert tuple(declared) == family.puzzles


@pytest.mark.parametrize(("text", "day"), [("2026-11-23", date(2026, 11, 23)), ("20261123", None), ("2026-13-01", None),
                                           ("", None), ("x", None)])
def test_a_day_is_read_in_one_form(text: str, day: date | None) -> None:
    assert day_of(text) == day


@pytest.fixture
def bare() -> Iterator[None]:
    install(BARE)
    yield
    remove(BARE)


def test_a_family_without_puzzles_changes_nobodys(bare: None) -> None:
    day = SAMPLE[0]
    assert set(puzzle_games()).isdisjoint(HOMES[BARE].games)
    assert maker_of(game_of(day))


@pytest.mark.parametrize("game", puzzle_games())
def test_its_words_are_in_every_language(game: str) -> None:
    from tabletin.app.ui.html import game_key
    from tabletin.words import languages
    for language in languages():
        words = load(language)
        assert all(game_key(words, game, f"puzzle.{key}") in words for key in ("title", "goal", "solved", "missed"))
