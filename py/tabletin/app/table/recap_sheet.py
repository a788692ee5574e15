"""The small sheet under the status that retells what happened since one's last turn, and the button at the status that opens it.

It lies over the upper part of the table, below the seats and their scores, so it takes no space, and stays open until there is
nothing to retell any more. No live region: a screen reader has said every line when it happened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tabletin.app.table.dom import Listeners, Node, button, focus, node
from tabletin.app.table.narration import NarrationLine
from tabletin.words import Catalogue

_ARROW = ('<svg class="recap-arrow" viewBox="0 0 12 8" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" '
          'stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M2 2l4 4 4-4"/></svg>')


class RecapSheet:
    """Its button goes into ``status``, the sheet into ``main``. ``take_focus`` gives the keyboard to the table; ``read`` gets all
    lines when the sheet opens, for those who cannot read."""

    def __init__(self, status: Node, main: Node, listeners: Listeners, words: Catalogue, take_focus: Callable[[], None],
                 read: Callable[[str], None]) -> None:
        self._take_focus = take_focus
        self._read = read
        self._lines: list[str] = []
        self.is_open = False
        title = words.text("table.recap.title")
        self._opener = button("recap-button", "", hidden="", aria_expanded="false", aria_label=title)
        self._opener.innerHTML = _ARROW
        self._opener.prepend(node("span", "recap-word", title, aria_hidden="true"))
        self._sheet = node("section", "recap", hidden="", tabindex="-1", aria_label=title)
        self._listing = node("ol")
        self._sheet.append(self._listing)
        status.append(self._opener)
        main.prepend(self._sheet)
        listeners.listen(self._opener, "click", lambda _event: self.toggle())

    def show(self, lines: Sequence[NarrationLine], top: float) -> None:
        """Offer to retell ``lines``; without any, nothing is offered, and the sheet closes. ``top``: where it begins, px from the
        top of the table."""
        self._sheet.style.setProperty("--top", f"{top:.0f}px")
        said = [line.text for line in lines]
        if said == self._lines:
            return
        self._lines = said
        self._opener.toggleAttribute("hidden", not said)
        self._listing.replaceChildren(*(node("li", "", line) for line in said))
        if not said:
            self.put_away()

    def toggle(self) -> None:
        """Open the sheet if there is something to retell, with the focus on it; or close it, and give the focus back."""
        if not self._lines:
            return
        had_focus = bool(self._sheet.matches(":focus-within"))
        self._open(is_open=not self.is_open)
        if self.is_open:
            focus(self._sheet)
            self._read(" ".join(self._lines))
        elif had_focus:
            self._take_focus()

    def put_away(self) -> None:
        """Close the sheet; the focus stays where it is."""
        self._open(is_open=False)

    def _open(self, *, is_open: bool) -> None:
        self.is_open = is_open
        self._sheet.toggleAttribute("hidden", not is_open)
        self._opener.setAttribute("aria-expanded", "true" if is_open else "false")
