"""What is read aloud of what can be tapped, for those who cannot read yet: a card that was tapped, the button that leads on, a
question with its answers. What happens at the table is read by ``announcer``.

Pure but for ``signals``, which knows whether the person wants to be read to.
"""

from __future__ import annotations

from collections.abc import Iterable

from tabletin.app.ui.signals import Signals
from tabletin.board.scene import Control, Prompt
from tabletin.words import Catalogue


class ReadAloud:
    """For one table. ``words`` are those of its page."""

    def __init__(self, signals: Signals, words: Catalogue) -> None:
        self._signals = signals
        self._words = words
        self._offered = ""

    @property
    def is_wanted(self) -> bool:
        """Whether anything is read at all."""
        return self._signals.reads_aloud

    def read_tapped(self, name: str) -> None:
        """``name`` was tapped: what was being read ends, for this is what the person wants to hear now."""
        if self.is_wanted and name:
            self._signals.hush()
            self._signals.read_aloud(name)

    def offer(self, controls: Iterable[Control], question: Prompt | None) -> None:
        """Read what leads on – a question with its answers, else the primary button – once as long as it stays the same."""
        if question is not None:
            said = [question.title, question.text, *(self._button(answer) for answer in question.answers if not answer.why)]
        else:
            said = [self._button(control) for control in controls if control.primary and not control.why]
        offered = " ".join(_sentence(part) for part in said if part)
        if offered != self._offered:
            self._offered = offered
            self._signals.read_aloud(offered)

    def _button(self, control: Control) -> str:
        return self._words.text("table.read.button", label=control.label)


def _sentence(words: str) -> str:
    """``words`` with a stop at the end, so that a voice pauses there."""
    return words if words[-1] in ".!?…" else f"{words}."
