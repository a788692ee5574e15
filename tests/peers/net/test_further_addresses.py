"""Addresses that a device finds after its description has gone: they follow the same way, and reach the link they are for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tabletin.peers.net.code import Candidate, Description
from tabletin.peers.net.effects import Extend
from tabletin.peers.net.link import Link, LinkStage, Signal
from tests.support.mesh_sim import Air, Device


def found(kind: str = "relay", number: int = 1) -> str:
    """A description with one address, which a browser found late."""
    return Description("abcd", "a" * 24, bytes(32), (Candidate(f"192.0.2.{number}", 5000, kind),)).to_text()


def calls(device: Device) -> list[Link]:
    """Links of ``device`` whose descriptions are on their way."""
    return [link for link in device.mesh.state.links.values() if link.stage is LinkStage.CALLING and link.exchange]


def until_called(air: Air, devices: list[Device]) -> Device:
    """Let time pass until one of them calls; which."""
    for _ in range(1000):
        for device in devices:
            if calls(device):
                return device
        air.run(0.02)
    raise AssertionError("nobody calls")


def tell(device: Device, *texts: str) -> None:
    for text in texts:
        device.mesh.addresses_found(calls(device)[0].id, text)
        device.perform()


def by_relays(air: Air) -> tuple[Device, Device]:
    """A host and a guest who looks for it; the one that calls comes first."""
    host, guest = air.devices(2)
    host.use_relays(seeks=False)
    guest.use_relays()
    caller = until_called(air, [host, guest])
    return caller, guest if caller is host else host


def by_neighbour(air: Air) -> tuple[Device, Device]:
    """Two who lack a link, and a third whom both hear."""
    one, two, _ = devices = air.mesh(3)
    air.drop(one, two)
    caller = until_called(air, devices[:2])
    return caller, two if caller is one else one


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("begin", [by_relays, by_neighbour], ids=lambda begin: begin.__name__)
def test_they_reach_the_link_that_answers_also_before_its_offer(begin: Callable[[Air], tuple[Device, Device]], seed: int) -> None:
    air = Air(seed, can_redeem=False)
    caller, other = begin(air)
    exchange = calls(caller)[0].exchange
    tell(caller, found())
    air.run(8)
    answering = [link.id for link in other.mesh.state.links.values() if link.exchange == exchange]
    assert other.extensions == [(link, found()) for link in answering]
    assert len(answering) == 1
    assert not any(device.mesh.state.troubles for device in (caller, other))


@pytest.mark.parametrize("seed", range(12))
def test_those_of_the_answering_side_reach_the_caller_also_before_its_answer(seed: int) -> None:
    air = Air(seed, can_redeem=False)
    caller, other = by_relays(air)
    until_called(air, [other])
    tell(other, found(number=7))
    link = calls(caller)[0].id
    air.run(8)
    assert caller.extensions == [(link, found(number=7))]


def mending(device: Device) -> list[Link]:
    """Links that ``device`` mends, or helps to mend."""
    return [link for link in device.mesh.state.links.values() if link.signal in (Signal.MEND, Signal.MENDED)]


@pytest.mark.parametrize("seed", range(12))
def test_they_reach_a_link_that_is_mended_also_before_the_repair(seed: int) -> None:
    air = Air(seed, can_redeem=False)
    one, two = air.devices(2)
    one.use_relays(seeks=False)
    two.use_relays()
    air.run(8)
    air.sever(one, two)
    while not (mending(one) or mending(two)):
        air.run(0.02)
    first, other = (one, two) if mending(one) else (two, one)
    first.mesh.addresses_found(mending(first)[0].id, found())
    first.perform()
    exchange = mending(first)[0].exchange
    while not mending(other):
        air.run(0.02)
    air.run(1)
    assert mending(other)[0].exchange == exchange
    assert other.extensions == [(mending(other)[0].id, found())]


def test_they_count_when_a_device_says_what_stands_in_the_way() -> None:
    air = Air(3)
    caller, other = by_relays(air)
    tell(caller, found("srflx"), found("relay", 2))
    air.run(3)
    assert caller.mesh.state.neighbours[other.author].own_kinds == {"srflx", "relay"}
    assert other.mesh.state.neighbours[caller.author].their_kinds == {"srflx", "relay"}


def test_nobody_else_adds_addresses_to_a_link() -> None:
    air = Air(4, can_redeem=False)
    one, two, three = air.mesh(3)
    air.drop(one, two)
    caller = until_called(air, [one, two])
    other = two if caller is one else one
    exchange = calls(caller)[0].exchange
    for call in (exchange, "", "nothing"):
        caller.mesh._signaling.receive(other.author, {"from": three.author, "k": "more", "c": call, "d": found(), "n": ""})
    assert not any(isinstance(effect, Extend) for effect in caller.mesh.state.effects)
