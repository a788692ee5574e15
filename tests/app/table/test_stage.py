"""How the stage aims its camera at a table that grows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tabletin.board.scene import Rect, Scene
from tests.support.fake_browser import Element, in_fake_browser

WINDOW = Rect(0, 0, 400, 400)


@pytest.fixture
def stage() -> Iterator[Any]:
    with in_fake_browser():
        from tabletin.app.table.dom import Listeners
        from tabletin.app.table.stage import Stage

        yield Stage(Element(), Listeners())


def aimed(stage: Any, left: float, width: float) -> Any:
    """The camera once a table of this extent is shown."""
    stage.show(Scene(window=WINDOW, bounds=Rect(left, left, width, width)))
    return stage.camera


def test_the_view_stands_still_as_long_as_all_that_lies_is_seen_and_large_enough(stage: Any) -> None:
    first = aimed(stage, 0, 500)
    assert [aimed(stage, 50, 400) for _ in range(3)] == [first] * 3, "a little less needs no other view, however often drawn"
    assert aimed(stage, 0, 500) == first
    larger = aimed(stage, 0, 550)
    assert larger.zoom < first.zoom and aimed(stage, 0, 550) == larger
    assert aimed(stage, 100, 350).zoom > 1.3 * larger.zoom


def test_the_view_glides_where_it_is_not_the_player_who_moves_it(stage: Any) -> None:
    aimed(stage, 0, 500)
    assert stage._plane.classList.contains("gliding"), "also while a finger still lies on the table"
    stage.move_camera(stage.camera.pan(30, 0))
    assert not stage._plane.classList.contains("gliding"), "the table follows a finger at once"
    stage.fit()
    assert stage._plane.classList.contains("gliding")
