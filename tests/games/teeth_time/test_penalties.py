"""Penalties, whammies, dead cards, the Dentist, the Tooth Fairy and what they leave, the reverse:
TT-10, TT-11, TT-12, TT-13, TT-14.
"""

from __future__ import annotations

import pytest

from tabletin.games.teeth_time.state import COUNTER, PLAY, REPLY, Penalty
from tabletin.kernel.schema import Move
from tests.games.teeth_time.scene import Scene


def test_tt_10_one_penalty_on_any_one_target_a_turn() -> None:
    scene = Scene("cavity broken toothache r1", "prevention b1", "b2").drawn()
    assert scene.refused(0, "penalty", "cavity", 0) == "teeth_time.refuse.no_target"
    assert scene.refused(0, "penalty", "cavity", 7) == "teeth_time.refuse.no_target"
    assert scene.refused(0, "penalty", "r1", 1) == "teeth_time.refuse.no_penalty"
    scene.do(0, "penalty", "cavity", 1).do(1, "whammy", "prevention").do(0, "accept")
    assert scene.refused(0, "penalty", "broken", 1) == "teeth_time.refuse.one_penalty"  # reflected or not
    scene.do(0, "penalty", "broken", 2).do(2, "accept")
    assert scene.refused(0, "penalty", "toothache", 2) == "teeth_time.refuse.one_penalty"


def test_tt_10_a_card_reflected_onto_a_player_does_not_count_against_it() -> None:
    scene = Scene("cavity r1", "prevention broken b1", pile="g1 g2 g3 g4 g5").drawn()
    scene.do(0, "penalty", "cavity", 1).do(1, "whammy", "prevention").do(0, "accept").do(0, "discard", "r1")
    assert scene.state.first_out == 0
    scene = Scene("cavity r1 r2", "prevention broken b1", pile="g1 g2 g3 g4 g5").drawn()
    scene.do(0, "penalty", "cavity", 1).do(1, "whammy", "prevention").do(0, "accept").do(0, "discard", "r1")
    scene.do(1, "leave").do(1, "penalty", "broken", 0)
    assert len(scene.state.live_penalties(0)) == 2


def test_tt_10_limit_is_for_one_turn() -> None:
    scene = Scene("cavity broken r1 r2", "b1 b2", pile="g1 g2 g3 g4 g5 g6 g7").drawn()
    scene.do(0, "penalty", "cavity", 1).do(1, "accept").do(0, "discard", "r1")
    assert scene.hand(1) == "b1 b2 g1 g2"
    scene.do(1, "leave").do(1, "discard", "b1").do(0, "take").do(0, "penalty", "broken", 1)


def test_tt_11_every_penalty_opens_a_reply_whatever_the_target_holds() -> None:
    scene = Scene("cavity r1", "b1 b2").drawn().do(0, "penalty", "cavity", 1)
    assert scene.state.phase == REPLY
    assert scene.acting() == (1,)
    assert scene.rules.default(scene.state, 1) == ("accept",)
    assert scene.refused(0, "discard", "r1") == "kernel.not_your_turn"  # the turn waits
    assert scene.refused(1, "whammy", "b1") == "teeth_time.refuse.no_prevention"
    assert scene.refused(1, "discard", "b1") == "teeth_time.refuse.answer_first"
    scene.do(1, "accept")
    assert scene.acting() == (0,)
    assert scene.state.phase == PLAY


def forced(scene: Scene, seat: int, *, among_people: bool) -> Move | None:
    """What the page of ``seat`` does unasked."""
    return scene.rules.forced_move(scene.state, seat, scene.world, among_people=among_people)


def test_tt_11_whoever_holds_no_prevention_is_not_asked_among_bots() -> None:
    scene = Scene("cavity r1", "b1 b2").drawn().do(0, "penalty", "cavity", 1)
    assert forced(scene, 1, among_people=False) == ("accept",)
    assert forced(scene, 1, among_people=True) is None  # haste would tell the others
    scene = Scene("cavity r1", "b1 prevention").drawn().do(0, "penalty", "cavity", 1)
    assert forced(scene, 1, among_people=False) is None
    scene.do(1, "whammy", "prevention")
    assert forced(scene, 0, among_people=False) == ("accept",)


