"""The houses are what they claim to be: what each router does to ports, lets out and keeps out. No browser is needed."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.networks.houses import SERVERS, Internet, Nat, Space
from tests.networks.program import question
from tests.networks.programs import Program, answer

PORTS = ("5001", "5002", "5003")
OWN_PORT = 40_404
SOCKETS = 300
LEAST_PORT = 1024


def seen(device: Space) -> list[tuple[str, int]]:
    """From where the servers see what one socket of ``device`` says to each of them."""
    return [tuple(json.loads(line)) if line else ("", 0) for line in answer(device, "ask", str(OWN_PORT), SERVERS, *PORTS)]


def ports_of_sockets(device: Space) -> list[int]:
    """The ports from which the servers see new sockets of ``device``."""
    return [json.loads(line)[1] for line in answer(device, "sockets", str(SOCKETS), SERVERS, PORTS[0])]


def test_routers_write_ports_anew_each_in_its_way(internet: Internet, started: Callable[..., Program]) -> None:
    started(internet.servers, "mirror", SERVERS, *PORTS)
    found = {nat: seen(internet.house(nat).device()) for nat in Nat}
    assert {address for ends in found.values() for address, _ in ends} == {"203.0.1.2", "203.0.2.2", "203.0.3.2"}
    preserving, changing, symmetric = ({port for _, port in found[nat]} for nat in Nat)
    assert preserving == {OWN_PORT}
    assert len(changing) == 1
    assert changing != preserving
    assert len(symmetric) == len(PORTS)


def test_no_router_takes_a_port_that_browsers_do_not_call(internet: Internet, started: Callable[..., Program]) -> None:
    started(internet.servers, "mirror", SERVERS, *PORTS)
    for nat in Nat:
        house = internet.house(nat)
        device = house.device()
        before = ports_of_sockets(device)
        house.forget()
        after = ports_of_sockets(device)
        assert len(before) > SOCKETS * 0.9 < len(after)
        assert min(before + after) >= LEAST_PORT


def test_a_new_address_is_used_at_once(internet: Internet, started: Callable[..., Program]) -> None:
    started(internet.servers, "mirror", SERVERS, *PORTS)
    for nat in Nat:
        house = internet.house(nat)
        device = house.device()
        before = seen(device)
        house.renew(f"203.0.{house.number}.77")
        assert {address for address, _ in seen(device)} == {f"203.0.{house.number}.77"}
        assert {address for address, _ in before} == {f"203.0.{house.number}.2"}


def test_udp_may_be_blocked_and_nothing_comes_in_unasked(internet: Internet, started: Callable[..., Program]) -> None:
    here, there = internet.house(Nat.PRESERVING), internet.house(Nat.PRESERVING)
    device, other = here.device(), there.device()
    started(device, "mirror", "192.168.1.10", *PORTS)
    for address in (here.address, "192.168.1.10"):
        assert answer(other, "ask", str(OWN_PORT), address, PORTS[0]) == [""]
    assert answer(here.device(), "ask", str(OWN_PORT), "192.168.1.10", PORTS[0]) == [json.dumps(["192.168.1.11", OWN_PORT])]
    started(internet.servers, "mirror", SERVERS, *PORTS)
    assert seen(device)[0][0] == here.address
    here.block_udp()
    assert seen(device)[0] == ("", 0)


def test_a_watch_tells_what_leaves_the_house(internet: Internet, started: Callable[..., Program]) -> None:
    device = internet.house(Nat.PRESERVING).device()
    watch = started(device, "watch", "eth0")
    started(internet.servers, "mirror", SERVERS, *PORTS)
    seen(device)
    answer(device, "ask", str(OWN_PORT), SERVERS, "53")
    assert f"{SERVERS} asks for" in watch.lines
    assert {f"{SERVERS} udp {port}" for port in PORTS} <= set(watch.lines)


def test_a_watch_reads_which_name_is_asked_for() -> None:
    header = bytes(range(12))
    assert question(header + b"\x05relay\x07example\x00\x00\x01\x00\x01") == "relay.example"
    assert question(b"?") == ""
    assert question(header + b"\x05re") == "re"
