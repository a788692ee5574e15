"""How much one device reads from another in a second, so that a flood costs next to nothing.

It counts in units of about what a small message costs to read; messages that make this device work or answer at length cost
more. An honest device stays far below the limit, and sends again what was dropped.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

MOST: Final = 4096  # units from one sender in a second
BYTES_A_UNIT: Final = 4096
VALUES_A_UNIT: Final = 32  # in a text: a thousand empty lists take three bytes each, and as long to read as a thousand numbers
UNITS: Final = {"head": 16, "vote": 16, "ballot": 16, "wish": 16, "load": 16, "put": 8, "say": 64, "no": 64, "want": 64,
                "plea": 128, "blame": 1024}
"""Beside the bytes: signatures, a long answer, a statement judged at its head and here, a log folded to judge an entry of it."""
DEALT_A_UNIT: Final = 64  # characters of the dealing: each of their points is checked, more than once
LATE_UNITS: Final = 8  # for each entry behind the one that a statement names


class RateLimit:
    """What each sender has spent in this second. Some may share one allowance: ``sender`` is who pays."""

    def __init__(self) -> None:
        self._spent: Counter[str] = Counter()
        self._since = 0.0

    def renew(self, now: float) -> None:
        """Time has come to ``now`` (seconds)."""
        if now - self._since >= 1.0:
            self._since = now
            self._spent.clear()

    def takes(self, sender: str, size: int) -> bool:
        """Whether ``size`` more bytes of ``sender`` are read."""
        return self._spend(sender, 1 + size // BYTES_A_UNIT)

    def parses(self, sender: str, values: int) -> bool:
        """Whether a text of ``sender`` with so many ``values`` in it is parsed."""
        return self._spend(sender, values // VALUES_A_UNIT)

    def works(self, sender: str, kind: str, lateness: int = 0) -> bool:
        """Whether a message of this kind is worked on. ``lateness``: the entries behind each of which its statement is judged."""
        return self._spend(sender, UNITS.get(kind, 0) + LATE_UNITS * lateness)

    def deals(self, sender: str, size: int) -> bool:
        """Whether a statement with ``size`` characters of the dealing is judged."""
        return self._spend(sender, size // DEALT_A_UNIT)

    def _spend(self, sender: str, units: int) -> bool:
        self._spent[sender] += units
        return self._spent[sender] <= MOST
