"""One link: from the question where the friend is to the table, through relays of the test's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from e2e.support.far import come, link_of, prefer
from e2e.support.nostr_relay import Relay
from e2e.support.rooms import hosted, playing, ready
from tests.support.examples import ONE_DEAL

NewDevice = Callable[..., Page]


@pytest.fixture
def relays() -> Iterator[list[Relay]]:
    made = [Relay().start() for _ in range(2)]
    yield made
    for relay in made:
        relay.stop()


def test_one_link_from_the_question_to_the_table(new_device: NewDevice, relays: list[Relay],
                                                 axe: Callable[[Page], list[str]]) -> None:
    ada, bo = new_device(), new_device()
    prefer(ada, relays)
    hosted(ada)
    expect(ada.locator("#start")).to_contain_text("Where is your friend?")
    ada.get_by_role("button", name="Another house").click()
    expect(ada.locator("#invitation")).to_contain_text("localhost")
    assert axe(ada) == []
    assert not any(relay.sessions for relay in relays)
    ada.get_by_role("button", name="Agree and send the link").click()
    expect(ada.locator("#link-status")).to_contain_text("Copied")
    link = link_of(ada)
    come_first = bo.evaluate("(address) => { location.hash = address; }", link.partition("#")[2])
    assert come_first is None
    expect(bo.locator(".consent")).to_contain_text("localhost")
    assert axe(bo) == []
    assert sum(len(relay.sessions) for relay in relays) == 2  # the host's
    come(bo, link, "Bo")
    for page in (ada, bo):
        expect(page.locator("#chairs")).to_contain_text("Bo")
        ready(page)
    playing(ada, bo)
    for page in (ada, bo):
        expect(page.locator("[aria-label$='of 4 in your hand']")).to_have_count(4)
    stored = str([relay.stored for relay in relays])
    for told in ("Ada", "Bo", ONE_DEAL, "candidate", "127.0.0.1", link.partition("#meet=")[2][:22]):
        assert told not in stored
