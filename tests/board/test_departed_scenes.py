"""Tables at which a seat has left the hand: drawn for everybody, on every screen, and tried out by random taps."""

from __future__ import annotations

from random import Random

from tabletin.board.scene import Layout, Sight
from tabletin.kernel.faces import Faces
from tabletin.kernel.match import View
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR
from tabletin.registry import rules_of
from tabletin.words.wording import Wording
from tests.support.board_tables import LAYOUTS, PHONE, WORDS, board_of
from tests.support.cases import Case
from tests.support.departures import Played, each_case
from tests.support.examples import MANY_HANDS
from tests.support.scene_checks import check_faces, check_form, check_reach, drawn, walk

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo")


def sight(played: Played, case: Case, seat: int | None, layout: Layout = PHONE) -> Sight:
    """What ``seat`` sees, or whoever looks on."""
    game, seats, options = case
    setup = Setup(game, rules_of(game).version, options, tuple(Seat("person", AUTHOR, name) for name in NAMES[:seats]))
    view = View(played.rules, played.state, (), Faces(played.state.public)) if seat is None else played.view(seat)
    return Sight(view, Wording(WORDS, setup), layout, seat, tuple(range(seats)))


@each_case
def test_scenes_of_a_hand_that_somebody_left(case: Case) -> None:
    """No more is shown than its reader knows; the seat is marked, holds no cards and is not to act; nothing of it is drawn."""
    played, board, rng = Played(case, 900), board_of(case[0]), Random(0)
    looked = 0
    for step in range(400):
        played.maybe_leave()
        if played.state.absentees:
            looked += 1
            for seat in (None, *range(case[1])):
                seen = sight(played, case, seat, LAYOUTS[step % len(LAYOUTS)])
                scene = drawn(board, seen)
                check_faces(scene, seen, played.world)
                check_form(scene, seen)
                check_reach(scene, seen)
                assert seat not in played.state.absentees or not seen.may_act
                for plate in scene.plates:
                    if plate.seat in played.state.absentees:
                        assert WORDS.text("table.left") in plate.note
                        assert not plate.active and plate.count is None
            for seat in played.rules.to_act(played.state):
                seen = sight(played, case, seat)
                walk(board.draft(seen), board, seen, rng, 10)
        if looked >= 12 or not played.step():
            break


def test_such_hands_are_met() -> None:
    """The random play above does look at hands that somebody left."""
    played = Played((MANY_HANDS, 4, {}), 900)
    assert any(played.maybe_leave() or not played.step() for _ in range(400))
    assert played.state.absentees
