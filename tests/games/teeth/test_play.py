"""Turns, rounds, modes and ends of Teeth (TE-3, TE-4, TE-5, TE-6)."""

from __future__ import annotations

from random import Random

import pytest

from tabletin.games.teeth.rules import Teeth
from tabletin.games.teeth.state import COUNTED, OVER, PLACING, TURN
from tabletin.kernel.options import Refused
from tabletin.kernel.requests import ALL, Open, Roll, Show, Shuffle
from tabletin.words import load
from tests.games.teeth.deals import Deal

THREE = "3S 9H 6D  KS 9S 3D  9C 2H 3C"  # top, middle, bottom of three columns


def test_te_3_the_own_row_is_shown_at_the_deal_and_the_middle_to_all() -> None:
    rules = Teeth(2)
    state = rules.start()
    assert state.requests == (Shuffle(faces=rules.deck()), Roll(2, "first"))
    deal = Deal(THREE)
    columns = [column for column in deal.state.columns if column]
    for column in columns:
        assert [deal.state.viewers.get(card, 0) for card in column.owns] == [0b01, 0b10]
        assert column.middle in deal.state.public
        assert not any(card in deal.state.public for card in column.owns)
    assert [deal.shown(column.owns) for column in columns] == [["3S", "6D"], ["KS", "3D"], ["9C", "3C"]]
    (first, second) = deal.told("teeth.log.row")
    assert (first.reader, second.reader) == (0, 1)
    assert deal.told("teeth.log.middle")[0].reader == ALL


def test_te_3_a_turn_is_a_call_or_a_draw() -> None:
    deal = Deal(THREE)
    assert deal.moves(0) == {("draw",), ("call", 0), ("call", 1), ("call", 2)}
    assert deal.moves(1) == set()
    refusal = deal.refusal(0, "discard")
    assert refusal is not None
    assert refusal.key == "teeth.refuse.draw_first"


def test_te_3_a_drawn_card_is_seen_by_its_drawer_until_placed() -> None:
    deal = Deal(THREE + " QS")
    assert deal.rules.make(deal.state, 0, ("draw",), deal.faces) is None
    card = deal.state.drawn_card
    assert card is not None
    assert deal.state.requests == (Show((card,), 0, "drawn"),)
    deal.settle()
    assert (deal.state.phase, deal.state.turn) == (PLACING, 0)
    assert deal.state.viewers[card] == 0b01
    assert card not in deal.state.public
    assert deal.moves(0) == {("discard",), *((verb, at) for verb in ("replace", "double") for at in range(3))}
    refusal = deal.refusal(0, "call", 1)
    assert refusal is not None
    assert refusal.key == "teeth.refuse.place_first"
    deal.do(0, "discard")
    assert card in deal.state.public  # a discard is face up
    assert deal.state.discards == (card,)
    assert (deal.state.phase, deal.state.turn, deal.state.drawn_card) == (TURN, 1, None)


def test_te_3_replacing_a_middle_card() -> None:
    deal = Deal(THREE + " QS").do(0, "draw").do(0, "replace", 1)
    column = deal.state.columns[1]
    assert column is not None
    assert deal.shown((column.middle,)) == ["QS"]
    assert deal.shown(deal.state.discards) == ["9S"]


def test_te_3_doubling_down_on_ones_own_side() -> None:
    deal = Deal(THREE + " QS 4S 5S")
    for seat in (0, 1, 0):
        deal.do(seat, "draw").do(seat, "double", 1)
    column = deal.state.columns[1]
    assert column is not None
    assert [deal.shown(extras) for extras in column.extras] == [["QS", "5S"], ["4S"]]
    assert deal.state.discards == ()


def test_te_3_a_call_turns_up_ones_own_card_then_the_other() -> None:
    deal = Deal(THREE)
    column = deal.state.columns[0]
    assert column is not None
    assert deal.rules.opens(deal.state, 0, ("call", 0)) == (column.owns[0],)
    assert deal.rules.make(deal.state, 0, ("call", 0), deal.faces) is None
    assert deal.state.requests == (Open((column.owns[1],)),)
    assert column.owns[0] in deal.state.public
    assert column.owns[1] not in deal.state.public


