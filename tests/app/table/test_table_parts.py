"""The plain parts of the table: camera, arrow keys, fans and seats, undo."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.app.table.arrows import ARROWS, next_key, step_in_order
from tabletin.app.table.camera import APART, COMFORT, PLAIN, Camera, closer, fit, kept_in_reach, nearer, showing, steady
from tabletin.app.table.undo import available_undo, last_mover
from tabletin.app.table.viewpoint import Viewpoint
from tabletin.board.layout import LEAST_SHOWN, fan, heap, rows, seat_rects
from tabletin.board.scene import Rect, card_key, card_of
from tabletin.kernel.faces import Card
from tabletin.kernel.setup import Seat
from tabletin.kernel.state import State
from tabletin.kernel.table import AUTHOR
from tabletin.registry import GAMES, rules_of
from tests.support.board_tables import seat_counts, seated
from tests.support.highcard import random_table

WINDOW = Rect(0, 0, 400, 300)
sizes = st.floats(1, 5000)
places = st.floats(-3000, 3000)
bounds = st.builds(Rect, places, places, sizes, sizes)


def corners(camera: Camera, rect: Rect) -> tuple[float, float, float, float]:
    return (*camera.to_window((rect.x, rect.y)), *camera.to_window((rect.right, rect.bottom)))


@given(bounds, st.floats(0.2, 2))
def test_fitting_shows_everything(rect: Rect, closest: float) -> None:
    camera = fit(rect, WINDOW, closest)
    assert camera.zoom <= closest + 1e-9
    left, top, right, bottom = corners(camera, rect)
    if rect.width * 0.12 <= WINDOW.width and rect.height * 0.12 <= WINDOW.height:
        assert left >= -1e-6 and top >= -1e-6 and right <= 400 + 1e-6 and bottom <= 300 + 1e-6


@given(st.floats(0.3, 3), st.tuples(places, places), st.floats(0.2, 2))
def test_zooming_keeps_the_point_under_the_finger(factor: float, about: tuple[float, float], zoom: float) -> None:
    camera = Camera(10, -20, zoom)
    before = camera.to_plane(about)
    after = camera.zoom_by(factor, about).to_plane(about)
    assert after == pytest.approx(before, abs=1e-3, rel=1e-3)


@given(bounds, places, places)
def test_what_is_on_the_plane_never_gets_out_of_reach(rect: Rect, x: float, y: float) -> None:
    left, top, right, bottom = corners(kept_in_reach(Camera(x, y, 0.8), rect, WINDOW), rect)
    assert right >= 99 and left <= 301 and bottom >= 74 and top <= 226


def test_the_view_stands_still_while_a_growing_table_fits() -> None:
    small, grown, wide = Rect(-100, -100, 200, 200), Rect(-100, -100, 260, 200), Rect(-100, -100, 900, 200)
    camera = fit(small, WINDOW, 1.0)
    assert steady(camera, fit(grown, WINDOW, 1.0), grown, WINDOW) == camera
    assert steady(camera, fit(wide, WINDOW, 1.0), wide, WINDOW) == fit(wide, WINDOW, 1.0) != camera
    aside = Rect(-100, -100, 295, 200)  # it fits, and would touch the edge with all the room on the other side
    assert steady(camera, fit(aside, WINDOW, 1.0), aside, WINDOW) == fit(aside, WINDOW, 1.0) != camera


def test_panning_to_show_something_moves_as_little_as_needed() -> None:
    camera = Camera()
    assert showing(camera, Rect(50, 50, 90, 90), WINDOW) == camera
    assert showing(camera, Rect(390, 50, 90, 90), WINDOW) == Camera(400 - 12 - 480, 0, 1)
    assert closer(camera, (1000, 0), WINDOW, 2.0).to_window((1000, 0)) == (200, 150)


def test_small_places_come_near_all_of_them_and_no_nearer_than_a_finger_needs() -> None:
    table = Rect(0, 0, 4000, 3000)
    whole = fit(table, WINDOW, 1.0)
    one, beside, far = Rect(200, 300, 100, 100), Rect(500, 400, 100, 100), Rect(3800, 2800, 100, 100)
    assert nearer(whole, [], WINDOW) is whole
    alone = nearer(whole, [one], WINDOW)
    assert alone.zoom * one.width == pytest.approx(PLAIN)
    seen = alone.to_window(one.centre)
    assert all(PLAIN - 0.01 <= at <= side / 2 for at, side in zip(seen, (WINDOW.width, WINDOW.height), strict=True)), \
        "no farther from the table's middle than it must, and whole"
    assert alone.to_plane((WINDOW.width, WINDOW.height))[0] < 4000, "the table reaches beyond the other edge"
    assert nearer(whole, [one], WINDOW, 2 * PLAIN).zoom * one.width == pytest.approx(2 * PLAIN), "as large as a game wants it"
    around = nearer(fit(Rect(0, 0, 1000, 700), WINDOW, 1.0), [Rect(700, 300, 100, 100)], WINDOW)
    assert around.to_window((0, 0))[0] > -200, "most of a small table stays in view"
    both = nearer(whole, [one, beside], WINDOW)
    for place in (one, beside):
        x, y = both.to_window(place.centre)
        assert 0 < x < WINDOW.width and 0 < y < WINDOW.height
    assert both.zoom * one.width == pytest.approx(PLAIN), "they are far enough apart then, and no nearer"
    touching = nearer(whole, [one, Rect(300, 300, 100, 100)], WINDOW)
    assert touching.zoom * one.width == pytest.approx(COMFORT), "one might be meant for the other"
    hardly = fit(Rect(0, 0, 1000, 700), WINDOW, 0.38)
    told_apart = nearer(hardly, [one, Rect(310, 300, 100, 100)], WINDOW)
    assert told_apart.zoom == pytest.approx(APART / 110), "as little as that needs"
    assert told_apart.zoom < 1.1 * hardly.zoom
    nearly = fit(Rect(0, 0, 1000, 700), WINDOW, 0.4)
    assert nearer(nearly, [one, Rect(800, 300, 100, 100)], WINDOW) is nearly  # neither is: the table stays as it is
    assert nearer(whole, [one, far], WINDOW) is whole  # they are too far apart for that to gain anything
    large = fit(one, WINDOW, 1.0)
    assert nearer(large, [one], WINDOW) is large  # large enough already


def test_arrows_walk_a_grid() -> None:
    grid = {f"{x},{y}": (x * 50.0, y * 50.0) for x in range(3) for y in range(3)}
    assert next_key(grid, "1,1", "ArrowLeft") == "0,1"
    assert next_key(grid, "1,1", "ArrowDown") == "1,2"
    assert next_key(grid, "2,1", "ArrowRight") is None
    assert next_key(grid, "gone", "ArrowRight") == "0,0"


@given(st.dictionaries(st.integers(), st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=2))
def test_every_place_can_be_walked_to(cells: dict[int, tuple[int, int]]) -> None:
    """Wherever things lie, arrows and the keys that turn pages lead from any of them to any other."""
    found = {str(key): (x * 50.0, y * 50.0) for key, (x, y) in cells.items()}
    unique = {place: key for key, place in found.items()}
    found = {key: place for place, key in unique.items()}
    start = next(iter(found))
    reached, edge = {start}, [start]
    while edge:
        here = edge.pop()
        for there in (*(next_key(found, here, arrow) for arrow in ARROWS),
                      *(step_in_order(found, here, step) for step in (1, -1))):
            if there is not None and there not in reached:
                reached.add(there)
                edge.append(there)
    assert reached == found.keys()


@given(st.integers(1, 40), st.floats(250, 1200))
def test_a_fan_shows_every_card(count: int, width: float) -> None:
    lies = fan(count, Rect(0, 0, width, 400), 80, 110)
    assert len(lies) == count
    for left, right in pairwise(lies):
        if abs(left.y - right.y) < 5:
            assert right.x - left.x >= LEAST_SHOWN - 1e-6
    assert all(40 - 1e-6 <= lie.x <= width - 40 + 1e-6 for lie in lies)


@given(st.lists(st.integers(0, 8), max_size=9), st.floats(300, 1200))
def test_groups_of_a_hand_keep_apart(counts: list[int], width: float) -> None:
    groups = rows(counts, Rect(0, 0, width, 300), 60, 84)
    assert [len(group) for group in groups] == counts
    for group in groups:
        assert all(right.x - left.x >= LEAST_SHOWN - 1e-6 for left, right in pairwise(group))


@pytest.mark.parametrize("width", [360, 390, 940, 1600])
@pytest.mark.parametrize("rem", [16, 32])
@pytest.mark.parametrize("count", range(1, 11))
def test_seats_fit_and_do_not_overlap(count: int, rem: float, width: float) -> None:
    rects, height = seat_rects(count, width, rem)
    assert len(rects) == count
    assert all(rect.x >= 0 and rect.right <= width and rect.bottom <= height for rect in rects)
    for one in rects:
        for other in rects:
            assert one is other or one.right <= other.x or other.right <= one.x or one.bottom <= other.y \
                or other.bottom <= one.y


def test_a_heap_shows_its_top() -> None:
    assert len(heap(50, (0, 0))) == 4
    assert len(heap(2, (0, 0))) == 2


def test_keys_name_cards() -> None:
    assert card_of(card_key(17)) == 17
    assert card_of("clear") is None and card_of("at1,2") is None and card_of("c") is None


@pytest.mark.usefixtures("swap")
def test_taking_back_alone_with_bots_is_practice_behind_a_draw() -> None:
    table = seated("swap", 2, seed=4)
    first = table.match.rules.to_act(table.match.state)[0]
    assert available_undo(table.match, first) is None
    other = 1 - first
    table.replace(other, Seat("bot", AUTHOR, "Bot", "easy"))
    before = table.match.state.hands[first]
    table.move(first, ("swap", before[:1]))
    back = available_undo(table.match, first)
    assert back is not None and back.practice and not back.approvers
    table.undo(first, back.target, practice=True)
    assert table.match.state.hands[first] == before and table.match.state.practice
    assert available_undo(table.match, first) is None


@pytest.mark.parametrize("game", [
    game for game in GAMES if rules_of(game).several_hands and not rules_of(game).random_delay])
def test_only_what_was_done_in_this_hand_is_taken_back(game: str) -> None:
    """Not what was done in one that is counted, nor that one went on to the next."""
    table, rng = seated(game, min(seat_counts(game)), seed=4), Random(4)
    match, rules = table.match, table.match.rules
    for other in range(1, rules.seats):
        table.replace(other, Seat("bot", AUTHOR, "Bot", "easy"))

    def dealt(state: State) -> set[Card]:
        return {card for cards in rules.zones(state).values() for card in cards}

    offered, counted, rows = 0, 0, len(rules.sheet(match.state))
    for _ in range(1500):
        acting = rules.to_act(match.state)
        if not acting or counted > 1:
            break
        back = available_undo(match, 0)
        if back is not None:
            then = match.snapshot_at(back.target).state
            assert len(rules.sheet(then)) == len(rules.sheet(match.state)) and dealt(then) & dealt(match.state)
            offered += 1
        elif len(rules.sheet(match.state)) > rows:
            counted, rows = counted + 1, len(rules.sheet(match.state))
        seat = rng.choice(acting)
        table.move(seat, rules.random_move(match.state, seat, match.view((seat,)).faces, rng))
    assert offered and counted


@pytest.mark.usefixtures("swap")
def test_taking_back_among_people_asks_the_others() -> None:
    table = seated("swap", 3, seed=4)
    assert last_mover(table.match) is None
    first = table.match.rules.to_act(table.match.state)[0]
    table.move(first, ("swap", ()))
    assert last_mover(table.match) == first
    back = available_undo(table.match, first)
    assert back is not None and not back.practice
    table.move((first + 1) % 3, ("swap", ()))
    back = available_undo(table.match, first)
    assert back is not None and set(back.approvers) == {0, 1, 2} - {first}
    for seat in back.approvers:
        table.consent(seat, back.target)
    table.undo(first, back.target)
    assert table.match.rules.to_act(table.match.state) == (first,)


def test_cards_that_are_not_played_with_any_more_lie_open_as_far_as_this_device_knows_them() -> None:
    match = random_table(1).match
    session: Any = SimpleNamespace(match=match, readers=())
    viewpoint = Viewpoint(session)
    public = viewpoint.view().faces
    card, other = [card for card in match.knowledge if card not in public][:2]
    face = match.knowledge[card]
    del match.knowledge[other]  # as among devices
    viewpoint.past_cards = lambda state: (card, other)
    assert viewpoint.view().faces == {**public, card: face}


def test_who_looks_at_a_moment_that_falls_away_looks_at_now() -> None:
    """Among peers the last entries may: the table could be drawn no more."""
    match = random_table(1).match
    session: Any = SimpleNamespace(match=match, readers=())
    viewpoint = Viewpoint(session)

    def looked_at() -> int | None:
        return viewpoint.index

    viewpoint.index = len(match.entries) - 2
    assert viewpoint.view().state == match.snapshot_at(len(match.entries) - 2).state
    match.cut(len(match.entries) - 3)
    assert viewpoint.view().state == match.state
    viewpoint.index = 5
    session.match = random_table(2).match
    assert looked_at() is None, "another entry has that number now"
    viewpoint.index = len(session.match.entries)
    assert looked_at() is None, "a line of the log may lead to what fell away"
