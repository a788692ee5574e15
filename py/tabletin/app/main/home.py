"""The home page that stands in index.html: in the chosen language, with what is unfinished and what was played last.

The page's own script shows the texts kept here before Python is there. It knows records of matches, and no match.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import js

from tabletin.app.screens.home import played_list, static_page, waiting_list
from tabletin.words import SOURCE, Catalogue

if TYPE_CHECKING:
    from tabletin.app.main.document import BrowserDocument
    from tabletin.app.storage.matches import MatchRecord
    from tabletin.app.storage.texts import TextStore

WAITING: Final = "tabletin.waiting"
HOME: Final = "tabletin.home"
PUZZLE_LINE: Final = "tabletin.puzzle.line"


class HomePage:
    """The home page on ``document``; ``texts`` keeps it for the next start of ``version``."""

    def __init__(self, document: BrowserDocument, texts: TextStore, version: str) -> None:
        self._document = document
        self._texts = texts
        self._version = version

    def translate(self, words: Catalogue) -> None:
        """Write the page in the language of ``words`` now, and at the next start before Python is there."""
        html = static_page(words)
        self._document.write_home(html, words.language)
        kept = {"version": self._version, "language": words.language, "html": html}
        self._texts.keep(HOME, json.dumps(kept) if words.language != SOURCE else None)

    def is_translated(self, words: Catalogue) -> bool:
        """Whether the page stands there in the language of ``words``, as this version writes it."""
        if words.language != self._document.language:
            return False
        return words.language == SOURCE or f'"version": {json.dumps(self._version)},' in (self._texts.recall(HOME) or "")

    def fill(self, words: Catalogue, records: list[MatchRecord]) -> None:
        """Show what of ``records`` is unfinished and what was played last."""
        waiting = json.dumps(waiting_list(words, records))
        self._texts.keep(WAITING, waiting)
        js.tabletin.fill(waiting)
        self._document.write_played(played_list(words, records))

    def fill_puzzle(self, words: Catalogue) -> None:
        """Show how today's puzzle stands, and remember it for the next start of this day."""
        from datetime import date  # after the start, which none of this may delay

        from tabletin.app.screens.puzzle_line import home_line
        from tabletin.app.storage.puzzle_progress import KEPT_AS, Progress
        today = date.today()
        line = home_line(words, Progress.from_json(self._texts.recall(KEPT_AS)), today)
        self._texts.keep(PUZZLE_LINE, json.dumps({"day": today.isoformat(), "line": line}))
        self._document.write_puzzle(line)
