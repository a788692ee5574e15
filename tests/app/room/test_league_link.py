"""Results go from device to device as these meet in rooms: to members only, checked, bounded, and never what is forged."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from datetime import date
from typing import Any

from tabletin.app.room.league_link import BURST, LeagueLink
from tabletin.app.storage.league import KEPT_AS, League, LeagueBook
from tabletin.peers.league.exchange import MOST_IN_PARCEL, Inventory, Parcel
from tabletin.peers.league.signed_result import SignedResult
from tabletin.peers.room.room import Room
from tabletin.peers.room.state import PERSON, Chair
from tests.support.examples import ONE_DEAL
from tests.support.league import TextsHere, result, signed, with_result
from tests.support.memory_net import FakeTown
from tests.support.worker_here import ReplicaHere

OURS = signed(result("Ada", "Bo"))
MANY = [signed(result("Ada", "Bo", match=str(number)), day=f"2026-10-{1 + number % 30:02}") for number in range(70)]


class Device:
    """A device with a league and, at times, a room. Its number is its key."""

    def __init__(self, town: FakeTown, number: int, *results: SignedResult, is_on: bool | None = True) -> None:
        self.town = town
        self.here = ReplicaHere(number)
        self.author = self.here.author
        self.book = LeagueBook(TextsHere({KEPT_AS: League(is_on, own=self.author).add(results).to_json()}))
        self.work: set[asyncio.Future[None]] = set()
        self.link = LeagueLink(self.book, self.here.call, self.start, now=lambda: town.now, today=lambda: date(2026, 11, 23))
        self.room: Room

    def start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self.work.add(task)
        task.add_done_callback(self.work.discard)

    def open(self) -> None:
        """Host a room for four."""
        net = self.town.net(self.author)
        self.room = Room.open(net, "Host", ONE_DEAL, {}, (Chair(PERSON, self.author), Chair(), Chair(), Chair()),
                              now=lambda: self.town.now)
        self.link.attach(self.room)

    async def enter(self, host: Device, *, is_expected: bool = True) -> None:
        net = self.town.net(self.author)
        await self.town.introduce(host.room.transport, net)  # type: ignore[arg-type]
        if is_expected:
            host.room.as_host().expect(self.author)
        self.room = Room.join(net, "Guest", host.author, now=lambda: self.town.now)
        self.link.attach(self.room)

    async def results(self) -> set[str]:
        return {one.result.hash for one in (await self.book.current()).results if one.is_complete}


async def settle(town: FakeTown, *devices: Device) -> None:
    """Let everything arrive, and be answered."""
    quiet = 0
    while quiet < 5:
        await asyncio.sleep(0)
        quiet = 0 if town.run() or any(device.work for device in devices) else quiet + 1


def names(*ones: SignedResult) -> set[str]:
    return {one.result.hash for one in ones}


async def test_who_meets_one_of_two_later_learns_of_their_match() -> None:
    town = FakeTown()
    ada, bo, cleo = (Device(town, number) for number in (1, 2, 3))
    ada.open()
    await bo.enter(ada)
    await settle(town, ada, bo)
    await ada.book.change(lambda league: league.add([signed(OURS.result, "Ada")]))
    await settle(town, ada, bo)
    assert await bo.results() == set(), "only one has signed"
    await bo.book.change(lambda league: league.add([signed(OURS.result, "Bo")]))
    await settle(town, ada, bo)
    assert await ada.results() == await bo.results() == names(OURS)
    bo.open()
    await cleo.enter(bo)
    await settle(town, bo, cleo)
    assert await cleo.results() == names(OURS)
    league = await cleo.book.current()
    assert league.has_met(bo.author)
    assert not league.has_met(ada.author)


class SlowTexts(TextsHere):
    """A disk that takes its time to write."""

    async def keep_at_once(self, key: str, text: str | None) -> None:
        for _ in range(50):
            await asyncio.sleep(0)
        await super().keep_at_once(key, text)


async def test_what_comes_before_it_is_on_disk_whom_this_device_has_met_is_taken_in() -> None:
    town = FakeTown()
    bo, cleo = Device(town, 2, OURS), Device(town, 3)
    cleo.book = LeagueBook(SlowTexts({KEPT_AS: (await cleo.book.current()).to_json()}))
    cleo.link = LeagueLink(cleo.book, cleo.here.call, cleo.start, now=lambda: town.now, today=lambda: date(2026, 11, 23))
    bo.open()
    await cleo.enter(bo)
    await settle(town, bo, cleo)
    assert await cleo.results() == names(OURS)


async def test_two_who_meet_again_learn_all_that_the_other_knows() -> None:
    town = FakeTown()
    ada, bo = Device(town, 1, *MANY[:40]), Device(town, 2, *MANY[30:])
    ada.open()
    await bo.enter(ada)
    await settle(town, ada, bo)
    assert await ada.results() == await bo.results() == names(*MANY)
    assert ada.link.refusals == bo.link.refusals == 0


async def test_nothing_is_said_or_heard_where_the_people_keep_no_league() -> None:
    for first, second in ((True, None), (True, False), (None, True), (False, True)):
        town = FakeTown()
        ada, bo = Device(town, 1, OURS, is_on=first), Device(town, 2, is_on=second)
        ada.open()
        await bo.enter(ada)
        await settle(town, ada, bo)
        assert await bo.results() == set()
        assert not (await bo.book.current()).met_authors or second
        await ada.book.change(lambda league: league.switch(is_on=True))
        await bo.book.change(lambda league: league.switch(is_on=True))
        await settle(town, ada, bo)
        assert await bo.results() == names(OURS), "from then on they do"


async def test_who_knocks_and_is_not_let_in_learns_nothing_and_brings_nothing() -> None:
    town = FakeTown()
    ada, cleo = Device(town, 1, OURS), Device(town, 3, signed(result("Cleo", "Ada", match="brought")))
    ada.open()
    await cleo.enter(ada, is_expected=False)
    cleo.room.send(ada.author, "league", league=Inventory({}).to_json())
    cleo.room.send(ada.author, "league", league=Parcel((signed(result("Cleo", "Ada", match="brought")),)).to_json())
    await settle(town, ada, cleo)
    assert await cleo.results() == names(signed(result("Cleo", "Ada", match="brought")))
    assert await ada.results() == names(OURS)


async def test_what_is_forged_stays_out_whoever_brings_it() -> None:
    town = FakeTown()
    ada, bo, cleo = (Device(town, number) for number in (1, 2, 3))
    forged = [with_result(OURS, scores=(1, 1000), winners=(1,)), signed(result("Bo", "Ada", match="alone"), "Bo"),
              with_result(signed(result("Bo", "Cleo", match="third")), winners=(1,)), signed(OURS.result, day="2027-01-01")]
    ada.open()
    await bo.enter(ada)
    await cleo.enter(ada)
    await settle(town, ada, bo, cleo)
    for one in forged:
        bo.room.send(None, "league", league=Parcel((one,), more=True).to_json())
    await settle(town, ada, bo, cleo)
    assert await ada.results() == await cleo.results() == set()
    assert len((await ada.book.current()).results) == 0
    bo.room.send(None, "league", league=Parcel((forged[0], OURS)).to_json())
    await settle(town, ada, bo, cleo)
    assert await ada.results() == await cleo.results() == names(OURS)


async def test_what_cannot_be_read_takes_nothing_good_with_it_and_is_not_brought_again() -> None:
    """Results of a program that knows more games, say, which come first because they are the newest."""
    town = FakeTown()
    newer = [with_result(signed(result("Bo", "Ada", match=f"newer {number}"), day="2026-11-22"), game="a-new-game")
             for number in range(MOST_IN_PARCEL + 5)]
    ada, bo = Device(town, 1), Device(town, 2)
    await bo.book.change(lambda league: league.add([*newer, OURS, *MANY[:3]]))
    ada.open()
    await bo.enter(ada)
    await settle(town, ada, bo)
    assert await ada.results() == names(OURS, *MANY[:3])
    refusals = ada.link.refusals
    assert refusals >= len(newer)
    ada.link.attach(ada.room)
    await settle(town, ada, bo)
    assert ada.link.refusals == refusals


async def test_a_flood_is_cut_and_what_is_no_message_is_counted() -> None:
    town = FakeTown()
    ada, bo = Device(town, 1), Device(town, 2)
    ada.open()
    await bo.enter(ada)
    await settle(town, ada, bo)
    before = ada.here.calls.count("CheckResults")
    rubbish: list[Any] = [{}, {"have": 1}, {"results": [], "more": False}]
    for number in range(30):
        said = rubbish[number] if number < len(rubbish) else Parcel((MANY[number],)).to_json()
        bo.room.send(ada.author, "league", league=said)
    await settle(town, ada, bo)
    assert ada.link.refusals >= len(rubbish) + 30 - len(rubbish) - BURST
    assert ada.here.calls.count("CheckResults") - before <= BURST
    town.wait(60)
    bo.room.send(ada.author, "league", league=Parcel((OURS,)).to_json())
    await settle(town, ada, bo)
    assert names(OURS) <= await ada.results()


async def test_a_link_that_was_lost_and_came_back_brings_what_was_missed() -> None:
    town = FakeTown()
    ada, bo = Device(town, 1), Device(town, 2)
    ada.open()
    await bo.enter(ada)
    await settle(town, ada, bo)
    town.drop(ada.author, bo.author)
    await settle(town, ada, bo)
    await ada.book.change(lambda league: league.add([OURS]))
    await settle(town, ada, bo)
    assert await bo.results() == set()
    town.restore(ada.author, bo.author)
    await settle(town, ada, bo)
    assert await bo.results() == names(OURS)


async def test_whom_this_device_hides_is_not_passed_on_from_it() -> None:
    from tabletin.peers.league.season import Player
    from tests.support.league import author

    town = FakeTown()
    bo, cleo = Device(town, 2, OURS), Device(town, 3)
    await bo.book.change(lambda league: league.hide(Player("Ada", author("Ada"))))
    bo.open()
    await cleo.enter(bo)
    await settle(town, bo, cleo)
    assert await cleo.results() == set()
