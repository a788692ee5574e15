"""What lies over the hand for a moment: a question of the turn, a confirmation, or the cover of a hand.

There is one at a time, never a dialog on a dialog. The table behind it stays in sight, and the answers are ordinary buttons.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import js

from tabletin.app.table.action_bar import button_for
from tabletin.app.table.dom import Listeners, Node, closest_key, node
from tabletin.board.scene import Control, Prompt, Rect


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
