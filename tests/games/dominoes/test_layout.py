"""The branching table on its plane (DO-2, DO-6): nothing overlaps, nothing laid ever moves, every open place has its slot."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations, pairwise
from random import Random
from statistics import fmean
from typing import Final, TypeAlias

import pytest

from tabletin.board.scene import Layout, Rect
from tabletin.games.dominoes.base import DominoRules
from tabletin.games.dominoes.board import SMALLER, Areas, closest, laid_out, other_layouts
from tabletin.games.dominoes.draft import CELL
from tabletin.games.dominoes.layout import Slot, TableLayout, TilePlacement, turned_left, turned_right
from tabletin.games.dominoes.layout_branching import BranchingLayout, straight
from tabletin.games.dominoes.layout_line import PITCH, LineLayout, row_width
from tabletin.games.dominoes.layout_search import AT_A_TIME, LayoutSearch
from tabletin.games.dominoes.matador import MATADORS
from tabletin.games.dominoes.table import LEAD, LaidTile, opened_branching, opened_in_line
from tabletin.games.dominoes.tiles import HALVES, tile_set
from tabletin.registry import rules_of

Window: TypeAlias = tuple[float, float]  # on the table, in cells of 40 px
PHONE, DESK, SQUARE, LONG = (390 / 40, 426 / 40), (1280 / 40, 426 / 40), (12.0, 12.0), (90.0, 14.0)
# (double of the set, tables, window) and (double of the set, sum, tables); as many tables for a hundred matches (``--matches``)
BRANCHING: Final = [(6, 60, SQUARE), (6, 40, DESK), (6, 40, PHONE), (9, 20, SQUARE), (9, 12, DESK), (9, 12, PHONE),
                    (12, 6, SQUARE), (12, 6, DESK), (12, 6, PHONE)]
LINES: Final = [(9, 10, 80), (12, 13, 60), (12, 10, 40)]


def random_table(highest: int, rng: Random, *, total: int = 0) -> Iterator[tuple[list[LaidTile], set[int]]]:
    """A table after every domino, and its open places: all that fits is laid somewhere. ``total``: as in Matador.

    Some tables grow everywhere, some along their newest end, some from their oldest.
    """
    opens = opened_in_line if total else opened_branching
    tiles = list(tile_set(highest))
    rng.shuffle(tiles)
    lead = tiles.pop() if total else f"{highest}-{highest}"
    tiles = [tile for tile in tiles if tile != lead]
    taste = rng.choice((rng.choice, lambda ways: ways[-1], lambda ways: ways[0]))
    high, low = HALVES[lead]
    laid = [LaidTile(0, LEAD, low, high)]
    open_ = dict(opens(0, laid[0]))
    yield laid, set(open_)
    missed = 0
    while tiles and missed < len(tiles):
        tile = tiles.pop(0)
        high, low = HALVES[tile]
        ways = [(place, inner) for place, number in open_.items() for inner in {high, low}
                if ((number and inner + number == total) or tile in MATADORS[total] if total else inner == number)]
        if not ways:
            tiles.append(tile)
            missed += 1
            continue
        missed = 0
        place, inner = taste(ways)
        del open_[place]
        laid.append(LaidTile(len(laid), place, inner, high + low - inner))
        open_.update(opens(len(laid) - 1, laid[-1]))
        yield laid, set(open_)


def cells_of(lie: TilePlacement) -> list[tuple[float, float]]:
    """The quarter cells that a domino covers: in a line corners lie half a cell off."""
    left, top, right, bottom = (round(2 * edge) for edge in lie.box)
    return [(x / 2, y / 2) for x in range(left, right) for y in range(top, bottom)]


def slot_cells(slot: Slot) -> set[tuple[float, float]]:
    return {*cells_of(slot.double), *cells_of(slot.plain)}


def check_table(layout: TableLayout, lies: list[TilePlacement], places: set[int]) -> None:
    cells = [cell for lie in lies for cell in cells_of(lie)]
    taken = set(cells)
    assert len(cells) == len(taken) == 4 * 8 * len(lies), "two dominoes overlap"
    slots = [slot_cells(layout.slot(place)) for place in places & layout.open.keys()]
    assert not any(taken & slot for slot in slots), "an open place lies under a domino"
    assert sum(len(slot) for slot in slots) == len(set().union(*slots)), "two open places want the same slot"


def made(highest: int, *, total: int = 0, window: Window = SQUARE) -> TableLayout:
    """An empty table of the set up to ``highest``; ``total``: as in Matador."""
    return LineLayout(opened_in_line, window) if total else BranchingLayout(opened_branching, window, alike=highest + 1)


def grow(highest: int, seed: int, *, total: int = 0, window: Window = SQUARE) -> tuple[int, int]:
    """Lay one table domino by domino; how many places it opened and how many of them had no space at their end."""
    layout = made(highest, total=total, window=window)
    before: list[TilePlacement] = []
    for laid, places in random_table(highest, Random(seed), total=total):
        lies = layout.show(laid)
        assert lies[:-1] == before, "something laid has moved"
        before = list(lies)
        for place in places & layout.open.keys():
            assert {layout.slot(place).lie(double=double).box for double in (False, True)}
    check_table(layout, before, places)
    return len(layout.slots), sum(slot.apart for slot in layout.slots.values())


def share(tables: int, matches: int) -> int:
    """How many of the ``tables`` for a hundred matches are laid for ``matches``: two at least."""
    return max(2, tables * matches // 100)


@pytest.mark.parametrize(("highest", "tables", "window"), BRANCHING)
def test_branching_tables_never_overlap_and_never_move(highest: int, tables: int, window: Window, matches: int) -> None:
    opened, apart, laid = 0, 0, share(tables, matches)
    for seed in range(laid):
        of_this, without = grow(highest, seed, window=window)
        opened, apart = opened + of_this, apart + without
    if laid >= 6:  # a short run lays too few for a rate
        assert apart < 0.05 * opened, "ends are walled in too often"


@pytest.mark.parametrize(("highest", "total", "tables"), LINES)
def test_lines_never_overlap_never_move_and_never_wall_themselves_in(highest: int, total: int, tables: int, matches: int) -> None:
    for seed in range(share(tables, matches)):
        assert grow(highest, seed, total=total)[1] == 0
        assert grow(highest, seed, total=total, window=PHONE)[1] == 0


def side(layout: TableLayout, window: Window) -> float:
    """The short side of a domino in px, where the ``window`` shows all that lies and may come."""
    slots = [lie for slot in layout.open.values() for lie in (slot.double, slot.plain)]
    left, top, right, bottom = layout.box(slots) or (0, 0, 0, 0)
    return 80 * min(1, window[0] / (right - left), window[1] / (bottom - top))


@pytest.mark.parametrize(("highest", "window", "growing", "whole"),
                         [(6, PHONE, 42, 27), (9, PHONE, 43, 20), (6, DESK, 58, 42), (9, DESK, 54, 29)])
def test_dominoes_are_large_on_a_growing_table_and_at_its_end(highest: int, window: Window, growing: float, whole: float) -> None:
    """On the average, with eight dominoes and at the end of a set."""
    sides: list[tuple[float, float]] = []
    for seed in range(10):
        layout = made(highest, window=window)
        eight = 0.0
        for laid, _ in random_table(highest, Random(seed)):
            layout.show(laid)
            if len(laid) == 8:
                eight = side(layout, window)
        sides.append((eight, side(layout, window)))
    assert fmean(one for one, _ in sides) > growing
    assert fmean(other for _, other in sides) > whole


@pytest.mark.parametrize(("game", "seats", "highest", "total"), [("dominoes", 2, 6, 0), ("matador", 3, 9, 10),
                                                                  ("tiddle-a-wink", 6, 9, 0)])
def test_on_a_phone_no_domino_gets_too_small_for_its_dots_to_be_counted(game: str, seats: int, highest: int, total: int) -> None:
    """As long as a round of the usual size goes on: about 40 px long at the least."""
    rules = rules_of(game)(seats, {})
    assert isinstance(rules, DominoRules)
    window = Areas.measure(rules, Layout(390, 630, touch=True)).window
    for seed in range(6):
        layout = laid_out(rules, window, ())
        for laid, _ in random_table(highest, Random(seed), total=total):
            if len(laid) > 30:
                break
            layout.show(laid)
            slots = [lie for slot in layout.open.values() for lie in (slot.double, slot.plain)]
            left, top, right, bottom = layout.box(slots) or (0, 0, 0, 0)
            cell = min(window.width / (right - left), window.height / (bottom - top))
            assert 4 * cell > 38


def kin(laid: list[LaidTile], tile: int) -> set[int]:
    """What lies at one end with ``tile``, and the next but one on its arm: they cannot but be near."""
    below = laid[tile].place // 4
    return {below, laid[below].place // 4} | {other for other, one in enumerate(laid) if one.place // 4 in (below, tile)}


@pytest.mark.parametrize("window", [PHONE, DESK, SQUARE])
def test_dominoes_of_different_arms_lie_apart(window: Window) -> None:
    """Half a domino's width at least, so that nothing looks as if it joined what it does not join; rarely there is no room."""
    touching = near = tiles = 0
    for seed in range(12):
        layout = made(6, window=window)
        *_, (laid, _) = random_table(6, Random(seed))
        boxes = [lie.box for lie in layout.show(laid)]
        tiles += len(boxes)
        for one, other in combinations(range(len(boxes)), 2):
            if one not in kin(laid, other) and other not in kin(laid, one):
                (left, top, right, bottom), (x, y, to_x, to_y) = boxes[one], boxes[other]
                gap = max(x - right, left - to_x, y - bottom, top - to_y)
                touching, near = touching + (gap < 1), near + (gap < 2)
    assert touching < 0.03 * tiles
    assert near < 0.12 * tiles, "a whole domino's width, where there is room"


