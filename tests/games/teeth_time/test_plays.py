"""Going down, groups, hits, wilds: TT-6 … TT-9, and every worked example of the rulebook about them."""

from __future__ import annotations

from typing import Any

import pytest

from tabletin.games.teeth_time.contracts import EIGHT
from tabletin.games.teeth_time.groups import Contract
from tests.games.teeth_time.scene import Scene, stands_for

SET_RUN4 = (("set", 3), ("run", 4))


def test_rulebook_initial_meld_and_extension() -> None:
    """A set of 6s and the run 2 3 4 5, and at once a 1; then another's 6 goes on either (rulebook, PLAY)."""
    scene = Scene("r6 b6 g6 r2 b3 y4 g5 r1 yA yB", "r2 b2 g2 rA bB yC gD r6 b6 y8", contract=SET_RUN4, discard="y7").drawn()
    scene.do(0, "down", (("set", "6", "r6 b6 g6"), ("run", "2", "r2 b3 y4 g5"))).do(0, "hit", 1, "1", "r1")
    assert scene.group(1) == "r1 r2 b3 y4 g5 - - -"
    scene.do(0, "discard", "yA").do(1, "take")
    scene.do(1, "down", (("set", "2", "r2 b2 g2"), ("run", "A", "rA bB yC gD")))
    scene.do(1, "hit", 0, "6", "r6")
    scene.do(1, "hit", 1, "6", "b6")
    assert scene.group(0) == "r6 b6 g6 r6"
    assert scene.group(1) == "r1 r2 b3 y4 g5 b6 - -"


def test_rulebook_sets_and_runs() -> None:
    """2 sets of 3: three 4s and three Cs. Runs of 3: B C D or 2 3 4."""
    sets = Scene("r4 b4 y4 rC bC yC r1", "r1", contract=EIGHT[2]).drawn()
    sets.do(0, "down", (("set", "4", "r4 b4 y4"), ("set", "C", "rC bC yC")))
    for faces, base in (("rB gC yD", "B"), ("r2 g3 y4", "2")):
        Scene(faces + " r8", "r1", contract=(("run", 3),)).drawn().do(0, "down", (("run", base, faces),))


def test_rulebook_wild_completes_a_run() -> None:
    """2, 3 and 5 with a wild as 4."""
    scene = Scene("r2 b3 bridge r5 r8", "r1", contract=(("run", 4),)).drawn()
    scene.do(0, "down", (("run", "2", "r2 b3 bridge r5"),))
    assert scene.group(0) == "- r2 b3 bridge r5 - - -"


def test_rulebook_wild_bridges_to_another_card() -> None:
    """A B C on the field: a wild in the place of D, then an E."""
    scene = Scene("implant rE r8", "r1", down=(0,)).drawn()
    run = scene.run_on_field("A", "rA bB gC", owner=1)
    assert scene.refused(0, "hit", run, "E", "rE") == "teeth_time.refuse.hit_place"
    scene.do(0, "hit", run, "D", "implant").do(0, "hit", run, "E", "rE")
    assert scene.group(run) == "rA bB gC implant rE"


def test_rulebook_hits() -> None:
    """A 4 on a set of 4s; a 3, then another player's 7, on 4 5 6; a wild in either (rulebook, HITTING)."""
    scene = Scene("b4 g3 implant bridge r1", "r7 r8", down=(0, 1), pile="y1 y2").drawn()
    fours = scene.set_on_field("4", "r4 r4 y4", owner=1)
    run = scene.run_on_field("4", "r4 b5 g6", owner=0)
    scene.do(0, "hit", fours, "4", "b4").do(0, "hit", run, "3", "g3").do(0, "hit", fours, "4", "implant")
    scene.do(0, "hit", run, "2", "bridge")
    scene.do(0, "discard", "r1")


