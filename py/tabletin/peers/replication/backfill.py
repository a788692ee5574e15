"""Entries that are missing: whom this device asks for them, and which it serves to others.

It asks one peer at a time, and serves nobody the same entries twice at once. Entries come by themselves from the peer that
places them. That another peer holds more is no sign that any was lost: they may still be on their way. So a moment passes
before anybody is asked, unless the peer that orders says so, whose word cannot overtake its entries. Nothing here judges an
entry.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import inf
from typing import Final

from tabletin.kernel.log import Entry, canonical
from tabletin.peers.replication.outbox import Message, Outbox
from tabletin.peers.replication.payloads import Payloads, travel_time
from tabletin.peers.replication.state import ReplicaView

BATCH: Final = 64  # entries in one message
BATCH_BYTES: Final = 500_000  # of these, after which no further one is put in
GRACE: Final = 0.5  # seconds to wait for entries that may be on their way, and twice that for an answer; it grows …
MOST_GRACE: Final = 4.0  # … up to this, each time an entry comes twice, and shrinks again as none does
MOST_SERVED: Final = 4_000_000  # bytes of entries in a second to one peer, or to all who do not play; they ask again for more
TRACED: Final = 4.0  # seconds for which it is remembered how far back another log was found to be different
TRANSIT: Final = 1.5  # seconds for which entries that were sent count as on their way; longer where they are large


@dataclass(frozen=True, slots=True)
class Delivery:
    """Entries that were sent to one peer: from index ``start``, before ``end``; on their way before ``deadline``."""

    start: int
    end: int
    deadline: float

    def is_bringing(self, index: int, now: float) -> bool:
        """Whether entry ``index`` is still on its way."""
        return now < self.deadline and self.start <= index < self.end


@dataclass(slots=True)
class Parting:
    """Entry ``index`` of another log stands behind another one than ours, which was found at ``found_at``. What is before it was
    asked for at ``asked_at`` (seconds)."""

    index: int
    found_at: float
    asked_at: float = -inf


class Backfill:
    """What one peer knows of where the others' logs end, and what it sent to them."""

    def __init__(self, replica: ReplicaView, outbox: Outbox, payloads: Payloads) -> None:
        self._replica = replica
        self._outbox = outbox
        self._payloads = payloads
        self._now = 0.0
        self._ends: dict[str, int] = {}  # who holds entries that are missing here → the index of their last
        self._grace = GRACE
        self._since = 0.0  # when something was missing first, or the log went on last
        self._asking = ""  # the peer that is asked now
        self._asked_at = 0.0
        self._tried: set[str] = set()  # who was asked since the log went on
        self._announced: dict[int, float] = {}  # until when an entry that was sent to everybody is on its way
        self._served: dict[str, Delivery] = {}
        self._bytes_served: Counter[str] = Counter()  # to each peer, by who pays for it, in this second
        self._counted_since = 0.0
        self._partings: dict[str, Parting] = {}  # how far back a peer's log is known to be another one
        self._asked_ahead: dict[str, float] = {}  # when a peer was asked for what comes where its log parts from ours
        self._cuts = 0

    # ---- asking ----

    def missing(self, sender: str) -> int:
        """How many entries ``sender`` says it holds that are missing here."""
        return max(0, self._ends.get(sender, 0) + 1 - len(self._replica.match.entries))

    def note_head(self, sender: str, index: int) -> None:
        """``sender`` holds entry ``index``."""
        replica = self._replica
        self._forget_cut()
        if index < len(replica.match.entries):
            return
        if not self._is_behind():
            self._since = self._now
        self._ends[sender] = max(index, self._ends.get(sender, index))
        waits = replica.ready and (self._is_awaited() or (sender != replica.match.orderer and len(replica.live) > 2))
        if not waits and not self._asking:
            self._ask(sender)

    def note_entries(self, sender: str, before: int, repeated: bool, gap: int | None) -> None:
        """Entries came from ``sender`` and were taken in; ``before`` them the log had that many.

        ``repeated``: some had come before. ``gap``: the first entry that is held and cannot be placed yet."""
        if gap is not None:
            self.note_head(sender, gap)
        if repeated:
            self._grace = min(2 * self._grace, MOST_GRACE)
        if len(self._replica.match.entries) == before:
            return
        if not repeated:
            self._grace = max(0.9 * self._grace, GRACE)
        self._since = self._asked_at = self._now
        self._tried.clear()
        if not self._is_behind():
            self._asking = ""
        elif sender == self._asking:
            if self.missing(sender):
                self._ask(sender, gap)
            else:
                self._asking = ""

    def tick(self, now: float) -> None:
        """Time has come to ``now``: ask somebody, if what is missing does not come by itself, or nobody answers."""
        self._now = now
        if now - self._counted_since >= 1.0:
            self._counted_since = now
            self._bytes_served.clear()
        self._forget_cut()
        waited = now - self._asked_at >= 2 * self._grace if self._asking else now - self._since >= self._grace
        if not self._is_behind() or not waited or self._is_awaited():
            return
        if self._tried.issuperset(self._ends):
            self._tried.clear()  # all over again: an answer may be lost
        left = self._ends.keys() - self._tried
        orderer, live = self._replica.match.orderer, self._replica.live
        self._ask(min(left, key=lambda author: (author != orderer, author not in live, -self._ends[author], author)))

    def _is_behind(self) -> bool:
        """Whether anything is missing. Peers that hold no more than this device are forgotten."""
        length = len(self._replica.match.entries)
        self._ends = {author: end for author, end in self._ends.items() if end >= length}
        return bool(self._ends)

    def _is_awaited(self) -> bool:
        """Whether the next entry is here, but for a text that its author has sent."""
        return self._payloads.is_awaited(len(self._replica.match.entries))

    def _ask(self, author: str, gap: int | None = None) -> None:
        self._asking, self._asked_at = author, self._now
        self._tried.add(author)
        message: Message = {"t": "want", "i": len(self._replica.match.entries)}
        if gap is not None:
            message["to"] = gap
        self._outbox.send(author, message)

    def trace(self, sender: str, index: int) -> None:
        """Ask ``sender``, whose entry ``index`` has another one before it than ours, for where the two logs part. What is found
        further back leads on at once. What is found nearer, because another head came meanwhile, does not begin that anew."""
        self._forget_cut()
        known = self._partings.get(sender)
        if known is None or index < known.index:
            known = Parting(index, self._now)
        elif self._now - known.found_at >= TRACED:  # its log may be another one by now
            known = Parting(index, self._now, known.asked_at)
        self._partings[sender] = known
        if self._now - known.asked_at >= GRACE:
            known.asked_at = self._now
            self._outbox.send(sender, {"t": "want", "i": max(1, known.index - BATCH // 2), "to": known.index + 1})

    def ask_ahead(self, sender: str, index: int) -> None:
        """Ask ``sender``, whose log parts from ours before entry ``index``, for what comes from there on."""
        if self._now - self._asked_ahead.get(sender, -GRACE) >= GRACE:
            self._asked_ahead[sender] = self._now
            self._outbox.send(sender, {"t": "want", "i": index, "to": index + BATCH})

    def _forget_cut(self) -> None:
        """Where the log was cut, other entries have the same places now."""
        if self._cuts != self._replica.cuts:
            self._cuts = self._replica.cuts
            self._announced.clear()
            self._served.clear()
            self._ends.clear()
            self._tried.clear()
            self._partings.clear()
            self._asking = ""

    # ---- serving ----

    def announce(self, entry: Entry) -> None:
        """Send everybody the entry that was just placed here."""
        self._forget_cut()
        self._announced = {index: until for index, until in self._announced.items() if self._now < until}
        self._announced[entry.index] = self._now + TRANSIT + travel_time(len(entry.statement.canonical_bytes))
        self._outbox.send(None, self._payloads.put(entry))

    def serve(self, to: str, start: int, end: int | None = None) -> None:
        """Send ``to`` the entries from ``start`` on, before ``end``, as many as go into one message. Those that are on their
        way to it already are left out."""
        self._forget_cut()
        entries = self._replica.match.entries
        end = len(entries) if end is None else min(end, len(entries))
        first, last = start, self._served.get(to)
        if last is not None and last.is_bringing(start, self._now):
            first, start = last.start, last.end
        while self._now < self._announced.get(end - 1, self._now):
            end -= 1
        batch: list[Entry] = []
        size = 0
        for entry in entries[start:min(end, start + BATCH)]:
            batch.append(entry)
            size += len(entry.statement.canonical_bytes)
            if size > BATCH_BYTES:
                break
        payer = self._replica.payer(to)
        if batch and self._bytes_served[payer] < MOST_SERVED:
            self._bytes_served[payer] += size
            self._served[to] = Delivery(first, start + len(batch), self._now + TRANSIT + travel_time(size))
            self._outbox.send(to, {"t": "put", "e": [entry.to_json() for entry in batch]})

    def show(self, to: str, proof: Message | None) -> None:
        """Send ``to`` a ``proof`` with entries that it lacks, if there is one."""
        payer = self._replica.payer(to)
        if proof is not None and self._bytes_served[payer] < MOST_SERVED:
            self._bytes_served[payer] += len(canonical(proof))
            self._outbox.send(to, proof)
