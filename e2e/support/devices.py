"""Devices with links, for tests and benchmarks: each is a page that runs ``wire_page.py``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from e2e.support.site import PATIENCE, ready

STANDIN = (Path(__file__).parents[2] / "tests" / "support" / "standin.py").read_text("utf-8")
# The page has no folder of tests: the one module that it needs is made there.
SOURCE = f"""
import sys
from types import ModuleType
for name in ("tests", "tests.support", "tests.support.standin"):
    sys.modules[name] = ModuleType(name)
exec({STANDIN!r}, sys.modules["tests.support.standin"].__dict__)
""" + (Path(__file__).parent / "in_page" / "wire_page.py").read_text("utf-8")


@dataclass
class Device:
    """A page with its links, whose key comes from ``seed``."""

    page: Page
    seed: str
    author: str = ""

    def open(self, room: str = "", servers: dict[str, object] | None = None) -> Device:
        """Open its links; in a room where it was before, it comes back by itself."""
        self.page.evaluate("""code => {
            const script = document.createElement('script');
            script.type = 'py';
            script.textContent = code;
            document.body.append(script);
        }""", SOURCE)
        self.page.wait_for_function("document.documentElement.dataset.wire", timeout=PATIENCE)
        self.author = self.do("opened", self.seed, room, json.dumps(servers))
        assert len(self.author) == 64, self.author
        return self

    def reload(self) -> None:
        """Reload the page, and open the room it was in."""
        room = self.state["room"]
        self.page.reload()
        ready(self.page)
        self.open(room)

    def do(self, name: str, *arguments: Any) -> Any:
        """Call ``wire.name``; what it returns, or "!" and the key of why not. Fails where it never returns."""
        return self.page.evaluate("""async ([patience, name, ...rest]) => {
            let timer;
            const late = new Promise((_, refuse) => {
                timer = setTimeout(() => refuse(new Error(`wire.${name} does not return`)), patience);
            });
            try {
                return await Promise.race([wire[name](...rest), late]);
            } finally {
                clearTimeout(timer);
            }
        }""", [PATIENCE, name, *arguments])

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.do("state"))
        return found

    def until(self, condition: str, *arguments: Any) -> None:
        """Wait until ``condition`` (JavaScript, of ``state`` and ``given``) holds."""
        self.page.wait_for_function(f"given => {{ const state = JSON.parse(wire.state()); return {condition}; }}",
                                    arg=list(arguments), timeout=PATIENCE, polling=50)

    def knows(self, others: Iterable[Device]) -> None:
        """Wait until it has links with all of ``others`` except itself, and hears them."""
        self.until("given.every((who) => state.connected.includes(who) && state.presence[who] === 'here')",
                   *(other.author for other in others if other is not self))

    def sees(self, other: Device, presence: str) -> None:
        """Wait until ``other`` is "here", "away", … to it."""
        self.until("state.presence[given[0]] === given[1]", other.author, presence)

    def says(self, other: Device, text: str, channel: str = "match") -> None:
        self.do("send", other.author, channel, text)

    def hears(self, other: Device, text: str, channel: str = "match") -> None:
        """Wait until it has heard ``text``."""
        self.until("state.texts.some((said) => JSON.stringify(said) === JSON.stringify(given))", channel, other.author, text)

    def can_return_to(self, others: Iterable[Device]) -> None:
        """Wait until it and each of ``others`` would find each other again after a reload of either."""
        self.until("given.every((who) => state.returns.includes(who))",
                   *(other.author for other in others if other is not self))


def connect(host: Device, guest: Device) -> None:
    """Connect two by invite and reply, as text."""
    reply = guest.do("answer", host.do("invite"))
    assert not reply.startswith("!"), reply
    assert host.do("accept", reply) == guest.author
    assert guest.do("connected") == host.author


def company(*devices: Device) -> None:
    """Each device invites the next; the mesh introduces it to the rest."""
    for host, guest in pairwise(devices):
        connect(host, guest)
    for device in devices:
        device.knows(devices)
