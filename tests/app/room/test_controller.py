"""The room that a page is in, with a stand-in for the network: from an invite to the match's beginning, and after a reload."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from time import time
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tabletin.app.connection_servers import Servers
from tabletin.app.room import memory
from tabletin.app.room.camera import NoCamera
from tabletin.app.room.controller import RoomController
from tabletin.app.room.memory import LIFE
from tabletin.app.room.transitions import sync_room_with_match, take_over_seat, take_over_seat_by_link
from tabletin.app.session.handoff import SessionHandoff
from tabletin.app.session.peers.device_transfer import DeviceTakeover
from tabletin.app.session.peers.side_channel import SIDE_CHANNEL_MARK
from tabletin.app.session.session import MatchSession
from tabletin.app.settings import Settings
from tabletin.app.storage.matches import SingleTab, StorageFailed, local_id
from tabletin.kernel.log import Entry, Json, canonical
from tabletin.kernel.options import Failure
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Setup
from tabletin.peers.net.code import BadCode
from tabletin.peers.net.invite_link import read_link
from tabletin.peers.net.rendezvous import HOST_DIGITS, Rendezvous
from tabletin.peers.net.transport import MATCH, Presence, Unreachable
from tabletin.peers.room.messages import spell
from tabletin.peers.room.room import Room
from tabletin.peers.room.state import PERSON, Chair
from tabletin.peers.worker.calls import FoundMatch
from tabletin.peers.worker.results import Genesis
from tabletin.words import load
from tests.support.examples import ONE_DEAL, short
from tests.support.memory_net import FakeNet, FakeTown
from tests.support.room_sim import entry_of, hash_of
from tests.support.worker_here import ReplicaHere


class Exchange:
    """Hands nothing over by itself."""

    site = "https://tin.example/"

    def listen(self, taken: Any) -> None:
        self.taken = taken


class SessionStub:
    """Stands for a session of the match that ``genesis`` founds."""

    over = False

    def __init__(self, genesis: Json) -> None:
        statement = Entry.from_json(genesis).statement
        self.id = local_id(statement.hash)
        self.match = SimpleNamespace(id=statement.hash, outcome=None, setup=Setup.from_statement(statement))
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True


class Device:
    """A page that remembers, and its room."""

    def __init__(self, town: FakeTown, number: int, stored: dict[str, str] | None = None, room: str = "0123456789ab") -> None:
        self.town = town
        self.new_room = room
        self.stored: dict[str, str] = {} if stored is None else stored
        self.settings = Settings()
        self.here = ReplicaHere(number)
        self.addresses: list[str] = []
        self.troubles: list[str] = []
        self.geneses: list[Json] = []
        self.stored_at_start: list[dict[str, str]] = []
        self._work: list[asyncio.Task[None]] = []
        self.texts = self.notices = self
        self.handoff = SessionHandoff()
        self.locks = SingleTab()
        self.entered: list[Room] = []
        self.rooms = RoomController(self, Exchange(), self.opened, self.begin, self.entered.append)

    async def opened(self, device: Any, settings: Any, room: str | None) -> Any:
        net = self.town.net(device.author)
        net.room = room or self.new_room  # type: ignore[attr-defined]
        return net

    async def begin(self, genesis: Json, device: Any, net: Any, was_here: bool) -> MatchSession:
        self.geneses.append(genesis)
        self.stored_at_start.append(dict(self.stored))
        return cast(MatchSession, SessionStub(genesis))

    async def device(self) -> Any:
        return self.here

    def keep(self, key: str, text: str | None) -> None:
        if text is None:
            self.stored.pop(key, None)
        else:
            self.stored[key] = text

    def recall(self, key: str) -> str | None:
        return self.stored.get(key)

    async def keep_at_once(self, key: str, text: str | None) -> None:
        await asyncio.sleep(0)
        self.keep(key, text)

    async def swap_at_once(self, key: str, before: str | None, text: str | None) -> bool:
        raise NotImplementedError

    async def recall_at_once(self, key: str) -> str | None:
        await asyncio.sleep(0)
        return self.recall(key)

    def adopt(self, settings: Settings) -> None:
        self.settings = settings

    def start_task(self, work: Awaitable[None]) -> None:
        self._work.append(asyncio.ensure_future(cast(Coroutine[Any, Any, None], work)))

    def go(self, address: str, *, replace: bool = False) -> None:
        self.addresses.append(address)

    def trouble(self, key: str) -> None:
        self.troubles.append(key)

    @property
    def net(self) -> FakeNet:
        return cast(FakeNet, self.rooms.transport)

    async def settle(self) -> None:
        """Deliver, and do what is to be done, until all is quiet."""
        for _ in range(20):
            self.town.run()
            await asyncio.sleep(0)


def chairs(author: str) -> tuple[Chair, ...]:
    return (Chair(PERSON, author), Chair())


async def met() -> tuple[Device, Device]:
    """Two devices in one room."""
    town = FakeTown()
    ada, bo = Device(town, 1), Device(town, 2)
    ada.rooms.set_name("Ada")
    bo.rooms.set_name("Bo")
    await ada.rooms.host(ONE_DEAL, {}, chairs)
    await join(ada, bo)
    return ada, bo


async def join(host: Device, guest: Device) -> None:
    link = (await host.rooms.invite()).link
    reply = await guest.rooms.answer(link)
    joining = asyncio.ensure_future(guest.rooms.join())
    await host.rooms.accept(reply)
    await joining
    await host.settle()


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


def test_from_an_invite_to_the_beginning_of_a_match() -> None:
    async def story() -> None:
        ada, bo = await met()
        rooms = [device.rooms.room for device in (ada, bo)]
        for room in rooms:
            assert room is not None
            room.set_ready(True)
            await ada.settle()
        await ada.settle()
        assert ada.geneses == bo.geneses
        assert len(ada.geneses) == 1
        for device in (ada, bo):  # a browser ended now would find the others by itself
            assert json.loads(device.stored_at_start[0]["tabletin.rooms"]) == {
                local_id(Entry.from_json(ada.geneses[0]).statement.hash): device.net.room}  # type: ignore[attr-defined]
        setup = Setup.from_statement(Entry.from_json(ada.geneses[0]).statement)
        assert [seat.name for seat in setup.seats] == ["Ada", "Bo"]
        assert ada.addresses == bo.addresses != []
        assert ada.troubles == []

    run(story())


@pytest.mark.parametrize("agrees_first", [True, False])
def test_a_page_that_was_closed_after_the_person_agreed_plays_and_any_other_asks(agrees_first: bool) -> None:
    async def story() -> None:
        ada, bo = await met()
        host, guest = ada.rooms.room, bo.rooms.room
        assert host is not None and host.state is not None and guest is not None
        if agrees_first:
            guest.set_ready(True)
            await ada.settle()
        ada.town.leave(bo.net)
        again = Device(ada.town, 2, bo.stored)
        genesis = ada.here.ask(FoundMatch.from_setup(host.state.setup())).result_as(Genesis).entry
        host.genesis = genesis
        host.state = replace(host.state, playing=Entry.from_json(genesis).statement.hash, version=host.state.version + 1)
        room = await again.rooms.resume()
        ada.town.link(ada.net, again.net)
        await ada.settle()
        if not agrees_first:
            assert again.geneses == [] and again.addresses == ["#/room"]
            room.join_match()
            await ada.settle()
        assert again.geneses == [genesis]
        ada.town.leave(again.net)
        later = Device(ada.town, 2, {key: text for key, text in again.stored.items() if key != "tabletin.room"})
        later.rooms.enter(Room.join(await later.rooms.open_transport(), "Bo", host.author))
        ada.town.link(ada.net, later.net)
        await ada.settle()
        assert later.geneses == [genesis], "it came back to a match that it began"

    run(story())


async def playing() -> tuple[Device, Device]:
    """Two devices that play a match which both agreed to."""
    ada, bo = await met()
    for device in (ada, bo):
        room_of(device).set_ready(True)
        await ada.settle()
    await ada.settle()
    assert ada.geneses == bo.geneses != []
    return ada, bo


def room_of(device: Device) -> Room:
    assert device.rooms.room is not None
    return device.rooms.room


def say_playing(host: Device, genesis: Json) -> None:
    """``host`` says that the match of ``genesis`` is under way."""
    room = room_of(host)
    assert room.state is not None
    room.genesis, room.state = genesis, replace(room.state, playing=hash_of(genesis), version=room.state.version + 1)
    room.send_room()
    room.send(None, "found", genesis=genesis)


def setup_of(genesis: Json) -> Setup:
    return Setup.from_statement(Entry.from_json(genesis).statement)


def test_an_agreement_that_has_begun_a_match_begins_no_other_when_the_page_is_closed() -> None:
    async def story() -> None:
        ada, bo = await playing()
        assert json.loads(bo.stored["tabletin.room"])["agreement"] == ""
        ada.town.leave(bo.net)
        again = Device(ada.town, 2, bo.stored)
        second = entry_of(setup_of(ada.geneses[0]), "ab" * 32)  # just as agreed, but for its founder
        await again.rooms.resume()
        ada.town.link(ada.net, again.net)
        await ada.settle()
        assert again.geneses == ada.geneses, "it is led back to its table"
        again.geneses.clear()
        say_playing(ada, second)
        await ada.settle()
        assert again.geneses == [] and room_of(again).unasked_match == second

    run(story())


def test_a_match_of_another_room_is_begun_there_only_by_who_is_asked() -> None:
    """Else the way back to the others who play it would be lost."""
    async def story() -> None:
        ada, bo = await playing()
        ways = bo.stored["tabletin.rooms"]
        mallory = Device(ada.town, 3, room="ffffffffffff")
        mallory.rooms.set_name("Mallory")
        await mallory.rooms.host(ONE_DEAL, {}, chairs)
        ada.town.leave(bo.net)
        later = Device(ada.town, 2, bo.stored, room="ffffffffffff")
        await join(mallory, later)
        say_playing(mallory, ada.geneses[0])
        await ada.settle()
        assert later.geneses == [] and later.stored["tabletin.rooms"] == ways
        assert room_of(later).unasked_match == ada.geneses[0] and later.addresses == ["#/room"]

    run(story())


def test_who_plays_stays_at_the_table_whatever_the_host_says() -> None:
    async def story() -> None:
        ada, bo = await playing()
        genesis, addresses = bo.geneses[0], list(bo.addresses)
        session: Any = bo.handoff.take(local_id(hash_of(genesis)))
        bo.handoff.put(session)  # as its screen does when it closes
        strangers = tuple(replace(seat, author=f"{number}" * 64) for number, seat in enumerate(setup_of(genesis).seats))
        for other in (replace(setup_of(genesis), seats=strangers), setup_of(genesis)):
            say_playing(ada, entry_of(other, "ab" * 32))
            await ada.settle()
        assert bo.geneses == [genesis] and bo.addresses == addresses and not session.is_closed
        session.over = True
        say_playing(ada, entry_of(setup_of(genesis), "cd" * 32))
        await ada.settle()
        assert bo.addresses == [*addresses, "#/room"]

    run(story())


@pytest.mark.parametrize("is_over", [False, True])
def test_who_is_taken_for_removed_in_the_middle_of_a_match_keeps_its_links_until_it_is_over(is_over: bool) -> None:
    async def story() -> None:
        ada, bo = await playing()
        session: Any = bo.handoff.take(local_id(hash_of(bo.geneses[0])))
        session.over = is_over
        net = bo.net
        room_of(ada).send(bo.here.author, "no", why="removed")
        await ada.settle()
        assert room_of(bo).end_reason == "removed"
        bo.rooms.drop_room()  # as the room's screen does, which says so
        await ada.settle()
        assert bo.rooms.room is None and await bo.rooms.remembered_room() is None
        assert net.gone is is_over and (bo.rooms.transport is None) is is_over

    run(story())


def test_a_link_to_go_on_elsewhere_begins_no_match_in_which_one_has_a_seat_already() -> None:
    """Nobody has agreed to that one."""
    async def story() -> None:
        ada, bo = await met()
        state = room_of(ada).state
        assert state is not None and bo.rooms.transport is not None
        genesis = entry_of(state.setup(), ada.here.author)
        told = SIDE_CHANNEL_MARK + canonical({"match": {"genesis": genesis, "entries": 1, "room": None}}).decode()
        ada.net.on_text(MATCH, lambda sender, text: ada.net.send(sender, MATCH, told))
        bo.rooms.wait_for_inviter = answered(ada.here.author, bo.rooms.transport)  # type: ignore[method-assign]
        taking = asyncio.ensure_future(take_over_seat(bo.rooms))
        await ada.settle()
        with pytest.raises(Malformed):
            await taking
        assert bo.geneses == [] and "tabletin.rooms" not in bo.stored

    run(story())


def test_a_link_to_go_on_elsewhere_takes_no_match_away_from_the_room_where_it_is_played() -> None:
    """The way back to the others who play it would be lost."""
    async def story() -> None:
        ada, bo = await playing()
        ways = bo.stored["tabletin.rooms"]
        mallory = Device(ada.town, 3, room="ffffffffffff")
        await mallory.rooms.host(ONE_DEAL, {}, chairs)
        ada.town.leave(bo.net)
        later = Device(ada.town, 2, bo.stored, room="ffffffffffff")
        await join(mallory, later)
        told = SIDE_CHANNEL_MARK + canonical({"match": {"genesis": ada.geneses[0], "entries": 1, "room": None}}).decode()
        mallory.net.on_text(MATCH, lambda sender, text: mallory.net.send(sender, MATCH, told))
        later.rooms.wait_for_inviter = answered(mallory.here.author, later.rooms.transport)  # type: ignore[method-assign]
        taking = asyncio.ensure_future(take_over_seat(later.rooms))
        await ada.settle()
        with pytest.raises(Malformed):
            await taking
        assert later.geneses == [] and later.stored["tabletin.rooms"] == ways

    run(story())


def answered(author: str, transport: Any) -> Callable[[], Coroutine[Any, Any, tuple[str, Any]]]:
    """The device ``author`` has taken the reply."""
    async def wait_for_inviter() -> tuple[str, Any]:
        return author, transport

    return wait_for_inviter


def test_whoever_goes_on_elsewhere_by_a_link_remembers_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that hosts the room would be a stranger there once the room itself is forgotten."""
    async def story() -> None:
        ada = await far_host()
        bo = guest_of(ada, 2, "Bo")
        content = read_link(await by_link(ada, bo))
        state = room_of(bo).state
        assert state is not None
        genesis = entry_of(state.setup(), ada.here.author)
        room = {"genesis": genesis, "entries": 1, "room": state.to_json()}
        told = SIDE_CHANNEL_MARK + canonical({"match": room}).decode()
        bo.net.on_text(MATCH, lambda sender, text: bo.net.send(sender, MATCH, told))
        again = guest_of(ada, 3, "Bo")
        old = bo.here.author[:HOST_DIGITS]
        rendezvous = Rendezvous.from_token(content.code, watch=False).led_to(old)

        async def do(*given: Any) -> Any:
            return SimpleNamespace(side_channel=None, match=None, id="match", net=again.net)

        monkeypatch.setattr(DeviceTakeover, "take_over", do)
        monkeypatch.setattr(again.rooms, "begin_session", do)
        monkeypatch.setattr(again.rooms, "show_table", lambda session: None)
        servers = Servers.from_link(content.fields)
        taking = asyncio.ensure_future(take_over_seat_by_link(again.rooms, rendezvous, servers, "secret", old, lambda: None))
        while not taking.done():
            await ada.settle()
        await taking
        kept, = json.loads(again.stored["tabletin.meetings"]).values()
        assert Rendezvous.from_text(kept.partition(" ")[0]).host == ada.here.author[:HOST_DIGITS]

    run(story())


