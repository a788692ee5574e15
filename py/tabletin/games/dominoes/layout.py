"""Where dominoes lie on the plane: the table's tree laid out one domino at a time, on a fine grid, for good.

Every open place reserves a slot from the moment it opens, large enough for a double and for any other domino. So nothing
overlaps, nothing that was laid moves, and the place that lights up is where the domino will lie. Arms run straight. They turn
where they would leave a square that grows with the table, or where something is in the way. It knows places and doubles,
never a face.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import atan2, degrees, hypot, sqrt
from typing import Final, NamedTuple, TypeAlias

from tabletin.games.dominoes.table import BACK, LEAD, LEFT, ONWARD, RIGHT, LaidTile, tile_and_side

Cell: TypeAlias = tuple[int, int]  # of the grid; also a point or a direction on it. A domino is 2 by 4 cells.
Opens: TypeAlias = Callable[[int, LaidTile], Mapping[int, int]]


class TilePlacement(NamedTuple):
    """Where a domino lies: its middle, and the direction from its inner half to its outer half."""

    x: int
    y: int
    way: Cell

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom."""
        across, down = (2, 1) if self.way[0] else (1, 2)
        return self.x - across, self.y - down, self.x + across, self.y + down

    def cells(self) -> list[Cell]:
        left, top, right, bottom = self.box
        return [(x, y) for x in range(left, right) for y in range(top, bottom)]


class Slot(NamedTuple):
    """What an open place keeps free: where a double would lie, where any other domino would.

    ``direction``: where the far long side of a double looks. ``bent``: the arm turns off. ``joint``: where the domino touches;
    ``start``: the end that it belongs to, ``apart`` from it only if there was no space left there.
    """

    double: TilePlacement
    plain: TilePlacement
    direction: Cell
    bent: bool
    start: Cell
    joint: Cell

    apart: bool = False

    @property
    def span(self) -> tuple[int, int]:
        """From ``start`` to ``joint``: how many cells, and the direction in degrees."""
        x, y = self.joint[0] - self.start[0], self.joint[1] - self.start[1]
        return max(1, round(hypot(x, y))), round(degrees(atan2(y, x)))

    def lie(self, *, double: bool) -> TilePlacement:
        return self.double if double else self.plain

    def cells(self) -> set[Cell]:
        return {*self.double.cells(), *self.plain.cells()}


def turned_left(way: Cell) -> Cell:
    """Anticlockwise, as the screen shows it (y runs down)."""
    return way[1], -way[0]


def turned_right(way: Cell) -> Cell:
    return -way[1], way[0]


def reverse(way: Cell) -> Cell:
    return -way[0], -way[1]


def step(at: Cell, *moves: tuple[Cell, int]) -> Cell:
    x, y = at
    for way, far in moves:
        x, y = x + way[0] * far, y + way[1] * far
    return x, y


def straight(end: Cell, way: Cell) -> Slot:
    """On from ``end`` in direction ``way``, a double crosswise."""
    return Slot(TilePlacement(*step(end, (way, 1)), turned_right(way)),
                TilePlacement(*step(end, (way, 2)), way), way, False, end, end)


def bend(end: Cell, way: Cell, to: Cell) -> Slot:
    """Turned off to ``to``, the inner half in front of ``end``."""
    lie = TilePlacement(*step(end, (way, 1), (to, 1)), to)
    return Slot(lie, lie, way, True, end, end)


def narrow(end: Cell, way: Cell, to: Cell) -> Slot:
    """On from ``end`` where there is no space for a double but off the middle."""
    return straight(end, way)._replace(double=bend(end, way, to).double)


def side_slot(end: Cell, way: Cell, to: Cell) -> Slot:
    """Turned off to ``to`` from the side of the last half."""
    return straight(step(end, (way, -1), (to, 1)), to)._replace(bent=True)


def _front(slot: Slot) -> Cell:
    """The left top cell of the two by two in front of ``slot``."""
    x, y = step((slot.plain.x, slot.plain.y), (slot.plain.way, 3))
    return x - 1, y - 1


SIDE_WAYS: Final = (ONWARD, BACK)
BEND: Final = 8.0  # what counts against a slot, in thirds of a cell beyond the square: a turn where arms branch
LINE_BEND: Final = 2.0  # … and where they do not
BESIDE: Final = 1.0
NEAR: Final = 0.9
CROWD: Final = 1.2
CUT: Final = 4.0
NO_BRANCH: Final = 30.0
CLOSED: Final = 60.0  # no way out from there
CLOSES: Final = 25.0  # for each end that it walls in
OUTSIDE: Final = 3.0
# Half a side of the square in cells, its growth with the root of the dominoes, and what is added to that once there are many:
# small, so that they look large; larger before ends are walled in.
SQUARE: Final = (3.0, 3.0, 0.0)
TALL_SQUARE: Final = (2.0, 2.5, 4.0)  # of a table that may grow higher than wide
WIDE_SQUARE: Final = (4.0, 2.5, 4.0)  # … wider than high
LINE_SQUARE: Final = (3.0, 2.6, 0.0)  # … where nothing branches, and nothing is walled in
MANY: Final = 23  # dominoes



