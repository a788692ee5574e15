"""Keeping one's log in step: entries as they come, and heads. Who is asked for what is missing, ``tails`` decides.

An entry is taken only at the next place and only if it is right; what comes too early waits. Two heads that do not fit are
compared entry by entry until one of the two holds proof of a fork. Shuffles of finished hands may be checked later
(``checking``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, Protocol

from tabletin.kernel.log import Entry
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.authority import seen
from tabletin.peers.replication.backfill import BATCH, Backfill
from tabletin.peers.replication.evidence import Accusation, guilty_of_shuffle
from tabletin.peers.replication.ports import Message, ReplicaPort

VERSION: Final = 2  # 1 knew no polite leave that plays on
MOST_AHEAD: Final = 512  # entries held of each sender that cannot be placed yet
MOST_BYTES_AHEAD: Final = 8_000_000  # of these, in statements
MANY: Final = 8  # entries in one message from which it is catching up, not play
CHECKED_A_TICK: Final = 2  # shuffles of finished hands


class Host(ReplicaPort, Protocol):
    """What this part needs beside the replica."""

    tails: Backfill



class LogSync:
    """What one peer hears of the log."""

    def __init__(self, peer: Host) -> None:
        self._peer = peer
        self._ahead: dict[int, dict[str, Entry]] = {}  # by sender, so that nobody's forgery keeps the true one out
        self._bytes_ahead: Counter[str] = Counter()

    def hear_entries(self, sender: str, message: Message) -> None:
        peer = self._peer
        match, late, tails = peer.match, peer.late, peer.tails
        entries = message.get("e")
        if not isinstance(entries, list) or len(entries) > BATCH:
            raise Malformed("expected entries")
        before, again = len(match.entries), False
        for data in entries:
            entry = Entry.from_json(data)
            if entry.statement.match != match.id:
                raise Malformed("another match")
            if entry.index < len(match.entries):
                self._compare(entry)
                again = True
            else:
                self._hold(sender, entry)
        if late is not None:
            late.catching_up = max(len(entries), tails.missing(sender)) > MANY
        self._advance()
        tails.went_on(sender, before, again, min(self._ahead, default=None))
        more = len(match.entries) > before and tails.missing(sender) > 0
        if late is not None:
            late.catching_up = False
            if not more and late.urgent:
                self.check()

    def _hold(self, sender: str, entry: Entry) -> None:
        """Keep an entry that may be the next one, or comes too early."""
        size = len(entry.statement.spelled)
        too_far = entry.index >= len(self._peer.match.entries) + MOST_AHEAD
        if too_far or self._bytes_ahead[sender] + size > MOST_BYTES_AHEAD:
            self._peer.refused["peers.too_far_ahead"] += 1
        elif sender not in (held := self._ahead.setdefault(entry.index, {})):
            held[sender] = entry
            self._bytes_ahead[sender] += size

    def _forget_placed(self) -> None:
        """Let go of what this device has placed itself in the meantime."""
        for index in [index for index in self._ahead if index < len(self._peer.match.entries)]:
            for sender, entry in self._ahead.pop(index).items():
                self._bytes_ahead[sender] -= len(entry.statement.spelled)

    def _next(self) -> Iterator[Entry]:
        """What was said to be the entry at the next place, every sender's, each different one once."""
        for sender, entry in self._ahead.pop(len(self._peer.match.entries), {}).items():
            self._bytes_ahead[sender] -= len(entry.statement.spelled)
            yield entry

    def check(self) -> None:
        """Check shuffles that were put off: all of the hand under way, else a few. One that fails convicts its author."""
        late, match = self._peer.late, self._peer.match
        if late is None or not late.left:
            return
        late.work(late.urgent or min(CHECKED_A_TICK, late.left))
        if late.failed:
            against = guilty_of_shuffle(match, self._peer.authority, late.group)
            if against is not None:
                self._peer.accuse(Accusation.of_log(match, against, "shuffle"))

    def _advance(self) -> None:
        peer = self._peer
        match = peer.match
        grown = True
        while grown:
            grown = False
            self._forget_placed()
            for entry in list(self._next()):
                if entry.index < len(match.entries):
                    self._compare(entry)
                    continue
                try:
                    peer.append(entry)
                    grown = True
                except Refused as error:
                    self._hear_wrong_entry(entry, error)

    def _hear_wrong_entry(self, entry: Entry, error: Refused) -> None:
        """An entry that cannot stand here: evidence, if the peer that orders signed it for this very place."""
        peer, match = self._peer, self._peer.match
        signed = peer.authority.place_signed(entry, match.orderer)
        if signed and entry.previous == match.head:
            peer.accuse(Accusation.of_place(match, entry))
        else:
            peer.refused["peers.other_history" if signed else error.refusal.key] += 1

    def _compare(self, entry: Entry) -> None:
        """Two places at one index, signed by one key, are a fork."""
        peer, match = self._peer, self._peer.match
        ours = match.entries[entry.index]
        if ours.hash == entry.hash or entry.index == 0:
            peer.refused["peers.again"] += 1
            return
        if peer.authority.place_signed(entry, match.at(entry.index - 1).orderer):
            peer.accuse(Accusation.of_fork(match, ours, entry))
        else:
            peer.refused["peers.place_unsigned"] += 1

    # ---- heads ----

    def tell_head(self, *, gossip: bool = False) -> None:
        """Tell everybody one's newest entry; ``gossip``: what others acknowledged, too."""
        peer = self._peer
        message = self._head()
        if gossip and peer.seen.asking:
            message["seen"] = peer.seen.news()
        peer.send(None, message)

    def _head(self) -> Message:
        peer, match = self._peer, self._peer.match
        index = len(match.entries) - 1
        message: Message = {"t": "head", "i": index, "h": match.head, "m": match.id, "v": VERSION}
        if peer.ready:
            message["sig"] = peer.identity.sign(seen(match.id, index, match.head))
        return message

    def hear_head(self, sender: str, message: Message) -> None:
        peer, match = self._peer, self._peer.match
        index, head = message.get("i"), message.get("h")
        if message.get("m") != match.id or message.get("v") != VERSION:
            raise Malformed("another match or version")
        if type(index) is not int or type(head) is not str or index < 0:
            raise Malformed("expected a head")
        self._hear_seen(sender, message)
        mine = len(match.entries) - 1
        if index > mine:
            peer.tails.hear(sender, index)
            return
        peer.heard(sender)
        if match.entries[index].hash != head:
            peer.tails.give(sender, index)  # let the other side compare: one of us holds proof of a fork
            peer.send(sender, {"t": "want", "i": index})
        elif index < mine and "sig" not in message:  # who may not sign yet is told at once how far the log is
            peer.send(sender, self._head())

    def _hear_seen(self, sender: str, message: Message) -> None:
        """Acknowledgements: the sender's own and those it heard. A spectator's are of no use to anybody."""
        peer = self._peer
        told = message.get("seen", {})
        if type(told) is not dict:
            raise Malformed("expected acknowledgements")
        if "sig" in message:
            told = {**told, sender: [message["i"], message["h"], message["sig"]]}
        for author in peer.others:
            if author in told:
                match told[author]:
                    case [int(index), str(head), str(signature)] if index >= 0:
                        peer.seen.acknowledge(author, index, head, signature)
                    case _:
                        raise Malformed("expected an acknowledgement")

    def hear_want(self, sender: str, message: Message) -> None:
        index, end = message.get("i"), message.get("to")
        if type(index) is not int or index < 0 or (end is not None and type(end) is not int):
            raise Malformed("expected an index")
        self._peer.tails.give(sender, index, end)