def test_a_match_that_was_left_behind_takes_no_table_from_the_next_one() -> None:
    """Its session may still get an answer from the worker."""
    async def story() -> None:
        _, bo = await playing()
        room, match = room_of(bo), hash_of(bo.geneses[0])
        before: Any = SimpleNamespace(net=bo.net, over=True, people=(), match=SimpleNamespace(
            id="0" * 64, entries=[], setup=SimpleNamespace(authors=(bo.here.author,), seats=())))
        sync_room_with_match(room, before)
        assert room.table == match and room.is_playing
        session: Any = bo.handoff.take(local_id(match))
        session.over = True
        sync_room_with_match(room, before)
        assert room.table == before.match.id and not room.is_playing

    run(story())


def test_a_match_whose_links_are_closed_waits_no_more() -> None:
    """Opened again, it gets others."""
    async def story() -> None:
        _, bo = await playing()
        session: Any = bo.handoff.take(local_id(hash_of(bo.geneses[0])))
        bo.handoff.put(session)
        bo.rooms.leave()
        assert session.is_closed and bo.handoff.take(session.id) is None

    run(story())


def test_who_leaves_the_room_in_a_match_and_comes_back_by_the_link_is_led_to_the_table_again() -> None:
    """In the same page, whose session of that match was closed with the links."""
    async def story() -> None:
        ada = await far_host()
        bo = guest_of(ada, 2, "Bo")
        await by_link(ada, bo)
        for device in (ada, bo):
            room_of(device).set_ready(True)
            await ada.settle()
        await ada.settle()
        session: Any = bo.handoff.take(local_id(hash_of(bo.geneses[0])))
        bo.handoff.put(session)  # as its screen does when it closes
        addresses = list(bo.addresses)
        bo.rooms.leave()
        await ada.settle()
        await by_link(ada, bo)
        assert bo.geneses == [*ada.geneses, *ada.geneses] and bo.addresses == [*addresses, *addresses]

    run(story())


