"""What becomes in a match of discards that a seat is not asked about (TT-4)."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tabletin.app.session.local import LocalSession
from tabletin.app.session.session import SessionContext
from tabletin.app.storage.matches import MemoryMatches, SingleTab
from tabletin.app.table.recap import entries_since_turn
from tabletin.app.table.undo import available_undo
from tabletin.games.teeth_time.state import WINDOW
from tabletin.kernel.setup import Seat, Setup
from tabletin.registry import rules_of
from tests.support.bots_here import ME, WORDS, BotsHere, bot

BEN = Seat("person", ME.author, "Ben")


def context(*, forces: bool = True) -> SessionContext:
    return SessionContext(MemoryMatches(), SingleTab(), BotsHere(), WORDS, forces=lambda: forces)


async def to_a_window(session: LocalSession, *, idle: bool) -> None:
    """Play on by hints until a discard is offered that helps in nothing, or one that does."""
    for _ in range(20000):
        await asyncio.sleep(0.002)
        state = session.match.state
        if 0 not in session.acting:
            continue
        if state.phase == WINDOW and state.turn:
            view = session.match.view((0,))
            if (view.rules.idle_move(state, 0, view.faces) is not None) == idle:
                return
            await session.move(0, ("decline",))
        else:
            await session.move(0, (await session.hint(0)).move)
    raise AssertionError


def setup(*others: Seat) -> Setup:
    return Setup("teeth-time", rules_of("teeth-time").version, {}, (ME, *others), extra={"seed": 3})


async def test_what_helps_in_nothing_is_let_go_by_itself_and_is_no_turn_of_ones_own() -> None:
    session = await LocalSession.begin(setup(bot(), bot()), context(forces=False))
    await to_a_window(session, idle=True)
    assert session.forced_moves.idle_of(0) is None, "whoever taps everything is asked"
    session.context = replace(session.context, forces=lambda: True)
    assert session.forced_moves.idle_of(0) == ("decline",)
    at = len(session.match.entries)
    session.wake()
    for _ in range(400):
        await asyncio.sleep(0.002)
        own = [entry.index for entry in session.match.entries[at:]
               if entry.statement.kind == "move" and entry.statement.body["seat"] == 0]
        if own:
            break
    assert session.match.entries[own[0]].statement.body["do"] == ("decline",)
    assert session.forced_moves.was_made(0, own[0])
    back = available_undo(session.match, 0, lambda index: session.forced_moves.was_made(0, index))
    assert back is not None and back.target < at
    turn = next(entry.index for entry in reversed(session.match.entries[:at]) if entry.statement.kind == "move"
                and entry.statement.body["seat"] == 0 and entry.statement.body["do"][0] == "discard")
    assert entries_since_turn(session.match, 0)[0] <= turn + 2, "the answer is no turn, even if it was tapped"
    session.close()


async def test_what_helps_is_asked_for() -> None:
    session = await LocalSession.begin(setup(bot(), bot()), context(forces=False))
    await to_a_window(session, idle=False)
    session.context = replace(session.context, forces=lambda: True)
    assert session.forced_moves.idle_of(0) is None
    session.close()


async def test_where_people_share_a_device_all_are_asked() -> None:
    session = await LocalSession.begin(setup(BEN, BEN), context(forces=False))
    for _ in range(400):
        state, seat = session.match.state, session.acting[0]
        if state.phase == WINDOW and seat != state.turn:
            view = session.match.view((seat,))
            if view.rules.idle_move(state, seat, view.faces) is not None:
                break
            await session.move(seat, ("decline",))
        else:
            await session.move(seat, (await session.hint(seat)).move)
    assert state.phase == WINDOW
    session.context = replace(session.context, forces=lambda: True)
    assert session.forced_moves.idle_of(seat) is None
    session.close()
