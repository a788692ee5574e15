"""Work in steps (``kernel.stepwise``) that lets the page live on: a long match is read and judged without holding it up. Pure."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Final, TypeVar

from tabletin.kernel.stepwise import Steps

T = TypeVar("T")
SLICE: Final = 0.02  # s of work in one go: between two of them the page draws, and hears what was tapped


async def in_slices(steps: Steps[T]) -> T:
    """The result of ``steps``. Raises what they raise."""
    began = monotonic()
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
        if monotonic() - began >= SLICE:
            await asyncio.sleep(0)
            began = monotonic()