def test_who_comes_by_the_link_while_the_host_is_gone_is_taken_in_by_who_goes_on() -> None:
    async def story() -> None:
        ada = await far_host()
        bo, cleo = guest_of(ada, 2, "Bo"), guest_of(ada, 3, "Cleo")
        rendezvous = Rendezvous.from_token(read_link(await by_link(ada, bo)).code, watch=False)
        ada.town.leave(ada.net)
        await cleo.rooms.join_by_link(rendezvous, ada.rooms.servers)
        await bo.settle()
        assert room_of(cleo).state is None
        room_of(bo).take_over()
        await bo.settle()
        assert names(cleo) == names(bo) == {"Bo": False, "Cleo": False}

    run(story())


def test_an_invite_stands_until_it_is_used_and_says_who_invites_to_what() -> None:
    async def story() -> None:
        ada, bo = Device(FakeTown(), 1), None
        ada.rooms.set_name("Ada")
        await ada.rooms.host(ONE_DEAL, {}, chairs)
        first, again = await ada.rooms.invite(), await ada.rooms.invite()
        assert first is again
        watch = await ada.rooms.invite(watch=True)
        link = read_link(first.link)
        assert (link.game, link.inviter, link.watch) == (ONE_DEAL, "Ada", False)
        assert read_link(watch.link).watch
        assert bo is None

    run(story())


