"""Which way up a long grid is looked at: as it was begun, or from the side, where its cards are much larger so. Pure.

It follows from the grid and the window alone. So it stands still during a turn, and is the same whenever it is looked at again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from tabletin.board.scene import Rect

Place: TypeAlias = tuple[int, int]  # columns to the right of the starter, rows below it

AROUND: Final = 2  # cells beside the grid on both sides together, where somebody may lay
WORTH: Final = 1.3  # how much larger cards must get for the grid to be looked at from another side


def is_turned(places: Iterable[Place], window: Rect, least: float) -> bool:
    """Whether the grid of ``places``, in the order in which they were filled, is looked at from the side in ``window``.

    Nothing turns while a cell is at least ``least`` px wide. What has turned stays so until the other way is worth as much."""
    turned = False
    left = right = top = bottom = 0
    for x, y in places:
        left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
        across, down = right - left + AROUND, bottom - top + AROUND
        if turned:
            across, down = down, across
        now = min(window.width / across, window.height / down)
        if now < least and min(window.width / down, window.height / across) > WORTH * now:
            turned = not turned
    return turned


def seen_at(place: Place, *, turned: bool) -> Place:
    """Where ``place`` is seen: a quarter turn to the right, if the grid is turned."""
    x, y = place
    return (-y, x) if turned else place


def place_at(seen: Place, *, turned: bool) -> Place:
    """The place that is seen at ``seen``."""
    x, y = seen
    return (y, -x) if turned else seen
