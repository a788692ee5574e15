"""Two devices on one home network. Nobody agreed to anything, so not a packet leaves the house, from the first visit on."""

from __future__ import annotations

import time
from collections.abc import Callable
from ipaddress import ip_address

import pytest
from playwright.sync_api import Page

from e2e.support.rooms import expect_hand, hosted, meet, playing, ready
from e2e.support.site import ready as page_ready
from tests.networks.houses import Internet, Nat
from tests.networks.programs import CHROMIUM, FIREFOX, Program

pytestmark = pytest.mark.keeps_site


def leavers(watch: Program) -> set[str]:
    """What was sent to somewhere outside the house, a name server included; Firefox looks for news at its maker's."""
    return {line for line in watch.lines if not (at := ip_address(line.split()[0])).is_multicast and not at.is_link_local
            and not str(at).startswith("192.168.") and not line.endswith("asks for firefox.settings.services.mozilla.com")}


@pytest.mark.parametrize("browser", [CHROMIUM, pytest.param(FIREFOX, marks=pytest.mark.wide)])
def test_two_devices_meet_by_codes_and_are_dealt_to_and_nothing_leaves_the_house(
        internet: Internet, browse: Callable[..., Page], started: Callable[..., Program], browser: str) -> None:
    house = internet.house(Nat.PRESERVING)
    devices = [house.device(), house.device()]
    watches = [started(device, "watch", "eth0") for device in devices]
    ada, bo = browse(devices[0]), browse(devices[1], None, browser)
    for page in (ada, bo):
        page_ready(page)
    hosted(ada)
    begin = time.monotonic()
    meet(ada, bo, "Bo")
    linked = time.monotonic() - begin
    for page in (ada, bo):
        ready(page)
    playing(ada, bo)
    for page in (ada, bo):
        expect_hand(page)
    print(f"\none network, codes, {browser}: linked {linked:.1f} s, dealt {time.monotonic() - begin:.1f} s")
    for watch in watches:
        assert any(line.startswith("192.168.1.1") for line in watch.lines)  # it does see the match
        assert leavers(watch) == set()