def test_a_wrong_reply_leaves_the_invite_as_it_was() -> None:
    async def story() -> None:
        ada, bo = Device(FakeTown(), 1), Device(FakeTown(), 2)
        await ada.rooms.host(ONE_DEAL, {}, chairs)
        with pytest.raises(BadCode):
            await ada.rooms.accept("nothing")
        sent = await ada.rooms.invite()
        with pytest.raises(BadCode):
            await ada.rooms.accept("https://tin.example/#reply=abc")
        assert await ada.rooms.invite() is sent
        bo.town = ada.town
        await join(ada, bo)
        assert await ada.rooms.invite() is not sent

    run(story())


def test_a_blocked_network_is_said_on_both_sides() -> None:
    async def story() -> None:
        town = FakeTown()
        ada, bo = Device(town, 1), Device(town, 2)
        await ada.rooms.host(ONE_DEAL, {}, chairs)
        reply = await bo.rooms.answer((await ada.rooms.invite()).link)
        town.blocked.add(frozenset((ada.here.author, bo.here.author)))
        joining = asyncio.ensure_future(bo.rooms.join())
        with pytest.raises(Unreachable):
            await ada.rooms.accept(reply)
        with pytest.raises(Unreachable):
            await joining

    run(story())


def test_helpers_that_are_switched_on_hold_for_the_next_invite() -> None:
    async def story() -> None:
        ada = Device(FakeTown(), 1)
        ada.rooms.set_name("Ada")
        await ada.rooms.host(ONE_DEAL, short(ONE_DEAL), chairs)
        before = await ada.rooms.invite()
        net = ada.net
        assert await ada.rooms.invite() is before
        ada.settings = ada.settings.with_value("stun", "stun:stun.example:3478")
        after = await ada.rooms.invite()
        assert ada.net is net
        assert not net.gone
        assert net.servers == Servers(stun="stun:stun.example:3478")
        assert after is not before
        assert before.invitation.state == "expired"  # type: ignore[attr-defined]
        room = ada.rooms.room
        assert room is not None
        assert room.state is not None
        assert room.hosting
        assert room.state.options == short(ONE_DEAL)

    run(story())


FAR = Settings(stun="stun:stun.example:3478", relay=True, relay_url="wss://relay.example")


async def by_link(host: Device, guest: Device, *, watch: bool = False) -> str:
    """``guest`` opens the host's link; the link."""
    link = host.rooms.link(watch=watch)
    content = read_link(link)
    assert content.kind == "meet"
    rendezvous = Rendezvous.from_token(content.code, watch=content.watch).led_to(content.fields["of"])
    await guest.rooms.join_by_link(rendezvous, Servers.from_link(content.fields), watch=content.watch)
    await host.settle()
    return link


async def far_host(number: int = 1) -> Device:
    ada = Device(FakeTown(), number)
    ada.settings = FAR
    ada.rooms.set_name("Ada")
    await ada.rooms.host(ONE_DEAL, {}, chairs)
    return ada


def names(device: Device) -> dict[str, bool]:
    """The members of a device's room: name → whether it watches."""
    room = device.rooms.room
    assert room is not None and room.state is not None
    return {member.name: member.watching for member in room.state.members}