def test_another_players_seven() -> None:
    scene = Scene("r1 r1", "r7 r8 rA", down=(1,), pile="y1").drawn()
    run = scene.run_on_field("4", "r4 b5 g6")
    scene.do(0, "discard", "r1").do(1, "take").do(1, "hit", run, "7", "r7").do(1, "hit", run, "8", "r8")
    assert scene.group(run) == "- - - r4 b5 g6 r7 r8"


# ---- TT-6 ----


@pytest.mark.parametrize(("contract", "laid", "key"), [
    (EIGHT[0], (("set", "4", "r4 b4 y4"), ("set", "C", "rC bC yC")), "contract"),  # one group too many
    (EIGHT[2], (("set", "4", "r4 b4 y4"),), "contract"),
    (EIGHT[1], (("run", "2", "r2 b3 y4"),), "contract"),  # too short
    (EIGHT[3], (("set", "4", "r4 b4 y4"), ("set", "C", "rC bC yC")), "contract"),
    (EIGHT[0], (("set", "4", "r4 b4 rC"),), "set_rank"),
    (EIGHT[1], (("run", "2", "r2 b3 y4 r4"),), "run_order"),
    (EIGHT[1], (("run", "3", "r2 b3 y4 r5"),), "run_order"),
])
def test_tt_6_going_down_lays_exactly_the_contract(contract: Contract, laid: tuple[Any, ...], key: str) -> None:
    scene = Scene("r4 b4 y4 rC bC yC r2 b3 r5 r4 r8", "r1", contract=contract).drawn()
    assert scene.refused(0, "down", laid) == f"teeth_time.refuse.{key}"


def test_tt_6_groups_may_be_longer_in_any_order_and_of_equal_rank() -> None:
    Scene("r4 b4 y4 g4 r1 r2 r3 r5 r8", "r1", contract=EIGHT[3]).drawn().do(
        0, "down", (("run", "1", "r1 r2 r3 g4 r5"), ("set", "4", "r4 b4 y4")))
    scene = Scene("r4 b4 y4 g4 r4 b4 r8 y4", "r1", contract=EIGHT[2]).drawn()
    scene.do(0, "down", (("set", "4", "r4 b4 y4"), ("set", "4", "g4 r4 b4")))
    assert scene.group(0) == "r4 b4 y4"


def test_tt_6_a_longer_set_counts_for_the_longer_of_two() -> None:
    scene = Scene("r4 b4 y4 rC bC yC gC r8", "r1", contract=(("set", 4), ("set", 3))).drawn()
    scene.do(0, "down", (("set", "4", "r4 b4 y4"), ("set", "C", "rC bC yC gC")))


def test_tt_6_more_groups_follow_in_the_same_turn_and_later() -> None:
    scene = Scene("r4 b4 y4 rC bC yC r1 b2 g3 r8", "r1").drawn()
    assert scene.refused(0, "group", "set", "C", "rC bC yC") == "teeth_time.refuse.not_down"
    scene.do(0, "down", (("set", "4", "r4 b4 y4"),)).do(0, "group", "set", "C", "rC bC yC")
    assert scene.refused(0, "down", (("run", "1", "r1 b2 g3"),)) == "teeth_time.refuse.already_down"
    scene.do(0, "group", "run", "1", "r1 b2 g3")
    assert len(scene.state.groups) == 3


def test_tt_6_sets_have_no_upper_size() -> None:
    scene = Scene("r4 r4 b4 b4 y4 y4 g4 g4 implant implant bridge r8", "r1", contract=(("set", 11),)).drawn()
    scene.do(0, "down", (("set", "4", "r4 r4 b4 b4 y4 y4 g4 g4 implant implant bridge"),))
    assert scene.hand(0) == "r8"


# ---- TT-7 ----


def test_tt_7_at_least_one_tooth_card() -> None:
    scene = Scene("implant implant bridge bridge r4 r8", "r1").drawn()
    assert scene.refused(0, "down", (("set", "4", "implant implant bridge"),)) == "teeth_time.refuse.all_wild"
    scene.do(0, "down", (("set", "4", "implant implant bridge bridge r4"),))


