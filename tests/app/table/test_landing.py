"""What somebody did has arrived before the table says what comes next: in which order things are said, by events and no clock."""

from __future__ import annotations

from itertools import permutations
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tabletin.app.table.controls import TableControls
from tabletin.app.table.landing import Landing, Part
from tabletin.board.scene import Scene
from tabletin.kernel.rules import Outcome

MINE, WON, PLAYED = "status.yours", "Ada wins", "Ada: +18"


class TableWithoutPage:
    """The line over the table, whether screen readers are asked something, and what can be pressed; drawn when all has landed."""

    def __init__(self, *, is_over: bool) -> None:
        self.forced: object = None
        outcome = Outcome((18, 0), (0,), "table.pause.title") if is_over else None
        wording = SimpleNamespace(outcome=lambda outcome: WON, seat=lambda seat: ("Ada", "You")[seat])
        session = SimpleNamespace(match=SimpleNamespace(outcome=outcome), is_paused=False, wording=wording, people=(1,), me=1,
                                  forced_moves=SimpleNamespace(move_of=lambda seat: self.forced))
        words = SimpleNamespace(text=lambda key, **params: key.removeprefix("table."))
        self.controls = TableControls(cast(Any, SimpleNamespace(session=session, landing_note=PLAYED, act_note="", gist_note="",
                                                                    words=words)))
        self.landing = Landing(self.draw)
        self.is_over = is_over
        self.done: list[tuple[str, bool, list[str]]] = []

    def draw(self) -> None:
        landing = self.landing.is_under_way
        acting = () if landing or self.is_over else (1,)
        sight = cast(Any, SimpleNamespace(past=False, landing=landing, acting=acting, seat=1, may_act=1 in acting,
                                         idle=False))
        self.done.append((self.controls.status(sight, Scene()), self.controls.asks(sight),
                          [control.key for control in self.controls.ending(sight)]))


@pytest.mark.parametrize("is_over", [False, True])
@pytest.mark.parametrize("order", list(permutations(Part)))
def test_ones_turn_and_the_end_come_after_all_has_landed(order: tuple[Part, ...], is_over: bool) -> None:
    table = TableWithoutPage(is_over=is_over)
    table.landing.begin()
    table.draw()
    for part in order[:-1]:
        table.landing.arrive(part)
        table.draw()
    assert table.done == 3 * [(PLAYED, False, [])]
    table.landing.arrive(order[-1])
    assert table.done[3:] == [(WON, True, ["past", "result"]) if is_over else (MINE, True, [])]
    table.landing.arrive(*Part)  # what comes late changes nothing
    assert len(table.done) == 4


def test_what_is_done_before_all_has_landed_is_waited_for_as_well() -> None:
    table = TableWithoutPage(is_over=False)
    table.landing.begin()
    table.landing.arrive(Part.PIECES, Part.WORDS)
    table.landing.begin()
    table.landing.arrive(Part.GAIN)
    assert table.landing.is_under_way and table.done == []
    table.landing.arrive(Part.WORDS, Part.PIECES)
    assert [status for status, _, _ in table.done] == [MINE]


def test_what_is_no_choice_is_not_asked_for() -> None:
    table = TableWithoutPage(is_over=False)
    table.forced = ("draw",)
    table.landing.begin()
    table.landing.hurry()
    assert [asked for _, asked, _ in table.done] == [False]


def test_a_tap_ends_all_waiting_once() -> None:
    table = TableWithoutPage(is_over=True)
    table.landing.hurry()
    assert table.done == []  # nothing was on its way
    table.landing.begin()
    table.landing.hurry()
    table.landing.hurry()
    assert [status for status, _, _ in table.done] == [WON]


@pytest.mark.parametrize("order", list(permutations(Part)))
def test_what_was_done_has_been_seen_before_its_gain_need_have_come(order: tuple[Part, ...]) -> None:
    told: list[str] = []
    landing = Landing(lambda: told.append("over"), lambda: told.append("shown"))
    landing.begin()
    for part in order:
        landing.arrive(part)
        assert ("shown" in told) == ({Part.PIECES, Part.WORDS} <= set(order[:order.index(part) + 1]))
    assert told == ["shown", "over"]


def test_where_nothing_was_won_the_end_of_what_was_shown_is_the_end_of_all_once() -> None:
    told: list[str] = []

    def shown() -> None:
        told.append("shown")
        landing.arrive(Part.GAIN)

    landing = Landing(lambda: told.append("over"), shown)
    landing.begin()
    landing.arrive(Part.PIECES, Part.WORDS)
    assert told == ["shown", "over"]
    landing.begin()
    landing.hurry()
    assert told == ["shown", "over"] * 2
