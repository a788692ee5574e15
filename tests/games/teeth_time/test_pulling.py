"""For which discards a seat is asked whether it pulls them (TT-4), and what becomes of all others."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tabletin.app.session.local import LocalSession
from tabletin.app.session.session import SessionContext
from tabletin.app.storage.matches import MemoryMatches, SingleTab
from tabletin.app.table.recap import entries_since_turn
from tabletin.app.table.undo import available_undo
from tabletin.board.scene import card_of
from tabletin.games.teeth_time.board import TeethTimeBoard
from tabletin.games.teeth_time.groups import Contract
from tabletin.games.teeth_time.pulling import DiscardUse
from tabletin.games.teeth_time.state import WINDOW
from tabletin.kernel.faces import Faces
from tabletin.kernel.setup import Seat, Setup
from tabletin.registry import rules_of
from tests.games.teeth_time.scene import Scene
from tests.games.teeth_time.test_board import looked_at
from tests.support.bots_here import ME, WORDS, BotsHere, bot

BOARD = TeethTimeBoard()
SET_AND_RUN: Contract = (("set", 4), ("run", 4))
BEN = Seat("person", ME.author, "Ben")


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
    assert drawn.note == "It goes with blue 5 and green 5. If Ann leaves it, it’s yours – plus one extra card."
    lit = {scene.world[card] for piece in drawn.pieces if "legal" in piece.flags and (card := card_of(piece.key)) is not None}
    assert lit == {"b5", "g5"}


def test_where_nothing_is_asked_one_button_stands_there_and_the_table_says_whose_turn_it_is() -> None:
    seen = replace(looked_at(Scene("r1", "b5 g5 r2 y3", "y1", discard="y8", discarder=2), 1), idle=True)
    drawn = BOARD.scene(seen, BOARD.draft(seen))
    assert [(control.key, control.primary, control.seconds) for control in drawn.controls] == [("call", False, None)]
    assert drawn.status == "Ann to play" and not drawn.note
    assert [plate.seat for plate in drawn.plates if plate.active] == [0]


# ---- in a match ----


def context(*, forces: bool = True) -> SessionContext:
    return SessionContext(MemoryMatches(), SingleTab(), BotsHere(), WORDS, forces=lambda: forces)


async def to_a_window(session: LocalSession, *, idle: bool) -> None:
    """Play on by hints until a discard is offered that helps in nothing, or one that does."""
    for _ in range(20000):
        await asyncio.sleep(0.002)
        state = session.match.state
        if 0 not in session.acting:
            continue
        if state.phase == WINDOW and state.turn:
            view = session.match.view((0,))
            if (view.rules.idle_move(state, 0, view.faces) is not None) == idle:
                return
            await session.move(0, ("decline",))
        else:
            await session.move(0, (await session.hint(0)).move)
    raise AssertionError


def setup(*others: Seat) -> Setup:
    return Setup("teeth-time", rules_of("teeth-time").version, {}, (ME, *others), extra={"seed": 3})


async def test_what_helps_in_nothing_is_let_go_by_itself_and_is_no_turn_of_ones_own() -> None:
    session = await LocalSession.begin(setup(bot(), bot()), context(forces=False))
    await to_a_window(session, idle=True)
    assert session.forced_moves.idle_of(0) is None, "whoever taps everything is asked"
    session.context = replace(session.context, forces=lambda: True)
    assert session.forced_moves.idle_of(0) == ("decline",)
    at = len(session.match.entries)
    session.wake()
    for _ in range(400):
        await asyncio.sleep(0.002)
        own = [entry.index for entry in session.match.entries[at:]
               if entry.statement.kind == "move" and entry.statement.body["seat"] == 0]
        if own:
            break
    assert session.match.entries[own[0]].statement.body["do"] == ("decline",)
    assert session.forced_moves.was_made(0, own[0])
    back = available_undo(session.match, 0, lambda index: session.forced_moves.was_made(0, index))
    assert back is not None and back.target < at
    turn = next(entry.index for entry in reversed(session.match.entries[:at]) if entry.statement.kind == "move"
                and entry.statement.body["seat"] == 0 and entry.statement.body["do"][0] == "discard")
    assert entries_since_turn(session.match, 0)[0] <= turn + 2, "the answer is no turn, even if it was tapped"
    session.close()


async def test_what_helps_is_asked_for() -> None:
    session = await LocalSession.begin(setup(bot(), bot()), context(forces=False))
    await to_a_window(session, idle=False)
    session.context = replace(session.context, forces=lambda: True)
    assert session.forced_moves.idle_of(0) is None
    session.close()


async def test_where_people_share_a_device_all_are_asked() -> None:
    session = await LocalSession.begin(setup(BEN, BEN), context(forces=False))
    for _ in range(400):
        state, seat = session.match.state, session.acting[0]
        if state.phase == WINDOW and seat != state.turn:
            view = session.match.view((seat,))
            if view.rules.idle_move(state, seat, view.faces) is not None:
                break
            await session.move(seat, ("decline",))
        else:
            await session.move(seat, (await session.hint(seat)).move)
    assert state.phase == WINDOW
    session.context = replace(session.context, forces=lambda: True)
    assert session.forced_moves.idle_of(seat) is None
    session.close()
