"""Where dominoes lie that branch off at doubles: the table's tree laid out one domino at a time, on a fine grid, for good.

Every open place reserves a slot, large enough for whatever can still go there: the double of its number lies crosswise, and
once it is laid no other will; where all dominoes of its number are laid, nothing comes any more and the slot is given back. So
nothing overlaps, nothing that was laid moves, and the place that lights up is where the domino will lie. A slot at the edge of
the table is chosen anew after each domino, as nothing lies there yet. Arms run straight. They turn where the table would
outgrow what the window shows of it, or where something is in the way: the less it grows, the larger dominoes look. They stay
apart from each other, so that it can be seen what joins what, and out of the way of what goes on elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from math import inf, sqrt
from typing import Final, NamedTuple

from tabletin.games.dominoes.layout import (
    Box,
    Opens,
    Point,
    Slot,
    TableLayout,
    TilePlacement,
    Way,
    box_around,
    reverse,
    step,
    turned_left,
    turned_right,
)
from tabletin.games.dominoes.table import BACK, LEAD, LEFT, ONWARD, RIGHT, LaidTile, tile_and_side


def straight(end: Point, way: Way) -> Slot:
    """On from ``end`` in direction ``way``, a double crosswise."""
    return Slot(TilePlacement(*step(end, (way, 1)), turned_right(way)),
                TilePlacement(*step(end, (way, 2)), way), way, False, end, end)


def bend(end: Point, way: Way, to: Way) -> Slot:
    """Turned off to ``to``, the inner half in front of ``end``."""
    lie = TilePlacement(*step(end, (way, 1), (to, 1)), to)
    return Slot(lie, lie, way, True, end, end)


def turning(end: Point, way: Way, to: Way) -> Slot:
    """Turned off to ``to`` like ``bend``, but a double lies crosswise where the arm comes to, in its middle."""
    return bend(end, way, to)._replace(double=straight(end, way).double)


def narrow(end: Point, way: Way, to: Way) -> Slot:
    """On from ``end`` where there is no space for a double but off the middle."""
    return straight(end, way)._replace(double=bend(end, way, to).double)


def side_slot(end: Point, way: Way, to: Way) -> Slot:
    """Turned off to ``to`` from the side of the last half."""
    return straight(step(end, (way, -1), (to, 1)), to)._replace(bent=True)


def _box(lies: Iterable[TilePlacement], slots: Iterable[Slot]) -> Box:
    """The box around ``lies`` and ``slots``."""
    return box_around([lie.box for lie in (*lies, *(lie for slot in slots for lie in (slot.double, slot.plain)))])


ROW: Final = 1 << 12  # cells are counted by rows of so many: as numbers they are found fastest
FAR: Final = ROW // 2  # columns to either side of the middle
NEXT: Final = (1, -1, ROW, -ROW)  # from a cell to those beside it
CORNERS: Final = (0, -1, -ROW, -ROW - 1)  # … to the left top cells of all two by two that it is in


def number_of(x: float, y: float) -> int:
    """The number of a cell; that of a step ``x`` to the right and ``y`` down is their difference."""
    return int(y * ROW + x)


def _whole(box: Box) -> tuple[int, int, int, int]:
    """The same box: on this grid all of them are whole."""
    left, top, right, bottom = box
    return int(left), int(top), int(right), int(bottom)


def _numbers(box: Box) -> list[int]:
    left, top, right, bottom = _whole(box)
    return [number_of(x, y) for y in range(top, bottom) for x in range(left, right)]


def numbers(slot: Slot) -> set[int]:
    """The numbers of all cells that ``slot`` keeps free."""
    form, middle = shape_of(slot)
    return {cell + middle for cell in form.cells}


class SlotShape(NamedTuple):
    """What there is about a slot, as numbers of cells from the middle of its plain domino: its ``cells``, their ``anchors`` (the
    left top cells of all two by two that have one of them), the edge of cells that are ``touching`` them, ``cells_beside`` that
    edge, ``cells_ahead``, where an arm goes on, the ``ring`` around it in order, and its ``front``, the left top cell of the two
    by two before it."""

    cells: tuple[int, ...]
    anchors: tuple[int, ...]
    touching: tuple[int, ...]
    cells_beside: tuple[int, ...]
    cells_ahead: tuple[int, ...]
    ring: tuple[int, ...]
    front: int


@cache
def shape(way: Way, double_x: int, double_y: int, double_way: Way) -> SlotShape:
    """The shape of a slot by the way of its plain domino, and where its double lies from the middle of that, in which way."""
    plain, double = TilePlacement(0, 0, way), TilePlacement(double_x, double_y, double_way)
    cells = {*_numbers(double.box), *_numbers(plain.box)}
    touching = _edge(cells)
    x, y = step((0, 0), (way, 2), (turned_right(way), ASIDE))
    far_x, far_y = step((0, 0), (way, 2 + AHEAD), (turned_left(way), ASIDE))
    ahead = _numbers((min(x, far_x), min(y, far_y), max(x, far_x), max(y, far_y)))
    left, top, right, bottom = _whole(box_around((double.box, plain.box)))
    left, top = left - 1, top - 1
    ring = [*((x, top) for x in range(left, right)), *((right, y) for y in range(top, bottom)),
            *((x, bottom) for x in range(right, left, -1)), *((left, y) for y in range(bottom, top, -1))]
    x, y = step((0, 0), (way, 3))
    return SlotShape(tuple(cells), tuple(_anchors(cells)), tuple(touching), tuple(_edge(cells | touching)), tuple(ahead),
                 tuple(number_of(*cell) for cell in ring), number_of(x - 1, y - 1))


def shape_of(slot: Slot) -> tuple[SlotShape, int]:
    """The shape of ``slot``, and the number of its middle."""
    (double_x, double_y, double_way), (x, y, way) = slot.double, slot.plain
    return shape(way, double_x - x, double_y - y, double_way), number_of(x, y)


def _edge(cells: set[int]) -> set[int]:
    """What lies around ``cells``, corners too."""
    return {cell + down + across for cell in cells for down in (-ROW, 0, ROW) for across in (-1, 0, 1)} - cells


def _anchors(cells: Iterable[int]) -> set[int]:
    return {cell + to for cell in cells for to in CORNERS}


SIDE_WAYS: Final = (ONWARD, BACK)
BEND: Final = 10.0  # what counts against a slot, beside what the table grows by: a turn
AT_DOUBLE: Final = 40.0  # … right at a double, beside which it would lie across like another one
ZIGZAG: Final = 32.0
BESIDE: Final = 1.0
OFF_MIDDLE: Final = 7.0  # … where a double would not lie in the middle of its arm
TOUCHED: Final = 120.0  # for each domino of another arm that it touches
TOUCHES: Final = 8.0  # … for each cell of that
TOUCHED_SLOT: Final = 2.0  # … for each cell of a slot of another arm
BY: Final = 80.0  # for each domino of another arm from which it is less than a domino's width apart
BESIDES: Final = 1.0  # … for each cell of that
BY_SLOT: Final = 0.3
AHEAD: Final = 6  # cells in front of a slot that are better left free, for an arm to go on
ASIDE: Final = 4  # … and to either side of its middle
IN_THE_WAY: Final = 3.4  # for each of them that is not
CROWD: Final = 2.2  # for each cell that is not free …
CROWDED: Final = 6  # … so near to the middle of a slot
AROUND: Final = tuple(_numbers((-CROWDED, -CROWDED, CROWDED, CROWDED)))
CUT: Final = 4.0
NO_BRANCH: Final = 30.0
CLOSED: Final = 60.0  # no way out from there
CLOSES: Final = 25.0  # for each end that it walls in
OUTGROWN: Final = 9.0  # for each cell that has to be shown more: the larger, the larger dominoes look, and the more arms turn …
STRAIGHT: Final = 0.9  # for each number of the set: cells of a square table that may be shown from the first, so that arms run on
RUN_ON: Final = 1.25  # … as many times the window's side with dominoes as large as they get
SMALL: Final = 3.0  # … from which each cell more counts twice: dots can hardly be counted then
TIGHT: Final = 14.0  # … of a table that hardly grows on
APART: Final = 0.25  # how much smaller all dominoes may look for one less that lies away from its end …
TOUCHING: Final = 0.04  # … and for one less that touches one of another arm
SEEN: Final = 5  # cells from the middle of a domino that are to lie within what is seen, too


class BranchingLayout(TableLayout):
    """The lies of the dominoes of a branching table."""

    def __init__(self, opens: Opens, window: Point = (20.0, 20.0), *, alike: int = 0, onward: Way = (1, 0),
                 per_cell: float = OUTGROWN) -> None:
        """``alike``: on how many dominoes each number stands; 0 where that does not count. ``onward``: from the front of the
        lead. ``per_cell``: what counts against each cell that has to be shown more."""
        side = sqrt(window[0] * window[1])
        self._least, self._small = max(STRAIGHT * alike, RUN_ON * side), SMALL * side
        self._alike = alike
        self._onward = onward
        self._per_cell = per_cell
        super().__init__(opens, window)

    def _start(self) -> None:
        super()._start()
        self._numbers: dict[int, int] = {}  # that the places of the newest table show on which something may still come
        self._laid: Counter[int] = Counter()  # on how many dominoes of the table each number stands
        self._doubled: set[int] = set()  # numbers whose double is laid
        self._taken: dict[int, int] = {}  # cells by dominoes
        self._reserved: dict[int, int] = {}  # … by slots, for their places
        self._full: set[int] = set()  # both
        self._ahead: dict[int, set[int]] = {}  # of the slots: where arms go on from there
        self._ends: dict[int, tuple[Point, Way, bool]] = {}  # of the open places: end, way, and whether it is of a double
        self._blocked: set[int] = set()  # where nothing two cells wide has its left top cell any more
        self._reach: Box = (0, 0, 0, 0)  # all that lies, and a little more
        self._outline: Box = (0, 0, 0, 0)  # all that lies and all slots, while one is looked for

    def _open_slots(self) -> dict[int, Slot]:
        return {place: self.slots[place] for place in self._numbers}

    def unclarity(self) -> float:
        """How small dominoes look, and how often it is not plain what joins what: to choose between two layouts of one table."""
        apart, touching = self._doubts()
        return self.extent() * (1 + APART) ** apart * (1 + TOUCHING) ** touching

    @property
    def is_clear(self) -> bool:
        """Whether it is plain everywhere what joins what."""
        return self._doubts() == (0, 0)

    def _doubts(self) -> tuple[int, int]:
        """How many dominoes lie away from their ends, and how many pairs touch though they are of different arms."""
        apart = sum(self.slots[laid.place].apart for laid in self.tiles if laid.place != LEAD)
        return apart, sum(len(self._strangers(tile)) for tile in range(len(self.tiles))) // 2

    def _strangers(self, tile: int) -> set[int]:
        """The dominoes that ``tile`` touches, though they are of another arm."""
        below = tile_and_side(self.tiles[tile].place)[0] if tile else 0
        near = {self._taken[cell] for cell in _edge({*_numbers(self.lies[tile].box)}) if cell in self._taken}
        return {one for one in near - self._kin(tile) - self._kin(below) if tile not in self._kin(one)}

    def _add(self, laid: LaidTile) -> None:
        tile = len(self.lies)
        double = laid.inner == laid.outer
        slot = None if laid.place == LEAD else self.slots[laid.place]
        if slot is None:
            lie = TilePlacement(0, 0, turned_right(self._onward) if double else self._onward)
        else:
            lie = slot.lie(double=double)
            if double and slot.double != slot.plain:  # crosswise: the arm turns only where a double lies across the new way
                slot = self.slots[laid.place] = slot._replace(bent=slot.bent and slot.plain.way == slot.direction)
            self._numbers.pop(laid.place)
            del self._ends[laid.place]
            self._give_back(numbers(slot))
        self.tiles.append(laid)
        self.lies.append(lie)
        cells = _numbers(lie.box)
        self._taken.update(dict.fromkeys(cells, tile))
        self._full.update(cells)
        self._block(cells, lie.box)
        if self._alike:
            self._count(laid)
        for place, number in self._opens(tile, laid).items():
            if not self._is_used_up(number):
                end, way = self._end(tile_and_side(place)[1], lie, slot, double=double)
                self._keep(place, number, end, way, tile, double=double)
        self._choose_anew()

    def _choose_anew(self) -> None:
        """Slots that were walled in, or that reach beyond all that lies: there may be better ones by now."""
        left, top, right, bottom = box_around(lie.box for lie in self.lies)
        for place in [*self._numbers]:
            slot = self.slots[place]
            x, y, to_x, to_y = box_around((slot.double.box, slot.plain.box))
            reaches_out = x < left or y < top or to_x > right or to_y > bottom
            if slot.apart or reaches_out:
                end, way, double = self._ends[place]
                self._give_back(numbers(slot))
                self._keep(place, self._numbers.pop(place), end, way, tile_and_side(place)[0], double=double)

    # ---- what can still come ----

    def _count(self, laid: LaidTile) -> None:
        """Slots of the numbers on ``laid`` keep free what can still come, and no more."""
        if laid.inner == laid.outer:
            self._doubled.add(laid.inner)
        for number in {laid.inner, laid.outer}:
            self._laid[number] += 1
            for place in [place for place, open_ in self._numbers.items() if open_ == number]:
                slot = self.slots[place]
                if self._is_used_up(number):
                    del self._numbers[place]
                    del self._ends[place]
                    self._give_back(numbers(slot))
                elif number in self._doubled:
                    self.slots[place] = slot.without_double()
                    self._give_back(numbers(slot) - {*_numbers(slot.plain.box)})

    def _is_used_up(self, number: int) -> bool:
        """Whether every domino with ``number`` is laid."""
        return 0 < self._alike <= self._laid[number]

    def _give_back(self, cells: set[int]) -> None:
        for cell in cells:
            if self._reserved.pop(cell, None) is not None:
                self._full.discard(cell)
        self._unblock(cells)

    def _end(self, side: int, lie: TilePlacement, slot: Slot | None, *, double: bool) -> tuple[Point, Way]:
        """The point at which ``side`` of a domino is open, and the way on from there."""
        at = lie.x, lie.y
        if not double:
            way = lie.way if side == ONWARD else reverse(lie.way)
            return step(at, (way, 2)), way
        onward = slot.direction if slot is not None else self._onward
        if side in SIDE_WAYS:
            way = onward if side == ONWARD else reverse(onward)
            return step(at, (way, 1)), way
        way = turned_left(onward) if side == LEFT else turned_right(onward)
        return step(at, (way, 2)), way

    def _block(self, cells: Iterable[int], box: Box) -> None:
        self._blocked.update(cell + to for cell in cells for to in CORNERS)
        x, y, to_x, to_y = box
        left, top, right, bottom = self._reach
        self._reach = min(left, x - 2), min(top, y - 2), max(right, to_x), max(bottom, to_y)

    def _unblock(self, cells: Iterable[int]) -> None:
        full, blocked = self._full, self._blocked
        for cell in _anchors(cells):
            if not (cell in full or cell + 1 in full or cell + ROW in full or cell + ROW + 1 in full):
                blocked.discard(cell)

    # ---- slots ----

    def _keep(self, place: int, number: int, end: Point, way: Way, tile: int, *, double: bool) -> None:
        """Find the best slot for what ``tile`` opens at ``end``, showing ``number``, and keep it free from now on."""
        left, right = turned_left(way), turned_right(way)
        turn = AT_DOUBLE if double else BEND
        if tile and self.slots[self.tiles[tile].place].bent:
            turn += ZIGZAG
        is_doubled = number in self._doubled
        off = 0.0 if is_doubled else OFF_MIDDLE
        ways = [(straight(end, way), 0.0), (bend(end, way, right), turn + off), (bend(end, way, left), turn + off + 0.1)]
        if not is_doubled:
            ways += [(turning(end, way, right), turn), (turning(end, way, left), turn + 0.1),
                     (narrow(end, way, right), 3 * turn), (narrow(end, way, left), 3 * turn + 0.1)]
        if not double:
            ways += [(side_slot(end, way, right), turn + BESIDE), (side_slot(end, way, left), turn + BESIDE + 0.1)]
        if is_doubled:
            ways = [(slot.without_double(), cost) for slot, cost in ways]
        slot, least = None, inf
        self._outline = _box(self.lies, (self.slots[place] for place in self._numbers))
        for one, cost in ways:
            if self._full.isdisjoint(cells := numbers(one)):
                cost = self._cost(one, cells, tile, is_doubled=is_doubled, already=cost, most=least)
                if cost < least:
                    slot, least = one, cost
        slot = slot or self._elsewhere(end, is_doubled=is_doubled)
        self.slots[place] = slot
        self._ends[place] = end, way, double
        self._numbers[place] = number
        form, middle = shape_of(slot)
        self._ahead[place] = {cell + middle for cell in form.cells_ahead}
        cells = numbers(slot)
        self._reserved.update(dict.fromkeys(cells, place))
        self._full.update(cells)
        self._block(cells, box_around((slot.double.box, slot.plain.box)))

    def _cost(self, slot: Slot, cells: set[int], tile: int | None, *, is_doubled: bool, already: float = 0.0,
              most: float = inf) -> float:
        """What speaks against ``slot``, ``already`` included. Of one with more than ``most`` not all is counted."""
        cost = already
        for one in self._costs(slot, cells, tile, is_doubled=is_doubled):
            cost += one
            if cost >= most:
                break
        return cost

    def _costs(self, slot: Slot, cells: set[int], tile: int | None, *, is_doubled: bool) -> Iterator[float]:
        """It makes the table grow, crowds or walls in what lies near, or has no way out. What is soon counted comes first."""
        yield self._per_cell * self._outgrown(slot) + 0.04 * (abs(slot.plain.x) + abs(slot.plain.y))
        kin, (form, middle) = self._kin(tile), shape_of(slot)
        yield self._closeness(form, middle, kin)
        yield IN_THE_WAY * self._obstruction(form, middle, cells, tile, kin)
        own = {cell + middle for cell in form.anchors}
        if not self._escapes(form.front + middle, own):
            yield CLOSED
        full = [cell + middle in self._full for cell in form.ring]
        gaps = sum(full[index - 1] and not full[index] for index in range(len(full)))
        if gaps > 1:
            yield CUT * (gaps - 1)
            yield CLOSES * sum(self._escapes(front, set()) and not self._escapes(front, own) for front in self._fronts())
        if not is_doubled:
            yield CROWD * self._crowd(slot)
            yield NO_BRANCH * self._stunted(slot, own)

    def _fronts(self) -> set[int]:
        """Where arms go on from the slots that there are."""
        found = set()
        for place in self._numbers:
            form, middle = shape_of(self.slots[place])
            found.add(form.front + middle)
        return found

    def _closeness(self, form: SlotShape, middle: int, kin: set[int]) -> float:
        """What speaks against a slot because dominoes of other arms lie near, or are to lie there."""
        full, taken, reserved, cost = self._full, self._taken, self._reserved, 0.0
        for edge, tile_cost, cell_cost, slot_cost in ((form.touching, TOUCHED, TOUCHES, TOUCHED_SLOT),
                                                      (form.cells_beside, BY, BESIDES, BY_SLOT)):
            cells = [cell + middle for cell in edge if cell + middle in full]
            near = [taken[cell] for cell in cells if cell in taken and taken[cell] not in kin]
            slots = sum(cell in reserved and tile_and_side(reserved[cell])[0] not in kin for cell in cells)
            cost += tile_cost * len(set(near)) + cell_cost * len(near) + slot_cost * slots
        return cost

    def _obstruction(self, form: SlotShape, middle: int, cells: set[int], tile: int | None, kin: set[int]) -> int:
        """How many cells are in the way of an arm: of the one that goes on ahead of a slot, or by its ``cells`` of another."""
        full, taken = self._full, self._taken
        ahead = [cell + middle for cell in form.cells_ahead if cell + middle in full]
        own = sum(taken[cell] not in kin if cell in taken else True for cell in ahead)
        others = sum(len(self._ahead[place] & cells) for place in self._numbers if tile_and_side(place)[0] != tile)
        return own + others

    def _kin(self, tile: int | None) -> set[int]:
        """``tile``, what it lies on, and what else lies on it: they cannot but be near."""
        if tile is None:
            return set()
        return {tile, tile_and_side(self.tiles[tile].place)[0],
                *(other for other, laid in enumerate(self.tiles) if tile_and_side(laid.place)[0] == tile)}

    def _outgrown(self, slot: Slot) -> float:
        """By how many cells more of the window's shape would have to be seen with ``slot``: what makes everything smaller."""
        left, top, right, bottom = self._outline
        now = max((right - left) / self._wide, (bottom - top) / self._high, self._least)
        x, y = step((slot.plain.x, slot.plain.y), (slot.plain.way, SEEN))
        left, top, right, bottom = box_around(((left, top, right, bottom), slot.double.box, slot.plain.box, (x, y, x, y)))
        sides, small = ((right - left) / self._wide, (bottom - top) / self._high), max(now, self._small)
        return sum(max(0.0, side - now) + max(0.0, side - small) for side in sides)

    def _crowd(self, slot: Slot) -> int:
        """How much lies where a double in ``slot`` would want to branch."""
        full, middle = self._full, number_of(slot.double.x, slot.double.y)
        return sum([cell + middle in full for cell in AROUND])

    def _stunted(self, slot: Slot, own: set[int]) -> int:
        """How many sides of a double in ``slot`` would find no slot of their own. ``own``: the anchors of ``slot``."""
        count = 0
        for side in (ONWARD, LEFT, RIGHT):
            end, way = self._end(side, slot.double, slot, double=True)
            slots = straight(end, way), bend(end, way, turned_right(way)), bend(end, way, turned_left(way))
            count += not any(self._has_way_out(one, own) for one in slots)
        return count

    def _has_way_out(self, slot: Slot, own: set[int]) -> bool:
        """Whether ``slot`` is free, and an arm gets out from there, with the anchors ``own`` taken as well."""
        form, middle = shape_of(slot)
        full = self._full
        if any(cell + middle in full for cell in form.cells):
            return False
        return self._escapes(form.front + middle, own.union([cell + middle for cell in form.anchors]))

    def _escapes(self, at: int, own: set[int]) -> bool:
        """Whether an arm, two cells wide, can get from ``at`` out of all that lies, with the anchors ``own`` taken as well. It
        looks on the nearest side first."""
        blocked = self._blocked
        if at in blocked or at in own:
            return False
        left, top, right, bottom = self._reach
        x, y = (at + FAR) % ROW - FAR, (at + FAR) // ROW
        nearest = sorted(zip((right - x, x - left, bottom - y, y - top), NEXT, strict=True), reverse=True)
        ways = [way for _, way in nearest]
        top_row, bottom_row = (top + 1) * ROW - FAR, bottom * ROW - FAR  # the numbers of the rows that are within
        seen, open_ = {at}, [at]
        while open_:
            at = open_.pop()
            if not (top_row <= at < bottom_row and left < (at + FAR) % ROW - FAR < right):
                return True
            for way in ways:
                cell = at + way
                if cell not in seen and cell not in blocked and cell not in own:
                    seen.add(cell)
                    open_.append(cell)
        return False

    def _elsewhere(self, end: Point, *, is_doubled: bool) -> Slot:
        """The nearest slot with a view, where an end has been walled in."""
        far = 3
        while True:
            slots = []
            for joint in self._ring_about(end, far):
                for way in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                    slot = straight(joint, way).without_double() if is_doubled else straight(joint, way)
                    if self._has_way_out(slot, set()):
                        slots.append((self._cost(slot, numbers(slot), None, is_doubled=is_doubled), joint, way, slot))
            if slots:
                return min(slots)[3]._replace(start=end, apart=True)
            far += 1

    def _ring_about(self, end: Point, far: int) -> list[Point]:
        x, y = end
        return [(x + dx, y + dy) for dx in range(-far, far + 1) for dy in range(-far, far + 1) if max(abs(dx), abs(dy)) == far]
