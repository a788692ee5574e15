"""The table's screen: a session on one side, a board's scenes on the other, and a player's taps in between.

It owns the draft of the turn being composed and the moment that is looked at. Everything on the page is drawn from those and
the match, anew after each change. Nothing here waits for an animation, and a refused act changes nothing but the note that
says why.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, Final

import js

from tabletin.app.session.session import MatchSession
from tabletin.app.table.announcer import Announcer
from tabletin.app.table.buttons import ActionBar, PromptLayer
from tabletin.app.table.controls import TableControls
from tabletin.app.table.dom import Listeners, Node, begun_since, button, closest_key, node, write
from tabletin.app.table.double_tap import DoubleTap
from tabletin.app.table.hurry_tip import HurryTip
from tabletin.app.table.keyboard import Keyboard
from tabletin.app.table.last_move import BY_ITSELF, last_move
from tabletin.app.table.letter_size import letter_size
from tabletin.app.table.narration import Narration, NarrationLine
from tabletin.app.table.note import Note
from tabletin.app.table.pointer import Pointer
from tabletin.app.table.presentation import Presentation
from tabletin.app.table.read_aloud import ReadAloud
from tabletin.app.table.recap import recap
from tabletin.app.table.recap_sheet import RecapSheet
from tabletin.app.table.replay_bar import ReplayBar
from tabletin.app.table.side_panel import SidePanel
from tabletin.app.table.sounds import ERROR
from tabletin.app.table.stage import Stage
from tabletin.app.table.timeouts import Timeouts
from tabletin.app.table.updates import TableUpdates
from tabletin.app.table.viewpoint import Viewpoint
from tabletin.app.ui.signals import SILENT, Signals
from tabletin.board.board import Board, Draft, Reply
from tabletin.board.reading_order import with_news
from tabletin.board.scene import Control, Heap, Key, Layout, Point, Scene, Sight, card_of
from tabletin.kernel.log import Hash
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.requests import ALL
from tabletin.kernel.schema import Move
from tabletin.registry import GAMES
from tabletin.words import Catalogue

ROOMY: Final = 56.0  # rem of text as it is set: from here on the log stands beside the table
LOOK: Final = "look"  # the control that opens what lies on the table
SEATS_CLEAR: Final = 6.0  # px between the seats and what is retold
NO_TIPS: Final[tuple[int, Callable[[int], None]]] = 0, lambda left: None
GUARD: Final = 0.4  # seconds in which a button that turned into another one takes no tap, where the pace allows


class TableScreen:
    """The match of ``session`` on the page inside ``root``, until ``close``. It is built first; ``lay`` draws it.
    ``hurry_tips``: how often it may be said here that a tap hurries, and what keeps how often it still may."""

    def __init__(self, root: Node, session: MatchSession, words: Catalogue,
                 signals: Signals = SILENT, hurry_tips: tuple[int, Callable[[int], None]] = NO_TIPS) -> None:
        self.session = session
        self.words = words
        self._signals = signals
        self.board: Board = GAMES[session.match.setup.game].module("board").board(session.match.setup.game)
        self.draft: Draft | None = None
        self._drafts: dict[int, Draft] = {}  # the last draft of each seat here
        self._draft_place: tuple[int | None, Hash] = (None, "")  # the seat and the entry that the draft belongs to
        self.viewpoint = Viewpoint(session, begun_since)
        self.viewpoint.opens_hands, self.viewpoint.past_cards = self.board.opens_hands, self.board.past_cards
        self.narration = Narration(session.match)
        self._recap: tuple[object, list[NarrationLine]] = (None, [])  # what it was read from, and its lines
        self.scene = Scene()
        self._listeners = Listeners()
        self._hurry_tip = HurryTip(self._listeners, lambda: self._write_note(self.sight(), self.scene), *hurry_tips)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._layout: Layout | None = None
        self._is_laid = False
        self._build(root)
        self.updates = TableUpdates(self, self.announcer, self.panel)

    def lay(self, moment: int | None = None) -> None:
        """Draw it for the first time. ``moment``: the entry to look at first (a replay begins at 0), None for now."""
        if moment is not None:
            self.viewpoint.index = min(moment, len(self.session.match.entries) - 1)
        self._is_laid = True
        if self.wide and float(js.window.innerWidth) >= ROOMY * _rem():
            self.panel.show("log")
        self.draw(dealt=self._is_just_dealt())

    def close(self) -> None:
        """Leave the table: nothing here listens any more. The session stays open; it is not ours."""
        self.updates.stop()
        for task in list(self._tasks):
            task.cancel()
        self._listeners.cut()
        self._signals.hush()
        self.frame.remove()

    # ---- the page ----

    def _build(self, root: Node) -> None:
        say, listeners = self.words.text, self._listeners
        self.root = root
        self.frame = node("div", "table-screen")
        self.frame.classList.toggle("one-way", self.session.match.rules.random_delay > 0)  # where nothing is ever taken back
        bar = node("header", "table-bar")
        home = node("a", "bar-button home", "", href="#/", aria_label=say("table.bar.home"))
        home.append(node("span", "bar-glyph", "‹", aria_hidden="true"))
        self.status = node("h1", "status")
        status = node("div", "status-box")
        status.append(self.status)
        bar.append(home, status)
        body = node("div", "table-body")
        main = node("div", "table-main")
        surface = node("div", "stage", role="group", tabindex="-1", aria_label=say("table.stage"))
        self.fit = button("fit", say("table.fit"), hidden="")
        foot, own = node("div", "table-foot"), node("div", "hand-actions")
        main.append(surface)
        self.prompt = PromptLayer(main, listeners, self._pressed)
        main.append(foot)
        foot.append(own)
        self.own_actions = ActionBar(own, listeners, self._pressed, say("table.own_actions"), self._guard)
        self.note = Note(own, listeners, self.words, lambda rule: self.panel.read_rules(rule),
                         lambda sentence: self.announcer.interject(sentence), self._size_of_note)
        body.append(main)
        self.frame.append(bar, body)
        root.replaceChildren(self.frame)
        self.stage = Stage(surface, listeners)
        self.presentation = Presentation(self, listeners, self._signals)
        self.stage.window.append(self.fit)
        self.actions = ActionBar(foot, listeners, self._pressed, say("table.actions"), self._guard)
        self.replay_bar = ReplayBar(main, listeners, self.words, self.look_at, self._look_through)
        self.panel = SidePanel(self, bar, body, listeners)
        self.announcer = Announcer(self.frame, listeners, say("table.announcements"), self._signals.read_aloud)
        self._read_aloud = ReadAloud(self._signals, self.words)
        self.recap = RecapSheet(status, main, listeners, self.words, self.take_focus, self._read_aloud.read_tapped)
        self.controls = TableControls(self)
        self._timeouts = Timeouts(listeners, self._lapse)
        self._double_tap = DoubleTap(self.frame, listeners, self._guard)
        self._pointer = Pointer(self.stage, self, listeners)
        self._keyboard = Keyboard(self, listeners)
        listeners.listen(self.fit, "click", lambda _event: self.fit_view())
        listeners.listen(surface, "click", self._table_tapped)
        listeners.observe_size(surface, self._resized)

    def leave(self, address: str) -> None:
        """Go to another page of the site."""
        js.location.hash = address

    def _size_of_note(self, letters: int) -> str:
        layout = self.layout()
        return letter_size(letters, layout.width / layout.rem)

    @property
    def wide(self) -> bool:
        """Whether there is space for a panel beside the table."""
        return bool(js.window.matchMedia("(min-width: 64rem)").matches)

    def layout(self) -> Layout:
        """The space there is, measured when it has changed."""
        if self._layout is None:
            self._layout = self._measured()
        return self._layout

    def _measured(self) -> Layout:
        surface = self.stage.root
        touch = bool(js.window.matchMedia("(pointer: coarse)").matches)
        return Layout(max(240.0, float(surface.clientWidth)), max(240.0, float(surface.clientHeight)), _rem(), touch)

    def _resized(self) -> None:
        if self._is_laid:
            self.panel.follow_width()
        measured = self._measured()
        if self._is_laid and measured != self._layout:
            self._layout = measured
            self.draw(still=True)

    # ---- drawing ----

    def sight(self) -> Sight:
        """What is looked at, and through whose eyes."""
        return self.viewpoint.sight(self.layout())

    def draw(self, *, dealt: bool = False, counting: bool = False, still: bool = False) -> None:
        """Draw everything as it is now. ``dealt``: as a table that has just been dealt; ``counting``: what is opened to be
        counted comes piece by piece; ``still``: without motion."""
        if not self._is_laid:
            return
        sight = self.sight()
        had_focus = bool(self.frame.contains(js.document.activeElement))
        self._choose_draft(sight)
        scene = self._trial_scene(sight) if sight.past and self.viewpoint.trial is not None else \
            self.controls.hints.light(self.board.scene(sight, self.draft))
        scene = with_news(self.presentation.until_landed(sight, scene), lambda label: self.words.text("table.news", piece=label))
        self.scene = scene
        self.stage.show(scene, deal_from=_pile(scene) if dealt else None, one_by_one=counting, still=still)
        if self.stage.own_camera and self.stage.places_out_of_view():
            self.stage.fit()
        self._draw_words(sight, scene)
        self.stage.set_off()
        self.presentation.follow_scene()
        if had_focus and js.document.activeElement == js.document.body:  # what had it is gone
            self.stage.take_focus()
        if not self.updates.is_speaking:
            self._ask(sight)

    def ask(self, *, anew: bool = False) -> None:
        """Say what is asked now; ``anew``: a turn is over since it was said last."""
        if anew:
            self.announcer.ask_anew()
        self._ask(self.sight())

    def _ask(self, sight: Sight) -> None:
        """Say whose turn it is if it is the reader's, or how the match ended; what stands beside the hand; and what leads on."""
        is_over = self.session.match.outcome is not None
        is_asked = self.controls.asks(sight)
        if is_asked:
            note = None if self.note.sentence else self.scene.note
            self.announcer.ask(self.controls.status(sight, self.scene), note, is_over=is_over)
        self._read_aloud.offer(self.actions.controls if is_asked else (), self.prompt.prompt)

    def _trial_scene(self, sight: Sight) -> Scene:
        """An earlier moment with another turn laid out than the one that was made. Nobody can act in it."""
        then = replace(sight, past=False)
        if not then.may_act or self.viewpoint.trial is None:
            return self.board.scene(sight, None)
        draft = self.board.draft(then)
        draft.compose(self.viewpoint.trial)
        return replace(self.board.scene(then, draft), prompt=None)

    def _choose_draft(self, sight: Sight) -> None:
        """The draft belongs to one seat at one entry: another turn begins an empty one, or goes on with the seat's last."""
        place = (sight.seat if sight.may_act and self.session.owner else None, self.session.match.head)
        if place != self._draft_place:
            self._draft_place = place
            self.draft = None if place[0] is None else self._draft_of(place[0], sight)
            self.viewpoint.opened = self.viewpoint.opened and self.draft is None

    def _draft_of(self, seat: int, sight: Sight) -> Draft:
        """The last draft of ``seat`` if it still holds, else an empty one."""
        last = self._drafts.get(seat)
        self._drafts[seat] = last if last is not None and last.renew(sight) else self.board.draft(sight)
        return self._drafts[seat]

    def _draw_words(self, sight: Sight, scene: Scene) -> None:
        self._write_status(sight, scene)
        is_asked = sight.may_act and not (sight.past or sight.idle or self.controls.is_forced(sight))
        self.recap.show(self.since_turn() if is_asked else (), _below_seats(scene, sight.layout))
        self.frame.classList.toggle("my-turn", sight.may_act and not sight.idle)
        self.frame.classList.toggle("replaying", sight.past)
        self.frame.classList.toggle("paused", self.session.is_paused)
        question = self.controls.question(sight, scene)
        if question is None and self.prompt.prompt is not None:
            self.actions.settle()
            self.own_actions.settle()
        is_new = self.prompt.show(question, scene.hand, "cover" if question and question.key == "cover" else "")
        if is_new and question is not None and question.seconds is not None:  # it would lapse unseen
            self.panel.put_sheet_away()
        own = [] if sight.past else self.controls.own(sight)
        self.own_actions.show(own, is_news=self.presentation.is_news)
        self._hurry_tip.watch(waits=question is None and not (is_asked or sight.past) and self._shows_bots())
        self._write_note(sight, scene)
        controls = () if sight.past else self.controls.ending(sight) or self.controls.choices(sight, scene)
        self.actions.show(controls, is_news=self.presentation.is_news)
        self.frame.classList.toggle("undoable", any(control.key == "undo" for control in own))
        self.frame.classList.toggle("several", len(controls) > 1)
        self._timeouts.watch(None if question is None or question is not scene.prompt else question, controls)
        self._draw_replay_bar()
        if is_new and self._has_focus():
            self.prompt.focus()
        if self.stage.shows_part == self.fit.hasAttribute("hidden"):
            self.on_view_moved()
        self.panel.fill()

    def _write_status(self, sight: Sight, scene: Scene) -> None:
        """Whose turn it is. The reader's own is said to somebody who looks at another page."""
        status = self.controls.status(sight, scene)
        if status != self.status.textContent and sight.may_act and not (sight.past or sight.idle):
            self._signals.notice_turn(status)
        write(self.status, status)

    def _write_note(self, sight: Sight, scene: Scene) -> None:
        """What stands beside the hand."""
        words = scene.note if sight.past else self.controls.note(sight, scene)
        tip = self.words.text("table.hurry" if sight.layout.touch else "table.hurry_click") if self._hurry_tip.is_shown else ""
        self.note.show(words or tip, warning=scene.warning)

    def _shows_bots(self) -> bool:
        """Whether bots play, one after another, as long as it takes to look at that."""
        session = self.session
        match = session.match
        return bool(session.context.pace()) and not (session.among_peers or match.rules.random_delay) \
            and match.outcome is None and any(seat.is_bot for seat in match.setup.seats)

    def since_turn(self) -> list[NarrationLine]:
        """What happened since the last turn of the seat whose hand lies open, retold. Nothing in a puzzle, which has one turn,
        nor where speed counts: there nobody looks away."""
        session, seat = self.session, self.viewpoint.seat()
        match = session.match
        if seat is None or not session.gives_help or match.rules.random_delay:
            return []
        now = seat, match.head, self.narration.last, session.readers
        if self._recap[0] != now:
            is_forced = partial(session.forced_moves.was_made, seat)
            self._recap = now, recap(self.narration, seat, session.wording, session.readers, is_forced)
        return self._recap[1]

    def put_recap_away(self) -> None:
        """What happened stands in a panel now."""
        self.recap.put_away()

    def turn_mark(self) -> int | None:
        """The first entry that the seat whose hand lies open may have missed since its last turn; None if there is none."""
        retold, seat, session = self.since_turn(), self.viewpoint.seat(), self.session
        if not retold or seat is None:
            return None
        if last_move(session.match, seat, BY_ITSELF, partial(session.forced_moves.was_made, seat)) is None:
            return None
        return retold[0].index

    def _draw_replay_bar(self) -> None:
        viewpoint, text = self.viewpoint, self.words.text
        if viewpoint.index is None:
            self.replay_bar.hide()
            return
        sentence = viewpoint.words(text("table.past.start"))
        eyes = viewpoint.choices(text("table.past.own"), text("table.past.all"))
        self.replay_bar.show(viewpoint.stops(), viewpoint.index, sentence, eyes, viewpoint.eyes)
        self.note.say(sentence)

    def _has_focus(self) -> bool:
        active = js.document.activeElement
        return active is None or active == js.document.body or bool(self.frame.contains(active))

    def _is_just_dealt(self) -> bool:
        kinds = {entry.statement.kind for entry in self.session.match.entries[1:]}
        return kinds <= {"deal"} and self.viewpoint.index is None

    # ---- what happened in the match (UpdatesHost) ----

    def show_news(self) -> None:
        """Draw the table with all that has happened, then have it said."""
        events = self.updates.take()
        if any(event.reader == ALL for event in events):
            self.note.clear()
        self.presentation.show(events)
        self.updates.follow()

    # ---- one thing after another (PresentationHost) ----

    @property
    def status_text(self) -> str:
        """What stands over the table."""
        return str(self.status.textContent)

    @property
    def landing_note(self) -> str:
        """What is on its way, in a few words."""
        return self.presentation.note

    @property
    def act_note(self) -> str:
        """What another seat has just done, in words of its own."""
        return self.presentation.act

    @property
    def gist_note(self) -> str:
        """What came of that."""
        return self.presentation.gist

    def write_status(self) -> None:
        """Write what stands over the table anew."""
        self._write_status(self.sight(), self.scene)

    def hold_news(self, seconds: float) -> None:
        """What happens elsewhere is drawn in so many seconds, unless somebody acts here."""
        self.updates.hold(seconds)

    def write_log(self) -> None:
        """Write on the log in words, and say what waited with it."""
        self.panel.write_log()
        self.updates.follow()

    def lead_on(self) -> None:
        """The match is over: keys go to the button that leads on."""
        if self._has_focus():
            self.focus_confirm()

    def hurry(self, *, by_pointer: bool = True) -> None:
        """The player has seen what there was to see: what comes next comes now. By a pointer, what is no choice, too."""
        if by_pointer:
            self._hurry_tip.hurry()
        self.presentation.hurry()
        self.updates.release()
        seat = self.viewpoint.seat()
        chooses = seat is not None and self._chooses(seat)
        if not chooses and (by_pointer or seat not in self.session.acting):
            self.session.pacing.hurry()

    def _chooses(self, seat: int) -> bool:
        """Whether something is asked of ``seat``."""
        by_itself = self.session.forced_moves
        return seat in self.session.acting and by_itself.move_of(seat) is None and by_itself.idle_of(seat) is None

    def _guard(self) -> float:
        """Seconds in which a button that turned into another one takes no tap."""
        return min(GUARD, self.session.context.pace())

    # ---- what the player did (Hands) ----

    def tap(self, key: Key, *, keyboard: bool = False) -> None:
        """The player taps a piece or a place."""
        self.controls.play_on()
        if self.draft is not None:
            self._read_card(key)
            self._after(self.draft.tap(key), keyboard=keyboard)
        elif key == LOOK:
            self._look_inside()

    def pick(self, key: Key) -> None:
        """The player begins to carry a piece."""
        self.controls.play_on()
        if self.draft is not None:
            self._read_card(key)
            self.draft.pick(key)
            self.note.clear()
            self.draw()

    def drop(self, key: Key, spot: Key) -> None:
        """The player lets go of a piece over a place."""
        if self.draft is not None:
            self._after(self.draft.drop(key, spot))

    def miss(self, key: Key, point: Point, *, plane: bool) -> None:
        """The player lets go of a piece at ``point``, where no place is."""
        if self.draft is not None:
            self._after(self.draft.miss(key, point, plane=plane))

    def on_view_moved(self) -> None:
        """The player moved the view, or it fits again: the button that fits it comes and goes."""
        self.fit.toggleAttribute("hidden", not self.stage.shows_part)

    def fit_view(self) -> None:
        """See all of the plane again."""
        had_focus = js.document.activeElement == self.fit
        self.stage.fit()
        self.on_view_moved()
        if had_focus and self.stage.current:
            self.stage.focus(self.stage.current)

    def take_focus(self) -> None:
        """The keyboard goes to the table."""
        self.stage.take_focus()

    def step_back(self) -> bool:
        """Take the last tentative step back."""
        if self.draft is None or not self.draft.step_back():
            return False
        self.note.clear()
        self._redraw_after(keyboard=True)
        return True

    def _read_card(self, key: Key) -> None:
        """A card that is seen was taken in hand: its name is read to who wants that."""
        card = card_of(key)
        if card is not None and self._read_aloud.is_wanted:
            faces = self.sight().view.faces
            self._read_aloud.read_tapped(self.session.wording.card(card, faces) if card in faces else "")

    def _pressed(self, control: Control) -> None:
        """A finger or a key meets a button. The primary one was read when it came."""
        if not (control.primary or control.why):
            self._read_aloud.read_tapped(control.label)
        self.press(control)

    def press(self, control: Control) -> None:
        """The player presses a button."""
        if control.why:
            self.note.say(control.why, wrong=True)
        elif control.moves:
            self.do(self._move_each(control.moves))
        elif control.move is not None and control.seat is not None:
            self.do(self.session.move(control.seat, control.move))
        elif self.controls.press(control):
            return
        elif self.draft is not None:
            self._after(self.draft.tap(control.key), keyboard=self._keyboard.is_used)
        elif control.key == LOOK:
            self._look_inside()

    def _look_inside(self) -> None:
        """What lies on the table is opened for a look, or closed again."""
        self.viewpoint.opened = not self.viewpoint.opened
        self.draw()

    def _lapse(self, control: Control) -> None:
        """The time of ``control`` has passed: if its button is another one now, the finger on its way meant the old one."""
        before = self.actions.labels
        self.press(control)
        if self.actions.labels != before:
            self.actions.settle()

    def extra_controls(self) -> list[Control]:
        """What else can be done with the match."""
        return self.controls.extra_controls()

    def press_more(self, control: Control) -> None:
        """One of ``extra_controls`` was pressed."""
        self.controls.press(control)

    async def _move_each(self, moves: Iterable[tuple[int, Move]]) -> None:
        for seat, move in moves:
            await self.session.move(seat, move)

    def _after(self, reply: Reply, *, keyboard: bool = False) -> None:
        if isinstance(reply, Refusal):
            self.draw()
            self.refuse(reply)
        elif reply is not None:
            seat = self.viewpoint.seat()
            assert seat is not None
            self.do(self.session.move(seat, reply))
        else:
            self.note.clear()
            self._redraw_after(keyboard=keyboard)

    def _redraw_after(self, *, keyboard: bool) -> None:
        before = self.scene.focus
        self.draw()
        if keyboard and self.scene.focus != before and not self.stage.focus(self.scene.focus):
            self.actions.focus_primary()

    def focus_confirm(self) -> None:
        """The turn is laid out, or the match is over: keys go to the button that leads on."""
        if self._keyboard.is_used:
            self.actions.focus_primary()

    def do(self, act: Coroutine[Any, Any, Any]) -> None:
        """Run what may be refused; say why if it is."""
        task = asyncio.ensure_future(self._doing(act))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _doing(self, act: Coroutine[Any, Any, Any]) -> None:
        self.note.clear()
        try:
            await act
        except Refused as refused:
            self.draw()
            self.refuse(refused.refusal)
        else:
            if self.updates.is_due:
                self.show_news()

    def refuse(self, refusal: Refusal) -> None:
        """Say why something was refused."""
        self.note.say(self.session.wording.refusal(refusal), wrong=True, rule=refusal.rule)
        self._signals.play(ERROR)

    # ---- looking back, and at seats ----

    def look_at(self, index: int | None, trial: Move | None = None) -> None:
        """Look at the moment after entry ``index``; None for now. ``trial``: laid out there, as if it were being done."""
        self.viewpoint.index = index
        self.viewpoint.trial = trial
        self.note.clear()
        if index is not None and not self.wide:
            self.panel.close()
        self.draw()

    def _look_through(self, eyes: str) -> None:
        self.viewpoint.eyes = eyes
        self.draw()

    def _table_tapped(self, event: Any) -> None:
        """A tap on a seat's plate opens what lies before it, where the game has that, and says who sits there."""
        self.controls.play_on()
        element = event.target.closest(".plate")
        key = closest_key(element) if element else ""
        plate = next((plate for plate in self.scene.plates if element and plate.key == key), None)
        if plate is None:
            return
        if plate.trait:
            self.note.say(plate.trait)
        self.panel.read_seat(plate.seat)


def _pile(scene: Scene) -> Heap | None:
    """Where a deal comes from: the largest heap there is."""
    return max(scene.resting, key=lambda rest: len(rest.keys), default=None)


def _below_seats(scene: Scene, layout: Layout) -> float:
    """Where the table begins below the seats that stand above it, px; its upper edge on a phone held sideways."""
    bottoms = [plate.rect.bottom for plate in scene.plates if plate.rect.bottom < layout.height / 2 and not layout.low]
    return max(bottoms, default=-SEATS_CLEAR) + SEATS_CLEAR


def _rem() -> float:
    """One rem in px."""
    return float(js.window.getComputedStyle(js.document.documentElement).fontSize.removesuffix("px"))
