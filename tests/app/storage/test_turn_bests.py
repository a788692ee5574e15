"""The best single turns of the people here: which one stands, what a result tells of them, and what damaged texts leave."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from tabletin.app.screens.match.result import ResultScreen
from tabletin.app.screens.match.spirit import people_in
from tabletin.app.screens.players import PlayersScreen
from tabletin.app.storage.matches import MatchRecord, record_of
from tabletin.app.storage.profiles import Profile, Profiles
from tabletin.app.storage.turn_bests import KEPT_AS, TurnBest, TurnBests
from tabletin.board.highlights import Highlight, Mark, lasting_moments, marks
from tabletin.kernel.rules import Outcome
from tabletin.kernel.setup import Seat
from tabletin.kernel.state import Event
from tabletin.registry import GAMES
from tabletin.words.wording import Wording
from tests.support.board_tables import WORDS
from tests.support.bots_here import played
from tests.support.random_matches import between_bots


class Texts:
    """Small texts in memory."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def keep(self, key: str, text: str) -> None:
        self.texts[key] = text

    def recall(self, key: str) -> str | None:
        return self.texts.get(key)


def mark(name: str, n: int, *, is_least_best: bool = False) -> Mark:
    return Mark(name, Highlight(3, 0, n, Event("did", 0), "result.cards"), is_least_best)


@pytest.mark.parametrize("is_least_best", [False, True])
def test_the_better_turn_stands_and_is_told_from_the_second_match_on(is_least_best: bool) -> None:
    sign = -1 if is_least_best else 1
    first, worse, better = (mark("run", 10 + sign * by, is_least_best=is_least_best) for by in (0, -1, 2))
    bests = TurnBests().add_marks("ada", "g", "m1", [first])
    assert not bests.is_record("ada", "g", "m1", first), "the first of its kind is no record"
    bests = bests.add_marks("ada", "g", "m2", [worse]).add_marks("ada", "g", "m3", [first])
    assert not bests.is_record("ada", "g", "m3", first), "as good as before is no record"
    bests = bests.add_marks("ada", "g", "m4", [better])
    assert bests.is_record("ada", "g", "m4", better)
    assert bests.add_marks("ada", "g", "m4", [better]) == bests, "the result is opened again"
    assert [best.n for best in bests.turns_of("ada", "g").values()] == [better.highlight.n]
    assert not bests.turns_of("", "g") and not bests.turns_of("ada", "h")


def test_kinds_games_and_people_are_kept_apart() -> None:
    bests = TurnBests().add_marks("ada", "g", "m", [mark("run", 5), mark("out", 3, is_least_best=True)])
    bests = bests.add_marks("bo", "g", "m", [mark("run", 9)]).add_marks("ada", "h", "m", [mark("run", 7)])
    assert [best.n for best in bests.turns_of("ada", "g").values()] == [5, 3]
    assert [best.n for best in bests.remove("ada").turns.values()] == [9]
    assert TurnBests.from_json(bests.to_json()) == bests


SAID: dict[str, object] = {"n": 5, "badge": "", "is_least_best": False, "match": "m", "is_first": True}
GOOD: list[object] = ["ada", "g", "run", SAID]


@pytest.mark.parametrize("text", [None, "", "no", "{}", "3", json.dumps([GOOD[:3], 4, [GOOD], [*GOOD[:3], {**SAID, "n": True}],
                                                                         [*GOOD[:2], 7, SAID], [*GOOD[:3], {"n": 5}]])])
def test_what_cannot_be_read_is_as_if_it_had_never_been(text: str | None) -> None:
    assert not TurnBests.from_json(text).turns
    if text and text.startswith("[["):
        mended = json.dumps([*json.loads(text), GOOD])
        assert TurnBests.from_json(mended).turns == {("ada", "g", "run"): TurnBest(5, "", False, "m", True)}


@pytest.mark.parametrize("said", [{**SAID, "n": 10**9}, {**SAID, "badge": "x" * 65}, {**SAID, "match": "x" * 65}])
def test_what_no_turn_can_have_been_is_as_if_it_had_never_been(said: dict[str, object]) -> None:
    assert not TurnBests.from_json(json.dumps([[*GOOD[:3], said], ["x" * 65, *GOOD[1:]]])).turns


def test_a_best_turn_of_a_kind_that_nobody_knows_is_told_in_points_or_not_at_all() -> None:
    """A file may name any, and the players' page has to open."""
    screen = PlayersScreen.__new__(PlayersScreen)
    screen.shell = SimpleNamespace(words=WORDS)
    for game in GAMES:
        assert screen.best_turn(game, "none", TurnBest(5, "", False, "m", True)) == "+5 points in one turn"
        for badge in ("a.b", "players.best_turn.none", "result."):
            assert screen.best_turn(game, "none", TurnBest(5, badge, False, "m", True)) == ""


