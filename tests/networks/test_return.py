"""Two houses at a table, and what befalls the browser of one of them: it is killed, sleeps, or is closed for good."""

from __future__ import annotations

from signal import SIGCONT, SIGKILL, SIGSTOP

import pytest
from playwright.sync_api import expect

from e2e.support.site import READY
from tests.networks.houses import Internet, Nat
from tests.networks.meetings import Browse, all_here, clock, deal, expect_away, invite, start
from tests.networks.programs import CHROMIUM, FIREFOX, Servers

pytestmark = pytest.mark.keeps_site

SLEEP = 120  # seconds


@pytest.mark.wide
@pytest.mark.parametrize(("who", "browser"), [("guest", FIREFOX), ("guest", CHROMIUM), ("host", CHROMIUM)])
def test_a_browser_that_was_killed_and_started_again_finds_the_table(internet: Internet, servers: Servers, browse: Browse,
                                                                     who: str, browser: str) -> None:
    devices = [internet.house(Nat.PRESERVING).device() for _ in range(2)]
    ada, bo = browse(devices[0], servers.settings()), browse(devices[1], None, browser)
    start(ada, bo)
    print(f"\nthe {who}'s browser ({browser} at the guest's) is killed", end="")
    deal(ada, bo, invite(ada), servers)
    all_here(ada, bo)
    (stays, gone), device = ((ada, bo), devices[1]) if who == "guest" else ((bo, ada), devices[0])
    address = gone.url
    expect_away(lambda: device.tell_browser(SIGKILL), stays)
    back = browse(device, None, browser if who == "guest" else CHROMIUM)
    back.goto(address)
    back.wait_for_function(READY)
    with clock("started again", servers):
        all_here(back)
        all_here(stays)


@pytest.mark.wide
@pytest.mark.parametrize(("who", "browser"), [("guest", CHROMIUM), ("guest", FIREFOX), ("host", CHROMIUM)])
def test_a_device_that_slept_for_two_minutes_is_back(internet: Internet, servers: Servers, browse: Browse, who: str,
                                                     browser: str) -> None:
    devices = [internet.house(Nat.PRESERVING).device() for _ in range(2)]
    ada, bo = browse(devices[0], servers.settings()), browse(devices[1], None, browser)
    start(ada, bo)
    print(f"\nthe {who} sleeps, {browser} at the guest's", end="")
    deal(ada, bo, invite(ada), servers)
    all_here(ada, bo)
    (wakes, sleeps), device = ((ada, bo), devices[1]) if who == "guest" else ((bo, ada), devices[0])
    expect_away(lambda: device.tell_browser(SIGSTOP), wakes)
    wakes.wait_for_timeout(SLEEP * 1000)
    device.tell_browser(SIGCONT)
    with clock("awake", servers):
        all_here(wakes)
        all_here(sleeps)


@pytest.mark.wide
def test_a_host_who_is_gone_for_good_is_said_to_be(internet: Internet, servers: Servers, browse: Browse) -> None:
    ada, bo = browse(internet.house(Nat.PRESERVING).device(), servers.settings()), browse(internet.house(Nat.PRESERVING).device(),
                                                                                            None, FIREFOX)
    start(ada, bo)
    print("\nthe host is gone for good", end="")
    deal(ada, bo, invite(ada), servers)
    with clock("said so", servers):
        ada.close()
        expect(bo.locator("#peer-bar .notice")).to_contain_text("Adelheid has left the page.")
