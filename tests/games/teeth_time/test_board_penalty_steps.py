"""A penalty that is carried out is shown card by card, though the rules do all of it at once (TT-4)."""

from __future__ import annotations

from dataclasses import replace

from tabletin.board.scene import card_key
from tabletin.games.teeth_time.board import TeethTimeBoard
from tabletin.games.teeth_time.state import WINDOW
from tests.games.teeth_time.looks import looked_at
from tests.games.teeth_time.scene import Scene

BOARD = TeethTimeBoard()


def played(*penalties: str, hands: tuple[str, ...] = ("b1 b2", "g1"), pile: str = "y1 y2 y3 y4 y5 y6 y7") -> Scene:
    """Ann has played these on Ben, and discards."""
    scene = Scene(" ".join(("r8 r7", *penalties)), *hands, pile=pile).drawn()
    for penalty in penalties:
        scene.state.targeted_mask = 0
        scene.do(0, "penalty", penalty, 1).do(1, "accept")
    scene.events.clear()
    return scene.do(0, "discard", "r8")


def test_the_discard_lies_first_then_the_cards_come_one_by_one() -> None:
    scene = played("broken")
    seen = looked_at(scene)
    steps = BOARD.steps(seen, scene.events)
    assert [step.words for step in steps] == ["", *["Ben draws 4 for the Broken Tooth"] * 5]
    assert [len(step.view.state.hands[1]) for step in steps] == [2, 2, 3, 4, 5, 6]
    assert [len(step.view.state.pile) for step in steps] == [7, 7, 6, 5, 4, 3]
    penalty = scene.state.penalties[0].card
    for step in steps:
        drawn = BOARD.scene(replace(seen, view=step.view, fresh=step.fresh, stepping=True), None)
        assert card_key(penalty) in {piece.key for piece in drawn.pieces}, "it lies there until all is paid"
        assert drawn.plates[1].count == len(step.view.state.hands[1])
        assert [plate.seat for plate in drawn.plates if plate.active] == [1] and drawn.status == "Ben to play"
    assert scene.state.phase == WINDOW and len(scene.state.hands[1]) == 6, "nothing of the match has changed"
    assert not scene.state.penalties[0].live


def test_who_pays_sees_what_was_drawn_when_it_comes() -> None:
    scene = played("cavity")
    steps = BOARD.steps(looked_at(scene, 1), scene.events)
    assert [step.words for step in steps[1:]] == ["You draw 2 for the Cavity"] * 3
    drawn = scene.state.hands[1][-2:]
    assert [sum(card in step.view.faces for card in drawn) for step in steps] == [0, 0, 1, 2]


def test_several_penalties_follow_each_other_and_a_turn_that_is_missed_comes_last() -> None:
    scene = played("toothache", "cavity")
    steps = BOARD.steps(looked_at(scene, 2), scene.events)
    assert list(dict.fromkeys(step.words for step in steps)) == ["", "Ben draws 2 for the Cavity", "Ben is skipped"]
    assert [len(step.view.state.live_penalties(1)) for step in steps] == [2, 2, 2, 2, 1]


def test_a_gumpster_that_fills_nothing_takes_no_cards_of_another() -> None:
    hand = " ".join(f"b{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 1, 2))
    scene = played("gumpster", "cavity", hands=(hand, "g1"))
    steps = BOARD.steps(looked_at(scene, 2), scene.events)
    assert list(dict.fromkeys(step.words for step in steps)) == ["", "Ben draws 0 for the Gumpster", "Ben draws 2 for the Cavity"]


def test_a_discard_alone_takes_no_steps_nor_does_a_pile_that_is_shuffled_meanwhile() -> None:
    scene = played()
    assert not BOARD.steps(looked_at(scene), scene.events)
    scene = played("broken", pile="y1 y2")
    assert scene.heard("reshuffled") or scene.heard("nothing_to_draw")
    assert not BOARD.steps(looked_at(scene), scene.events)