def test_tt_11_nobody_is_asked_for_what_everybody_sees() -> None:
    scene = Scene("prevention cavity r1", "b1 prevention", "g1 g2").drawn()
    scene.do(0, "play", "prevention").do(0, "penalty", "cavity", 1)
    assert forced(scene, 1, among_people=True) is None
    scene.do(1, "whammy", "prevention")  # the second of the deck
    assert forced(scene, 0, among_people=True) == ("accept",)
    scene = Scene("prevention cavity r1", "b1 prevention", "g1 g2", decks=2).drawn()
    scene.do(0, "play", "prevention").do(0, "penalty", "cavity", 1).do(1, "whammy", "prevention")
    assert forced(scene, 0, among_people=True) is None
    scene = Scene("cavity r1", "b1", discard="b2").drawn().do(0, "penalty", "cavity", 1)
    scene.state.public[scene.state.hands[1][0]] = "b1"  # taken from the discard pile, and all it has left
    assert forced(scene, 1, among_people=True) == ("accept",)


def test_a_hand_is_dealt_and_a_last_card_discarded_by_hand() -> None:
    scene = Scene("r1", "b1 b2").drawn()
    assert list(scene.rules.moves(scene.state, 0, scene.world)) == [("discard", scene.held(0, "r1"))]
    assert forced(scene, 0, among_people=False) is None
    scene.do(0, "discard", "r1")
    assert scene.acting() and forced(scene, scene.acting()[0], among_people=False) is None


def test_tt_11_whammy_turns_the_penalty_back() -> None:
    scene = Scene("cavity r1 r2", "prevention b1", "b2", pile="g1 g2 g3 g4").drawn().do(0, "penalty", "cavity", 1)
    scene.do(1, "whammy", "prevention")
    assert scene.state.phase == COUNTER
    assert scene.acting() == (0,)
    scene.do(0, "accept").do(0, "discard", "r1")
    assert scene.state.direction == 1  # a whammy does not reverse play
    assert scene.hand(1) == "b1"
    assert scene.faces(scene.state.preventions[1]) == "prevention"
    assert [(p.seat, p.live) for p in scene.state.penalties] == [(0, True)]


def test_tt_11_the_reflected_penalty_is_carried_out_on_the_next_turn() -> None:
    scene = Scene("broken r1 r2", "prevention b1 b2", pile="g1 g2 g3 g4 g5 g6 g7 g8").drawn().do(0, "penalty", "broken", 1)
    scene.do(1, "whammy", "prevention").do(0, "accept").do(0, "discard", "r1")
    scene.do(1, "leave").do(1, "discard", "b1")
    assert scene.hand(0) == "r2 g2 g3 g4 g5"


def test_tt_11_both_prevented_and_the_card_is_dead() -> None:
    scene = Scene("cavity prevention r1", "prevention b1", pile="g1").drawn().do(0, "penalty", "cavity", 1)
    scene.do(1, "whammy", "prevention").do(0, "whammy", "prevention")
    assert scene.faces(scene.state.dead) == "cavity"
    assert not scene.state.penalties
    assert scene.acting() == (0,)
    scene.do(0, "discard", "r1")
    assert scene.state.scores == ((-30 - 20, 10 - 20),)


def test_tt_11_a_whammy_may_be_the_last_card() -> None:
    scene = Scene("cavity r1 prevention", "prevention").drawn().do(0, "penalty", "cavity", 1).do(1, "whammy", "prevention")
    assert scene.state.first_out == 1
    assert scene.state.scores == ((10 + 20, -30 - 20),)


def test_tt_11_a_counter_whammy_may_be_the_last_card() -> None:
    scene = Scene("cavity prevention", "prevention b1").drawn().do(0, "penalty", "cavity", 1)
    scene.do(1, "whammy", "prevention").do(0, "whammy", "prevention")
    assert scene.state.first_out == 0
    assert scene.state.scores == ((-50, 10 - 20),)


