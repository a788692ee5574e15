"""In which order a screen reader meets what lies on a table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletin.board.reading_order import reading_order, with_news
from tabletin.board.scene import Drawing, Label, Piece, Plate, Rect, Scene, Spot, Zone
from tabletin.registry import GAMES
from tests.support.board_tables import board_of, moments, seat_counts, sight

ROOM = Rect(0, 0, 10, 10)
FACE = Drawing("", 1, 1)


def piece(key: str, label: str = "named", *, row: str = "", owner: int | None = None) -> Piece:
    return Piece(key, FACE, 0, 0, 1, label, row=row, owner=owner)


def test_the_hand_comes_first_then_places_seats_with_what_is_theirs_the_table_and_piles() -> None:
    scene = Scene(
        pieces=(piece("pile", row="pile"), piece("shared"), piece("of1", owner=1), piece("of0", owner=0), piece("bare", ""),
                piece("held", row="hand")),
        spots=(Spot("place", 0, 0, 1, 1, "here"),),
        plates=(Plate("seat0", 0, ROOM, "Ann"), Plate("seat1", 1, ROOM, "Ben")),
        zones=(Zone("slot", ROOM, "slot", "5 cards"), Zone("tray", ROOM, "tray"), Zone("result", ROOM, "mat", "Ann: 5"),
               Zone("column", ROOM, "mat", "Column 1", quiet=True)),
        labels=(Label("ends", 0, 0, "ends", speech="open ends"), Label("mute", 0, 0, "0:01")))
    assert reading_order(scene) == (
        "held", "place", "seat0", "of0", "seat1", "of1", "ends", "result", "shared", "slot", "pile")


def test_what_has_just_come_is_called_new() -> None:
    old = piece("old", "two")
    new, bare = (replace(piece(key, label), flags=("new",)) for key, label in (("new", "three"), ("bare", "")))
    scene = Scene(pieces=(old, new, bare))
    assert [one.label for one in with_news(scene, "{}, just now".format).pieces] == ["two", "three, just now", ""]
    seen = Scene(pieces=(old,))
    assert with_news(seen, "{}, just now".format) is seen


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_has_a_name_is_met_once_and_the_own_hand_first(game: str) -> None:
    seats = seat_counts(game)[0]
    for table in moments(game, seats, seed=4, most=12):
        seen = sight(table, 0)
        scene = board_of(game).scene(seen, None)
        order = reading_order(scene)
        named = {piece.key for piece in scene.pieces if piece.label} | {plate.key for plate in scene.plates}
        assert len(order) == len({*order}) and named <= {*order}
        assert not any(" " in key for key in order)  # each is the end of an id
        held = [piece.key for piece in scene.pieces if piece.row == "hand" and piece.label]
        assert list(order[:len(held)]) == held
        piles = {piece.key for piece in scene.pieces if piece.row == "pile" and piece.label}
        assert {*order[len(order) - len(piles):]} == piles
