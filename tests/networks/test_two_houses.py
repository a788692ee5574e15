"""Two houses with a router each, and one link: to the first card, and back again after anything, and relays learn nothing of it.

Each test says how long it took.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable

import pytest

from tests.networks.houses import SERVERS, Internet, Nat
from tests.networks.meetings import Browse, all_here, clock, deal, go_on, invite, reload, start
from tests.networks.programs import CHROMIUM, FIREFOX, Program, Servers
from tests.support.examples import ONE_DEAL

pytestmark = pytest.mark.keeps_site


def name_of(value: Nat | str) -> str:
    """A row's name has the names of its values."""
    return value.name.lower() if isinstance(value, Nat) else value


def expect_nothing_told(relays: list[Program], secrets: tuple[str, ...]) -> None:
    """None of these words stands in what relays were given: it is sealed and of a few sizes."""
    for relay in relays:
        events = [json.loads(line) for line in relay.lines]
        assert events
        sealed = [b64decode(event["content"], validate=True) for event in events]
        # Not the content as it is spelled: a word of four letters stands in random Base64 once in a few million places.
        around = [json.dumps({**event, "content": ""}) for event in events]
        seen = "".join(around) + "".join(data.decode("latin-1") for data in sealed)
        assert [word for word in secrets if word in seen] == []
        assert {len(data) % 512 for data in sealed} == {28}  # nonce and tag; the rest is padded


@pytest.mark.parametrize(("nat", "host", "guest"), [
    (Nat.PRESERVING, CHROMIUM, FIREFOX),
    *(pytest.param(*row, marks=pytest.mark.wide) for row in (
        (Nat.PRESERVING, CHROMIUM, CHROMIUM), (Nat.PRESERVING, FIREFOX, CHROMIUM), (Nat.CHANGING, CHROMIUM, FIREFOX),
        (Nat.CHANGING, CHROMIUM, CHROMIUM), (Nat.SYMMETRIC, CHROMIUM, CHROMIUM), (Nat.SYMMETRIC, CHROMIUM, FIREFOX)))],
    ids=name_of)
def test_one_link_to_the_first_card_and_back_after_anything(internet: Internet, servers: Servers, browse: Browse,
                                                            nat: Nat, host: str, guest: str) -> None:
    here, there = internet.house(nat), internet.house(nat)
    ada = browse(here.device(), servers.settings(turn=nat is Nat.SYMMETRIC), host)
    bo = browse(there.device(), None, guest)
    start(ada, bo)
    print(f"\n{nat.name.lower()}, {host} and {guest}", end="")
    link = invite(ada)
    deal(ada, bo, link, servers)
    assert (servers.allocations > 0) == (nat is Nat.SYMMETRIC)
    for who, pages in (("guest", (bo,)), ("host", (ada,)), ("both", (ada, bo))):
        all_here(ada, bo)
        reload(*pages)
        with clock(f"reload by {who}", servers):
            all_here(*pages)
            all_here(ada, bo)
    with clock("the guest's router has a new address", servers):
        there.renew("203.0.2.77")  # where the two find each other by it within five seconds, nobody is missed
        go_on(ada, bo)
        all_here(ada, bo)
    with clock("the guest's router forgot its ports", servers):
        there.forget()  # who still gets through from the new ports misses nobody, as by a TURN server
        go_on(ada, bo)
        all_here(ada, bo)
    go_on(ada, bo)
    expect_nothing_told(servers.relays, ("Adelheid", "Bonifaz", ONE_DEAL, "offer", "candidate", "fingerprint", here.address,
                                         there.address, "192.168.", ".local", SERVERS, link.partition("#meet=")[2][:22]))


@pytest.mark.wide
@pytest.mark.parametrize("lies", [60, 5 * 60])
def test_a_link_leads_to_the_table_however_long_it_lay(internet: Internet, servers: Servers, browse: Browse, lies: int) -> None:
    ada = browse(internet.house(Nat.CHANGING).device(), servers.settings())
    bo = browse(internet.house(Nat.PRESERVING).device(), None, FIREFOX)
    start(ada, bo)
    link = invite(ada)
    bo.wait_for_timeout(lies * 1000)
    print(f"\nthe link lay {lies} s", end="")
    deal(ada, bo, link, servers)


@pytest.mark.parametrize(("blocks", "browser"), [
    ("guest", CHROMIUM), pytest.param("guest", FIREFOX, marks=pytest.mark.wide),
    pytest.param("both", CHROMIUM, marks=pytest.mark.wide)])
def test_where_udp_is_blocked_a_turn_server_is_asked_by_tcp_without_a_word(
        internet: Internet, servers: Servers, browse: Browse, started: Callable[..., Program], blocks: str,
        browser: str) -> None:
    here, there = internet.house(Nat.PRESERVING), internet.house(Nat.PRESERVING)
    there.block_udp()
    if blocks == "both":
        here.block_udp()
    device = there.device()
    watch = started(device, "watch", "eth0")
    ada, bo = browse(here.device(), servers.settings(turn=True)), browse(device, None, browser)
    start(ada, bo)
    print(f"\nUDP blocked at {blocks}, {browser}", end="")
    deal(ada, bo, invite(ada), servers)
    assert f"{SERVERS} tcp 3478" in watch.lines
    for who, page in (("guest", bo), ("host", ada)):
        reload(page)
        with clock(f"reload by {who}", servers):
            all_here(page)
            all_here(ada, bo)
