"""Live regions of the page: a screen reader says what happened, each sentence once and in order, and then what is asked.

``narration`` words what happened, and for whom; ``updates`` decides when it is said. This never decides what is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from tabletin.app.table.dom import Listeners, Node, node

MOST: Final = 40  # sentences that stay in the region
HEARD: Final = 4000  # ms after which what is asked was said, and stands beside the hand and over the table alone


class Announcer:
    """Two polite live regions in ``root``. ``tell`` appends to the first; nothing is ever said twice. ``ask`` and ``interject``
    fill the second for a moment: who reads the page piece by piece finds it where it is seen, and not once more at the end.
    ``read_aloud`` gets each sentence, too."""

    def __init__(self, root: Node, listeners: Listeners, label: str, read_aloud: Callable[[str], None]) -> None:
        self._listeners = listeners
        self._read_aloud = read_aloud
        self._emptying = 0  # timer, after which what was asked has been heard
        self.region = node("div", "spoken", role="log", aria_live="polite", aria_relevant="additions", aria_label=label)
        self.prompt = node("div", "asked", aria_live="polite", aria_atomic="false")
        root.append(self.region, self.prompt)
        self._count = 0
        self._turn = self._note = ""
        self._is_anew = False
        self._told: set[str] = set()  # since something was asked last

    def forget(self) -> None:
        """Take everything said off the page."""
        self.region.replaceChildren()
        self._count = 0

    def tell(self, sentences: Iterable[str]) -> None:
        """Say ``sentences``, each once, in order."""
        for sentence in sentences:
            if self._count >= MOST:
                self.region.firstElementChild.remove()
            else:
                self._count += 1
            self.region.append(node("p", "", sentence))
            self._told.add(sentence)
            self._read_aloud(sentence)

    def ask_anew(self) -> None:
        """A turn is over: whose turn it is is said next even if it was said before."""
        self._is_anew = True

    def ask(self, turn: str, note: str | None, *, is_over: bool = False) -> None:
        """Say whose turn it is and the note beside the hand; what was said last, or told just now, is not repeated, nor is a
        note that goes with the same words as in the turn before.

        ``note``: None where something else stands there now. ``is_over``: ``turn`` says who has won; that comes last."""
        is_other = turn != self._turn
        said = [turn] if is_other or self._is_anew else []
        if note is not None:
            is_new = (note != self._note or (is_other and self._is_anew)) and note not in self._told
            notes = [note] if is_new else []
            said = notes + said if is_over else said + notes
            self._note = note
        self._turn, self._is_anew = turn, False
        self._told.clear()
        self._prompt([sentence for sentence in said if sentence])

    def interject(self, sentence: str) -> None:
        """Say ``sentence`` at once: why something was refused, what a hint says."""
        self._prompt([sentence] if sentence else [])

    def _prompt(self, sentences: list[str]) -> None:
        if sentences:
            self.prompt.replaceChildren(*(node("p", "", sentence) for sentence in sentences))
            self._listeners.forget(self._emptying)
            self._emptying = self._listeners.delay(HEARD, self.prompt.replaceChildren)
        for sentence in sentences:
            self._read_aloud(sentence)
