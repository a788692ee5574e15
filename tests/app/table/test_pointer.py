"""A tap on a piece that is on its way elsewhere is meant for what lay there before."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tabletin.board.scene import Drawing, Piece, Scene
from tests.support.fake_browser import in_fake_browser

CARD = Piece("c1", Drawing("", 200, 280), 200, 600, 90, "1", tap=True)


@pytest.mark.parametrize(("at", "is_moving", "detail", "tapped"), [
    ((40, 300), True, 1, []),  # over the pile that it leaves
    ((210, 590), True, 1, ["c1"]),  # nearly there
    ((40, 300), False, 1, ["c1"]),
    ((40, 300), True, 0, ["c1"]),  # a key, wherever that is said to be
])
def test_a_piece_on_its_way_takes_no_tap(at: tuple[int, int], is_moving: bool, detail: int, tapped: list[str]) -> None:
    with in_fake_browser():
        from tabletin.app.table.pointer import Pointer
        heard: list[str] = []
        pointer: Any = Pointer.__new__(Pointer)
        root = SimpleNamespace(getBoundingClientRect=lambda: SimpleNamespace(left=0, top=0))
        pointer._stage = SimpleNamespace(scene=Scene(pieces=(CARD,)), is_moving=is_moving, root=root, stops=lambda: ("c1",))
        pointer._hands = SimpleNamespace(tap=heard.append)
        pointer._swallow = pointer._touch = pointer._close = False
        pointer._clicked_key = ""
        target = SimpleNamespace(getAttribute=lambda name: "c1")
        target.closest = lambda selector: None if selector == "button" else target
        pointer._clicked(SimpleNamespace(target=target, detail=detail, clientX=at[0], clientY=at[1]))
        assert heard == tapped