def test_tt_7_runs_keep_their_suite_and_never_wrap() -> None:
    scene = Scene("r7 r8 r1 rD rE implant y1 bridge", "r1", contract=(("run", 3),)).drawn()
    assert scene.refused(0, "down", (("run", "7", "r7 r8 r1"),)) == "teeth_time.refuse.run_bounds"
    assert scene.refused(0, "down", (("run", "7", "r7 r8 implant"),)) == "teeth_time.refuse.run_bounds"
    assert scene.refused(0, "down", (("run", "D", "rD rE r1"),)) == "teeth_time.refuse.run_bounds"
    assert scene.refused(0, "down", (("run", "D", "rD rE implant"),)) == "teeth_time.refuse.run_bounds"
    scene.do(0, "down", (("run", "C", "implant rD rE"),))
    assert scene.refused(0, "hit", 0, "1", "y1") == "teeth_time.refuse.hit_place"


def test_tt_7_a_run_holds_no_more_than_its_suite() -> None:
    scene = Scene("implant r8 r8", "r1", down=(0,)).drawn()
    letters = scene.run_on_field("A", "rA rB rC rD rE")
    for rank in "ABCDE1":
        assert scene.refused(0, "hit", letters, rank, "implant") == "teeth_time.refuse.hit_place"


def test_tt_7_only_teeth_and_wilds_make_groups() -> None:
    scene = Scene("r4 b4 cavity r8", "r1").drawn()
    assert scene.refused(0, "down", (("set", "4", "r4 b4 cavity"),)) == "teeth_time.refuse.no_tooth_card"


def test_tt_7_advanced_runs_have_one_colour() -> None:
    hand = "r2 r3 b4 r4 implant b1 r1 r8"
    scene = Scene(hand, "r1", contract=(("run", 3),), level="advanced").drawn()
    assert scene.refused(0, "down", (("run", "2", "r2 r3 b4"),)) == "teeth_time.refuse.run_colour"
    scene.do(0, "down", (("run", "2", "r2 r3 r4"),))
    assert scene.refused(0, "hit", 0, "1", "b1") == "teeth_time.refuse.run_colour"
    scene.do(0, "hit", 0, "1", "r1").do(0, "hit", 0, "5", "implant")
    Scene(hand, "r1", contract=(("run", 3),), level="intermediate").drawn().do(0, "down", (("run", "2", "r2 r3 b4"),))


def test_tt_7_advanced_sets_mix_colours() -> None:
    Scene("r4 b4 r4 r8", "r1", level="advanced").drawn().do(0, "down", (("set", "4", "r4 b4 r4"),))


def test_tt_7_a_wild_in_a_run_stands_for_its_named_place() -> None:
    scene = Scene("implant bridge r8", "r1", down=(0,)).drawn()
    run = scene.run_on_field("4", "r4 b5 g6")
    scene.do(0, "hit", run, "7", "implant").do(0, "hit", run, "3", "bridge")
    assert scene.group(run) == "- - bridge r4 b5 g6 implant -"
    assert stands_for(scene.state.groups[run], 6) == "7"


# ---- TT-8 ----


def test_tt_8_before_the_initial_meld() -> None:
    scene = Scene("b4 implant cavity dentist fairy prevention r8", "r1").drawn()
    fours = scene.set_on_field("4", "r4 b4 y4", owner=1)
    run = scene.run_on_field("1", "r1 bridge r3", owner=1)
    assert scene.refused(0, "hit", fours, "4", "b4") == "teeth_time.refuse.not_down"
    assert scene.refused(0, "hit", fours, "4", "implant") == "teeth_time.refuse.not_down"
    assert scene.refused(0, "swap", run, "2", "b4") == "teeth_time.refuse.not_down"
    scene.do(0, "penalty", "cavity", 1).do(1, "accept").do(0, "play", "dentist").do(0, "play", "fairy")
    scene.do(0, "play", "prevention")
    assert scene.refused(0, "play", "implant") == "teeth_time.refuse.not_playable"