def guest_of(host: Device, number: int, name: str, stored: dict[str, str] | None = None) -> Device:
    made = Device(host.town, number, stored)
    made.rooms.set_name(name)
    return made


def test_one_link_brings_everybody_in_and_says_who_watches() -> None:
    async def story() -> None:
        ada = await far_host()
        bo, cleo = guest_of(ada, 2, "Bo"), guest_of(ada, 3, "Cleo")
        link = await by_link(ada, bo)
        assert names(bo) == names(ada) == {"Ada": False, "Bo": False}
        assert ada.rooms.link() == link
        await by_link(ada, cleo, watch=True)
        assert names(cleo) == {"Ada": False, "Bo": False, "Cleo": True}

    run(story())


def test_a_guests_own_turn_server_helps_by_any_link_even_if_it_is_named_while_the_page_looks() -> None:
    async def story() -> None:
        ada = await far_host()
        bo, cleo = guest_of(ada, 2, "Bo"), guest_of(ada, 3, "Cleo")
        with_turn = replace(Settings(), turn="turn:turn.example:3478", turn_user="bo", turn_password="tin")
        both = replace(ada.rooms.servers, turn="turn:turn.example:3478", turn_user="bo", turn_password="tin")
        bo.settings = with_turn
        await by_link(ada, bo)
        assert bo.rooms.servers == both
        await by_link(ada, cleo)
        assert cleo.rooms.servers == ada.rooms.servers
        cleo.settings = with_turn
        cleo.rooms.renew_servers()
        assert cleo.rooms.servers == cleo.net.servers == both
        named = Servers("stun:one", "turn:two", "ada", "tin")
        assert named.with_turn_of(bo.settings) == named

    run(story())


def test_a_link_to_watch_lets_nobody_play() -> None:
    async def story() -> None:
        ada = await far_host()
        sly = guest_of(ada, 2, "Sly")
        content = read_link(ada.rooms.link(watch=True))
        rendezvous = Rendezvous.from_token(content.code, watch=True)
        await sly.rooms.join_by_link(rendezvous, Servers.from_link(content.fields), watch=False)
        await ada.settle()
        assert names(ada) == {"Ada": False, "Sly": True}
        assert sly.rooms.link() == ""
        assert read_link(sly.rooms.link(watch=True)).code == content.code

    run(story())


def test_whoever_was_removed_does_not_come_back_by_the_link() -> None:
    async def story() -> None:
        ada = await far_host()
        bo = guest_of(ada, 2, "Bo")
        await by_link(ada, bo)
        room = ada.rooms.room
        assert room is not None
        room.as_host().remove(bo.here.author)
        await ada.settle()
        assert bo.rooms.room is not None
        assert bo.rooms.room.end_reason == "removed"
        bo.rooms.leave()
        await by_link(ada, bo)
        assert names(ada) == {"Ada": False}

    run(story())


@pytest.mark.parametrize("watch", [False, True])
def test_after_somebody_was_removed_whoever_comes_by_the_link_knocks(watch: bool) -> None:
    """Who was removed has the link, and may have another key: a private window is enough."""
    async def story() -> None:
        ada = await far_host()
        bo = guest_of(ada, 2, "Bo")
        await by_link(ada, bo)
        host = room_of(ada).as_host()
        host.remove(bo.here.author)
        await ada.settle()
        disguised = guest_of(ada, 3, "Cleo")
        await by_link(ada, disguised, watch=watch)
        assert names(ada) == {"Ada": False} and room_of(disguised).state is None
        host.let_in(disguised.here.author)
        await ada.settle()
        assert names(ada) == names(disguised) == {"Ada": False, "Cleo": watch}

    run(story())


async def pretender(host: Device, number: int = 4, *, name: str = "Ada") -> Device:
    """Somebody who has the link of ``host`` and says that the room there is theirs."""
    device = guest_of(host, number, name)
    rendezvous = Rendezvous.from_token(read_link(host.rooms.link()).code, watch=False)
    await device.rooms.open_transport(rendezvous=rendezvous, servers=host.rooms.servers)
    device.rooms.enter(Room.open(device.net, name, ONE_DEAL, {}, chairs(device.here.author), rendezvous=rendezvous))
    return device


@pytest.mark.parametrize("is_host_first", [False, True])
def test_nobody_else_who_has_the_link_is_taken_for_its_host(is_host_first: bool) -> None:
    async def story() -> None:
        ada = await far_host()
        mallory = await pretender(ada)
        bo = guest_of(ada, 2, "Bo")
        late = ada if is_host_first else mallory
        ada.town.cut(late.here.author, bo.here.author)
        await by_link(ada, bo)
        assert (room_of(bo).state is not None) == (not is_host_first)
        ada.town.heal(late.here.author, bo.here.author)
        await ada.settle()
        assert names(ada) == names(bo) == {"Ada": False, "Bo": False}
        assert room_of(bo).state.host == ada.here.author  # type: ignore[union-attr]

    run(story())


def test_who_comes_by_the_link_when_its_host_is_gone_says_whether_to_go_to_somebody_else() -> None:
    async def story() -> None:
        ada = await far_host()
        bo, cleo = guest_of(ada, 2, "Bo"), guest_of(ada, 3, "Cleo")
        content = read_link(await by_link(ada, bo))
        ada.town.leave(ada.net)
        room_of(bo).take_over()
        rendezvous = Rendezvous.from_token(content.code, watch=False).led_to(content.fields["of"])
        await cleo.rooms.join_by_link(rendezvous, ada.rooms.servers)
        await bo.settle()
        room = room_of(cleo)
        assert room.state is None and set(room.stand_ins) == {bo.here.author} and not room.is_host_met
        room.follow_stand_in(bo.here.author)
        await bo.settle()
        assert names(cleo) == names(bo) == {"Bo": False, "Cleo": False}

    run(story())