@pytest.mark.parametrize("window", [PHONE, DESK])
def test_arms_run_straight_more_often_than_they_turn(window: Window) -> None:
    """And rarely turn twice running, as stairs do."""
    turns = stairs = tiles = 0
    for seed in range(12):
        layout = made(9, window=window)
        *_, (laid, _) = random_table(9, Random(seed))
        layout.show(laid)
        bent = [one.place != LEAD and layout.slots[one.place].bent for one in laid]
        tiles, turns = tiles + len(laid), turns + sum(bent)
        stairs += sum(now and bent[one.place // 4] for now, one in zip(bent, laid, strict=True))
    assert turns < 0.45 * tiles
    assert stairs < 0.17 * tiles


@pytest.mark.parametrize("window", [PHONE, DESK])
def test_a_double_lies_in_the_middle_of_its_arm(window: Window) -> None:
    """Also where any other domino would have turned off; rarely there is no room."""
    off = doubles = 0
    for seed in range(12):
        layout = made(9, window=window)
        laid = next(laid for laid, _ in random_table(9, Random(seed)) if len(laid) == 24)
        for one, lie in zip(laid[1:], layout.show(laid)[1:], strict=True):
            joint = layout.slots[one.place].joint
            if one.inner == one.outer:
                doubles, off = doubles + 1, off + (lie.x != joint[0] and lie.y != joint[1])
    assert doubles > 20 and off < 0.2 * doubles


@pytest.mark.parametrize("room", [Rect(0, 0, 390, 296), Rect(0, 0, 1280, 319)])
def test_a_table_seen_for_the_first_time_is_laid_out_for_what_lies(room: Rect) -> None:
    """As a puzzle's: larger, and plainer, than one that was laid out as it grew."""
    rules = rules_of("dominoes")(2, {"set": 6})
    assert isinstance(rules, DominoRules)
    cell = closest(room) * CELL
    grown, chosen = 0.0, 0.0
    for seed in range(8):
        laid = next(laid for laid, _ in random_table(6, Random(seed)) if len(laid) == 20)
        usual, best = made(6, window=(room.width / cell, room.height / cell)), laid_out(rules, room, laid)
        assert isinstance(usual, BranchingLayout) and isinstance(best, BranchingLayout)
        usual.show(laid)
        best.show(laid)
        assert best.unclarity() <= usual.unclarity()
        grown, chosen = grown + usual.extent(), chosen + best.extent()
        *_, (further, _) = random_table(6, Random(seed))
        assert best.show(further)[:20] == best.lies[:20], "and what lies stays where it is"
    assert chosen < 0.95 * grown


def test_a_slot_keeps_free_only_what_can_still_come() -> None:
    """Once the double three is laid, nothing that lies crosswise comes to a three; once all threes are, nothing at all."""
    threes = ["6-3", "3-3", "3-0", "3-1", "3-2", "4-3", "5-3"]
    laid = [LaidTile(0, LEAD, 6, 6), LaidTile(1, 0, 6, 3)]
    layout = made(6, window=LONG)
    layout.show(laid)
    three = 4  # the place that the six and three opens
    assert layout.slot(three).double != layout.slot(three).plain
    laid.append(LaidTile(2, three, 3, 3))
    layout.show(laid)
    ends = sorted(layout.open.keys() - {1, 2, 3})
    assert len(ends) == 3 and all(layout.slot(place).double == layout.slot(place).plain for place in ends)
    for tile, place in zip(threes[2:5], ends, strict=True):
        laid.append(LaidTile(len(laid), place, 3, HALVES[tile][1]))
    for tile, place in zip(threes[5:], (1, 2), strict=True):  # laid on sixes here: only where they lie counts
        laid.append(LaidTile(len(laid), place, HALVES[tile][0], 3))
    layout.show(laid)
    assert layout.open.keys() == {3, *(4 * at for at in (3, 4, 5))}, "no slot is kept at the last two threes"
    layout.show(laid[:2])
    assert layout.slot(three).double != layout.slot(three).plain, "a look back shows what was free then"


def test_a_place_walled_in_goes_on_at_its_end_once_there_is_room() -> None:
    joined = 0
    for seed in range(20):
        layout = made(9, window=PHONE)
        before: dict[int, bool] = {}
        for laid, _ in random_table(9, Random(seed)):
            layout.show(laid)
            now = {place: slot.apart for place, slot in layout.open.items()}
            joined += sum(before.get(place, False) and not apart for place, apart in now.items())
            before = now
    assert joined


def test_where_an_end_is_walled_in_another_layout_is_found() -> None:
    """For a table as large as a usual round's, a few dominoes at a time."""
    rules, window = rules_of("dominoes")(4, {}), Rect(0, 0, 390, 418)
    assert isinstance(rules, DominoRules)
    met = 0
    for seed in range(60):
        layout, search = laid_out(rules, window, ()), LayoutSearch(partial(other_layouts, rules, window))
        laid = next(laid for laid, _ in random_table(9, Random(seed)) if len(laid) == 28)
        layout.show(laid)
        if layout.is_walled_in:
            met += 1
            steps = [search.step(laid) for _ in range(4 * len(laid) // AT_A_TIME + 4)]
            found = next(one for one in steps if one is not None)
            assert not found.is_walled_in and found.tiles == laid
        if met == 2:
            return
    raise AssertionError("hardly any end was walled in")


def test_an_end_walled_in_early_by_two_arms_that_went_the_same_way_finds_room_in_hardly_smaller_dominoes() -> None:
    """A side of the double six had no way out between two arms, on a table of 13 dominoes with much room around."""
    rules, window = rules_of("dominoes")(4, {}), Rect(0, 0, 390, 430)
    assert isinstance(rules, DominoRules)
    laid = [LaidTile(0, LEAD, 8, 8), LaidTile(1, 0, 8, 2), LaidTile(2, 4, 2, 1), LaidTile(3, 1, 8, 7), LaidTile(4, 12, 7, 6),
            LaidTile(5, 16, 6, 6), LaidTile(6, 20, 6, 5), LaidTile(7, 2, 8, 5), LaidTile(8, 28, 5, 5), LaidTile(9, 3, 8, 6),
            LaidTile(10, 8, 1, 7), LaidTile(11, 40, 7, 5), LaidTile(12, 22, 6, 9)]
    layout = laid_out(rules, window, ())
    layout.show(laid)
    assert layout.is_walled_in
    search, most = LayoutSearch(partial(other_layouts, rules, window)), SMALLER * layout.extent()
    found = next(one for _ in range(3) if (one := search.step(laid, most)) is not None)
    assert not found.is_walled_in and found.tiles == laid


def test_a_search_in_which_nothing_helps_ends_until_the_table_grows() -> None:
    *_, (laid, _) = random_table(6, Random(1))
    begun = []

    class WalledIn(BranchingLayout):
        is_walled_in = True

    def layouts() -> Iterator[TableLayout]:
        for _ in range(2):
            begun.append(WalledIn(opened_branching, PHONE))
            yield begun[-1]

    search = LayoutSearch(layouts)
    for _ in range(9):
        assert search.step(laid[:8]) is None
    assert len(begun) == 3, "two, and the first again for a table that grows"
    assert search.step(laid[:9]) is None
    assert begun[2].tiles


def test_every_step_on_the_way_is_sound_too() -> None:
    for seed in range(6):
        layout = BranchingLayout(opened_branching)
        for laid, places in random_table(9, Random(seed)):
            check_table(layout, layout.show(laid), places)


def test_a_table_shown_anew_or_from_an_earlier_moment_is_the_same() -> None:
    *_, (laid, _) = random_table(9, Random(2))
    grown = BranchingLayout(opened_branching)
    for count in range(1, len(laid) + 1):
        grown.show(laid[:count])
    at_once = BranchingLayout(opened_branching)
    assert at_once.show(laid) == grown.show(laid)
    assert at_once.open == grown.open
    assert grown.show(laid[:5]) == at_once.show(laid)[:5]
    other = [*laid[:5], laid[5]._replace(card=99)]  # a move taken back, another made
    assert grown.show(other) == at_once.show(laid)[:6]
    assert len(grown.lies) == 6
    assert grown.show(laid) == at_once.show(laid), "and back again"


def test_a_double_lies_crosswise_and_its_neighbours_touch_it() -> None:
    laid = [LaidTile(0, LEAD, 6, 6), LaidTile(1, 0, 6, 5), LaidTile(2, 4, 5, 5), LaidTile(3, 8, 5, 2), LaidTile(4, 10, 5, 4)]
    lead, on, double, onward, branch = BranchingLayout(opened_branching, LONG).show(laid)
    assert lead.way[1] and on.way == (1, 0) and double.way[1], "crosswise is at right angles to the arm"
    assert onward.way == (1, 0)
    for one, other in ((lead, on), (on, double), (double, onward), (double, branch)):
        edge = {(x + dx, y + dy) for x, y in cells_of(one) for dx, dy in ((0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5))}
        assert edge & set(cells_of(other))


def long_line(count: int, window: Window, taste: int = 2) -> LineLayout:
    """A line of ``count`` dominoes with every ``taste``-th at its back, the others at its front."""
    layout, front, back = LineLayout(opened_in_line, window), 0, 1
    laid = [LaidTile(0, LEAD, 1, 0)]
    for tile in range(1, count):
        place = back if tile % taste == 0 else front
        laid.append(LaidTile(tile, place, 9, 1))
        front, back = (front, 4 * tile) if place == back else (4 * tile, back)
    layout.show(laid)
    return layout


@pytest.mark.parametrize("window", [PHONE, DESK])
@pytest.mark.parametrize("taste", [2, 3, 99])
def test_a_line_runs_in_rows_there_and_back_with_a_corner_at_either_edge(window: Window, taste: int) -> None:
    """Rows are as far apart as half a domino is wide, a corner is one upright domino, and all rows have the same edges."""
    layout = long_line(24, window, taste)
    rows = sorted({lie.y for lie in layout.lies if lie.way[0]})
    assert rows == [rows[0] + PITCH * at for at in range(len(rows))]
    for upper, lower in pairwise(rows):
        corners = [lie for lie in layout.lies if lie.way[1] and upper < lie.y < lower]
        assert [lie.y for lie in corners] == [(upper + lower) / 2], "one domino leads from each row to the next"
    corners = [lie for lie in layout.lies if lie.way[1]]
    assert len({lie.x for lie in corners}) <= 2, "at one edge or at the other"
    for one in layout.tiles[1:]:
        (left, top, right, bottom), (x, y, to_x, to_y) = (layout.lies[at].box for at in (one.card, one.place // 4))
        touch = min(right, to_x) - max(left, x), min(bottom, to_y) - max(top, y)
        assert sorted(touch) in ([0, 1.5], [0, 2]), "each touches the one that it goes on from"


@pytest.mark.parametrize(("window", "late", "whole"), [(PHONE, 42, 24), (DESK, 62, 42), (SQUARE, 47, 27)])
def test_a_line_shows_its_dominoes_large_to_its_end(window: Window, late: float, whole: float) -> None:
    """With as many as late in a round, and with all of a set: the short side of a domino in px, where all is seen."""
    for count, least in ((26, late), (55, whole)):
        left, top, right, bottom = long_line(count, window).box() or (0, 0, 0, 0)
        assert 80 * min(1, window[0] / (right - left), window[1] / (bottom - top)) > least


def test_what_goes_on_from_the_front_of_the_lead_winds_down_and_from_its_back_up() -> None:
    layout = long_line(30, SQUARE)
    for one, lie in zip(layout.tiles[1:], layout.lies[1:], strict=True):
        assert lie.y <= 0 if one.card % 2 == 0 else lie.y >= 0


def test_rows_are_wide_where_the_window_is() -> None:
    assert row_width(PHONE) == 16 and row_width(DESK) > 30
    assert row_width(PHONE, 1) == 8, "a row has one domino and two corners at least"


def test_turning_left_and_right_are_each_others_inverse() -> None:
    for way in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        assert turned_left(turned_right(way)) == way
        slot = straight((3, 4), way)
        assert len(cells_of(slot.double)) == len(cells_of(slot.plain)) == 4 * 8
    ways = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    slots = [slot_cells(straight((0, 0), way)) for way in ways]
    assert all(len(one | other) > 4 * 12 for one, other in combinations(slots, 2))
