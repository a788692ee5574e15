"""Points of a hand, stars, totals, the end of a match, ties, options: TT-15, TT-16; the deck and TT-17's ranks."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from tabletin.bots.determinize import deal_on
from tabletin.games.teeth_time import cards
from tabletin.games.teeth_time.contracts import EIGHT, parse, spell
from tabletin.games.teeth_time.rules import TeethTime
from tabletin.games.teeth_time.state import NOBODY, OVER, SCORED
from tabletin.kernel.faces import Faces
from tabletin.kernel.options import Refused
from tests.games.teeth_time.scene import Scene


def test_the_deck_of_the_rulebook() -> None:
    deck = Counter(cards.deck(1))
    assert deck.total() == 123
    assert cards.deck(2) == cards.deck(1) * 2
    teeth = [face for face in deck if face in cards.RANK]
    assert len(teeth) == 52
    assert all(deck[face] == 2 for face in teeth)
    assert {face: deck[face] for face in deck if face not in cards.RANK} == {
        "dentist": 1, "fairy": 1, "gumpster": 1, "prevention": 2, "cavity": 2, "broken": 2, "toothache": 2,
        "implant": 4, "bridge": 4}


def test_tt_17_letters_and_numbers_by_position() -> None:
    """Baby tooth E and adult tooth 5 are both in the fifth position."""
    assert cards.PLACE["E"] == cards.PLACE["5"] == 4
    assert "".join(cards.RANKS) == "ABCDE12345678"


def test_tt_15_points_of_a_hand() -> None:
    scene = Scene("r8", "rA bE r1 y8", "gumpster dentist", "implant bridge cavity", "prevention fairy toothache broken")
    scene.drawn()
    state = scene.state
    state.fairies[1] = scene.cards("fairy rA bridge", public=True)
    state.dentists[2] = scene.cards("dentist cavity toothache", public=True)
    state.preventions[0] = scene.cards("prevention prevention", public=True)
    scene.do(0, "discard", "r8")
    assert state.scores == ((-30 - 40, 5 + 5 + 10 + 10 - 15, 30 + 20 - 30, 60, 80),)
    assert state.stars == (0,)
    assert state.totals == (-70, 15, 20, 60, 80)
    assert [row.cells for row in scene.rules.sheet(state)] == [
        ("-70 ★", 15, 20, 60, 80), (-70, 15, 20, 60, 80), ("★", None, None, None, None)]


def test_tt_15_the_star_goes_to_the_one_who_went_out_though_another_scored_less() -> None:
    scene = Scene("r8", "rA").drawn()
    scene.state.preventions[1] = scene.cards("prevention prevention", public=True)
    scene.do(0, "discard", "r8")
    assert scene.state.scores == ((-30, -35),)
    assert scene.state.stars == (0,)


def last_hand(totals: tuple[int, ...], stars: tuple[int, ...], *hands: str, **options: Any) -> Scene:
    scene = Scene(*hands, **options).drawn()
    scene.state.totals = totals
    scene.state.stars = stars
    scene.state.scores = ((0,) * len(hands),) * len(stars)
    scene.state.hand_no = len(stars)
    return scene


def test_tt_15_lowest_total_wins() -> None:
    scene = last_hand((100, 20), (1,), "r8", "rA", hands=2).do(0, "discard", "r8")
    outcome = scene.rules.outcome(scene.state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners, outcome.reason) == ((70, 25), (1,), "teeth_time.ended.lowest")


def test_tt_15_tie_goes_to_the_most_stars() -> None:
    scene = last_hand((50, 15, 90), (0, 1, 1), "r8", "rA", "r1 r2", hands=4).do(0, "discard", "r8")
    assert scene.state.totals == (20, 20, 110)
    outcome = scene.rules.outcome(scene.state)
    assert outcome is None  # two stars each
    scene = last_hand((50, 15, 90), (0, 0, 1), "r8", "rA", "r1 r2", hands=4).do(0, "discard", "r8")
    outcome = scene.rules.outcome(scene.state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((0,), "teeth_time.ended.stars")


def tied() -> Scene:
    """Seats 0 and 2 of three are tied, stars included; seat 2 has dealt."""
    scene = last_hand((50, 90, 15), (2,), "r8", "r1 r2", "rA", hands=2).do(0, "discard", "r8")
    assert scene.state.totals == (20, 110, 20)
    assert scene.state.tie_break
    return scene


def test_tt_15_tied_seats_alone_play_on_dealt_by_the_next_among_them() -> None:
    scene = tied()
    assert scene.state.playing == (0, 2)
    assert scene.acting() == (0,)
    scene.do(0, "deal")
    state = scene.state
    assert state.contract == (("set", 3), ("run", 4))
    assert [len(hand) for hand in state.hands] == [10, 0, 10]
    assert state.turn == 2
    assert scene.acting() == (2,)


def test_tt_15_first_to_go_down_wins_the_match() -> None:
    scene = tied().do(0, "deal")
    state = scene.state
    state.hands[2] = scene.cards("r6 b6 g6 r2 b3 y4 g5 r1")
    state.phase = "play"
    scene.do(2, "down", (("set", "6", "r6 b6 g6"), ("run", "2", "r2 b3 y4 g5")))
    assert state.phase == OVER
    outcome = scene.rules.outcome(state)
    assert outcome is not None
    assert outcome.winners == (2,)
    assert outcome.scores == (20, 110, 20)
    assert outcome.reason == "teeth_time.ended.tie_break"
    assert scene.rules.sheet(state)[-1].cells == (None, None, "★")
    assert scene.acting() == ()


def test_tt_15_nobody_down_and_another_is_played() -> None:
    scene = tied().do(0, "deal")
    state = scene.state
    state.hands[2] = scene.cards("r6")
    state.phase = "play"
    scene.do(2, "discard", "r6")
    assert state.phase == SCORED
    assert state.totals == (20, 110, 20)
    assert state.stars[len(state.scores):] == (NOBODY,)
    assert scene.acting() == (2,)
    scene.do(2, "deal")
    assert state.turn == 0
    assert state.tie_break


def test_tt_16_a_total_that_reaches_the_limit_ends_the_match() -> None:
    scene = last_hand((0, 480), (0,), "r8", "r1 r2", limit=500).do(0, "discard", "r8")
    assert scene.state.phase == OVER
    scene = last_hand((0, 470), (0,), "r8", "r1 r2", limit=510).do(0, "discard", "r8")
    assert scene.state.phase == SCORED


def test_tt_16_limit_or_last_hand() -> None:
    scene = last_hand((0, 0), (0,), "r8", "r1 r2", limit=500, hands=2).do(0, "discard", "r8")
    assert scene.state.phase == OVER


def test_tt_16_contracts() -> None:
    assert TeethTime(2).contracts == EIGHT
    assert TeethTime(2).hands == 8
    repeated = TeethTime(2, {"contracts": "one", "one": 6})
    assert repeated.contracts == ((("set", 3), ("run", 4)),) * 8
    own = TeethTime(2, {"contracts": "custom", "custom": ["set 3", "Run 8 + run 3+set 5"]})
    assert own.contracts == ((("set", 3),), (("run", 8), ("run", 3), ("set", 5)))
    assert own.hands == 2
    assert TeethTime(2, {"contracts": "custom", "custom": ["set 3"], "hands": 5}).hands == 5
    assert all(parse(spell(contract)) == contract for contract in EIGHT)


@pytest.mark.parametrize(("text", "key"), [
    ("", "contract_words"), ("sets", "contract_words"), ("set 3 run 4", "contract_words"), ("set 2", "contract_set"),
    ("run 9", "contract_run"), ("run 2", "contract_run"), ("set 17", "contract_set"), ("+", "contract_words"),
    ("set 3 + set 3 + set 3 + set 3 + set 3", "contract_long"), ("set -3", "contract_words"), ("set ３", "contract_words"),
])
def test_tt_16_contracts_are_checked(text: str, key: str) -> None:
    with pytest.raises(Refused) as refused:
        TeethTime(2, {"contracts": "custom", "custom": [text]})
    assert refused.value.refusal.key == f"teeth_time.refuse.{key}"


def test_tt_16_seven_seats_need_two_decks() -> None:
    assert len(TeethTime(6).deck()) == 123
    assert len(TeethTime(7).deck()) == 246
    assert len(TeethTime(3, {"decks": 2}).deck()) == 246
    with pytest.raises(Refused) as refused:
        TeethTime(7, {"decks": 1})
    assert refused.value.refusal.key == "teeth_time.refuse.decks"
    for seats in (1, 11):
        with pytest.raises(Refused):
            TeethTime(seats)


@pytest.mark.parametrize("wrong", [{"level": "expert"}, {"contracts": "nine"}, {"one": 9}, {"hands": 0}, {"limit": 5},
                                   {"decks": 3}, {"custom": []}, {"colour": True}])
def test_tt_16_every_option_is_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        TeethTime(4, wrong)


def test_hand_after_hand_the_deal_goes_round() -> None:
    """The rulebook: the player to the left of the dealer becomes the new dealer."""
    scene = Scene("r8", "rA", "r1").drawn().do(0, "discard", "r8")
    state = scene.state
    assert state.dealer == 2
    assert scene.acting() == (0,)
    assert scene.refused(0, "take") == "teeth_time.refuse.deal_first"
    scene.do(0, "deal")
    assert (state.dealer, state.turn, state.hand_no) == (0, 1, 1)
    assert state.contract == EIGHT[1]
    assert len(state.public) == 1


def test_the_hand_ends_with_all_hands_open() -> None:
    scene = Scene("r8", "rA gumpster", "r1").drawn().do(0, "discard", "r8")
    assert scene.state.public.knows(card for hand in scene.state.hands for card in hand)


def test_a_void_hand_is_dealt_again() -> None:
    """By the same dealer, for the same contract; what is scored stands."""
    rules, world, rng = TeethTime(3), Faces(), Random(2)
    state = rules.start()
    deal_on(rules, state, world, rng)
    for _ in range(30):
        seat = rules.to_act(state)[0]
        assert rules.make(state, seat, rules.random_move(state, seat, world, rng), world) is None
        deal_on(rules, state, world, rng)
    dealer, hand_no, batch = state.dealer, state.hand_no, state.next_card
    state.requests = ()
    rules.redeal(state)
    deal_on(rules, state, world, rng)
    assert (state.dealer, state.hand_no, state.next_card) == (dealer, hand_no, batch + 123)
    assert [len(hand) for hand in state.hands] == [10] * 3
    assert not state.groups
    scored = Scene("r8", "rA").drawn().do(0, "discard", "r8")
    before = scored.state.copy()
    scored.rules.redeal(scored.state)
    assert scored.state == before


def test_a_hand_void_before_the_first_dealer_is_known() -> None:
    rules, world = TeethTime(3), Faces()
    state = rules.start()
    state.requests = ()
    rules.redeal(state)
    deal_on(rules, state, world, Random(1))
    assert state.dealer in range(3)
    assert len(state.pile) == 123 - 31