def test_a_host_that_is_a_guest_now_says_who_keeps_the_room() -> None:
    async def story() -> None:
        ada = await far_host()
        bo, cleo = guest_of(ada, 2, "Bo"), guest_of(ada, 3, "Cleo")
        content = read_link(await by_link(ada, bo))
        ada.rooms.leave()
        room_of(bo).take_over()
        await by_link(bo, ada)
        rendezvous = Rendezvous.from_token(content.code, watch=False).led_to(content.fields["of"])
        await cleo.rooms.join_by_link(rendezvous, ada.rooms.servers)
        await bo.settle()
        assert names(cleo) == names(bo) == names(ada) == {"Bo": False, "Ada": False, "Cleo": False}

    run(story())


def test_the_device_that_the_link_names_lets_in_also_once_it_has_named_another_host() -> None:
    """That one is gone before it has answered, and the room is hers again."""
    async def story() -> None:
        ada = await far_host()
        bo, cleo = guest_of(ada, 2, "Bo"), guest_of(ada, 3, "Cleo")
        content = read_link(await by_link(ada, bo))
        ada.rooms.leave()
        room_of(bo).take_over()
        await by_link(bo, ada)
        rendezvous = Rendezvous.from_token(content.code, watch=False).led_to(content.fields["of"])
        ada.town.cut(bo.here.author, cleo.here.author)
        await cleo.rooms.join_by_link(rendezvous, ada.rooms.servers)
        await ada.settle()
        assert room_of(cleo).state is None and room_of(cleo).expected_host == bo.here.author
        ada.town.leave(bo.net)
        room_of(ada).take_over()
        await ada.settle()
        assert names(cleo) == names(ada) == {"Ada": False, "Cleo": False}

    run(story())


def test_the_device_that_the_link_names_turns_nobody_away_from_another_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its page may be of another version by now, and who knocks waits at the new host's door."""
    async def story() -> None:
        ada = await far_host()
        bo, cleo = guest_of(ada, 2, "Bo"), guest_of(ada, 3, "Cleo")
        content = read_link(await by_link(ada, bo))
        ada.rooms.leave()
        room_of(bo).take_over()
        await by_link(bo, ada)
        ada.town.cut(bo.here.author, cleo.here.author)
        await cleo.rooms.join_by_link(Rendezvous.from_token(content.code, watch=False).led_to(content.fields["of"]),
                                      ada.rooms.servers)
        await ada.settle()
        room = room_of(cleo)
        assert room.state is None and room.expected_host == bo.here.author
        monkeypatch.setattr(cleo.net, "presence", lambda author: Presence.HERE)
        for said in (spell("no", why="refused"), spell("leave").replace('"v":', '"v":1')):
            room.receive(ada.here.author, said)
            assert not room.end_reason
        assert room.turned_away == "refused" and room.other_versions == {ada.here.author}

    run(story())


@pytest.mark.parametrize("names_host", [False, True])
@pytest.mark.parametrize("why", ["refused", "full"])
def test_who_comes_by_the_link_hears_that_it_is_not_taken_in(why: str, names_host: bool) -> None:
    """Of a link that names no host anybody there may say so: it is shown, and the page goes on looking."""
    async def story() -> None:
        ada = await far_host()
        bo, mallory = guest_of(ada, 2, "Bo"), await pretender(ada)
        content = read_link(ada.rooms.link())
        rendezvous = Rendezvous.from_token(content.code, watch=False)
        await bo.rooms.join_by_link(rendezvous.led_to(content.fields["of"]) if names_host else rendezvous, ada.rooms.servers)
        ada.town.sending.clear()
        room = room_of(bo)
        room_of(mallory).send(bo.here.author, "no", why=why)
        await ada.settle()
        assert (room.end_reason, room.turned_away) == ("", "" if names_host else why)
        room_of(ada).send(bo.here.author, "no", why=why)
        await ada.settle()
        assert (room.end_reason, room.turned_away) == ((why, "") if names_host else ("", why))

    run(story())


@pytest.mark.parametrize("reloaded", ["host", "guest", "both"])
def test_the_link_brings_back_whoever_reloads(reloaded: str) -> None:
    async def story() -> None:
        ada = await far_host()
        bo = guest_of(ada, 2, "Bo")
        link = await by_link(ada, bo)
        pages = {"host": ada, "guest": bo}
        for name in ("host", "guest") if reloaded == "both" else (reloaded,):
            ada.town.crash(pages[name].net)
            again = Device(ada.town, {"host": 1, "guest": 2}[name], pages[name].stored)
            again.settings = pages[name].settings
            pages[name] = again
        for name, page in pages.items():
            if name == reloaded or reloaded == "both":
                await page.rooms.resume()
        await ada.settle()
        assert names(pages["host"]) == names(pages["guest"]) == {"Ada": False, "Bo": False}
        assert pages["host"].rooms.link() == link
        for name, other in (("host", "guest"), ("guest", "host")):
            assert pages[name].net.connected_authors() == (pages[other].here.author,)

    run(story())


