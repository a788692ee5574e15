"""Which entries the others acknowledge, and what may be shared because of it.

A share of a card is given only once every other live peer has signed that it holds the very entry that asked for it. So the
peer that orders cannot show two peers two histories and collect shares of one card for two readers: an honest peer
acknowledges one history only. Where there never were more than two peers, there is no third to show another history, and nothing
to wait for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from tabletin.kernel.log import Entry, Hash, Json
from tabletin.kernel.match import Match
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.authority import SignedAuthority, acknowledgement
from tabletin.peers.sealed.deal import DealState
from tabletin.peers.sealed.requests import Duty, RollDuty, ShareDuty

FULL_REPORT: Final = 4  # every so many reports one holds all acknowledgements again: messages get lost

Share = tuple[str, int]  # ("card", handle) or ("roll", step)


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """An author signed that its log's entry ``index`` has the hash ``head``."""

    index: int
    head: Hash
    signature: str


@dataclass(frozen=True, slots=True)
class ShareDemand:
    """A share that the deal asks for: ``context`` tells one asking from another, ``index`` is the entry that asked."""

    context: Any
    index: int


class Acknowledgements:
    """What the peers of one match have acknowledged, and since which entry shares are asked for."""

    def __init__(self, match: Match, authority: SignedAuthority) -> None:
        self._match = match
        self._authority = authority
        self._newest: dict[str, Acknowledgement] = {}
        self._newest_held: dict[str, Acknowledgement] = {}  # the newest of them of entries of this log: what shows ``_up_to``
        self._up_to: dict[str, int] = {}  # author → index up to which it is known to hold our log
        self._wanted: dict[Share, ShareDemand] = {}
        self._reported: dict[str, Acknowledgement] = {}
        self._reports = 0

    # ---- what the others hold ----

    def note_log(self) -> None:
        """The log was there before: whoever said something in it holds the entry that this names as the newest."""
        for entry in self._match.entries:
            self._raise(entry.statement.author, self._match.index_of(entry.statement.head) or 0)

    def note_entry(self, entry: Entry, orderer: str) -> None:
        """The peer that placed ``entry`` holds it; its author holds the entry that it names as the newest."""
        self._raise(orderer, entry.index)
        self._raise(entry.statement.author, self._match.index_of(entry.statement.head) or 0)
        for author in self._newest:
            self._compare(author)

    def acknowledge(self, author: str, index: int, head: Hash, signature: str) -> None:
        """``author`` says what its newest entry is. Raises ``Malformed`` for what it did not sign."""
        known = self._newest.get(author)
        if known is not None and (index <= known.index if self._is_held(known) else (index, head) == (known.index, known.head)):
            return
        if not self._authority.verifier.verify(author, acknowledgement(self._match.id, index, head), signature):
            raise Malformed("an acknowledgement that is not signed")
        self._newest[author] = Acknowledgement(index, head, signature)
        self._compare(author)

    def _is_held(self, known: Acknowledgement) -> bool:
        """Whether this device holds the entry that was acknowledged. Where epochs change, others may hold what fell away."""
        return known.index < len(self._match.entries) and self._match.entries[known.index].hash == known.head

    def newest(self, author: str) -> Acknowledgement | None:
        """The newest acknowledgement that ``author`` signed."""
        return self._newest.get(author)

    def newest_held(self, author: str) -> Acknowledgement | None:
        """The newest acknowledgement of an entry of this log that ``author`` signed, whatever it signed afterwards."""
        held = self._newest_held.get(author)
        return held if held is not None and self._is_held(held) else None

    def cut(self, length: int) -> None:
        """All entries but the first ``length`` fell away."""
        self._up_to = {author: min(index, length - 1) for author, index in self._up_to.items()}
        self._wanted = {share: demand for share, demand in self._wanted.items() if demand.index < length}

    def _compare(self, author: str) -> None:
        newest, held = self._newest[author], self.newest_held(author)
        if self._is_held(newest):
            self._raise(author, newest.index)
            if held is None or newest.index > held.index:
                self._newest_held[author] = newest

    def _raise(self, author: str, index: int) -> None:
        self._up_to[author] = max(index, self._up_to.get(author, 0))

    def held_by(self, author: str) -> int:
        """Up to which entry ``author`` is known to hold our log."""
        return self._up_to.get(author, 0)

    def lacking(self, authors: Iterable[str], index: int) -> tuple[str, ...]:
        """Those of ``authors`` that are not known to hold our entry ``index``."""
        return tuple(author for author in authors if self.held_by(author) < index)

    def report(self) -> dict[str, Json]:
        """What was acknowledged since the last report, for peers that cannot hear each other; now and then all of it."""
        if self._reports % FULL_REPORT == 0:
            self._reported = {}
        self._reports += 1
        fresh = {author: one for author, one in self._newest.items() if self._reported.get(author) is not one}
        self._reported = dict(self._newest)
        return {author: [one.index, one.head, one.signature] for author, one in fresh.items()}

    # ---- what is asked for ----

    @property
    def is_share_wanted(self) -> bool:
        """Whether anybody's shares are asked for."""
        return bool(self._wanted)

    def note_wanted(self, deal: DealState | None) -> bool:
        """Note which shares are asked for after the newest entry; whether any of them is new."""
        index = len(self._match.entries) - 1
        before, self._wanted = self._wanted, {}
        is_new = False
        for share, context in ({} if deal is None else deal.wanted_shares()).items():
            known = before.get(share)
            if known is None or known.context != context:
                known, is_new = ShareDemand(context, index), True
            self._wanted[share] = known
        return is_new

    def wanted_since(self, duty: Duty) -> int:
        """The entry that everybody must hold before ``duty`` is fulfilled; 0 for what tells no secret."""
        shares: list[Share] = []
        if isinstance(duty, ShareDuty):
            shares = [("card", handle) for handle in duty.handles]
        elif isinstance(duty, RollDuty):
            shares = [("roll", duty.step)]
        latest = len(self._match.entries) - 1
        return max((self._wanted[share].index if share in self._wanted else latest for share in shares), default=0)
