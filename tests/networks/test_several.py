"""More than two houses, and everything that goes through the one link: guests, spectators, chat, seats that change hands."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from e2e.support.far import come, link_of
from e2e.support.rooms import hand_cards, playing, to
from tests.networks.houses import Internet, Nat
from tests.networks.meetings import Browse, all_here, clock, gather, start
from tests.networks.programs import CHROMIUM, FIREFOX, Servers
from tests.support.examples import MANY_HANDS, WIDEST


@pytest.mark.wide
@pytest.mark.parametrize("count", [3, 6])
def test_one_link_leads_everybody_to_the_table(internet: Internet, servers: Servers, browse: Browse, count: int) -> None:
    nats = list(Nat)[:2]
    houses = [internet.house(nats[number % 2]) for number in range(count)]
    pages = [browse(houses[0].device(), servers.settings()),
             *(browse(house.device(), None, FIREFOX if number % 2 else CHROMIUM) for number, house in enumerate(houses[1:]))]
    start(*pages)
    print(f"\n{count} houses", end="")
    gather(WIDEST, pages, servers)
    all_here(*pages)


@pytest.mark.wide
def test_watching_chat_another_device_and_a_seat_taken_back_go_through_the_same_link(internet: Internet, servers: Servers,
                                                                                     browse: Browse) -> None:
    houses = [internet.house(Nat.PRESERVING) for _ in range(3)]
    ada, bo, cleo = (browse(house.device(), servers.settings() if house is houses[0] else None) for house in houses)
    sam, phone = browse(internet.house(Nat.PRESERVING).device()), browse(internet.house(Nat.CHANGING).device(), None, FIREFOX)
    start(ada, bo, cleo, sam, phone)
    print("\nthrough the same link", end="")
    gather(MANY_HANDS, [ada, bo, cleo], servers)
    to(ada, "#/room/invite?watch=1")
    with clock("a spectator comes", servers):
        come(sam, link_of(ada), "Sam")
        playing(sam)
    to(ada, "#/room")
    ada.get_by_role("link", name="To the table").click()
    with clock("a line of chat is everywhere", servers):
        ada.locator("#open-chat").click()
        ada.locator("#line").fill("Hello from home")
        ada.keyboard.press("Enter")
        for page in (bo, cleo, sam):
            expect(page.locator("#said")).to_contain_text("Hello from home")
        ada.locator("#open-chat").click()
    to(cleo, f"{cleo.url.partition('#')[2]}/move")
    with clock("Cleo goes on on her phone", servers):
        to(phone, link_of(cleo).partition("#")[2])
        phone.locator("#answer").click()
        expect(hand_cards(phone, MANY_HANDS).first).to_be_visible()
    address = phone.url
    phone.goto("about:blank")
    for page in (ada, bo):
        page.get_by_role("button", name="A bot for Cleo").click()
    for page in (ada, bo):
        expect(page.locator(".spoken")).to_contain_text("Cleo is gone; a bot plays on.")
    phone.goto(address)
    begin = time.monotonic()
    phone.get_by_role("button", name="Take my seat back").click()
    expect(ada.locator("#peer-bar")).to_contain_text("Cleo is back")
    print(f"\n  a seat is taken back: {time.monotonic() - begin:.1f} s", end="", flush=True)
