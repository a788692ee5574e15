"""Two houses with a router each, and one link: to the first card, and back again after anything.

Each test says how long it took. The clock runs from the moment at which the guest's page is there and the link is opened.
"""

from __future__ import annotations

import json
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from e2e.support.far import come, link_of
from e2e.support.rooms import expect_hand, hosted, playing, ready
from e2e.support.site import READY
from e2e.support.site import ready as page_ready
from tests.networks.houses import SERVERS, Internet, Nat
from tests.networks.programs import Servers
from tests.support.examples import ONE_DEAL

Browse = Callable[..., Page]
ALL_HERE = """() => {
    const peers = [...document.querySelectorAll("#peer-bar .peer")];
    return peers.length > 0 && peers.every((peer) => peer.classList.contains("here"));
}"""
WATCH = """() => {
    globalThis.wasAway = false;
    new MutationObserver(() => { globalThis.wasAway ||= document.querySelector("#peer-bar .peer:not(.here)") !== null; })
        .observe(document.body, { subtree: true, childList: true, attributes: true });
}"""


@contextmanager
def clock(what: str, servers: Servers) -> Iterator[None]:
    """Say how long ``what`` took, and when a relay heard something meanwhile."""
    begin = time.monotonic()
    yield
    whole = time.monotonic() - begin
    heard = " ".join(f"{at:.1f}" for at in servers.said_since(begin))
    print(f"\n  {what}: {whole:.1f} s (a relay heard something after {heard or 'nothing'})", end="", flush=True)


def invite(ada: Page) -> str:
    """A room of Ada's, and its link: she says where her friend is, and agrees."""
    hosted(ada, name="Adelheid")
    ada.get_by_role("button", name="Another house").click()
    ada.get_by_role("button", name="Agree and send the link").click()
    return link_of(ada)


def deal(ada: Page, bo: Page, link: str, servers: Servers) -> None:
    """Bo opens the link and is dealt to."""
    with clock("link to first cards", servers):
        with clock("link to room", servers):
            come(bo, link, "Bonifaz")
            for page in (ada, bo):
                expect(page.locator("#chairs")).to_contain_text("Bonifaz")
        for page in (ada, bo):
            ready(page)
        playing(ada, bo)
        for page in (ada, bo):
            expect_hand(page)


def all_here(*pages: Page) -> None:
    for page in pages:
        page.wait_for_function(ALL_HERE)


def reload(page: Page) -> None:
    page.reload()
    page.wait_for_function(READY)


@pytest.mark.parametrize("nat", list(Nat), ids=[nat.name.lower() for nat in Nat])
def test_one_link_to_the_first_card_and_back_after_anything(internet: Internet, servers: Servers, browse: Browse,
                                                            nat: Nat) -> None:
    here, there = internet.house(nat), internet.house(nat)
    ada = browse(here.device(), servers.settings(turn=nat is Nat.SYMMETRIC))
    bo = browse(there.device())
    for page in (ada, bo):
        page_ready(page)
    print(f"\n{nat.name.lower()}", end="")
    deal(ada, bo, invite(ada), servers)
    assert (servers.ice.lines.count("allocate") > 0) == (nat is Nat.SYMMETRIC)
    for name, page in (("guest", bo), ("host", ada)):
        all_here(ada, bo)
        reload(page)
        with clock(f"the {name} reloaded", servers):
            all_here(page)
            all_here(ada, bo)
    for page in (ada, bo):
        page.evaluate(WATCH)
    there.renew("203.0.2.77")
    with clock("the guest's router has a new address", servers):
        for page in (ada, bo):
            page.wait_for_function("globalThis.wasAway")
        all_here(ada, bo)


def test_the_relays_get_to_see_nothing_of_people_game_addresses_or_keys(internet: Internet, servers: Servers,
                                                                        browse: Browse) -> None:
    here, there = internet.house(Nat.PRESERVING), internet.house(Nat.PRESERVING)
    ada, bo = browse(here.device(), servers.settings()), browse(there.device())
    for page in (ada, bo):
        page_ready(page)
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
