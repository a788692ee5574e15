"""The one thing of a surface that Tab reaches, and from which the arrow keys walk. Knows elements by key, not what they are."""

from __future__ import annotations

from collections.abc import Callable, Collection

from tabletin.app.table.dom import Node
from tabletin.board.scene import Key


class RovingTabindex:
    """``current``: the key of that thing, "" where there is none. ``element`` finds what takes the focus for a key."""

    def __init__(self, element: Callable[[Key], Node | None]) -> None:
        self._element = element
        self.current: Key = ""

    def move_to(self, key: Key) -> None:
        """Tab reaches ``key`` from now on, and no longer what it reached."""
        if self.current != key:
            old = self._element(self.current)
            if old is not None and old.hasAttribute("tabindex"):
                old.setAttribute("tabindex", "-1")
        self.current = key
        element = self._element(key)
        if element is not None:
            element.setAttribute("tabindex", "0")

    def limit_to(self, stops: Collection[Key], wanted: Key) -> None:
        """Exactly one of ``stops`` is in the order of Tab: the one that was, else ``wanted``, else the first."""
        for key in stops:
            if key != self.current:
                element = self._element(key)
                if element is not None and element.getAttribute("tabindex") != "-1":
                    element.setAttribute("tabindex", "-1")
        if self.current not in stops:
            self.current = wanted if wanted in stops else next(iter(stops), "")
        if self.current:
            self.move_to(self.current)