def test_te_3_a_called_columns_cards_go_to_its_winner_extras_included() -> None:
    deal = Deal(THREE + " QS 4S").do(0, "draw").do(0, "double", 2).do(1, "draw").do(1, "double", 1).do(0, "call", 2)
    # 9 + 12 + 2 − 3 = 20 is bust, from below 3 + 2 − 21
    assert deal.state.last is not None
    assert (deal.state.last.column, deal.state.last.caller, deal.state.last.winner) == (2, 0, 1)
    assert (deal.state.last.totals, deal.state.last.bust) == ((20, -16), (True, False))
    assert sorted(deal.shown(deal.state.captures[1])) == ["2H", "3C", "9C", "QS"]
    assert deal.state.capture_counts == (0, 4)
    assert deal.state.column_counts == (0, 1)
    assert deal.state.columns[2] is None
    assert deal.state.turn == 1  # scoring took up the whole turn
    refusal = deal.refusal(1, "call", 2)
    assert refusal is not None
    assert refusal.key == "teeth.refuse.no_column"


def test_te_2_the_caller_loses_a_tie() -> None:
    deal = Deal("5S 9H 5D  KS 9S 3D  9C 2H 3C").do(0, "call", 0)
    assert deal.state.column_counts == (0, 1)
    (told,) = deal.told("teeth.log.equal")
    assert (told.seat, told.params["own"]) == (1, 9)


def test_te_4_the_first_seat_is_random_and_rounds_are_begun_in_turn() -> None:
    for first in range(2):
        deal = Deal(THREE, first=first)
        assert deal.state.turn == first
        seat = first
        for at in range(3):
            deal.do(seat, "call", at)
            seat = 1 - seat
        assert deal.state.phase == COUNTED
        deal.do(0, "ready").do(1, "ready")
        assert (deal.state.round, deal.state.turn) == (2, 1 - first)


def test_te_4_with_the_pile_empty_one_must_call() -> None:
    deal = Deal(THREE)
    while deal.state.pile:
        seat = deal.state.turn
        deal.do(seat, "draw").do(seat, "discard")
    seat = deal.state.turn
    assert deal.moves(seat) == {("call", at) for at in range(3)}
    for move in (("draw",), ("replace", 0), ("discard",)):
        refusal = deal.refusal(seat, *move)
        assert refusal is not None
        assert (refusal.key, refusal.rule) == ("teeth.refuse.pile_empty", "TE-4")
    assert deal.rules.forced_move(deal.state, seat, deal.faces, among_people=True) is None
    for at in range(3):
        last = deal.rules.forced_move(deal.state, deal.state.turn, deal.faces, among_people=True)
        assert last == (("call", 2) if at == 2 else None), "the last column is no choice"
        deal.do(deal.state.turn, "call", at)
    assert deal.state.phase == OVER  # no full deal remains


def test_te_5_whole_deck_goes_on_while_a_full_deal_remains() -> None:
    deal = Deal(THREE)
    rounds = 0
    while deal.state.phase != OVER:
        rounds += 1
        for at in range(3):
            deal.do(deal.state.turn, "call", at)
        if deal.state.phase == COUNTED:
            before = len(deal.state.pile)
            won = deal.state.captures
            deal.do(1, "ready").do(0, "ready")
            assert len(deal.state.pile) == before - 9
            assert deal.state.captures == won  # the stacks are kept
    assert (rounds, len(deal.state.pile)) == (6, 0)
    assert sum(deal.state.column_counts) == 18
    assert sum(deal.state.capture_counts) == 54
    assert len(deal.rules.sheet(deal.state)) == 8


def test_te_5_no_round_begins_without_a_full_deal() -> None:
    deal = Deal(THREE).do(0, "draw").do(0, "discard")
    rounds = 0
    while deal.state.phase != OVER:
        rounds += 1
        for at in range(3):
            deal.do(deal.state.turn, "call", at)
        if deal.state.phase == COUNTED:
            deal.do(1, "ready").do(0, "ready")
    assert (rounds, len(deal.state.pile)) == (5, 8)


def test_te_5_continuous_deals_a_new_column_in_its_place() -> None:
    deal = Deal(THREE + " 4S 5S 6S", mode="continuous").do(0, "call", 1)
    column = deal.state.columns[1]
    assert column is not None
    assert deal.shown((*column.owns, column.middle)) == ["4S", "6S", "5S"]
    assert [deal.state.viewers[card] for card in column.owns] == [0b01, 0b10]
    assert (deal.state.turn, deal.state.round) == (1, 1)
    while deal.state.phase != OVER:
        at = next(at for at, column in enumerate(deal.state.columns) if column)
        deal.do(deal.state.turn, "call", at)
        open_ = sum(column is not None for column in deal.state.columns)
        assert open_ == 3 or len(deal.state.pile) < 3
    assert sum(deal.state.column_counts) == 18


