"""Checking shuffles later: a peer that catches up on a long log reads on at once and proves the finished hands' shuffles
in the background.

Only while ``catching_up`` are unknown shuffles taken for good; each is kept and checked afterwards, those of the hand under
way first and before this peer says anything, those of the prepared next hand before it is played. What it said
itself it need not prove to itself again. ``left`` is what a page shows as "checking".
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletin.peers.sealed.group import Group
from tabletin.peers.sealed.pending import Checker
from tabletin.peers.sealed.shuffle import ShuffleClaim, check


class DeferredChecker(Checker):
    """A ``Checker`` that can put shuffles off. ``failed``: some shuffle taken for good was not."""

    def __init__(self, group: Group) -> None:
        super().__init__(group)
        self.author = ""  # this device's; its own program checked its proofs before it signed them
        self._catching_up = False
        self._hand = 0
        self._later: list[tuple[int, ShuffleClaim]] = []  # with the number of the hand that each belongs to
        self.failed = False

    @property
    def catching_up(self) -> bool:
        return self._catching_up

    @catching_up.setter
    def catching_up(self, on: bool) -> None:
        self._catching_up = on
        self.own = self.author if on else ""

    @property
    def left(self) -> int:
        """How many shuffles are still to be checked."""
        return len(self._later)

    @property
    def urgent(self) -> int:
        """How many of these belong to the hand under way."""
        return sum(hand == self._hand for hand, _ in self._later)

    def new_deal(self) -> None:
        """A hand begins; what was prepared for it belongs to it."""
        self._hand += 1

    def shuffles(self, claims: Sequence[ShuffleClaim]) -> list[bool]:
        if not self.catching_up:
            return super().shuffles(claims)
        hand = self._hand + self.early
        self._later += [(hand, claim) for claim in claims if not self.knows(claim)]
        return [True] * len(claims)

    def work(self, count: int) -> None:
        """Check up to ``count`` of those put off: those of the hand under way, then the newest."""
        self._later.sort(key=lambda later: later[0] == self._hand)
        batch = [claim for _, claim in self._later[-count:]]
        del self._later[-count:]
        for claim, verdict in zip(batch, check(self.group, batch), strict=True):
            if verdict:
                self.trust(claim)
            else:
                self.failed = True
