"""Where things lie on the plane that shows Iota's grid: a card, and the small plate with points beside one. Pure.

The plate keeps its size in px, so that it is as many units of the plane as the plane is small.
"""

from __future__ import annotations

from typing import Final

from tabletin.board.scene import Rect
from tabletin.games.iota.orientation import Place

CELL: Final = 100.0  # units of the plane from one card to the next, …
CARD: Final = 95.0  # … of which a card takes
LETTER: Final = 1.0625  # rem: the letters of the plate, …
WIDTH: Final = 0.62  # … of which a figure is so wide, …
AROUND: Final = 0.9  # … what is around them …
HEIGHT: Final = 1.6  # … and the plate so high


def card_at(place: Place) -> Rect:
    """Where the card on ``place`` lies on the plane."""
    return Rect(place[0] * CELL - CARD / 2, place[1] * CELL - CARD / 2, CARD, CARD)


def plate_beside(place: Place, way: tuple[int, int], text: str, unit: float) -> Rect:
    """Where the plate with ``text`` lies beside the card on ``place``, on the side ``way``: (1, 0) is right, (0, 1) below; with
    (0, 0) over its foot. ``unit``: how many units of the plane a rem is."""
    letter = LETTER * unit
    width, height = letter * (WIDTH * len(text) + AROUND), letter * HEIGHT
    right, down = way
    x = place[0] * CELL + right * (CARD + width) / 2
    y = place[1] * CELL + (down * (CARD + height) if way != (0, 0) else CARD) / 2
    return Rect(x - width / 2, y - height / 2, width, height)
