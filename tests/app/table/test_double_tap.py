"""The second tap of a double tap presses nothing that has come under the finger since the first one."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.fake_browser import FakeBrowser, in_fake_browser

GUARD = 0.4


class Thing:
    """What a tap meets: the thing ``key``, a button or not; perhaps one that shares its place with others."""

    def __init__(self, key: str, *, is_button: bool = True, is_beside: bool = False) -> None:
        self.key = key
        self.kinds = {"button": is_button, ".shares-place": is_beside}

    def closest(self, selector: str) -> Thing | None:
        return self if self.kinds.get(selector, True) else None

    def getAttribute(self, _name: str) -> str:
        return self.key


@pytest.fixture
def fake() -> Iterator[FakeBrowser]:
    with in_fake_browser() as browser:
        yield browser


@pytest.mark.parametrize(("second", "after", "far", "detail", "passes"), [
    (Thing("pass"), 200, 5, 1, False),
    (Thing("pass"), 200, 5, 0, True),  # a key, or a screen reader
    (Thing("pass"), 200, 90, 1, True),
    (Thing("pass"), 500, 5, 1, True),
    (Thing("pass", is_beside=True), 500, 5, 1, False),
    (Thing("pass", is_beside=True), 1100, 5, 1, True),
    (Thing("roll"), 200, 5, 1, True),
    (Thing("c5", is_button=False), 200, 5, 1, True),
], ids=["a double tap", "a key", "elsewhere", "later", "in a shared place", "much later", "the same button", "a piece"])
def test_only_another_button_under_the_same_finger_hears_nothing(
        fake: FakeBrowser, second: Thing, after: float, far: float, detail: int, passes: bool) -> None:
    from tabletin.app.table.double_tap import DoubleTap

    heard: list[Any] = []
    listeners = SimpleNamespace(listen=lambda _root, kind, handler, **how: heard.append((kind, handler, how)))
    DoubleTap(SimpleNamespace(), listeners, lambda: GUARD)  # type: ignore[arg-type]  # it only listens
    (kind, clicked, how), = heard
    assert kind == "click" and how == {"passive": False, "capture": True}, "it hears of it before the buttons do"
    stopped: list[str] = []

    def click(target: Thing, time: float, x: float, detail: int) -> None:
        clicked(SimpleNamespace(target=target, timeStamp=time, clientX=x, clientY=0.0, detail=detail,
                                stopPropagation=lambda: stopped.append("spread"),
                                preventDefault=lambda: stopped.append("effect")))

    click(Thing("roll"), 1000.0, 50.0, 1)
    assert not stopped
    click(second, 1000.0 + after, 50.0 + far, detail)
    assert stopped == ([] if passes else ["spread", "effect"])
