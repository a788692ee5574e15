"""Bots that are all asked to lead, and think one after the other: who is not asked any more when its turn comes says so."""

from __future__ import annotations

import asyncio

from tabletin.app.session.bot_driver import TurnPassed
from tabletin.app.session.local import LocalSession
from tabletin.app.session.session import SessionContext
from tabletin.app.storage.matches import MemoryMatches, SingleTab
from tabletin.bots.decision import Decision
from tabletin.kernel.match import Match
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR
from tests.support.bots_here import WORDS, settle


class QueuedBots:
    """One thinks at a time; who is not asked any more when its turn comes says so."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.late = 0

    async def think(self, match: Match, seat: int, level: str, budget: float) -> Decision:
        async with self.turn:
            await asyncio.sleep(0)
            if seat not in match.rules.to_act(match.state):
                self.late += 1
                raise TurnPassed
            faces = match.view((seat,)).faces
            return Decision(next(iter(match.rules.moves(match.state, seat, faces))), "", {})

    def forget(self, match: Match) -> None:
        pass


def test_a_bot_whose_question_is_answered_meanwhile_is_no_trouble() -> None:
    """DO-1: one seat leads while the others still wait for their turn to think."""
    async def run() -> None:
        late = 0
        troubles: list[str] = []
        for seed in range(8):
            bots = QueuedBots()
            context = SessionContext(MemoryMatches(), SingleTab(), bots, WORDS, pace=lambda: 0.0, trouble=troubles.append)
            seats = (Seat("person", AUTHOR), *(Seat("bot", AUTHOR, f"Bot {n}", "easy") for n in range(5)))
            session = await LocalSession.begin(Setup("tiddle-a-wink", 1, {}, seats, extra={"seed": seed}), context)
            for _ in range(40):
                await settle()
                if 0 in session.acting and session.match.state.phase == "leading":
                    faces = session.match.view((0,)).faces
                    await session.move(0, next(iter(session.match.rules.moves(session.match.state, 0, faces))))
            assert session.match.state.tiles
            late += bots.late
            session.close()
        assert late and not troubles

    asyncio.run(run())
