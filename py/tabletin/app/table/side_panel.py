"""Which panel is open beside the table, what is written into it, and the buttons in the bar that open them.

The panels themselves know nothing of a match (``panels``); this reads it from its host. One is open at a time. The panel that
stood there before the rulebook comes back after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from tabletin.app.table.dom import Listeners, Node, button, node
from tabletin.app.table.event_merging import log_lines
from tabletin.app.table.narration import Narration, Reader
from tabletin.app.table.panels import ICONS, NAMES, Panels
from tabletin.app.table.rules_panel import RulesPanel
from tabletin.board.board import Board
from tabletin.board.scene import Control, Scene, Sight
from tabletin.words import Catalogue

if TYPE_CHECKING:
    from tabletin.app.session.session import MatchSession
    from tabletin.app.table.viewpoint import Viewpoint


class SidePanelHost(Protocol):
    """The table as its panels read it, and what they have it do."""

    words: Catalogue
    board: Board
    scene: Scene

    @property
    def session(self) -> MatchSession: ...

    @property
    def viewpoint(self) -> Viewpoint: ...

    @property
    def narration(self) -> Narration: ...

    @property
    def wide(self) -> bool:
        """Whether there is space for a panel beside the table."""
        ...

    def sight(self) -> Sight:
        """What is looked at, and through whose eyes."""
        ...

    def turn_mark(self) -> int | None:
        """The first entry that the seat whose hand lies open may have missed since its last turn; None if there is none."""
        ...

    def extra_controls(self) -> Sequence[Control]:
        """What else can be done with the match."""
        ...

    def press_more(self, control: Control) -> None:
        """One of ``extra_controls`` was pressed."""
        ...

    def look_at(self, index: int | None) -> None:
        """Look at the moment after entry ``index``."""
        ...

    def take_focus(self) -> None:
        """The keyboard goes to the table."""
        ...

    def put_recap_away(self) -> None:
        """What happened stands in a panel now."""
        ...


class SidePanel:
    """Its buttons go into ``bar``, the panels into ``body``."""

    def __init__(self, host: SidePanelHost, bar: Node, body: Node, listeners: Listeners) -> None:
        self._host = host
        self._listeners = listeners
        self._bar = bar
        self._rules: RulesPanel | None = None
        self._before_rules = ""
        self._was_wide = host.wide
        self._waits_for_width = False  # the log stood beside the table until that became narrow
        self._buttons: dict[str, Node] = {}
        say = host.words.text
        for name in NAMES:
            opener = button("bar-button", "", aria_expanded="false", aria_label=say(f"table.bar.{name}"))
            opener.innerHTML = ICONS[name]
            opener.append(node("span", "bar-word", say(f"table.bar.{name}"), aria_hidden="true"))
            bar.append(opener)
            self._buttons[name] = opener
            listeners.listen(opener, "click", partial(self._tapped, name))
        self._panels = Panels(body, listeners, host.session.wording, look_at=host.look_at, press=host.press_more,
                              close=self.close)

    @property
    def open(self) -> str:
        """The panel that is open, "" for none."""
        return self._panels.open

    @property
    def marks_turn(self) -> bool:
        """Whether what happened since the last turn stands beside the table."""
        return self.open == "log" and self._host.wide

    def read_since_turn(self) -> None:
        """Go to what happened since the last turn, in the log beside the table."""
        self._panels.focus_mark()

    def _tapped(self, name: str, _event: object) -> None:
        self.toggle(name)

    def toggle(self, name: str) -> None:
        """Open panel ``name``, or close it if it is open."""
        if name == self.open:
            self.close()
        else:
            self.show(name)
            self._panels.focus()

    def toggle_keys(self) -> None:
        """Open the panel at the list of keys, or close it."""
        self.toggle("more")
        if self.open:
            self._panels.focus_keys()

    def close(self) -> None:
        """Close the open panel; the focus goes back to where it was opened from."""
        name = self.open
        if name == "rules":
            self.show(self._before_rules)
            self._host.take_focus()
        elif name:
            self.show("")
            self._buttons[name].focus()

    def put_sheet_away(self) -> None:
        """Close a panel that lies over the table, as on a phone; the focus stays where it is."""
        if not self._host.wide:
            self.show("")

    def follow_width(self) -> None:
        """A table that becomes narrow, as when a tablet is turned, is not covered by the log that stood beside it; the log
        comes back when there is space again. What somebody reads with the keyboard, and any other panel, stays."""
        if self._host.wide == self._was_wide:
            return
        self._was_wide = self._host.wide
        if not self._was_wide:
            self._waits_for_width = self.open == "log" and not self._panels.has_focus
            if self._waits_for_width:
                self.show("")
        elif self._waits_for_width and not self.open:
            self.show("log")

    def show(self, name: str) -> None:
        """Have panel ``name`` stand there, "" for none; the focus stays where it is."""
        self._panels.show(name)
        self._bar.setAttribute("data-panel", name)
        for own, opener in self._buttons.items():
            opener.setAttribute("aria-expanded", "true" if own == name else "false")
        self.fill(anew=True)
        self.write_log(anew=True)
        if self.marks_turn:
            self._host.put_recap_away()

    def fill(self, *, anew: bool = False) -> None:
        """Write the open panel anew: scores once they have been counted on the table, or where it was just opened (``anew``). The
        log is written on by ``write_log`` alone."""
        host, panels = self._host, self._panels
        match = host.session.match
        if self.open == "sheet" and (anew or not host.viewpoint.is_counted):
            at = host.viewpoint.index
            state = match.state if at is None else match.snapshot_at(at).state
            names = [host.session.wording.seat(seat) for seat in range(match.rules.seats)]
            panels.sheet(match.rules.sheet(state), names, host.board.leaves(host.sight()))
        elif self.open == "more":
            panels.show_extra_controls(host.extra_controls())
        elif self.open == "log":
            panels.mark_moment(host.viewpoint.index)

    def write_log(self, *, anew: bool = False) -> None:
        """Write the log on, if it is open and nothing is being counted on the table; ``anew``: all the same, and from its
        beginning, as for other readers."""
        if self.open != "log" or (self._host.viewpoint.is_counted and not anew):
            return
        narration, session = self._host.narration, self._host.session
        if anew:
            narration.rewind(Reader.LOG)
        fresh = narration.is_rewound(Reader.LOG)
        lines = log_lines(narration, session.wording, session.readers, self._host.scene.log_until)
        self._panels.log(lines, fresh=fresh, since=self._host.turn_mark())
        self._panels.mark_moment(self._host.viewpoint.index)

    def read_rules(self, at: str = "") -> None:
        """Open the rulebook, at the point ``at`` if one is named; the turn being composed stays as it is."""
        host = self._host
        if self.open != "rules":
            self._before_rules = self.open if host.wide else ""
            self.show("rules")
        if self._rules is None:
            self._rules = RulesPanel(self._panels.body, self._listeners, host.words, host.session.match.setup.game)
        self._rules.open(at)
        if not at:
            self._panels.focus()

    def read_seat(self, seat: int) -> None:
        """Show what lies before ``seat``, where the game has that."""
        host = self._host
        if host.board.leaves(host.sight()):
            if self.open != "sheet":
                self.show("sheet")
            self._panels.point_at_leaf(seat)
