"""The buttons under the table: what a pause leaves of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from tabletin.app.table.controls import TableControls
from tabletin.board.scene import Control, Scene


@pytest.mark.parametrize("is_paused", [False, True])
def test_in_a_pause_nothing_can_be_pressed(is_paused: bool) -> None:
    """The cards are covered, and the key H once had a hint thought out and said all the same."""
    forced = SimpleNamespace(move_of=lambda seat: None)
    session = SimpleNamespace(is_paused=is_paused, gives_help=True, owner=True, people=(0,), forced_moves=forced,
                              match=SimpleNamespace(outcome=None))
    screen = SimpleNamespace(session=session, scene=Scene(), draft=SimpleNamespace(has_choice=True))
    controls = TableControls(cast(Any, screen))
    controls.hints = cast(Any, SimpleNamespace(control=lambda: Control("hint", "Hint", shortcut="h")))
    controls._undo_of = cast(Any, lambda seat: 1)  # type: ignore[method-assign]
    controls._say = cast(Any, lambda key, **_: key)  # type: ignore[method-assign]
    sight = cast(Any, SimpleNamespace(seat=0, may_act=True))
    shown = [*controls.own(sight), *controls.choices(sight, Scene(controls=(Control("draw", "Draw", shortcut="c"),)))]
    assert [control.key for control in shown] == ([] if is_paused else ["hint", "undo", "draw"])
