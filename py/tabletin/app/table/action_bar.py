"""A bar of buttons: those of the turn below the table, and the table's own (hint, undo) beside the hand.

A button keeps its element by its key, so it keeps the focus while its words change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tabletin.app.table.dom import Listeners, Node, button, closest_key, node
from tabletin.board.scene import Control, Key


class ActionBar:
    """A bar of buttons in ``root``. ``press`` is called with the control whose button was pressed."""

    def __init__(self, root: Node, listeners: Listeners, press: Callable[[Control], None], label: str) -> None:
        self.bar = node("div", "actions", role="group", aria_label=label)
        root.append(self.bar)
        self._press = press
        self._buttons: dict[Key, tuple[Node, Control]] = {}
        listeners.listen(self.bar, "click", self._clicked)

    def _clicked(self, event: object) -> None:
        key = closest_key(event.target)  # type: ignore[attr-defined]
        if key in self._buttons:
            self._press(self._buttons[key][1])

    def show(self, controls: Sequence[Control]) -> None:
        """Have exactly these buttons, in this order, the primary one last."""
        ordered = sorted(controls, key=lambda control: control.primary)
        if [control.key for control in ordered] != list(self._buttons):
            for key in self._buttons.keys() - {control.key for control in ordered}:
                self._buttons.pop(key)[0].remove()
            buttons: dict[Key, tuple[Node, Control]] = {}
            before = None
            for control in ordered:
                element, known = self._buttons.get(control.key) or (button_for(control), None)
                if known is None:
                    if before is None:
                        self.bar.prepend(element)
                    else:
                        before.after(element)
                buttons[control.key] = element, known or control
                before = element
            self._buttons = buttons
        for control in ordered:
            element, known = self._buttons[control.key]
            if known != control:
                _dress(element, control)
            self._buttons[control.key] = element, control

    def by_shortcut(self, letter: str) -> Control | None:
        """The control that ``letter`` presses."""
        return next((control for _, control in self._buttons.values() if control.shortcut == letter), None)

    def focus_primary(self) -> bool:
        """Give the primary button the focus, or else the first one. Returns whether there is one."""
        found = next((element for element, control in self._buttons.values() if control.primary), None)
        if found is None and self._buttons:
            found = next(iter(self._buttons.values()))[0]
        if found is None:
            return False
        found.focus()
        return True


def button_for(control: Control) -> Node:
    """A button that looks and says what ``control`` does."""
    element = button("", control.label)
    element.setAttribute("data-key", control.key)
    _dress(element, control)
    return element


def _dress(element: Node, control: Control) -> None:
    element.className = ("button" + (" primary" if control.primary else "") + (" danger" if control.danger else "")
                         + (" off" if control.why else "") + (" lapsing" if control.seconds else ""))
    element.textContent = control.label
    if control.seconds:
        element.style.setProperty("--seconds", f"{control.seconds:g}s")
    if control.why:
        element.setAttribute("aria-disabled", "true")
    else:
        element.removeAttribute("aria-disabled")
    if control.shortcut:
        element.setAttribute("aria-keyshortcuts", control.shortcut.upper())
        element.title = control.shortcut.upper()
    if control.pressed is not None:
        element.setAttribute("aria-pressed", "true" if control.pressed else "false")
