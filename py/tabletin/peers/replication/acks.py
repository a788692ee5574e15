"""Who has seen which entry, and what may be shared because of it.

A share for a card is only given once every other live peer has signed that it holds the very entry that asked for it. So
whoever orders cannot show two peers two histories and collect shares of one card in two readers' names: an honest peer
acknowledges one history only. With two peers there is no third to be shown another one, and nothing to wait for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from tabletin.kernel.log import Entry, Hash, Json
from tabletin.kernel.match import Match
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.authority import SignedAuthority, seen
from tabletin.peers.sealed.ceremony import Ceremony
from tabletin.peers.sealed.requests import Duty, RollDuty, ShareDuty

WHOLE: Final = 4  # tellings, of which one tells everything again: messages get lost

Asked = tuple[str, int]  # ("card", handle) or ("roll", step)


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """An author signed that its log's entry ``index`` has the hash ``head``."""

    index: int
    head: Hash
    signature: str


class Acknowledgements:
    """What the peers of one match have acknowledged, and since which entry shares are asked for."""

    def __init__(self, match: Match, authority: SignedAuthority) -> None:
        self._match = match
        self._authority = authority
        self._newest: dict[str, Acknowledged] = {}
        self._up_to: dict[str, int] = {}  # author → index up to which it is known to hold our log
        self._since: dict[Asked, tuple[Any, int]] = {}
        self._told: dict[str, Acknowledged] = {}
        self._tellings = 0

    # ---- what the others hold ----

    def entry(self, entry: Entry, orderer: str) -> None:
        """Whoever placed an entry holds it; whoever said it held the entry it names as the newest."""
        self._raise(orderer, entry.index)
        self._raise(entry.statement.author, self._match.index_of(entry.statement.head) or 0)
        for author in self._newest:
            self._compare(author)

    def acknowledge(self, author: str, index: int, head: Hash, signature: str) -> None:
        """``author`` says what its newest entry is. Raises ``Malformed`` for what it did not sign."""
        known = self._newest.get(author)
        if known is not None and index <= known.index:
            return
        if not self._authority.verifier.verify(author, seen(self._match.id, index, head), signature):
            raise Malformed("an acknowledgement that is not signed")
        self._newest[author] = Acknowledged(index, head, signature)
        self._compare(author)

    def _compare(self, author: str) -> None:
        newest = self._newest[author]
        if newest.index < len(self._match.entries) and self._match.entries[newest.index].hash == newest.head:
            self._raise(author, newest.index)

    def _raise(self, author: str, index: int) -> None:
        self._up_to[author] = max(index, self._up_to.get(author, 0))

    def lacking(self, authors: Iterable[str], index: int) -> tuple[str, ...]:
        """Those of ``authors`` that are not known to hold our entry ``index``."""
        return tuple(author for author in authors if self._up_to.get(author, 0) < index)

    def news(self) -> dict[str, Json]:
        """What was acknowledged since this was asked last, for peers that cannot hear each other; every so often, all of it."""
        self._told = {} if self._tellings % WHOLE == 0 else self._told
        self._tellings += 1
        news = {author: told for author, told in self._newest.items() if self._told.get(author) is not told}
        self._told = dict(self._newest)
        return {author: [told.index, told.head, told.signature] for author, told in news.items()}

    # ---- what is asked for ----

    @property
    def asking(self) -> bool:
        """Whether anybody's shares are asked for."""
        return bool(self._since)

    def asked(self, deal: Ceremony | None) -> bool:
        """Take note of what is asked for now, after the newest entry; whether any of it is new."""
        index = len(self._match.entries) - 1
        before = self._since
        self._since = {}
        fresh = False
        for name, what in ({} if deal is None else deal.asked()).items():
            known = before.get(name)
            if known is None or known[0] != what:
                known, fresh = (what, index), True
            self._since[name] = known
        return fresh

    def since(self, duty: Duty) -> int:
        """The entry that everybody must have seen before ``duty`` is done; 0 for what tells no secret."""
        names: list[Asked] = []
        if isinstance(duty, ShareDuty):
            names = [("card", handle) for handle in duty.handles]
        elif isinstance(duty, RollDuty):
            names = [("roll", duty.step)]
        latest = len(self._match.entries) - 1
        return max((self._since[name][1] if name in self._since else latest for name in names), default=0)
