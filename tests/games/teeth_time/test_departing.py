"""A seat leaves a hand of Teeth Time that the others play on: the window, a turn, replies, penalties, the count, a tie."""

from __future__ import annotations

from random import Random

from tabletin.bots.determinize import deal_on
from tabletin.games.teeth_time.state import COUNTER, NOBODY, OVER, PLAY, REPLY, SCORED, WINDOW, Penalty
from tests.games.teeth_time.scene import Scene

PENALTY = ("rA cavity b7", "gA g2", "y1 y2")


def leave(scene: Scene, *seats: int) -> Scene:
    assert scene.rules.can_depart(scene.state, *seats)
    scene.rules.depart(scene.state, *seats)
    deal_on(scene.rules, scene.state, scene.world, scene.rng)
    return scene


def four() -> Scene:
    return Scene("rA b7", "r1 b1", "g1 g2", "y1 y2", pile="b3 b4 b5", discard="r5")


def test_tt_4_the_drawer_leaves_in_a_window() -> None:
    """The next seat is the drawer of the same discard, and everybody else is asked anew."""
    scene = four().do(1, "call")
    leave(scene, 0)
    assert (scene.state.phase, scene.state.turn) == (WINDOW, 1)
    assert scene.acting() == (1, 2), "not who discarded it"
    assert (scene.state.caller, scene.state.left) == (NOBODY, False)
    scene.do(1, "take")
    assert scene.hand(1) == "r1 b1 r5"


def test_tt_4_the_next_drawer_first_carries_out_its_penalties() -> None:
    scene = four()
    for seat, face in ((1, "toothache"), (2, "cavity")):
        scene.state.penalties += (Penalty(scene.cards(face, public=True)[0], seat, True),)
    leave(scene, 0)
    assert (scene.state.phase, scene.state.turn) == (WINDOW, 2), "the second is skipped"
    assert scene.hand(2) == "g1 g2 b3 b4"
    assert scene.acting() == (2, 1)


def test_tt_4_who_called_leaves() -> None:
    """Its call falls, and the others may call."""
    scene = four().do(1, "decline").do(2, "call")
    assert scene.acting() == (0,)
    leave(scene, 2)
    assert scene.acting() == (0, 1)
    scene.do(0, "leave").do(1, "decline")
    assert (scene.state.phase, scene.hand(0)) == (PLAY, "rA b7 b3")


def test_tt_4_the_last_to_answer_leaves() -> None:
    scene = four().do(0, "leave").do(2, "decline")
    leave(scene, 1)
    assert (scene.state.phase, scene.state.turn) == (PLAY, 0)
    assert scene.hand(0) == "rA b7 b3"


def test_who_discarded_leaves() -> None:
    scene = four()
    leave(scene, 3)
    assert scene.acting() == (0, 1, 2)
    scene.do(0, "leave").do(2, "call")
    assert scene.hand(2) == "g1 g2 r5 b3"


def test_who_leaves_in_its_turn_discards_nothing() -> None:
    """What lies on the discard pile may be drawn by the next seat, but nobody discarded it just now."""
    scene = four().do(0, "leave").do(1, "decline").do(2, "decline")
    assert scene.state.phase == PLAY
    leave(scene, 0)
    assert (scene.state.phase, scene.acting()) == (WINDOW, (1,))
    scene.do(1, "take")
    assert scene.hand(1) == "r1 b1 r5"


def test_who_leaves_with_the_only_discard() -> None:
    """There is nothing to take or leave: the next seat draws from the pile."""
    scene = four().do(0, "take")
    leave(scene, 0)
    assert not scene.state.discards
    assert (scene.state.phase, scene.state.turn, scene.hand(1)) == (PLAY, 1, "r1 b1 b3")


def test_tt_11_a_penalty_that_waits_for_a_reply_of_who_left() -> None:
    scene = Scene(*PENALTY, pile="b3").drawn().do(0, "penalty", "cavity", 1)
    assert scene.state.phase == REPLY
    leave(scene, 1)
    assert (scene.state.phase, scene.acting()) == (PLAY, (0,))
    assert [penalty.live for penalty in scene.state.penalties] == [False], "it lies there, and nobody carries it out"
    scene.do(0, "discard", "b7")
    assert (scene.state.turn, scene.hand(2)) == (2, "y1 y2")


