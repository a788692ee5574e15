"""Said once on a device: a tap on the table hurries what others do. It comes where a person has waited for long.

It knows a clock and whether somebody waits. Where the words stand, and what is kept of it, it does not know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

LONG: Final = 6000  # ms without being asked or tapping after which it is said
READ: Final = 3000  # ms after which it has been read


class Clock(Protocol):
    """What rings later."""

    def delay(self, milliseconds: float, handler: Callable[[], None]) -> int: ...
    def forget(self, timer: int) -> None: ...


class HurryTip:
    """``learn`` is called once it was read, or done as it says; None where that is known. ``changed``: it comes, or goes."""

    def __init__(self, clock: Clock, changed: Callable[[], None], learn: Callable[[], None] | None) -> None:
        self._clock = clock
        self._changed = changed
        self._learn = learn
        self._timer = 0
        self._waits = False
        self.is_shown = False

    def watch(self, *, waits: bool) -> None:
        """Whether the person ``waits`` for others now. What is drawn next shows it."""
        if waits == self._waits or (self._learn is None and not self.is_shown):
            return
        self._waits = waits
        self.is_shown = False
        self._clock.forget(self._timer)
        if waits:
            self._timer = self._clock.delay(LONG, self._come)

    def hurry(self) -> None:
        """The person tapped the table: who does so needs no words."""
        if not self._waits or self._learn is None:
            return
        self._clock.forget(self._timer)
        if self.is_shown:
            self.is_shown = False
            self._keep()
            self._changed()
        else:
            self._timer = self._clock.delay(LONG, self._come)

    def _come(self) -> None:
        self.is_shown = True
        self._timer = self._clock.delay(READ, self._keep)
        self._changed()

    def _keep(self) -> None:
        """It is known from now on; what is shown stays until the person is asked."""
        learn, self._learn = self._learn, None
        if learn is not None:
            learn()
