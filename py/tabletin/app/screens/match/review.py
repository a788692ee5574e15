"""Looking back at a match: who led, drawn as a graph, and one's turns beside what *hard* would have played.

It draws what ``session/review`` finds, keeps it on the device, and lets it be stopped. The bots look only while this screen is
shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from tabletin.app.routes import address
from tabletin.app.screens.match.finished_match import FinishedMatchScreen
from tabletin.app.screens.match.turn_words import TurnWords
from tabletin.app.session.bot_driver import BotFailed
from tabletin.app.session.review import KEPT_AS, Review
from tabletin.app.storage.matches import MatchRecord
from tabletin.app.ui.html import bar, button, esc, field, game_name, icon, section, select, tag
from tabletin.board.highlights import lasting_moments
from tabletin.board.lead_graph import HEIGHT, WIDTH, Course, course_of, lead_graph
from tabletin.kernel.rules import Outcome
from tabletin.words.wording import Wording


class ReviewScreen(FinishedMatchScreen):
    """``#/match/<id>/review``."""

    review: Review | None = None
    turn_words: TurnWords
    has_failed = False
    _me: int | None = None
    _seats: tuple[int, ...] = ()
    _looking: asyncio.Task[None] | None = None

    async def show(self, record: MatchRecord, outcome: Outcome) -> None:
        self._me = record.own_seat
        self._seats = seats_of(record)
        kept = self.shell.texts.recall(KEPT_AS)
        review = next((found for seat in self._seats if (found := Review.restore(self.match, seat, kept)).looks),
                      Review(self.match, self._seats[0]))
        self._choose(review)
        title = self.text("review.title", game=game_name(self.words, record.game))
        back = address("match", record.id, "result")
        self.shell.document.paint(
            f'{bar(self.words, title, back=back)}<article class="review">{self.lead()}'
            f'<div id="review-turns">{self.turns()}</div><div id="review-luck">{self.luck()}</div></article>', title)
        if not review.is_complete:
            self.look()

    def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None

    def _choose(self, review: Review) -> None:
        self.review = review
        self.turn_words = TurnWords(self.words, self.match, review.seat, self._me)

    # ---- who led ----

    def lead(self) -> str:
        """The graph, and what it shows in words."""
        course = course_of([one.standings for one in lasting_moments(self.match)], low_wins=self.match.rules.low_wins)
        wording = Wording(self.words, self.match.setup, self._me)
        legend = "".join(
            f'<li><span class="disc seat-{seat}" aria-hidden="true">{seat + 1}</span>'
            f'<span class="name">{esc(wording.seat(seat))}</span>'
            + (f'<span class="quiet">{esc(self.text("review.led_for", percent=percent))}</span>' if percent else "")
            + "</li>" for seat, percent in enumerate(round(100 * share) for share in course.shares()))
        told = self.graph_words(course)
        graph = (f'<svg class="lead-graph" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{esc(told)}">'
                 f"{lead_graph(course)}</svg>")
        return section("led", self.text("review.led"),
                       f'{graph}<p class="quiet">{esc(told)}</p><ul class="legend">{legend}</ul>')

    def graph_words(self, course: Course) -> str:
        """The graph in a sentence."""
        n = course.changes_of_lead
        if not any(course.shares()):
            told = self.text("review.no_leader")
        else:
            told = self.text("review.changes", n=n) if n else self.text("review.no_change")
        return f'{told} {self.text("review.low_wins")}' if course.low_wins else told

    # ---- the turns ----

    def turns(self) -> str:
        review = self.review
        assert review is not None
        wording = Wording(self.words, self.match.setup, self._me)
        title = self.text("review.turns") if review.seat == self._me else \
            self.text("review.turns_of", seat=wording.seat(review.seat))
        whose = ""
        if len(self._seats) > 1:
            names = [(str(seat), wording.seat(seat)) for seat in self._seats]
            whose = field("whose", self.text("review.whose"), select("whose", names, str(review.seat)))
        return section("turns", title, f'{whose}<div id="review-progress">{self.progress()}</div>'
                       f'<div id="review-worth">{self.worth()}</div>{self.every_turn()}')

    def progress(self) -> str:
        """How far the look is, and the way to stop it or to go on."""
        review = self.review
        assert review is not None
        if review.is_complete:
            return self.summary()
        done, n = len(review.looks), len(review.turns or ())
        if self.has_failed:
            return (f'<p class="notice" role="alert">{esc(self.text("shell.bots.failed"))}</p>'
                    + button(self.text("review.go_on"), "go_on", look="primary", id="review-go"))
        if self._looking is None:
            return (f'<p class="quiet">{esc(self.text("review.stopped", done=done, n=n))}</p>'
                    + button(self.text("review.go_on"), "go_on", look="primary", picture="play", id="review-go"))
        told = self.text("review.begins") if review.turns is None else \
            self.text("review.longer") if done == n else self.text("review.looking", done=done, n=n)
        value = tag("progress", "", value=round(review.progress, 3), max=1, aria_label=self.text("review.progress"))
        return (f'<p class="quiet">{esc(told)}</p><div class="row">{value}'
                f'{button(self.text("review.stop"), "stop", look="quiet", picture="x", id="review-go")}</div>')

    def summary(self) -> str:
        """What came of it."""
        review = self.review
        assert review is not None
        if not review.looks:
            return f'<p>{esc(self.text("review.none"))}</p>'
        counted = {"like_hard": len(review.looks) - review.count("better", "maybe"), "beat_hard": review.count("yours")}
        if not review.count("better", "maybe"):  # that nothing was better is told with a star, once
            counted["like_hard"] = 0
        told = [self.text(f"review.{key}", n=n, all=len(review.looks)) for key, n in counted.items() if n]  # none is no news
        return f'<p role="status">{esc(" ".join(told))}</p>' if told else ""

    def worth(self) -> str:
        """The turns to be looked at again."""
        review = self.review
        assert review is not None
        found = review.worth_a_look()
        if not found:
            text = self.text("review.nothing") if review.is_complete and review.looks else ""
            return f'<p class="well-played">{icon("star")} {esc(text)}</p>' if text else ""
        lines = "".join(self.turn_words.line(look, self.moment(look.index)) for look in found)
        return f'<h3>{esc(self.text("review.worth"))}</h3><ol class="best looks">{lines}</ol>'

    def every_turn(self) -> str:
        """All turns in order, once they are known."""
        review = self.review
        assert review is not None
        if not review.is_complete or not review.looks:
            return ""
        looks = [review.looks[index] for index in sorted(review.looks)]
        lines = "".join(self.turn_words.line(look, self.moment(look.index)) for look in looks)
        return f'<details><summary>{esc(self.text("review.all"))}</summary><ol class="best looks">{lines}</ol></details>'

    def moment(self, index: int) -> str:
        """The address of a turn on the table."""
        return address("match", self.route.subject, "turn", at=index)

    def luck(self) -> str:
        """What luck has to do with it, or the time; "" as long as nothing hidden was seen to decide a turn."""
        review = self.review
        assert review is not None
        if self.match.rules.random_delay:  # where speed counts, that decides
            return section("luck", self.text("review.time"), f'<p class="quiet">{esc(self.text("review.time_text"))}</p>')
        found = [look.comparison for look in review.looks.values() if look.comparison is not None]
        if all(one.is_certain for one in found):
            return ""
        return section("luck", self.text("review.luck"), f'<p class="quiet">{esc(self.text("review.luck_text"))}</p>')

    # ---- what happens ----

    def look(self) -> None:
        """Look on, from where the review stands."""
        self.has_failed = False
        self._looking = asyncio.ensure_future(self._look())
        self.shell.document.repaint("review-progress", self.progress())

    async def _look(self) -> None:
        review = self.review
        assert review is not None
        try:
            await review.run(self.shell.reviewer, self._progressed)
        except BotFailed:
            self.has_failed = True
        self._looking = None
        self.shell.document.repaint("review-turns", self.turns())
        self.shell.document.repaint("review-luck", self.luck())

    def _progressed(self) -> None:
        assert self.review is not None
        self.shell.texts.keep(KEPT_AS, self.review.to_json())
        self.shell.document.repaint("review-progress", self.progress())
        self.shell.document.repaint("review-worth", self.worth())
        self.shell.document.repaint("review-luck", self.luck())

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        if do == "stop":
            self.close()
            self.shell.document.repaint("review-turns", self.turns())
            self.shell.document.focus("review-go")
        elif do == "go_on":
            self.look()
            self.shell.document.focus("review-go")

    async def on_change(self, name: str, value: str) -> None:
        """Somebody else's turns."""
        if name == "whose" and value.isdecimal() and int(value) in self._seats:
            self.close()
            self._choose(Review.restore(self.match, int(value), self.shell.texts.recall(KEPT_AS)))
            self.shell.document.repaint("review-turns", self.turns())
            self.shell.document.repaint("review-luck", self.luck())
            if self.review is not None and not self.review.is_complete:
                self.look()


def seats_of(record: MatchRecord) -> tuple[int, ...]:
    """The seats whose turns may be looked at: the person's here, those of all people here, or of everybody where bots played."""
    own = record.own_seat
    if own is not None:
        return (own,)
    people = tuple(seat for seat, player in enumerate(record.seats)
                   if not player.is_bot and record.author in (None, player.author))
    found: Any = people or range(len(record.seats))
    return tuple(found)
