"""What a seat sees of a position that a test has set up."""

from __future__ import annotations

from tabletin.board.scene import Layout, Sight
from tabletin.kernel.faces import Faces
from tabletin.kernel.match import View
from tabletin.kernel.setup import Seat, Setup
from tabletin.words import load
from tabletin.words.wording import Wording
from tests.games.teeth_time.scene import Scene as Position
from tests.support.board_tables import PHONE

WORDS = load()
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo")


def looked_at(position: Position, seat: int | None = 0, layout: Layout = PHONE, people: tuple[int, ...] = (0,)) -> Sight:
    """What ``seat`` sees of ``position``."""
    state = position.state
    count = len(state.hands)
    known = dict(state.public)
    if seat is not None:
        known |= {card: position.world[card] for card in state.hands[seat]}
    view = View(position.rules, state, () if seat is None else (seat,), Faces(known))
    setup = Setup("teeth-time", 1, {}, tuple(Seat("person", "table", name) for name in NAMES[:count]))
    return Sight(view, Wording(WORDS, setup, seat if len(people) == 1 else None), layout, seat, people)
