"""Said twice on a device at most: a tap on the table hurries what others do. It comes where a person has waited for long.

It knows a clock and whether somebody waits. Where the words stand, and what is kept of it, it does not know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

LONG: Final = 6000  # ms without being asked or tapping after which it is said


class Clock(Protocol):
    """What rings later."""

    def delay(self, milliseconds: float, handler: Callable[[], None]) -> int: ...
    def forget(self, timer: int) -> None: ...


class HurryTip:
    """``left``: how often it may still be said; ``keep`` is called with what is left of that, as it is said, and with 0 as soon
    as the person does so. ``changed``: it comes, or goes."""

    def __init__(self, clock: Clock, changed: Callable[[], None], left: int, keep: Callable[[int], None]) -> None:
        self._clock = clock
        self._changed = changed
        self._left = left
        self._keep = keep
        self._timer = 0
        self._waits = False
        self.is_shown = False

    def watch(self, *, waits: bool) -> None:
        """Whether the person ``waits`` for others now. What is drawn next shows it."""
        if waits == self._waits:
            return
        self._waits = waits
        self.is_shown = False
        self._clock.forget(self._timer)
        if waits and self._left:
            self._timer = self._clock.delay(LONG, self._come)

    def hurry(self) -> None:
        """The person tapped the table: who does so needs no words."""
        if not self._waits:
            return
        self._clock.forget(self._timer)
        if self._left:
            self._left = 0
            self._keep(0)
        if self.is_shown:
            self.is_shown = False
            self._changed()

    def _come(self) -> None:
        self.is_shown = True  # until the person is asked
        self._left -= 1
        self._keep(self._left)
        self._changed()