def test_a_best_turn_says_what_it_was_the_best_of() -> None:
    screen = PlayersScreen.__new__(PlayersScreen)
    screen.shell = SimpleNamespace(words=WORDS)
    for game in GAMES:
        match = between_bots(game)
        for mark in marks(match, lasting_moments(match), 0):
            one = mark.highlight
            best = TurnBest(one.n, one.badge, mark.is_least_best, "m", True)
            told = screen.best_turn(game, mark.name, best)
            assert told and (": " in told or not one.badge), "how many, and of what"
            if one.badge:
                assert not screen.best_turn(game, mark.name, replace(best, is_least_best=not best.is_least_best)), \
                    "kept when the game told another thing"


def test_what_was_the_best_of_something_else_is_no_measure() -> None:
    """Most cards once, fewest now: the first of the new kind stands, and is no record."""
    before = TurnBests().add_marks("ada", "g", "m1", [mark("claim", 16)])
    fewest = mark("claim", 20, is_least_best=True)
    after = before.add_marks("ada", "g", "m2", [fewest])
    assert after.turns_of("ada", "g")["claim"].n == 20 and not after.is_record("ada", "g", "m2", fewest)
    assert before.merge(after).turns_of("ada", "g")["claim"].n == 16, "what is here stays"


def test_a_best_time_that_was_kept_in_seconds_is_told_in_tenths() -> None:
    """And is beaten by a tenth of a second."""
    kept = json.dumps([["ada", "g", "time", {**SAID, "n": 9, "badge": "result.seconds", "is_least_best": True}]])
    bests = TurnBests.from_json(kept)
    assert bests.turns_of("ada", "g") == {"time": TurnBest(90, "result.tenths", True, "m", True)}
    better = Mark("time", Highlight(3, 0, 89, Event("did", 0), "result.tenths"), True)
    assert [best.n for best in bests.add_marks("ada", "g", "m2", [better]).turns_of("ada", "g").values()] == [89]


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    """A finished match of Ada, Bo and a bot."""
    seats = (Seat("person", "table", "Ada"), Seat("bot", "table", "Ida", "hard"), Seat("person", "table", "Bo"))
    outcome = Outcome((9, 4, 3), (0,), "kernel.won")
    return replace(record_of(played()[0].match, 0.0), seats=seats, extra={"me": 0}, outcome=outcome)


def test_best_turns_are_those_of_who_sat_here(record: MatchRecord) -> None:
    ada, bo = Profile("a", "Ada"), Profile("b", "Bo")
    assert people_in(record, Profiles((ada, bo))) == {"a": 0, "b": 2}
    assert people_in(record, Profiles((bo,))) == {"b": 2, "": 0}
    for other in (replace(record, practice=True), replace(record, outcome=None), replace(record, extra={"me": 0, "seed": 7}),
                  replace(record, outcome=Outcome((9, 4, 3), (0,), "given up", unfinished=True))):
        assert not people_in(other, Profiles((ada,)))


def test_a_result_keeps_the_best_turns_and_stars_a_record() -> None:
    stories = ((between_bots(game), game) for game in GAMES)
    match, game, best = next((match, game, mark) for match, game in stories
                             for mark in marks(match, lasting_moments(match), 0) if mark.name == "points")
    seats = (Seat("person", "table", "Ada"), *match.setup.seats[1:])
    found = replace(record_of(match, 0.0), id="now", seats=seats, extra={"me": 0}, practice=False)
    moments = lasting_moments(match)
    for before, stars in ((best.highlight.n - 1, 1), (best.highlight.n, 0), (None, 0)):
        texts = Texts()
        if before is not None:
            texts.keep(KEPT_AS, TurnBests({("", game, "points"): TurnBest(before, "", False, "earlier", True)}).to_json())
        screen = ResultScreen.__new__(ResultScreen)
        screen.shell = SimpleNamespace(texts=texts, words=WORDS)  # as much of it as is asked for
        screen.match, screen.moments = match, moments
        for _ in range(2):  # opened again it tells the same
            screen.own_bests = screen.take_marks(found)
            html = screen.best(found, Wording(WORDS, match.setup, 0), [0])
            assert html.count("Your record") == stars
        kept = TurnBests.from_json(texts.recall(KEPT_AS)).turns_of("", game)
        assert [one.n for one in kept.values()] == [best.highlight.n]
