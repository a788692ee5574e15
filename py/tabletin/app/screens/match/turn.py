"""One turn of a finished match on its table: the position, what was played, and what *hard* would have played.

The review found it before; this screen only shows it. The table is the replay's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.app.routes import address
from tabletin.app.screens.match.replay import ReplayScreen
from tabletin.app.screens.match.turn_words import TurnWords
from tabletin.app.session.review import KEPT_AS, Review, TurnReview
from tabletin.app.session.session import MatchSession
from tabletin.app.ui.html import button, esc, link, tag

STEPS: Final = ("before", "played", "hard")


class TurnScreen(ReplayScreen):
    """``#/match/<id>/turn?at=12``."""

    review: Review | None = None
    index = -1  # the entry with which the turn was made
    step = "before"

    def title(self, game: str) -> str:
        return self.text("review.turn_title", game=game)

    def moment(self, session: MatchSession) -> int | None:
        """Before the turn. What the review found of it is read here, once the match is there."""
        asked = self.route.query.get("at", "")
        self.index = int(asked[:6]) if asked.isdecimal() else -1
        self.review = Review.restore_any(session.match, self.shell.texts.recall(KEPT_AS))
        if self.review is None or self.look is None:
            return super().moment(session)
        if session.match.outcome is not None:
            self.table.viewpoint.eyes = str(self.review.seat)
        self.shell.document.repaint("turn", self.strip())
        self.shell.document.element("table").setAttribute("data-turn", "")  # its three steps stand above it, and no others
        return self.index - 1

    @property
    def look(self) -> TurnReview | None:
        """What was found about the turn; None where nobody looked at it."""
        return None if self.review is None else self.review.looks.get(self.index)

    def header_strip(self) -> str:
        return f'<section id="turn" class="turn-strip" aria-label="{esc(self.text("review.turn"))}"></section>'

    def strip(self) -> str:
        """Whose turn is shown, what it says, and the ways to the other ones."""
        review, look = self.review, self.look
        if review is None or look is None or self.session is None:
            return ""
        words = TurnWords(self.words, self.session.match, review.seat, self.session.me)
        shown = {"before": words.certainty, "played": words.played_move, "hard": words.hard}[self.step](look)
        score = "" if self.step == "before" else f' <strong class="gain">{esc(words.gain(look))}</strong>' \
            if self.step == "hard" and look.verdict != "same" else ""
        steps = "".join(button(self.text(f"review.step.{step}"), "step", data_step=step, id=f"turn-{step}",
                               look="primary" if step == self.step else "quiet", aria_pressed=str(step == self.step).lower())
                        for step in STEPS)
        others = [one.index for one in review.worth_a_look() if one.index != self.index]
        ahead = ""
        if others and self.index in [one.index for one in review.worth_a_look()]:
            at = [one.index for one in review.worth_a_look()]
            following = at[(at.index(self.index) + 1) % len(at)]
            ahead = link(self.text("review.next"), address("match", self.route.subject, "turn", at=following), look="quiet",
                         picture="arrow-right", only_picture=True)
        back = link(self.text("review.back"), address("match", self.route.subject, "review"), look="quiet",
                    picture="chart-no-axes-column", only_picture=True)
        verdict = tag("strong", esc(words.verdict(look)))
        return (f'<p class="turn-words" role="status">{verdict}{score} {esc(shown)}</p>'
                f'<div class="row">{back}{steps}{ahead}</div>')

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        look = self.look
        if do != "step" or look is None or data["step"] not in STEPS:
            await super().act(do, data)
            return
        self.step = data["step"]
        if self.step == "played":
            self.table.look_at(look.index)
        else:
            self.table.look_at(look.index - 1, look.hard if self.step == "hard" else None)
        self.shell.document.repaint("turn", self.strip())
