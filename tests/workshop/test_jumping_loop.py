"""Coroutines are tested in a loop in which nobody waits."""

from __future__ import annotations

import asyncio

import pytest

from tests.support.jumping_loop import JumpingLoop, run


async def test_a_coroutine_is_tested_in_a_loop_whose_clock_jumps() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, JumpingLoop)
    before = loop.time()
    await asyncio.sleep(3600)
    assert loop.time() - before >= 3600


def test_who_waits_for_what_never_comes_is_told_at_once() -> None:
    with pytest.raises(AssertionError, match="nothing will ever happen"):
        run(asyncio.Event().wait())


def test_what_was_raised_and_nobody_waited_for_is_told() -> None:
    async def begin() -> None:
        asyncio.get_running_loop().call_soon(lambda: 1 / 0)
        await asyncio.sleep(0)

    with pytest.raises(AssertionError, match="division by zero"):
        run(begin())