def test_te_5_score_card_reshuffles_the_whole_deck_every_round() -> None:
    deal = Deal(THREE, mode="score_card", rounds=2)
    deal.do(0, "draw").do(0, "discard").do(1, "call", 0).do(0, "call", 1).do(1, "call", 2)
    assert deal.state.phase == COUNTED
    captured = deal.state.capture_counts
    deal.do(0, "ready").do(1, "ready")
    assert len(deal.state.pile) == 45
    assert (deal.state.discards, deal.state.captures) == ((), ((), ()))
    assert deal.state.capture_counts == captured  # counted over the match
    assert deal.state.turn == 1
    for at in range(3):
        deal.do(deal.state.turn, "call", at)
    assert deal.state.phase == OVER
    assert Teeth(2).option_values["rounds"] == 5


@pytest.mark.parametrize(("taken", "captured", "winners", "reason"), [
    ((4, 2), (9, 20), (0,), "columns"), ((3, 3), (9, 20), (1,), "cards"), ((3, 3), (12, 12), (0, 1), "draw")])
def test_te_5_columns_then_cards_then_a_draw(taken: tuple[int, int], captured: tuple[int, int], winners: tuple[int, ...],
                                             reason: str) -> None:
    deal = Deal(THREE)
    deal.state.phase, deal.state.column_counts, deal.state.capture_counts = OVER, taken, captured
    outcome = deal.rules.outcome(deal.state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason, outcome.scores) == (winners, f"teeth.ended.{reason}", taken)
    facts = {"columns": {"seat": 0, "n": 4, "most": 4, "least": 2}, "cards": {"seat": 1, "n": 3, "most": 20, "least": 9}}
    assert outcome.params == facts.get(reason, {})
    if reason == "columns":
        assert load().text(outcome.reason, **outcome.params) == "By 4 columns to 2."


def test_te_6_options() -> None:
    chosen = Teeth(2).option_values
    assert chosen == {"mode": "whole_deck", "rounds": 5, "columns": 3, "court": "rank", "joker": -4, "limit": 18}
    for bad in ({"joker": 14}, {"joker": -14}, {"limit": 4}, {"limit": 61}, {"columns": 0}, {"columns": 7}, {"court": "eleven"}):
        with pytest.raises(Refused):
            Teeth(2, bad)
    deal = Deal("3S 9H 6D", columns=1)
    assert len(deal.state.columns) == 1
    deal = Deal(THREE, columns=6, limit=5, joker=13, court="ten")
    assert sum(column is not None for column in deal.state.columns) == 6


def test_te_6_both_bust_the_caller_loses() -> None:
    deal = Deal("7S 6H 7D", columns=1, limit=5).do(0, "call", 0)
    assert deal.state.column_counts == (0, 1)
    assert deal.told("teeth.log.both_bust")


def test_legality_equals_brute_force() -> None:
    """Every move there is, judged by what the rulebook says of a turn."""
    rng = Random(4)
    deal = Deal("", columns=4, mode="continuous")
    for _ in range(60):
        state = deal.state
        if state.phase == OVER:
            break
        places = [at for at in range(4) if state.columns[at] is not None]
        if state.phase == PLACING:
            expected = {("discard",)} | {(verb, at) for verb in ("replace", "double") for at in places}
        else:
            expected = {("call", at) for at in places} | ({("draw",)} if state.pile else set())
        every = [("draw",), ("discard",), ("ready",), *((verb, at) for verb in ("call", "replace", "double") for at in range(6))]
        assert {move for move in every if deal.refusal(state.turn, *move) is None} == expected == deal.moves(state.turn)
        assert all(deal.refusal(1 - state.turn, *move) is not None for move in every)
        deal.do(state.turn, *rng.choice(sorted(expected)))


def test_a_void_round_is_dealt_again_with_a_score_card_only() -> None:
    deal = Deal(THREE, first=1, mode="score_card").do(1, "call", 0).do(0, "draw")
    deal.state.requests = ()
    deal.rules.redeal(deal.state)
    deal.settle()
    assert (deal.state.round, deal.state.turn, deal.state.column_counts, deal.state.capture_counts) == (1, 1, (0, 0), (0, 0))
    assert (deal.state.phase, deal.state.drawn_card, len(deal.state.pile)) == (TURN, None, 45)
    deal = Deal(THREE)
    deal.rules.redeal(deal.state)
    assert deal.rules.to_act(deal.state) == ()
    outcome = deal.rules.result(deal.state)
    assert outcome is not None
    assert outcome.unfinished
