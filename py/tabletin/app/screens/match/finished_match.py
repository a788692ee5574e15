"""What screens of a finished match have in common: its log is read anew, and where that cannot be, they say so with a way out.

A screen says what it ``show``s. Nothing is changed or kept here.
"""

from __future__ import annotations

from tabletin.app.routes import address
from tabletin.app.screens.home import waiting_line
from tabletin.app.storage.matches import MatchRecord, StorageFailed
from tabletin.app.storage.persistence import match_steps
from tabletin.app.time_slices import in_slices
from tabletin.app.ui.html import bar, game_name, link, trouble
from tabletin.app.ui.screen import Screen
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.rules import Outcome
from tabletin.kernel.schema import Malformed


class FinishedMatchScreen(Screen):
    """A screen about the match that the address names."""

    match: Match

    async def open(self) -> None:
        await self.shell.handoff.until_written(self.route.subject)  # the table may have closed a moment ago, with its last move
        try:
            record, rows = await self.shell.matches.read(self.route.subject)
            self.match = await in_slices(match_steps(rows))
        except KeyError:
            self.refuse(self.text("playing.none"))
        except StorageFailed as failure:
            self.refuse(self.text(failure.key))
        except (Refused, Malformed) as error:
            why = self.sentence(error.refusal) if isinstance(error, Refused) else self.text("playing.unreadable")
            self.refuse(self.text("playing.damaged", why=why))
        else:
            outcome = self.match.outcome
            if outcome is None:
                self.show_unfinished(record)
            else:
                await self.show(record, outcome)

    async def show(self, record: MatchRecord, outcome: Outcome) -> None:
        """Show the match, which ended with ``outcome``."""
        raise NotImplementedError

    def refuse(self, sentence: str) -> None:
        title = self.text("playing.trouble")
        way_out = link(self.text("shell.home"), "#/", look="primary")
        self.shell.document.paint(bar(self.words, title) + trouble(self.words, sentence, way_out), title)

    def show_unfinished(self, record: MatchRecord) -> None:
        title = game_name(self.words, record.game)
        way_on = link(self.text("result.play_on"), address("match", record.id), look="primary", picture="play")
        self.shell.document.paint(bar(self.words, title) + trouble(self.words, self.text(
            "result.unfinished", line=waiting_line(self.words, record)), way_on), title)
