"""Where the numbers of open ends stand on the table: before their ends, clear of all dots. Plain geometry in units of the plane.

Which numbers they are, and which of them are lit, ``board`` knows.
"""

from __future__ import annotations

from typing import NamedTuple

from tabletin.board.scene import Rect
from tabletin.games.dominoes.draft import CELL
from tabletin.games.dominoes.layout import Slot


class EndMark(NamedTuple):
    """The ``text`` of the open ``place``, and where it stands on the table: before its end, or on it where that is walled in."""

    place: int
    text: str
    rect: Rect
    is_on_end: bool


def before_end(slot: Slot, wide: float, high: float, clear: float) -> Rect:
    """Where words reach ``wide`` and ``high`` from their middle and stand ``clear`` before the end of ``slot``; on it where it is
    walled in."""
    (x, y), (to_x, to_y) = slot.start if slot.apart else slot.joint, slot.direction
    far = 0.0 if slot.apart else clear + (wide if to_x else high)
    return Rect(x * CELL + to_x * far - wide, y * CELL + to_y * far - high, 2 * wide, 2 * high)


def reach(view: Rect, rect: Rect) -> float:
    """How far ``rect`` reaches out of ``view``."""
    return (max(0.0, view.x - rect.x) + max(0.0, view.y - rect.y)
            + max(0.0, rect.right - view.right) + max(0.0, rect.bottom - view.bottom))