def test_tt_8_the_last_card_is_discarded_and_goes_out() -> None:
    scene = Scene("r8", "r1 implant").drawn().do(0, "discard", "r8")
    assert scene.state.first_out == 0
    assert scene.state.scores == ((-30, 30),)


# ---- TT-9 ----


def test_tt_9_taking_a_wild() -> None:
    scene = Scene("y5 r8", "r1", down=(0,)).drawn()
    run = scene.run_on_field("4", "r4 implant g6", owner=1)
    assert scene.refused(0, "swap", run, "5", "r8") == "teeth_time.refuse.not_the_tooth"
    assert scene.refused(0, "swap", run, "4", "r8") == "teeth_time.refuse.no_wild_there"
    scene.do(0, "swap", run, "5", "y5")
    assert scene.group(run) == "- - - r4 y5 g6 - -"
    assert scene.hand(0) == "r8 implant"


def test_tt_9_by_skill_level() -> None:
    for level in ("beginner", "intermediate", "advanced"):
        scene = Scene("y5 r5 r8", "r1", down=(0,), level=level).drawn()
        run = scene.run_on_field("4", "r4 implant r6", owner=1, colour="r" if level == "advanced" else "")
        if level == "beginner":
            assert scene.refused(0, "swap", run, "5", "r5") == "teeth_time.refuse.beginner_wild"
        elif level == "advanced":
            assert scene.refused(0, "swap", run, "5", "y5") == "teeth_time.refuse.not_the_tooth"
            scene.do(0, "swap", run, "5", "r5")
        else:
            scene.do(0, "swap", run, "5", "y5")


def test_tt_9_wilds_in_sets_are_dead() -> None:
    scene = Scene("r4 r8", "r1", down=(0,)).drawn()
    fours = scene.set_on_field("4", "b4 y4 implant")
    assert scene.refused(0, "swap", fours, "4", "r4") == "teeth_time.refuse.wild_in_set"


def test_tt_9_an_exchange_never_empties_a_hand() -> None:
    """TT-1: taking a wild is one exchange."""
    scene = Scene("y5", "r1", down=(0,)).drawn()
    run = scene.run_on_field("4", "r4 implant g6", owner=1)
    scene.do(0, "swap", run, "5", "y5")
    assert scene.hand(0) == "implant"
    assert scene.state.first_out == -1
    scene.do(0, "hit", run, "7", "implant")
    assert scene.state.first_out == 0


def test_a_card_is_named_once_and_must_be_held() -> None:
    scene = Scene("r4 b4 y4 r8", "r1 g4", contract=(("set", 3),)).drawn()
    four, other = scene.held(0, "r4"), scene.held(1, "g4")
    refusal = scene.rules.judge(scene.state, 0, ("down", (("set", "4", (four, four, four)),)))
    assert refusal is not None
    assert refusal.key == "teeth_time.refuse.named_twice"
    for stranger in (other, 999_999):
        refusal = scene.rules.judge(scene.state, 0, ("discard", stranger))
        assert refusal is not None
        assert refusal.key == "kernel.not_yours"


def test_going_out_by_a_hit_a_group_and_the_initial_meld() -> None:
    """TT-1: any last card goes out, without a discard."""
    hit = Scene("b4", "r1", down=(0,)).drawn()
    assert hit.do(0, "hit", hit.set_on_field("4", "r4 b4 y4"), "4", "b4").state.first_out == 0
    assert Scene("r4 b4 y4", "r1", down=(0,)).drawn().do(0, "group", "set", "4", "r4 b4 y4").state.first_out == 0
    assert Scene("r4 b4 y4", "r1").drawn().do(0, "down", (("set", "4", "r4 b4 y4"),)).state.first_out == 0
