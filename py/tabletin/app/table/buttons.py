"""Controls as buttons: in a bar (those of the turn below the table, the table's own beside the hand), or as the answers to a
question that lies over the hand for a moment.

A button keeps its element by its key, so it keeps the focus while its words change. There is one question at a time, never a
dialog on a dialog; the table behind it stays in sight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

import js

from tabletin.app.table.dom import Listeners, Node, button, closest_key, node
from tabletin.board.scene import ButtonShape, Control, Key, Prompt, Rect


class ActionBar:
    """A bar of buttons in ``root``. ``press`` is called with the control whose button was pressed. ``guard``: seconds in which a
    button takes no tap after it turned into another one without the player's doing, as it may be under a finger."""

    def __init__(self, root: Node, listeners: Listeners, press: Callable[[Control], None], label: str,
                 guard: Callable[[], float] = lambda: 0.0) -> None:
        self.bar = node("div", "actions", role="group", aria_label=label)
        root.append(self.bar)
        self._press = press
        self._buttons: dict[Key, tuple[Node, Control]] = {}
        self._guard = guard
        self._turned = -inf  # when a button last turned into another one, in ms of the page's clock
        listeners.listen(self.bar, "click", self._clicked)

    def _clicked(self, event: Any) -> None:
        key = closest_key(event.target)
        by_pointer = event.detail > 0  # a key or a screen reader presses what it has read
        if key in self._buttons and not (by_pointer and event.timeStamp - self._turned < 1000 * self._guard()):
            self._press(self._buttons[key][1])

    def show(self, controls: Sequence[Control], *, is_news: bool = False) -> None:
        """Have exactly these buttons, in this order, the primary one last, but for what stands beside it. ``is_news``: somebody
        else brought them about."""
        ordered = sorted(controls, key=lambda control: control.primary and control.shape is not ButtonShape.SHARED)
        if is_news and self._buttons and [(control.key, control.label) for control in ordered] != [
                (control.key, control.label) for _, control in self._buttons.values()]:
            self.settle()
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
        self.bar.classList.toggle("sharing", any(control.shape is ButtonShape.SHARED for control in ordered))
        for control in ordered:
            element, known = self._buttons[control.key]
            if known != control:
                _dress(element, control)
            self._buttons[control.key] = element, control

    @property
    def controls(self) -> list[Control]:
        """What the buttons stand for, in order."""
        return [control for _, control in self._buttons.values()]

    @property
    def labels(self) -> list[str]:
        """What stands on the buttons, in order."""
        return [control.label for control in self.controls]

    def settle(self) -> None:
        """Something else was under the finger just now: for a moment these buttons take no tap."""
        self._turned = float(js.performance.now())

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


class PromptLayer:
    """A sheet of paper over the hand in ``root``. ``answer`` is called with the control that was pressed."""

    def __init__(self, root: Node, listeners: Listeners, answer: Callable[[Control], None]) -> None:
        self.paper = node("section", "prompt", hidden="")
        root.append(self.paper)
        self._answer = answer
        self.prompt: Prompt | None = None
        self._answers: dict[str, Control] = {}
        listeners.listen(self.paper, "click", self._clicked)

    def _clicked(self, event: Any) -> None:
        event.stopPropagation()
        control = self._answers.get(closest_key(event.target))
        if control is not None:
            self._answer(control)

    def show(self, prompt: Prompt | None, over: Rect | None, kind: str = "") -> bool:
        """Ask ``prompt`` over the rectangle ``over`` (of the stage), or nothing. Returns whether the question is a new one."""
        if prompt is None:
            self.prompt = None
            if self.paper.contains(js.document.activeElement):  # a browser notices only later that it is hidden
                js.document.activeElement.blur()
            self.paper.setAttribute("hidden", "")
            return False
        if over is not None:
            self.paper.style.top = f"{max(0.0, over.y):.0f}px"
        else:
            self.paper.style.top = "auto"
        if prompt == self.prompt:
            return False
        new = self.prompt is None or self.prompt.key != prompt.key
        active = js.document.activeElement
        held = "" if new or not self.paper.contains(active) else closest_key(active)
        self.prompt = prompt
        self.paper.className = f"prompt {kind}".strip()
        self.paper.removeAttribute("hidden")
        title = node("h2", "prompt-title", prompt.title, tabindex="-1")
        self.paper.setAttribute("aria-label", prompt.title)
        parts = [title]
        if prompt.text:
            parts.append(node("p", "prompt-text", prompt.text))
        if prompt.seconds is not None:
            bar = node("div", "countdown", aria_hidden="true")
            bar.style.setProperty("--seconds", f"{prompt.seconds:g}s")
            parts.append(bar)
        row = node("div", "prompt-answers")
        self._answers = {answer.key: answer for answer in prompt.answers}
        for answer in prompt.answers:
            row.append(button_for(answer))
        parts.append(row)
        self.paper.replaceChildren(*parts)
        if held in self._answers:  # asked on in other words: the keyboard stays where it was
            self.paper.querySelector(f'[data-key="{held}"]').focus()
        return new

    def focus(self) -> None:
        """Give the question the focus."""
        found = self.paper.querySelector(".primary") or self.paper.querySelector("button, h2")
        if found:
            found.focus()


def button_for(control: Control) -> Node:
    """A button that looks and says what ``control`` does."""
    element = button("", control.label)
    element.setAttribute("data-key", control.key)
    _dress(element, control)
    return element


def _dress(element: Node, control: Control) -> None:
    is_lapsing = control.seconds is not None and not control.lapse
    element.className = ("button" + (" primary" if control.primary else "") + (" danger" if control.danger else "")
                         + (" off" if control.why else "") + (" lapsing" if is_lapsing else "") + f" {control.shape}".rstrip())
    element.textContent = control.label
    if is_lapsing:
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
