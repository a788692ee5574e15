"""The branching table on its plane (DO-2, DO-6): nothing overlaps, nothing laid ever moves, every open place has its slot."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Final

import pytest

from tabletin.games.dominoes.board import TALL_BRANCHES, TALL_LINE
from tabletin.games.dominoes.layout import TableLayout, TilePlacement, straight, turned_left, turned_right
from tabletin.games.dominoes.matador import MATADORS
from tabletin.games.dominoes.table import LEAD, LaidTile, opened_branching, opened_in_line
from tabletin.games.dominoes.tiles import HALVES, tile_set

# (double of the set, tables, width) and (double of the set, sum, tables); as many tables for a hundred matches (``--matches``)
BRANCHING: Final = [(6, 60, 1.0), (6, 40, 2.8), (6, 40, TALL_BRANCHES), (9, 20, 1.0), (9, 12, 2.8), (9, 12, TALL_BRANCHES),
                    (12, 6, 1.0), (12, 6, 2.8), (12, 6, TALL_BRANCHES)]
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


def check_table(layout: TableLayout, lies: list[TilePlacement], places: set[int]) -> None:
    cells = [cell for lie in lies for cell in lie.cells()]
    taken = set(cells)
    assert len(cells) == len(taken) == 8 * len(lies), "two dominoes overlap"
    slots = [layout.slot(place).cells() for place in places]
    assert not any(taken & slot for slot in slots), "an open place lies under a domino"
    assert sum(len(slot) for slot in slots) == len(set().union(*slots)), "two open places want the same slot"


def grow(highest: int, seed: int, *, total: int = 0, wide: float = 1.0) -> tuple[int, int]:
    """Lay one table domino by domino; how many places it opened and how many of them had no space at their end."""
    layout = TableLayout(opened_in_line if total else opened_branching, branching=not total, wide=wide)
    before: list[TilePlacement] = []
    for laid, places in random_table(highest, Random(seed), total=total):
        lies = layout.show(laid)
        assert lies[:-1] == before, "something laid has moved"
        before = list(lies)
        for place in places:
            assert {layout.slot(place).lie(double=double).box for double in (False, True)}
    check_table(layout, before, places)
    return len(layout.slots), sum(slot.apart for slot in layout.slots.values())


def share(tables: int, matches: int) -> int:
    """How many of the ``tables`` for a hundred matches are laid for ``matches``: two at least."""
    return max(2, tables * matches // 100)


@pytest.mark.parametrize(("highest", "tables", "wide"), BRANCHING)
def test_branching_tables_never_overlap_and_never_move(highest: int, tables: int, wide: float, matches: int) -> None:
    opened, apart, laid = 0, 0, share(tables, matches)
    for seed in range(laid):
        of_this, without = grow(highest, seed, wide=wide)
        opened, apart = opened + of_this, apart + without
    if laid >= 6:  # a short run lays too few for a rate
        assert apart < 0.05 * opened, "ends are walled in too often"


@pytest.mark.parametrize(("highest", "total", "tables"), LINES)
def test_lines_never_overlap_never_move_and_never_wall_themselves_in(highest: int, total: int, tables: int, matches: int) -> None:
    for seed in range(share(tables, matches)):
        assert grow(highest, seed, total=total)[1] == 0
        assert grow(highest, seed, total=total, wide=TALL_LINE)[1] == 0


@pytest.mark.parametrize(("total", "highest", "least"), [(0, 6, 36), (10, 9, 36)])
def test_a_phone_shows_a_growing_table_large(total: int, highest: int, least: int) -> None:
    """Eight dominoes and all open places, in the 374 × 440 px that a phone has for them: a half's width, on the average."""
    halves = []
    for seed in range(10):
        layout = TableLayout(opened_in_line if total else opened_branching, branching=not total,
                             wide=TALL_LINE if total else TALL_BRANCHES)
        laid, places = next(table for table in random_table(highest, Random(seed), total=total) if len(table[0]) == 8)
        lies = [*layout.show(laid), *(lie for place in places for lie in layout.slot(place)[:2])]
        left, top = min(lie.box[0] for lie in lies), min(lie.box[1] for lie in lies)
        right, bottom = max(lie.box[2] for lie in lies), max(lie.box[3] for lie in lies)
        halves.append(2 * min(374 / (right - left), 440 / (bottom - top)))
    assert sum(halves) / len(halves) > least


def test_every_step_on_the_way_is_sound_too() -> None:
    for seed in range(6):
        layout = TableLayout(opened_branching, branching=True)
        for laid, places in random_table(9, Random(seed)):
            check_table(layout, layout.show(laid), places)


def test_a_table_shown_anew_or_from_an_earlier_moment_is_the_same() -> None:
    *_, (laid, places) = random_table(9, Random(2))
    grown = TableLayout(opened_branching, branching=True)
    for count in range(1, len(laid) + 1):
        grown.show(laid[:count])
    at_once = TableLayout(opened_branching, branching=True)
    assert at_once.show(laid) == grown.show(laid)
    assert {place: at_once.slot(place) for place in places} == {place: grown.slot(place) for place in places}
    assert grown.show(laid[:5]) == at_once.show(laid)[:5]
    other = [*laid[:5], laid[5]._replace(card=99)]  # a move taken back, another made
    assert grown.show(other) == at_once.show(laid)[:6]
    assert len(grown.lies) == 6
    assert grown.show(laid) == at_once.show(laid), "and back again"


def test_a_double_lies_crosswise_and_its_neighbours_touch_it() -> None:
    laid = [LaidTile(0, LEAD, 6, 6), LaidTile(1, 0, 6, 5), LaidTile(2, 4, 5, 5), LaidTile(3, 8, 5, 2), LaidTile(4, 10, 5, 4)]
    lead, on, double, onward, branch = TableLayout(opened_branching, branching=True, wide=9.0).show(laid)
    assert lead.way[1] and on.way == (1, 0) and double.way[1], "crosswise is at right angles to the arm"
    assert onward.way == (1, 0)
    for one, other in ((lead, on), (on, double), (double, onward), (double, branch)):
        edges = [{(x + dx, y + dy) for x, y in one.cells() for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))}]
        assert edges[0] & set(other.cells())


def test_a_line_turns_before_it_leaves_the_square() -> None:
    laid = [LaidTile(0, LEAD, 1, 0)] + [LaidTile(n, 4 * (n - 1), 9, 1) for n in range(1, 30)]
    lies = TableLayout(opened_in_line, branching=False).show(laid)
    assert max(abs(lie.x) for lie in lies) < 26 and len({lie.y for lie in lies}) > 3
    assert all(lie.y >= 0 for lie in lies), "what goes on from the front of the lead winds downward"


def test_turning_left_and_right_are_each_others_inverse() -> None:
    for way in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        assert turned_left(turned_right(way)) == way
        slot = straight((3, 4), way)
        assert len(slot.double.cells()) == len(slot.plain.cells()) == 8
    ways = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    slots = [straight((0, 0), way).cells() for way in ways]
    assert all(len(one | other) > 12 for one, other in combinations(slots, 2))
