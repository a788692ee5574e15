"""The keyboard at the table: arrows walk over hand and places (Page Up, Page Down one by one), Enter taps,
Backspace takes back, letters press buttons.

Letters count only while no field is being written in. What a tap means is for the draft to say.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

from tabletin.app.table.arrows import ARROWS, next_key, step_in_order
from tabletin.app.table.buttons import ActionBar
from tabletin.app.table.dom import Listeners, Node
from tabletin.app.table.recap_sheet import RecapSheet
from tabletin.app.table.side_panel import SidePanel
from tabletin.app.table.stage import Stage
from tabletin.board.scene import Control, Key

ZOOMS: Final = {"+": 1.25, "=": 1.25, "-": 0.8}
TURNS: Final = {"PageDown": 1, "PageUp": -1}
PANELS: Final = {"l": "log", "s": "sheet", "m": "more"}
KEYS: Final = "?"  # the list of them
RECAP: Final = "w"


class KeyboardHost(Protocol):
    """The table that the keys act on: where they are pressed, and what they do. ``frame``: all of it, with its bars."""

    @property
    def stage(self) -> Stage: ...
    @property
    def frame(self) -> Node: ...
    @property
    def panel(self) -> SidePanel: ...
    @property
    def recap(self) -> RecapSheet: ...
    @property
    def actions(self) -> ActionBar: ...
    @property
    def own_actions(self) -> ActionBar: ...

    def tap(self, key: Key, *, keyboard: bool) -> None: ...
    def step_back(self) -> bool: ...
    def press(self, control: Control) -> None: ...
    def on_view_moved(self) -> None: ...
    def fit_view(self) -> None: ...
    def hurry(self, *, by_pointer: bool) -> None: ...


class Keyboard:
    """Listens for keys on the table ``host``. ``is_used``: whether the player's last act was a key."""

    def __init__(self, host: KeyboardHost, listeners: Listeners) -> None:
        self._host = host
        self.is_used = False
        listeners.listen(host.stage.root, "keydown", self._on_stage, passive=False)
        listeners.listen(host.frame, "keydown", self._anywhere, passive=False)
        listeners.listen(host.frame, "pointerdown", lambda _event: self._pointer())

    def _pointer(self) -> None:
        self.is_used = False

    def _on_stage(self, event: Any) -> None:
        stage = self._host.stage
        self._host.hurry(by_pointer=False)
        if event.target.tagName in ("BUTTON", "SELECT", "INPUT") or event.ctrlKey or event.metaKey or event.altKey:
            return
        key = event.key
        here = stage.focused_key()
        if key in ARROWS:
            self.is_used = True
            event.preventDefault()
            target = next_key(stage.stops(), here or stage.current, key)
            if target is not None:
                stage.focus(target)
        elif key in TURNS:
            self.is_used = True
            event.preventDefault()
            stage.focus(step_in_order(stage.stops(), here or stage.current, TURNS[key]) or "")
        elif key in ("Enter", " ") and here:
            self.is_used = True
            event.preventDefault()
            self._host.tap(here, keyboard=True)
        elif key in ("Backspace", "Escape", "Delete"):
            self.is_used = True
            if self._host.step_back():
                event.preventDefault()
                event.stopPropagation()
        elif key in ZOOMS and stage.scene.window is not None:
            window = stage.scene.window
            stage.move_camera(stage.camera.zoom_by(ZOOMS[key], (window.width / 2, window.height / 2)), glide=True)
            self._host.on_view_moved()
        elif key == "0":
            self._host.fit_view()

    def _anywhere(self, event: Any) -> None:
        if event.target.tagName in ("INPUT", "SELECT", "TEXTAREA") or event.ctrlKey or event.metaKey or event.altKey:
            return
        self.is_used = event.key not in ("Shift", "Control", "Alt", "Meta") or self.is_used
        key = event.key.lower()
        host = self._host
        host.frame.setAttribute("data-keyboard", "")  # there is one, also where the styles would not think so
        if key == "escape" and host.panel.open:
            host.panel.close()
        elif key == RECAP and host.panel.marks_turn:  # it stands there already
            host.panel.read_since_turn()
        elif key == RECAP or (key == "escape" and host.recap.is_open):
            host.recap.toggle()
        elif key in PANELS:
            host.panel.toggle(PANELS[key])
        elif key == KEYS:
            host.panel.toggle_keys()
        else:
            control = host.actions.by_shortcut(key) or host.own_actions.by_shortcut(key)
            if control is not None:
                event.preventDefault()
                host.press(control)
