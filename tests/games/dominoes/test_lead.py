"""Who leads: the highest double, asked for downward; in Matador the heaviest domino if there is none (DO-1)."""

from __future__ import annotations

from tabletin.games.dominoes.state import COUNTED, LEADING, PLAYING
from tabletin.games.dominoes.tiles import heaviest
from tests.games.dominoes.positions import Round

NO_DOUBLES = ["6-5 6-4 6-3 6-2 6-1", "5-4 5-3 5-2 5-1 5-0"]


def test_do_1_doubles_are_asked_for_from_the_highest_downward() -> None:
    game = Round("dominoes", ["6-5 6-4 6-3 6-2 6-1", "5-4 5-3 5-2 5-1 4-4"], set=6)
    assert game.state.waiting == (0, 1)
    asked = []
    while game.state.phase == LEADING:
        asked.append(game.rules.questions[game.state.question])
        for seat in game.state.waiting:
            (move,) = game.honest(seat)
            game.do_move(seat, move)
            if game.state.phase != LEADING:
                break
    assert asked == ["6-6", "5-5", "4-4"]
    assert [game.faces[laid.card] for laid in game.state.tiles] == ["4-4"]
    assert (game.state.phase, game.state.turn) == (PLAYING, 0)  # left of the lead


def test_do_1_seats_may_answer_in_any_order_and_once() -> None:
    game = Round("dominoes", ["6-5 6-4 6-3 6-2 6-1", "5-4 5-3 5-2 5-1 4-4"], set=6)
    game.do(1, "none")
    assert game.rules.to_act(game.state) == (0,)
    refusal = game.refusal(1, "none")
    assert refusal is not None
    assert refusal.key == "kernel.not_your_turn"


def test_do_1_a_lead_ends_the_question_at_once() -> None:
    game = Round("dominoes", ["5-4 5-3 5-2 5-1 6-6", "6-5 6-4 6-3 6-2 6-1"], set=6)
    game.do(0, "lead", "6-6")
    assert game.state.phase == PLAYING
    assert game.state.claims == ()


def test_do_1_only_the_domino_asked_for_leads() -> None:
    game = Round("dominoes", ["5-5 5-3 5-2 5-1 6-6", "6-5 6-4 6-3 6-2 6-1"], set=6)
    refusal = game.refusal(0, "lead", "5-5")
    assert refusal is not None
    assert (refusal.key, refusal.rule) == ("dominoes.refuse.not_asked_double", "DO-1")
    refusal = game.refusal(1, "lead", "6-6")
    assert refusal is not None
    assert refusal.key == "kernel.not_yours"


def test_do_1_ones_own_page_refuses_a_false_answer() -> None:
    game = Round("dominoes", ["5-4 5-3 5-2 5-1 6-6", "6-5 6-4 6-3 6-2 6-1"], set=6)
    refusal = game.own_refusal(0, "none")
    assert refusal is not None
    assert refusal.key == "dominoes.refuse.holds_asked_double"
    assert game.own_refusal(1, "none") is None


def test_do_1_nobody_has_a_double_hands_are_opened_and_dealt_anew() -> None:
    game = Round("dominoes", NO_DOUBLES, set=6).led()
    assert game.state.phase == COUNTED
    assert game.state.last_count is not None
    assert (game.state.last_count.ending, game.state.last_count.points) == ("remix", (0, 0))
    assert all(card in game.state.public for hand in game.state.hands for card in hand)
    assert game.state.sheet == ()  # nothing to write down
    game.do(0, "ready").do(1, "ready")
    assert (game.state.phase, game.state.round, game.state.question) == (LEADING, 1, 0)
    assert not game.state.public


def test_do_1_a_false_answer_is_found_when_nobody_leads() -> None:
    game = Round("dominoes", ["6-5 6-4 6-3 6-2 0-0", "5-4 5-3 5-2 5-1 5-0"], set=6)
    while game.state.phase == LEADING:
        game.do(game.state.waiting[0], "none")
    counted = game.state.last_count
    assert counted is not None
    assert (counted.ending, counted.liars, counted.winner) == ("remix", (0,), None)
    assert counted.points == (-38, 0)  # the most pips in any one hand (DO-10)
    assert game.state.totals == (-38, 0)
    assert len(game.rules.sheet(game.state)) == 2


def test_do_1_matador_asks_for_the_heaviest_then() -> None:
    """As heavy, the higher half comes first: 9-5 before 8-6."""
    assert heaviest(9)[:6] == ("9-8", "9-7", "9-6", "8-7", "9-5", "8-6")
    game = Round("matador", ["9-3 8-6 7-0 6-0 5-0 4-0 3-0", "9-5 8-0 7-1 6-1 5-1 4-1 3-1", "9-1 8-1 7-2 6-2 5-2 4-2 3-2"]).led()
    assert [game.faces[laid.card] for laid in game.state.tiles] == ["9-5"]
    assert sorted(game.state.open.values()) == [5, 9]
    assert game.state.turn == 2


def test_do_1_tiddle_a_wink_deals_anew_too() -> None:
    hands = ["9-8 9-7 9-6 9-5 9-4", "9-3 9-2 9-1 9-0 8-7", "8-6 8-5 8-4 8-3 8-2", "8-1 8-0 7-6 7-5 7-4", "7-3 7-2 7-1 7-0 6-5",
             "6-4 6-3 6-2 6-1 6-0"]
    game = Round("tiddle-a-wink", hands).led()
    assert game.state.last_count is not None
    assert game.state.last_count.ending == "remix"
