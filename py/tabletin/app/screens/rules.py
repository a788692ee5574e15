"""A game's rulebook as a page: headings to jump to, points that can be linked, figures of the real pieces, a search.

``ui/rulebook`` describes how a rulebook is written; beside a table it stands in ``table/rules_panel``.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabletin.app.routes import Route, address
from tabletin.app.ui.html import bar, esc, game_name, link, trouble
from tabletin.app.ui.rulebook import RulebookPage, rulebook_of
from tabletin.app.ui.screen import Screen
from tabletin.board.guide import guide_for


class RulesScreen(Screen):
    """``#/iota/rules?at=IO-5``."""

    return_address = ""  # the match it was opened from

    async def open(self) -> None:
        game = self.route.subject
        name = game_name(self.words, game)
        title = self.text("rulespage.title", game=name)
        self.return_address = self.shell.came_from if self.shell.came_from.startswith("#/match/") else ""
        guide = "" if guide_for(game) is None else link(self.text("guide.offer.link"), address(game, "guide"), look="quiet",
                                                        picture="pointer")
        play = (link(self.text("rulespage.match"), self.return_address, look="quiet", picture="play") if self.return_address
                else link(self.text("rulespage.play"), address(game, "new"), look="quiet", picture="play"))
        try:
            page = rulebook_of(game, self.words)
        except FileNotFoundError:
            self.shell.document.paint(bar(self.words, title) + trouble(self.words, self.text("rulespage.none"), play), title)
            return
        search = (f'<div class="search"><label for="search">{esc(self.text("rulespage.search"))}</label>'
                  f'<input type="search" id="search" name="search" autocomplete="off"></div>'
                  f'<p id="found" class="quiet" role="status"></p>')
        top = bar(self.words, title, back=self.return_address or "#/", more=play if self.return_address else guide + play)
        self.shell.document.paint(
            f'{top}<div class="rulebook">'
            f'<nav aria-label="{esc(self.text("rulespage.contents"))}">{search}{contents(page)}</nav>'
            f'<article id="rulebook" lang="{page.language}">{page.html}</article></div>', title)
        self.show_place(self.route)

    def show_place(self, route: Route) -> None:
        if "at" in route.query:
            self.shell.document.point_at(route.query["at"])

    def stays_for(self, route: Route) -> bool:
        if (route.screen, route.subject) != (self.route.screen, self.route.subject):
            return False
        self.show_place(route)
        return True

    async def on_change(self, name: str, value: str) -> None:
        if name == "search":
            self.search(value, go=True)

    async def on_input(self, name: str, value: str) -> None:
        self.search(value, go=False)

    def search(self, words: str, *, go: bool) -> None:
        """Mark ``words`` and say how often they stand here; Enter goes to the first."""
        count = self.shell.document.mark_words("rulebook", words, go=go)
        self.shell.document.element("found").textContent = self.text("rulespage.found", n=count) if words.strip() else ""

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        """Everything here is a link."""


def contents(page: RulebookPage) -> str:
    """The headings as a list of links."""
    lines = "".join(f'<li><a href="{esc(address(page.game, "rules", at=anchor))}">{esc(title)}</a></li>'
                    for level, anchor, title in page.headings if level == 2)
    return f'<ol class="contents">{lines}</ol>'
