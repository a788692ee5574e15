"""Which entries of a match end what people want of a seat that keeps the table waiting."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tabletin.app.session.peers.status import PeerStatus
from tabletin.kernel.log import NOTHING, Entry, Statement


class Device:
    """A device whose people want seat 1 timed out."""

    def __init__(self) -> None:
        self.tasks: list[Any] = []
        match = SimpleNamespace(outcome=None, former_authors=frozenset())
        session: Any = SimpleNamespace(match=match, start_task=self.tasks.append)
        nobody: Any = None
        self.status = PeerStatus(session, nobody, nobody)
        self.status.wants_timeout.add(1)

    def hear(self, kind: str, body: dict[str, Any]) -> set[int]:
        """What is still wanted after an entry."""
        self.status.on_entry(Entry.create(1, NOTHING, Statement(NOTHING, "a" * 64, 1, NOTHING, kind, body)))
        for task in self.tasks:
            task.close()
        return self.status.wants_timeout


@pytest.mark.parametrize(("kind", "body"), [("seat", {}), ("consent", {}), ("order", {}), ("deal", {"ahead": ""})])
def test_what_is_said_beside_the_play_changes_no_wish(kind: str, body: dict[str, Any]) -> None:
    """A silent device that says such things all the time would never be timed out."""
    device = Device()
    assert device.hear(kind, body) == {1} and not device.tasks


@pytest.mark.parametrize("kind", ["move", "timeout", "undo", "deal", "gone", "pass", "leave", "device"])
def test_whatever_else_happens_ends_the_wish(kind: str) -> None:
    device = Device()
    assert device.hear(kind, {}) == set() and len(device.tasks) == 1
