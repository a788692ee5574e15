"""The puzzle of a day on the real table: what is asked stands above it, and what an answer is worth.

It paints the words, keeps what was solved, and passes on taps. The puzzle follows from the date (``tabletin.puzzles``); the
position and the judgement are in ``session/puzzle_session``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from tabletin.app.routes import address
from tabletin.app.screens.puzzle_line import heading, stars
from tabletin.app.session.puzzle_session import PuzzleSession
from tabletin.app.storage.puzzle_progress import DAY, KEPT_AS, Progress
from tabletin.app.ui.html import (
    bar,
    button,
    confetti,
    esc,
    game_key,
    game_name,
    game_text,
    icon,
    link,
    phrase,
    tag,
    trouble,
)
from tabletin.app.ui.screen import Screen
from tabletin.kernel.match import EVERYBODY
from tabletin.puzzles.calendar import attempts, day_of, game_of, stars_of
from tabletin.puzzles.puzzle import ME, Puzzle
from tabletin.registry import GAMES

ALONE: Final = 2  # answers of a day without help; then hints are offered
BREATH: Final = 0.0  # seconds between two attempts at a puzzle, in which the page answers taps


class PuzzleScreen(Screen):
    """``#/puzzle``, ``#/puzzle?day=2026-11-23``."""

    day: date
    today: date
    puzzle: Puzzle | None = None
    session: PuzzleSession | None = None
    table: Any = None
    _closed = False

    async def open(self) -> None:
        self.today = date.today()
        self.day = min(day_of(self.route.query.get("day", "")) or self.today, self.today)
        game = game_of(self.day)
        if not game:
            title = self.text("puzzle.name")
            way_out = link(self.text("shell.home"), "#/", look="primary")
            self.shell.document.paint(bar(self.words, title) + trouble(self.words, self.text("puzzle.none"), way_out), title)
            return
        title = self.text("puzzle.heading", game=game_name(self.words, game), title=game_text(self.words, game, "puzzle.title"))
        self.shell.document.paint(self.page(title), title)
        for found in attempts(self.day):
            self.puzzle = found
            await asyncio.sleep(BREATH)
            if self._closed:
                return
        await self.lay_out()

    async def lay_out(self) -> None:
        """The position on the table, as it is at first."""
        assert self.puzzle is not None
        shell = self.shell
        session = await PuzzleSession.begin_puzzle(self.puzzle, self.words, lambda: shell.settings.seconds, shell.notices.say)
        if self._closed:
            session.close()
            return
        from tabletin.app.table.screen import TableScreen
        session.gives_hints = self.progress.tries(self.day) >= ALONE
        self.session = session
        self.say_words()  # what the puzzle is comes before whose turn it is
        self.table = TableScreen(shell.document.element("table"), session, self.words, shell.signals)
        self.table.lay()
        if self.table.panel.open:
            self.table.panel.toggle(self.table.panel.open)
        session.on_verdict = self.show_verdict
        session.on_change(lambda happenings: self.show_hands())
        self.show()

    # ---- parts ----

    @property
    def progress(self) -> Progress:
        return Progress.from_json(self.shell.texts.recall(KEPT_AS))

    def page(self, title: str) -> str:
        """The whole screen with an empty table."""
        return (f'<section id="guide" class="guide puzzle" aria-label="{esc(title)}"><h1 class="puzzle-title" tabindex="-1">'
                f'{esc(title)} {stars(self.words, stars_of(self.day))}</h1>'
                f'<div class="puzzle-asked"><p id="guide-words" class="guide-words" role="status">'
                f'{esc(self.text("puzzle.making"))}</p><div id="puzzle-praise"></div>'
                f'<div id="puzzle-hands" class="puzzle-hands"></div></div>'
                f'<div id="guide-acts" class="guide-acts">{self.home()}</div><div id="puzzle-confetti"></div></section>'
                f'<div id="table" class="guided puzzling"></div>')

    def home(self) -> str:
        return link(self.text("shell.home"), "#/", look="quiet", picture="house", only_picture=True)

    def say(self, rest: str, **params: Any) -> str:
        """The words of the puzzle's game."""
        assert self.puzzle is not None
        return phrase(self.words, game_key(self.words, self.puzzle.game, f"puzzle.{rest}"), params)

    def words_now(self) -> str:
        """What is asked, or what the answer is worth."""
        assert self.session is not None
        verdict = self.session.verdict
        other = self.session.match.setup.seats[ME + 1].name
        if verdict is None:
            return self.say("goal", other=other)
        return self.say(verdict.say, other=other, **verdict.params)

    def standing(self) -> str:
        """How many tries it took, and how many days in a row it is."""
        progress = self.progress
        row, tries = progress.row_on(self.today), progress.tries(self.day)
        parts = [self.text("puzzle.tries", n=tries) if tries > 1 else self.text("puzzle.first_try")]
        if self.session is not None and self.session.is_hinted:
            parts.append(self.text("puzzle.hinted"))
        if self.day == self.today and row > 1:
            parts.append(self.text("puzzle.row", n=row))
        return " · ".join(parts)

    def longest(self) -> str:
        """The most days in a row that there ever were, where that is more than it is today."""
        progress = self.progress
        is_told = self.day == self.today and progress.longest > max(1, progress.row_on(self.today))
        return f' · {self.text("puzzle.longest", n=progress.longest)}' if is_told else ""

    def praise(self) -> str:
        """Below the right answer: how it came about, and what comes tomorrow; "" before."""
        if self.session is None or not self.session.is_solved:
            return ""
        lines = f'<p class="puzzle-standing">{icon("star")} {esc(self.standing())}{esc(self.longest())}</p>'
        coming = heading(self.words, self.today + DAY) if self.day == self.today else ""
        told = esc(self.text("puzzle.tomorrow", puzzle="\0")).replace("\0", coming)
        return lines + (f'<p class="quiet">{told}</p>' if coming else "")

    def celebrate(self) -> None:
        """Paper falls over the page once, as at the end of a match that was won."""
        self.shell.document.repaint("puzzle-confetti", confetti())

    def acts(self) -> str:
        """The ways on: once more, or what comes after the right answer."""
        assert self.session is not None
        verdict, days = self.session.verdict, self.other_days()
        if verdict is None or not verdict.is_best:
            name, look, at = ("again", "quiet", "puzzle-again") if verdict is None else ("try_again", "primary", "puzzle-on")
            return days + button(self.text(f"puzzle.{name}"), "again", look=look, picture="rotate-ccw", id=at) + self.home()
        return days + button(self.text("puzzle.share"), "share", look="primary", picture="share-2", id="puzzle-on") + self.home()

    def other_days(self) -> str:
        """Which day it is, between the ways to the day before and to the next one, if that has come."""
        def way(name: str, day: date, picture: str) -> str:
            return link(self.text(f"puzzle.{name}"), address("puzzle", day=day), look="quiet", id=f"puzzle-{name}",
                        picture=picture, only_picture=True)

        after = way("after", self.day + DAY, "chevron-right") if self.day < self.today else ""
        shown = f'<span class="puzzle-day">{esc(self.shell.describe_day(self.day.isoformat()))}</span>'
        return f'<div class="puzzle-days">{way("before", self.day - DAY, "chevron-left")}{shown}{after}</div>'

    def hands(self) -> str:
        """The hands of the others, where the puzzle opens them."""
        session = self.session
        if session is None or not session.maker.opens_hands:
            return ""
        art, faces = GAMES[session.puzzle.game].module("art"), session.match.view(EVERYBODY).faces
        zones, shown = session.match.rules.zones(session.match.state), []
        for seat in range(session.match.rules.seats):
            held = [faces[card] for card in zones.get(("hand", str(seat)), ()) if card in faces]
            if seat == ME or not held:
                continue
            name = self.text("puzzle.open_hand", name=session.wording.seat(seat))
            width, height = art.VIEWBOX
            box = f"0 0 {width} {height}"
            shown.append(f"<span>{esc(name)}</span>" + "".join(
                tag("svg", art.front(face), viewBox=box, role="img", aria_label=phrase(self.words, *art.name(face)))
                for face in held))
        return "".join(shown)

    # ---- what happens ----

    def show(self) -> None:
        """Say what is asked now, or what the answer is worth."""
        self.say_words()
        words = self.shell.document.element("guide-words")
        words.scrollTop = 0
        self.shell.document.element("guide-acts").innerHTML = self.acts()
        words.tabIndex = 0 if words.scrollHeight > words.clientHeight else -1  # what scrolls must be reached by key
        assert self.session is not None
        state = "solved" if self.session.is_solved else "missed" if self.session.is_answered else "open"
        self.shell.document.element("guide").setAttribute("data-state", state)
        self.shell.document.element("table").setAttribute("data-state", state)
        self.show_hands()
        self.shell.document.repaint("puzzle-praise", self.praise())
        if state != "open":
            self.shell.document.focus("puzzle-on")

    def say_words(self) -> None:
        """Write what is asked now, or what the answer is worth, and have it said; nothing if it stands there."""
        words, now = self.shell.document.element("guide-words"), self.words_now()
        if words.textContent == now:
            return
        praised = self.standing() if self.session is not None and self.session.is_solved else ""
        self.shell.signals.read_aloud(" ".join(filter(None, (now, praised))))
        words.textContent = now

    def show_hands(self) -> None:
        self.shell.document.repaint("puzzle-hands", self.hands())

    def show_verdict(self) -> None:
        """An answer was given: it is kept, and said."""
        assert self.session is not None and self.session.verdict is not None
        progress = self.progress
        solved = self.session.verdict.is_best
        kept = progress.after_solving(self.day, self.today) if solved else progress.after_miss(self.day)
        self.shell.texts.keep(KEPT_AS, kept.to_json())
        self.show()
        if solved:
            self.celebrate()

    def share_line(self) -> str:
        """What is shared: how it went, nothing of the answer."""
        game, day = game_name(self.words, game_of(self.day)), self.shell.describe_day(self.day.isoformat())
        return self.text("puzzle.line", name=self.text("shell.name"), day=day, game=game,
                         stars="★" * stars_of(self.day), how=self.standing())

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        if do == "again" and self.session is not None:
            self.put_away()
            await self.lay_out()
            self.shell.document.focus_title()
        elif do == "share":
            line = self.share_line()
            done = await self.shell.document.share_words(line)
            if done == "copied":  # the button says so: a notice would push the table down, and what lies on it would be laid anew
                self.shell.document.repaint("puzzle-on", f'{icon("check")}<span>{esc(self.text("puzzle.is_copied"))}</span>')
                self.shell.notices.announce(self.text("puzzle.copied", line=line))
            elif done != "shared":
                self.shell.notices.say(self.text("puzzle.here", line=line))

    def put_away(self) -> None:
        if self.table is not None:
            self.table.close()
            self.table = None
        if self.session is not None:
            self.session.close()
            self.session = None

    def close(self) -> None:
        self._closed = True
        self.put_away()
