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
        self.entries: list[Entry] = []
        match = SimpleNamespace(outcome=None, former_authors=frozenset(), entries=self.entries)
        session: Any = SimpleNamespace(match=match, start_task=self.tasks.append)
        nobody: Any = None
        self.status = PeerStatus(session, nobody, nobody)
        self.status.wants_timeout.add(1)

    def hear(self, kind: str, body: dict[str, Any]) -> set[int]:
        """What is still wanted after an entry."""
        self.entries.append(Entry.create(len(self.entries), NOTHING, Statement(NOTHING, "a" * 64, 1, NOTHING, kind, body)))
        self.status.on_entry(self.entries[-1])
        for task in self.tasks:
            task.close()
        return self.status.wants_timeout


@pytest.mark.parametrize(("kind", "body"),
                         [("seat", {}), ("consent", {}), ("order", {}), ("device", {}), ("deal", {"ahead": ""})])
def test_what_is_said_beside_the_play_changes_no_wish(kind: str, body: dict[str, Any]) -> None:
    """A silent device that says such things all the time would never be timed out."""
    device = Device()
    assert device.hear(kind, body) == {1} and not device.tasks


@pytest.mark.parametrize("kind", ["move", "timeout", "deal", "gone", "pass", "leave"])
def test_whatever_else_happens_ends_the_wish(kind: str) -> None:
    device = Device()
    assert device.hear(kind, {}) == set() and len(device.tasks) == 1


def test_who_takes_nothing_back_changes_no_wish() -> None:
    """Anybody may take back what it said beside the play, and that it did so."""
    device = Device()
    device.hear("move", {})
    device.hear("move", {})
    device.status.wants_timeout.add(1)
    for kind, body in (("consent", {}), ("undo", {"to": 1}), ("seat", {}), ("undo", {"to": 2}), ("undo", {"to": 1})):
        assert device.hear(kind, body) == {1}
    assert device.hear("undo", {"to": 0}) == set(), "the second move is taken back"
    device.status.wants_timeout.add(1)
    device.hear("consent", {})
    assert device.hear("undo", {"to": 6}) == set(), "and now it is not"
