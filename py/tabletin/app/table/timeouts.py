"""Answers given automatically when their time has passed: a window that closes, a question left unanswered.

It knows controls and a clock. In a hidden page nothing lapses: the time begins anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import js

from tabletin.app.table.dom import Listeners
from tabletin.board.scene import Control, Key, Prompt


class Timeouts:
    """Calls ``press`` with the one control whose time is running."""

    def __init__(self, listeners: Listeners, press: Callable[[Control], None]) -> None:
        self._listeners = listeners
        self._press = press
        self._control: Control | None = None
        self._key: Key = ""
        self._timer = 0
        self._seconds = 0.0

    def watch(self, prompt: Prompt | None, controls: Iterable[Control]) -> None:
        """These are what can be pressed now; what was running goes on if it is still among them."""
        found, seconds = None, 0.0
        if prompt is not None and prompt.lapse and prompt.seconds:
            found = next((answer for answer in prompt.answers if answer.key == prompt.lapse), None)
            seconds = prompt.seconds
        elif prompt is None:
            found = next((control for control in controls if control.seconds), None)
            seconds = (found.seconds or 0.0) if found else 0.0
        key = f"{prompt.key if prompt else ''} {found.key} {found.lapse}" if found else ""
        self._control = replace(found, key=found.lapse or found.key, why="") if found else None
        if key != self._key:
            self._listeners.forget(self._timer)
            self._key, self._seconds = key, seconds
            if found is not None:
                self._begin()

    def _begin(self) -> None:
        self._timer = self._listeners.delay(self._seconds * 1000, self._over)

    def _over(self) -> None:
        if js.document.hidden:
            self._begin()
        elif self._control is not None:
            self._key = ""
            self._press(self._control)
