"""The keyboard at the table: arrows walk over hand and places (Page Up, Page Down one by one), Enter taps,
Backspace takes back, letters press buttons.

Letters count only while no field is being written in. What a tap means is for the draft to say.
"""

from __future__ import annotations

from typing import Any, Final

from tabletin.app.table.arrows import ARROWS, next_key, step_in_order
from tabletin.app.table.dom import Listeners

ZOOMS: Final = {"+": 1.25, "=": 1.25, "-": 0.8}
TURNS: Final = {"PageDown": 1, "PageUp": -1}
PANELS: Final = {"l": "log", "s": "sheet", "m": "more"}


class Keyboard:
    """Listens for keys on ``screen`` (a TableScreen). ``used``: whether the player's last act was a key."""

    def __init__(self, screen: Any, listeners: Listeners) -> None:
        self._screen = screen
        self.used = False
        listeners.listen(screen.stage.root, "keydown", self._on_stage, passive=False)
        listeners.listen(screen.frame, "keydown", self._anywhere, passive=False)
        listeners.listen(screen.frame, "pointerdown", lambda _event: self._pointer())

    def _pointer(self) -> None:
        self.used = False

    def _on_stage(self, event: Any) -> None:
        stage = self._screen.stage
        if event.target.tagName in ("BUTTON", "SELECT", "INPUT") or event.ctrlKey or event.metaKey or event.altKey:
            return
        key = event.key
        here = stage.focused_key()
        if key in ARROWS:
            self.used = True
            event.preventDefault()
            target = next_key(stage.stops(), here or stage.current, key)
            if target is not None:
                stage.focus(target)
        elif key in TURNS:
            self.used = True
            event.preventDefault()
            stage.focus(step_in_order(stage.stops(), here or stage.current, TURNS[key]) or "")
        elif key in ("Enter", " ") and here:
            self.used = True
            event.preventDefault()
            self._screen.tap(here, keyboard=True)
        elif key in ("Backspace", "Escape", "Delete"):
            self.used = True
            if self._screen.back():
                event.preventDefault()
                event.stopPropagation()
        elif key in ZOOMS and stage.scene.window is not None:
            window = stage.scene.window
            stage.move_camera(stage.camera.zoomed(ZOOMS[key], (window.width / 2, window.height / 2)), glide=True)
            self._screen.on_view_moved()
        elif key == "0":
            self._screen.fit_view()

    def _anywhere(self, event: Any) -> None:
        if event.target.tagName in ("INPUT", "SELECT", "TEXTAREA") or event.ctrlKey or event.metaKey or event.altKey:
            return
        self.used = event.key not in ("Shift", "Control", "Alt", "Meta") or self.used
        key = event.key.lower()
        screen = self._screen
        if key == "escape" and screen.panel.open:
            screen.panel.close()
        elif key in PANELS:
            screen.panel.toggle(PANELS[key])
        else:
            control = screen.actions.by_shortcut(key) or screen.own_actions.by_shortcut(key)
            if control is not None:
                event.preventDefault()
                screen.press(control)
