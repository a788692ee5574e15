"""Chat and quick reactions: lines that come and go beside a match, stored nowhere, bounded in size and rate.

The room decides whose lines come here (members' only). Muting happens on this device alone: no other device learns of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tabletin.kernel.user_text import clean

REACTIONS: Final = ("hello", "luck", "well_played", "thanks", "wow", "oops", "laugh", "moment")
"""Keys of the catalogue (``chat.reactions``): each reader sees them in their own language."""
LONGEST: Final = 200  # characters of a line
MOST_LINES: Final = 60  # lines
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
class ChatLine:
    """A line of ``author``: words, or one of ``REACTIONS``."""

    author: str
    text: str = ""
    reaction: str = ""


class Chat:
    """The latest lines. ``is_quiet``: hear nobody. ``shows_words``: written words are shown, not only reactions."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.lines: deque[ChatLine] = deque(maxlen=MOST_LINES)
        self.muted_authors: set[str] = set()
        self.is_quiet = False
        self.shows_words = True
        self.lines_heard = 0  # lines of others since the page was opened
        self._now = now
        self._buckets: dict[str, TokenBucket] = {}

    def hear(self, author: str, *, text: str = "", reaction: str = "", mine: bool = False) -> bool:
        """A line came in, or goes out (``mine``). False if it is dropped: too many, empty, or muted."""
        if not mine and (self.is_quiet or author in self.muted_authors or (text and not self.shows_words)):
            return False
        line = ChatLine(author, clean(text, LONGEST), reaction if reaction in REACTIONS else "")
        if not (line.text or line.reaction) or not self._bucket(author).take(self._now()):
            return False
        self.lines.append(line)
        self.lines_heard += not mine
        return True

    def mute(self, author: str, on: bool) -> None:
        """Drop the lines of ``author``, those on the screen too."""
        if on:
            self.muted_authors.add(author)
            self.lines = deque((line for line in self.lines if line.author != author), maxlen=MOST_LINES)
        else:
            self.muted_authors.discard(author)

    def _bucket(self, author: str) -> TokenBucket:
        if author not in self._buckets and len(self._buckets) >= MOST_LINES:
            self._buckets.pop(next(iter(self._buckets)))
        return self._buckets.setdefault(author, TokenBucket(BURST, REFILL, self._now()))
