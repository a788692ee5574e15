"""Matador: halves that make ten (DO-6), and when one may, must or may not draw (DO-7)."""

from __future__ import annotations

import pytest

from tabletin.games.dominoes.matador import MATADORS, Matador
from tabletin.games.dominoes.table import BACK, ONWARD, place_of
from tabletin.kernel.options import Refused
from tabletin.registry import rules_of
from tests.games.dominoes.positions import Round

HANDS = ["9-9 4-3 4-2 4-1 4-0 3-2 3-1", "9-1 8-1 8-2 7-1 6-1 5-1 1-0", "8-8 8-7 8-6 8-5 8-4 8-3 8-0"]
TWELVE = ["12-12 4-3 4-2 4-1 4-0 3-2 3-1", "9-1 8-1 8-2 7-1 6-1 12-1 1-0", "10-0 11-7 12-6 10-5 8-4 8-3 8-0"]
ENDS = place_of(0, ONWARD), place_of(0, BACK)


@pytest.mark.parametrize(("seats", "chosen", "hand"), [
    (3, 7, 7), (4, 7, 7), (5, 7, 7), (6, 7, 7), (6, 5, 5), (5, 5, 7), (7, 7, 5), (8, 7, 5)])
def test_do_6_hands(seats: int, chosen: int, hand: int) -> None:
    rules = rules_of("matador")(seats, {"six_hand": chosen})
    assert isinstance(rules, Matador)
    assert rules.hand_size == hand


def test_do_6_matadors() -> None:
    assert MATADORS[10] == {"9-1", "8-2", "7-3", "6-4", "5-5", "0-0"}
    assert MATADORS[13] == {"12-1", "11-2", "10-3", "9-4", "8-5", "7-6", "0-0"}
    for total, matadors in MATADORS.items():
        assert all(sum(map(int, face.split("-"))) == total for face in matadors if face != "0-0")


def test_do_6_a_total_of_13_needs_double_twelve() -> None:
    with pytest.raises(Refused) as error:
        rules_of("matador")(4, {"total": 13, "set": 9})
    assert error.value.refusal.key == "matador.refuse.total_13"
    assert rules_of("matador")(4).option_values["total"] == 10  # as printed, unless chosen


def test_do_6_one_line_with_two_ends() -> None:
    """A double counts one half: on a 9-9 goes a 1, at either end, and it does not branch."""
    game = Round("matador", HANDS).led()
    assert game.state.open == {ENDS[0]: 9, ENDS[1]: 9}
    game.do(1, "lay", "8-1", ENDS[1], 1)
    assert game.state.open == {ENDS[0]: 9, place_of(1, ONWARD): 8}
    laid = game.state.tiles[1]
    assert (laid.inner, laid.outer) == (1, 8)


def test_do_6_touching_halves_make_ten() -> None:
    game = Round("matador", HANDS).led()
    refusal = game.refusal(1, "lay", "8-1", ENDS[0], 8)
    assert refusal is not None
    assert (refusal.key, refusal.params["total"]) == ("matador.refuse.total", 10)
    refusal = game.refusal(1, "lay", "8-1", ENDS[0], 5)  # a half it does not have
    assert refusal is not None
    assert game.refusal(1, "lay", "1-0", ENDS[0], 1) is None


def test_a_refusal_says_whether_turning_the_domino_round_would_help() -> None:
    game = Round("matador", HANDS).led()
    turned, never = game.refusal(1, "lay", "8-1", ENDS[0], 8), game.refusal(1, "lay", "8-2", ENDS[0], 8)
    assert turned is not None
    assert turned.key == "matador.refuse.total"
    assert never is None, "a matador goes anywhere"
    game.do(1, "lay", "8-1", ENDS[1], 1)
    misfit = game.refusal(2, "lay", "8-7", ENDS[0], 8)
    assert misfit is not None
    assert (misfit.key, misfit.params["number"]) == ("matador.refuse.neither_way", 9)
    assert isinstance(game.rules, Matador)
    nowhere = game.rules.fits_nowhere("8-7")
    assert (nowhere.key, nowhere.params["total"], nowhere.rule) == ("matador.refuse.fits_nowhere", 10, "DO-6")


def test_do_6_a_matador_goes_anywhere_either_way_round() -> None:
    game = Round("matador", HANDS).led()
    for inner in (8, 2):
        assert game.refusal(1, "lay", "8-2", ENDS[0], inner) is None
    game.do(1, "lay", "8-2", ENDS[0], 8)
    assert len(game.told("matador.log.laid")) == 1, "it is called a matador"
    assert game.state.open[place_of(1, ONWARD)] == 2


def test_do_6_a_blank_takes_matadors_alone() -> None:
    game = Round("matador", HANDS).led().do(1, "lay", "1-0", ENDS[0], 1)
    game.state.turn = 1
    blank = place_of(1, ONWARD)
    assert game.state.open[blank] == 0
    refusal = game.refusal(1, "lay", "7-1", blank, 1)
    assert refusal is not None
    assert (refusal.key, refusal.rule) == ("matador.refuse.blank", "DO-6")
    assert game.refusal(1, "lay", "9-1", blank, 9) is None


