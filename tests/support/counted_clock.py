"""A clock for bots that goes on with each look at it, and not with time: what they find is the same on a busy machine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class CountedClock:
    """``looks``: how many make a second."""

    looks: int = 8000
    seen: int = 0

    def __call__(self) -> float:
        """Seconds since it was made."""
        self.seen += 1
        return self.seen / self.looks
