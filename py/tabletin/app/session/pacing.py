"""When what nobody taps may happen in an open match: a bot's move, an answer that is no choice. One after another.

It knows a clock and how long the page lets pass between two acts; no match and no browser. What the table shows may ask for
longer (``pause``), and a tap ends all waiting (``hurry``). It never judges, and never moves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

BRIEF: Final = 0.4  # of the pace: what is seen at a glance …
READING: Final = 1.5  # … a sentence that is new, …
OFFER: Final = 1.25  # … and a button that is offered for a moment


class Pacing:
    """``pace``: seconds between two acts."""

    def __init__(self, pace: Callable[[], float]) -> None:
        self._pace = pace
        self._due = 0.0  # when the next act may be, by the loop's clock
        self._hurry = asyncio.Event()

    @property
    def due(self) -> float:
        """When the next act may be, by the clock of the running loop."""
        return self._due

    def note_act(self, *, is_brief: bool = False) -> None:
        """Something just happened: the next act is to follow after the pace; sooner where it ``is_brief``, seen at a glance."""
        self.pause(self._pace() * (BRIEF if is_brief else 1))

    def note_words(self, *, is_new: bool = True) -> None:
        """A sentence stands there now: the next act is to follow once it can have been read; after the pace where it is known."""
        self.pause(self._pace() * (READING if is_new else 1))

    def note_offer(self) -> None:
        """A button stands there for a moment: nothing happens before it could be pressed."""
        self.pause(self._pace() * OFFER)

    def pause(self, seconds: float) -> None:
        """Nothing happens by itself for so long from now."""
        self._due = max(self._due, _now() + seconds)

    def end_pause(self) -> None:
        """Nothing is to be seen of what just happened: the next act may follow at once."""
        self._due = _now()

    def hurry(self) -> None:
        """What was shown has been seen: the next act may be at once."""
        self._due = 0.0
        self._hurry.set()
        self._hurry = asyncio.Event()

    async def turn(self, *, together: bool = False, is_brief: bool = False) -> None:
        """Wait until it is one's turn to act. Whoever has waited takes the turn, unless several act ``together``, as in a window
        in which all are asked at the same time: then the pause there is now is all that they wait for. ``is_brief``: as of
        ``note_act``."""
        until = self._due
        while (left := until - _now()) > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hurry.wait(), left)
            until = min(until, self._due) if together else self._due
        if not together:
            self.note_act(is_brief=is_brief)


def _now() -> float:
    return asyncio.get_event_loop().time()
