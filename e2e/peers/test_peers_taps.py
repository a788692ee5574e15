"""How many taps it takes from home to the first card, with a link between two houses: counted on both devices."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from e2e.support.far import link_of, prefer
from e2e.support.nostr_relay import Relay
from e2e.support.rooms import expect_hand, to
from tests.support.examples import ONE_DEAL

pytestmark = pytest.mark.shares_pages


class Person:
    """Somebody at a page. ``taps``: how often they touched it, and the link in a message; typing is none."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, target: Locator) -> None:
        target.click()
        self.taps += 1

    def press(self, label: str) -> None:
        self.tap(self.page.get_by_role("button", name=label, exact=True))

    def open(self, link: str) -> None:
        """Tap a link in a messenger."""
        to(self.page, link.partition("#")[2])
        self.taps += 1


@pytest.fixture
def relays() -> Iterator[list[Relay]]:
    made = [Relay().start() for _ in range(2)]
    yield made
    for relay in made:
        relay.stop()


def begin(host: Person) -> None:
    """From home to a room of one's own."""
    to(host.page, "#/")
    host.tap(host.page.locator("a.far:not(.daily)"))
    host.tap(host.page.locator(f".room a[data-tin={ONE_DEAL}]"))


def get_ready(host: Person, guest: Person) -> None:
    """The guest has come in; both are ready, and are dealt to."""
    for person in (host, guest):
        expect(person.page.locator("#chairs")).to_contain_text("Bo")
        person.press("I am ready")
    for person in (host, guest):
        expect_hand(person.page)


def leave(*people: Person) -> None:
    """They leave the match and the room; nobody counts that."""
    for person in people:
        to(person.page, "#/room")
        person.page.locator("#leave").click()
        person.page.locator("#really").click()
        person.taps = 0


def test_from_home_to_the_first_card(new_device: Callable[..., Page], relays: list[Relay]) -> None:
    ada, bo = Person(new_device()), Person(new_device())
    for person in (ada, bo):
        prefer(person.page, relays)
    begin(ada)
    ada.press("Another house")
    ada.press("Agree and send the link")
    assert ada.taps == 4  # and one in the device's own dialog, where it has one
    bo.open(link_of(ada.page))
    name = bo.page.get_by_label("Your name")
    bo.tap(name)
    name.press_sequentially("Bo")
    bo.press("Agree, I’m in!")
    assert bo.taps == 3
    get_ready(ada, bo)
    assert (ada.taps, bo.taps) == (5, 4)
    leave(bo, ada)
    begin(ada)
    ada.press("Copy the link")
    bo.open(link_of(ada.page))
    bo.press("I’m in!")
    assert (ada.taps, bo.taps) == (3, 2)
    get_ready(ada, bo)
    assert (ada.taps, bo.taps) == (4, 3)
