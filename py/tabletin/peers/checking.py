"""Checking shuffles later: a peer that catches up on a long log reads on at once and proves the finished hands' shuffles
in the background.

Only while ``catching_up`` are unknown shuffles taken for good; each is kept and checked afterwards, those of the hand under
way – and so all that were said since the hand before began, for a hand may be shuffled while the one before is played –
first and before this peer says anything. ``left`` is what a page shows as "checking".
"""

from __future__ import annotations

from collections.abc import Sequence

from .sealed.group import Group
from .sealed.pending import Checker
from .sealed.shuffle import ShuffleClaim, check


class LateChecker(Checker):
    """A ``Checker`` that can put shuffles off. ``failed``: some shuffle taken for good was not."""

    def __init__(self, group: Group) -> None:
        super().__init__(group)
        self.catching_up = False
        self.failed = False
        self._later: list[ShuffleClaim] = []
        self._urgent_from = 0
        self._this_from = 0

    @property
    def left(self) -> int:
        """How many shuffles are still to be checked."""
        return len(self._later)

    @property
    def urgent(self) -> int:
        """How many of these belong to the hand under way."""
        return max(0, len(self._later) - self._urgent_from)

    def new_deal(self) -> None:
        """What was put off before the hand began that now ends belongs to finished hands."""
        self._urgent_from, self._this_from = self._this_from, len(self._later)

    def shuffles(self, claims: Sequence[ShuffleClaim]) -> list[bool]:
        if not self.catching_up:
            return super().shuffles(claims)
        self._later += claims
        return [True] * len(claims)

    def work(self, count: int) -> None:
        """Check up to ``count`` of those put off, newest first."""
        batch, self._later = self._later[-count:], self._later[:-count]
        self._urgent_from, self._this_from = (min(mark, len(self._later)) for mark in (self._urgent_from, self._this_from))
        for claim, verdict in zip(batch, check(self.group, batch), strict=True):
            if verdict:
                self.trust(claim)
            else:
                self.failed = True
