"""How long what happened is shown, and what it was worth: by events, scores and seats alone."""

from __future__ import annotations

import pytest

from tabletin.app.table.beats import RESULT, Gain, gains, landing_seconds, mover, result_seconds, single_act
from tabletin.kernel.requests import ALL
from tabletin.kernel.state import Event
from tabletin.registry import GAMES
from tests.support.board_tables import WORDS


def event(key: str, seat: int | None = None, reader: int = ALL) -> Event:
    return Event(key, seat, reader=reader)


def test_a_result_stays_longer_than_anything_else() -> None:
    results = frozenset(("game.scored",))
    scored, laid = [event("game.laid", 0), event("game.scored", 1)], [event("game.laid", 0)]
    assert result_seconds(laid, results, 1.2) == 0
    assert result_seconds(scored, results, 1.2) >= RESULT >= 2.5
    assert result_seconds(scored, results, 2.4) > RESULT
    assert result_seconds(scored, results, 1.2, is_counted=True) > result_seconds(scored, results, 1.2)
    assert result_seconds(scored, results, 0.0) == 0


def test_ones_own_turn_begins_when_what_others_did_has_landed() -> None:
    other, own, private = event("game.laid", 1), event("game.laid", 0), event("game.drew", 1, reader=1)
    assert landing_seconds([other], 0, (0,), 1.2) > 0.3
    for events, me, acting, pace in (([own], 0, (0,), 1.2), ([private], 0, (0,), 1.2), ([other], 0, (1,), 1.2),
                                     ([other], 0, (0, 1), 1.2), ([other], None, (0,), 1.2), ([other], 0, (0,), 0.0)):
        assert landing_seconds(events, me, acting, pace) == 0, (events, me, acting, pace)
    assert landing_seconds([other], 0, (0,), 1.2, has_words=True) >= 1.5 > landing_seconds([other], 0, (0,), 1.2)
    assert mover([other, own], 0) == 1 and mover([own], 0) is None


def test_the_end_is_told_when_what_ended_it_has_landed_whoever_did_it() -> None:
    for told, me in ((event("game.laid", 0), 0), (event("game.laid", 1), 0), (event("game.laid", 1), None)):
        assert landing_seconds([told], me, (), 1.2, is_over=True) > 0.3 == 0.3 + landing_seconds([told], me, (), 1.2)
        assert landing_seconds([told], me, (), 0.0, is_over=True) == 0
    assert landing_seconds([event("game.over")], 0, (), 1.2, is_over=True) == 0


def test_what_a_seat_did_is_told_where_it_was_one_thing() -> None:
    passed, drew, other = event("game.passed", 1), event("game.drew", 1, reader=1), event("game.drew", 2)
    assert single_act([drew, passed, other], 1) is passed
    assert single_act([passed, passed], 1) is None and single_act([drew], 1) is None


@pytest.mark.parametrize(("low_wins", "is_good"), [(False, True), (True, False)])
def test_a_gain_is_what_the_score_has_changed_by(low_wins: bool, is_good: bool) -> None:
    played = [event("game.laid", 1)]
    assert gains((3, 4), (3, 22), played, low_wins=low_wins) == [Gain(1, 18, is_good)]
    assert gains((3, 4), (3, -2), played, low_wins=low_wins) == [Gain(1, -6, not is_good)]
    assert gains((3, 4), (3, 4), played, low_wins=low_wins) == []
    assert gains((3, 4), (3, 22), [event("kernel.undone", 1)], low_wins=low_wins) == []


@pytest.mark.parametrize("game", GAMES)
def test_what_a_board_calls_a_result_is_said_in_words(game: str) -> None:
    board = GAMES[game].module("board").board(game)
    assert all(key in WORDS for key in board.results)