def test_tt_12_a_penalty_as_last_card_ends_the_hand_before_any_reply() -> None:
    scene = Scene("gumpster", "prevention b1").drawn().do(0, "penalty", "gumpster", 1)
    assert scene.state.first_out == 0
    assert scene.state.scores == ((-30, 30),)


# ---- the Dentist ----


def test_tt_13_dentist_takes_what_lies_from_earlier_turns() -> None:
    scene = Scene("dentist cavity r1", "b1 b2", "y1", pile="g1 g2 g3 g4 g5 g6").drawn()
    done, live, own = scene.cards("broken gumpster toothache", public=True)
    scene.state.penalties = (Penalty(done, 2, False), Penalty(live, 1, True), Penalty(own, 0, False))
    scene.do(0, "penalty", "cavity", 1).do(1, "accept").do(0, "play", "dentist")
    assert scene.faces(scene.state.dentists[0]) == "dentist broken gumpster toothache"
    assert [scene.world[p.card] for p in scene.state.penalties] == ["cavity"]  # this turn's stays
    scene.do(0, "discard", "r1")
    assert scene.state.scores[0][0] == -30 - 40


def test_tt_13_a_live_penalty_taken_is_cancelled() -> None:
    scene = Scene("dentist r1 r2", "b1 b2", pile="g1 g2 g3 g4 g5 g6").drawn()
    scene.state.penalties = (Penalty(scene.cards("toothache", public=True)[0], 1, True),)
    scene.do(0, "play", "dentist").do(0, "discard", "r1")
    assert scene.state.turn == 1
    assert not scene.heard("skipped")


def test_tt_13_a_reflected_penalty_of_this_turn_stays() -> None:
    scene = Scene("dentist cavity r1", "prevention b1").drawn()
    scene.do(0, "penalty", "cavity", 1).do(1, "whammy", "prevention").do(0, "accept").do(0, "play", "dentist")
    assert scene.faces(scene.state.dentists[0]) == "dentist"
    assert len(scene.state.live_penalties(0)) == 1


def test_tt_13_a_second_dentist_takes_nothing_from_the_first() -> None:
    scene = Scene("dentist r1", *["b1 b2"] * 6).drawn()
    scene.state.dentists[3] = scene.cards("dentist cavity", public=True)
    scene.do(0, "play", "dentist")
    assert scene.faces(scene.state.dentists[0]) == "dentist"
    assert scene.faces(scene.state.dentists[3]) == "dentist cavity"


def test_tt_13_both_may_be_played_with_nothing_to_collect() -> None:
    scene = Scene("dentist fairy r1", "b1").drawn().do(0, "play", "dentist").do(0, "play", "fairy").do(0, "discard", "r1")
    assert scene.state.scores == ((-30 - 10 - 5, 10),)


# ---- the Tooth Fairy ----


def test_tt_13_fairy_takes_letters_and_wilds_standing_for_letters() -> None:
    scene = Scene("fairy r1 r2", "b1").drawn()
    letters = scene.run_on_field("B", "rB implant rD", owner=1)
    letter_set = scene.set_on_field("A", "bA bridge gA")
    numbers = scene.run_on_field("1", "r1 implant r3")
    scene.do(0, "play", "fairy")
    assert scene.faces(scene.state.fairies[0]) == "fairy rB implant rD bA bridge gA"
    assert letters not in scene.state.groups  # an emptied group is gone
    assert letter_set not in scene.state.groups
    assert scene.group(numbers) == "r1 implant r3 - - - - -"


@pytest.fixture
def pieces() -> tuple[Scene, int]:
    """B C D lay; this turn A and E were added and then the Fairy came: two single cards are left, A and E."""
    scene = Scene("rA rE fairy bB gD implant yB r8 r7", "b1 b2", down=(0,)).drawn()
    run = scene.run_on_field("B", "rB bC gD", owner=1)
    scene.do(0, "hit", run, "A", "rA").do(0, "hit", run, "E", "rE").do(0, "play", "fairy")
    return scene, run


