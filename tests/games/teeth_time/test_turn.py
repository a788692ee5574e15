"""Turns, the window after a discard, penalties carried out, reshuffles, blocked hands: TT-1, TT-2, TT-3, TT-4, TT-5."""

from __future__ import annotations

from random import Random
from typing import Any

from tabletin.bots.determinize import deal_on
from tabletin.games.teeth_time.rules import TeethTime
from tabletin.games.teeth_time.state import NOBODY, PLAY, SCORED, WINDOW, Penalty, TeethTimeState
from tabletin.kernel.faces import Faces
from tests.games.teeth_time.scene import Scene


def fresh(seats: int, seed: int = 1, **options: Any) -> tuple[TeethTime, TeethTimeState, Faces]:
    rules, world = TeethTime(seats, options), Faces()
    state = rules.start()
    deal_on(rules, state, world, Random(seed))
    return rules, state, world


def penalise(scene: Scene, seat: int, *faces: str) -> None:
    for card in scene.cards(" ".join(faces), public=True):
        scene.state.penalties += (Penalty(card, seat, True),)


def test_ten_cards_each_one_at_a_time_and_one_turned_up() -> None:
    rules, state, _ = fresh(4)
    assert [len(hand) for hand in state.hands] == [10] * 4
    first = (state.dealer + 1) % 4
    assert rules.to_act(state) == (first,)
    assert state.hands[first][:3] == (0, 4, 8)
    assert state.hands[state.dealer][-1] == 39
    assert state.discards == (40,)
    assert len(state.pile) == 123 - 41
    assert state.discards[0] in state.public
    assert len(state.public) == 1


def test_two_decks_for_seven_and_more() -> None:
    _, state, world = fresh(8)
    assert len(world) == 246
    assert [len(hand) for hand in state.hands] == [10] * 8


def test_tt_1_turn_is_draw_plays_discard() -> None:
    scene = Scene("rA b7", "r1 b1", pile="g3 g4")
    assert scene.refused(0, "discard", "rA") == "teeth_time.refuse.draw_first"
    assert scene.refused(0, "play", "rA") == "teeth_time.refuse.draw_first"
    scene.do(0, "leave")
    assert scene.hand(0) == "rA b7 g3"
    assert scene.refused(0, "take") == "teeth_time.refuse.already_drawn"
    assert scene.refused(1, "discard", "r1") == "kernel.not_your_turn"
    scene.do(0, "discard", "b7")
    assert scene.acting() == (1,)
    assert scene.faces(scene.state.discards) == "y8 b7"


def test_tt_1_taking_the_discard_instead() -> None:
    scene = Scene("rA", "r1", discard="g2 g5").do(0, "take")
    assert scene.hand(0) == "rA g5"
    assert scene.faces(scene.state.discards) == "g2"


def test_tt_1_penalties_in_order_and_all_skips_cost_one_turn() -> None:
    scene = Scene("rA rB", "r1 r2", "b1 b2", pile="g1 g2 g3 g4 g5 g6 g7 g8", contract=(("run", 4),))
    penalise(scene, 0, "toothache", "cavity", "toothache", "broken")
    scene.due()
    assert scene.hand(0) == "rA rB g1 g2 g3 g4 g5 g6"  # 2, then 4, then both Skips
    assert scene.state.turn == 1
    assert not scene.state.live_penalties(0)
    assert scene.state.phase == WINDOW


def test_tt_1_an_emptied_hand_is_out_at_once_though_not_melded() -> None:
    scene = Scene("prevention", "r1", "b5").drawn().do(0, "play", "prevention")
    assert scene.state.first_out == 0
    assert scene.state.scores == ((-30 - 20, 10, 10),)


def test_tt_1_dentist_as_last_card_collects_first() -> None:
    scene = Scene("dentist", "r1").drawn()
    penalise(scene, 1, "cavity", "gumpster")
    scene.do(0, "play", "dentist")
    assert scene.state.scores == ((-30 - 30, 10),)


def test_tt_1_fairy_as_last_card_collects_first() -> None:
    scene = Scene("fairy", "r1").drawn()
    scene.set_on_field("A", "rA bA implant", owner=1)
    scene.do(0, "play", "fairy")
    assert scene.state.scores == ((-30 - 20, 10),)


