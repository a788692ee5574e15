"""What an altered client does: each misdeed gives the ways in which it can be done just now, as messages to be sent.

A misdeed follows from what the client holds and from what honest authors have said, and from nothing else: no chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tabletin.kernel.log import Json, Statement, canonical
from tabletin.peers.replication.authority import ballot_vote
from tabletin.peers.replication.epoch_vote import EpochVote
from tabletin.peers.replication.replica import Replica
from tests.support.forging import put, signed
from tests.support.peer_sim import Node

Messages = list[tuple[str | None, bytes]]  # to whom (None: to all), and what


@dataclass(frozen=True, slots=True)
class AlteredClient:
    """The client at ``node``, the authors of the ``others``, and what honest authors ``said``, but messages of the dealing."""

    node: Node
    others: tuple[str, ...]
    said: tuple[Statement, ...]

    @property
    def peer(self) -> Replica:
        assert self.node.peer is not None
        return self.node.peer

    def seat_statement(self, name: str) -> Statement:
        """A statement that gives the client's seat another name; each with the same counter."""
        match = self.peer.match
        seat = next(iter(match.snapshot.seats_of(self.node.author)), 0)
        return signed(self.node, "seat", {"seat": seat, "to": {**match.setup.seats[seat].to_json(), "name": name}})

    def place(self, statement: Statement) -> bytes:
        """``statement`` at the next place."""
        return canonical({"t": "put", "e": [put(self.node, statement).to_json()]})

    def vote(self, epoch: int, subject: dict[str, Json], back: int) -> bytes:
        """A vote that names the newest entry but ``back``."""
        match = self.peer.match
        entry = match.entries[max(0, len(match.entries) - 1 - back)]
        seen = (match.snapshot_at(entry.index).epoch, entry.index, entry.hash)
        signature = self.node.identity.sign(ballot_vote(match.id, epoch, subject, list(seen)))
        return canonical({"t": "ballot", **EpochVote(self.node.author, epoch, subject, seen, signature).to_json()})

    @property
    def subjects(self) -> list[dict[str, Json]]:
        """What can be voted for: the same one orders again, or one of the others is gone."""
        snapshot = self.peer.match.snapshot
        found: list[dict[str, Json]] = [{"kind": "pass", "against": None, "order": snapshot.orderer}]
        for lost in self.others:
            order = snapshot.orderer if snapshot.orderer != lost else self.node.author
            found.append({"kind": "gone", "peer": lost, "order": order, "heir": order, "then": "bot"})
        return found

    @property
    def next_ballot(self) -> int:
        """A number that nobody's vote has that the client knows."""
        ballots = self.peer._ballots
        return max(ballots._newest_ballot, *ballots._votes, 0) + 1


def false_no(client: AlteredClient) -> Iterator[Messages]:
    """It answers everything that anybody said with a "no"."""
    yield [(None, canonical({"t": "no", "h": one.hash, "k": "kernel.turn"})) for one in client.said]


def two_statements(client: AlteredClient) -> Iterator[Messages]:
    """Two statements with one counter, each to somebody else."""
    yield [(to, canonical({"t": "say", "s": client.seat_statement(f"name {number}").to_json()}))
           for number, to in enumerate(client.others[:2])]


def fork(client: AlteredClient) -> Iterator[Messages]:
    """Two entries for one place, each to somebody else."""
    if client.peer.orders:
        yield [(to, client.place(client.seat_statement(f"fork {number}"))) for number, to in enumerate(client.others[:2])]


def replay(client: AlteredClient) -> Iterator[Messages]:
    """What others said comes once more, to everybody."""
    yield [(None, canonical({"t": "say", "s": one.to_json()})) for one in client.said]


def place_for_one(client: AlteredClient) -> Iterator[Messages]:
    """It places, for one alone, what somebody said at any time, dead or not, if that would stand."""
    if client.peer.orders:
        for statement in client.said:
            if client.peer.match.refusal(statement) is None:
                for to in client.others:
                    yield [(to, client.place(statement))]


def two_votes(client: AlteredClient) -> Iterator[Messages]:
    """It tells each that it wants the other gone, and votes for both in the next ballot."""
    epoch = client.next_ballot
    messages: Messages = []
    for to, subject in zip(client.others, reversed(client.subjects[1:]), strict=False):
        messages += [(to, canonical({"t": "wish", "what": [subject]})), (to, client.vote(epoch, subject, 0))]
    yield messages


def vote_that_hides(client: AlteredClient) -> Iterator[Messages]:
    """It wants whatever can be wanted, and votes for one of that as if it had not seen the last entries."""
    epoch, subjects = client.next_ballot, client.subjects
    wish = canonical({"t": "wish", "what": subjects})
    for subject in subjects:
        yield [(None, wish), (None, client.vote(epoch, subject, 3))]


def stale_consent(client: AlteredClient) -> Iterator[Messages]:
    """It agrees to going back, naming what it saw long ago; if it orders, it places that."""
    match = client.peer.match
    seats = match.snapshot.seats_of(client.node.author)
    if seats and len(match.entries) > 2:
        consent = signed(client.node, "consent", {"seat": seats[0], "to": len(match.entries) - 2}, head=match.entries[-2].hash)
        yield [(None, client.place(consent) if client.peer.orders else canonical({"t": "say", "s": consent.to_json()}))]


MISDEEDS: tuple[Callable[[AlteredClient], Iterator[Messages]], ...] = (
    false_no, two_statements, fork, replay, place_for_one, two_votes, vote_that_hides, stale_consent)
