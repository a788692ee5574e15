"""What lies beside the table: the log in words, the score sheet, and what else can be done with a match.

On a wide page it is a column, on a phone a sheet from below. One panel is open at a time. Panels show what they are handed and
report taps; they know no match.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any, Final

import js

from tabletin.app.table.dom import Listeners, Node, button, closest_key, node
from tabletin.app.table.narration import NarrationLine
from tabletin.board.scene import Control, Leaf
from tabletin.kernel.rules import SheetRow
from tabletin.words import figure
from tabletin.words.wording import Wording

NAMES: Final = ("log", "sheet", "more")
KEYS: Final = ("arrows", "enter", "back", "zoom", "fit", "h", "u", "c", "w", "l", "s", "m")  # what ``keyboard`` listens for
_ICON: Final = ('<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false" fill="none" '
                'stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">{}</svg>')
ICONS: Final = {
    "log": _ICON.format('<path d="M4 6h16M4 12h16M4 18h10"/>'),
    "sheet": _ICON.format('<path d="M4 4h16v16H4zM4 10h16M10 10v10"/>'),
    "more": _ICON.format('<path d="M5 12h.01M12 12h.01M19 12h.01"/>'),
}


class Panels:
    """The side of the table. ``open`` names the panel shown, "" for none; ``body`` is where it is written."""

    def __init__(self, root: Node, listeners: Listeners, wording: Wording, *, look_at: Callable[[int], None],
                 press: Callable[[Control], None], close: Callable[[], None]) -> None:
        self._say = wording.catalogue.text
        self._look_at = look_at
        self._press = press
        self._close = close
        self.open = ""
        self.side = node("aside", "panel", hidden="", aria_label=self._say("table.panel.side"))
        bar = node("div", "panel-bar")
        self._title = node("h2", "panel-title", tabindex="-1")
        closer = button("button plain", self._say("table.panel.close"))
        bar.append(self._title, closer)
        self.body = node("div", "panel-body", tabindex="0", role="region")
        self.side.append(bar, self.body)
        root.append(self.side)
        self._controls: dict[str, Control] = {}
        self._lines: list[int] = []  # the entry of each line of the log
        self._moment: int | None = None  # the entry that is looked at; None: it is now
        self._mark = node("li", "log-mark", self._say("table.recap.mark"))
        self._sheet: tuple[list[SheetRow], list[str], list[Leaf]] | None = None
        listeners.listen(closer, "click", lambda _event: self._close())
        listeners.listen(self.body, "click", self._clicked)

    def show(self, name: str) -> None:
        """Open panel ``name`` empty, or close with ""."""
        self.open = name
        self.body.replaceChildren()
        self._lines.clear()
        self.side.setAttribute("data-shows", name)
        if name:
            title = self._say(f"table.panel.{name}")
            self._title.textContent = title
            self.body.setAttribute("aria-label", title)
            self.side.removeAttribute("hidden")
        else:
            self.side.setAttribute("hidden", "")

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is in the panel."""
        return bool(self.side.contains(js.document.activeElement))

    def focus(self) -> None:
        self._title.focus()

    def focus_mark(self) -> None:
        """Go to the first line of the log since the reader's last turn, where one is marked; else to its title."""
        marked = self.body.querySelector(".log-mark + .log-line > button")
        (marked or self._title).focus()

    def focus_keys(self) -> None:
        """Go to the list of keys, where it is shown."""
        title = self.body.querySelector(".keys h3")
        if title:
            title.focus()
            title.scrollIntoView()

    def log(self, lines: Sequence[NarrationLine], *, fresh: bool, since: int | None) -> None:
        """The log in words; ``fresh``: all of it, else what came since, in place of what stood there of its first entry and of
        later ones. ``since``: before the first line of this entry or a later one it is marked that the reader's last turn was
        there."""
        self._mark.remove()
        if fresh or not self._lines:
            self.body.replaceChildren(node("ol", "log"))
            self._lines.clear()
        listing = self.body.firstElementChild
        if lines:
            at = bisect_left(self._lines, lines[0].index)
            del self._lines[at:]
            for line in lines:
                self._write_line(listing, at, line)
                at += 1
            while listing.children.length > at:
                listing.lastElementChild.remove()
        self._lines += [line.index for line in lines]
        at = len(self._lines) if since is None else bisect_left(self._lines, since)
        if at < len(self._lines):
            listing.insertBefore(self._mark, listing.children.item(at))
        if self._moment is None:
            js.tabletin.toEnd(self.body)

    def mark_moment(self, at: int | None) -> None:
        """Mark the last line of the log up to entry ``at``, which is looked at, and bring it into view; None: it is now."""
        self._moment = at
        line = -1 if at is None else bisect_right(self._lines, at) - 1
        current = self.body.querySelectorAll(".log-button").item(line) if line >= 0 else None
        for before in self.body.querySelectorAll(".log-button[aria-current]"):
            if not before.isSameNode(current):
                before.removeAttribute("aria-current")
        if current and not current.hasAttribute("aria-current"):
            current.setAttribute("aria-current", "true")
            current.scrollIntoView(block="nearest")

    @staticmethod
    def _write_line(listing: Node, at: int, line: NarrationLine) -> None:
        """``line`` stands in place of the one that was there, which keeps the focus."""
        item = listing.children.item(at)
        if not item:
            item = node("li", "log-line")
            item.append(button("log-button", ""))
            listing.append(item)
        leads = item.firstElementChild
        leads.textContent = line.text
        leads.setAttribute("data-key", str(line.index))

    def sheet(self, rows: Sequence[SheetRow], names: Sequence[str], leaves: Sequence[Leaf] = ()) -> None:
        """The score sheet as the rulebook keeps it, and ``leaves`` below it; left alone where nothing has changed."""
        shown = list(rows), list(names), list(leaves)
        is_there = bool(self.body.firstElementChild)
        if self._sheet == shown and is_there:
            return
        is_longer = not is_there or self._sheet is None or len(self._sheet[0]) < len(rows)
        self._sheet = shown
        table = node("table", "sheet")
        head = node("tr")
        head.append(node("td"), *(node("th", "", name, scope="col") for name in names))
        top, body = node("thead"), node("tbody")
        top.append(head)
        for row in rows:
            line = node("tr", "total" if row.total else "")
            line.append(node("th", "", self._say(row.key, **row.params), scope="row"))
            line.append(*(node("td", "", "" if cell is None else figure(cell)) for cell in row.cells))
            body.append(line)
        table.append(top, body)
        first = node("p", "quiet", self._say("table.panel.no_scores"))
        if rows:  # where many sit there, the sheet alone is pushed sideways
            first = node("div", "sheet-scroll", role="group", aria_label=self._say("table.panel.sheet"), tabindex="0")
            first.append(table)
        self.body.replaceChildren(first, *(_leaf(leaf) for leaf in leaves))
        if is_longer:  # the newest row is seen, also where many came before it
            js.tabletin.toEnd(self.body, first)

    def point_at_leaf(self, number: int) -> None:
        """Bring leaf ``number`` into view, if there are so many."""
        leaf = self.body.querySelectorAll(".leaf").item(number)
        if leaf:
            leaf.scrollIntoView()

    def show_extra_controls(self, controls: Sequence[Control]) -> None:
        """What else can be done: a list of buttons, each with a sentence."""
        self._controls = {control.key: control for control in controls}
        items = []
        for control in controls:
            item = node("div", "more-item", data_act=control.key)
            push = button("button" + (" danger" if control.danger else ""), control.label)
            push.setAttribute("data-key", control.key)
            item.append(push)
            if control.why:
                item.append(node("p", "quiet", control.why))
            items.append(item)
        self.body.replaceChildren(*items, self._keys())

    def _keys(self) -> Node:
        """What keys do; styles leave it out where there is no keyboard."""
        section, listing = node("section", "keys"), node("dl")
        for key in KEYS:
            name, does = (self._say(f"table.keys.{key}.{part}") for part in ("key", "does"))
            listing.append(node("dt", "", name), node("dd", "", does))
        section.append(node("h3", "", self._say("table.keys.title"), tabindex="-1"), listing)
        return section

    def _clicked(self, event: Any) -> None:
        key = closest_key(event.target)
        if not key:
            return
        if self.open == "log":
            self._look_at(int(key))
        elif key in self._controls:
            self._press(self._controls[key])


def _leaf(leaf: Leaf) -> Node:
    """A heading, and a line for each row: its cards, then its words."""
    part = node("section", "leaf")
    listing = node("ul")
    for row in leaf.rows:
        item = node("li")
        if row.drawings:
            cards = node("span", "leaf-cards", aria_hidden="true")
            cards.innerHTML = "".join(f'<svg viewBox="0 0 {each.width:g} {each.height:g}" focusable="false">{each.markup}</svg>'
                                      for each in row.drawings)
            item.append(cards)
        item.append(node("span", "leaf-text", row.text))
        listing.append(item)
    part.append(node("h3", "", leaf.title), listing)
    return part
