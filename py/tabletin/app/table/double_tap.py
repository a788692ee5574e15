"""The second tap of a double tap is meant for what lay under the finger at the first one: a button that has come there since
hears nothing of it.

It knows keys, times and points of clicks. What a button does is not its concern.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, inf
from typing import Any, Final

from tabletin.app.table.dom import Listeners, Node, closest_key
from tabletin.board.scene import Key, Point

FINGER: Final = 30.0  # px between two taps that are one double tap
SHARED: Final = 1.0  # seconds between two taps at a place that buttons share, at any pace, for the second to be a double tap's


class DoubleTap:
    """Listens in ``root`` before everything in it. ``guard``: seconds between two taps that may be one double tap."""

    def __init__(self, root: Node, listeners: Listeners, guard: Callable[[], float]) -> None:
        self._guard = guard
        self._key: Key = ""  # of what the last tap met
        self._time = -inf  # of the last tap, in ms
        self._point: Point = (0, 0)
        listeners.listen(root, "click", self._clicked, passive=False, capture=True)

    def _clicked(self, event: Any) -> None:
        if event.detail == 0:  # a key or a screen reader presses what it has read
            return
        key, time, point = closest_key(event.target), float(event.timeStamp), (float(event.clientX), float(event.clientY))
        seconds = SHARED if event.target.closest(".shares-place") else self._guard()
        is_second = (time - self._time < 1000 * seconds and key != self._key
                     and hypot(point[0] - self._point[0], point[1] - self._point[1]) < FINGER)
        if is_second and event.target.closest("button"):
            event.stopPropagation()
            event.preventDefault()
            return
        self._key, self._time, self._point = key, time, point
