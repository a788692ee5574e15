"""The graph of who led: who is said to lead and for how long, and where the lines lie."""

from __future__ import annotations

import re
from itertools import combinations
from math import hypot

from tabletin.board.lead_graph import HEIGHT, WIDTH, course_of, lead_graph

STANDINGS = [(0, 0), (4, 0), (4, 0), (4, 9), (14, 9)]


def test_a_course_keeps_what_changed_and_when() -> None:
    course = course_of(STANDINGS, low_wins=False)
    assert course.moments == [0, 0.25, 0.75, 1]
    assert [course.leaders(moment) for moment in range(4)] == [(), (0,), (1,), (0,)]
    assert course.shares() == [0.5, 0.25]
    assert course.changes_of_lead == 2


def test_where_low_wins_the_least_points_lead_and_stand_on_top() -> None:
    course = course_of(STANDINGS[:2], low_wins=True)
    assert course.leaders(1) == (1,)
    lowest, highest = (float(re.search(rf'class="end seat-{seat}" cx="[\d.]+" cy="([\d.]+)"', lead_graph(course)).group(1))  # type: ignore[union-attr]
                       for seat in (1, 0))
    assert lowest < highest


def test_no_disc_covers_another_where_the_end_is_a_tie() -> None:
    drawn = lead_graph(course_of([(0, 0, 0, 0), (7, 19, 19, 18)], low_wins=True))
    ends = [(float(x), float(y)) for x, y in re.findall(r'class="end seat-\d+" cx="([\d.]+)" cy="([\d.]+)"', drawn)]
    assert len(ends) == 4 and len({y for _, y in ends}) == 3, "each at the height of its own line"
    assert all(hypot(one[0] - other[0], one[1] - other[1]) >= 34 for one, other in combinations(ends, 2))


def test_all_of_it_lies_within_the_drawing_and_every_seat_has_a_line_of_its_own() -> None:
    many = [tuple(seat * turn - 20 for seat in range(10)) for turn in range(12)]
    for standings in (STANDINGS, many, [(0, 0)], [(-5, -5), (-300, 7)]):
        drawn = lead_graph(course_of(standings, low_wins=False))
        for x, y in re.findall(r'c?x="([\d.-]+)" c?y="([\d.-]+)"', drawn):
            assert 0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT
        lines = re.findall(r'class="line seat-(\d+)" d="[^"]+"( stroke-dasharray="[^"]+")?', drawn)
        assert len({dashes for _, dashes in lines}) == len(standings[0]) == len(lines)