def test_tt_2_the_card_turned_up_cannot_be_pulled() -> None:
    scene = Scene("rA", "r1", "r2", discard="toothache", discarder=NOBODY, pile="b1 b2")
    assert scene.acting() == (0,)
    assert scene.refused(1, "call") == "kernel.not_your_turn"
    scene.do(0, "take")
    assert scene.hand(0) == "rA toothache"
    assert scene.state.phase == PLAY  # no action: nobody is skipped
    assert not scene.state.penalties


def test_tt_3_reshuffle_of_the_whole_discard_pile() -> None:
    scene = Scene("rA rB", "r1", pile="", discard="g1 g2 g3")
    first = scene.state.next_card
    scene.do(0, "leave")
    assert scene.state.discards == ()
    assert scene.state.reshuffles == 1
    assert len(scene.state.pile) == 2
    assert scene.state.hands[0][-1] == first
    assert not set(scene.state.pile) & set(scene.state.public)  # nobody knows them any more


def test_tt_3_a_discard_that_may_still_be_drawn_stays_and_dead_cards_stay_out() -> None:
    scene = Scene("rA rB", "r1", "r2", pile="", discard="g1 g2 g3")
    scene.state.dead = scene.cards("cavity", public=True)
    penalise(scene, 0, "cavity")
    scene.due()
    assert scene.faces(scene.state.discards) == "g3"
    assert sorted(scene.hand(0).split()) == ["g1", "g2", "rA", "rB"]
    assert scene.faces(scene.state.dead) == "cavity"
    assert scene.state.reshuffles == 1


def test_tt_3_nothing_left_to_draw_yields_nothing() -> None:
    scene = Scene("rA rB", "r1", "r2", pile="g1", discard="g2")
    penalise(scene, 0, "broken")
    scene.due()
    assert scene.hand(0) == "rA rB g1"
    assert scene.state.reshuffles == 0
    scene.do(0, "take")
    assert scene.state.phase == PLAY


def test_tt_3_the_sixth_reshuffle_blocks_the_hand() -> None:
    scene = Scene("rA r1", "gumpster", "b1", pile="", discard="g1 g2")
    scene.state.reshuffles = 5
    scene.state.dentists[2] = scene.cards("dentist cavity", public=True)
    scene.do(0, "leave")
    scene.do(1, "decline")
    state = scene.state
    assert state.blocked
    assert state.phase == SCORED
    assert state.scores == ((15, 30, 10 - 20),)  # nobody gets −30, Dentist points count
    assert state.stars == (NOBODY,)


def test_tt_4_answers_in_the_window() -> None:
    scene = Scene("rA", "r1", "r2", "r3", pile="b1 b2 b3 b4", discard="g6")
    assert scene.acting() == (0, 1, 2)  # the discarder, seat 3, may not
    assert scene.refused(1, "take") == "teeth_time.refuse.not_the_drawer"
    assert scene.refused(0, "call") == "teeth_time.refuse.drawer_takes"
    scene.do(1, "decline")
    assert scene.refused(1, "call") == "kernel.not_your_turn"  # an answer is final
    scene.do(2, "call")
    assert scene.acting() == (0,)
    assert scene.state.phase == WINDOW  # the drawer has not answered yet
    scene.do(0, "leave")
    assert scene.hand(2) == "r2 g6 b1"  # the discard and one from the pile
    assert scene.hand(0) == "rA b2"  # then the drawer, from the pile
    assert scene.acting() == (0,)
    assert scene.state.phase == PLAY


def test_tt_4_the_drawer_takes_even_after_a_call() -> None:
    scene = Scene("rA", "r1", "r2", pile="b1", discard="g6").do(1, "call").do(0, "take")
    assert scene.hand(0) == "rA g6"
    assert scene.hand(1) == "r1"


def test_tt_4_the_drawer_leaves_first_then_a_call_settles_it() -> None:
    scene = Scene("rA", "r1", "r2", "r3", pile="b1 b2", discard="g6").do(0, "leave")
    assert scene.acting() == (1, 2)
    scene.do(2, "call")
    assert scene.hand(2) == "r2 g6 b1"
    assert scene.hand(0) == "rA b2"


def test_tt_4_all_decline() -> None:
    scene = Scene("rA", "r1", "r2", pile="b1 b2", discard="g6").do(0, "leave").do(1, "decline")
    assert scene.hand(0) == "rA b1"
    assert scene.faces(scene.state.discards) == "g6"


