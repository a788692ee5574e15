"""The explorer finds faults: rules are taken out of the replicas one at a time, and each has to be missed in a small scene."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import pytest

from tabletin.kernel.log import Statement
from tabletin.peers.replication.accusations import Accusations
from tabletin.peers.replication.authority import acknowledgement
from tabletin.peers.replication.backfill import Backfill
from tabletin.peers.replication.ballots import Ballots
from tabletin.peers.replication.evidence import Accusation
from tabletin.peers.replication.outbox import Message
from tabletin.peers.replication.replica import Replica
from tabletin.peers.replication.state import ReplicaState
from tabletin.peers.replication.sync import VERSION, LogSync
from tests.support.explorer import Bounds
from tests.support.explorer_scenes import begin


def believe_no(self: Replica, sender: str, message: Message) -> None:
    """A "no" ends a statement, though it may still get its place."""
    if self.pending is not None and message.get("h") == self.pending.hash:
        self._give_up("kernel.turn")


def never_ask(self: Backfill, author: str, gap: int | None = None) -> None:
    """What is missing is not asked for."""


def lift_nothing(self: Ballots) -> Iterator[Message]:
    """Somebody stays bound by a promise that led to nothing."""
    return iter(())


def accuse_who_is_late(self: Accusations, statement: Statement) -> None:
    """Whoever said something that is refused where it would stand is accused."""
    self.accuse(Accusation(statement.author, "statement", tuple(self._state.match.entries), (statement.to_json(),)))


def sign_newest_head(self: LogSync) -> Message:
    """Who is bound by a vote signs heads of what it has taken in since."""
    match, identity = self._state.match, self._state.identity
    index, head = len(match.entries) - 1, match.head
    return {"t": "head", "i": index, "h": head, "m": match.id, "v": VERSION,
            "sig": identity.sign(acknowledgement(match.id, index, head))}


def believe_everybody_there(self: ReplicaState, author: str) -> bool:
    """Whoever was there once counts as there for good: nobody who falls silent is voted gone."""
    return True


@dataclass(frozen=True, slots=True)
class Fault:
    """``broken`` stands in place of the method ``name`` of ``part``; in ``scene``, with the ``altered`` client and within
    ``bounds``, the explorer says that ``missed`` does not hold."""

    part: type
    name: str
    broken: Callable[..., Any]
    scene: str
    altered: int | None
    bounds: Bounds
    missed: str


FAULTS: Final = (
    Fault(Replica, "_hear_no", believe_no, "move", 1, Bounds(times=0, misdeeds=1, told=True), "two usable commitments"),
    Fault(Backfill, "_ask", never_ask, "move", 0, Bounds(times=0, misdeeds=1, told=True), "does not come to rest"),
    Fault(Ballots, "_lifts", lift_nothing, "gone two ways", None, Bounds(times=1), "does not come to rest"),
    Fault(Accusations, "suspect", accuse_who_is_late, "undo", None, Bounds(times=1), "an honest peer is convicted"),
    Fault(LogSync, "_head", sign_newest_head, "gone", None, Bounds(times=1, told=True), "an honest peer is convicted"),
    Fault(ReplicaState, "is_present", believe_everybody_there, "move", 1, Bounds(times=0, misdeeds=1, told=True),
          "who is silent stays"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.broken.__name__)
def test_a_rule_that_is_taken_out_is_missed(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fault.part, fault.name, fault.broken)
    explorer, start = begin(fault.scene, fault.altered, fault.bounds)
    with pytest.raises(AssertionError, match=fault.missed) as caught:
        explorer.explore(start)
    assert any(note.startswith("after: ") for note in caught.value.__notes__)
