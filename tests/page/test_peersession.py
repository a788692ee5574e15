"""A sealed match as pages play it: several devices in this process, real cryptography, a network without faults or with."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from random import Random
from typing import Any

import pytest

from tabletin.kernel.options import Refused
from tabletin.kernel.setup import Seat
from tests.page.peertables import tables

IOTA = {"half_deck": True, "first_seat": "1"}


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(test)


def test_a_whole_match_of_two_devices_is_the_same_on_both_and_on_disk() -> None:
    async def test() -> None:
        async with tables("iota", [1, 2], options=IOTA) as match:
            await match.play(400, Random(1))
            one, two = match.sessions
            await match.until(match.agreed)
            assert one.match.outcome is not None
            assert one.match.outcome == two.match.outcome
            assert one.match.state == two.match.state
            for device, session in zip(match.devices, match.sessions, strict=True):
                await session.flushed()
                record, rows = await device.shelf.read(session.id)
                assert len(rows) == len(session.match.entries) == record["entries"]
                assert record["extra"]["me"] == session.people[0]

    run(test())


def test_a_page_knows_no_face_that_its_seats_may_not() -> None:
    async def test() -> None:
        async with tables("iota", [1, 2, 1], options=IOTA) as match:
            await match.play(6, Random(2))
            await match.until(match.dealt)
            for session in match.sessions:
                state = session.match.state
                own = sum(1 << seat for seat in session.seats_here)
                shown = {card for _, past, _ in session.match.story() for card, mask in past.seen.items() if mask & own}
                assert set(session.match.knowledge) <= shown
                assert {card for card, mask in state.seen.items() if mask & own} <= set(session.match.knowledge)

    run(test())


def test_bots_of_a_device_play_from_what_it_knows() -> None:
    async def test() -> None:
        bot = Seat("bot", "2", "Bo", "easy")
        async with tables("iota", [1, bot, 2], options=IOTA) as match:
            await match.play(9, Random(3))
            one, two = match.sessions
            assert not match.devices[0].bots.requests
            assert match.devices[1].bots.requests
            assert one.people == (0,)
            assert two.people == (2,)

    run(test())


def test_a_wrong_move_is_refused_at_once_and_changes_nothing() -> None:
    async def test() -> None:
        async with tables("iota", [1, 2], options=IOTA) as match:
            await match.until(match.dealt)
            one, two = match.sessions
            before = one.match.head
            with pytest.raises(Refused, match=r"not_your_turn"):
                await two.move(1, ("pass", (), ()))
            with pytest.raises(Refused, match=r"not_your_seat"):
                await one.move(1, ("pass", (), ()))
            assert one.match.head == before

    run(test())


def test_a_reloaded_page_goes_on_where_it_was() -> None:
    async def test() -> None:
        async with tables("iota", [1, 2], options=IOTA) as match:
            await match.play(3, Random(4))
            await match.until(match.dealt)
            knew, head = dict(match.sessions[1].match.knowledge), match.sessions[1].match.head
            await match.sessions[1].flushed()
            await match.devices[1].restart()
            assert match.sessions[1].match.head == head
            assert dict(match.sessions[1].match.knowledge) == knew
            assert match.sessions[1].people == (1,)
            await match.until(lambda: match.sessions[1].standing.ready)
            await match.play(4, Random(5))
            await match.devices[0].restart()
            await match.until(lambda: match.sessions[0].standing.ready)
            await match.play(4, Random(6))
            await match.until(match.agreed)
            assert not match.sessions[0].standing.accused
            assert not match.sessions[1].standing.accused

    run(test())


def test_undo_asks_the_other_device_and_waits_for_its_consent() -> None:
    async def test() -> None:
        async with tables("dominoes", [1, 2]) as match:
            await match.until(match.dealt)
            seat, to = await match.lay(Random(1))
            mine = next(one for one in match.sessions if seat in one.people)
            other = next(one for one in match.sessions if one is not mine)
            before = mine.match.at(to).state
            with pytest.raises(Refused, match=r"undo\.consent"):
                await mine.undo(seat, to)
            mine.asides.ask(seat, to)
            await match.until(lambda: other.asides.asked is not None)
            await other.asides.answer(agree=True)
            await match.until(lambda: all(any(entry.statement.kind == "undo" for entry in one.match.entries)
                                          for one in match.sessions))
            await match.until(match.agreed)
            assert mine.acting == mine.match.rules.to_act(before)
            assert mine.asides.wish is None

    run(test())


def test_a_declined_undo_leaves_everything_as_it_is() -> None:
    async def test() -> None:
        async with tables("dominoes", [1, 2]) as match:
            await match.until(match.dealt)
            seat, to = await match.lay(Random(1))
            mine = next(one for one in match.sessions if seat in one.people)
            other = next(one for one in match.sessions if one is not mine)
            before = mine.match.state.copy()
            mine.asides.ask(seat, to)
            await match.until(lambda: other.asides.asked is not None)
            await other.asides.answer(agree=False)
            await match.until(lambda: mine.asides.declined is not None)
            assert (mine.match.state, mine.asides.wish, mine.asides.declined) == (before, None, other.people[0])
            other.aside(None, "?nonsense")
            other.aside(None, '?{"back":{"seat":0,"to":1}}' if mine.people == (0,) else '?{"back":{"seat":1,"to":1}}')
            await match.until(lambda: mine.asides.malformed == 2)
            assert mine.asides.asked is None

    run(test())
