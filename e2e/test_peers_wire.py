"""Links from browser to browser in real Chromium, with nothing between them but loopback."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from e2e.conftest import ready

SOURCE = (Path(__file__).parent / "wire_page.py").read_text("utf-8")
PATIENCE = 60_000  # ms


@dataclass
class Device:
    """A page with its links."""

    page: Page
    author: str = ""

    def open(self, seed: str, room: str = "") -> Device:
        self.page.evaluate("""code => {
            const script = document.createElement('script');
            script.type = 'py';
            script.textContent = code;
            document.body.append(script);
        }""", SOURCE)
        self.page.wait_for_function("document.documentElement.dataset.wire", timeout=PATIENCE)
        self.author = self.do("opened", seed, room)
        assert len(self.author) == 64, self.author
        return self

    def reload(self, seed: str, room: str) -> None:
        self.page.reload()
        ready(self.page)
        self.open(seed, room)

    def do(self, name: str, *arguments: Any) -> Any:
        return self.page.evaluate("([name, ...rest]) => wire[name](...rest)", [name, *arguments])

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.do("state"))
        return found

    def until(self, condition: str, *arguments: Any) -> None:
        """Wait until ``condition`` (JavaScript, of ``state`` and ``given``) holds."""
        self.page.wait_for_function(f"given => {{ const state = JSON.parse(wire.state()); return {condition}; }}",
                                    arg=list(arguments), timeout=PATIENCE, polling=50)

    def knows(self, *others: Device) -> None:
        """Wait until it is linked with all of ``others``, and hears them."""
        self.until("given.every((who) => state.connected.includes(who) && state.presence[who] === 'here')",
                   *(other.author for other in others))


def connect(host: Device, guest: Device) -> None:
    """By invite and reply, as text."""
    reply = guest.do("answer", host.do("invite"))
    assert not reply.startswith("!"), reply
    assert host.do("accept", reply) == guest.author
    assert guest.do("connected") == host.author


def test_two_devices_meet_by_text(new_device: Callable[..., Page]) -> None:
    anna, ben = Device(new_device()).open("anna"), Device(new_device()).open("ben")
    connect(anna, ben)
    anna.do("send", ben.author, "match", "your turn")
    ben.do("send", "", "room", "hello")
    ben.until("state.texts.length === 1")
    anna.until("state.texts.length === 1")
    assert ben.state["texts"] == [["match", anna.author, "your turn"]]
    assert anna.state["texts"] == [["room", ben.author, "hello"]]
    assert anna.state["troubles"] == ben.state["troubles"] == {}


def test_three_are_introduced(new_device: Callable[..., Page]) -> None:
    anna, ben, cleo = (Device(new_device()).open(name) for name in ("anna", "ben", "cleo"))
    connect(anna, ben)
    connect(ben, cleo)
    for one, others in ((anna, (ben, cleo)), (ben, (anna, cleo)), (cleo, (anna, ben))):
        one.knows(*others)
    cleo.do("send", anna.author, "match", "x" * 300_000)
    anna.until("state.texts.some(([channel, who, text]) => channel === 'match' && text.length === 300000)")


def test_a_reloaded_page_comes_back_with_no_code(new_device: Callable[..., Page]) -> None:
    anna, ben = Device(new_device()).open("anna"), Device(new_device()).open("ben")
    connect(anna, ben)
    room = anna.state["room"]
    ben.until("state.ways[given[0]] === 2", anna.author)
    ben.reload("ben", room)
    anna.knows(ben)
    ben.knows(anna)
    anna.do("send", ben.author, "match", "where were we")
    ben.until("state.texts.length === 1")
