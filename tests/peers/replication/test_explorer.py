"""The real replicas under an explorer: small scenes with one altered client, and everything that can happen within bounds.

Each scene is explored to the end within small bounds. ``--explore N`` takes larger ones, stops each scene after N worlds, and
prints what it found."""

from __future__ import annotations

import pytest

from tests.support.explorer import Bounds, Explorer
from tests.support.explorer_scenes import SCENES, begin

LARGE = ("gone", "gone two ways", "device", "pass", "ballot", "order", "next hand")
"""Scenes that are too large for small bounds, with one misdeed or crash, where all have said what they wish."""

WITHOUT_CLOCKS = ("device", "ballot")
"""Scenes that are too large where clocks go on, with no altered client."""


def small_bounds(name: str, altered: int | None) -> Bounds:
    if altered is None:
        return Bounds(times=0, told=name == "device") if name in WITHOUT_CLOCKS else Bounds(times=1)
    return Bounds(times=0, misdeeds=1, told=name not in LARGE)


def large_bounds(altered: int | None, worlds: int) -> Bounds:
    return Bounds(times=2, worlds=worlds) if altered is None else Bounds(times=1, misdeeds=1, worlds=worlds)


@pytest.mark.parametrize("altered", [None, 0, 1, 2])
@pytest.mark.parametrize("name", SCENES)
def test_whatever_happens_in_whatever_order(name: str, altered: int | None, explore: int,
                                            capsys: pytest.CaptureFixture[str]) -> None:
    bounds = large_bounds(altered, explore) if explore else small_bounds(name, altered)
    explorer, start = begin(name, altered, bounds)
    found = explorer.explore(start)
    assert bool(explorer.silences) == (altered is not None)
    if explore:
        with capsys.disabled():
            print(f"\n{name}, altered client {altered}: {found}")
    else:
        assert found.is_exhausted


@pytest.mark.parametrize("name", SCENES)
def test_whichever_device_crashes_or_link_ends(name: str) -> None:
    told = name not in LARGE
    for bounds in (Bounds(times=0, told=told, crashes=1), Bounds(times=0, told=told, breaks=1)):
        explorer, start = begin(name, None, bounds)
        assert explorer.explore(start).is_exhausted


def test_a_search_that_stops_early_says_so() -> None:
    explorer, start = begin("move", None, Bounds(times=1, worlds=20))
    found = explorer.explore(start)
    assert found.worlds == 20 and not found.is_exhausted


def test_a_failure_tells_the_shortest_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse_third(self: Explorer, world: object) -> None:
        assert self.depth < 2, "too deep"

    monkeypatch.setattr(Explorer, "_come_to_rest", refuse_third)
    explorer, start = begin("move", None, Bounds(times=1))
    with pytest.raises(AssertionError, match="too deep") as caught:
        explorer.explore(start)
    note, = caught.value.__notes__
    assert note.startswith("after: ") and note.count(",") == 1
