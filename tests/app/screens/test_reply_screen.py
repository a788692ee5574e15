"""A reply's link that was opened: another page takes it, soon or late, or nobody does."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tabletin.app.routes import Route
from tabletin.app.screens.room import reply
from tabletin.app.screens.room.reply import ReplyScreen
from tests.support.bots_here import WORDS

TAKEN, NOBODY, HANDING = (WORDS.text(f"invite.reply.{key}") for key in ("taken", "nobody", "handing"))


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply, "SOON", 0.01)


def opened(answer: asyncio.Future[bool]) -> tuple[ReplyScreen, list[str]]:
    """The screen, with another page that gives ``answer``; what is painted."""
    painted: list[str] = []

    async def hand_over(code: str) -> bool:
        assert code == "abc"
        return await answer

    rooms = SimpleNamespace(invites=(), exchange=SimpleNamespace(hand_over=hand_over))
    document = SimpleNamespace(paint=lambda html, title: painted.append(html))
    shell = SimpleNamespace(words=WORDS, rooms=rooms, document=document)
    return ReplyScreen(cast(Any, shell), Route("reply", query={"code": "abc"})), painted


def said(painted: list[str]) -> list[str]:
    return [next(words for words in (TAKEN, NOBODY, HANDING) if words in html) for html in painted]


async def test_a_page_that_takes_it_at_once_is_all_that_is_told() -> None:
    answer = asyncio.get_running_loop().create_future()
    screen, painted = opened(answer)
    answer.set_result(True)
    await screen.open()
    assert said(painted) == [HANDING, TAKEN]


async def test_a_page_on_a_slow_device_may_take_it_after_it_was_said_that_nobody_does() -> None:
    answer = asyncio.get_running_loop().create_future()
    screen, painted = opened(answer)
    await screen.open()
    assert said(painted) == [HANDING, NOBODY] and 'id="copy"' in painted[-1]
    answer.set_result(True)
    await asyncio.sleep(0.01)
    assert said(painted) == [HANDING, NOBODY, TAKEN]


@pytest.mark.parametrize("late", [True, False])
async def test_that_nobody_takes_it_is_said_once(late: bool) -> None:
    answer = asyncio.get_running_loop().create_future()
    screen, painted = opened(answer)
    if not late:
        answer.set_result(False)
    await screen.open()
    if late:
        answer.set_result(False)
    await asyncio.sleep(0.01)
    assert said(painted) == [HANDING, NOBODY]


async def test_a_screen_that_was_left_paints_no_more() -> None:
    answer = asyncio.get_running_loop().create_future()
    screen, painted = opened(answer)
    await screen.open()
    screen.close()
    await asyncio.sleep(0)
    assert answer.cancelled()
    await asyncio.sleep(0.01)
    assert said(painted) == [HANDING, NOBODY]
