"""Bots that do what somebody else decides, each when there is something to do: in a guide what its script says, in a puzzle the
answers of the other seats. They decide nothing themselves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tabletin.bots.decision import Decision
from tabletin.kernel.match import Match
from tabletin.kernel.schema import Move

Choice = Callable[[Match, int], Move | None]
"""What a seat is to do now in a match; None to wait."""


class ScriptedBots:
    """``Bots`` that wait until ``follow`` has told them whom to ask, and again until there is a move for their seat."""

    def __init__(self) -> None:
        self._choose: Choice = lambda match, seat: None
        self._news = asyncio.Event()

    def follow(self, choose: Choice) -> None:
        """From now on ``choose`` says what is done."""
        self._choose = choose
        self.look_again()

    def look_again(self) -> None:
        """Something has changed: all that wait ask again."""
        self._news.set()
        self._news = asyncio.Event()

    async def think(self, match: Match, seat: int, level: str, budget: float) -> Decision:
        while True:
            move = self._choose(match, seat)
            if move is not None:
                return Decision(move)
            await self._news.wait()

    def forget(self, match: Match) -> None:
        """Nothing is remembered of a match."""
