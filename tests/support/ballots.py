"""Votes and the entries that begin an epoch, as any program may sign them, for tests."""

from __future__ import annotations

from typing import Any

from tabletin.kernel.log import Entry
from tabletin.kernel.match import Match
from tabletin.peers.replication.authority import ballot_vote
from tabletin.peers.replication.epoch_vote import EpochVote
from tests.support.device_moves import peer_of
from tests.support.forging import put, signed
from tests.support.peer_sim import Network, Node

GONE = {"kind": "gone", "then": "bot"}


def node_of(net: Network, author: str) -> Node:
    return next(node for node in net.nodes if node.author == author)


def vote_of(node: Node, epoch: int, subject: dict[str, Any], seen: tuple[int, int, str]) -> EpochVote:
    """A vote as a changed program may sign it."""
    message = ballot_vote(peer_of(node).match.id, epoch, subject, list(seen))
    return EpochVote(node.author, epoch, subject, seen, node.identity.sign(message))


def end_of(match: Match, back: int = 0) -> tuple[int, int, str]:
    entry = match.entries[-1 - back]
    return match.snapshot_at(entry.index).epoch, entry.index, entry.hash


def subject_gone(peer: str, order: str) -> dict[str, Any]:
    return {**GONE, "peer": peer, "order": order, "heir": order}


def first_body(subject: dict[str, Any], epoch: int, votes: list[EpochVote]) -> dict[str, Any]:
    """What the statement that begins ``epoch`` says."""
    body = {name: value for name, value in subject.items() if name != "kind"}
    return body | {"epoch": epoch, "votes": {vote.voter: [list(vote.end), vote.signature] for vote in votes}}


def first_entry(author: Node, subject: dict[str, Any], epoch: int, votes: list[EpochVote], index: int) -> Entry:
    """The entry that begins ``epoch`` at ``index``, as ``author`` would place it."""
    head = peer_of(author).match.entries[index - 1].hash
    return put(author, signed(author, subject["kind"], first_body(subject, epoch, votes), head=head), index)


def refusal_of(match: Match, entry: Entry) -> str:
    refusal = match.refusal_at(entry.index - 1, entry.statement)
    return "" if refusal is None else refusal.key
