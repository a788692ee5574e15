"""Rooms as people use them: invites, replies, everybody ready, the table."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Final

from playwright.sync_api import Locator, Page, expect

from e2e.support.tables import WORDS
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import GAMES, rules_of
from tests.support.examples import ONE_DEAL

RETURNS = """
import asyncio
from js import document
from tabletin.app.main import app
net = app.app.rooms.transport
while not (net.connected_authors() and all(net.returns(author) for author in net.connected_authors())):
    await asyncio.sleep(0.1)
document.documentElement.dataset.returns = "yes"
"""


def hand_size(game: str) -> int:
    """How many cards each of two is dealt."""
    rules = rules_of(game)
    table = Table.begin(rules, Setup(game, rules.version, {}, (Seat("person", AUTHOR),) * 2), OpenDealer(Random(1)))
    match = table.match
    return next(len(cards) for zone, cards in match.rules.zones(match.state).items() if zone[0] == "hand")


HAND_SIZE: Final = hand_size(ONE_DEAL)


def hand_cards(page: Page, game: str = ONE_DEAL, *, of: int | None = None) -> Locator:
    """The cards in one's own hand, by what they are called there. ``of``: those that say that so many are held."""
    label = WORDS.text(f"{GAMES[game].family}.board.held", card="CARD", n="PLACE", of="COUNT")
    pattern = re.escape(label).replace("CARD", ".+").replace("PLACE", r"\d+").replace("COUNT", str(of or r"\d+"))
    return page.get_by_label(re.compile(f"^{pattern}$"))


def expect_hand(page: Page) -> None:
    """Whoever sits at ``page`` sees a whole hand of ``ONE_DEAL``."""
    expect(hand_cards(page, of=HAND_SIZE)).to_have_count(HAND_SIZE)


def to(page: Page, address: str) -> None:
    page.evaluate("(address) => { location.hash = address; }", address)


def write(field: Locator, text: str) -> None:
    """Fill in ``field`` and leave it: in Firefox no change follows from what its driver writes."""
    field.fill(text)
    field.evaluate("(field) => field.dispatchEvent(new Event('change', { bubbles: true }))")


def hosted(page: Page, game: str = ONE_DEAL, name: str = "Ada") -> Page:
    """A room of one's own."""
    to(page, f"#/{game}/room")
    expect(page.locator("#chairs")).to_be_visible()
    write(page.get_by_label("Your name"), name)
    page.keyboard.press("Tab")
    expect(page.locator("#chairs")).to_contain_text(f"{name} (you)")
    return page


def shown_link(page: Page) -> str:
    """The link that is to be handed over."""
    area = page.locator("#as-text")
    expect(area).to_have_count(1)
    return area.input_value().split(": ", 1)[1]


def invitation(host: Page, address: str = "#/room/invite") -> str:
    """The link of a new invite, from the screen that shows it."""
    to(host, address)
    return shown_link(host)


def reply(guest: Page, link: str, name: str) -> str:
    """Open an invite's link and give a name; the reply's link."""
    to(guest, link.partition("#")[2])
    write(guest.get_by_label("Your name"), name)
    guest.get_by_role("button", name="I’m in!").click()
    return shown_link(guest)


def meet(host: Page, guest: Page, name: str, address: str = "#/room/invite") -> None:
    """Invite ``guest`` and take its reply."""
    answer = reply(guest, invitation(host, address), name)
    host.get_by_label("Paste the reply").fill(answer)
    for page in (host, guest):
        expect(page.locator(".room")).to_contain_text(name)


def ready(page: Page) -> None:
    page.get_by_role("button", name="I am ready").click()


def playing(*pages: Page) -> None:
    """Wait until all of them sit at the table."""
    for page in pages:
        expect(page.locator(".table-screen")).to_be_visible()


def python(page: Page, code: str) -> None:
    """Run Python in the page, as somebody who has changed the program would."""
    page.evaluate("""code => {
        const script = document.createElement('script');
        script.type = 'py';
        script.textContent = code;
        document.body.append(script);
    }""", code)


def at_a_table(new_device: Callable[..., Page], game: str, *names: str) -> list[Page]:
    """A room of so many devices, dealt; the first is the host."""
    host, *guests = [new_device() for _ in names]
    hosted(host, game, names[0])
    for _ in names[2:]:
        host.get_by_role("button", name="One more chair").click()
    for guest, name in zip(guests, names[1:], strict=True):
        meet(host, guest, name)
    for page in (host, *guests):
        ready(page)
    playing(host, *guests)
    for page in (host, *guests):
        expect(hand_cards(page, game).first).to_be_visible()
    return [host, *guests]
