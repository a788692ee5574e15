"""Two houses with a router each, and one link: to the first card, and back again after anything.

Each test says how long it took.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable

import pytest

from tests.networks.houses import SERVERS, Internet, Nat
from tests.networks.meetings import Browse, all_here, clock, deal, expect_away, invite, reload, start
from tests.networks.programs import Program, Servers
from tests.support.examples import ONE_DEAL


@pytest.mark.parametrize("nat", [Nat.PRESERVING, pytest.param(Nat.CHANGING, marks=pytest.mark.wide), Nat.SYMMETRIC],
                         ids=lambda nat: nat.name.lower())
def test_one_link_to_the_first_card_and_back_after_anything(internet: Internet, servers: Servers, browse: Browse,
                                                            nat: Nat) -> None:
    here, there = internet.house(nat), internet.house(nat)
    ada = browse(here.device(), servers.settings(turn=nat is Nat.SYMMETRIC))
    bo = browse(there.device())
    start(ada, bo)
    print(f"\n{nat.name.lower()}", end="")
    deal(ada, bo, invite(ada), servers)
    assert (servers.allocations > 0) == (nat is Nat.SYMMETRIC)
    for who, pages in (("guest", (bo,)), ("host", (ada,)), ("both", (ada, bo))):
        all_here(ada, bo)
        reload(*pages)
        with clock(f"reload by {who}", servers):
            all_here(*pages)
            all_here(ada, bo)
    changes = [("the guest's router has a new address", lambda: there.renew("203.0.2.77"))]
    if nat is not Nat.SYMMETRIC:  # a TURN server lets in every port of an address, so nobody is missed
        changes.append(("the guest's router forgot its ports", there.forget))
    for what, change in changes:
        with clock(what, servers):
            expect_away(change, ada, bo)
            all_here(ada, bo)


@pytest.mark.parametrize("blocks", ["guest", pytest.param("both", marks=pytest.mark.wide)])
def test_where_udp_is_blocked_a_turn_server_is_asked_by_tcp_without_a_word(
        internet: Internet, servers: Servers, browse: Browse, started: Callable[..., Program], blocks: str) -> None:
    here, there = internet.house(Nat.PRESERVING), internet.house(Nat.PRESERVING)
    there.block_udp()
    if blocks == "both":
        here.block_udp()
    device = there.device()
    watch = started(device, "watch", "eth0")
    ada, bo = browse(here.device(), servers.settings(turn=True)), browse(device)
    start(ada, bo)
    print(f"\nUDP blocked at {blocks}", end="")
    deal(ada, bo, invite(ada), servers)
    assert f"{SERVERS} tcp 3478" in watch.lines
    for who, page in (("guest", bo), ("host", ada)):
        reload(page)
        with clock(f"reload by {who}", servers):
            all_here(page)
            all_here(ada, bo)


def test_the_relays_get_to_see_nothing_of_people_game_addresses_or_keys(internet: Internet, servers: Servers,
                                                                        browse: Browse) -> None:
    here, there = internet.house(Nat.PRESERVING), internet.house(Nat.PRESERVING)
    ada, bo = browse(here.device(), servers.settings()), browse(there.device())
    start(ada, bo)
    link = invite(ada)
    deal(ada, bo, link, servers)
    for relay in servers.relays:
        events = [json.loads(line) for line in relay.lines]
        assert events
        sealed = [b64decode(event["content"]) for event in events]
        seen = "".join(relay.lines) + "".join(data.decode("latin-1") for data in sealed)
        for told in ("Adelheid", "Bonifaz", ONE_DEAL, "offer", "candidate", "fingerprint", here.address, there.address,
                     "192.168.", ".local", SERVERS, link.partition("#meet=")[2][:22]):
            assert told not in seen
        assert {len(data) % 512 for data in sealed} == {28}  # nonce and tag; the rest is padded
