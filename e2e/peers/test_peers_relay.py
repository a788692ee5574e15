"""Relays that stumble: one that loses what it was given, and one that never says what it took."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from e2e.support.devices import Device
from e2e.support.nostr_relay import Relay, Session

HURRIED = """() => {
    const later = globalThis.setTimeout;
    globalThis.setTimeout = (act, time, ...rest) => later(act, time === 6000 ? 300 : time, ...rest);
}"""
"""A page that waits for a relay's answer for a moment only."""


class Losing(Relay):
    """Ends two connections at their first event. ``given``: the ids of all events, the lost ones, too."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []
        self.lost: set[str] = set()

    def take(self, session: Session, message: list[Any]) -> None:
        if message[0] == "EVENT":
            self.given.append(message[1]["id"])
            if len(self.lost) < 2:
                self.lost.add(message[1]["id"])
                raise ConnectionError
        super().take(session, message)


class Silent(Relay):
    """Hands on what it is given, and never says that it has it. ``visits``: how often it was asked for events."""

    says_what_it_took = False

    def __init__(self) -> None:
        super().__init__()
        self.visits = 0

    def take(self, session: Session, message: list[Any]) -> None:
        self.visits += message[0] == "REQ"
        super().take(session, message)


def meet(new_device: Callable[..., Page], relay: Relay) -> None:
    """Two pages find each other by a name."""
    pages = [new_device() for _ in range(2)]
    for page in pages:
        page.evaluate(HURRIED)
    anna, ben = (Device(page, name).open() for page, name in zip(pages, ("anna", "ben"), strict=True))
    for device in (anna, ben):
        device.do("meet", "the kitchen table", relay.address)
    for device in (anna, ben):
        device.knows((anna, ben))


def test_what_a_relay_lost_goes_out_again(new_device: Callable[..., Page]) -> None:
    relay = Losing()
    relay.start()
    meet(new_device, relay)
    relay.stop()
    assert len(relay.lost) == 2
    assert all(relay.given.count(event) >= 2 for event in relay.lost)


@pytest.mark.wide
def test_a_relay_that_is_heard_is_kept_though_it_never_says_what_it_took(new_device: Callable[..., Page]) -> None:
    relay = Silent()
    relay.start()
    meet(new_device, relay)
    relay.stop()
    assert relay.visits == 2
