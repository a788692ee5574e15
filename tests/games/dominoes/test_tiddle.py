"""Tiddle-A-Wink: five each, no drawing, doubles play again, "G" (DO-8)."""

from __future__ import annotations

import pytest

from tabletin.games.dominoes.state import COUNTED
from tabletin.registry import rules_of
from tests.games.dominoes.positions import Round

HANDS = ["9-9 9-8 8-8 7-6 7-5", "9-7 6-5 6-4 6-3 6-2", "5-5 5-4 5-3 5-2 5-1", "4-4 4-3 4-2 4-1 4-0", "3-3 3-2 3-1 3-0 2-2",
         "2-1 2-0 1-1 1-0 0-0"]


@pytest.mark.parametrize(("seats", "set_"), [(6, 9), (10, 9), (10, 12)])
def test_do_8_five_dominoes_each(seats: int, set_: int) -> None:
    rules = rules_of("tiddle-a-wink")(seats, {"set": set_})
    assert rules.hand_size == 5  # type: ignore[attr-defined]
    assert 5 * seats <= len(rules.deck())


def test_do_8_after_any_double_the_same_seat_plays_again() -> None:
    game = Round("tiddle-a-wink", HANDS).led()
    assert game.state.turn == 0  # the lead included
    game.lay(0, "9-8", 9)
    assert game.state.turn == 1
    game.state.turn = 0
    game.lay(0, "8-8", 8)
    assert game.state.turn == 0
    assert game.told("tiddle-a-wink.log.again")
    assert len(game.told("tiddle-a-wink.log.led")) == len(game.told("tiddle-a-wink.log.laid")) == 1, "it is told at once"
    assert len(game.told("dominoes.log.laid")) == 1, "of any other domino nothing like it"


def test_a_last_double_does_not_play_again() -> None:
    game = Round("tiddle-a-wink", HANDS).led().hold("9-8 8-8").lay(0, "9-8", 9)
    game.state.turn = 0
    game.lay(0, "8-8", 8)
    assert game.state.phase == COUNTED and not game.told("tiddle-a-wink.log.laid")


def test_do_8_and_must_play_if_it_can() -> None:
    game = Round("tiddle-a-wink", HANDS).led()
    refusal = game.own_refusal(0, "pass")
    assert refusal is not None
    assert refusal.key == "dominoes.refuse.must_play"
    assert {move[0] for move in game.honest(0)} == {"lay"}


def test_do_8_who_cannot_match_says_g() -> None:
    game = Round("tiddle-a-wink", HANDS).led().lay(0, "9-8", 9).lay(1, "9-7", 9)
    assert game.honest(2) == {("pass",)}
    game.do(2, "pass")
    assert game.state.turn == 3
    assert "draw" not in game.rules.verbs


def test_do_8_a_seat_may_be_stuck_after_its_own_double() -> None:
    game = Round("tiddle-a-wink", HANDS).led().hold("7-6 7-5")
    assert game.honest(0) == {("pass",)}
    game.do(0, "pass")
    assert (game.state.turn, game.state.passes) == (1, 1)


def test_do_8_going_out_on_a_double_ends_the_round() -> None:
    game = Round("tiddle-a-wink", HANDS).led().hold("8-8", ends=(8,)).lay(0, "8-8", 8)
    assert game.state.phase == COUNTED
    assert game.state.last_count is not None
    assert (game.state.last_count.winner, game.state.last_count.pips[0]) == (0, 0)
    assert game.state.totals[0] == sum(game.state.last_count.pips)
    (called,) = game.told("tiddle-a-wink.log.out")  # it calls "Tiddle-A-Wink"
    assert called.seat == 0


def test_do_8_blocked_its_own_pips_come_off_once() -> None:
    hands = ("9-8", "6-5", "5-5", "4-4", "3-3", "1-0")
    game = Round("tiddle-a-wink", HANDS).led().hold(*hands, ends=(7, 7))
    for seat in range(6):
        game.do(seat, "pass")
    assert game.state.last_count is not None
    assert game.state.last_count.ending == "blocked"
    assert game.state.totals == (0, 0, 0, 0, 0, 17 + 11 + 10 + 8 + 6 - 1)
