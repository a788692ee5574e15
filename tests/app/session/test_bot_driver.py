"""Bots that take their time: a decision whose round is over is dropped at once and never comes late; none is judged again
without need."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from tabletin.app.session.bot_driver import TurnPassed
from tabletin.app.session.local import LocalSession
from tabletin.app.session.session import SessionContext
from tabletin.app.storage.matches import MemoryMatches, SingleTab
from tabletin.bots.decision import Decision
from tabletin.kernel.match import Match
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR
from tests.support.bots_here import ME, WORDS, bot, context, iota

NEVER = 10_000.0  # seconds: nobody waits for that


class SlowBots:
    """Ready at once, but would draw only after a very long time."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    async def think(self, match: Match, seat: int, level: str, budget: float) -> Decision:
        phase = match.state.phase
        self.asked.append((phase, match.state.round))
        await asyncio.sleep(0)
        if phase == "ready":
            return Decision(("ready",), "", {})
        return Decision(("draw",), "", {}, delay=NEVER)

    def forget(self, match: Match) -> None:
        pass


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


async def settle() -> None:
    for _ in range(30):
        await asyncio.sleep(0)


def test_a_bot_that_would_draw_next_year_is_ready_for_the_next_round() -> None:
    """TO-8: a false claim ends the round while the bot still waits to draw."""
    async def run() -> None:
        bots = SlowBots()
        context = SessionContext(MemoryMatches(), SingleTab(), bots, WORDS)
        setup = Setup("toot-speed", 1, {}, (Seat("person", AUTHOR), Seat("bot", AUTHOR, "Bot", "easy")), extra={"seed": 3})
        session = await LocalSession.begin(setup, context)
        await settle()
        assert session.match.state.ready == {1}
        await session.move(0, ("ready",))
        await settle()
        assert session.match.state.phase == "go" and bots.asked[-1] == ("go", 1)
        card = session.match.state.hands[0][0]
        if session.match.knowledge[card] == "X":
            card = session.match.state.hands[0][1]
        await session.move(0, ("claim", ((((card, None),), ()),)))
        await settle()
        assert session.match.state.round == 2
        assert session.match.state.ready == {1}, "its old decision does not keep it from being ready"
        assert ("ready", 2) in bots.asked
        assert session.match.state.hands[1] == tuple(session.match.state.hands[1][:7])
        session.close()
        await settle()

    asyncio.run(run())


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


class DelayedBots:
    """Decide by chance, and act after a moment."""

    async def think(self, match: Match, seat: int, level: str, budget: float) -> Decision:
        await asyncio.sleep(0)
        view = match.view((seat,))
        return Decision(view.rules.random_move(view.state, seat, view.faces, Random(1)), "", {}, delay=0.02)

    def forget(self, match: Match) -> None:
        pass


async def test_a_bots_move_is_judged_and_settled_as_often_as_a_persons(monkeypatch: pytest.MonkeyPatch) -> None:
    session = await LocalSession.begin(iota(ME, bot()), SessionContext(MemoryMatches(), SingleTab(), DelayedBots(), WORDS))
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
    while session.acting == (1,):
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.01)
    assert (judged.count(1), len(settled)) == (person, times) == (1, 1)
    session.close()


async def test_a_decision_is_judged_once_for_each_entry_that_came_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    bots = SlowBots()
    setup = Setup("toot-speed", 1, {}, (ME, ME, bot()), extra={"seed": 3})
    session = await LocalSession.begin(setup, context(bots=bots))  # type: ignore[arg-type]
    await settle()
    for seat in (0, 1):
        await session.move(seat, ("ready",))
    await settle()
    assert session.match.state.phase == "go"
    judged: list[int] = []
    judge = session.match.rules.judge

    def counted_judge(state: Any, seat: int, move: Any) -> Any:
        judged.append(seat)
        return judge(state, seat, move)

    monkeypatch.setattr(session.match.rules, "judge", counted_judge)
    for _ in range(5):
        session.wake()
    assert judged.count(2) == 0
    await session.move(0, ("draw",))
    for _ in range(5):
        session.wake()
    assert judged.count(2) == 1
    session.close()
