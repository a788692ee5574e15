"""What the result page tells of a match: a round that a dealer counts is a gain; its points stand on the score sheet alone."""

from __future__ import annotations

import pytest

from tabletin.app.screens.match.result import ResultScreen
from tabletin.board.highlights import gains, highlights, lasting_moments
from tabletin.games.dominoes.feats import LAID
from tests.support.random_matches import between_bots


@pytest.mark.parametrize("game", ["dominoes", "matador", "tiddle-a-wink"])
def test_rounds_that_a_dealer_counts_are_gains_and_their_points_no_best_turns(game: str) -> None:
    match, key = between_bots(game), "dominoes.log.won"
    moments = lasting_moments(match)
    points = [event.params["n"] for moment in moments for event in moment.events if event.key == key]
    best = gains(moments, lambda _: 0, low=False)[0]
    assert best.event.key == key and best.n == max(points)
    told = highlights(match, moments)
    assert told and all(one.badge and one.event.key != key for one in told)


def test_the_longest_row_counts_what_one_seat_laid_without_drawing_or_passing() -> None:
    match = between_bots("matador")
    moments = lasting_moments(match)
    runs: dict[int, int] = {}
    most = 0
    for moment in moments:
        for event in moment.events:
            if event.key == "dominoes.log.round":
                runs = {}
            elif event.seat is not None and event.key in ("dominoes.log.drew", "matador.log.passed"):
                runs[event.seat] = 0
            elif event.seat is not None and event.key in LAID:
                runs[event.seat] = runs.get(event.seat, 0) + 1
                most = max(most, runs[event.seat])
    told = highlights(match, moments)
    row = [one.n for one in told if one.badge == "result.in_a_row"]
    assert row in ([], [most]), "left out only where the same moment is told already"
    assert told and all(len(one.cards) == one.n for one in told), "all of a row are shown, and all that was laid to go out"


def test_the_quickest_way_out_shows_the_dominoes_with_which_it_was() -> None:
    """That somebody is out is told without them."""
    match = between_bots("dominoes")
    screen = ResultScreen.__new__(ResultScreen)
    screen.match, screen.moments = match, lasting_moments(match)
    (out,) = (one for one in highlights(match, screen.moments) if one.event.key == "dominoes.log.out")
    assert not out.event.cards and len(screen.cards_of(out)) == out.n
    assert screen.cards_of(out)[-1] == match.entries[out.index].statement.body["do"][1]
