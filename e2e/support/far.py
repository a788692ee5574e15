"""People in two houses as they meet: one question, one consent, one link."""

from __future__ import annotations

import json
from collections.abc import Sequence

from playwright.sync_api import Page, expect

from e2e.support.nostr_relay import Relay
from e2e.support.rooms import write
from e2e.support.site import ready


def prefer(page: Page, relays: Sequence[Relay], *, agreed: bool = False, stun: str = "") -> None:
    """Put relays of the test's own into the settings, in place of the public ones; ``agreed``: they are switched on."""
    settings = {"relay": agreed, "relay_url": " ".join(relay.address for relay in relays), "stun": stun}
    page.evaluate("(settings) => localStorage.setItem('tabletin.settings', settings)", json.dumps(settings))
    page.reload()
    ready(page)


def link_of(host: Page) -> str:
    """The link that the room shows."""
    area = host.locator("#as-text")
    expect(area).to_have_count(1)
    return area.input_value().split(": ", 1)[1]


def come(guest: Page, link: str, name: str) -> None:
    """Open the link and give a name."""
    guest.evaluate("(address) => { location.hash = address; }", link.partition("#")[2])
    write(guest.get_by_label("Your name"), name)
    guest.locator("#answer").click()
