"""Which panel is open beside the table, what is written into it, and the buttons in the bar that open them.

The panels themselves know nothing of a match (``panels``); this reads it from the screen. One is open at a time: what stood
there before the rulebook comes back after it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tabletin.app.table.dom import Listeners, Node, button, node
from tabletin.app.table.panels import ICONS, NAMES, Panels
from tabletin.app.table.rules_panel import RulesPanel

if TYPE_CHECKING:
    from tabletin.app.table.screen import TableScreen


class SidePanel:
    """Of ``screen``: its ``tools`` go into ``bar``, the panels into ``body``."""

    def __init__(self, screen: TableScreen, bar: Node, body: Node, wires: Listeners) -> None:
        self._screen = screen
        self._wires = wires
        self._reading: RulesPanel | None = None
        self._before_rules = ""
        self._tools: dict[str, Node] = {}
        say = screen.words.text
        for name in NAMES:
            tool = button("bar-button", "", aria_expanded="false", aria_label=say(f"table.bar.{name}"))
            tool.innerHTML = ICONS[name]
            tool.append(node("span", "bar-word", say(f"table.bar.{name}"), aria_hidden="true"))
            bar.append(tool)
            self._tools[name] = tool
            wires.listen(tool, "click", partial(self._tapped, name))
        self._panels = Panels(body, wires, screen.session.wording, moment=screen.look_at, pressed=screen.pressed_beside,
                              closed=self.close)

    @property
    def open(self) -> str:
        """The panel that is open, "" for none."""
        return self._panels.open

    def _tapped(self, name: str, _event: object) -> None:
        self.toggle(name)

    def toggle(self, name: str) -> None:
        """Open panel ``name``, or close it if it is open."""
        if name == self.open:
            self.close()
        else:
            self.show(name)
            self._panels.focus()

    def close(self) -> None:
        """Close whichever is open; the focus goes back to where it was opened from."""
        was = self.open
        if was == "rules":  # what stood there before comes back
            self.show(self._before_rules)
            self._screen.stage.take_focus()
        elif was:
            self.show("")
            self._tools[was].focus()

    def put_sheet_away(self) -> None:
        """Close a panel that lies over the table, as on a phone; the focus stays where it is."""
        if not self._screen.wide:
            self.show("")

    def show(self, name: str) -> None:
        """Have panel ``name`` stand there, "" for none; the focus stays where it is."""
        self._panels.show(name)
        for tool, element in self._tools.items():
            element.setAttribute("aria-expanded", "true" if tool == name else "false")
        if name:
            self.fill(since=0)

    def fill(self, since: int | None = None) -> None:
        """Write the open panel anew. ``since``: the log is written on from this event, 0 anew for other eyes; None: left."""
        screen, panels = self._screen, self._panels
        match, wording = screen.session.match, screen.session.wording
        if self.open == "log" and since is not None:
            hearing = screen.hearing
            lines = hearing.chronicle.lines(wording, screen.session.readers, start=since)
            hearing.logged = len(hearing.chronicle)
            panels.log(lines, fresh=since == 0)
        elif self.open == "sheet":
            at = screen.looking.at
            state = match.state if at is None else match.at(at).state
            names = [wording.seat(seat) for seat in range(match.rules.seats)]
            panels.sheet(match.rules.sheet(state), names, screen.board.leaves(screen.sight()))
        elif self.open == "more":
            panels.more(screen.offers.more())

    def read_rules(self, at: str = "") -> None:
        """Open the rulebook; the turn being composed stays as it is."""
        screen = self._screen
        if self.open != "rules":
            self._before_rules = self.open if screen.wide else ""
            self.show("rules")
        if self._reading is None:
            self._reading = RulesPanel(self._panels.body, self._wires, screen.words, screen.session.match.setup.game)
        self._reading.open(at)
        if not at:
            self._panels.focus()

    def read_seat(self, seat: int) -> None:
        """Show what lies before ``seat``, where the game has that."""
        screen = self._screen
        if screen.board.leaves(screen.sight()):
            if self.open != "sheet":
                self.show("sheet")
            self._panels.point_at_leaf(seat)
