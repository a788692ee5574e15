"""Bots that take their time: a decision is judged as often as a person's, and not again while nothing changes."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from tabletin.app.session.local import LocalSession
from tabletin.app.session.session import SessionContext
from tabletin.app.storage.matches import MemoryMatches, SingleTab
from tabletin.bots.decision import Decision
from tabletin.kernel.match import Match
from tests.support.bots_here import ME, WORDS, bot, short_match


class DelayedBots:
    """Decide by chance, and act after a moment."""

    async def think(self, match: Match, seat: int, level: str, budget: float) -> Decision:
        await asyncio.sleep(0)
        view = match.view((seat,))
        return Decision(view.rules.random_move(view.state, seat, view.faces, Random(1)), "", {}, delay=0.02)

    def forget(self, match: Match) -> None:
        pass


async def test_a_bots_move_is_judged_and_settled_as_often_as_a_persons(monkeypatch: pytest.MonkeyPatch) -> None:
    session = await LocalSession.begin(short_match(ME, bot()), SessionContext(MemoryMatches(), SingleTab(), DelayedBots(), WORDS))
    judged: list[int] = []
    settled: list[int] = []
    judge, settle_all = session.match.rules.judge, session.publish

    def counted_judge(state: Any, seat: int, move: Any) -> Any:
        judged.append(seat)
        return judge(state, seat, move)

    def counted_settled() -> None:
        settled.append(len(session.match.entries))
        settle_all()

    monkeypatch.setattr(session.match.rules, "judge", counted_judge)
    monkeypatch.setattr(session, "publish", counted_settled)
    while session.acting == (0,):  # a turn may have several moves
        judged.clear()
        settled.clear()
        view = session.match.view((0,))
        await session.move(0, view.rules.random_move(view.state, 0, view.faces, Random(2)))
    person, times = judged.count(0), len(settled)
    assert session.acting == (1,)
    judged.clear()
    settled.clear()
    session.wake()
    await asyncio.sleep(0.01)
    session.wake()  # while the bot waits: nothing has changed, so nothing is judged
    assert not judged
    while not settled:
        await asyncio.sleep(0.005)
    if session.acting != (1,):  # else the next move of its turn would be counted, too
        await asyncio.sleep(0.01)
    assert (judged.count(1), len(settled)) == (person, times) == (1, 1)
    session.close()
