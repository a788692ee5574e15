"""Votes for a timeout: a seat keeps the table waiting. What changes who orders is voted on in ``ballots``.

Every voter whose people agree signs so at one head. The peer that orders gathers the signatures, and words the statement that
they amount to; where the seat is its own, the next voter does, and may plead for it. The replica says it. Nothing here decides
that somebody is silent: people do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tabletin.kernel.log import Json
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.authority import timeout_vote, timeout_voters
from tabletin.peers.replication.choices import Choices
from tabletin.peers.replication.outbox import Message, Outbox
from tabletin.peers.replication.state import ReplicaView


@dataclass(slots=True)
class Tally:
    """The signatures of ``message`` so far, by voter: at one head, for one seat."""

    message: bytes
    signatures: dict[str, str] = field(default_factory=dict)


class TimeoutVotes:
    """The votes of one peer, its own and those it gathers."""

    def __init__(self, replica: ReplicaView, outbox: Outbox, choices: Choices) -> None:
        self._replica = replica
        self._outbox = outbox
        self._choices = choices
        self._tallies: dict[int, Tally] = {}  # by seat

    def _seats(self) -> Iterator[int]:
        """The seats that the people here would time out just now."""
        match = self._replica.match
        for seat in sorted(self._choices.timeouts):
            if seat in match.rules.to_act(match.state):
                yield seat

    def _gatherer(self, seat: int) -> str:
        """Who gathers the votes for ``seat``; "" where nobody may vote."""
        snapshot = self._replica.match.snapshot
        voters, owner = timeout_voters(snapshot, seat), snapshot.setup.seats[seat].author
        return snapshot.orderer if snapshot.orderer != owner else next(iter(voters), "")

    def _message(self, seat: int) -> bytes:
        """What a voter signs."""
        match = self._replica.match
        return timeout_vote(match.id, match.head, seat)

    def vote(self) -> Iterator[Message]:
        """Sign what the people here agree to, and give it to the peer that gathers it.

        Yields the body of each timeout that enough have voted for. It is to be said before the next seat is looked at.
        """
        replica = self._replica
        for seat in self._seats():
            signature = replica.identity.sign(self._message(seat))
            gatherer = self._gatherer(seat)
            if gatherer == replica.author:
                body = self._count(seat, replica.author, signature)
                if body is not None:
                    yield body
            else:
                self._outbox.send(gatherer, {"t": "vote", "q": ["timeout", seat], "h": replica.match.head, "sig": signature})

    def hear(self, sender: str, message: Message) -> Message | None:
        """Take in another's vote, if the people here agree. Returns the body of the timeout that is decided by it.

        Raises ``Malformed``.
        """
        replica = self._replica
        if message.get("h") != replica.match.head:
            return None
        question = message.get("q")
        for seat in self._seats():
            is_asked = question == ["timeout", seat] and type(question[1]) is int
            if is_asked and self._gatherer(seat) == replica.author:
                signature = message.get("sig")
                if type(signature) is not str or not replica.authority.verifier.verify(sender, self._message(seat), signature):
                    raise Malformed("a vote that is not signed")
                return self._count(seat, sender, signature)
        return None

    def _count(self, seat: int, voter: str, signature: str) -> Message | None:
        replica, message = self._replica, self._message(seat)
        tally = self._tallies.get(seat)
        if tally is None or tally.message != message:  # the log went on: votes at an older head are void
            tally = self._tallies[seat] = Tally(message)
        tally.signatures[voter] = signature
        if not replica.ready or replica.pending is not None:
            return None
        voters = timeout_voters(replica.match.snapshot, seat)
        if not set(voters) <= tally.signatures.keys():
            return None
        signatures: dict[str, Json] = {other: tally.signatures[other] for other in voters}
        del self._tallies[seat]
        return {"seat": seat, "agreed": signatures} if len(voters) > 1 else None
