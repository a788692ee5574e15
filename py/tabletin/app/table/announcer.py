"""A live region of the page: a screen reader says every sentence in it once, in order.

``narration`` words what happened, and for whom; ``updates`` decides when it is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from tabletin.app.table.dom import Node, node

MOST: Final = 40  # sentences that stay in the region


class Announcer:
    """A polite live region in ``root``. ``tell`` appends; nothing is ever said twice. ``read_aloud`` gets each sentence, too."""

    def __init__(self, root: Node, label: str, read_aloud: Callable[[str], None]) -> None:
        self._read_aloud = read_aloud
        self.region = node("div", "spoken", role="log", aria_live="polite", aria_relevant="additions", aria_label=label)
        root.append(self.region)
        self._count = 0

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
            self._read_aloud(sentence)
