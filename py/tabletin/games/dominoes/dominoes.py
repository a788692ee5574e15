"""Color Dot Dominoes: matching halves on a branching table, drawing until one can play. Rulings DO-1…DO-5, DO-9, DO-10.

``Branching`` is the table that Tiddle-A-Wink shares.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from tabletin.games.dominoes.base import ASKING, PLACE, DominoRules
from tabletin.games.dominoes.state import DominoState
from tabletin.games.dominoes.table import LaidTile, opened_branching
from tabletin.games.dominoes.tiles import HALVES
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.options import Choice, Number, Refusal
from tabletin.kernel.schema import CARD, Move

HAND_SIZES: Final = {6: 5, 9: 7, 12: 9}  # DO-3


class Branching(DominoRules):
    """A domino joins an open place by a half with the same number; doubles branch (DO-2)."""

    def lays(self, state: DominoState, card: Card, face: Face) -> list[Move]:
        high, low = HALVES[face]
        return [("lay", card, place) for place, number in state.open.items() if number == high or number == low]

    def turn_moves(self, state: DominoState, hand: tuple[Card, ...], faces: Mapping[Card, Face]) -> list[Move]:
        # the same as in the base, in one pass: rollouts spend most of their time here
        places = state.open.items()
        found: list[Move] = []
        for card in hand:
            high, low = HALVES[faces[card]]
            for place, number in places:
                if number == high or number == low:
                    found.append(("lay", card, place))
        return found or [("draw",) if self.wait_refusal(state, "draw") is None else ("pass",)]

    def halves(self, state: DominoState, move: Move) -> tuple[int, int] | None:
        high, low = HALVES[state.public[move[1]]]
        number = state.open[move[2]]
        return (high, low) if number == high else (low, high) if number == low else None

    def new_places(self, tile: int, laid: LaidTile) -> dict[int, int]:
        return opened_branching(tile, laid)

    def had_to_play(self, verb: str, face: Face, ends: tuple[int, ...]) -> bool:
        high, low = HALVES[face]
        return high in ends or low in ends


class Dominoes(Branching):
    """2–4 seats with the double-six set, 2–6 with double-nine or double-twelve."""

    id = "dominoes"
    seat_counts = range(2, 7)
    most_seats: ClassVar[Mapping[int, int]] = {6: 4, 9: 6, 12: 6}
    options = (Choice("set", (6, 9, 12), 9), Number("target", 1, 1000, 100))  # DO-5
    verbs = {"lay": (CARD, PLACE), "draw": (), "pass": (), **ASKING}

    @property
    def hand_size(self) -> int:
        return HAND_SIZES[self.option_values["set"]]

    def wait_refusal(self, state: DominoState, verb: str) -> Refusal | None:
        """A seat that cannot play draws until it can, and passes if the pile runs out (DO-3)."""
        if verb == "draw":
            return None if state.pile else Refusal("dominoes.refuse.pile_empty", rule="DO-3")
        return Refusal("dominoes.refuse.draw_first", rule="DO-3") if state.pile else None
