"""Where dominoes lie that branch off at doubles: the table's tree on a fine grid, arms apart from each other.

Every open place keeps a slot free, large enough for whatever can still go there: the double of its number lies crosswise, and
once it is laid no other will; where all dominoes of its number are laid, nothing comes any more. Between dominoes that do not
join, and between slots, half a domino's width stays free. What was laid stays where it is as long as every open place finds a
slot; slots are chosen anew after each domino, as nothing lies there yet. Where a place finds none, what lies around it is laid
out anew, no more of it than helps; and all of it where dominoes get much larger by that. Only where nothing helps a place goes on
elsewhere.

All of this is one search: it gives one place after another its domino, or its slot, keeps the few best tables on the way, and
begins again, with the place first for which there was no room, and what leads to it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from math import inf, sqrt
from typing import Final, NamedTuple, TypeAlias

from tabletin.games.dominoes.layout import (
    Box,
    Opens,
    Point,
    Slot,
    TableLayout,
    TilePlacement,
    Way,
    box_around,
    turned_right,
)
from tabletin.games.dominoes.layout_placements import (
    ALONG,
    FARTHEST,
    GAP,
    LONG_SIDE,
    SHORT_SIDE,
    EndPlacement,
    TileLie,
    bits_in,
    number_of,
    placements,
    taken_by,
)
from tabletin.games.dominoes.table import BACK, LEAD, ONWARD, LaidTile, tile_and_side

WIDTH: Final = 2  # tables that a search goes on with, …
WIDE: Final = 4  # … and every other time where there may be hardly any room
OUTGROWN: Final = 9.0  # what counts against a table: for each cell of the window's shape that it outgrows what it may take
GROWN: Final = 1.5  # … for each cell that it grows within that
BEND: Final = 6.0  # … for each turn of an arm, half of it where nothing lies yet
ZIGZAG: Final = 12.0  # … for one right after another
OFF_MIDDLE: Final = 10.0  # … for a double that does not lie in the middle of its arm
CLOSE: Final = 0.4  # … for each cell near a domino that is not free
IN_THE_WAY: Final = 1.0  # … for each cell that is in the way of an arm, …
FOLLOWING: Final = 0.15  # … and as many times more for each domino and slot to come there, …
MANY: Final = 12  # … up to so many
CROWD: Final = 0.5  # … for each cell where a double would branch
TILE_CELLS, SLOT_CELLS = 8, 12
ROOM: Final = 1.4  # the side of a square table may be so many times the root of what lies on it, …
TO_COME: Final = 8  # dominoes for which a table leaves room besides, …
USUAL: Final = 34  # … up to so many, …
RUN_ON: Final = 0.9  # … and so many times that of the window with dominoes as large as they get
BLAMED: Final = 1.5  # places earlier in line for one that had no room, …
INHERITED: Final = 0.9  # … and so many times that for each domino on the way to it
TRIES: Final = 8  # searches in a row
REACHES: Final = (1, 2, 3, 4, 6, 9)  # dominoes back from a place without room, and as far around, that are laid out anew
Variant: TypeAlias = tuple[Way, float]  # the way on from the lead, and times the side that a whole table may have
TIGHT: Final[Sequence[Variant]] = tuple((way, times) for times in (1.0, 0.8, 1.25, 1.6) for way in ((1, 0), (0, 1)))
ROOMY: Final[Sequence[Variant]] = tuple((way, times) for times in (1.6, 2.0, 1.25) for way in ((1, 0), (0, 1)))
FRESH_ROOM: Final = 1.2  # the same as ``ROOM``, for a whole table
FRESH_TRIES: Final = 12
MARGIN: Final = 20  # cells at the edge of the grid that stay free
AT_ONCE: Final = 1500  # lies tried for one domino before it is shown: so few that a tap is answered at once
ARRANGING: Final = 6000  # … for a whole table
END: Final = object()
ABOUT_TO_MOVE: Final = object()  # what a search does next moves what lies
REST: Final = 4  # dominoes after which some may move again without need
FEW: Final = 6  # dominoes: with more of them, the whole table may be laid out anew to make them larger …
SETTLED: Final = 20  # … and with more than this it may not, unless they are CRAMPED
LARGER: Final = 1.4  # how many times larger they must become by that …
LEGIBLE: Final = 1.25  # … or how many times where they are SMALL
SMALL: Final = 1.8  # how many times smaller than the largest size small dominoes are …
CRAMPED: Final = 3.0  # … and cramped ones

SlotPoint: TypeAlias = tuple[EndPlacement, Point]


class BranchTree(NamedTuple):
    """What is known of the dominoes on a table: which lies on each place, the numbers of the ``open`` places on which something
    may still come, numbers whose double is laid, and how much there is from each domino on."""

    tiles: Sequence[LaidTile]
    children: Mapping[int, int]
    open: Mapping[int, int]
    doubles: Collection[int]
    places: Sequence[Sequence[int]]
    weights: Sequence[int]

    @classmethod
    def read(cls, tiles: Sequence[LaidTile], opens: Opens, alike: int) -> BranchTree:
        """``alike``: on how many dominoes each number stands; 0 where that is not known."""
        count = Counter(number for laid in tiles for number in {laid.inner, laid.outer})
        on, open_, places = {laid.place: tile for tile, laid in enumerate(tiles)}, {}, []
        for tile, laid in enumerate(tiles):
            new = opens(tile, laid)
            free = {place: number for place, number in new.items() if place not in on and not 0 < alike <= count[number]}
            open_.update(free)
            places.append([place for place in new if place in on or place in free])
        weights = [1 + sum(place in open_ for place in here) for here in places]
        for tile in range(len(tiles) - 1, 0, -1):
            weights[tile_and_side(tiles[tile].place)[0]] += weights[tile]
        doubles = {laid.inner for laid in tiles if laid.inner == laid.outer}
        return cls(tiles, on, open_, doubles, places, weights)

    @property
    def cells(self) -> int:
        return TILE_CELLS * len(self.tiles) + SLOT_CELLS * len(self.open)

    @property
    def cells_soon(self) -> int:
        """The same with the next dominoes: while few lie they are large, and later they stay where they are."""
        return self.cells + TILE_CELLS * min(TO_COME, max(0, len(self.tiles) - FEW), max(0, USUAL - len(self.tiles)))

    def placements(self, place: int, way: Way) -> tuple[EndPlacement, ...]:
        """The ways in which ``place`` can be taken, at an end that looks in the direction ``way``."""
        tile, side = tile_and_side(place)
        laid, child = self.tiles[tile], self.children.get(place)
        end = ALONG if laid.inner != laid.outer else LONG_SIDE if side in (ONWARD, BACK) else SHORT_SIDE
        if child is not None:
            double = self.is_double(child)
            return placements(way, end, double=double, plain=not double)
        return placements(way, end, double=self.open[place] not in self.doubles, plain=True)

    def is_double(self, tile: int) -> bool:
        return self.tiles[tile].inner == self.tiles[tile].outer

    def ways_to(self, place: int) -> list[int]:
        """The dominoes from the one that ``place`` belongs to down to the lead, without it."""
        found = []
        while (tile := tile_and_side(place)[0]) > 0:
            found.append(tile)
            place = self.tiles[tile].place
        return found

    def and_all_on(self, tiles: Collection[int]) -> set[int]:
        """``tiles``, and what lies on them."""
        found = set(tiles)
        for tile in range(1, len(self.tiles)):
            if tile_and_side(self.tiles[tile].place)[0] in found:
                found.add(tile)
        return found

    def order(self, wanted: Collection[int], earlier: Mapping[int, float]) -> list[int]:
        """The open places and those of the ``wanted`` dominoes, from the lead outwards, where much comes first, and each as many
        places ``earlier`` in line."""
        found: list[int] = []
        line: list[tuple[float, int, int, int]] = []

        def push(tile: int, depth: int) -> None:
            for place in self.places[tile]:
                weight = self.weights[self.children[place]] if place in self.children else 0
                heappush(line, (depth - earlier.get(place, 0), -weight, place, depth))

        push(0, 1)
        while line:
            *_, place, depth = heappop(line)
            child = self.children.get(place)
            if child is None or child in wanted:
                found.append(place)
            if child is not None:
                push(child, depth + 1)
        return found


class TablePlan(NamedTuple):
    """A table on the way: what counts against it, its cells that are taken, the box around them, where its dominoes lie, and the
    slots that were found."""

    cost: float
    full: int
    box: Box
    tile_lies: dict[int, TileLie]
    slots: dict[int, SlotPoint]


class BranchingLayout(TableLayout):
    """The lies of the dominoes of a branching table."""

    def __init__(self, opens: Opens, window: Point = (20.0, 20.0), *, alike: int = 0, onward: Way = (1, 0)) -> None:
        """``alike``: on how many dominoes each number stands; 0 where that is not known. ``onward``: from the front of the
        lead."""
        self._side = sqrt(window[0] * window[1])
        self._alike = alike
        self._onward = onward
        super().__init__(opens, window)

    def _start(self) -> None:
        super()._start()
        self._tile_lies: list[TileLie] = []
        self._tree = BranchTree.read((), self._opens, self._alike)
        self._blame: dict[Variant, dict[int, float]] = {way: defaultdict(float) for way in (*TIGHT, *ROOMY)}  # of places, so far
        self._moved_at = 0  # how many dominoes lay when some moved last
        self._spent = 0  # lies tried since a domino was added, or looking went on
        self._search: Iterator[object] = iter(())  # for a slot of every place
        self._growth: Iterator[object] = iter(())  # for larger dominoes

    def _open_slots(self) -> dict[int, Slot]:
        return {place: self.slots[place] for place in self._tree.open}

    def _add(self, laid: LaidTile) -> None:
        double = laid.inner == laid.outer
        self.tiles.append(laid)
        if laid.place == LEAD:
            self._tile_lies.append(self._lead(self._onward, double=double))
        else:
            slot = self.slots[laid.place]
            if double:
                slot = self.slots[laid.place] = slot._replace(bent=False)
            self._tile_lies.append(TileLie(slot.lie(double=double), slot.direction, double, slot.bent))
        self.lies.append(self._tile_lies[-1].lie)
        self._tree = BranchTree.read(self.tiles, self._opens, self._alike)
        self._search, self._growth, self._spent = self._look(), self._look_for_larger(), 0
        self._go_on(self._search, until=ABOUT_TO_MOVE)  # that is left to ``improve``
        for place in self._tree.open.keys() - self.slots.keys():
            self.slots[place] = self._elsewhere(place)

    def _lead(self, onward: Way, *, double: bool) -> TileLie:
        return TileLie(TilePlacement(0, 0, turned_right(onward) if double else onward), onward, double, False)

    def improve(self) -> bool:
        """Go on looking for room, or for larger dominoes, as long as a tap may take; whether any moved."""
        if not self.tiles or self._shown < len(self.tiles):
            return False
        before = self.lies
        if self._go_on(self._search):
            self._go_on(self._growth)
        self._spent = 0
        self._open_after[-1] = self.open = self._open_slots()
        return before != self.lies

    def arrange(self, tiles: Sequence[LaidTile]) -> None:
        """Lay out all of ``tiles`` at once, on an empty table."""
        tree = BranchTree.read(tiles, self._opens, self._alike)
        found: list[TablePlan] = []
        for onward, times in TIGHT:
            found += [table for table in self._fresh(tree, onward, times) if table is not None]
            if found and self._spent > ARRANGING:
                break
        if found:
            self.tiles, self._tree = list(tiles), tree
            self._lay(min(found, key=self._outgrowth))
            self._open_after = [*[None] * (len(tiles) - 1), self._open_slots()]
        self.show(tiles)

    def _go_on(self, search: Iterator[object], *, until: object = END) -> bool:
        """Go on with ``search`` for a while, no further than ``until``; whether it has come to its end."""
        while self._spent < AT_ONCE:
            found = next(search, END)
            if found is END or found is until:
                return found is END
        return False

    # ---- what was shown before ----

    def _open_at(self, count: int) -> dict[int, Slot]:
        found = self._open_after[count - 1]
        if found is None:  # dominoes have moved since
            tiles = self.tiles[:count]
            tree = BranchTree.read(tiles, self._opens, self._alike)
            laid_later = {place: self.slots[place] for place in tree.open if place in self._tree.children}
            begun = self._begun(tree, range(count), laid_later.values())
            table = self._run(tree, begun, [place for place in tree.open if place not in laid_later], self._target(tree))
            others = {} if isinstance(table, int) else {
                place: placement.slot(end) for place, (placement, end) in table.slots.items()}
            found = {place: laid_later.get(place) or others.get(place) or self._elsewhere(place) for place in tree.open}
            self._open_after[count - 1] = found
        return found

    def _forget(self, count: int) -> None:
        if not count:
            self._start()
            return
        open_ = self._open_at(count)
        del self.tiles[count:], self.lies[count:], self._tile_lies[count:], self._open_after[count:]
        self._tree = BranchTree.read(self.tiles, self._opens, self._alike)
        self.slots = {place: slot for place, slot in self.slots.items() if place in self._tree.children} | open_
        self._search = self._growth = iter(())

    # ---- looking for room ----

    def _look(self) -> Iterator[object]:
        """Find slots for all open places; where one has none, or a domino lies away from its end, lay out anew what is around."""
        tree = self._tree
        stuck = yield from self._fit(tree, frozenset())
        apart = [laid.place for laid in self.tiles[1:] if self.slots[laid.place].apart]
        if stuck is None and not apart:
            return
        yield ABOUT_TO_MOVE
        if apart and len(self.tiles) % 2 and (yield from self._start_anew(ROOMY)):  # in turn, as nothing helped so far
            return
        stuck = apart[0] if stuck is None else stuck
        way = tree.ways_to(stuck)
        for reach in sorted({min(reach, len(way)) for reach in REACHES} - {0}):
            if (yield from self._fit(tree, self._around(tree, stuck, way[:reach]))) is None:
                return
        yield from self._start_anew(ROOMY)

    def _look_for_larger(self) -> Iterator[None]:
        """Lay all out anew if dominoes get much larger so."""
        grown = self._outgrown_by(self._box_now())
        worth = LEGIBLE if grown > SMALL else LARGER
        count, few = len(self.tiles), max(FEW, self._moved_at + REST)
        if grown > worth and count > few and (count <= SETTLED or grown > CRAMPED):
            yield from self._start_anew(TIGHT, grown / worth)

    def _start_anew(self, ways: Sequence[Variant], most: float = inf) -> Generator[None, None, bool]:
        """Lay all out anew in one of the ``ways``, as soon as that outgrows the window by no more than ``most``. Returns whether
        it does."""
        first = len(self.tiles) % len(ways)
        searches = [self._fresh(self._tree, *way, wide=most == inf) for way in (*ways[first:], *ways[:first])]
        while searches:  # by turns: which is soon at an end is not known before
            search = searches.pop(0)
            for table in search:
                yield
                if table is None:
                    searches.append(search)
                    break
                if self._outgrowth(table) < most:
                    self._lay(table)
                    return True
        return False

    def _around(self, tree: BranchTree, stuck: int, way: Sequence[int]) -> set[int]:
        """What is to be laid out anew for the place ``stuck``: the dominoes of the ``way`` to it, what lies as near, and all
        that lies on these."""
        free = {way[-1]}
        if len(way) > 1:
            tile, side = tile_and_side(stuck)
            (x, y), _ = self._tile_lies[tile].end(side)
            far = 1 + 2 * len(way)
            free.update(other for other, lie in enumerate(self.lies) if other and max(abs(lie.x - x), abs(lie.y - y)) <= far)
        return tree.and_all_on(free)

    def _fit(self, tree: BranchTree, free: Collection[int]) -> Generator[None, None, int | None]:
        """Lay out anew the ``free`` dominoes, and all slots. Returns a place for which there is no room, or None."""
        begun = self._begun(tree, [tile for tile in range(len(self.tiles)) if tile not in free])
        blame: defaultdict[int, float] = defaultdict(float)
        stuck = LEAD
        for tries in range(TRIES):
            order = tree.order(free, blame)
            if not tries and not free:
                order.sort(key=lambda place: self._freedom(tree, begun, place))
            table = self._run(tree, begun, order, self._target(tree), WIDE if tries % 2 else WIDTH)
            yield
            if isinstance(table, TablePlan):
                self._lay(table)
                return None
            stuck = table
            self._put_earlier(tree, stuck, blame)
        return stuck

    def _fresh(self, tree: BranchTree, onward: Way, times: float, *, wide: bool = False) -> Iterator[TablePlan | None]:
        """The whole table laid out anew, as soon as a try finds it; None for each that does not. ``wide``: at
        once with many tables in view."""
        lead = self._lead(onward, double=tree.is_double(0))
        begun = TablePlan(0.0, taken_by(lead.lie), lead.lie.box, {0: lead}, {})
        everything, blame = range(len(tree.tiles)), self._blame[onward, times]
        side = max(self._side, FRESH_ROOM * sqrt(tree.cells_soon)) * times
        for tries in range(FRESH_TRIES):
            width = WIDE if wide ^ tries % 2 else WIDTH
            table = self._run(tree, begun, tree.order(everything, blame), side, width)
            if isinstance(table, TablePlan):
                yield table
                return
            yield None
            self._put_earlier(tree, table, blame)

    def _put_earlier(self, tree: BranchTree, place: int, blame: dict[int, float]) -> None:
        """Next time ``place`` has its turn earlier, and so has what leads to it."""
        much: float = BLAMED
        for one in (place, *(tree.tiles[tile].place for tile in tree.ways_to(place))):
            blame[one] += much
            much *= INHERITED

    def _freedom(self, tree: BranchTree, table: TablePlan, place: int) -> int:
        """In how many ways ``place`` can be taken."""
        tile, side = tile_and_side(place)
        end, way = table.tile_lies[tile].end(side)
        at = number_of(*end)
        return sum(not table.full >> at + placement.edge.shift & placement.edge.bits for placement in tree.placements(place, way))

    def _target(self, tree: BranchTree) -> float:
        return max(RUN_ON * self._side, ROOM * sqrt(tree.cells_soon))

    def _begun(self, tree: BranchTree, tiles: Collection[int], slots: Collection[Slot] = ()) -> TablePlan:
        """The table with those ``tiles`` that stay where they are, and ``slots``."""
        lies = [self.lies[tile] for tile in tiles] + [lie for slot in slots for lie in (slot.double, slot.plain)]
        full = 0
        for lie in lies:
            full |= taken_by(lie)
        return TablePlan(0.0, full, box_around(lie.box for lie in lies), {tile: self._tile_lies[tile] for tile in tiles}, {})

    def _run(self, tree: BranchTree, begun: TablePlan, order: Sequence[int], side: float, width: int = WIDTH) -> TablePlan | int:
        """The best table found on which the places of ``order`` are taken in turn, with hardly more than ``side`` to be shown; or
        the place for which there was no room."""
        tables = [begun]
        wide, high = self._wide, self._high
        for place in order:
            tile, at = tile_and_side(place)
            child = tree.children.get(place)
            follows = IN_THE_WAY * (1 + FOLLOWING * min(MANY, tree.weights[child] if child is not None else 0))
            turn = (BEND if child is not None else BEND / 2) * (1 + tree.is_double(tile))
            ways: list[tuple[float, int, EndPlacement, Point, Box]] = []
            for index, (cost, full, box, tile_lies, _) in enumerate(tables):
                end, way = tile_lies[tile].end(at)
                base = number_of(*end)
                left, top, right, bottom = box
                for placement in tree.placements(place, way):
                    self._spent += 1
                    if full >> base + placement.edge.shift & placement.edge.bits:
                        continue
                    x, y, to_x, to_y = placement.box
                    grown = (min(left, end[0] + x), min(top, end[1] + y), max(right, end[0] + to_x), max(bottom, end[1] + to_y))
                    much = cost
                    if grown != box:
                        if max(-grown[0], -grown[1], grown[2], grown[3]) > FARTHEST - MARGIN:
                            continue
                        now = (right - left) / wide, (bottom - top) / high
                        then = (grown[2] - grown[0]) / wide, (grown[3] - grown[1]) / high
                        much += OUTGROWN * (max(side, *then) - max(side, *now)) + GROWN * (sum(then) - sum(now))
                    if placement.bent:
                        much += turn + (ZIGZAG if tile_lies[tile].is_bent else 0)
                    if placement.off_middle:
                        much += OFF_MIDDLE
                    much += CLOSE * (full >> base + placement.rim.shift & placement.rim.bits).bit_count()
                    much += follows * (full >> base + placement.front.shift & placement.front.bits).bit_count()
                    if placement.sides.bits:
                        much += CROWD * (full >> base + placement.sides.shift & placement.sides.bits).bit_count()
                    ways.append((much, index, placement, end, grown))
            if not ways:
                return place
            ways.sort(key=lambda way: way[0])
            tables = self._after(tree, place, tables, ways, width)
        return tables[0]

    def _after(self, tree: BranchTree, place: int, tables: Sequence[TablePlan],
               ways: Sequence[tuple[float, int, EndPlacement, Point, Box]], width: int) -> list[TablePlan]:
        """The best tables after ``place`` was taken."""
        child, seen, found = tree.children.get(place), set(), []
        for cost, index, placement, end, box in ways:
            _, full, _, tile_lies, slots = tables[index]
            full |= placement.own.bits << number_of(*end) + placement.own.shift
            if full in seen:
                continue
            seen.add(full)
            if child is not None:
                double = tree.is_double(child)
                slot = placement.slot(end)
                tile_lies = {**tile_lies, child: TileLie(slot.lie(double=double), placement.direction, double, placement.bent)}
            found.append(TablePlan(cost, full, box, tile_lies, {**slots, place: (placement, end)}))
            if len(found) == width:
                break
        return found

    def _lay(self, table: TablePlan) -> None:
        """Show ``table``."""
        lying = [table.tile_lies[tile] for tile in range(len(self.tiles))]
        lies = [one.lie for one in lying]
        if lies[:len(self.lies)] != self.lies:
            self._open_after = [None] * len(self._open_after)
            self._moved_at = len(lies)
        self._tile_lies, self.lies = lying, lies
        self.slots.update((place, placement.slot(end)) for place, (placement, end) in table.slots.items())

    # ---- how large ----

    def _box_now(self) -> Box:
        return box_around([lie.box for lie in self.lies] + [lie.box for slot in self._open_slots().values() for lie in slot[:2]])

    def _outgrown_by(self, box: Box) -> float:
        """How many times larger than its window a table is, with dominoes as large as they get."""
        left, top, right, bottom = box
        return max((right - left) / self._wide, (bottom - top) / self._high) / self._side

    def _outgrowth(self, table: TablePlan) -> float:
        return max(1.0, self._outgrown_by(table.box))

    def _elsewhere(self, place: int) -> Slot:
        """The nearest slot to the end of ``place``, where there is no room at it."""
        tile, side = tile_and_side(place)
        end, _ = self._tile_lies[tile].end(side)
        lies = [*self.lies, *(lie for slot in self.slots.values() for lie in slot[:2])]
        full, far = 0, 3
        for lie in lies:
            full |= taken_by(lie)
        double = self._tree.open.get(place) not in self._tree.doubles
        while True:
            for x, y in _ring(end, far):
                for way in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                    placement = placements(way, ALONG, double=double, plain=True)[0]
                    bits, at = bits_in(*(edge + (GAP if index > 1 else -GAP) for index, edge in enumerate(placement.box)))
                    if not full >> number_of(x, y) + at & bits:
                        return placement.slot((x, y))._replace(start=end, apart=True)
            far += 1


def _ring(middle: Point, far: int) -> list[Point]:
    x, y = middle
    return [(x + dx, y + dy) for dx in range(-far, far + 1) for dy in range(-far, far + 1) if max(abs(dx), abs(dy)) == far]