@pytest.mark.parametrize("watch", [False, True])
@pytest.mark.parametrize("first", ["host", "guest"])
def test_whoever_reloads_while_the_host_is_not_there_goes_on_looking_by_the_rooms_id(watch: bool, first: str) -> None:
    async def story() -> None:
        ada = await far_host()
        bo = guest_of(ada, 2, "Bo")
        with pytest.raises(KeyError):
            await bo.rooms.resume("ab" * 16)
        ada.town.crash(ada.net)
        link = await by_link(ada, bo, watch=watch)
        assert bo.rooms.room is not None
        assert bo.rooms.room.state is None
        looked_for = str(bo.net.room)  # type: ignore[attr-defined]
        assert read_link(link).code not in looked_for
        bo.town.crash(bo.net)
        bo, ada = Device(ada.town, 2, bo.stored), Device(ada.town, 1, ada.stored)
        ada.settings = FAR
        for page in (ada, bo) if first == "host" else (bo, ada):
            await page.rooms.resume(looked_for if page is bo else "")
            await page.settle()
        assert names(ada) == names(bo) == {"Ada": False, "Bo": watch}
        assert bo.rooms.servers == Servers.from_settings(FAR)
        assert bo.settings == Settings()  # what was agreed to for this room holds for no other

    run(story())


def test_whoever_stops_looking_keeps_the_room_of_before() -> None:
    async def story() -> None:
        ada = await far_host()
        bo = guest_of(ada, 2, "Bo")
        await bo.rooms.host(ONE_DEAL, {}, chairs)
        await bo.settle()
        ada.town.crash(ada.net)
        await by_link(ada, bo)
        bo.rooms.leave()
        await bo.settle()
        assert bo.rooms.room is None
        assert (await bo.rooms.resume()).hosting

    run(story())


def test_the_link_opened_again_leads_back_into_the_room() -> None:
    async def story() -> None:
        ada = await far_host()
        bo = guest_of(ada, 2, "Bo")
        await by_link(ada, bo)
        room = bo.rooms.room
        await by_link(ada, bo)
        assert bo.rooms.room is room
        later = guest_of(ada, 2, "Bo", bo.stored)
        ada.town.crash(bo.net)
        await by_link(ada, later)
        assert names(later) == {"Ada": False, "Bo": False}

    run(story())


def test_the_link_opened_in_another_tab_says_so_and_takes_nothing_away() -> None:
    async def story() -> None:
        ada = await far_host()
        bo = guest_of(ada, 2, "Bo")
        link = await by_link(ada, bo)
        tab = guest_of(ada, 2, "Bo", bo.stored)
        tab.locks = bo.locks
        for _ in range(2):
            with pytest.raises(Unreachable, match="other_tab"):
                await by_link(ada, tab)
        with pytest.raises(Unreachable, match="other_tab"):
            await tab.rooms.resume()
        assert tab.rooms.transport is None and bo.town.nets[bo.here.author] is bo.net
        assert names(ada) == names(bo) == {"Ada": False, "Bo": False}
        bo.rooms.leave()
        await ada.settle()
        assert await by_link(ada, tab) == link
        assert names(tab) == {"Ada": False, "Bo": False}
        tab.rooms.leave()
        await ada.settle()
        await by_link(ada, bo)
        assert names(bo) == {"Ada": False, "Bo": False}

    run(story())


def test_the_button_of_a_link_that_is_tapped_again_while_the_page_is_slow_leads_into_the_same_room() -> None:
    """The worker may take seconds: a second tap must not take the first one for another tab."""
    async def story() -> None:
        ada = await far_host()
        bo = guest_of(ada, 2, "Bo")
        taps = [asyncio.ensure_future(by_link(ada, bo)) for _ in range(3)]
        await asyncio.gather(*taps)
        assert names(bo) == names(ada) == {"Ada": False, "Bo": False}
        assert len({id(room) for room in bo.entered}) == 1

    run(story())


@pytest.mark.parametrize("also", ["the room", "the table"])
def test_a_page_that_is_loaded_anew_at_a_table_and_left_for_another_screen_takes_itself_for_no_other_tab(also: str) -> None:
    async def story() -> None:
        ada, bo = await playing()
        match = hash_of(bo.geneses[0])
        ada.town.leave(bo.net)
        again = Device(ada.town, 2, bo.stored)
        finding = asyncio.ensure_future(again.rooms.transport_for(match))
        await asyncio.sleep(0)
        if also == "the room":
            room = await again.rooms.resume()
            assert again.rooms.room is room
        else:
            assert await again.rooms.transport_for(match) is again.rooms.transport
        assert await finding is again.rooms.transport and len(again.entered) == 1

    run(story())


class SlowLocks(SingleTab):
    """As in a browser: what was asked for comes, also if nobody waits for it any more."""

    async def claim_room(self, room: str) -> bool:
        is_free = await super().claim_room(room)
        await asyncio.sleep(0.01)
        return is_free


def test_a_screen_that_is_left_while_the_links_are_claimed_leaves_no_claim_behind_that_shuts_this_tab_out() -> None:
    async def story() -> None:
        ada = await far_host()
        bo = guest_of(ada, 2, "Bo")
        bo.locks = SlowLocks()
        rendezvous = Rendezvous.from_token(read_link(ada.rooms.link()).code, watch=False)
        looking = asyncio.ensure_future(bo.rooms.find_device(rendezvous, ada.rooms.servers, ada.here.author))
        while not bo.locks.rooms:
            await asyncio.sleep(0)
        looking.cancel()
        await asyncio.sleep(0)
        assert (await bo.rooms.find_device(rendezvous, ada.rooms.servers, ada.here.author))[0] == ada.here.author

    run(story())


