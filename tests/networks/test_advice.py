"""What stands in the way of two devices, and what their pages say of it: one sentence, and one way on where there is one."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Page, expect

from e2e.support.far import come
from e2e.support.rooms import hosted, invitation, reply, shown_link, to
from tests.networks.houses import SERVERS_6, Internet, Nat
from tests.networks.meetings import Browse, deal, invite, start
from tests.networks.programs import CHROMIUM, FIREFOX, Servers

NO_WAY = "Both devices were found, but neither network lets the other in."
NO_ADDRESS = "This network does not let your device find its address."
NOBODY = "The other page is not open just now."
NO_RELAY = "None of the helpers answers."
NO_HELPER = "Without a helper this works only in one Wi-Fi."


def said_after(page: Page, place: str, sentence: str, what: str) -> None:
    """Wait until ``place`` says ``sentence``, and say how long that took."""
    begin = time.monotonic()
    expect(page.locator(place)).to_contain_text(sentence)
    print(f"\n{what}: said after {time.monotonic() - begin:.0f} s", end="", flush=True)


@pytest.mark.wide
@pytest.mark.parametrize(("what", "sentence", "browser"), [
    ("symmetric NAT without TURN", NO_WAY, CHROMIUM), ("symmetric NAT without TURN", NO_WAY, FIREFOX),
    ("UDP blocked without TURN", NO_ADDRESS, CHROMIUM), ("UDP blocked without TURN", NO_ADDRESS, FIREFOX),
    ("the host is gone", NOBODY, CHROMIUM), ("the guest is cut off", NO_RELAY, FIREFOX)])
def test_a_guest_by_a_link_reads_why_nobody_is_found(internet: Internet, servers: Servers, browse: Browse, what: str,
                                                     sentence: str, browser: str) -> None:
    nat = Nat.SYMMETRIC if sentence == NO_WAY else Nat.PRESERVING
    here, there = internet.house(nat), internet.house(nat)
    ada, bo = browse(here.device(), servers.settings()), browse(there.device(), None, browser)
    start(ada, bo)
    link = invite(ada)
    if sentence == NO_ADDRESS:
        there.block_udp()
    elif sentence == NOBODY:
        ada.close()
    elif sentence == NO_RELAY:
        there.router.ip("link", "set", "dev", "wan", "down")
    come(bo, link, "Bonifaz")
    said_after(bo, "#advice", sentence, f"{what}, {browser}")


@pytest.mark.wide
def test_codes_without_a_helper_between_two_houses_say_what_is_missing_on_both_sides(internet: Internet, servers: Servers,
                                                                                     browse: Browse) -> None:
    ada, bo = (browse(internet.house(Nat.PRESERVING).device()) for _ in range(2))
    start(ada, bo)
    hosted(ada)
    first = invitation(ada)
    ada.get_by_label("Paste the reply").fill(reply(bo, first, "Bo"))
    said_after(ada, "#advice", NO_HELPER, "codes without a helper, at the host")
    expect(ada.locator("#ways")).to_contain_text("Here is a new invitation")
    assert first not in ada.locator("#as-text").input_value()
    said_after(bo, "#nothing-yet", NO_HELPER, "the same at the guest, then")
    bo.get_by_label("Link or code of the invitation").fill(shown_link(ada))
    expect(bo.get_by_role("button", name="I’m in!")).to_be_visible()


@pytest.mark.wide
def test_two_houses_with_ipv6_alone(internet: Internet, servers: Servers, browse: Browse) -> None:
    ada, bo = browse(internet.house_6().device(), servers.settings(at=f"[{SERVERS_6}]")), browse(internet.house_6().device())
    start(ada, bo)
    print("\nIPv6 alone", end="")
    deal(ada, bo, invite(ada), servers)


@pytest.mark.wide
def test_firefox_finds_no_address_with_ipv6_alone_and_its_page_says_so(internet: Internet, servers: Servers,
                                                                       browse: Browse) -> None:
    ada = browse(internet.house_6().device(), servers.settings(at=f"[{SERVERS_6}]"))
    bo = browse(internet.house_6().device(), None, FIREFOX)
    start(ada, bo)
    come(bo, invite(ada), "Bonifaz")
    said_after(bo, "#advice", NO_ADDRESS, "IPv6 alone, Firefox")


@pytest.mark.wide
def test_with_ipv6_alone_a_code_needs_a_helper_and_the_page_offers_a_link(internet: Internet, browse: Browse) -> None:
    ada = browse(internet.house_6().device())
    start(ada)
    hosted(ada)
    to(ada, "#/room/invite")
    said_after(ada, "#screen", "Is it in a network?", "IPv6 alone, a code without a helper")
    ada.get_by_role("link", name="Use a link").click()
    expect(ada.locator("#invitation")).to_contain_text("Helpers for two houses")


@pytest.mark.wide
def test_a_device_without_a_way_out_of_its_network_says_so(internet: Internet, browse: Browse) -> None:
    house = internet.house(Nat.PRESERVING)
    ada, bo = browse(house.device()), browse(house.device(routed=False))
    start(ada, bo)
    hosted(ada)
    link = invitation(ada)
    bo.evaluate("(address) => { location.hash = address; }", link.partition("#")[2])
    bo.get_by_label("Your name").fill("Bo")
    bo.get_by_role("button", name="I’m in!").click()
    said_after(bo, "#screen", "Is it in a network?", "no way out")
