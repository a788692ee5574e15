"""The order that one peer gives, while it is its turn to: it gives statements their places in the log.

It judges a statement before it signs its place, because a place where the rules refuse the statement convicts the peer that
signed it. The author of a refused statement is told why.
"""

from __future__ import annotations

from typing import Final

from tabletin.kernel.log import Entry, Statement, canonical, place
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.accusations import Accusations
from tabletin.peers.replication.backfill import Backfill
from tabletin.peers.replication.choices import Choices
from tabletin.peers.replication.evidence import Accusation, check_size
from tabletin.peers.replication.outbox import Message, Outbox
from tabletin.peers.replication.state import ReplicaState
from tabletin.peers.replication.statement_quota import BESIDE_PLAY

QUIET: Final = 3.0  # seconds in which votes for a timeout, which are for one head, come together


class Sequencer:
    """Places statements, this device's own and those that others send."""

    def __init__(self, state: ReplicaState, outbox: Outbox, backfill: Backfill, accusations: Accusations,
                 choices: Choices) -> None:
        self._state = state
        self._choices = choices
        self._outbox = outbox
        self._backfill = backfill
        self._accusations = accusations

    def place_due(self, statement: Statement) -> Refusal | None:
        """Give ``statement`` the next place if it is due one; or why it gets none."""
        state = self._state
        return (state.placing_refusal(statement) if statement.kind in BESIDE_PLAY else None) or self.place(statement)

    def place(self, statement: Statement) -> Refusal | None:
        """Give ``statement`` the next place and tell everybody; or why it gets none."""
        state, match = self._state, self._state.match
        message = canonical(place(len(match.entries), match.head, statement.hash))
        entry = Entry.create(len(match.entries), match.head, statement, state.identity.sign(message))
        try:
            state.append(entry)
        except Refused as error:
            return error.refusal
        self._accusations.check_log()
        self._backfill.announce(entry)
        return None

    def hear_statement(self, sender: str, message: Message) -> None:
        """A peer wants a place for a statement. Raises ``Malformed``."""
        state = self._state
        statement = Statement.from_json(message.get("s"))
        check_size(statement)
        if statement.match != state.match.id:
            raise Malformed("another match")
        if not state.authority.statement_signed(statement):
            state.refusal_counts["peers.unsigned"] += 1
            return
        if not state.orders or not state.ready:
            state.refusal_counts["peers.not_ordering"] += 1
            return
        if statement.count < state.match.count(statement.author):
            self._hear_again(sender, statement)
            return
        if self._voids_votes(statement):
            state.refusal_counts["peers.not_yet"] += 1
            return
        refusal = self.place_due(statement)
        if refusal is not None and statement.author != state.author:
            if sender == statement.author:  # a third one could have this device say "no" until its author reads nothing more
                self._outbox.send(sender, {"t": "no", "h": statement.hash, "k": refusal.key})
            self._accusations.suspect(statement)

    def _voids_votes(self, statement: Statement) -> bool:
        """Whether ``statement`` would make votes for a timeout void that people here want, and has time: whoever keeps the table
        waiting could say such things without end. Its author says it again."""
        state, match = self._state, self._state.match
        if statement.kind not in BESIDE_PLAY or state.has_rested(QUIET):
            return False
        return not self._choices.timeouts.isdisjoint(match.rules.to_act(match.state))

    def _hear_again(self, sender: str, statement: Statement) -> None:
        """The counter of ``statement`` was used: its author has not seen its entry yet, or signed two statements."""
        state = self._state
        for entry in reversed(state.match.entries):
            placed = entry.statement
            if placed.author == statement.author and placed.count == statement.count:
                if placed.hash != statement.hash:
                    self._accusations.accuse(Accusation.of_counter(state.match, placed, statement))
                else:
                    self._backfill.serve(sender, entry.index, entry.index + 1)
                return
        state.refusal_counts["kernel.log.counter"] += 1
        self._outbox.send(sender, {"t": "no", "h": statement.hash, "k": "kernel.log.counter"})