@pytest.mark.parametrize(("end", "face", "inner", "fits"), [
    (12, "10-0", 0, False), (11, "10-0", 0, False), (12, "9-1", 1, True), (11, "8-2", 8, True),  # matadors only
    (10, "10-0", 0, True), (10, "8-0", 0, True), (10, "8-1", 1, False),  # a 10 takes any blank half
    (0, "10-0", 10, False), (0, "9-1", 9, True),  # a blank takes matadors only, not a 10
    (4, "12-6", 6, True), (6, "12-6", 6, False)])
def test_do_6_double_twelve_with_ten(end: int, face: str, inner: int, fits: bool) -> None:
    game = Round("matador", TWELVE, set=12).led()
    game.hold("12-6", f"{face} 4-0", ends=(end,))
    assert (game.refusal(1, "lay", face, 0, inner) is None) == fits


@pytest.mark.parametrize(("end", "face", "inner", "fits"), [
    (12, "12-1", 1, True), (12, "8-1", 1, True), (11, "12-6", 6, False), (7, "12-6", 6, True), (0, "10-0", 0, False),
    (0, "12-1", 12, True), (10, "9-1", 1, False), (3, "10-0", 10, True)])
def test_do_6_double_twelve_with_thirteen(end: int, face: str, inner: int, fits: bool) -> None:
    game = Round("matador", TWELVE, set=12, total=13).led()
    game.hold("11-7", f"{face} 4-0", ends=(end,))
    assert (game.refusal(1, "lay", face, 0, inner) is None) == fits


def test_do_7_with_a_regular_match_one_must_play() -> None:
    """A regular match or a matador, but no drawing."""
    game = Round("matador", HANDS).led()
    moves = game.honest(1)
    assert ("draw",) not in moves
    assert {game.faces[move[1]] for move in moves} == {"9-1", "8-1", "8-2", "7-1", "6-1", "5-1", "1-0"}
    refusal = game.own_refusal(1, "draw")
    assert refusal is not None
    assert refusal.key == "dominoes.refuse.must_play"


def test_do_7_with_only_matadors_one_may_play_or_draw_again_and_again() -> None:
    game = Round("matador", HANDS, pile="7-7 7-6 7-5 9-8").led().hold("4-3", "9-1 8-2", ends=(4, 4), pile="7-7 7-5 7-6 9-8")
    assert ("draw",) in game.honest(1)
    assert len(game.honest(1)) > 1
    assert game.own_refusal(1, "draw") is None
    game.do(1, "draw")
    assert ("draw",) in game.honest(1)  # the 7-7 does not fit
    game.do(1, "draw")
    assert ("draw",) in game.honest(1)
    game.do(1, "draw")  # the 7-6 does: a regular match has come
    moves = game.honest(1)
    assert ("draw",) not in moves
    assert {game.faces[move[1]] for move in moves} == {"9-1", "8-2", "7-6"}  # it may still play a matador
    assert game.own_refusal(1, "draw") is not None


def test_do_7_with_the_pile_empty_a_matador_must_be_played() -> None:
    game = Round("matador", HANDS).led().hold("4-3", "9-1 7-5", ends=(4, 4), pile="")
    assert {move[0] for move in game.honest(1)} == {"lay"}
    refusal = game.own_refusal(1, "pass")
    assert refusal is not None
    assert refusal.params == {"high": 9, "low": 1}


def test_do_7_with_nothing_one_draws_or_passes() -> None:
    game = Round("matador", HANDS).led().hold("4-3", "7-5", ends=(4, 4), pile="7-7")
    assert game.honest(1) == {("draw",)}
    assert game.hold(pile="").honest(1) == {("pass",)}


def test_do_7_a_draw_claims_no_regular_match_and_a_pass_no_matador_either() -> None:
    """What the claims say when they are checked (DO-10)."""
    rules = rules_of("matador")(3)
    assert isinstance(rules, Matador)
    assert not rules.had_to_play("draw", "9-1", (9,))  # a matador never counts as a regular match
    assert rules.had_to_play("pass", "9-1", (4,))
    assert rules.had_to_play("draw", "8-1", (9,))
    assert not rules.had_to_play("draw", "8-0", (0, 0))


def test_do_4_matador_blocked_and_won() -> None:
    """Blocked, its pips come off each opponent's; going out, all that is left counts; a double in full."""
    game = Round("matador", HANDS).led().hold("4-3", "7-5", "8-8", ends=(4, 4), pile="")
    game.do(1, "pass").do(2, "pass").do(0, "pass")
    assert game.state.last_count is not None
    assert game.state.last_count.points == (14, 0, 0)
    game = Round("matador", HANDS).led().hold("4-3", "6-1", "8-8", ends=(4, 4), pile="").lay(1, "6-1", 4, 6)
    assert game.state.last_count is not None
    assert game.state.last_count.points == (0, 23, 0)