def test_links_that_were_on_their_way_when_another_room_was_opened_hold_nothing() -> None:
    async def story() -> None:
        ada, bo = await playing()
        match = hash_of(bo.geneses[0])
        ada.town.leave(bo.net)
        again = Device(ada.town, 2, bo.stored)
        finding = asyncio.ensure_future(again.rooms.transport_for(match))
        await asyncio.sleep(0)
        await again.rooms.host(ONE_DEAL, {}, chairs)
        await finding
        assert again.locks.rooms == {again.net.room}  # type: ignore[attr-defined]
        assert (await again.rooms.transport_for(match)).room == bo.net.room  # type: ignore[attr-defined]

    run(story())


def test_a_code_answered_in_another_tab_says_so() -> None:
    async def story() -> None:
        ada, bo = await met()
        tab = Device(ada.town, 2, bo.stored)
        tab.locks = bo.locks
        with pytest.raises(Unreachable, match="other_tab"):
            await tab.rooms.answer((await ada.rooms.invite()).link)

    run(story())


def test_nothing_is_met_through_relays_before_somebody_agrees() -> None:
    async def story() -> None:
        ada = Device(FakeTown(), 1)
        ada.rooms.set_name("Ada")
        await ada.rooms.host(ONE_DEAL, {}, chairs)
        assert ada.rooms.link() == ""
        await ada.rooms.invite()
        await ada.settle()
        assert not ada.town.topics
        ada.rooms.agree()
        await ada.settle()
        assert ada.settings.relay and ada.settings.stun
        assert len(ada.town.topics) == 1
        assert Servers.from_link(read_link(ada.rooms.link()).fields) == Servers.from_settings(ada.settings)
        assert "stun" not in ada.rooms.link()

    run(story())


def test_the_helpers_of_a_link_hold_for_its_room_alone() -> None:
    async def story() -> None:
        ada = await far_host()
        bo = guest_of(ada, 2, "Bo")
        await by_link(ada, bo)
        assert bo.rooms.servers == Servers.from_settings(FAR)
        assert bo.settings == Settings()
        await bo.rooms.invite(watch=True)
        assert bo.rooms.servers == Servers.from_settings(FAR)

    run(story())


def test_ones_own_invite_is_refused_and_the_room_stays() -> None:
    async def story() -> None:
        ada = Device(FakeTown(), 1)
        await ada.rooms.host(ONE_DEAL, {}, chairs)
        link = (await ada.rooms.invite()).link
        with pytest.raises(BadCode) as refusal:
            await ada.rooms.answer(link)
        assert refusal.value.key == "peers.code.own"
        assert ada.rooms.room is not None
        assert ada.rooms.room.inside

    run(story())


def test_a_reply_from_another_tab_is_taken_where_it_is_waited_for() -> None:
    async def story() -> None:
        town = FakeTown()
        ada, bo = Device(town, 1), Device(town, 2)
        await ada.rooms.host(ONE_DEAL, {}, chairs)
        assert not ada.rooms.exchange.taken("reply")
        reply = await bo.rooms.answer((await ada.rooms.invite()).link)
        arrived: list[str] = []
        ada.rooms.on_guest = arrived.append
        joining = asyncio.ensure_future(bo.rooms.join())
        assert ada.rooms.exchange.taken(reply)
        await joining
        await ada.settle()
        assert arrived == [bo.here.author]

    run(story())


def test_a_page_that_was_closed_goes_back_to_its_room() -> None:
    async def story() -> None:
        ada, bo = await met()
        assert await bo.rooms.remembered_room() is not None
        ada.town.leave(bo.net)
        again = Device(ada.town, 2, bo.stored)
        room = await again.rooms.resume()
        ada.town.link(ada.net, again.net)
        await ada.settle()
        assert room.inside
        assert ada.rooms.room is not None
        assert room.state == ada.rooms.room.state
        again.rooms.leave()
        assert await again.rooms.remembered_room() is None

    run(story())


@pytest.mark.parametrize(("seconds", "is_known"), [(-3600, True), (3600, True), (-2 * LIFE, False), (2 * LIFE, False)])
def test_a_clock_that_is_set_takes_nobody_out_of_the_room(seconds: int, is_known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        ada, bo = await met()
        ada.town.leave(bo.net)
        monkeypatch.setattr(memory, "time", lambda: time() + seconds)
        assert (await Device(ada.town, 2, bo.stored).rooms.remembered_room() is not None) == is_known

    run(story())


def test_a_damaged_memory_counts_as_missing() -> None:
    for text in ("", "{", "[]", '{"at": 0}', '{"at": 1e18, "room": "x", "state": {}, "watching": false}'):
        device = Device(FakeTown(), 1, {"tabletin.room": text})
        assert run(device.rooms.remembered_room()) is None


CODE_REASONS = ("empty", "damaged", "version", "form", "kind", "used", "expired", "own", "of_another")
LINK_REASONS = ("no_webrtc", "no_candidate", "no_path", "closed", "other_tab")


@pytest.mark.parametrize("failure", [*map(BadCode, CODE_REASONS), *map(Unreachable, LINK_REASONS), NoCamera("denied"),
                                     NoCamera("none"), StorageFailed("shell.storage.blocked")], ids=lambda one: one.key)
def test_whatever_fails_here_has_words(failure: Failure) -> None:
    assert isinstance(failure, Failure)
    assert failure.key == failure.refusal.key and failure.key in load("en")


def test_a_reply_from_another_tab_that_cannot_be_used_is_said() -> None:
    async def story() -> None:
        ada = Device(FakeTown(), 1)
        await ada.rooms.host(ONE_DEAL, {}, chairs)
        await ada.rooms.invite()
        assert ada.rooms.exchange.taken("nonsense")
        await ada.settle()
        assert len(ada.troubles) == 1 and ada.troubles[0].startswith("peers.code.")
        assert ada.rooms.invites, "another reply may be tried"

    run(story())
