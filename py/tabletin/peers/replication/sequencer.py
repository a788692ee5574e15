"""What a peer does where it orders: it gives statements their places, and tells their authors why not.

It judges before it signs a place, for a place where the rules refuse what stands there convicts it.
"""

from __future__ import annotations

from typing import Protocol

from tabletin.kernel.log import Entry, Statement, canonical, place
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.backfill import Backfill
from tabletin.peers.replication.evidence import Accusation
from tabletin.peers.replication.ports import Message, ReplicaPort


class Host(ReplicaPort, Protocol):
    """What this part needs beside the replica."""

    tails: Backfill



class Sequencer:
    """The order that one peer gives, while it is its turn to."""

    def __init__(self, peer: Host) -> None:
        self._peer = peer

    def place(self, statement: Statement) -> None:
        """Give ``statement`` the next place, or tell its author why not."""
        peer, match = self._peer, self._peer.match
        message = canonical(place(len(match.entries), match.head, statement.hash))
        entry = Entry.at(len(match.entries), match.head, statement, peer.identity.sign(message))
        try:
            peer.append(entry)
        except Refused as error:
            if statement.author == peer.author:
                peer.rejected(statement, str(error.refusal))
            else:
                peer.send(statement.author, {"t": "no", "h": statement.hash, "k": error.refusal.key})
                peer.suspect(statement)
            return
        peer.tails.tell(entry)
        peer.work()

    def hear_saying(self, sender: str, message: Message) -> None:
        """Somebody wants a place for a statement. Raises ``Malformed``."""
        peer = self._peer
        statement = Statement.from_json(message.get("s"))
        if statement.match != peer.match.id:
            raise Malformed("another match")
        if not peer.authority.statement_signed(statement):
            peer.refused["peers.unsigned"] += 1
            return
        if not peer.orders or not peer.ready:
            peer.refused["peers.not_ordering"] += 1
            return
        if statement.count < peer.match.count(statement.author):
            self._hear_again(sender, statement)
            return
        self.place(statement)

    def _hear_again(self, sender: str, statement: Statement) -> None:
        """Said again, because its author has not seen its entry yet – or another statement with a used counter."""
        peer = self._peer
        for entry in reversed(peer.match.entries):
            placed = entry.statement
            if placed.author == statement.author and placed.count == statement.count:
                if placed.hash != statement.hash:
                    peer.accuse(Accusation.of_counter(peer.match, placed, statement))
                else:
                    peer.tails.give(sender, entry.index, entry.index + 1)
                return
        peer.refused["kernel.log.counter"] += 1
        peer.send(sender, {"t": "no", "h": statement.hash, "k": "kernel.log.counter"})
