"""Bots that adapt: the level moves with what was won and lost, so that about half is won, and every match names it."""

from __future__ import annotations

from random import Random

import pytest

from tabletin.app.session.adaptation import ADAPTS, adapt, level_that_fits, seats_that_adapt
from tabletin.app.session.plan import ME, Place, Plan, rotate
from tabletin.app.storage.matches import MatchRecord
from tabletin.kernel.rules import Outcome
from tabletin.kernel.setup import LEVELS, Seat
from tabletin.kernel.table import AUTHOR
from tabletin.registry import GAMES
from tabletin.words import load
from tests.support.examples import ONE_DEAL

WORDS = load()
OTHER = next(game for game in GAMES if game != ONE_DEAL)


def met(number: int, level: str, winners: tuple[int, ...], *, game: str = ONE_DEAL, practice: bool = False, me: int | None = 0,
        unfinished: bool = False) -> MatchRecord:
    """A match of seat 0, a person, against a bot of ``level``, the ``number``-th that ended."""
    seats = (Seat("person", AUTHOR), Seat("bot", AUTHOR, level=level))
    extra = {} if me is None else {"me": me}
    outcome = Outcome((1, 1), winners, "over", unfinished=unfinished)
    return MatchRecord(str(number), game, 1, 0, number, 9, {}, seats, extra, (), (1, 1), practice, outcome)


WON, LOST, SHARED = (0,), (1,), (0, 1)


@pytest.mark.parametrize(("matches", "level"), [
    ([], "medium"),
    ([("medium", WON)], "medium"),
    ([("medium", WON), ("medium", WON)], "hard"),
    ([("medium", WON), ("medium", LOST), ("medium", WON)], "medium"),
    ([("medium", WON), ("medium", SHARED), ("medium", WON)], "hard"),
    ([("medium", LOST), ("medium", LOST)], "easy"),
    ([("easy", LOST), ("easy", LOST)], "easy"),
    ([("hard", WON), ("hard", WON), ("hard", WON)], "hard"),
    ([("medium", LOST), ("medium", LOST), ("easy", WON), ("easy", WON)], "medium"),
    ([("medium", WON), ("easy", WON)], "easy"),
])
def test_two_in_a_row_move_the_level(matches: list[tuple[str, tuple[int, ...]]], level: str) -> None:
    records = [met(number, *match) for number, match in enumerate(matches)]
    assert level_that_fits(ONE_DEAL, records) == level
    assert level_that_fits(ONE_DEAL, reversed(records)) == level


def test_only_whole_matches_of_this_game_by_the_person_here_count() -> None:
    won = [met(number, "medium", WON) for number in range(2)]
    assert level_that_fits(ONE_DEAL, won) == "hard"
    for other in (met(1, "medium", WON, game=OTHER), met(1, "medium", WON, practice=True), met(1, "medium", WON, me=None),
                  met(1, "medium", WON, unfinished=True), met(1, "random", WON), met(1, "medium", ())):
        assert level_that_fits(ONE_DEAL, [won[0], other]) == "medium"


@pytest.mark.parametrize("chances", [(0.9, 0.6, 0.2), (0.7, 0.3, 0.1), (0.95, 0.85, 0.5)])
def test_about_half_is_won_in_the_long_run(chances: tuple[float, ...]) -> None:
    """``chances``: of winning against each level."""
    rng, records = Random(5), list[MatchRecord]()
    for number in range(120):
        level = level_that_fits(ONE_DEAL, records)
        wins = rng.random() < chances[LEVELS.index(level)]
        records.append(met(number, level, WON if wins else LOST))
    share = sum(record.outcome is not None and record.outcome.winners == WON for record in records) / len(records)
    assert 0.4 < share < 0.65


def test_a_match_names_its_level_and_the_seats_that_adapt() -> None:
    plan = Plan(ONE_DEAL, [Place(ME), Place(ADAPTS), Place("hard")])
    assert plan.is_adapting
    assert Plan.from_text(ONE_DEAL, plan.to_json()).places == plan.places
    setup = plan.setup(WORDS, "easy")
    assert [seat.level for seat in setup.seats] == ["", "easy", "hard"]
    assert seats_that_adapt(setup) == (1,)
    again = rotate(setup)
    assert seats_that_adapt(again) == (0,)
    assert [seat.level for seat in adapt(again, "medium").seats] == ["medium", "hard", ""]


def test_a_setup_whose_seats_say_otherwise_adapts_nobody() -> None:
    setup = Plan(ONE_DEAL, [Place(ME), Place("hard")]).setup(WORDS)
    for named in ("1", [0, 7, "1", True], {"1": 1}, None):
        setup.extra[ADAPTS] = named  # type: ignore[index]  # as a log may say
        assert seats_that_adapt(setup) == ()
    assert adapt(setup, "easy") == setup
