"""How a result feels to those who look at it, whether it is their best, and the picture of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast
from xml.etree import ElementTree

import pytest

from tabletin.app.screens.match.result import ResultScreen
from tabletin.app.screens.match.review import ReviewScreen
from tabletin.app.screens.match.spirit import (
    is_personal_best,
    named_for_others,
    places_of,
    ranks,
    spirit_of,
    verdict_for_others,
)
from tabletin.app.storage.matches import MatchRecord
from tabletin.board.highlights import highlights, lasting_moments
from tabletin.board.lead_graph import course_of
from tabletin.board.result_picture import SIDE, ResultLine, result_picture
from tabletin.kernel.rules import Outcome
from tabletin.kernel.setup import Setup
from tabletin.registry import GAMES
from tabletin.words import load
from tabletin.words.wording import Wording
from tests.support.board_tables import seated
from tests.support.bots_here import ME, bot

GAME = next(iter(GAMES))


@pytest.mark.parametrize(("scores", "winners", "people", "spirit"), [
    ((50, 20), (0,), (0,), "won"), ((20, 50), (1,), (0,), "lost"), ((48, 50), (1,), (0,), "close"),
    ((50, 50), (0, 1), (0,), "shared"), ((50, 20), (0,), (0, 1), ""), ((50, 20), (0,), (), ""), ((0, 0), (), (0,), ""),
])
def test_a_win_and_a_loss_feel_different(
    scores: tuple[int, ...], winners: tuple[int, ...], people: Sequence[int], spirit: str,
) -> None:
    assert spirit_of(Outcome(scores, winners, "over"), people) == spirit
    assert spirit_of(Outcome(scores, winners, "over", unfinished=True), people) == ""


def test_seats_are_ranked_with_the_winners_first() -> None:
    assert ranks(Outcome((5, 30, 20), (1,), "over")) == [1, 2, 0]
    assert ranks(Outcome((5, 30, 20), (0,), "over", low_wins=True)) == [0, 2, 1]
    assert ranks(Outcome((30, 30, 20), (1,), "decided otherwise")) == [1, 0, 2]


def test_the_number_beside_a_name_is_its_place_and_who_scored_the_same_shares_it() -> None:
    assert places_of(Outcome((5, 30, 20), (1,), "over")) == {0: 3, 1: 1, 2: 2}
    assert places_of(Outcome((5, 30, 5, 1), (3,), "over", low_wins=True)) == {3: 1, 0: 2, 2: 2, 1: 4}
    assert places_of(Outcome((30, 30, 20), (1,), "decided otherwise")) == {1: 1, 0: 2, 2: 3}
    assert places_of(Outcome((7, 7), (0, 1), "over")) == {0: 1, 1: 1}


@pytest.mark.parametrize("low_wins", [True, False])
def test_scores_say_where_the_fewest_points_win(low_wins: bool) -> None:
    class Table(ResultScreen):
        def face(self, seat: int) -> str:
            return ""

    screen = Table.__new__(Table)
    screen.shell = cast(Any, SimpleNamespace(words=load()))
    setup = Setup(GAME, 1, {}, (replace(ME, name="Ann"), bot()))
    screen.match = cast(Any, SimpleNamespace(setup=setup, state=SimpleNamespace(absentees=())))
    shown = screen.ranking(Outcome((7, 5), (int(low_wins),), "over", low_wins=low_wins), Wording(load(), setup, None))
    assert (load().text("result.low_wins") in shown) == low_wins


def test_whoever_was_sent_a_result_is_not_called_by_it() -> None:
    here = Setup(GAME, 1, {}, (replace(ME, name="You"), bot(), replace(ME, name="Yourka")))
    assert [seat.name for seat in named_for_others(here, load()).seats] == ["Me", bot().name, "Yourka"]
    won, lost = Outcome((9, 7, 5), (0,), "over"), Outcome((9, 7, 5), (2,), "over")
    assert verdict_for_others(won, here, load()) == "I won!"
    assert verdict_for_others(lost, here, load()) == "Yourka won."
    both = replace(here, seats=(*here.seats[:2], here.seats[0]))
    assert [seat.name for seat in named_for_others(both, load()).seats] == ["Player 1", bot().name, "Player 3"]
    assert verdict_for_others(won, both, load()) == "Player 1 won."
    assert verdict_for_others(replace(won, winners=(0, 2)), both, load()) == "Player 1 and Player 3 share the win."


@pytest.mark.parametrize(("standings", "told"), [
    ([(0, 0), (0, 9)], "Nobody was ahead before the very end."), ([(0, 0), (4, 0), (4, 9)], "The lead changed once."),
    ([(0, 0), (4, 0), (4, 2)], "The lead never changed."),
])
def test_who_led_is_told_in_a_sentence(standings: list[tuple[int, int]], told: str) -> None:
    screen = cast("ReviewScreen", SimpleNamespace(text=load().text))
    assert ReviewScreen.graph_words(screen, course_of(standings, low_wins=False)) == told


def record(name: str, scores: tuple[int, int], *, low_wins: bool = False, practice: bool = False, **options: int) -> MatchRecord:
    outcome = Outcome(scores, (0,), "over", low_wins)
    return MatchRecord(name, GAME, 1, 0, 0, 9, options, (ME, bot()), {}, (), scores, practice, outcome)


@pytest.mark.parametrize(("low_wins", "better", "worse"), [(False, 60, 40), (True, 40, 60)])
def test_a_personal_best_is_better_than_all_of_its_kind(low_wins: bool, better: int, worse: int) -> None:
    def of(name: str, mine: int, **more: int) -> MatchRecord:
        return record(name, (mine, 0), low_wins=low_wins, **more)  # type: ignore[arg-type]  # options are numbers

    now, before = of("now", 50), of("before", worse)
    assert is_personal_best(now, [now, before])
    assert not is_personal_best(now, [now]), "the first of its kind is no best"
    assert not is_personal_best(now, [now, before, of("best", better)])
    assert not is_personal_best(now, [now, of("equal", 50)])
    assert is_personal_best(now, [now, before, of("otherwise", better, hands=3)])
    assert not is_personal_best(record("now", (50, 0), low_wins=low_wins, practice=True), [before])
    assert is_personal_best(now, [before, record("practice", (better, 0), low_wins=low_wins, practice=True)])


@pytest.mark.parametrize("game", GAMES)
def test_the_picture_is_a_whole_drawing_with_every_name_and_score(game: str) -> None:
    lines = [ResultLine(f"<Ann & {number}>", str(10 * number), number == 0) for number in range(10)]
    lid = GAMES[game].module("art").lid(game)
    won = "Somebody with a long name won the match"
    drawn = ElementTree.fromstring(result_picture("Long & longer name of a game", won, lines, lid, "Tabletin"))
    texts = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert all(line.name in texts and line.score in texts for line in lines)
    ys = [float(element.get("y", 0)) for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert max(ys) < SIDE
    spelled = ElementTree.tostring(drawn, "unicode")
    assert "http" not in spelled.replace("http://www.w3.org/2000/svg", ""), "it asks nobody for anything"


def test_of_a_row_of_turns_all_cards_are_drawn_and_no_single_turn_is_told() -> None:
    table = seated("toot-pursuit", 2, 3)
    match = table.match
    while not match.state.end_reason:
        (seat,) = match.rules.to_act(match.state)
        table.move(seat, max(match.rules.moves(match.state, seat, match.view((seat,)).faces), key=len))
    screen = ResultScreen.__new__(ResultScreen)
    words = load()
    screen.shell, screen.match, screen.moments = cast(Any, SimpleNamespace(words=words)), match, lasting_moments(match)
    wording = Wording(words, match.setup)
    row = next(one for one in highlights(match) if one.badge == "result.in_a_row")
    assert len(row.cards) > len(row.event.cards) > 0
    found = screen.best(cast(MatchRecord, SimpleNamespace(id="m", game="toot-pursuit")), wording, ())
    assert f'{words.text("result.feat.row")}</span> {wording.seat(row.seat)}.<' in found
