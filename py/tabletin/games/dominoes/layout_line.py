"""The line of a game without branches, as it lies on the plane: rows that run there and back, from one edge to the other.

The lead lies in the middle of the first row. From its front the line goes to the right and winds down, from its back to the left
and winds up. At an edge one upright domino leads over to the next row, so every corner looks the same. Rows are as long as
dominoes look largest in the window with as many as lie half through a round; once they look clearly larger in longer rows, all
is laid out anew. A double lies along the line like any other: it does not branch, and its far half is the open one (DO-6).
"""

from __future__ import annotations

from math import sqrt
from statistics import fmean
from typing import Final

from tabletin.games.dominoes.layout import (
    Opens,
    Point,
    Slot,
    TableLayout,
    TilePlacement,
    Way,
    box_around,
    reverse,
    step,
)
from tabletin.games.dominoes.table import LEAD, ONWARD, LaidTile, tile_and_side

LONG, ACROSS = 4, 2  # cells of a domino
PITCH: Final = 3  # cells from one row to the next: half a domino's width stays free between them
HALFWAY: Final = 16  # dominoes on the table half through a usual round
AHEAD: Final = 8  # dominoes that are still to find room in rows laid out anew, …
LARGER: Final = 1.15  # … in which dominoes look so many times larger
SOON: Final = 2  # dominoes at either end, with which the rows are compared: …
LEAST_LARGE: Final = 1.05  # … so many times smaller all may be, so that ends stay on their sides and few dominoes turn
ASIDE: Final = (0, -LONG, LONG, -2 * LONG, 2 * LONG)  # cells that the middle of rows may be beside the lead then
HALF_EMPTY: Final = 0.5  # rows more than are full: those at both ends of the line
RIGHT, LEFT = (1, 0), (-1, 0)


def row_width(window: Point, count: int = HALFWAY) -> int:
    """How many cells wide rows are in which ``count`` dominoes look largest in ``window``: some that lie, and a corner at either
    edge."""
    def size(lying: int) -> float:
        rows = count / (lying + 1) + HALF_EMPTY
        return min(window[0] / (lying * LONG + 2 * ACROSS), window[1] / (rows * PITCH - 1))
    return max(range(1, count + 1), key=size) * LONG + 2 * ACROSS


class LineLayout(TableLayout):
    """The lies of a line's dominoes."""

    def __init__(self, opens: Opens, window: Point = (20.0, 20.0)) -> None:
        self._window = window
        self._width = row_width(window)
        self._aside = 0
        super().__init__(opens, window)

    def _start(self) -> None:
        super()._start()
        self._lines: dict[int, tuple[Way, int]] = {}  # of the open places: which way their row runs, and 1 where they wind down

    def _open_slots(self) -> dict[int, Slot]:
        return {place: self.slots[place] for place in self._lines}

    def improve(self) -> bool:
        """Lay all out anew in longer rows, where dominoes look much larger in them."""
        width = row_width(self._window, len(self.tiles) + AHEAD)
        if width <= self._width or self._shown < len(self.tiles) or self._whole() < LARGER * self._in_rows(width, 0)._whole():
            return False
        found = [self._in_rows(wide, aside) for wide in (width, width + LONG) for aside in ASIDE]
        sizes = [one._mean_whole() for one in found]
        large = [one for one, size in zip(found, sizes, strict=True) if size <= LEAST_LARGE * min(sizes)]
        vars(self).update(vars(min(large, key=self._motion)))
        return True

    def _in_rows(self, width: int, aside: int) -> LineLayout:
        """All of it anew, in rows of ``width`` with their middle ``aside`` of the lead."""
        found = LineLayout(self._opens, self._window)
        found._width, found._aside = width, aside
        found.show(self.tiles)
        return found

    def _motion(self, other: LineLayout) -> tuple[int, int]:
        """How often an end comes to another side than it was on where ``other`` is seen, and how many dominoes turn."""
        sides = zip(self._end_sides(), other._end_sides(), strict=True)
        crossing = sum(one * there < 0 for ends in sides for one, there in zip(*ends, strict=True))
        return crossing, sum(one.way != there.way for one, there in zip(self.lies, other.lies, strict=True))

    def _end_sides(self) -> list[Point]:
        """How far each end lies from the middle, right and down; 0 where it is hardly beside it."""
        left, top, right, bottom = box_around(lie.box for lie in self.lies)
        ends = [slot.plain for _, slot in sorted(self.open.items())]
        return [(_beside(end.x - (left + right) / 2), _beside(end.y - (top + bottom) / 2)) for end in ends]

    def _whole(self) -> float:
        """How large a window must be to show all that lies and comes next."""
        least = sqrt(self._window[0] * self._window[1])  # dominoes get no larger than in a window so large
        return max(least, self.extent(*(slot.plain for slot in self.open.values())))

    def _mean_whole(self) -> float:
        """The same on the average while a few more come to either end."""
        later = self.snapshot()
        sizes = [later._whole()]
        for _ in range(SOON):
            for place in sorted(later.open):
                later.show([*later.tiles, LaidTile(0, place, 0, 0)])
            sizes.append(later._whole())
        return fmean(sizes)

    def _add(self, laid: LaidTile) -> None:
        tile = len(self.lies)
        lie = TilePlacement(0, 0, RIGHT) if laid.place == LEAD else self.slots[laid.place].plain
        row, down = self._lines.pop(laid.place, (RIGHT, 1))
        self.tiles.append(laid)
        self.lies.append(lie)
        for place in self._opens(tile, laid):
            if laid.place == LEAD and tile_and_side(place)[1] != ONWARD:
                self._lines[place] = LEFT, -1
            else:
                self._lines[place] = (reverse(row) if lie.way[1] else row), down
        for place in self._lines:  # how far a row may go depends on all that lies
            self.slots[place] = self._next(tile_and_side(place)[0], *self._lines[place])

    def _next(self, tile: int, row: Way, down: int) -> Slot:
        """What comes after ``tile``: on in its row, or at its edge the corner; after a corner the row back."""
        lie = self.lies[tile]
        at = lie.x, lie.y
        if lie.way[1]:  # beside the far half of a corner, half a cell further on: in the middle of the next row
            joint = step(at, (row, ACROSS / 2), ((0, down), PITCH / 2))
        else:
            joint = step(at, (row, LONG / 2))
            if not self._has_room(joint, row):
                corner = TilePlacement(*step(joint, (row, ACROSS / 2), ((0, down), PITCH / 2)), (0, down))
                return Slot(corner, corner, row, True, joint, joint)
        on = TilePlacement(*step(joint, (row, LONG / 2)), row)
        return Slot(on, on, row, False, joint, joint)

    def _has_room(self, end: Point, row: Way) -> bool:
        """Whether one more domino and a corner after it fit into the row that ends at ``end``."""
        left, _, right, _ = box_around(lie.box for lie in self.lies)
        x, _ = step(end, (row, LONG + ACROSS))
        return max(right, x) - min(left, x) <= self._width and abs(x - self._aside) <= self._width / 2 + LONG / 2


def _beside(far: float) -> float:
    return far if abs(far) > ACROSS else 0.0
