"""Which numbers of ballots are believed.

A new ballot has a higher number than those in which its voters have voted. A voter may be led on to high numbers by one that
hides them from the others, so the others have to follow. But numbers run out one day, so nobody may raise them at will. What one
voter alone signed is therefore followed in small steps, and what two have signed in large ones. Whoever was led on shows two
votes, its own and that of who led it. So the others are always faster than the one that leads (``docs/sync.md``, "Epochs").
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from tabletin.peers.replication.epoch_vote import EpochVote

STEP: Final = 10**6  # so much further a second a number is believed that one voter alone has signed …
LEAP: Final = 10**9  # … and one that two have signed: a thousand times as much, so that the others catch up at once


class BallotNumbers:
    """What is believed of the numbers of others' ballots. In all that follows, ``own`` is the newest ballot of this device, and
    ``voters`` are those whose votes count now: who went on from another device within a second would count as two."""

    def __init__(self) -> None:
        self._newest: dict[str, EpochVote] = {}  # of each voter, believed or not
        self._believed: dict[str, int] = {}
        self._believed_before: dict[str, int] = {}  # the same a second ago
        self._backed_before = 0  # to what two voters had come a second ago, as far as that was believed

    def tick(self, voters: Collection[str], own: int) -> None:
        """Once a second."""
        self._forget_others(voters)
        self._believed = {voter: self._limited(voter, own) for voter in self._newest}
        self._backed_before = self._backed(own)
        self._believed_before = dict(self._believed)

    def hear(self, vote: EpochVote, voters: Collection[str], own: int) -> bool:
        """A signed ``vote`` of one of ``voters``. Whether its number is believed; if not, it may be a second later."""
        self._forget_others(voters)
        known = self._newest.get(vote.voter)
        if known is None or vote.epoch > known.epoch:
            self._newest[vote.voter] = vote
        self._believed[vote.voter] = self._limited(vote.voter, own)
        return vote.epoch <= self._believed[vote.voter]

    def holds(self, vote: EpochVote) -> bool:
        """Whether that very vote was heard, and no newer one of that voter."""
        return self._newest.get(vote.voter) == vote

    def highest(self, voter: str) -> int:
        """To what number ``voter`` has come, as far as that is believed; 0 where it was not heard."""
        return self._believed.get(voter, 0)

    def newest_votes(self) -> Iterator[EpochVote]:
        """The newest vote of each other voter, believed or not: they show who led this device on."""
        yield from self._newest.values()

    def _forget_others(self, voters: Collection[str]) -> None:
        self._newest = {voter: vote for voter, vote in self._newest.items() if voter in voters}

    def _limited(self, voter: str, own: int) -> int:
        alone = max(own, self._believed_before.get(voter, 0)) + STEP
        most = min(self._newest[voter].epoch, max(alone, self._backed(own)))
        return max(self._believed.get(voter, 0), most)

    def _backed(self, own: int) -> int:
        """The highest number that two voters have reached, one of whom may be this device."""
        highest = sorted((own, *(vote.epoch for vote in self._newest.values())))[-2:]
        return min(highest[0], max(own, self._backed_before) + LEAP)
