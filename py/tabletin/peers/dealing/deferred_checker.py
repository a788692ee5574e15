"""Shuffles that are checked later, so that a peer that catches up on a long log can read on at once.

Only while ``catching_up`` is set, unknown shuffles are taken for good and checked afterwards; what was found false before is
not. Those of the hand under way and of a prepared one come first, before this peer says anything: so nobody shares anything
behind a false one. So do those of a deal that was given up, because what comes next depends on how far it was. A peer need not
check its own shuffles again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tabletin.peers.sealed.group import PrimeGroup
from tabletin.peers.sealed.pending import Checker
from tabletin.peers.sealed.shuffle import ShuffleClaim, check

GIVEN_UP: Final = -1  # in place of the number of a hand: its deal was given up


class DeferredChecker(Checker):
    """A ``Checker`` that can defer shuffles."""

    def __init__(self, group: PrimeGroup) -> None:
        super().__init__(group)
        self.author = ""  # this device's: its own program checked its proofs before it signed them
        self._catching_up = False
        self.hand = 0  # the number of the hand under way
        self._deferred: dict[bytes, tuple[int, ShuffleClaim]] = {}  # by digest, with the number of the hand that it belongs to
        self.failed = False  # whether a deferred shuffle turned out to be false
        self._false: set[bytes] = set()  # … and their digests, which no other verdicts crowd out

    @property
    def catching_up(self) -> bool:
        return self._catching_up

    @catching_up.setter
    def catching_up(self, on: bool) -> None:
        self._catching_up = on
        self.own = self.author if on else ""

    @property
    def remaining(self) -> int:
        """How many shuffles are still to be checked."""
        return len(self._deferred)

    @property
    def urgent(self) -> int:
        """How many of these belong to the hand under way, to a prepared one, or to a deal that was given up."""
        return sum(map(self._is_urgent, self._deferred.values()))

    def _is_urgent(self, deferred: tuple[int, ShuffleClaim]) -> bool:
        return deferred[0] >= self.hand or deferred[0] == GIVEN_UP

    def begin(self) -> None:
        """The log is read from its beginning. What was found stands."""
        self.hand = 0
        self._deferred.clear()

    def note_void(self) -> None:
        self._deferred = {name: (GIVEN_UP if hand == self.hand else hand, claim)
                          for name, (hand, claim) in self._deferred.items()}

    def shuffles(self, claims: Sequence[ShuffleClaim]) -> list[bool]:
        hand = self.hand + self.early
        named = {claim.digest(): claim for claim in claims}
        if self.catching_up:
            for name, claim in named.items():
                if name not in self._verdicts and name not in self._false:
                    self._deferred.setdefault(name, (hand, claim))  # an undo, or a late statement, folds an entry again
            verdicts = {name: self._verdicts.get(name, True) for name in named}
        else:
            unknown = {name: claim for name, claim in named.items() if name not in self._false and name not in self._deferred}
            verdicts = dict.fromkeys(named, True)  # what is put off is folded again as it was, until it is checked
            verdicts.update(zip(unknown, super().shuffles(list(unknown.values())), strict=True))
        return [name not in self._false and verdicts[name] for name in named]

    def work(self, count: int) -> bool:
        """Check up to ``count`` deferred shuffles: those that are urgent first, then the newest. Whether one of them is false."""
        names = sorted(self._deferred, key=lambda name: self._is_urgent(self._deferred[name]))
        batch = {name: self._deferred.pop(name)[1] for name in names[max(0, len(names) - count):]}
        verdicts = dict(zip(batch, check(self.group, list(batch.values())), strict=True))
        for name, verdict in verdicts.items():
            self._keep(name, verdict)
            if not verdict:
                self.failed = True
                self._false.add(name)
        return not all(verdicts.values())
