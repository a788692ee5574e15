"""The rulebook beside the table, opened at one point. The turn being composed stays as it is.

Knows a game's rulebook as HTML and the panel it stands in. It never leaves the table, and it knows no match.
"""

from __future__ import annotations

from typing import Any, Final

import js

from tabletin.app.routes import parse
from tabletin.app.table.dom import Listeners, Node, node
from tabletin.app.ui.rulebook import rulebook_of
from tabletin.words import Catalogue

PAGE: Final = "table-rulebook"


class RulesPanel:
    """The rulebook of ``game`` in the element ``body`` of a panel."""

    def __init__(self, body: Node, listeners: Listeners, words: Catalogue, game: str) -> None:
        self._body = body
        self._listeners = listeners
        self._words = words
        self._game = game
        self._page: Node | None = None
        listeners.listen(body, "click", self._clicked, passive=False)

    def open(self, at: str = "") -> None:
        """Show the rulebook, its point ``at`` first."""
        if self._page is None:
            self._page = self._written()
        self._body.replaceChildren(self._page)
        if at:
            self.point_at(at)

    def _written(self) -> Node:
        page = node("div", "rulebook in-panel", id=PAGE)
        search = node("div", "search")
        label = node("label", "", self._words.text("rulespage.search"), for_="rules-search")
        field = node("input", id="rules-search", type="search", autocomplete="off")
        found = node("p", "quiet", role="status")
        search.append(label, field, found)
        book = rulebook_of(self._game, self._words)
        article = node("article", lang=book.language)
        article.innerHTML = book.html
        page.append(search, article)

        def seek(go: bool) -> None:
            words = str(field.value)
            count = int(js.tabletin.mark(article, words, go))
            found.textContent = self._words.text("rulespage.found", n=count) if words.strip() else ""

        self._listeners.listen(field, "input", lambda _event: seek(False))
        self._listeners.listen(field, "change", lambda _event: seek(True))
        return page

    def point_at(self, anchor: str) -> None:
        """Bring the point ``anchor`` into sight, and the keyboard to it."""
        assert self._page is not None
        place = self._page.querySelector(f'[id="{anchor}"]')
        if place:
            place.scrollIntoView()
            place.focus(js.Object.fromEntries(js.Array.of(js.Array.of("preventScroll", True))))

    def _clicked(self, event: Any) -> None:
        """A link to another point of the same book stays beside the table."""
        link = event.target.closest("a")
        if self._page is None or not link or not self._page.contains(link):
            return
        route = parse(str(link.getAttribute("href") or ""))
        if route.screen == "rules" and route.subject == self._game:
            event.preventDefault()
            self.point_at(route.query.get("at", ""))
