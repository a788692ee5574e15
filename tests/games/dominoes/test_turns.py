"""Playing, drawing and passing in Dominoes (DO-3), and when a round ends (DO-4)."""

from __future__ import annotations

import pytest

from tabletin.games.dominoes.state import COUNTED, OVER
from tabletin.kernel.options import Refused
from tabletin.kernel.requests import Show
from tabletin.kernel.schema import Move
from tabletin.registry import rules_of
from tests.games.dominoes.positions import Round

STUCK = ["6-6 6-5 5-5 5-1 4-1", "4-4 4-3 4-2 3-3 3-2"]  # seat 1 has nothing for a 6


@pytest.mark.parametrize(("highest", "hand"), [(6, 5), (9, 7), (12, 9)])
def test_do_3_hands_by_set(highest: int, hand: int) -> None:
    game = rules_of("dominoes")(3, {"set": highest})
    assert game.hand_size == hand  # type: ignore[attr-defined]
    assert len(game.deck()) == {6: 28, 9: 55, 12: 91}[highest]


def test_do_3_double_six_is_for_four_at_most() -> None:
    with pytest.raises(Refused) as error:
        rules_of("dominoes")(5, {"set": 6})
    assert error.value.refusal.key == "dominoes.refuse.set_too_small"
    assert rules_of("dominoes")(6, {"set": 9}).seats == 6


def test_do_3_who_cannot_play_draws_until_it_can() -> None:
    game = Round("dominoes", STUCK, pile="2-2 2-1 6-2", set=6).led()
    assert game.honest(1) == {("draw",)}
    game.do(1, "draw")
    assert game.state.turn == 1
    assert game.honest(1) == {("draw",)}
    game.do(1, "draw").do(1, "draw")
    assert "6-2" in game.hand(1)
    assert {move[:2] for move in game.honest(1)} == {("lay", game.card("6-2"))}
    assert len(game.state.claims) == 3


def test_do_3_a_drawn_domino_is_seen_by_its_drawer_alone() -> None:
    game = Round("dominoes", STUCK, pile="2-2", set=6).led()
    refusal = game.rules.make(game.state, 1, ("draw",), game.faces)
    assert refusal is None
    card = game.state.hands[1][-1]
    assert game.state.requests == (Show((card,), 1, "drawn"),)
    assert not game.rules.to_act(game.state)
    game.settle()
    assert game.state.viewers[card] == 0b10
    assert card not in game.state.public


def test_do_3_drawing_comes_before_passing() -> None:
    game = Round("dominoes", STUCK, set=6).led()
    refusal = game.refusal(1, "pass")
    assert refusal is not None
    assert (refusal.key, refusal.rule) == ("dominoes.refuse.draw_first", "DO-3")


def test_do_3_with_the_pile_empty_one_passes() -> None:
    game = Round("dominoes", STUCK, set=6).led().hold(pile="")
    refusal = game.refusal(1, "draw")
    assert refusal is not None
    assert refusal.key == "dominoes.refuse.pile_empty"
    assert game.honest(1) == {("pass",)}
    game.do(1, "pass")
    assert (game.state.turn, game.state.passes) == (0, 1)


def test_do_3_a_seat_that_can_play_must() -> None:
    """Its own page refuses to draw or pass; the table could not know (DO-10)."""
    game = Round("dominoes", STUCK, set=6).led().do(1, "draw")
    game.state.turn = 0
    refusal = game.own_refusal(0, "draw")
    assert refusal is not None
    assert (refusal.key, dict(refusal.params)) == ("dominoes.refuse.must_play", {"high": 6, "low": 5})
    assert game.refusal(0, "draw") is None


def only_answer(game: Round, seat: int) -> Move | None:
    """The answer, draw or pass of ``seat`` where it can honestly do nothing else; None where it may lay, or may not act."""
    moves = list(game.rules.moves(game.state, seat, game.faces))
    return moves[0] if len(moves) == 1 and moves[0][0] in ("none", "lead", "draw", "pass") else None


def test_answers_draws_and_passes_are_the_only_answer_where_nothing_else_is_true() -> None:
    game = Round("dominoes", STUCK, pile="2-2 6-2", set=6)
    assert only_answer(game, 0) == ("lead", game.card("6-6"))
    assert only_answer(game, 1) == ("none",)
    game.led()
    assert only_answer(game, 0) is None  # not its turn
    assert only_answer(game, 1) == ("draw",)
    assert only_answer(game.hold(pile=""), 1) == ("pass",)
    assert only_answer(game.hold("6-5", "6-2", ends=(6,)), 1) is None
    hands = ["9-9 4-3 4-2 4-1 4-0 3-2 3-1", "9-1 8-1 8-2 7-1 6-1 5-1 1-0", "8-8 8-7 8-6 8-5 8-4 8-3 8-0"]
    matador = Round("matador", hands).led()
    matador.hold("4-3", "9-1", ends=(4, 4), pile="7-7")
    assert only_answer(matador, 1) is None  # the matador, or a draw (DO-7)


