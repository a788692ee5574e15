"""The small plate with points that lies on Iota's grid: how large it is, and where it lies beside a card. Pure.

It keeps its size in px, so that it is as many units of the plane as the plane is small.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tabletin.board.scene import Rect
from tabletin.games.iota.draft import CELL
from tabletin.games.iota.orientation import Place

CARD: Final = 95.0  # of a cell, how wide a card on it is
LETTER: Final = 1.0625  # rem: its letters, …
WIDTH: Final = 0.62  # … of which a figure is so wide, …
AROUND: Final = 0.9  # … what is around them …
HEIGHT: Final = 1.6  # … and the plate so high


def plate_beside(place: Place, way: tuple[int, int], text: str, unit: float) -> Rect:
    """Where the plate with ``text`` lies beside the card on ``place``, on the side ``way``: (1, 0) is right, (0, 1) below; with
    (0, 0) over its foot. ``unit``: how many units of the plane a rem is."""
    letter = LETTER * unit
    width, height = letter * (WIDTH * len(text) + AROUND), letter * HEIGHT
    right, down = way
    x = place[0] * CELL + right * (CARD + width) / 2
    y = place[1] * CELL + (down * (CARD + height) if way != (0, 0) else CARD) / 2
    return Rect(x - width / 2, y - height / 2, width, height)


def is_free(plate: Rect, others: Sequence[Rect]) -> bool:
    """Whether ``plate`` covers nothing of ``others``."""
    return not any(plate.x < other.right and other.x < plate.right and plate.y < other.bottom and other.y < plate.bottom
                   for other in others)


def card_at(place: Place) -> Rect:
    """Where the card on ``place`` lies on the plane."""
    return Rect(place[0] * CELL - CARD / 2, place[1] * CELL - CARD / 2, CARD, CARD)
