"""Votes: a seat that keeps the table waiting. ``ballots`` are for what changes who orders.

Every voter whose people agree signs so at one head; the peer that orders gathers the signatures and words the statement they
amount to. The replica says it. Nothing here decides that somebody is silent: people do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tabletin.kernel.log import Json
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.authority import timeout_vote, timeout_voters
from tabletin.peers.replication.outbox import Message, Outbox
from tabletin.peers.replication.state import ReplicaView

Name = tuple[Any, ...]  # ("timeout", seat)


@dataclass(frozen=True, slots=True)
class Question:
    """What is voted on at one head: ``message`` is what a peer signs, ``gatherer`` who gathers the signatures."""

    name: Name
    message: bytes
    gatherer: str


@dataclass(frozen=True, slots=True)
class Resolution:
    """A statement that enough peers have voted for."""

    kind: str
    body: Message


@dataclass(slots=True)
class Ballot:
    """Signatures gathered for one question at one head."""

    message: bytes
    signatures: dict[str, str] = field(default_factory=dict)


class Votes:
    """The votes of one peer, its own and those it gathers."""

    def __init__(self, replica: ReplicaView, outbox: Outbox) -> None:
        self._replica = replica
        self._outbox = outbox
        self._ballots: dict[Name, Ballot] = {}
        self.removals: set[str] = set()  # the peers that this device's people agree to go on without
        self.ending_removals: set[str] = set()  # of these, whose seats shall not be played on: the match ends
        self.timeouts: set[int] = set()  # the seats that have kept this device's people waiting long enough

    def _questions(self) -> Iterator[Question]:
        """What this peer agrees to just now."""
        match = self._replica.match
        for seat in sorted(self.timeouts):
            if seat in match.rules.to_act(match.state):
                yield Question(("timeout", seat), timeout_vote(match.id, match.head, seat), match.orderer)

    def vote(self) -> Iterator[Resolution]:
        """Sign what this peer's people agree to, and give it to the gatherer. What is decided by it is to be said before the
        next question is looked at."""
        replica = self._replica
        for question in self._questions():
            signature = replica.identity.sign(question.message)
            if question.gatherer == replica.author:
                decision = self._count(question, replica.author, signature)
                if decision is not None:
                    yield decision
            else:
                vote: Message = {"t": "vote", "q": list(question.name), "h": replica.match.head, "sig": signature}
                self._outbox.send(question.gatherer, vote)

    def hear(self, sender: str, message: Message) -> Resolution | None:
        """Take in another's vote, if this peer's people ask the same; what is decided by it. Raises ``Malformed``."""
        replica = self._replica
        if message.get("h") != replica.match.head:
            return None
        for question in self._questions():
            if list(question.name) == message.get("q") and question.gatherer == replica.author:
                signature = message.get("sig")
                if type(signature) is not str or not replica.authority.verifier.verify(sender, question.message, signature):
                    raise Malformed("a vote that is not signed")
                return self._count(question, sender, signature)
        return None

    def _count(self, question: Question, voter: str, signature: str) -> Resolution | None:
        replica = self._replica
        ballot = self._ballots.setdefault(question.name, Ballot(question.message))
        if ballot.message != question.message:  # the log went on: votes at an older head are void
            ballot = self._ballots[question.name] = Ballot(question.message)
        ballot.signatures[voter] = signature
        _, seat = question.name
        if not replica.ready or replica.pending is not None:
            return None
        left = timeout_voters(replica.match.snapshot, seat)
        if not set(left) <= ballot.signatures.keys():
            return None
        signatures: dict[str, Json] = {other: ballot.signatures[other] for other in left}
        del self._ballots[question.name]
        return Resolution("timeout", {"seat": seat, "agreed": signatures}) if len(left) > 1 else None