class TableLayout:
    """The lies of the dominoes on one table. ``show`` the table again whenever it has changed."""

    def __init__(self, opens: Opens, *, branching: bool, wide: float = 1.0) -> None:
        """``opens``: the rules' own ``opened``. ``wide``: how much wider than high the table may grow."""
        self._opens = opens
        self._branching = branching
        self._stretch = sqrt(wide)
        shaped = WIDE_SQUARE if wide > 1 else TALL_SQUARE if wide < 1 else SQUARE
        self._square = shaped if branching else LINE_SQUARE
        self.tiles: list[LaidTile] = []
        self.lies: list[TilePlacement] = []
        self.slots: dict[int, Slot] = {}
        self._taken: set[Cell] = set()  # by dominoes
        self._reserved: dict[Cell, int] = {}  # by slots, for their places
        self._blocked: set[Cell] = set()  # where nothing two cells wide has its left top cell any more
        self._reach = (0, 0, 0, 0)  # all that lies, and a little more

    def show(self, laid: Sequence[LaidTile]) -> list[TilePlacement]:
        """Where the dominoes of ``tiles`` lie. A beginning of what was shown before costs nothing."""
        same = 0
        for one, other in zip(laid, self.tiles, strict=False):
            if one != other:
                break
            same += 1
        if same < len(self.tiles) and same < len(laid):
            self._forget(same)
        for one in laid[len(self.tiles):]:
            self._add(one)
        return self.lies[:len(laid)]

    def slot(self, place: int) -> Slot:
        """What the open place ``place`` keeps free."""
        return self.slots[place]

    def _forget(self, count: int) -> None:
        """Take everything after the first ``count`` dominoes away."""
        reserved = self.tiles[:count]
        self.tiles, self.lies, self.slots, self._taken, self._reserved = [], [], {}, set(), {}
        self._blocked, self._reach = set(), (0, 0, 0, 0)
        for one in reserved:
            self._add(one)

    def _add(self, laid: LaidTile) -> None:
        tile = len(self.lies)
        double = laid.inner == laid.outer
        slot = None if laid.place == LEAD else self.slots[laid.place]
        if slot is None:
            lie = TilePlacement(0, 0, (0, 1) if double else (1, 0))
        else:
            lie = slot.lie(double=double)
            for cell in slot.cells():
                self._reserved.pop(cell, None)
            self._unblock(slot.cells())
        self.tiles.append(laid)
        self.lies.append(lie)
        self._taken.update(lie.cells())
        self._block(lie.cells())
        for place in self._opens(tile, laid):
            end, way = self._end(tile_and_side(place)[1], lie, slot, double=double)
            self._keep(place, end, way, tile, double=double)

    def _end(self, side: int, lie: TilePlacement, slot: Slot | None, *, double: bool) -> tuple[Cell, Cell]:
        """The point at which ``side`` of a domino is open, and the way on from there."""
        at = lie.x, lie.y
        if not double:
            way = lie.way if side == ONWARD else reverse(lie.way)
            return step(at, (way, 2)), way
        onward = slot.direction if slot is not None else (1, 0)
        if slot is not None and slot.bent and not self._branching and lie.way != turned_right(onward):
            return step(at, (lie.way, 2)), lie.way  # a line turns with a double that lies off the middle
        if side in SIDE_WAYS:
            way = onward if side == ONWARD else reverse(onward)
            return step(at, (way, 1)), way
        way = turned_left(onward) if side == LEFT else turned_right(onward)
        return step(at, (way, 2)), way

    def _block(self, cells: Iterable[Cell]) -> None:
        left, top, right, bottom = self._reach
        for x, y in cells:
            self._blocked.update(((x, y), (x - 1, y), (x, y - 1), (x - 1, y - 1)))
            left, top, right, bottom = min(left, x - 2), min(top, y - 2), max(right, x + 1), max(bottom, y + 1)
        self._reach = left, top, right, bottom

    def _unblock(self, cells: Iterable[Cell]) -> None:
        for x, y in {(x - dx, y - dy) for x, y in cells for dx in (0, 1) for dy in (0, 1)}:
            if self._free(((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1))):
                self._blocked.discard((x, y))

    # ---- slots ----

    def _keep(self, place: int, end: Cell, way: Cell, tile: int, *, double: bool) -> None:
        """Find the best slot for what ``tile`` opens at ``end`` and keep it free from now on."""
        left, right = turned_left(way), turned_right(way)
        turn = BEND if self._branching else LINE_BEND
        ways = [(straight(end, way), 0.0), (bend(end, way, right), turn), (bend(end, way, left), turn + 0.1)]
        ways += [(narrow(end, way, right), 3 * turn), (narrow(end, way, left), 3 * turn + 0.1)]
        if not double:
            ways += [(side_slot(end, way, right), turn + BESIDE), (side_slot(end, way, left), turn + BESIDE + 0.1)]
        own = set(self.lies[tile].cells())
        if not self._branching:  # a line winds away from its lead, so that it is never in its own way
            away = self._away(place)
            ways = [(slot, cost) for slot, cost in ways if slot.plain.way[1] * away >= 0]
        rated = [(cost + self._cost(slot, cells, own), index, slot)
                 for index, (slot, cost) in enumerate(ways) if self._free(cells := slot.cells())]
        slot = min(rated)[2] if rated else self._elsewhere(end)
        self.slots[place] = slot
        for cell in slot.cells():
            self._reserved[cell] = place
        self._block(slot.cells())

    def _away(self, place: int) -> int:
        """Down (1) for everything that goes on from the front of the lead, up (-1) from its back."""
        tile, side = tile_and_side(place)
        while tile:
            tile, side = tile_and_side(self.tiles[tile].place)
        return 1 if side == ONWARD else -1

    def _free(self, cells: Iterable[Cell]) -> bool:
        taken, reserved = self._taken, self._reserved
        return not any(cell in taken or cell in reserved for cell in cells)

    def _cost(self, slot: Slot, cells: set[Cell], own: set[Cell]) -> float:
        """What speaks against ``slot``: it leaves the square, crowds or walls in what lies near, or has no way out."""
        least, growth, late = self._square
        count = len(self.lies) + (0 if self._branching else 4)
        square = least + growth * sqrt(count) + late * max(0.0, sqrt(count) - sqrt(MANY))
        way = slot.plain.way
        x, y = abs(slot.plain.x + way[0] * 3), abs(slot.plain.y + way[1] * 3)
        cost = OUTSIDE * (max(0.0, x - square * self._stretch) + max(0.0, y - square / self._stretch)) + 0.04 * (x + y)
        if not self._branching:
            cost += 0.5 * abs(slot.plain.y + way[1] * 2)
        ring = self._ring(slot)
        full = [cell in self._taken or cell in self._reserved for cell in ring]
        cost += NEAR * sum(there and cell not in own for there, cell in zip(full, ring, strict=True))
        if self._branching:
            cost += CROWD * self._crowd(slot) + NO_BRANCH * self._stunted(slot, cells)
        if not self._escapes(_front(slot), cells):
            cost += CLOSED
        gaps = sum(full[index - 1] and not full[index] for index in range(len(full)))
        if gaps > 1:
            cost += CUT * (gaps - 1)
            fronts = {_front(self.slots[place]) for place in {*self._reserved.values()}}
            cost += CLOSES * sum(self._escapes(front, set()) and not self._escapes(front, cells) for front in fronts)
        return cost

    def _crowd(self, slot: Slot) -> int:
        """How much lies where a double in ``slot`` would want to branch."""
        x, y = slot.double.x, slot.double.y
        return sum((x + dx, y + dy) in self._taken or (x + dx, y + dy) in self._reserved
                   for dx in range(-7, 7) for dy in range(-7, 7))

    def _stunted(self, slot: Slot, cells: set[Cell]) -> int:
        """How many sides of a double in ``slot`` would find no slot of their own."""
        count = 0
        for side in (ONWARD, LEFT, RIGHT):
            end, way = self._end(side, slot.double, slot, double=True)
            slots = straight(end, way), bend(end, way, turned_right(way)), bend(end, way, turned_left(way))
            count += not any(self._free(own := one.double.cells() + one.plain.cells())
                             and (self._escapes(_front(one), cells.union(own))) for one in slots)
        return count

    def _ring(self, slot: Slot) -> list[Cell]:
        """The cells around ``slot``, in order."""
        boxes = slot.double.box, slot.plain.box
        left, top = min(box[0] for box in boxes) - 1, min(box[1] for box in boxes) - 1
        right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
        return [*((x, top) for x in range(left, right)), *((right, y) for y in range(top, bottom)),
                *((x, bottom) for x in range(right, left, -1)), *((left, y) for y in range(bottom, top, -1))]

    def _escapes(self, at: Cell, cells: set[Cell]) -> bool:
        """Whether an arm, two cells wide, can get from ``at`` out of all that lies, with ``cells`` taken as well."""
        blocked = self._blocked
        own = {(x - dx, y - dy) for x, y in cells for dx in (0, 1) for dy in (0, 1)}
        left, top, right, bottom = self._reach
        seen, edge = {at}, [at]
        if at in blocked or at in own:
            return False
        for x, y in edge:
            if not (left < x < right and top < y < bottom):
                return True
            for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if cell not in seen and cell not in blocked and cell not in own:
                    seen.add(cell)
                    edge.append(cell)
        return False

    def _elsewhere(self, end: Cell) -> Slot:
        """The nearest slot with a view, where an end has been walled in."""
        far = 3
        while True:
            slots = []
            for joint in self._ring_about(end, far):
                for way in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                    slot = straight(joint, way)
                    cells = slot.cells()
                    if self._free(cells) and self._escapes(_front(slot), cells):
                        slots.append((self._cost(slot, cells, set()), joint, way, slot))
            if slots:
                return min(slots)[3]._replace(start=end, apart=True)
            far += 1

    def _ring_about(self, end: Cell, far: int) -> list[Cell]:
        x, y = end
        return [(x + dx, y + dy) for dx in range(-far, far + 1) for dy in range(-far, far + 1) if max(abs(dx), abs(dy)) == far]