def test_tt_11_who_played_the_penalty_leaves_before_the_reply() -> None:
    """It hits nobody any more; a Dentist may collect it."""
    scene = Scene(*PENALTY, pile="b3").drawn().do(0, "penalty", "cavity", 1)
    leave(scene, 0)
    assert (scene.state.phase, scene.state.turn) == (WINDOW, 1)
    assert scene.hand(1) == "gA g2"
    scene.do(1, "leave")
    scene.state.hands[1] += scene.cards("dentist")
    scene.do(1, "play", "dentist")
    assert scene.faces(scene.state.dentists[1]) == "dentist cavity"


def test_tt_11_a_reflected_penalty() -> None:
    """Who reflected it has done its part; who played it need not answer any more."""
    hands = ("rA cavity b7", "gA prevention g2", "y1 y2")
    scene = Scene(*hands, pile="b3").drawn().do(0, "penalty", "cavity", 1).do(1, "whammy", "prevention")
    assert scene.state.phase == COUNTER
    leave(scene, 1)
    assert (scene.state.phase, scene.acting()) == (COUNTER, (0,))
    scene.do(0, "accept").do(0, "discard", "b7")
    assert scene.state.turn == 2
    scene = Scene(*hands, pile="b3").drawn().do(0, "penalty", "cavity", 1).do(1, "whammy", "prevention")
    leave(scene, 0)
    assert (scene.state.phase, scene.state.turn) == (WINDOW, 1)
    assert not scene.state.live_penalties(0)


def test_tt_10_who_left_is_no_target() -> None:
    scene = Scene(*PENALTY, pile="b3").drawn()
    leave(scene, 1)
    assert scene.refused(0, "penalty", "cavity", 1) == "teeth_time.refuse.no_target"
    scene.do(0, "penalty", "cavity", 2)


def test_its_groups_stay_and_can_be_hit() -> None:
    scene = Scene("r5 b7", "r1 b1", "g1 g2", pile="b3", down=(0, 1))
    number = scene.set_on_field("5", "g5 b5 y5", owner=1)
    scene.drawn()
    leave(scene, 1)
    scene.do(0, "hit", number, "5", "r5")
    assert scene.group(number) == "g5 b5 y5 r5"


def test_tt_15_who_left_takes_the_worst_score_of_the_hand() -> None:
    scene = Scene("b7", "r1 b1 rA", "g1 gumpster", pile="b3", hands=2).drawn()
    leave(scene, 1)
    scene.do(0, "discard", "b7")
    assert scene.state.phase == SCORED
    assert scene.state.scores == ((-30, 40, 40),), "a number 10 and the Gumpster 30; nobody saw the other hand"
    assert scene.state.stars == (0,)
    assert scene.acting() == (0,), "the seat that left does not deal"
    scene.do(0, "deal")
    assert scene.state.playing == (0, 1, 2)
    assert not scene.state.absentees
    assert len(scene.state.hands[1]) == 10


def test_tt_15_who_left_the_last_hand_does_not_win_the_match() -> None:
    scene = Scene("b7", "r1", "g1", pile="b3", hands=1).drawn()
    scene.state.totals = (100, -500, 100)
    leave(scene, 1)
    scene.do(0, "discard", "b7")
    assert scene.state.phase == OVER
    outcome = scene.rules.outcome(scene.state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners, outcome.reason) == ((70, -490, 110), (0,), "teeth_time.ended.lowest")


def test_tt_15_who_leaves_a_tie_break_hand_is_out_of_it() -> None:
    """Another such hand is played by the tied seats that are left; with one left it is not played on."""
    scene = Scene("b7", "r1 r2", "g1 g2", "y1 y2", pile="b3", hands=1).drawn()
    scene.state.tie_break = True
    scene.state.playing = tuple(range(3))
    assert scene.rules.can_depart(scene.state, 3)
    leave(scene, 2)
    scene.do(0, "discard", "b7")  # out, but nobody went down
    assert (scene.state.phase, *scene.state.playing) == (SCORED, 0, 1)
    assert not scene.rules.can_depart(scene.state, 1)
    scene.do(scene.acting()[0], "deal")
    assert list(scene.rules.playing(scene.state)) == [0, 1]
    assert not scene.state.absentees
    assert [len(hand) for hand in scene.state.hands] == [10, 10, 0, 0]


def test_tt_3_a_void_hand_after_a_leave_is_dealt_to_everybody() -> None:
    scene = four()
    leave(scene, 2)
    scene.rules.redeal(scene.state)
    deal_on(scene.rules, scene.state, scene.world, Random(1))
    assert scene.state.playing == (0, 1, 2, 3)
    assert [len(hand) for hand in scene.state.hands] == [10] * 4
