"""How a result feels to those who look at it, whether it is their best, and the picture of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast
from xml.etree import ElementTree

import pytest

from tabletin.app.screens.match.result import ResultScreen
from tabletin.app.screens.match.review import ReviewScreen, seats_of
from tabletin.app.screens.match.spirit import (
    is_personal_best,
    named_for_others,
    places_of,
    ranks,
    spirit_of,
    verdict_for_others,
)
from tabletin.app.storage.matches import MatchRecord, record_of
from tabletin.app.storage.profiles import Profile, Profiles
from tabletin.board.lead_graph import course_of
from tabletin.board.result_picture import SIDE, DrawnTurn, ResultLine, result_picture
from tabletin.kernel.rules import Outcome
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR
from tabletin.registry import GAMES
from tabletin.words import load
from tabletin.words.wording import Wording
from tests.support.bots_here import ME, bot, played

GAME = next(iter(GAMES))


@pytest.mark.parametrize(("scores", "winners", "people", "spirit"), [
    ((50, 20), (0,), (0,), "won"), ((20, 50), (1,), (0,), "lost"), ((48, 50), (1,), (0,), "close"),
    ((50, 50), (0, 1), (0,), "shared"), ((50, 20), (0,), (0, 1), "both"), ((50, 50, 9), (0, 1), (0, 2), "both"),
    ((50, 50, 9), (0, 1), (0, 1), "shared"), ((50, 20), (0,), (), ""), ((0, 0), (), (0,), ""),
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


SVG = "{http://www.w3.org/2000/svg}"


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


def shown(*names: str, people: Profiles, winner: int, practice: bool = False) -> Page:
    """The result of a match of those ``names`` at one device."""
    match = played()[0].match
    setup = replace(match.setup, seats=tuple(Seat("person", AUTHOR, name) for name in names), extra={"me": 0})
    outcome = Outcome(tuple(9 * (seat == winner) for seat in range(len(names))), (winner,), "over")
    found = replace(record_of(match, 0.0), seats=setup.seats, extra={"me": 0}, outcome=outcome, scores=outcome.scores,
                    practice=practice)
    page = Page()

    class Brief(ResultScreen):
        def best(self, *_: object) -> str:
            return ""

        def sheet(self, _: Wording) -> str:
            return ""

    screen = Brief.__new__(Brief)
    texts = SimpleNamespace(recall=lambda _key: None)
    screen.shell = cast(Any, SimpleNamespace(words=load(), document=page, notices=page, texts=texts))
    screen.people = people
    screen.match = cast(Any, SimpleNamespace(setup=setup, entries=(), rules=match.rules, state=SimpleNamespace(absentees=())))
    screen.show_result(found, outcome, is_best=False, medals=screen.medals(found, [found]))
    return page


def test_what_does_not_count_is_said_after_all_that_is_kind() -> None:
    html = shown("Ann", "Ben", people=Profiles(), winner=0, practice=True).html
    assert html.index('id="look-back"') < html.index(load().text("result.practice")) < html.index('class="ranking"')


class Page:
    """A document that keeps what it shows, and notices that keep what was said."""

    html = said = ""

    def paint(self, html: str, title: str) -> None:
        self.html = html

    def announce(self, sentence: str) -> None:
        self.said = sentence


@pytest.mark.parametrize(("winner", "kind"), [
    (0, "Well played, Ada! Good game, Bo and Cy."), (2, "Well played, Cy! Good game, Ada and Bo."),
])
def test_whoever_wins_at_a_shared_device_is_celebrated_by_name(winner: int, kind: str) -> None:
    html = shown("Ada", "Bo", "Cy", people=Profiles(), winner=winner).html
    assert kind in html and "confetti" in html and 'class="verdict won"' in html
    assert ">You" not in html, "who would that be?"


def test_a_short_name_is_not_broken_at_its_space() -> None:
    html = shown("Player 1", "Aunt Wilhelmina Rose", people=Profiles(), winner=0).html
    assert "Player\N{NO-BREAK SPACE}1" in html and "Aunt Wilhelmina Rose." in html


def test_a_badge_is_shown_and_spoken_on_the_result_that_earned_it() -> None:
    people = Profiles((Profile("a", "Ada"), Profile("b", "Bo"), Profile("d", "Di")))
    page = shown("Ada", "Bo", "Cy", people=people, winner=1)
    told = ["New badge for Ada: Off we go.", "New badge for Bo: Off we go.", "New badge for Bo: First win."]
    assert page.said == " ".join(told) and all(one in page.html for one in told)
    assert "New badge" not in shown("Cy", "Ed", people=people, winner=0).html


@pytest.mark.parametrize("winners", [(0,), (1,)])
def test_everybody_at_a_shared_device_may_look_back(winners: tuple[int, ...]) -> None:
    outcome = Outcome((3, 4), winners, "over")
    both = replace(record("m", (3, 4)), seats=(ME, replace(ME, name="Bo")), extra={"me": 0}, outcome=outcome)
    assert seats_of(both) == (0, 1)
    assert seats_of(replace(both, seats=(ME, bot()))) == (0,)
    assert "How did we play?" in shown("Ada", "Bo", people=Profiles(), winner=winners[0]).html


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [1, 2, 6, 10])
def test_the_picture_shows_this_match_and_leaves_no_edge_empty(game: str, seats: int) -> None:
    """Who, how many points, how one wins and the cards of the best turn, one below the other and all within it."""
    art = GAMES[game].module("art")
    lines = [ResultLine(f"Ann {number}", str(number), number == 0, "<path/>" if number % 2 else "", number)
             for number in range(seats)]
    for many in (1, 4, 16):
        best = DrawnTurn("Most cards at once – Ann 0: many", ["<circle/>"] * many, art.VIEWBOX)
        drawn = ElementTree.fromstring(result_picture("Game", "Ann won.", "Fewest win.", lines, best, art.lid(game), "Tabletin"))
        texts = [element.text for element in drawn.iter(f"{SVG}text")]
        assert {"Fewest win.", best.words} <= set(texts)
        cards = [inset for inset in drawn.iter(f"{SVG}svg") if inset.find(f"{SVG}circle") is not None and inset is not drawn
                 and inset.get("viewBox") == f"0 0 {art.VIEWBOX[0]} {art.VIEWBOX[1]}"]
        assert len(cards) == many
        (moved,) = (group for group in drawn.iter(f"{SVG}g") if any(card in list(group) for card in cards))
        top = float(str(moved.get("transform")).split()[1].rstrip(")"))
        rows = [rect for rect in drawn.iter(f"{SVG}rect") if rect.get("rx") == "22"]
        lowest_row = max(float(str(row.get("y"))) + float(str(row.get("height"))) for row in rows)
        for card in cards:
            x, y, width, height = (float(str(card.get(name))) for name in ("x", "y", "width", "height"))
            assert x >= 0 and x + width <= SIDE and lowest_row < top + y and top + y + height < SIDE - 100
            assert height > 40, "to be seen"


@pytest.mark.parametrize("game", GAMES)
def test_the_picture_is_a_whole_drawing_with_every_name_and_score(game: str) -> None:
    lines = [ResultLine(f"<Ann & {number}>", str(10 * number), number == 0) for number in range(10)]
    lid = GAMES[game].module("art").lid(game)
    won = "Somebody with a long name won the match"
    drawn = ElementTree.fromstring(result_picture("Long & longer name of a game", won, "", lines, None, lid, "Tabletin"))
    texts = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert all(line.name in texts and line.score in texts for line in lines)
    ys = [float(element.get("y", 0)) for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert max(ys) < SIDE
    spelled = ElementTree.tostring(drawn, "unicode")
    assert "http" not in spelled.replace("http://www.w3.org/2000/svg", ""), "it asks nobody for anything"
