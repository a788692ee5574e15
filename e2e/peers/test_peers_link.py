"""One link: from the question where the friend is to the table, through relays of the test's own."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from e2e.support.far import come, link_of, prefer
from e2e.support.nostr_relay import Relay
from e2e.support.rooms import expect_hand, hosted, meet, playing, ready, to
from e2e.support.site import Heard
from e2e.support.tables import do_as_hinted
from tests.support.examples import ONE_DEAL

pytestmark = pytest.mark.shares_pages

NewDevice = Callable[..., Page]
TURN = ".table-screen.my-turn"
ALL_HERE = """() => {
    const peers = [...document.querySelectorAll("#peer-bar .peer")];
    return peers.length > 0 && peers.every((peer) => peer.classList.contains("here"));
}"""


@pytest.fixture
def relays() -> Iterator[list[Relay]]:
    made = [Relay().start() for _ in range(2)]
    yield made
    for relay in made:
        relay.stop()


@pytest.mark.new_pages  # its worker must not run yet
def test_one_link_from_the_question_to_the_table(new_device: NewDevice, relays: list[Relay],
                                                 axe: Callable[[Page], list[str]]) -> None:
    ada, bo = new_device(), new_device()
    prefer(ada, relays)
    hosted(ada, name="Adelheid")
    expect(ada.locator("#start")).to_contain_text("Where is your friend?")
    ada.get_by_role("button", name="Another house").click()
    expect(ada.locator("#invitation")).to_contain_text("localhost")
    assert axe(ada) == []
    assert not any(relay.sessions for relay in relays)
    ada.get_by_role("button", name="Agree and send the link").click()
    expect(ada.locator("#start")).to_contain_text("Copied")
    expect(ada.locator(".qr")).to_be_in_viewport()
    link = link_of(ada)
    with bo.expect_event("worker"):  # it starts while the guest still reads and types
        to(bo, link.partition("#")[2])
    expect(bo.locator(".consent")).to_contain_text("localhost")
    assert axe(bo) == []
    assert sum(len(relay.sessions) for relay in relays) == 2  # the host's
    come(bo, link, "Bonifaz")
    expect(ada.locator("#chairs")).to_contain_text("Bonifaz")
    expect(ada.locator("#copy-too")).to_be_visible()  # for a third one, or for whoever lost it
    for page in (ada, bo):
        expect(page.locator("#chairs")).to_contain_text("Bonifaz")
        ready(page)
    playing(ada, bo)
    for page in (ada, bo):
        expect_hand(page)
    expect(ada.locator("#ask-sound button").first).to_be_visible()
    for _ in range(3):
        ada.locator("#open-chat").click()  # a question above the table does not put the drawer over its button
    ada.locator("#link-again").click()
    assert link_of(ada) == link
    ada.get_by_role("link", name="Back").click()
    expect_hand(ada)
    events = [event for relay in relays for event in relay.stored]
    assert events
    seen = json.dumps(events) + "".join(b64decode(event["content"]).decode("latin-1") for event in events)
    for told in ("Adelheid", "Bonifaz", ONE_DEAL, "offer", "candidate", "127.0.0.1", link.partition("#meet=")[2][:22]):
        assert told not in seen
    assert {len(b64decode(event["content"])) % 512 for event in events} == {28}  # nonce and tag; the rest is padded


def test_the_link_opened_in_another_tab_says_so_and_the_match_goes_on(new_device: NewDevice, relays: list[Relay]) -> None:
    """Else the newer tab would get what the friend says, and the one that plays would hear nothing any more."""
    ada, bo = new_device(), new_device()
    prefer(ada, relays, agreed=True)
    hosted(ada)
    link = link_of(ada)
    come(bo, link, "Bo")
    expect(ada.locator("#chairs")).to_contain_text("Bo")
    ready(ada)
    ready(bo)
    playing(ada, bo)
    expect_hand(bo)
    tab = new_device(context=bo.context)
    come(tab, link, "Bo")
    expect(tab.locator("#screen")).to_contain_text("This room is open in another tab.")
    for _ in range(2):
        page, other = (ada, bo) if ada.locator(TURN).count() else (bo, ada)
        do_as_hinted(page)
        expect(other.locator(TURN)).to_be_visible()
    bo.close()
    tab.reload()
    come(tab, link, "Bo")
    expect(tab.locator("#to-table").or_(tab.locator(".table-screen"))).to_be_visible()


def test_who_is_met_by_a_link_that_names_another_device_is_followed_only_when_asked(
    new_device: NewDevice, relays: list[Relay], axe: Callable[[Page], list[str]],
) -> None:
    """Whoever has the link is found there, and could say that the room is theirs."""
    ada, bo = new_device(), new_device()
    prefer(ada, relays, agreed=True)
    hosted(ada, name="Ada")
    link = link_of(ada)
    assert re.search(r"&of=[0-9a-f]{16}", link)
    come(bo, re.sub(r"&of=[0-9a-f]{16}", "&of=" + "0" * 16, link), "Bo")
    go_in = bo.locator("#search").get_by_role("button", name="Go to Ada")
    expect(go_in).to_be_visible()
    expect(bo.locator("#search")).to_contain_text("isn’t there just now")
    expect(bo.locator("#chairs")).to_have_count(0)
    assert axe(bo) == []
    go_in.click()
    expect(bo.locator("#chairs")).to_contain_text("Ada")
    expect(ada.locator("#chairs")).to_contain_text("Bo")


@pytest.mark.wide
def test_a_link_to_watch_and_one_for_the_same_persons_other_device(new_device: NewDevice, relays: list[Relay]) -> None:
    ada, bo, sam, phone = (new_device() for _ in range(4))
    prefer(ada, relays, agreed=True)
    hosted(ada)
    come(bo, link_of(ada), "Bo")
    expect(ada.locator("#chairs")).to_contain_text("Bo")
    to(ada, "#/room/invite?watch=1")
    come(sam, link_of(ada), "Sam")
    expect(ada.locator("#watchers")).to_contain_text("Sam")
    ready(ada)
    ready(bo)
    playing(ada, bo, sam)
    expect_hand(bo)
    to(bo, f"{bo.evaluate('location.hash')}/move")
    link = link_of(bo)
    assert "&move=" in link
    to(phone, link.partition("#")[2])
    phone.locator("#answer").click()
    expect_hand(phone)
    expect(bo.locator("#screen")).to_contain_text("you are playing on your other device")


@pytest.mark.wide
def test_from_a_code_to_a_link_though_every_chair_is_taken(new_device: NewDevice, relays: list[Relay]) -> None:
    ada, bo, sam = (new_device() for _ in range(3))
    prefer(ada, relays)
    hosted(ada)
    meet(ada, bo, "Bo")
    ready(bo)  # who watches changes nothing of that
    to(ada, "#/room/invite?watch=1")
    ada.locator("#by-link").click()
    ada.get_by_role("button", name="Agree and send the link").click()
    expect(ada.locator("#link-status")).to_contain_text("Copied")
    ada.locator("#invite-watcher").click()
    come(sam, link_of(ada), "Sam")
    expect(ada.locator("#watchers")).to_contain_text("Sam")
    ready(ada)
    playing(ada, bo, sam)
    expect_hand(bo)


@pytest.mark.wide
def test_both_reload_while_a_relay_is_dead_and_the_link_leads_back(new_device: NewDevice, relays: list[Relay],
                                                                   heard: Heard) -> None:
    ada, bo = new_device(), new_device()
    prefer(ada, relays, agreed=True)
    hosted(ada)
    link = link_of(ada)
    come(bo, link, "Bo")
    for page in (ada, bo):
        expect(page.locator("#chairs")).to_contain_text("Bo")
        ready(page)
    playing(ada, bo)
    heard.provoked = True  # a browser says on the console that a server does not answer
    relays[0].stop()
    for page in (ada, bo):
        page.reload()
    for page in (ada, bo):
        page.wait_for_function(ALL_HERE)
    context = bo.context
    bo.close()
    later = new_device(context=context)
    to(later, link.partition("#")[2])
    later.locator("#answer").click()
    expect(later).to_have_url(re.compile("#/match/"))  # the room leads to the match that it plays
    for page in (ada, later):
        page.wait_for_function(ALL_HERE)


@pytest.mark.wide
def test_a_guest_who_finds_nobody_hands_a_sentence_to_the_friend(new_device: NewDevice, relays: list[Relay],
                                                                 axe: Callable[[Page], list[str]]) -> None:
    ada, bo = new_device(), new_device()
    prefer(ada, relays, agreed=True)
    link = link_of(hosted(ada))
    ada.close()
    come(bo, link.replace("&by=Ada", ""), "Bo")
    expect(bo.locator("#screen")).to_contain_text("Looking for your friend …")
    expect(bo.locator("#advice")).to_contain_text("The other page is not open just now.")
    assert axe(bo) == []
    bo.get_by_role("button", name="Tell your friend").click()
    expect(bo.locator("#told")).to_contain_text("Copied")


@pytest.mark.wide
def test_ones_other_device_reads_that_the_first_one_has_closed_its_page(new_device: NewDevice, relays: list[Relay]) -> None:
    ada, bo, phone = (new_device() for _ in range(3))
    prefer(ada, relays, agreed=True)
    hosted(ada)
    come(bo, link_of(ada), "Bo")
    for page in (ada, bo):
        expect(page.locator("#chairs")).to_contain_text("Bo")
        ready(page)
    playing(ada, bo)
    to(ada, f"{ada.evaluate('location.hash')}/move")
    link = link_of(ada)
    expect(ada.locator(".hand-over")).to_contain_text("this device only watches then")
    ada.locator("#copy-link").click()
    expect(ada.locator("#link-status")).to_have_text("Copied. Open it on your other device.")
    ada.close()
    to(phone, link.partition("#")[2])
    phone.locator("#answer").click()
    expect(phone.locator("#advice")).to_contain_text("Your other device’s page is not open just now.")
    expect(phone.locator("#advice button")).to_have_count(0)


@pytest.mark.wide
def test_a_guest_who_reloads_while_the_host_is_away_goes_on_looking(new_device: NewDevice, relays: list[Relay],
                                                                    axe: Callable[[Page], list[str]]) -> None:
    ada, bo = new_device(), new_device()
    prefer(ada, relays, agreed=True)
    link = link_of(hosted(ada))
    context = ada.context
    ada.close()
    come(bo, link, "Bo")
    expect(bo.locator("#screen")).to_contain_text("Looking for Ada")
    bo.reload()
    expect(bo.locator("#screen")).to_contain_text("Looking for Ada")
    expect(bo.locator("#advice")).to_contain_text("The other page is not open just now.")
    assert link.partition("#meet=")[2][:22] not in bo.url
    assert axe(bo) == []
    ada = new_device(context=context)
    to(ada, "#/room")
    for page in (ada, bo):
        expect(page.locator("#chairs")).to_contain_text("Bo")
    assert bo.url.endswith("#/room")
    later = new_device()
    for page in (ada, bo):
        page.close()
    come(later, link, "Cleo")
    later.get_by_role("button", name="Stop looking").click()
    expect(later).to_have_url(re.compile("#/$"))
    to(later, "#/room")
    expect(later.locator("#invited")).to_be_visible()
