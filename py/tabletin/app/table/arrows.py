"""Which thing an arrow key leads to: the nearest one in that direction. Distance to the side counts more than ahead.

Pure geometry on points, so a hand, a grid and a chain of dominoes are walked the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import dist
from typing import Final

from tabletin.board.scene import Key, Point

ARROWS: Final[Mapping[str, Point]] = {
    "ArrowLeft": (-1, 0), "ArrowRight": (1, 0), "ArrowUp": (0, -1), "ArrowDown": (0, 1)}
SIDEWAYS: Final = 2.2  # how much worse it is to be off the line than further along it


def next_key(places: Mapping[Key, Point], here: Key, arrow: str) -> Key | None:
    """The key that ``arrow`` leads to from ``here``, or None at the edge."""
    if here not in places:
        return next(iter(places), None)
    dx, dy = ARROWS[arrow]
    x, y = places[here]
    best: tuple[float, Key] | None = None
    for key, (px, py) in places.items():
        along = (px - x) * dx + (py - y) * dy
        across = abs((px - x) * dy) + abs((py - y) * dx)
        if key == here or along < 1:
            continue
        cost = along + SIDEWAYS * across
        if best is None or cost < best[0]:
            best = cost, key
    return best[1] if best else None


def step_in_order(places: Mapping[Key, Point], here: Key, step: int) -> Key | None:
    """The key ``step`` after ``here`` in reading order, line by line. It reaches everything, also what arrows pass by."""
    order = sorted(places, key=lambda key: (places[key][1], places[key][0]))
    if not order:
        return None
    return order[(order.index(here) + step) % len(order)] if here in places else order[0]


def nearest(places: Mapping[Key, Point], point: Point) -> Key | None:
    """The key closest to ``point``."""
    return min(places, key=lambda key: dist(places[key], point), default=None)
