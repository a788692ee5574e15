"""The table's screen: a session on one side, a board's scenes on the other, and a player's taps in between.

It owns the draft of the turn being composed and the moment that is looked at; everything on the page is drawn
from those and the match, anew after each change. Nothing here waits for an animation, and a refused act changes
nothing but the line that says why.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, Final

import js

from tabletin.app.table.action_bar import Actions
from tabletin.app.table.announcer import Announcer
from tabletin.app.table.controls import TableControls
from tabletin.app.table.dom import Listeners, Node, button, closest_key, node, write
from tabletin.app.table.keyboard import Keys
from tabletin.app.table.pointer import Pointing
from tabletin.app.table.prompt import PromptLayer
from tabletin.app.table.replay_bar import ReplayBar
from tabletin.app.table.side_panel import SidePanel
from tabletin.app.table.stage import Stage
from tabletin.app.table.timeouts import Timeouts
from tabletin.app.table.updates import TableUpdates
from tabletin.app.table.viewpoint import Viewpoint
from tabletin.board.board import Board, Draft, Reply
from tabletin.board.scene import Control, Key, Layout, Point, Resting, Scene, Sight
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.schema import Move
from tabletin.registry import GAMES
from tabletin.words import Catalogue

ROOMY: Final = 56.0  # rem of text as it is set: from here on the log stands beside the table
LOOK: Final = "look"  # the control that opens what lies on the table


class TableScreen:
    """A match on the page inside ``root``, until ``close``: built, and ``lay`` draws it. ``session``: page.session.Session."""

    def __init__(self, root: Node, session: Any, words: Catalogue, settings: Any = None) -> None:
        self.session = session
        self.words = words
        self.settings = settings
        self.board: Board = GAMES[session.match.setup.game].module("board").board(session.match.setup.game)
        self.draft: Draft | None = None
        self._drafts: dict[int, Draft] = {}  # the last draft of each seat here
        self.looking = Viewpoint(session)
        self.scene = Scene()
        self.message = ""  # why the last thing was refused, or what a hint says
        self.message_wrong = False
        self.message_rule = ""
        self._line = ("", "")
        self._draft_for: tuple[int | None, int] = (None, -1)
        self._wires = Listeners()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._build(root)
        self._layout: Layout | None = None
        self._laid = False
        self.hearing = TableUpdates(self)

    def lay(self, moment: int | None = None) -> None:
        """Draw it for the first time. ``moment``: the entry to look at first (a replay begins at 0), None for now."""
        if moment is not None:
            self.looking.at = min(moment, len(self.session.match.entries) - 1)
        self._laid = True
        if self.wide and float(js.window.innerWidth) >= ROOMY * _rem():
            self.beside.show("log")
        self.draw(dealt=self._just_dealt())

    # ---- the page ----

    def _build(self, root: Node) -> None:
        say = self.words.text
        wires = self._wires
        self.root = root
        self.frame = node("div", "table-screen")
        bar = node("header", "table-bar")
        home = node("a", "bar-button home", "", href="#/", aria_label=say("table.bar.home"))
        home.append(node("span", "bar-glyph", "‹", aria_hidden="true"))
        self.status = node("h1", "status")
        bar.append(home, self.status)
        body = node("div", "table-body")
        main = node("div", "table-main")
        surface = node("div", "stage", role="group", tabindex="-1", aria_label=say("table.stage"))
        self.fit = button("fit", say("table.fit"), hidden="")
        own = node("div", "hand-actions")
        main.append(surface, own)
        self.own = Actions(own, wires, self.pressed, say("table.own_actions"))
        self.line = node("p", "note", role="status")
        own.append(self.line)
        wires.listen(self.line, "click", self._line_tapped)
        body.append(main)
        self.frame.append(bar, body)
        root.replaceChildren(self.frame)
        self.stage = Stage(surface, wires)
        self.stage.window.append(self.fit)
        self.asking = PromptLayer(main, wires, self.pressed)
        self.actions = Actions(main, wires, self.pressed, say("table.actions"))
        self.moments = ReplayBar(main, wires, self.words, self.look_at, self._look_through)
        self.beside = SidePanel(self, bar, body, wires)
        self.announcer = Announcer(self.frame, say("table.announcements"))
        self.offers = TableControls(self)
        self._lapsing = Timeouts(wires, self.pressed)
        self._pointing = Pointing(self.stage, self, wires)
        self._keys = Keys(self, wires)
        wires.listen(self.fit, "click", lambda _event: self.fit_view())
        wires.listen(surface, "click", self._seat_tapped)
        wires.observe_size(surface, self._resized)

    def close(self) -> None:
        """Leave the table: nothing here listens any more. The session stays open; it is not ours."""
        self.hearing.stop()
        for task in list(self._tasks):
            task.cancel()
        self._wires.cut()
        self.frame.remove()

    def leave(self, address: str) -> None:
        """Go to another page of the site."""
        js.location.hash = address

    @property
    def wide(self) -> bool:
        """Whether there is room for a panel beside the table."""
        return bool(js.window.matchMedia("(min-width: 64rem)").matches)

    def layout(self) -> Layout:
        """The room there is, measured when it has changed."""
        if self._layout is None:
            self._layout = self._measured()
        return self._layout

    def _measured(self) -> Layout:
        surface = self.stage.root
        touch = bool(js.window.matchMedia("(pointer: coarse)").matches)
        return Layout(max(240.0, float(surface.clientWidth)), max(240.0, float(surface.clientHeight)), _rem(), touch)

    def _resized(self) -> None:
        measured = self._measured()
        if self._laid and measured != self._layout:
            self._layout = measured
            self.draw(still=True)

    # ---- drawing ----

    def sight(self) -> Sight:
        """What is looked at, and through whose eyes."""
        return self.looking.sight(self.layout())

    def draw(self, *, dealt: bool = False, still: bool = False) -> None:
        """Draw everything as it is now. ``dealt``: as a table that has just been dealt."""
        if not self._laid:
            return
        sight = self.sight()
        had_focus = bool(self.frame.contains(js.document.activeElement))
        self._keep_draft(sight)
        scene = self.board.scene(sight, self.draft)
        self.scene = scene
        self.stage.show(scene, deal_from=_pile(scene) if dealt else None, still=still)
        if self.stage.own_camera and self.stage.places_out_of_view():
            self.stage.fit()
        self._draw_words(sight, scene)
        self.stage.set_off()
        if had_focus and js.document.activeElement == js.document.body:  # what had it is gone
            self.stage.take_focus()

    def _keep_draft(self, sight: Sight) -> None:
        """The draft belongs to one seat at one entry: another turn begins an empty one, or goes on with what was left."""
        belongs = (sight.seat if sight.may_act and self.session.owner else None, len(self.session.match.entries))
        if belongs != self._draft_for:
            self._draft_for = belongs
            self.draft = None if belongs[0] is None else self._draft_of(belongs[0], sight)
            self.looking.opened = self.looking.opened and self.draft is None

    def _draft_of(self, seat: int, sight: Sight) -> Draft:
        """The draft that ``seat`` left if it still holds, else an empty one."""
        left = self._drafts.get(seat)
        self._drafts[seat] = left if left is not None and left.renew(sight) else self.board.draft(sight)
        return self._drafts[seat]

    def _draw_words(self, sight: Sight, scene: Scene) -> None:
        write(self.status, self.offers.status(sight, scene))
        self.frame.classList.toggle("my-turn", sight.may_act)
        self.frame.classList.toggle("replaying", sight.past)
        note = self.message or scene.note
        self._write_line(note)
        self.line.classList.toggle("wrong", self.message_wrong if self.message else scene.warning)
        question = self.offers.question(sight, scene)
        new = self.asking.show(question, scene.hand, "cover" if question and question.key == "cover" else "")
        if new and question is not None and question.seconds is not None:  # it would lapse unseen
            self.beside.put_sheet_away()
        self.own.show([] if sight.past else self.offers.own(sight))
        controls = () if sight.past else self.offers.ending() or scene.controls
        self.actions.show(controls)
        self._lapsing.watch(None if question is None or question is not scene.prompt else question, controls)
        self._draw_moments()
        if new and self._had_focus():
            self.asking.focus()
        if self.stage.own_camera == self.fit.hasAttribute("hidden"):
            self.fit.toggleAttribute("hidden", not self.stage.own_camera)
        if self.beside.open:
            self.beside.fill()

    def _draw_moments(self) -> None:
        looking, say = self.looking, self.words.text
        if looking.at is None:
            self.moments.hide()
            return
        told = looking.words(say("table.past.start"))
        eyes = looking.choices(say("table.past.own"), say("table.past.all"))
        self.moments.show(looking.stops(), looking.at, told, eyes, looking.eyes)
        self.say(told)

    def _had_focus(self) -> bool:
        active = js.document.activeElement
        return active is None or active == js.document.body or bool(self.frame.contains(active))

    def _just_dealt(self) -> bool:
        kinds = {entry.statement.kind for entry in self.session.match.entries[1:]}
        return kinds <= {"deal"} and self.looking.at is None

    # ---- what the player did (Hands) ----

    def tapped(self, key: Key, *, keyboard: bool = False) -> None:
        """Somebody tapped a piece or a place."""
        if self.draft is not None:
            self._after(self.draft.tap(key), keyboard=keyboard)

    def picked(self, key: Key) -> None:
        if self.draft is not None:
            self.draft.pick(key)
            self.say_nothing()
            self.draw()

    def dropped(self, key: Key, spot: Key) -> None:
        if self.draft is not None:
            self._after(self.draft.drop(key, spot))

    def missed(self, key: Key, point: Point, *, plane: bool) -> None:
        if self.draft is not None:
            self._after(self.draft.miss(key, point, plane=plane))

    def moved_view(self) -> None:
        self.fit.toggleAttribute("hidden", not self.stage.own_camera)

    def fit_view(self) -> None:
        """See all of the plane again."""
        had_focus = js.document.activeElement == self.fit
        self.stage.fit()
        self.moved_view()
        if had_focus and self.stage.current:
            self.stage.focus(self.stage.current)

    def back(self) -> bool:
        """Take the last tentative step back."""
        if self.draft is None or not self.draft.back():
            return False
        self.say_nothing()
        self._redraw_after(keyboard=True)
        return True

    def pressed(self, control: Control) -> None:
        """Somebody pressed a button."""
        if control.why:
            self.say(control.why, wrong=True)
        elif control.moves:
            self.do(self._each(control.moves))
        elif control.move is not None and control.seat is not None:
            self.do(self.session.move(control.seat, control.move))
        elif self.offers.pressed(control):
            return
        elif self.draft is not None:
            self._after(self.draft.tap(control.key), keyboard=self._keys.used)
        elif control.key == LOOK:
            self.looking.opened = not self.looking.opened
            self.draw()

    def pressed_beside(self, control: Control) -> None:
        self.offers.pressed(control)

    async def _each(self, moves: Iterable[tuple[int, Move]]) -> None:
        for seat, move in moves:
            await self.session.move(seat, move)

    def _after(self, reply: Reply, *, keyboard: bool = False) -> None:
        if isinstance(reply, Refusal):
            self.draw()
            self.refuse(reply)
        elif reply is not None:
            seat = self.looking.seat()
            assert seat is not None
            self.do(self.session.move(seat, reply))
        else:
            self.say_nothing()
            self._redraw_after(keyboard=keyboard)

    def _redraw_after(self, *, keyboard: bool) -> None:
        before = self.scene.focus
        self.draw()
        if keyboard and self.scene.focus != before and not self.stage.focus(self.scene.focus):
            self.actions.focus_primary()

    def do(self, act: Coroutine[Any, Any, Any]) -> None:
        """Run what may be refused; say why if it is."""
        task = asyncio.ensure_future(self._doing(act))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _doing(self, act: Coroutine[Any, Any, Any]) -> None:
        self.say_nothing()
        try:
            await act
        except Refused as refused:
            self.draw()
            self.refuse(refused.refusal)

    # ---- one sentence beside the hand ----

    def refuse(self, refusal: Refusal) -> None:
        self.say(self.session.wording.refusal(refusal), wrong=True, rule=refusal.rule)

    def say(self, sentence: str, *, wrong: bool = False, rule: str = "") -> None:
        """Show ``sentence`` beside the hand until something else happens; ``rule``: the rulebook's point behind it."""
        self.message, self.message_wrong, self.message_rule = sentence, wrong, rule
        self._write_line(sentence)
        self.line.classList.toggle("wrong", wrong)

    def say_nothing(self) -> None:
        self.message, self.message_wrong, self.message_rule = "", False, ""

    def _write_line(self, words: str) -> None:
        rule = self.message_rule if words == self.message else ""
        if self._line == (words, rule):
            return
        self._line = words, rule
        self.line.textContent = words
        if rule:
            self.line.append(" ", button("rule", self.words.text("table.rule"), data_rule=rule))

    def _line_tapped(self, event: Any) -> None:
        rule = event.target.closest("[data-rule]")
        if rule:
            self.beside.read_rules(str(rule.dataset.rule))

    # ---- looking back ----

    def look_at(self, index: int | None) -> None:
        self.looking.at = index
        self.say_nothing()
        if index is not None and not self.wide:
            self.beside.close()
        self.draw()

    def _look_through(self, eyes: str) -> None:
        self.looking.eyes = eyes
        self.draw()

    def _seat_tapped(self, event: Any) -> None:
        """What lies before a seat can be read: opened by a tap on its plate, where the game has that."""
        plate = event.target.closest(".plate")
        seat = next((plate_.seat for plate_ in self.scene.plates if plate and plate_.key == closest_key(plate)), None)
        if seat is not None:
            self.beside.read_seat(seat)


def _pile(scene: Scene) -> Resting | None:
    """Where a deal comes from: the largest heap there is."""
    return max(scene.resting, key=lambda rest: len(rest.keys), default=None)


def _rem() -> float:
    """One rem in px."""
    return float(js.window.getComputedStyle(js.document.documentElement).fontSize.removesuffix("px"))
