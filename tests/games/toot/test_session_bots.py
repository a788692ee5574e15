"""Bots that take their time in Speed TooT: what came too late is dropped, nothing is judged twice. Whom a bot thinks for."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tabletin.app.session.local import LocalSession
from tabletin.app.session.session import SessionContext
from tabletin.app.storage.matches import MemoryMatches, SingleTab
from tabletin.bots.decision import Decision, Position
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.match import Match
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import GAMES, rules_of
from tests.support.bots_here import ME, WORDS, BotsHere, bot, context, settle

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


async def test_whom_a_bot_thinks_for_and_what_else_it_would_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person is advised; the other move comes back with its words."""
    asked: list[Position] = []
    told = Decision(("draw",), "why", {"n": 1}, 0.5, "again", ("draw",), "or")

    def choose(position: Position) -> Decision:
        asked.append(position)
        move = next(iter(position.rules.moves(position.state, position.seat, position.faces)))
        return replace(told, move=move, other=move)

    rules = rules_of("toot-pursuit")
    table = Table.begin(rules, Setup(rules.id, rules.version, {"first_seat": "1"}, (ME, bot())), OpenDealer(Random(1)))
    monkeypatch.setattr(GAMES[rules.id].module("bot"), "choose", choose)
    bots = BotsHere()
    for seat in (0, 1):
        assert await bots.think(table.match, seat, "hard", 0.05) == told
        for move in (("draw",), ("pass",)):
            table.move(seat, move)
    assert [position.is_advice for position in asked] == [True, False]


async def test_after_a_pass_which_moves_nothing_the_next_one_may_draw_at_once() -> None:
    setup = Setup("toot-pursuit", 1, {"first_seat": "1"}, (ME, ME), extra={"seed": 3})
    session = await LocalSession.begin(setup, replace(context(), pace=lambda: 60.0))
    now = asyncio.get_running_loop().time
    await session.move(0, ("draw",))
    assert session.pacing.due > now() + 10
    await session.move(0, ("pass",))
    assert session.pacing.due <= now()
    session.close()
    await settle()
