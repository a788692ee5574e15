"""Signaling through relays: guests find the host, whoever is gone comes back, and all is quiet while nobody is missing."""

from __future__ import annotations

import json
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.peers.net.diagnosis import ENOUGH_REPLIES
from tabletin.peers.net.link import Signal
from tabletin.peers.net.mesh_state import MOST_NEIGHBOURS, MOST_PATIENCE, PATIENCE
from tabletin.peers.net.transport import ROOM, Presence
from tests.support.mesh_sim import Air, Device


def met(air: Air, count: int) -> list[Device]:
    """A host and guests who found it through the relays."""
    host, *guests = devices = air.devices(count)
    host.use_relays(seeks=False)
    for guest in guests:
        guest.use_relays()
    air.run(10 + 2 * count)
    return devices


def linked(devices: list[Device]) -> bool:
    return all(one.mesh.presence(other.author) is Presence.HERE for one in devices for other in devices if one is not other)


@pytest.mark.parametrize("count", [2, 3, 6, 10])
@pytest.mark.parametrize("seed", range(4))
def test_guests_find_the_host_and_each_other(count: int, seed: int) -> None:
    devices = met(Air(seed), count)
    assert linked(devices)
    assert not any(device.mesh.state.troubles for device in devices)


def test_a_host_alone_says_nothing_and_a_guest_asks_ever_more_seldom() -> None:
    air = Air(1)
    host, guest = air.devices(2)
    host.use_relays(seeks=False)
    air.run(600)
    assert air.published == []
    air.unheard.add(host)
    air.unheard.add(guest)
    guest.use_relays()
    air.run(600)
    assert 25 <= len(air.published) <= 40


def test_a_guest_waits_for_a_host_that_comes_hours_later() -> None:
    air = Air(2)
    host, guest = air.devices(2)
    guest.use_relays()
    air.run(7200)
    host.use_relays(seeks=False)
    air.run(30)
    assert linked([host, guest])


def test_whoever_looks_for_one_device_is_not_content_with_another() -> None:
    air = Air(5)
    _, there, seeker = air.devices(3)
    there.use_relays()
    seeker.use_relays()
    air.run(6)
    found = seeker.mesh.findings
    assert found().is_heard and found(there.author[:16]).is_heard
    assert not found("0" * 16).is_heard


def test_relays_are_quiet_while_nobody_is_missing() -> None:
    air = Air(3)
    devices = met(air, 3)
    said = len(air.published)
    air.run(300)
    assert linked(devices)
    assert len(air.published) == said


@pytest.mark.parametrize("can_redeem", [False, True])
@pytest.mark.parametrize("gone", [(0,), (1,), (0, 1)])
def test_whoever_reloads_or_is_killed_comes_back_within_ten_seconds(gone: tuple[int, ...], can_redeem: bool) -> None:
    for seed in range(6):
        air = Air(seed, can_redeem=can_redeem)
        devices = met(air, 2)
        for number in gone:
            (air.leave if seed % 2 else air.crash)(devices[number])
        air.run(1)
        for number in gone:
            devices[number].begin()
        air.run(10)
        assert linked(devices)


@pytest.mark.parametrize("gone", [0, 1])
def test_calls_to_a_page_that_is_gone_do_not_keep_the_next_one_waiting(gone: int) -> None:
    for seed in range(8):
        air = Air(seed)
        devices = met(air, 2)
        (air.leave if seed % 2 else air.crash)(devices[gone])
        air.run(7)  # a page takes its time to start, and is called meanwhile
        devices[gone].begin()
        air.run(4)
        assert linked(devices)


@pytest.mark.parametrize("moved", [0, 1])
def test_a_repair_that_went_down_with_a_socket_is_tried_again_at_once(moved: int) -> None:
    for seed in range(8):
        air = Air(seed, can_redeem=False)
        devices = met(air, 2)
        one = devices[moved]
        air.sever(*devices)
        one.has_relay = False  # its sockets only seem open
        air.unheard.add(one)
        air.run(6)
        air.unheard.discard(one)
        one.use_relays()
        air.run(4)
        assert linked(devices)


