"""The buttons under the table: what a pause and a race leave of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from tabletin.app.table.controls import TableControls
from tabletin.board.scene import Control, Scene


def offered(*, is_paused: bool = False, random_delay: float = 0.0) -> list[str]:
    """The keys of the buttons at a table where a hint, a step back and a draw are possible."""
    forced = SimpleNamespace(move_of=lambda seat: None)
    session = SimpleNamespace(is_paused=is_paused, gives_help=True, owner=True, people=(0,), forced_moves=forced,
                              match=SimpleNamespace(outcome=None, rules=SimpleNamespace(random_delay=random_delay)))
    screen = SimpleNamespace(session=session, scene=Scene(), draft=SimpleNamespace(has_choice=True))
    controls = TableControls(cast(Any, screen))
    controls.hints = cast(Any, SimpleNamespace(control=lambda: Control("hint", "Hint", shortcut="h")))
    controls._undo_of = cast(Any, lambda seat: 1)  # type: ignore[method-assign]
    controls._say = cast(Any, lambda key, **_: key)  # type: ignore[method-assign]
    sight = cast(Any, SimpleNamespace(seat=0, may_act=True))
    shown = [*controls.own(sight), *controls.choices(sight, Scene(controls=(Control("draw", "Draw", shortcut="c"),)))]
    return [control.key for control in shown]


def test_in_a_pause_nothing_can_be_pressed() -> None:
    """The cards are covered, and the key H once had a hint thought out and said all the same."""
    assert offered() == ["hint", "undo", "draw"]
    assert offered(is_paused=True) == []


def test_where_speed_counts_nothing_is_taken_back() -> None:
    assert offered(random_delay=60.0) == ["hint", "draw"]
