"""For which discards a seat is asked whether it pulls them (TT-4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletin.board.scene import card_of
from tabletin.games.teeth_time.board import TeethTimeBoard
from tabletin.games.teeth_time.discard_use import DiscardUse
from tabletin.games.teeth_time.groups import Contract
from tabletin.games.teeth_time.state import WINDOW
from tabletin.kernel.faces import Faces
from tests.games.teeth_time.looks import looked_at
from tests.games.teeth_time.scene import Scene

BOARD = TeethTimeBoard()
SET_AND_RUN: Contract = (("set", 4), ("run", 4))


def use(scene: Scene, seat: int = 1) -> DiscardUse | None:
    known = Faces({**scene.state.public, **{card: scene.world[card] for card in scene.state.hands[seat]}})
    found = scene.rules.use_of_discard(scene.state, seat, known)
    assert (scene.rules.idle_move(scene.state, seat, known) is None) == (found is not None)
    return found


def said(scene: Scene, found: DiscardUse | None) -> tuple[str, str]:
    assert found is not None
    return found.what, scene.faces(found.cards)


def test_with_it_one_can_go_down() -> None:
    scene = Scene("r1", "b5 g5 r2 y7", "y1", discard="r5", discarder=2)
    assert said(scene, use(scene)) == ("down", "b5 g5")


def test_it_brings_the_contract_nearer() -> None:
    scene = Scene("r1", "b5 g5 r2 y3 r8 gA", "y1", discard="r5", discarder=2, contract=SET_AND_RUN)
    assert said(scene, use(scene)) == ("part", "b5 g5")


@pytest.mark.parametrize("discard", ["y8", "cavity", "gumpster", "toothache"])
def test_it_helps_in_nothing(discard: str) -> None:
    assert use(Scene("r1", "b5 g5 r2 y3", "y1", discard=discard, discarder=2)) is None


def test_who_could_go_down_anyway_is_not_asked_for_more() -> None:
    assert use(Scene("r1", "b5 g5 r5 y3", "y1", discard="y5", discarder=2)) is None


def test_a_wild_helps_who_is_not_down() -> None:
    scene = Scene("r1", "b5 g5 r2 y3 r8 gA", "y1", discard="bridge", discarder=2, contract=SET_AND_RUN)
    assert said(scene, use(scene)) == ("wild", "")


def test_once_down_a_card_helps_that_takes_others_along() -> None:
    """One that only fits on the table itself leaves the hand with the extra card, and nothing is won."""
    scene = Scene("r1", "b3 g8", "y1", discard="r4", discarder=2, down=(1,))
    scene.run_on_field("5", "r5 b6 y7")
    assert said(scene, use(scene)) == ("lays", "b3")
    fits = Scene("r1", "gA g8", "y1", discard="r4", discarder=2, down=(1,))
    fits.run_on_field("5", "r5 b6 y7")
    assert use(fits) is None


def test_once_down_it_may_make_a_group_with_the_hand() -> None:
    scene = Scene("r1", "b3 g3 y8", "y1", discard="r3", discarder=2, down=(1,))
    assert said(scene, use(scene)) == ("lays", "b3 g3")


def test_a_prevention_counts_off_at_once_and_a_dentist_with_what_it_collects() -> None:
    assert use(Scene("r1", "b3 g8", "y1", discard="prevention", discarder=2)) == DiscardUse("off", points=-20)
    scene = Scene("r1 cavity", "b3 g8", "y1", discard="dentist", discarder=2)
    assert use(scene) is None
    played = Scene("r1 cavity", "b3 g8", "y1", discard="y8").drawn().do(0, "penalty", "cavity", 2).do(2, "accept")
    played.state.fresh, played.state.discards = (), played.cards("dentist", public=True)
    played.state.phase, played.state.turn = WINDOW, 0
    assert use(played) == DiscardUse("off", points=-20)


def test_on_an_advanced_table_a_run_of_another_colour_is_not_meant() -> None:
    hand, field = ("r1", "b3 g8", "y1"), ("5", "r5 r6 r7")
    for level, expected in (("intermediate", True), ("advanced", False)):
        scene = Scene(*hand, discard="r4", discarder=2, down=(1,), level=level)
        scene.run_on_field(*field, colour="r" if level == "advanced" else "")
        assert (use(scene) is not None) == expected, level


def test_the_question_says_why_and_lifts_the_cards_that_it_goes_with() -> None:
    scene = Scene("r1", "b5 g5 r2 y3 r8 gA", "y1", discard="r5", discarder=2, contract=SET_AND_RUN)
    seen = looked_at(scene, 1)
    drawn = BOARD.scene(seen, BOARD.draft(seen))
    assert drawn.note == "It goes with blue 5 and green 5. If Ann leaves it, it’s yours – but you draw an extra card, too."
    lit = {scene.world[card] for piece in drawn.pieces if "legal" in piece.flags and (card := card_of(piece.key)) is not None}
    assert lit == {"b5", "g5"}


def test_where_nothing_is_asked_one_button_stands_there_and_the_table_says_whose_turn_it_is() -> None:
    seen = replace(looked_at(Scene("r1", "b5 g5 r2 y3", "y1", discard="y8", discarder=2), 1), idle=True)
    drawn = BOARD.scene(seen, BOARD.draft(seen))
    assert [(control.key, control.primary, control.seconds) for control in drawn.controls] == [("call", False, None)]
    assert drawn.status == "Ann to play" and not drawn.note
    assert [plate.seat for plate in drawn.plates if plate.active] == [0]