@pytest.mark.parametrize("dead_for", [0.3, 0.9, 2.5])
def test_a_repair_that_came_while_no_socket_was_open_is_begun_anew_once_one_is(dead_for: float) -> None:
    for seed in range(16):
        air = Air(seed, can_redeem=False)
        smaller, larger = sorted(met(air, 2), key=lambda device: device.author)
        air.sever(smaller, larger)
        while not any(link.signal is Signal.MEND for link in smaller.mesh.state.links.values()):
            air.run(0.02)
            if smaller.mesh.state.time - smaller.mesh.state.neighbours[larger.author].heard_at > 4.0:
                larger.has_relay = False  # with the address that its network had before
                larger.mesh.leave_relays()
        air.run(dead_for)
        larger.use_relays()
        air.run(2.5)
        assert linked([smaller, larger])


@pytest.mark.parametrize("since_heard", [0, 60])
def test_a_repair_that_both_agreed_on_in_vain_does_not_keep_a_new_link_waiting(since_heard: float) -> None:
    for seed in range(8):
        air = Air(seed, can_redeem=False)
        devices = met(air, 2)
        air.run(since_heard)
        air.can_mend = False
        air.sever(*devices)
        air.run(12)
        assert linked(devices)


def test_a_repair_that_works_makes_no_new_link() -> None:
    for seed in range(8):
        air = Air(seed, can_redeem=False)
        devices = met(air, 2)
        links = [set(device.mesh.state.links) for device in devices]
        for _ in range(2):
            air.sever(*devices)
            air.run(30)
            assert linked(devices)
        assert [set(device.mesh.state.links) for device in devices] == links


@pytest.mark.parametrize("describing", [0.0, 1.0, 2.0])
def test_a_repair_whose_answer_takes_its_time_is_not_begun_anew(describing: float) -> None:
    for seed in range(16):
        air = Air(seed, can_redeem=False)
        devices = met(air, 2)
        links = [set(device.mesh.state.links) for device in devices]
        air.sever(*devices)
        before = len(air.published)
        air.describing = describing
        air.run(14 + 2 * describing)
        assert linked(devices)
        repairs = [message["from"] for message in map(json.loads, air.published[before:]) if message.get("k") == "mend"]
        assert len(repairs) == len(set(repairs))
        assert [set(device.mesh.state.links) for device in devices] == links


def test_a_path_that_broke_is_mended_through_the_relays() -> None:
    for seed in range(6):
        air = Air(seed, can_redeem=False)
        anna, ben = met(air, 2)
        air.cut(anna, ben)
        anna.send(ben.author, ROOM, "said meanwhile")
        air.run(30)
        assert anna.mesh.presence(ben.author) is Presence.AWAY
        assert not anna.mesh.lost_authors()
        air.heal(anna, ben)
        air.run(20)
        assert linked([anna, ben])


def test_neighbours_carry_where_one_device_hears_no_relay() -> None:
    air = Air(5)
    anna, ben, cleo = met(air, 3)
    air.unheard.add(ben)
    air.drop(ben, cleo)
    air.run(15)
    assert linked([anna, ben, cleo])


def test_refused_devices_get_no_link() -> None:
    air = Air(6)
    host, guest = air.devices(2)
    host.use_relays(seeks=False)
    host.mesh.refuse(guest.author)
    guest.use_relays()
    air.run(60)
    assert not host.mesh.connected_authors()
    host.mesh.admit(guest.author)
    air.run(30)
    assert linked([host, guest])


def test_a_message_names_nothing_but_keys_and_descriptions() -> None:
    air = Air(7)
    met(air, 3)
    for one, other in combinations({json.dumps(sorted(json.loads(text))) for text in air.published}, 2):
        assert one != other
    assert {tuple(sorted(json.loads(text))) for text in air.published} == {
        ("ask", "from", "missed", "page", "t"), ("c", "d", "from", "k", "n", "t", "to")}


values = st.none() | st.booleans() | st.integers() | st.text(max_size=80) | st.lists(st.text(max_size=5), max_size=3)
words = st.sampled_from(("here", "signal", "offer", "answer", "mend", "mended", "stale", "nobody", "more", "ab" * 32, "cd" * 32))
messages = st.dictionaries(st.sampled_from(("t", "from", "to", "page", "ask", "k", "c", "d", "n")), values | words)


@given(st.lists(st.text(max_size=60) | messages.map(json.dumps), max_size=40))
def test_anything_from_a_relay_is_read_or_counted(texts: list[str]) -> None:
    air = Air(8)
    host, guest = air.devices(2)
    host.use_relays(seeks=False)
    for text in texts:
        host.relayed(text.replace("cd" * 32, host.author))
    air.run(1)
    guest.use_relays()
    air.run(40)
    assert linked([host, guest])


