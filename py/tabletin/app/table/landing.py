"""One thing after another: what somebody did is on its way, and what comes next is said once all of it has arrived.

Pure. It counts what has still to arrive; the pieces, the gain and the clock tell it. What it holds back – whose turn it is now,
how the match ended, what may be tapped – is the table's.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final


class Part(Enum):
    """What arrives: the pieces on their places, what was won on its plate, and the few words about it with whoever reads them."""

    PIECES = "pieces"
    GAIN = "gain"
    WORDS = "words"


SHOWN: Final = frozenset((Part.PIECES, Part.WORDS))  # what was done; what it won comes after


class Landing:
    """``over`` is called once for each ``begin``, when every part has arrived since, in whatever order, or the player hurries;
    ``shown`` before it, when only the gain is still to come, if at all."""

    def __init__(self, over: Callable[[], None], shown: Callable[[], None] = lambda: None) -> None:
        self._over = over
        self._shown = shown
        self._coming: set[Part] = set()

    @property
    def is_under_way(self) -> bool:
        """Whether something is still on its way."""
        return bool(self._coming)

    def begin(self) -> None:
        """Something was done: everything is on its way. What was on its way before arrives with it."""
        self._coming = set(Part)

    def arrive(self, *parts: Part) -> None:
        """``parts`` have arrived, or there are none."""
        if not self._coming:
            return
        is_shown = self._coming.isdisjoint(SHOWN)
        self._coming.difference_update(parts)
        is_over = not self._coming  # before what is called here goes on with it
        if not is_shown and self._coming.isdisjoint(SHOWN):
            self._shown()
        if is_over:
            self._over()

    def hurry(self) -> None:
        """The player has seen what there was to see."""
        self.arrive(*Part)
