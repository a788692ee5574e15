"""That a tap hurries is said once, to who has waited for long and has not tapped."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tabletin.app.table.hurry_tip import LONG, READ, HurryTip


class Waiting:
    """Somebody before a table, and a clock that rings when it is told to."""

    def __init__(self, *, knows: bool = False) -> None:
        self.rings: dict[int, tuple[float, Callable[[], None]]] = {}
        self.learned = 0
        self.drawn: list[bool] = []
        self.tip = HurryTip(self, lambda: self.drawn.append(self.tip.is_shown), None if knows else self.learn)
        self.tip.watch(waits=True)

    def learn(self) -> None:
        self.learned += 1

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


def test_it_is_said_once() -> None:
    one = Waiting()
    one.pass_by(LONG)
    assert one.drawn == [True]
    one.pass_by(READ)
    assert one.learned == 1 and one.says(), "it stays until the person is asked"
    for waits in (False, True):
        one.tip.watch(waits=waits)
        assert not (one.says() or one.rings)


def test_it_goes_and_comes_again_where_it_was_not_read() -> None:
    one = Waiting()
    one.pass_by(LONG)
    one.tip.watch(waits=False)
    assert one.drawn == [True] and not (one.rings or one.learned)
    one.tip.watch(waits=True)
    one.pass_by(LONG)
    assert one.drawn == [True, True]


def test_a_tap_is_the_answer() -> None:
    one = Waiting()
    one.pass_by(LONG)
    one.tip.hurry()
    assert one.drawn == [True, False] and one.learned == 1 and not one.rings


@pytest.mark.parametrize("knows", [False, True])
def test_nothing_is_said_to_who_taps_or_knows(knows: bool) -> None:
    one = Waiting(knows=knows)
    one.tip.watch(waits=True)
    for _ in range(3):
        one.tip.hurry()
    assert [due for due, _ in one.rings.values()] == ([] if knows else [LONG])
    assert not (one.says() or one.learned)