def test_a_flood_is_bounded() -> None:
    air = Air(9)
    (host,) = air.devices(1)
    host.use_relays(seeks=False)
    for number in range(5000):
        host.relayed(json.dumps({"t": "here", "from": f"{number:064x}", "page": "x", "ask": True}))
        host.relayed(json.dumps({"t": "signal", "from": f"{number:064x}", "to": host.author, "k": "offer", "c": "1", "d": "x",
                                 "n": ""}))
    assert host.mesh.state.troubles["relay flood"] > 9000
    assert len(host.mesh.state.neighbours) <= MOST_NEIGHBOURS
    assert len(host.mesh.state.links) <= 60


@pytest.mark.parametrize("by_code", [False, True])
def test_devices_that_there_are_not_keep_nobody_out(by_code: bool) -> None:
    """Who holds the link says that ever new ones are there; or a neighbour does, as those that it hears."""
    air = Air(9)
    host, guest = air.devices(2)
    host.use_relays(seeks=False)
    for number in range(2 * MOST_NEIGHBOURS):
        host.relayed(json.dumps({"t": "here", "from": f"{number:064x}", "page": "x", "ask": False}))
    assert len(host.mesh.state.neighbours) == MOST_NEIGHBOURS
    air.run(20)
    if by_code:
        air.introduce(host, guest)
    else:
        guest.use_relays()
    air.run(20)
    assert linked([host, guest]) and len(host.mesh.state.neighbours) <= MOST_NEIGHBOURS


@pytest.mark.parametrize("slow", [{"relaying": 8.0}, {"relaying": 16.0}, {"describing": 15.0}, {"finding": 20.0},
                                  {"signing": 15.0},
                                  {"relaying": 5.0, "describing": 10.0, "finding": 20.0, "signing": 5.0}])
@pytest.mark.parametrize("can_redeem", [False, True])
def test_slow_devices_find_each_other_and_back_again(slow: dict[str, float], can_redeem: bool) -> None:
    """No try takes less time than the first allows. Each is given longer, so that one comes to its end."""
    for seed in range(2):
        air = Air(seed, can_redeem=can_redeem)
        for name, seconds in slow.items():
            setattr(air, name, seconds)
        host, guest = devices = air.devices(2)
        host.use_relays(seeks=False)
        guest.use_relays()
        air.run(300)
        assert linked(devices)
        for gone in ([guest], [host], devices):
            for device in gone:
                air.leave(device)
            air.run(20)
            for device in gone:
                device.begin()
            air.run(300)
            assert linked(devices)


def test_a_call_that_makes_progress_is_not_given_up() -> None:
    for seed in range(4):
        air = Air(seed)
        air.relaying, air.describing, air.finding, air.opening, air.signing = 2.0, 3.0, 8.0, 10.0, 10.0
        devices = air.devices(2)
        for device in devices:
            device.use_relays()
        air.run(90)
        assert linked(devices)
        callers = [message["from"] for message in map(json.loads, air.published) if message.get("k") == "offer"]
        assert len(callers) == len(set(callers))


@pytest.mark.parametrize("network_lets_in", [True, False])
def test_nothing_is_said_against_a_network_before_a_call_was_answered_and_given_time(network_lets_in: bool) -> None:
    for seed in range(4):
        air = Air(seed)
        air.relaying = 8.0  # the answer to the first call comes too late, and names addresses
        devices = air.devices(2)
        if not network_lets_in:
            air.cut(*devices)
        for device in devices:
            device.use_relays()
        for _ in range(60):
            air.run(1)
            found = [device.mesh.findings() for device in devices]
            assert not network_lets_in or not any(one.calls or one.replies >= ENOUGH_REPLIES for one in found)
        air.run(60)
        assert linked(devices) == network_lets_in == (not any(device.mesh.findings().calls for device in devices))


def test_a_page_that_tried_all_night_tries_on_and_a_new_network_begins_anew() -> None:
    air = Air(1)
    host, guest = devices = air.devices(2)
    for device in devices:
        device.use_relays()
    air.run(30)
    known = guest.mesh.state.neighbours[host.author]
    known.tries = 10_000
    tried = guest.mesh.state.try_link(host.author)
    assert tried is not None and tried.patience == MOST_PATIENCE
    guest.mesh.network_changed()
    tried = guest.mesh.state.try_link(host.author)
    assert tried is not None and tried.patience == PATIENCE
