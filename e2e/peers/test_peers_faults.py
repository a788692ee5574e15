"""What befalls devices in the middle of a sealed match, at the table: a tunnel, another network, a stopped process, a crashed
tab, both pages reloaded at once. The match comes back by itself where it can, else by one fresh code, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.network import Network
from e2e.support.peer_tables import HALF, Far, agree, by_fresh_code, connect, deal, reload_at_once, to_the_end, two
from e2e.support.rooms import expect_hand
from e2e.support.site import Heard, Process
from tests.support.examples import ONE_DEAL

pytestmark = pytest.mark.shares_pages

NewDevice = Callable[..., Page]
NewProcess = Callable[..., Process]


def with_a_tunnel(new_device: NewDevice) -> tuple[list[Far], Network]:
    """Two at a table, and the network of the second."""
    networks: list[Network] = []

    def opened() -> Page:
        page = new_device()
        networks.append(Network(page))
        return page

    return two(opened), networks[1]


def acting(fars: list[Far]) -> Far:
    """Whose turn it is."""
    return next(far for far in fars if set(far.state["acting"]) & set(far.state["people"]))


@pytest.mark.new_pages  # a network of its own
def test_after_a_tunnel_the_match_goes_on_with_what_was_done_meanwhile(new_device: NewDevice) -> None:
    fars, network = with_a_tunnel(new_device)
    network.cut()
    for far in fars:
        expect(far.page.locator(".peer.unstable")).to_be_visible()
    mover = acting(fars)
    mover.do("play", 1, 1)  # what is done in the tunnel is kept, and told after it
    before = mover.state["entries"]
    network.back()
    for far in fars:
        expect(far.page.locator(".peer.here")).to_be_visible()
        far.until("state.entries > given || !state.playing", before)
    agree(fars)
    to_the_end(fars)


@pytest.mark.new_pages  # a network of its own
@pytest.mark.wide
def test_a_long_tunnel_and_both_come_back_by_themselves(new_device: NewDevice) -> None:
    fars, network = with_a_tunnel(new_device)
    for far in fars:
        far.until("state.returns")
    network.cut()
    for far in fars:
        expect(far.page.locator("#peer-bar .notice")).to_contain_text("is away. The match waits")
    network.back()
    for far in fars:
        expect(far.page.locator(".peer.here")).to_be_visible()
        expect(far.page.locator("#peer-bar .notice")).to_have_count(0)
    to_the_end(fars)


@pytest.mark.wide
def test_on_another_network_the_ways_back_are_made_anew(new_device: NewDevice) -> None:
    fars = two(new_device)
    for far in fars:
        far.until("state.returns")
    for far in fars:
        far.page.evaluate("dispatchEvent(new Event('online'))")  # what waited there cannot be found any more
        far.page.wait_for_function("JSON.parse(far.state()).entries > 0")
    for far in fars:
        far.until("state.returns")
    fars[1].reload()
    to_the_end(fars)


@pytest.mark.wide
def test_both_pages_are_reloaded_at_once_and_one_code_brings_them_back(new_device: NewDevice) -> None:
    fars = two(new_device)
    for number, far in enumerate(fars):
        far.do("play", number, 2)
    agree(fars)
    before = [far.state for far in fars]
    reload_at_once(fars)
    for far in fars:  # each waits at its own table, with its own hand
        expect(far.page.locator("#peer-bar")).to_contain_text("Waiting for")
        expect_hand(far.page)
    fars[0].page.wait_for_function("far.adopt_links()")
    by_fresh_code(*fars)
    for far, known in zip(fars, before, strict=True):
        far.until("state.ready")
        assert far.state["entries"] >= known["entries"] and far.state["knows"] == known["knows"]
    to_the_end(fars)


@pytest.mark.wide
def test_a_browser_that_is_stopped_in_a_match_goes_on_when_woken(new_device: NewDevice, process: NewProcess) -> None:
    other = process()
    fars = [Far(new_device()).open(), Far(other.page).open()]
    connect(*fars)
    deal(fars, ONE_DEAL, {**HALF, "first_seat": "2"})
    for far in fars:
        far.until("state.requests === 0 && state.entries > 3")
    other.stop()
    expect(fars[0].page.locator(".peer.unstable")).to_be_visible()
    expect(fars[0].page.locator(".peer.away")).to_be_visible()
    expect(fars[0].page.locator("#peer-bar")).to_contain_text("Waiting for Player 2’s device")  # it is that one's turn
    other.wake()
    for far in fars:
        expect(far.page.locator(".peer.here")).to_be_visible()
    to_the_end(fars)


@pytest.mark.wide
def test_a_tab_that_crashed_is_opened_again_and_comes_back(new_device: NewDevice, heard: Heard) -> None:
    anna, ben = fars = two(new_device)
    for far in fars:
        far.until("state.returns")
    head, context, address = ben.state["head"], ben.page.context, ben.page.url.partition("#")[2]
    crashed = ben.page
    with crashed.expect_event("crash"):
        context.new_cdp_session(crashed).send("Page.enable")
        try:
            crashed.goto("chrome://crash", timeout=1000)
        except Exception as error:  # that is what a crash is
            assert "crash" in str(error).lower() or "Timeout" in str(error)
    expect(anna.page.locator(".peer.unstable, .peer.away")).to_be_visible()
    ben = Far(new_device(f"#{address}", context=context)).enter()
    ben.table()
    ben.until("state.ready")
    assert ben.state["head"] == head
    to_the_end([anna, ben])