def test_tt_13_a_run_falls_into_two_pieces_and_may_be_hit_next_to_either(pieces: tuple[Scene, int]) -> None:
    scene, run = pieces
    assert scene.group(run) == "rA - - - rE"
    assert scene.refused(0, "hit", run, "C", "implant") == "teeth_time.refuse.hit_place"
    scene.do(0, "hit", run, "B", "bB").do(0, "hit", run, "D", "gD").do(0, "hit", run, "C", "implant")
    assert scene.group(run) == "rA bB implant gD rE"


def test_tt_13_cards_laid_this_turn_stay_a_tooth_that_replaced_a_wild_too() -> None:
    scene = Scene("bC fairy r8", "b1", down=(0,)).drawn()
    run = scene.run_on_field("B", "rB implant rD", owner=1)
    scene.do(0, "swap", run, "C", "bC").do(0, "play", "fairy")
    assert scene.group(run) == "- - bC - -"
    assert scene.faces(scene.state.fairies[0]) == "fairy rB rD"
    assert scene.hand(0) == "r8 implant"


def test_tt_13_only_a_wild_remains_and_may_still_be_taken() -> None:
    scene = Scene("implant fairy rE gE r8", "b1", down=(0,), level="advanced").drawn()
    run = scene.run_on_field("B", "rB rC rD", owner=1, colour="r")
    scene.do(0, "hit", run, "E", "implant").do(0, "play", "fairy")
    assert scene.group(run) == "- - - - implant"
    assert scene.refused(0, "swap", run, "E", "gE") == "teeth_time.refuse.not_the_tooth"  # it keeps its colour
    scene.do(0, "swap", run, "E", "rE")
    assert scene.group(run) == "- - - - rE"


def test_tt_13_what_is_left_of_a_set_keeps_its_rank() -> None:
    scene = Scene("implant fairy yA bB r8", "b1", down=(0,)).drawn()
    letters = scene.set_on_field("A", "rA bA gA")
    scene.do(0, "hit", letters, "A", "implant").do(0, "play", "fairy")
    assert scene.group(letters) == "implant"
    assert scene.refused(0, "hit", letters, "B", "bB") == "teeth_time.refuse.set_rank"
    scene.do(0, "hit", letters, "A", "yA")
    assert scene.group(letters) == "implant yA"


def test_a_wild_taken_back_and_laid_again_is_of_this_turn() -> None:
    """TT-13: what counts is that the card was laid this turn."""
    scene = Scene("bC fairy r8", "b1", down=(0,)).drawn()
    run = scene.run_on_field("B", "rB implant rD", owner=1)
    other = scene.set_on_field("E", "rE bE yE")
    scene.do(0, "swap", run, "C", "bC").do(0, "hit", other, "E", "implant").do(0, "play", "fairy")
    assert scene.group(other) == "implant"


# ---- the reverse ----


def test_tt_14_prevention_reverses_at_once() -> None:
    scene = Scene("prevention r1 r2", "b1", "y1", "g1").drawn().do(0, "play", "prevention").do(0, "discard", "r1")
    assert scene.state.turn == 3
    assert scene.acting() == (3, 2, 1)  # pulling goes on in the new direction too


def test_tt_14_no_effect_on_the_order_of_two() -> None:
    scene = Scene("prevention r1 r2", "b1").drawn().do(0, "play", "prevention").do(0, "discard", "r1")
    assert scene.state.turn == 1


def test_tt_14_each_hand_starts_clockwise_again() -> None:
    scene = Scene("r1", "b1", "y1").drawn()
    scene.state.direction = -1
    scene.do(0, "discard", "r1")
    assert scene.acting() == (0,)  # seat 2 dealt: to its left
    scene.do(0, "deal")
    assert scene.state.direction == 1
    assert scene.state.turn == 1
    assert scene.state.dealer == 0
