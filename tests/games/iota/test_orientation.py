"""Iota's long grids: from which side they are looked at, and that what is tapped there is what is meant."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random

import pytest

from tabletin.app.table.camera import fit
from tabletin.board.scene import Layout, Rect, Sight, card_key, card_of
from tabletin.games.iota.board import IotaBoard
from tabletin.games.iota.grid import xy
from tabletin.games.iota.orientation import WORTH, Place, is_turned, place_at, seen_at
from tabletin.games.iota.plane import CELL
from tabletin.kernel.options import Refusal
from tests.support.board_tables import seated, sight

HIGH = Rect(0, 0, 390, 560)
WIDE = Rect(0, 0, 1040, 690)
LEAST = 54.0
BOARD = IotaBoard()


def row(length: int) -> list[Place]:
    return [(x, 0) for x in range(length)]


def column(length: int) -> list[Place]:
    return [(0, y) for y in range(length)]


def test_a_grid_that_is_read_with_ease_stands_as_it_is() -> None:
    assert not is_turned(row(4), HIGH, LEAST) and not is_turned(column(4), WIDE, LEAST)
    assert not is_turned([], HIGH, LEAST)


def test_a_grid_longer_than_the_window_is_wide_is_seen_from_the_side() -> None:
    assert is_turned(row(9), HIGH, LEAST) and not is_turned(column(9), HIGH, LEAST)
    assert is_turned(column(16), WIDE, LEAST) and not is_turned(row(16), WIDE, LEAST)
    assert not is_turned(product(range(9), range(9)), HIGH, LEAST), "as wide as high"


def test_it_turns_back_only_where_that_is_worth_as_much() -> None:
    grown = row(9)
    for at, place in enumerate(column(24)):
        before = is_turned(grown, HIGH, LEAST)
        grown = [*grown, place]
        turned = is_turned(grown, HIGH, LEAST)
        across, down = 10, at + 2
        straight, side = (min(HIGH.width / a, HIGH.height / b) for a, b in ((across, down), (down, across)))
        if before != turned:
            assert max(straight, side) > WORTH * min(straight, side)
    assert not is_turned(grown, HIGH, LEAST), "in the end it is high"


@pytest.mark.parametrize("turned", [False, True])
def test_a_place_is_found_where_it_is_seen(turned: bool) -> None:
    for x, y in product(range(-3, 4), repeat=2):
        place = x, y
        assert place_at(seen_at(place, turned=turned), turned=turned) == place


@cache
def turned_table() -> Sight:
    """A match whose grid is seen from the side, by the seat to play, who can lay a card: the window is long the other way."""
    for seed in range(30):
        table = seated("iota", 2, seed)
        rng = Random(seed)
        while (acting := table.match.rules.to_act(table.match.state)) and len(table.match.state.grid) < 14:
            faces = table.match.view((acting[0],)).faces
            table.move(acting[0], table.match.rules.random_move(table.match.state, acting[0], faces, rng))
        if not acting:
            continue
        columns, rows = zip(*map(xy, table.match.state.grid), strict=True)
        is_high = max(rows) - min(rows) > max(columns) - min(columns)
        seen = sight(table, acting[0], Layout(1400, 460) if is_high else Layout(320, 900))
        draft = BOARD.draft(seen)
        BOARD.scene(seen, draft)
        if draft.is_turned and any(draft.places(card) for card in draft.turn.hand):
            return seen
    raise AssertionError("no grid grew long")


def test_what_is_tapped_on_a_turned_grid_is_what_is_meant() -> None:
    seen = turned_table()
    draft = BOARD.draft(seen)
    card = next(card for card in draft.turn.hand if draft.places(card))
    draft.tap(card_key(card))
    scene = BOARD.scene(seen, draft)
    assert draft.is_turned
    for spot in (spot for spot in scene.spots if spot.key.startswith("at")):
        x, y = map(int, spot.key[2:].split(","))
        assert (spot.x, spot.y) == (-y * CELL, x * CELL)
    lying = {card_of(piece.key): (piece.x / CELL, piece.y / CELL) for piece in scene.pieces if piece.plane}
    assert lying == {card: seen_at(xy(cell), turned=True) for cell, card in seen.view.state.grid.items()}
    spot = next(spot for spot in scene.spots if spot.key.startswith("at"))
    taken = next(piece for piece in scene.pieces if piece.plane and xy(next(
        cell for cell, lies in seen.view.state.grid.items() if lies == card_of(piece.key))) != (0, 0)
        and card_of(piece.key) not in {seen.view.state.grid[cell] for cell in seen.view.state.wilds})
    reply = draft.miss(card_key(card), (taken.x, taken.y), plane=True)
    assert isinstance(reply, Refusal) and reply.key == "iota.refuse.occupied"
    draft.tap(card_key(card))
    draft.tap(spot.key)
    laid = next(piece for piece in BOARD.scene(seen, draft).pieces if piece.key == card_key(card))
    assert (laid.x, laid.y) == (spot.x, spot.y)


def test_cards_of_a_turned_grid_are_larger() -> None:
    scene = BOARD.scene(turned_table(), None)
    assert scene.window is not None and scene.bounds is not None
    across = Rect(scene.bounds.y, scene.bounds.x, scene.bounds.height, scene.bounds.width)
    assert fit(scene.bounds, scene.window).zoom > 1.2 * fit(across, scene.window).zoom


def test_a_turned_grid_is_met_row_by_row_as_it_is_seen() -> None:
    seen = turned_table()
    pieces = [piece for piece in BOARD.scene(seen, None).pieces if piece.plane]
    assert [(piece.y, piece.x) for piece in pieces] == sorted((piece.y, piece.x) for piece in pieces)
