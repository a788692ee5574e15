"""The placements that a domino can have at an open end of a branching table, each with bit masks of the cells it needs.

The grid is one large integer with a bit for each cell. Whether a domino has room is then one shift and one "and", however much
lies there.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from typing import Final, NamedTuple, TypeAlias

from tabletin.games.dominoes.layout import (
    Box,
    Point,
    Slot,
    TilePlacement,
    Way,
    box_around,
    reverse,
    step,
    turned_left,
    turned_right,
)
from tabletin.games.dominoes.table import BACK, LEFT, ONWARD

Cells: TypeAlias = set[tuple[int, int]]  # by their left top corners

ROW: Final = 256  # bits of a row of cells
FARTHEST: Final = 95  # cells from the middle, to each side
GAP: Final = 1  # cells that stay free between dominoes that do not join: half a domino's width
NEAR: Final = 3  # … and up to which it is better that nothing lies
FRONT: Final = (12, 4)  # cells before a domino where its arm goes on: how deep, and how far to either side
SIDES: Final = (9, 7)  # … and around a double, where its branches begin


class Bits(NamedTuple):
    """Cells as the bits of a number, of which the lowest is the cell with the number ``shift``."""

    bits: int
    shift: int


class TileLie(NamedTuple):
    """A domino that lies: where, and what its arm does there. ``direction``: where the far long side of a double looks."""

    lie: TilePlacement
    direction: Way
    is_double: bool
    is_bent: bool

    def end(self, side: int) -> tuple[Point, Way]:
        """The point at which ``side`` is open, and the way on from there."""
        lie = self.lie
        if not self.is_double:
            way, far = lie.way if side == ONWARD else reverse(lie.way), 2
        elif side in (ONWARD, BACK):
            way, far = self.direction if side == ONWARD else reverse(self.direction), 1
        else:
            way, far = turned_left(self.direction) if side == LEFT else turned_right(self.direction), 2
        return (lie.x + far * way[0], lie.y + far * way[1]), way


class EndPlacement(NamedTuple):
    """One way to take an end, with the end as (0, 0): where a ``double`` lies, where any other domino; None if none such comes.

    ``bent``: the arm turns off; ``off_middle``: the double does not lie in the middle of its arm. ``own``: its cells; ``edge``:
    they and those that have to stay free around them; ``rim``, ``front``, ``sides``: where it is better that nothing lies.
    """

    double: TilePlacement | None
    plain: TilePlacement | None
    joint: Point
    direction: Way
    bent: bool
    off_middle: bool
    box: Box
    own: Bits
    edge: Bits
    rim: Bits
    front: Bits
    sides: Bits

    def slot(self, end: Point) -> Slot:
        """The slot at ``end``."""
        double, plain = self.double or self.plain, self.plain or self.double
        assert double is not None and plain is not None
        (x, y), joint = end, step(self.joint, ((1, 0), end[0]), ((0, 1), end[1]))
        return Slot(TilePlacement(double.x + x, double.y + y, double.way), TilePlacement(plain.x + x, plain.y + y, plain.way),
                    self.direction, self.bent, joint, joint)


def number_of(x: float, y: float) -> int:
    """The number of a cell."""
    return int(y + FARTHEST) * ROW + int(x) + ROW // 2


def cells_in(box: Box) -> Cells:
    left, top, right, bottom = map(int, box)
    return {(x, y) for x in range(left, right) for y in range(top, bottom)}


def bits_of(cells: Iterable[tuple[int, int]]) -> Bits:
    """``cells`` from (0, 0)."""
    numbers = [y * ROW + x for x, y in cells]
    at = min(numbers, default=0)
    return Bits(sum(1 << number - at for number in numbers), at)


@cache
def bits_in(left: float, top: float, right: float, bottom: float) -> Bits:
    """The cells of a box from (0, 0)."""
    return bits_of(cells_in((left, top, right, bottom)))


def taken_by(lie: TilePlacement) -> int:
    """The cells of a domino on the grid."""
    across, down = (2, 1) if lie.way[0] else (1, 2)
    bits, at = bits_in(-across, -down, across, down)
    return bits << number_of(lie.x, lie.y) + at


ALONG, LONG_SIDE, SHORT_SIDE = range(3)  # what an end is: the last half of an arm, or a side of a double


@cache
def placements(way: Way, end: int, *, double: bool, plain: bool) -> tuple[EndPlacement, ...]:
    """The ways to take an end that looks in the direction ``way``, where a double may come, or another domino, or both.

    Beside the long side of a double nothing lies across, and at its short sides nothing comes beside it: its branches are there.
    """
    origin = 0.0, 0.0
    across, on = TilePlacement(*step(origin, (way, 1)), turned_right(way)), TilePlacement(*step(origin, (way, 2)), way)
    below = frozenset(cells_in(_before(origin, reverse(way), *((2, 2) if end == LONG_SIDE else (4, 1)))))  # what it belongs to
    placement = partial(_placement, below)
    found = [placement(across if double else None, on if plain else None, origin, way)]
    for to in (turned_right(way), turned_left(way)):
        turned = TilePlacement(*step(origin, (way, 1), (to, 1)), to)
        if double:
            found.append(placement(turned, on if plain else None, origin, way, off_middle=True))
        if not plain:
            continue
        if end != LONG_SIDE:
            found.append(placement(across if double else None, turned, origin, way, bent=True))
            if double:
                found.append(placement(turned, turned, origin, way, bent=True, off_middle=True))
        if end == ALONG:
            side = step(origin, (way, -1), (to, 1))
            beside = TilePlacement(*step(side, (to, 2)), to)
            found.append(placement(across, beside, origin, way, bent=True) if double else
                         placement(None, beside, side, to, bent=True))
    return tuple(found)


def _placement(below: frozenset[tuple[int, int]], double: TilePlacement | None, plain: TilePlacement | None, joint: Point,
               direction: Way, *, bent: bool = False, off_middle: bool = False) -> EndPlacement:
    lies = [lie for lie in (double, plain) if lie is not None]
    own = {cell for lie in lies for cell in cells_in(lie.box)}
    edge = _grown(own, GAP) - below
    last = lies[-1]
    way, far = (last.way, 2) if plain is not None else (direction, 1)
    front = cells_in(_before(step((last.x, last.y), (way, far)), way, *FRONT)) - own
    sides = cells_in(_before(joint, direction, *SIDES)) - own if double is not None else set()
    return EndPlacement(double, plain, joint, direction, bent, off_middle, box_around(lie.box for lie in lies), bits_of(own),
                    bits_of(edge), bits_of(_grown(own, NEAR) - edge - own - below), bits_of(front), bits_of(sides))


def _grown(cells: Cells, by: int) -> Cells:
    """``cells`` and what lies around them, corners too."""
    return {(x + right, y + down) for x, y in cells for right in range(-by, by + 1) for down in range(-by, by + 1)}


def _before(at: Point, way: Way, deep: int, aside: int) -> Box:
    """What lies before ``at`` in direction ``way``, and ``aside`` to both sides."""
    (x, y), (to_x, to_y) = step(at, (turned_left(way), aside)), step(at, (turned_right(way), aside), (way, deep))
    return min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y)
