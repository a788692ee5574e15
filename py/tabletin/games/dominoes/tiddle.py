"""Tiddle-A-Wink: dominoes without a pile to draw from, for many; a double plays again. Rulings DO-1, DO-2, DO-4, DO-5, DO-8."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from tabletin.games.dominoes.base import ASKING, PLACE
from tabletin.games.dominoes.dominoes import Branching
from tabletin.games.dominoes.scoring import one_difference
from tabletin.games.dominoes.state import DominoState
from tabletin.games.dominoes.table import LaidTile
from tabletin.kernel.faces import Faces
from tabletin.kernel.options import Choice, Number, Refusal
from tabletin.kernel.schema import CARD, Move


class TiddleAWink(Branching):
    """6–10 seats, double-nine or double-twelve. What is not dealt stays out of play."""

    id = "tiddle-a-wink"
    seat_counts = range(6, 11)
    most_seats: ClassVar[Mapping[int, int]] = {9: 10, 12: 10}
    options = (Choice("set", (9, 12), 9), Number("target", 1, 1000, 200))
    verbs = {"lay": (CARD, PLACE), "pass": (), **ASKING}
    brief_verbs = frozenset(("none", "pass"))  # many say “G” one after another, and their plates keep saying it
    forced_verbs = frozenset(("none", "pass"))
    hand_size = 5

    def balance(self, own: int, others: list[int]) -> int:
        return one_difference(own, others)

    def wait_refusal(self, state: DominoState, verb: str) -> Refusal | None:
        """There is no drawing: who cannot match says "G" (DO-8)."""
        return Refusal("tiddle-a-wink.refuse.no_drawing", rule="DO-8") if verb == "draw" else None

    def forced_reason(self, state: DominoState, seat: int, faces: Faces, move: Move) -> str:
        """A pass is said as "G" (DO-8)."""
        return "dominoes.forced.g" if move[0] == "pass" else super().forced_reason(state, seat, faces, move)

    def keeps_turn(self, laid: LaidTile) -> bool:
        """After any double, the lead included, the same seat plays again (DO-8)."""
        return laid.inner == laid.outer