def test_do_4_an_empty_hand_ends_the_round() -> None:
    game = Round("dominoes", ["6-6 6-5 5-5 5-1 4-1", "6-4 6-3 4-4 3-0 2-0"], set=6).led()
    game.hold("6-5 5-5 5-1 4-1", "6-4")
    game.lay(1, "6-4", 6)
    assert (game.state.phase, game.state.first_out) == (COUNTED, 1)
    assert game.state.last_count is not None
    assert game.state.last_count.ending == "out"


def test_do_4_blocked_when_every_seat_in_turn_has_passed() -> None:
    game = Round("dominoes", ["9-9 9-8 8-7 8-6 8-5 8-4 8-3", "7-7 7-6 7-5 7-4 7-3 7-2 7-1", "6-6 6-5 6-4 6-3 6-2 6-1 6-0"]).led()
    game.hold(pile="").do(1, "pass").do(2, "pass")
    assert game.state.phase == "playing"
    game.lay(0, "9-8", 9)
    assert game.state.passes == 0  # a domino laid begins the count anew
    game.hold(ends=(9,)).do(1, "pass").do(2, "pass")
    assert game.state.phase == "playing"
    game.do(0, "pass")
    assert game.state.phase == COUNTED
    assert game.state.last_count is not None
    assert game.state.last_count.ending == "blocked"


def test_do_4_going_out_comes_before_a_block() -> None:
    """The last domino laid onto a table where nobody could go on is going out, and scores as such."""
    game = Round("dominoes", STUCK, set=6).led()
    game.hold("6-5", "4-4", ends=(4,), pile="")
    game.state.passes = 1
    game.lay(1, "4-4", 4)
    assert game.state.last_count is not None
    assert (game.state.last_count.ending, game.state.last_count.winner) == ("out", 1)


def test_do_5_a_match_ends_at_its_target() -> None:
    game = Round("dominoes", ["6-6 6-5 5-5 5-1 4-1", "6-4 6-3 4-4 3-0 2-0"], set=6, target=33).led()
    game.hold("6-5 5-5 5-1 4-1", "6-4")
    game.lay(1, "6-4", 6)  # 11 + 10 + 6 + 5 = 32
    assert game.state.totals == (0, 32)
    assert game.state.phase == COUNTED
    game = Round("dominoes", ["6-6 6-5 5-5 5-1 4-1", "6-4 6-3 4-4 3-0 2-0"], set=6, target=32).led()
    game.hold("6-5 5-5 5-1 4-1", "6-4")
    game.lay(1, "6-4", 6)
    assert game.state.phase == OVER
    outcome = game.rules.outcome(game.state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners, outcome.reason) == ((0, 32), (1,), "dominoes.ended.target")
    assert outcome.params == {"seat": 1, "points": 32}, "it is told who got there first"


def test_do_5_rounds_go_on_dealt_by_the_next_seat() -> None:
    game = Round("dominoes", ["6-6 6-5 5-5 5-1 4-1", "6-4 6-3 4-4 3-0 2-0"], set=6).led()
    game.hold("6-5 5-5 5-1 4-1", "6-4")
    game.lay(1, "6-4", 6)
    dealer = game.state.dealer
    assert game.rules.to_act(game.state) == (0, 1)
    assert game.rules.default(game.state, 0) == ("ready",)
    game.do(1, "ready").do(0, "ready")
    assert (game.state.round, game.state.dealer) == (2, (dealer + 1) % 2)
    assert game.state.totals == (0, 32)
    assert [len(hand) for hand in game.state.hands] == [5, 5]


@pytest.mark.parametrize("game", ["dominoes", "matador", "tiddle-a-wink"])
def test_do_5_targets(game: str) -> None:
    targets = {"dominoes": 100, "matador": 100, "tiddle-a-wink": 200}
    assert rules_of(game)(6).option_values["target"] == targets[game]


def test_a_void_round_is_dealt_again() -> None:
    """A peer is gone and its dominoes with it: the round does not count, the totals stand."""
    game = Round("dominoes", STUCK, set=6).led().do(1, "draw")
    game.state.totals = (12, 0)
    game.rules.redeal(game.state)
    game.settle()
    assert (game.state.phase, game.state.round, game.state.totals) == ("leading", 1, (12, 0))
    assert game.state.claims == ()
    assert game.state.tiles == ()
