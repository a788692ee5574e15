"""That a tap hurries is said, and seldom, to who has waited for long and has not tapped."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tabletin.app.table.hurry_tip import LONG, HurryTip


class Waiting:
    """Somebody before a table, and a clock that rings when it is told to."""

    def __init__(self, left: int = 2) -> None:
        self.rings: dict[int, tuple[float, Callable[[], None]]] = {}
        self.kept: list[int] = []
        self.drawn: list[bool] = []
        self.tip = HurryTip(self, lambda: self.drawn.append(self.tip.is_shown), left, self.kept.append)
        self.tip.watch(waits=True)

    def says(self) -> bool:
        return self.tip.is_shown

    def delay(self, milliseconds: float, handler: Callable[[], None]) -> int:
        number = max(self.rings, default=0) + 1
        self.rings[number] = milliseconds, handler
        return number

    def forget(self, timer: int) -> None:
        self.rings.pop(timer, None)

    def pass_by(self, milliseconds: float) -> None:
        """The one thing that is waited for happens after so long."""
        ((number, (due, ring)),) = self.rings.items()
        assert due == milliseconds
        del self.rings[number]
        ring()


def test_it_is_said_twice_at_most() -> None:
    """Also where it could not be read to the end."""
    one = Waiting()
    for left in (1, 0):
        one.pass_by(LONG)
        assert one.says() and one.kept[-1] == left, "it is kept at once: the table may be left now"
        assert not one.rings, "it stays until the person is asked"
        for waits in (False, True):
            one.tip.watch(waits=waits)
            assert not one.says()
    assert not one.rings and one.drawn == [True, True]


def test_a_tap_is_the_answer() -> None:
    one = Waiting()
    one.pass_by(LONG)
    one.tip.hurry()
    assert one.drawn == [True, False] and one.kept == [1, 0] and not one.rings


@pytest.mark.parametrize("left", [0, 2])
def test_nothing_is_said_to_who_taps_or_knows(left: int) -> None:
    one = Waiting(left)
    for _ in range(3):
        one.tip.hurry()
    for waits in (False, True):
        one.tip.watch(waits=waits)
    assert not (one.says() or one.rings) and one.kept == [0] * bool(left)
