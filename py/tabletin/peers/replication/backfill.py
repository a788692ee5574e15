"""Whom this device asks for entries that it lacks, and what it gives to whom: one is asked at a time, and nobody is given the
same twice at once.

Entries come by themselves, from whoever places them. That somebody holds more than this device does is no sign that any was lost:
it may be on its way still, or wait to be worked on. So a moment passes before anybody is asked – unless it is the peer that
orders who says so, whose word cannot overtake its entries, or there is nothing to wait for. Nothing here judges an entry.
"""

from __future__ import annotations

from typing import Final

from tabletin.kernel.log import Entry
from tabletin.peers.replication.ports import Message, ReplicaPort

BATCH: Final = 64  # entries in one message
BATCH_BYTES: Final = 500_000  # of these, after which no further one is put in
GRACE: Final = 0.5  # seconds that what others hold may be on its way, and twice that for an answer; …
MOST_GRACE: Final = 4.0  # … more, where it turned out to have been, and less again as it does not
WHILE: Final = 1.5  # seconds for which what was given to somebody is on its way


class Backfill:
    """What one peer knows of the others' logs' ends."""

    def __init__(self, peer: ReplicaPort) -> None:
        self._peer = peer
        self._now = 0.0
        self._ends: dict[str, int] = {}  # who holds entries that are missing here → the index of their last
        self._grace = GRACE
        self._since = 0.0  # when something was missing first, or the log went on last
        self._asked = ""
        self._asked_at = 0.0
        self._tried: set[str] = set()  # who was asked since the log went on
        self._placed: dict[int, float] = {}  # what was told to everybody lately
        self._given: dict[str, tuple[int, int, float]] = {}  # to whom, from which entry, before which, when

    # ---- asking ----

    def missing(self, sender: str) -> int:
        """How many entries ``sender`` says it holds that are missing here."""
        return max(0, self._ends.get(sender, -1) + 1 - len(self._peer.match.entries))

    def hear(self, sender: str, index: int) -> None:
        """``sender`` holds entry ``index``."""
        peer = self._peer
        if index < len(peer.match.entries):
            return
        if not self._behind():
            self._since = self._now
        self._ends[sender] = max(index, self._ends.get(sender, 0))
        waits = peer.ready and sender != peer.match.orderer and len(peer.live) > 2
        if not waits and not self._asked:
            self._ask(sender)

    def went_on(self, sender: str, before: int, again: bool, gap: int | None) -> None:
        """Entries came from ``sender``, when there were ``before`` here, ``again`` some that had come; ``gap``: the first that
        is held and cannot be placed."""
        if gap is not None:
            self.hear(sender, gap)
        if again:
            self._grace = min(2 * self._grace, MOST_GRACE)
        if len(self._peer.match.entries) == before:
            return
        if not again:
            self._grace = max(0.9 * self._grace, GRACE)
        self._since = self._asked_at = self._now
        self._tried.clear()
        if not self._behind():
            self._asked = ""
        elif sender == self._asked:
            if self.missing(sender):
                self._ask(sender, gap)
            else:
                self._asked = ""

    def look(self, now: float) -> None:
        """Time has come to ``now``: ask somebody, if what is missing does not come by itself, or nobody answers."""
        self._now = now
        waited = now - self._asked_at >= 2 * self._grace if self._asked else now - self._since >= self._grace
        if not self._behind() or not waited:
            return
        left = [author for author in self._ends if author not in self._tried] or list(self._ends)
        self._ask(min(left, key=lambda author: (author != self._peer.match.orderer, -self._ends[author])))

    def _behind(self) -> bool:
        """Whether anything is missing; who holds no more than this device is forgotten."""
        length = len(self._peer.match.entries)
        if self._ends and min(self._ends.values()) < length:
            self._ends = {author: end for author, end in self._ends.items() if end >= length}
        return bool(self._ends)

    def _ask(self, whom: str, gap: int | None = None) -> None:
        self._asked, self._asked_at = whom, self._now
        self._tried.add(whom)
        message: Message = {"t": "want", "i": len(self._peer.match.entries)}
        if gap is not None:
            message["to"] = gap
        self._peer.send(whom, message)

    # ---- giving ----

    def tell(self, entry: Entry) -> None:
        """Tell everybody the entry that was just placed here."""
        self._placed = {index: when for index, when in self._placed.items() if self._now - when < WHILE}
        self._placed[entry.index] = self._now
        self._put(None, [entry])

    def give(self, to: str, start: int, end: int | None = None, *, anew: bool = False) -> None:
        """Give ``to`` the entries from ``start`` on, before ``end``, as many as go into one message; those apart that are on
        their way to it already, unless ``anew``."""
        entries = self._peer.match.entries
        end = len(entries) if end is None else min(end, len(entries))
        first, after, when = self._given.get(to, (0, 0, 0.0))
        on_its_way = self._now - when < WHILE and first <= start < after and not anew
        if on_its_way:
            start = after
        else:
            first = start
        while end > start and not anew and self._now - self._placed.get(end - 1, -WHILE) < WHILE:
            end -= 1
        batch: list[Entry] = []
        size = 0
        for entry in entries[start:min(end, start + BATCH)]:
            batch.append(entry)
            size += len(entry.statement.spelled)
            if size > BATCH_BYTES:
                break
        if batch:
            self._given[to] = first, start + len(batch), self._now
            self._put(to, batch)

    def _put(self, to: str | None, entries: list[Entry]) -> None:
        self._peer.send(to, {"t": "put", "e": [entry.to_json() for entry in entries]})
