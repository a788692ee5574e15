"""One act makes one sound: the most important thing that it brought about."""

from __future__ import annotations

import pytest

from tabletin.app.table.beats import Gain
from tabletin.app.table.sounds import DEAL, END, LAY, SCORE, TAKE, WIN, is_own, sound_of
from tabletin.kernel.rules import Outcome
from tabletin.kernel.state import Event

LAID, DREW, DEALT = Event("laid", 1, cards=(4,)), Event("drew", 1), Event("dealt", None, cards=(1, 2), reader=0)
OVER = Outcome((3, 5), (1,), "over")


@pytest.mark.parametrize(("events", "won", "outcome", "people", "sound"), [
    ([], [], None, (0,), ""),
    ([DEALT], [], None, (0,), DEAL),
    ([DREW, DEALT], [], None, (0,), TAKE),
    ([LAID, DREW], [], None, (0,), LAY),
    ([LAID], [Gain(1, 5, True)], None, (0,), SCORE),
    ([LAID], [Gain(1, 5, False)], None, (0,), LAY),
    ([LAID], [Gain(1, 5, True)], OVER, (0,), END),
    ([LAID], [Gain(1, 5, True)], OVER, (0, 1), WIN),
])
def test_the_most_important_thing_is_heard(
    events: list[Event], won: list[Gain], outcome: Outcome | None, people: tuple[int, ...], sound: str,
) -> None:
    assert sound_of(events, won, outcome, people) == sound


@pytest.mark.parametrize(("events", "won", "people", "own"), [
    ([DEALT], [], (0,), True),
    ([LAID], [], (0,), False),
    ([LAID], [], (0, 1), True),
    ([LAID], [Gain(1, 5, True)], (0,), False),
    ([LAID], [Gain(0, 5, True)], (0,), True),
    ([LAID], [Gain(0, 5, False)], (0,), False),
])
def test_what_others_do_is_softer_and_not_felt(events: list[Event], won: list[Gain], people: tuple[int, ...], own: bool) -> None:
    assert is_own(events, won, people) == own
