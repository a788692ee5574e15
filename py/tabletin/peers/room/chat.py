"""Chat and quick reactions: lines that come and go beside a match, kept nowhere, bounded in size and rate.

Whose lines are heard at all is decided by the room (members only). Muting is this device's own affair: nobody is told.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tabletin.peers.text import clean

REACTIONS: Final = ("hello", "luck", "well_played", "thanks", "wow", "oops", "laugh", "moment")
"""Keys of the catalogue (``chat.reactions``): each reader reads them in an own language."""
LONGEST: Final = 200  # characters of a line
KEPT: Final = 60  # lines
BURST: Final = 5.0  # lines at once
REFILL: Final = 0.8  # lines a second


class TokenBucket:
    """So many at once, so many a second; ``now`` in seconds."""

    def __init__(self, burst: float, refill: float, now: float) -> None:
        self._burst = self._left = burst
        self._refill = refill
        self._at = now

    def take(self, now: float) -> bool:
        """Whether one more may pass now."""
        self._left = min(self._burst, self._left + max(0.0, now - self._at) * self._refill)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


@dataclass(frozen=True, slots=True)
class Line:
    """A line of ``author``: words, or one of ``REACTIONS``."""

    author: str
    text: str = ""
    reaction: str = ""


class Chat:
    """What was said lately. ``quiet``: hear nobody; ``words``: whether written words are shown, or reactions only."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.lines: deque[Line] = deque(maxlen=KEPT)
        self.muted: set[str] = set()
        self.quiet = False
        self.words = True
        self.heard = 0  # lines of others since the page was opened
        self._now = now
        self._buckets: dict[str, TokenBucket] = {}

    def hear(self, author: str, *, text: str = "", reaction: str = "", mine: bool = False) -> bool:
        """A line came in, or goes out (``mine``); whether it is kept. Too many, too long, muted: it is not."""
        if not mine and (self.quiet or author in self.muted or (text and not self.words)):
            return False
        line = Line(author, clean(text, LONGEST), reaction if reaction in REACTIONS else "")
        if not (line.text or line.reaction) or not self._bucket(author).take(self._now()):
            return False
        self.lines.append(line)
        self.heard += not mine
        return True

    def mute(self, author: str, on: bool) -> None:
        """Hear nothing of ``author``; what was said by them is gone from the screen too."""
        if on:
            self.muted.add(author)
            self.lines = deque((line for line in self.lines if line.author != author), maxlen=KEPT)
        else:
            self.muted.discard(author)

    def _bucket(self, author: str) -> TokenBucket:
        if author not in self._buckets and len(self._buckets) >= KEPT:
            self._buckets.pop(next(iter(self._buckets)))
        return self._buckets.setdefault(author, TokenBucket(BURST, REFILL, self._now()))
