"""The replay of a match: its table, opened at the beginning or at the moment that was asked for.

The table itself has the scrubber, the log and the choice of whose hand to see. A match that still goes on shows no more than its
people may see.
"""

from __future__ import annotations

from tabletin.app.screens.match.match import MatchScreen
from tabletin.app.session.session import MatchSession


class ReplayScreen(MatchScreen):
    """``#/match/<id>/replay?at=12``."""

    moment_is_past = True

    def moment(self, session: MatchSession) -> int | None:
        asked = self.route.query.get("at", "")
        if asked.isdecimal():
            return int(asked[:6])
        entries = session.match.entries
        return next((entry.index for entry in entries[1:] if entry.statement.kind != "deal"), len(entries)) - 1

    def title(self, game: str) -> str:
        return self.text("replay.title", game=game)
