"""The line of a game without branches, as it lies on the plane: rows that run there and back, from one edge to the other.

The lead lies in the middle of the first row. From its front the line goes to the right and winds down, from its back to the left
and winds up. At an edge one upright domino leads over to the next row, so every corner looks the same. Rows are as long as
dominoes look largest in the window with as many as lie half through a round; once they look clearly larger in longer rows, all
is laid out anew. A double lies along the line like any other: it does not branch, and its far half is the open one (DO-6).
"""

from __future__ import annotations

from math import sqrt
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
        super().__init__(opens, window)

    def _start(self) -> None:
        super()._start()
        self._lines: dict[int, tuple[Way, int]] = {}  # of the open places: which way their row runs, and 1 where they wind down

    def _open_slots(self) -> dict[int, Slot]:
        return {place: self.slots[place] for place in self._lines}

    def improve(self) -> bool:
        """Lay all out anew in longer rows, where dominoes look much larger in them."""
        width = row_width(self._window, len(self.tiles) + AHEAD)
        if width <= self._width or self._shown < len(self.tiles):
            return False
        longer = LineLayout(self._opens, self._window)
        longer._width = width
        longer.show(self.tiles)
        if self._whole() < LARGER * longer._whole():
            return False
        vars(self).update(vars(longer))
        return True

    def _whole(self) -> float:
        """How large a window must be to show all that lies and comes next."""
        least = sqrt(self._window[0] * self._window[1])  # dominoes get no larger than in a window so large
        return max(least, self.extent(*(slot.plain for slot in self.open.values())))

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
        return max(right, x) - min(left, x) <= self._width and abs(x) <= self._width / 2 + LONG / 2
