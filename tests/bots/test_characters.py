"""Characters: a match says who has which habit, each shows in every game that knows it, a seed brings the same people."""

from __future__ import annotations

import json
from itertools import count, islice
from random import Random

import pytest

from tabletin.app.session.plan import ME, Place, Plan, rotate
from tabletin.bots.characters import HABITS, NAMED_IN, habit_of
from tabletin.bots.decision import Decision, Position
from tabletin.bots.worker import BotWorker, SyncPoint, encode_request
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.match import Match
from tabletin.kernel.setup import LEVELS, Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import GAMES, rules_of
from tabletin.words import load
from tests.support.cases import CASES
from tests.support.random_matches import begin, step

WORDS = load()
KNOWING = [game for game, entry in GAMES.items() if game in entry.declaration("habits", "WITH_HABITS", ())]


def decision(match: Match, seat: int, level: str, habit: str) -> Decision:
    """What a bot decides by a clock that ticks once whenever it is looked at."""
    clock = count()
    position = Position(match.view((seat,)), seat, level, Random(7), 12, lambda: next(clock), habit=habit)
    found: Decision = GAMES[match.setup.game].module("bot").choose(position)
    return found


@pytest.mark.parametrize("game", KNOWING)
def test_every_habit_shows_and_is_legal(game: str) -> None:
    """In matches between bots each habit decides otherwise than no habit, at some level."""
    shown = set[str]()
    case = next(case for case in CASES if case[0] == game)
    for seed in range(20):
        table = begin(case, seed)
        for number in range(80):
            acting = table.match.rules.to_act(table.match.state)
            if not acting or len(shown) == len(HABITS):
                break
            for level in LEVELS[1:2 if number % 4 else 3]:  # hard takes long
                plain = decision(table.match, acting[0], level, "").move
                if len(list(islice(table.match.view((acting[0],)).moves(acting[0]), 2))) < 2:
                    break  # no habit could choose
                for habit in set(HABITS) - shown:
                    found = decision(table.match, acting[0], level, habit).move
                    assert table.match.view((acting[0],)).refusal(acting[0], found) is None
                    if found != plain:
                        shown.add(habit)
            table.move(acting[0], plain)
    assert shown == set(HABITS)


def test_a_match_says_who_has_which_habit() -> None:
    game = KNOWING[0]
    plan = Plan(game, [Place(ME), Place("easy"), Place("hard", "Zoe"), Place("hard")])
    assert plan.habits(WORDS) == ["", HABITS[0], "", HABITS[1]]
    plan = Plan(game, [Place(ME), Place("easy")])
    setup = plan.setup(WORDS)
    assert [habit_of(setup, seat) for seat in range(2)] == ["", HABITS[0]]
    assert [habit_of(rotate(setup), seat) for seat in range(2)] == [HABITS[0], ""]
    for language in ("en", "de", "fr", "es"):
        assert plan.habits(load(language)) == ["", HABITS[0]]


def test_games_without_habits_name_none() -> None:
    others = [game for game in GAMES if game not in KNOWING]
    assert others
    for game in others:
        assert NAMED_IN not in Plan.usual(game).setup(WORDS).extra


@pytest.mark.parametrize("named", [None, "bold", ["bold"], ["bold", "none", 3], {"1": "bold"}, [["bold"], ["bold"]]])
def test_what_a_log_says_wrongly_is_no_habit(named: object) -> None:
    setup = Plan(KNOWING[0], [Place(ME), Place("easy")]).setup(WORDS)
    setup.extra[NAMED_IN] = named  # type: ignore[index]  # as a log may say
    assert habit_of(setup, 1) == ""


def test_the_same_seed_is_thought_of_alike() -> None:
    """Two workers, asked about the same place of a match with a seed, say the same; easy bots leave much to chance."""
    game = KNOWING[0]
    rules, rng = rules_of(game), Random(2)
    seats = (Seat("bot", AUTHOR),) * max(2, rules.seat_counts[0])
    table = Table.begin(rules, Setup(game, rules.version, {}, seats, extra={"seed": 11}), OpenDealer(rng))
    said = 0
    for _ in range(30):
        acting = table.match.rules.to_act(table.match.state)
        if not acting:
            break
        one, two = (json.loads(BotWorker().think(encode_request(table.match, acting[0], "easy", 0.8, SyncPoint())))["move"]
                    for _ in range(2))
        assert one == two
        said += 1
        step(table, rng)
    assert said > 5
