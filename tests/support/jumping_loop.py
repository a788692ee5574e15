"""An event loop whose clock jumps to whatever is due next: what takes a minute at a table takes no time to wait for."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any


class _Jump(selectors.DefaultSelector):
    """Looks once, and has ``now`` go on by as long as it may wait."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if not found:
            assert timeout is not None, "nothing will ever happen"
            self.now += timeout
        return found


class JumpingLoop(asyncio.SelectorEventLoop):
    """``troubles``: what was raised and nobody waited for."""

    def __init__(self) -> None:
        self._jump = _Jump()
        super().__init__(self._jump)
        self.troubles: list[dict[str, Any]] = []
        self.set_exception_handler(lambda loop, context: self.troubles.append(context))

    def time(self) -> float:
        return self._jump.now


def run(work: Coroutine[Any, Any, Any]) -> None:
    """Run ``work`` to its end; nothing that it began may have failed unheard."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, JumpingLoop)
        runner.run(work)
    assert not loop.troubles, loop.troubles