def test_tt_4_a_timer_leaves_and_declines() -> None:
    scene = Scene("rA", "r1", "r2", pile="b1", discard="g6")
    assert scene.rules.default(scene.state, 0) == ("leave",)
    assert scene.rules.default(scene.state, 1) == ("decline",)


def test_tt_4_skipped_seats_carry_out_before_the_window_and_may_pull() -> None:
    scene = Scene("rA", "r1 r2", "b1", "b2", pile="g1 g2 g3 g4 g5 g6", discard="y5")
    penalise(scene, 0, "toothache", "cavity")
    penalise(scene, 1, "broken")
    scene.due()
    assert scene.hand(0) == "rA g1 g2"
    assert scene.hand(1) == "r1 r2 g3 g4 g5 g6"  # the drawer carries out its own before the window
    assert scene.acting() == (1, 2, 0)
    scene.do(0, "call").do(1, "leave")
    assert scene.hand(0).startswith("rA g1 g2 y5")


def test_tt_5_two_players_pull_only_when_skipped() -> None:
    scene = Scene("rA rB", "r1 r2", pile="b1 b2 b3", discard="y1", discarder=1)
    assert scene.acting() == (0,)
    penalise(scene, 1, "toothache")
    scene.drawn().do(0, "discard", "rB")
    assert scene.state.turn == 0  # the discarder is the drawer
    assert scene.acting() == (0, 1)
    scene.do(1, "call").do(0, "leave")
    assert scene.hand(1) == "r1 r2 rB b1"
    assert scene.hand(0) == "rA b2"


def test_gumpster_draws_up_to_ten() -> None:
    """TT-10: Gumpster draws up to ten in hand, none if already ten or more."""
    scene = Scene("r1 r2 r3", "b1", pile="g1 g2 g3 g4 g5 g6 g7 g8")
    penalise(scene, 0, "gumpster")
    assert len(scene.due().state.hands[0]) == 10
    full = Scene("r1 r2 r3 r4 r5 r6 r7 r8 b1 b2 b3", "b1", pile="g1 g2")
    penalise(full, 0, "gumpster")
    assert len(full.due().state.hands[0]) == 11


def test_gumpster_counts_what_was_drawn_before_it() -> None:
    """TT-1: penalties in the order received, so a Cavity first leaves Gumpster two cards fewer to draw."""
    scene = Scene("r1 r2 r3", "b1", pile="g1 g2 g3 g4 g5 g6 g7 g8 gA gB")
    penalise(scene, 0, "cavity", "gumpster")
    assert len(scene.due().state.hands[0]) == 10
    other = Scene("r1 r2 r3", "b1", pile="g1 g2 g3 g4 g5 g6 g7 g8 gA gB")
    penalise(other, 0, "gumpster", "cavity")
    assert len(other.due().state.hands[0]) == 12


def test_a_practice_match_mixes_the_pile_anew() -> None:
    """Taking a turn back behind a draw: the same cards, fresh handles, nothing else touched."""
    rules, state, world = fresh(3)
    pile, hands = state.pile, list(state.hands)
    rules.remix(state)
    deal_on(rules, state, world, Random(5))
    assert not set(state.pile) & set(pile)
    assert sorted(world[card] for card in state.pile) == sorted(world[card] for card in pile)
    assert state.hands == hands
    assert state.phase == WINDOW


def test_what_is_drawn_is_shown_to_its_drawer_alone() -> None:
    rules, state, world = fresh(3)
    seat = state.turn
    assert rules.make(state, seat, ("leave",), world) is None
    deal_on(rules, state, world, Random(5))
    drawn = state.hands[seat][-1]
    assert state.viewers[drawn] == 1 << seat
    assert drawn not in state.public
    assert all(state.viewers.get(card, 0) == 0 for card in state.pile)


def test_an_opened_face_must_be_a_card_of_ones_own() -> None:
    """A move opens what it names; cards that are not held are refused, whatever face is claimed for them."""
    scene = Scene("rA b7", "r1 b1", pile="g3 g4").do(0, "leave")
    stranger, pile_card = scene.state.hands[1][0], scene.state.pile[0]
    for card in (stranger, pile_card):
        before = scene.state.copy()
        refusal = scene.rules.make(scene.state, 0, ("discard", card), Faces({card: "dentist"}))
        assert refusal is not None
        assert refusal.key == "kernel.not_yours"
        assert scene.state == before
