"""Looking back: a line below the table with which earlier moments of the match are looked at, move by move.

It only says which moment; the screen draws it. Once the match is over, the seat to look through is chosen here too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tabletin.app.table.dom import Listeners, Node, button, node
from tabletin.words import Catalogue


class ReplayBar:
    """A scrubber in ``root``. ``choose`` is called with an entry's index, or None for now."""

    def __init__(self, root: Node, listeners: Listeners, catalogue: Catalogue, choose: Callable[[int | None], None],
                 look_through: Callable[[str], None]) -> None:
        say = catalogue.text
        self.bar = node("div", "replay-bar", hidden="", role="group", aria_label=say("table.past.title"))
        self._earlier = button("button icon", "‹", aria_label=say("table.past.earlier"))
        self._slider = node("input", "scrubber", type="range", min="0", step="1", aria_label=say("table.past.moment"))
        self._later = button("button icon", "›", aria_label=say("table.past.later"))
        self._views = node("select", "eyes", aria_label=say("table.past.eyes"))
        self._now = button("button primary", say("table.past.now"))
        self.bar.append(self._earlier, self._slider, self._later, self._views, self._now)
        root.append(self.bar)
        self._stops: list[int] = []
        self._choose = choose
        listeners.listen(self._slider, "input", lambda _event: self._slid())
        listeners.listen(self._earlier, "click", lambda _event: self._step(-1))
        listeners.listen(self._later, "click", lambda _event: self._step(1))
        listeners.listen(self._now, "click", lambda _event: choose(None))
        listeners.listen(self._views, "change", lambda event: look_through(str(event.target.value)))

    def show(self, stops: Sequence[int], index: int, text: str, eyes: Sequence[tuple[str, str]] = (), eye: str = "",
             leave: str = "") -> None:
        """Stand at ``index`` among the entries ``stops``; ``text`` says where that is. ``eyes``: the views to
        choose from, if any, of which ``eye`` is chosen.
        """
        self._stops = list(stops)
        place = max((at for at, stop in enumerate(stops) if stop <= index), default=0)
        self._slider.max = str(max(0, len(stops) - 1))
        self._slider.value = str(place)
        self._slider.setAttribute("aria-valuetext", text)
        self._now.textContent = leave or self._now.textContent
        if eyes:
            self._views.replaceChildren(*(_option(value, words, value == eye) for value, words in eyes))
            self._views.removeAttribute("hidden")
        else:
            self._views.setAttribute("hidden", "")
        self.bar.removeAttribute("hidden")

    def hide(self) -> None:
        self.bar.setAttribute("hidden", "")

    def _slid(self) -> None:
        if self._stops:
            self._choose(self._stops[min(int(self._slider.value), len(self._stops) - 1)])

    def _step(self, by: int) -> None:
        place = min(max(int(self._slider.value) + by, 0), len(self._stops) - 1)
        self._slider.value = str(place)
        self._slid()


def _option(value: str, words: str, chosen: bool) -> Any:
    found: Node = node("option", "", words, value=value)
    if chosen:
        found.selected = True
    return found
