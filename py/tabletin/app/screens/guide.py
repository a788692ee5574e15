"""The screen of a first-play guide: what to do stands above the real table, and a finger points at where.

It paints the words and passes on taps. The script is in ``board/guide``, the session and the pointing in
``session/guided_session``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from tabletin.app.routes import Route, address
from tabletin.app.session.guided_session import GuidedSession, PointingBoard
from tabletin.app.ui.html import bar, button, esc, game_key, game_name, link, tag, trouble
from tabletin.app.ui.screen import Screen
from tabletin.board.guide import KNOWN, ME, guide_for, known_as
from tabletin.board.scene import Key
from tabletin.kernel.match import Happening


class GuideScreen(Screen):
    """``#/iota/guide``."""

    session: GuidedSession | None = None
    table: Any = None
    _shown = ""
    _pointed: Key = ""  # what the keyboard was brought to

    async def open(self) -> None:
        game = self.route.subject
        guide = guide_for(game)
        title = self.text("guide.title", game=game_name(self.words, game))
        if guide is None:
            way_out = link(self.text("newmatch.play"), address(game, "new"), look="primary")
            self.shell.document.paint(bar(self.words, title) + trouble(self.words, self.text("guide.none"), way_out), title)
            return
        shell = self.shell
        self.session = await GuidedSession.begin_guide(guide, self.words, lambda: shell.settings.seconds, shell.notices.say)
        shell.document.paint(self.page(title), title)  # its words follow, so that they are spoken
        self.seat_table(guide.game)
        self.session.on_change(self.match_changed)
        self.show()

    def seat_table(self, game: str) -> None:
        """The table itself, with somebody who points."""
        from tabletin.app.table.screen import TableScreen
        assert self.session is not None
        table = TableScreen(self.shell.document.element("table"), self.session, self.words, self.shell.signals)
        table.board = PointingBoard(table.board, self.session.guiding, self.on_drawn)  # before the first draft is made
        table.lay()
        if table.panel.open:
            table.panel.toggle(table.panel.open)
        self.table = table
        self.session.on_refused = self.empty_draft
        table.draw()

    # ---- parts ----

    def page(self, title: str, words: str = "") -> str:
        """The whole screen with an empty table: ``words`` above it, and the acts of the step."""
        return (f'<section id="guide" class="guide" aria-label="{esc(title)}"><h1 class="unseen" tabindex="-1">'
                f'{esc(title)}</h1><p id="guide-words" class="guide-words" role="status">{esc(words)}</p>'
                f'<div id="guide-acts" class="guide-acts">{self.acts()}</div></section>'
                f'<div id="table" class="guided"></div>')

    def sentence_now(self) -> str:
        """The words of the step."""
        assert self.session is not None
        guiding = self.session.guiding
        if guiding.over:
            return self.text("guide.over_now")
        name = self.session.match.setup.seats[ME + 1].name
        return self.text(game_key(self.words, guiding.guide.game, f"guide.{guiding.words}"), name=name)

    def acts(self) -> str:
        """How far one is, and the ways on and out."""
        assert self.session is not None
        guiding, game = self.session.guiding, self.route.subject
        if guiding.over:
            return (button(self.text("guide.again"), "again", look="quiet", picture="rotate-ccw", id="guide-again")
                    + link(self.text("guide.play"), address(game, "new"), look="primary", picture="play",
                           id="guide-on"))
        at, of = guiding.place
        far = tag("span", esc(self.text("guide.place", n=at, of=of)), class_="guide-place")
        on = button(self.text("guide.go_on"), "go_on", look="primary", id="guide-on") if guiding.reading else ""
        return far + button(self.text("guide.skip"), "skip", look="quiet", id="guide-skip") + on

    def show(self) -> None:
        """Say what is to be done now; the keyboard goes to where it is done."""
        session = self.session
        if session is None or self.table is None:
            return
        guiding = session.guiding
        now = f"{guiding.index} {self.sentence_now()}"
        if now == self._shown or (self._shown and self.is_early()):
            return
        self._shown = now
        words = self.shell.document.element("guide-words")
        if words.textContent != self.sentence_now():
            self.shell.signals.read_aloud(self.sentence_now())
            words.textContent = self.sentence_now()
            words.scrollTop = 0
        self.shell.document.element("guide-acts").innerHTML = self.acts()
        words.tabIndex = 0 if words.scrollHeight > words.clientHeight else -1  # what scrolls must be reached by key
        if guiding.over:
            self.shell.texts.keep(known_as(self.route.subject), KNOWN)
        if guiding.reading or guiding.over:
            self._pointed = ""
            self.shell.document.focus("guide-on")

    def is_early(self) -> bool:
        """Whether the step asks for the learner's move while the table still shows what others did."""
        assert self.session is not None
        guiding = self.session.guiding
        step = guiding.step
        return step is not None and bool(step.do) and step.seat == ME and not guiding.astray and not self.table.board.is_my_turn

    # ---- what happens ----

    def empty_draft(self) -> None:
        """Everything that was tried out goes back to the hand."""
        if self.table is not None and self.table.draft is not None:
            self.table.draft.undo()

    def match_changed(self, happenings: Sequence[Happening]) -> None:
        self.show()

    def on_drawn(self) -> None:
        """A scene is being drawn: point at buttons, which have no place in a scene, once it is there."""
        asyncio.get_event_loop().call_soon(self.point)

    def point(self) -> None:
        """The button pointed at stands out; the keyboard goes along with the pointer."""
        if self.table is None:
            return
        self.show()
        key = self.table.board.key
        pointed = None
        for element in self.table.frame.querySelectorAll("button[data-key]"):
            here = bool(key) and element.getAttribute("data-key") == key
            element.classList.toggle("is-pointed", here)
            pointed = element if here else pointed
        if key != self._pointed and key and not self.table.stage.hand_key:
            if pointed is not None:
                pointed.focus()
            else:
                self.table.stage.focus(key)
        self._pointed = key
        now = f"{self.session.guiding.index} {key}" if self.session else ""
        self.shell.document.element("guide").setAttribute("data-now", now)

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        assert self.session is not None
        if do == "go_on":
            self.session.go_on()
            self.table.note.clear()
            self.table.draw()
            self.show()
        elif do == "skip":
            self.shell.texts.keep(known_as(self.route.subject), KNOWN)
            self.shell.go(address(self.route.subject, "new"))
        elif do == "again":
            self.close()
            self._shown = self._pointed = ""
            await self.open()

    def stays_for(self, route: Route) -> bool:
        return False

    def close(self) -> None:
        if self.table is not None:
            self.table.close()
            self.table = None
        if self.session is not None:
            self.session.close()
            self.session = None
