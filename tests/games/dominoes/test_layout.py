"""The table on its plane (DO-2, DO-6): nothing overlaps or touches what it does not join, every open place has its slot, and what
was laid stays, or moves rarely where doubles branch."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from random import Random
from statistics import fmean
from typing import Final, NamedTuple, TypeAlias

import pytest

from tabletin.board.scene import Layout, Rect
from tabletin.games.dominoes.base import DominoRules
from tabletin.games.dominoes.board import Areas
from tabletin.games.dominoes.draft import CELL
from tabletin.games.dominoes.layout import Slot, TableLayout, TilePlacement, Way, turned_left, turned_right
from tabletin.games.dominoes.layout_branching import AT_ONCE, WIDTH, BranchingLayout
from tabletin.games.dominoes.layout_line import PITCH, LineLayout, row_width
from tabletin.games.dominoes.layout_placements import ALONG, LONG_SIDE, SHORT_SIDE, number_of, placements
from tabletin.games.dominoes.matador import MATADORS
from tabletin.games.dominoes.screen_layouts import closest, laid_out
from tabletin.games.dominoes.table import LEAD, LaidTile, opened_branching, opened_in_line
from tabletin.games.dominoes.tiles import HALVES, tile_set
from tabletin.registry import rules_of

Window: TypeAlias = tuple[float, float]  # on the table, in cells of 40 px
PHONE, DESK, SQUARE, LONG = (390 / 40, 426 / 40), (1280 / 40, 426 / 40), (12.0, 12.0), (90.0, 14.0)
# (double of the set, tables, window) and (double of the set, sum, tables); as many tables for a hundred matches (``--matches``)
BRANCHING: Final = [(6, 15, SQUARE), (6, 15, DESK), (6, 15, PHONE), (9, 10, SQUARE), (9, 10, DESK), (9, 10, PHONE),
                    (12, 4, SQUARE), (12, 4, DESK), (12, 4, PHONE)]
LINES: Final = [(9, 10, 80), (12, 13, 60), (12, 10, 40)]
USUAL: Final = 26  # dominoes on the table late in a usual round


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


class Growth(NamedTuple):
    """A table that was laid: its ``tiles``, how often some of them moved, and the ``bridges`` to dominoes away from their ends,
    each counted as often as it was seen; ``usual``: those of a round of the usual size."""

    tiles: int
    moves: int
    bridges: int
    usual: int


def gap(one: TilePlacement, other: TilePlacement) -> float:
    """How many cells are free between two dominoes; corners count as touching."""
    (left, top, right, bottom), (x, y, to_x, to_y) = one.box, other.box
    return max(x - right, left - to_x, y - bottom, top - to_y)


def walled_in(layout: TableLayout) -> bool:
    """Whether an end has no room, and goes on elsewhere."""
    return any(layout.slots[place].apart for place in (*(laid.place for laid in layout.tiles[1:]), *layout.open))


def check_gaps(layout: TableLayout, lies: list[TilePlacement]) -> None:
    """What joins touches, and nothing else comes nearer than half a domino's width: neither dominoes nor slots."""
    slots = [(place // 4, lie) for place, slot in layout.open.items() for lie in {slot.double, slot.plain} if not slot.apart]
    for tile, lie in enumerate(lies):
        place = layout.tiles[tile].place
        below = LEAD if place == LEAD or layout.slots[place].apart else place // 4
        assert below == LEAD or gap(lie, lies[below]) == 0, "a domino does not touch what it joins"
        assert all(gap(lie, other) >= 1 for index, other in enumerate(lies[:tile]) if index != below), "strangers touch"
        assert all(gap(lie, slot) >= 1 for end, slot in slots if end != tile), "a place touches a stranger"
    for (one, at), (other, there) in combinations(slots, 2):
        assert one == other or gap(at, there) >= 1, "two places touch"


def shown(layout: TableLayout, laid: list[LaidTile]) -> list[TilePlacement]:
    """Where dominoes lie after the few scenes that a turn has: each goes on looking for room."""
    layout.show(laid)
    for _ in range(3):
        layout.improve()
    return layout.lies[:]


def grow(highest: int, seed: int, *, total: int = 0, window: Window = SQUARE) -> Growth:
    """Lay one table domino by domino."""
    layout = made(highest, total=total, window=window)
    before: list[TilePlacement] = []
    moves = bridges = usual = 0
    for laid, places in random_table(highest, Random(seed), total=total):
        lies = shown(layout, laid)
        changed = any(one != other for one, other in zip(before, lies, strict=False))
        moves, before = moves + changed, lies
        if changed or len(laid) % 5 == 0:
            check_table(layout, lies, places)
            check_gaps(layout, lies)
        assert layout.show(laid) == lies
        bridges += sum(layout.slots[one.place].apart for one in laid[1:])
        usual = bridges if len(laid) <= USUAL else usual
    return Growth(len(before), moves, bridges, usual)


def share(tables: int, matches: int) -> int:
    """How many of the ``tables`` for a hundred matches are laid for ``matches``: two at least."""
    return max(2, tables * matches // 100)


@pytest.mark.parametrize(("highest", "tables", "window"), BRANCHING)
def test_on_branching_tables_strangers_never_touch_and_what_was_laid_rarely_moves(
        highest: int, tables: int, window: Window, matches: int) -> None:
    grown = [grow(highest, seed, window=window) for seed in range(share(tables, matches))]
    tiles = sum(one.tiles for one in grown)
    assert sum(one.moves for one in grown) < 0.12 * tiles
    assert sum(one.usual for one in grown) < 0.02 * USUAL * len(grown), "ends are walled in too often"
    assert sum(one.bridges for one in grown) < 0.2 * tiles, "… also where everything is laid that fits"


@pytest.mark.parametrize(("highest", "total", "tables"), LINES)
def test_lines_never_overlap_rarely_move_and_never_wall_themselves_in(
        highest: int, total: int, tables: int, matches: int) -> None:
    for seed in range(share(tables, matches)):
        for window in (SQUARE, PHONE):
            grown = grow(highest, seed, total=total, window=window)
            assert grown.moves <= max(2, 0.07 * grown.tiles) and not grown.bridges


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
            shown(layout, laid)
            if len(laid) == 8:
                eight = side(layout, window)
        for _ in range(3):
            shown(layout, laid)
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
            shown(layout, laid)
            slots = [lie for slot in layout.open.values() for lie in (slot.double, slot.plain)]
            left, top, right, bottom = layout.box(slots) or (0, 0, 0, 0)
            cell = min(window.width / (right - left), window.height / (bottom - top))
            assert 4 * cell > 38


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
        for laid, _ in random_table(9, Random(seed)):
            lies = shown(layout, laid)
            if len(laid) == 24:
                break
        for one, lie in zip(laid[1:], lies[1:], strict=True):
            joint = layout.slots[one.place].joint
            if one.inner == one.outer:
                doubles, off = doubles + 1, off + (lie.x != joint[0] and lie.y != joint[1])
    assert doubles > 20 and off < 0.2 * doubles


@pytest.mark.parametrize(("room", "most"), [(Rect(0, 0, 390, 296), 25), (Rect(0, 0, 1280, 319), 30)])
def test_a_table_seen_for_the_first_time_is_laid_out_for_what_lies(room: Rect, most: float) -> None:
    """As a puzzle's: larger than one that was laid out as it grew."""
    rules = rules_of("dominoes")(2, {"set": 6})
    assert isinstance(rules, DominoRules)
    cell = closest(room) * CELL
    grown, chosen = 0.0, 0.0
    for seed in range(8):
        laid = next(laid for laid, _ in random_table(6, Random(seed)) if len(laid) == 20)
        usual, best = made(6, window=(room.width / cell, room.height / cell)), laid_out(rules, room, laid)
        usual.show(laid)
        best.show(laid)
        check_gaps(best, best.lies)
        grown, chosen = grown + usual.extent(), chosen + best.extent()
        *_, (further, _) = random_table(6, Random(seed))
        assert best.show(further)[:20] == best.lies[:20], "and what lies stays where it is"
    assert chosen < min(grown, 8 * most)


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


def test_a_place_walled_in_goes_on_elsewhere_until_dominoes_around_it_have_made_room(monkeypatch: pytest.MonkeyPatch) -> None:
    walled = freed = 0
    for seed in range(30):
        layout = made(9, window=DESK)
        monkeypatch.setattr("tabletin.games.dominoes.layout_branching.AT_ONCE", 40)
        for laid, _ in random_table(9, Random(seed)):
            layout.show(laid)
            if walled_in(layout):
                break
        else:
            continue
        walled += 1
        check_gaps(layout, layout.lies)
        before = layout.lies[:]
        monkeypatch.undo()
        moved = [layout.improve() for _ in range(30)]
        freed += not walled_in(layout)
        assert any(moved) == (layout.lies != before)
        check_gaps(layout, layout.lies)
        if walled == 4:
            break
    assert walled == freed == 4


def test_looking_for_room_goes_on_a_little_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much there is to look for: no more lies are tried for one domino, or at one tap, than that takes, and one more
    table."""
    spent, layout = [], made(12, window=DESK)
    *_, (laid, _) = random_table(12, Random(3))
    for count in range(1, 61):
        layout.show(laid[:count])
        spent.append(layout._spent)  # type: ignore[attr-defined]
        layout.improve()
        spent.append(layout._spent)  # type: ignore[attr-defined]
    assert max(spent) < AT_ONCE + 8 * WIDTH * 120


def test_dominoes_that_moved_are_shown_so_from_an_earlier_moment_and_after_a_move_was_taken_back() -> None:
    seen = 0
    for seed in range(6):
        layout, moved = made(9, window=DESK), False
        *_, (whole, _) = random_table(9, Random(seed))
        for count in range(1, 31):
            before = layout.lies[:]
            layout.show(whole[:count])
            layout.improve()
            moved = moved or before != layout.lies[:len(before)]
        seen += moved
        lies = layout.lies[:]
        for laid, places in random_table(9, Random(seed)):
            if len(laid) <= 30:
                assert layout.show(laid) == lies[:len(laid)]
                check_table(layout, lies[:len(laid)], places)
        other = [*whole[:12], whole[12]._replace(card=99)]
        assert layout.show(other)[:12] == lies[:12], "and what stays does not move"
    assert seen


def test_every_step_on_the_way_is_sound_too() -> None:
    for seed in range(6):
        layout = BranchingLayout(opened_branching)
        for laid, places in random_table(9, Random(seed)):
            check_table(layout, layout.show(laid), places)


def test_a_table_shown_anew_or_from_an_earlier_moment_is_the_same() -> None:
    *_, (laid, _) = random_table(9, Random(2))
    laid = laid[:14]
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
        layout.improve()
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
    left, top, right, bottom = long_line(9, window).box() or (0, 0, 0, 0)
    assert 80 * min(1, window[0] / (right - left), window[1] / (bottom - top)) > 1.25 * late, "early they are larger"
    for count, least in ((26, late), (55, whole)):
        left, top, right, bottom = long_line(count, window).box() or (0, 0, 0, 0)
        assert 80 * min(1, window[0] / (right - left), window[1] / (bottom - top)) > least


def test_a_line_that_moved_is_shown_so_from_an_earlier_moment() -> None:
    line = long_line(30, PHONE)
    lies = line.lies[:]
    assert lies != long_line(12, PHONE).lies + lies[12:], "rows are longer now"
    assert line.show(line.tiles[:12]) == lies[:12] and line.slot(line.tiles[12].place).plain == lies[12]


def test_ends_of_a_line_mostly_stay_on_their_sides_where_it_is_laid_out_anew() -> None:
    moved = crossed = 0
    for seed in range(24):
        line = LineLayout(opened_in_line, PHONE)
        for laid, _ in random_table(9, Random(seed), total=10):
            line.show(laid)
            before = line._end_sides()
            if line.improve():
                moved += 1
                sides = zip(before, line._end_sides(), strict=True)
                crossed += any(one * there < 0 for ends in sides for one, there in zip(*ends, strict=True))
    assert moved >= 12 and crossed < 0.4 * moved


def test_what_goes_on_from_the_front_of_the_lead_winds_down_and_from_its_back_up() -> None:
    layout = long_line(30, SQUARE)
    for one, lie in zip(layout.tiles[1:], layout.lies[1:], strict=True):
        assert lie.y <= 0 if one.card % 2 == 0 else lie.y >= 0


def test_rows_are_wide_where_the_window_is() -> None:
    assert row_width(PHONE) == 12 and row_width(PHONE, USUAL) == 16 and row_width(DESK, USUAL) > 30
    assert row_width(PHONE, 1) == 8, "a row has one domino and two corners at least"


def test_turning_left_and_right_are_each_others_inverse() -> None:
    for way in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        assert turned_left(turned_right(way)) == way


@pytest.mark.parametrize("end", [ALONG, LONG_SIDE, SHORT_SIDE])
@pytest.mark.parametrize("way", [(1, 0), (0, 1), (-1, 0), (0, -1)])
def test_whatever_way_an_end_is_taken_the_domino_touches_it_and_needs_its_cells_and_those_around(end: int, way: Way) -> None:
    below = cells_below(end, way)
    for form in placements(way, end, double=True, plain=True):
        slot = form.slot((3, 4))
        own = {(x, y) for x, y in slot_cells(slot)}
        assert form.own.bits.bit_count() == len(own) / 4
        assert not any(form.own.bits << number_of(3, 4) + form.own.shift & 1 << number_of(x, y) for x, y in below)
        edge = {(x, y) for x in range(-9, 16) for y in range(-9, 16)
                if form.edge.bits << number_of(3, 4) + form.edge.shift & 1 << number_of(x, y)}
        around = {(int(x // 1) + right, int(y // 1) + down) for x, y in own for right in (-1, 0, 1) for down in (-1, 0, 1)}
        assert edge == around - below
        for lie in (slot.double, slot.plain):
            left, top, right, bottom = lie.box
            assert any(left <= x <= right - 1 and top <= y <= bottom - 1 for x, y in
                       ((x + dx, y + dy) for x, y in below for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))))


def cells_below(end: int, way: Way) -> set[tuple[int, int]]:
    """The cells of the domino that is open at (3, 4) in direction ``way``."""
    deep, aside = (2, 2) if end == LONG_SIDE else (4, 1)
    return {(x, y) for x in range(-9, 16) for y in range(-9, 16)
            if -deep < (x + 0.5 - 3) * way[0] + (y + 0.5 - 4) * way[1] < 0
            and abs((x + 0.5 - 3) * way[1] + (y + 0.5 - 4) * way[0]) < aside}
