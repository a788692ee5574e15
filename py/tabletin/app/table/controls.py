"""What the table itself offers besides the turn: a hint, undo, handing the device on, leaving, the result.

It knows the session and the catalogue. What the turn offers comes from the board, hints from ``hints``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from tabletin.app.session.forced_moves import forced_reason
from tabletin.app.table.hints import Hints, HintsHost
from tabletin.app.table.undo import Undo, available_undo, last_mover
from tabletin.board.scene import ButtonShape, Control, Prompt, Scene, Sight
from tabletin.kernel.log import Hash
from tabletin.kernel.rules import Outcome

if TYPE_CHECKING:
    from tabletin.app.table.buttons import PromptLayer
    from tabletin.app.table.side_panel import SidePanel
    from tabletin.app.table.stage import Stage


class ControlsHost(HintsHost, Protocol):
    """What the table's own buttons read of its screen, and have it do."""

    @property
    def landing_note(self) -> str:
        """What is on its way, in a few words: what somebody has just done."""
        ...

    @property
    def act_note(self) -> str:
        """What another seat has just done, in words of its own for this line; "" once that was read."""
        ...

    @property
    def gist_note(self) -> str:
        """What came of that, where it has no such words; "" once that was read."""
        ...

    @property
    def panel(self) -> SidePanel: ...

    @property
    def prompt(self) -> PromptLayer: ...

    @property
    def stage(self) -> Stage: ...

    @property
    def wide(self) -> bool: ...

    def look_at(self, index: int | None) -> None: ...

    def step_back(self) -> bool: ...

    def leave(self, address: str) -> None: ...


class TableControls:
    """For the table of ``screen``."""

    def __init__(self, screen: ControlsHost) -> None:
        self._screen = screen
        self._question: Prompt | None = None  # what the table itself asks now
        self._undo: Undo | None = None  # what that question is about
        self._consents: set[int] = set()
        self._asked_at: Hash = ""  # the entry that it goes back to
        self._available: tuple[tuple[int, Hash], Undo | None] = ((-1, ""), None)  # by seat and the log's head
        self.hints = Hints(screen)

    def _say(self, key: str, **params: object) -> str:
        text: str = self._screen.words.text(f"table.{key}", **params)
        return text

    def _of(self, key: str, seat: int) -> str:
        """The words of ``key`` about ``seat``, or to the only person here."""
        session = self._screen.session
        return self._say(f"{key}_you") if seat == session.me else self._say(key, seat=session.wording.seat(seat))

    # ---- words ----

    def status(self, sight: Sight, scene: Scene) -> str:
        """Whose turn it is, or how it ended: one line."""
        session = self._screen.session
        outcome = self._outcome(sight)
        if sight.past:
            return self._say("past.title")
        if session.is_paused:
            return self._say("pause.title")
        if outcome is not None:
            return session.wording.outcome(outcome)
        if self._screen.act_note and self._is_told(sight):
            return self._screen.act_note
        if scene.status:
            return scene.status
        if self._screen.gist_note and self._is_told(sight):
            return self._screen.gist_note
        if sight.landing:
            return self._screen.landing_note
        acting = sight.acting
        if sight.may_act and sight.seat is not None:
            turn = self._say("status.yours") if len(session.people) == 1 else \
                self._say("status.turn", seat=session.wording.seat(sight.seat))
            return self._say("status.ask", turn=turn, ask=scene.ask) if scene.ask else turn
        if len(acting) == 1:
            return self._say("status.turn", seat=session.wording.seat(acting[0]))
        if acting:
            names = [session.wording.seat(seat) for seat in acting]
            return self._say("status.waiting", seats=session.wording.catalogue.join_names(names))
        return self._say("status.wait")

    def _is_told(self, sight: Sight) -> bool:
        """Whether what was just done stands here: as long as the plate of who did it is marked."""
        return not self.asks(sight) and sight.shown_mover == sight.mover

    def asks(self, sight: Sight) -> bool:
        """Whether there is something to say besides what happened: that it is the reader's turn, or how the match ended. What is
        no choice is not asked for: it is said with what comes of it."""
        is_over = self._outcome(sight) is not None
        return not sight.past and (is_over or (sight.may_act and not (sight.idle or self.is_forced(sight))))

    def _outcome(self, sight: Sight) -> Outcome | None:
        """How the match ended, once what ended it has landed."""
        return None if sight.landing else self._screen.session.match.outcome

    def note(self, sight: Sight, scene: Scene) -> str:
        """What stands beside the hand: what the board says, of a question with one answer too; why there is no choice; and at the
        end why it is one."""
        if self.is_forced(sight):
            if scene.prompt is not None:
                return scene.prompt.text
            assert sight.seat is not None
            reason = forced_reason(self._screen.session.match, sight.seat)
            if reason:
                return self._screen.words.text(reason)
        outcome = self._outcome(sight)
        return scene.note if scene.note or outcome is None else self._screen.session.wording.ending(outcome)

    def is_forced(self, sight: Sight) -> bool:
        """Whether the move of the seat shown is no choice and about to be made."""
        return sight.may_act and sight.seat is not None and self._screen.session.forced_moves.move_of(sight.seat) is not None

    # ---- questions ----

    def question(self, sight: Sight, scene: Scene) -> Prompt | None:
        """What is asked over the hand now: our own question, the turn's, or who takes the device."""
        if sight.past:
            return None
        asked = None if self.is_forced(sight) else scene.prompt
        return self._question or asked or self._cover(sight, scene)

    def _cover(self, sight: Sight, scene: Scene) -> Prompt | None:
        """Who takes the device now, where the seat to act is covered; and what may be done openly (a pull button)."""
        session = self._screen.session
        if sight.seat is not None or session.match.outcome is not None:
            return None
        waiting = [seat for seat in sight.acting if seat in session.people]
        if not waiting:
            return None
        names = [session.wording.seat(seat) for seat in waiting]
        alone = len(waiting) == 1
        answers = tuple(Control(f"uncover{seat}", self._say("cover.show", seat=name), primary=alone, seat=seat)
                        for seat, name in zip(waiting, names, strict=True))
        answers += self._undo_before_passing()
        title = self._say("cover.pass", seat=names[0]) if alone else self._say("cover.who")
        public = tuple(control for control in scene.controls if control.move is not None or control.moves)
        if public:
            return Prompt("cover", scene.status or title, (*public, *(replace(own, primary=False) for own in answers)))
        return Prompt("cover", title, answers, self._say("cover.text") if alone else "")

    def _ask(self, key: str, *answers: Control, title: str = "", **params: object) -> None:
        """Ask over the hand. Where no answer is primary, "no" is: what it is about cannot be made good again."""
        never = Control("never", self._say("ask.never"), primary=not any(answer.primary for answer in answers))
        title = title or self._say(f"ask.{key}.title", **params)
        self._question = Prompt(key, title, (*answers, never), self._say(f"ask.{key}.text", **params))
        self._screen.draw()
        self._screen.prompt.focus()

    # ---- buttons ----

    def choices(self, sight: Sight, scene: Scene) -> tuple[Control, ...]:
        """The buttons of the turn. None for what is made by itself in a moment: a button that goes before it can be read is
        only unrest, and a tap anywhere hurries the move. None in a pause, nor keys that press them."""
        session = self._screen.session
        if session.is_paused or self.is_forced(sight):
            return ()
        return tuple(control for control in scene.controls if session.gives_help or not control.is_help)

    def ending(self, sight: Sight) -> tuple[Control, ...]:
        """What is left to do when the match is over."""
        if self._outcome(sight) is None:
            return ()
        return (Control("past", self._say("offer.past")),
                Control("result", self._say("offer.result"), primary=True, shortcut="c"))

    def _undo_before_passing(self) -> tuple[Control, ...]:
        """Undo for the seat that moved last, before it hands the device on. Where speed counts nothing is taken back."""
        session = self._screen.session
        seat = last_mover(session.match)
        is_race = session.match.rules.random_delay > 0
        if is_race or seat is None or seat not in session.people or not session.owner or self._undo_of(seat) is None:
            return ()
        return (Control("undo", self._say("offer.undo_of", seat=session.wording.seat(seat)), seat=seat),)

    def own(self, sight: Sight) -> list[Control]:
        """The table's own buttons, beside the hand. Where speed counts nothing is taken back: the time would not come back."""
        session = self._screen.session
        controls: list[Control] = []
        if session.is_paused or self._screen.scene.is_checking:
            return controls
        is_asked = sight.may_act and not (sight.idle or self.is_forced(sight))
        chooses = is_asked and self._screen.draft and self._screen.draft.has_choice
        if session.gives_hints and session.match.outcome is None and chooses:
            hint = self.hints.control()
            if hint is not None:
                controls.append(hint)
        is_race = session.match.rules.random_delay > 0
        takes_back = session.gives_help and session.owner and not is_race
        if takes_back and sight.seat in session.people and session.match.outcome is None:
            assert sight.seat is not None
            draft = self._screen.draft
            has_steps, back = draft is not None and draft.has_steps, self._undo_of(sight.seat)
            if has_steps or back is not None:
                shape = ButtonShape.PLAIN if has_steps or not self._costs_practice(back) else ButtonShape.QUIET
                controls.append(Control("undo", self._say("offer.undo"), shortcut="u", shape=shape))
        return controls

    def extra_controls(self) -> list[Control]:
        """What stands in the third panel; what ends the match comes last."""
        session = self._screen.session
        found, giving_up = [], []
        if session.may_pause:
            found.append(Control("pause", self._say("offer.pause"), why=self._say("offer.pause_why")))
        if session.match.outcome is None:
            for seat in session.people:
                leave, resign = self._of("offer.leave", seat), self._of("offer.resign", seat)
                found.append(Control(f"leave{seat}", leave, why=self._say("offer.leave_why"), seat=seat))
                giving_up.append(Control(f"resign{seat}", resign, why=self._say("offer.resign_why"), seat=seat, danger=True))
        found.append(Control("rules", self._say("offer.rules"), why=self._say("offer.rules_why")))
        if self._screen.viewpoint.index is None and len(session.match.entries) > 1:
            found.append(Control("past", self._say("offer.past"), why=self._say("offer.past_why")))
        return [*found, *giving_up]

    def press(self, control: Control) -> bool:
        """Do what ``control`` stands for, if it is one of the table's own. Returns whether it was."""
        screen, session = self._screen, self._screen.session
        key = control.key
        if key == "hint":
            self.hints.ask()
        elif key == "undo":
            if not (control.seat is None and screen.draft is not None and screen.draft.has_steps and screen.step_back()):
                self._ask_undo(screen.viewpoint.seat() if control.seat is None else control.seat)
        elif key == "back_now":
            self._undo_now()
        elif key.startswith("agree") and control.seat is not None:
            self._agree(control.seat)
        elif key.startswith("uncover") and control.seat is not None:
            session.uncover(control.seat)
            screen.stage.focus(screen.stage.current)
        elif key.startswith(("leave", "resign")) and control.seat is not None:
            verb = "leave" if key.startswith("leave") else "resign"
            is_resigning = verb == "resign"
            yes = Control(f"do_{verb}", control.label, primary=not is_resigning, danger=is_resigning, seat=control.seat)
            self._ask(verb, yes, title=self._of(f"ask.{verb}.title", control.seat))
            if not screen.wide:
                screen.panel.close()
        elif key == "do_leave" and control.seat is not None:
            self.nevermind()
            screen.do(session.play_on(control.seat))
        elif key == "do_resign" and control.seat is not None:
            self.nevermind()
            screen.do(session.resign(control.seat))
        elif key == "pause":
            self._pause()
        elif key == "go_on":
            self.nevermind()
            session.go_on()
            screen.draw()
            screen.stage.focus(screen.stage.current)
        elif key == "never":
            self.nevermind()
            screen.draw()
            screen.stage.focus(screen.stage.current)
        elif key == "past":
            stops = screen.viewpoint.stops()
            screen.look_at(stops[max(0, len(stops) - 2)] if stops else None)
        elif key == "result":
            screen.leave(f"#/result/{session.id}")
        elif key == "rules":
            screen.panel.read_rules()
        else:
            return False
        return True

    def _pause(self) -> None:
        """Stop everything, and ask for nothing but the end of it."""
        screen = self._screen
        screen.session.pause()
        if not screen.wide:
            screen.panel.close()
        self._question = Prompt("pause", self._say("pause.title"), (Control("go_on", self._say("pause.go_on"), primary=True),),
                                self._say("pause.text"))
        screen.draw()
        screen.prompt.focus()

    def play_on(self) -> None:
        """A tap beside our own question answers it with "no": whoever touches the table plays on."""
        if self._question is not None and not self._screen.session.is_paused:
            self.nevermind()
            self._screen.draw()

    def nevermind(self) -> None:
        """Ask nothing any more."""
        self._question = None
        self._consents.clear()

    # ---- taking back ----

    def _undo_of(self, seat: int) -> Undo | None:
        """``available_undo``, looked for once an entry."""
        session = self._screen.session
        match = session.match
        at = seat, match.head
        if self._available[0] != at:
            self._available = at, available_undo(match, seat, lambda index: session.forced_moves.was_made(seat, index))
        return self._available[1]

    def _costs_practice(self, back: Undo | None) -> bool:
        """Whether the match becomes practice if it goes ``back``."""
        return back is not None and back.practice and not self._screen.session.match.state.practice

    def _ask_undo(self, seat: int | None) -> None:
        screen = self._screen
        back = self._undo_of(seat) if seat is not None else None
        if back is None:
            return
        self._undo, self._asked_at = back, screen.session.match.entries[back.target].hash
        if self._costs_practice(back):
            self._ask("practice", Control("back_now", self._say("offer.practice")))
        elif back.approvers:
            self._ask_next()
        else:
            self._undo_now()

    def _ask_next(self) -> None:
        assert self._undo is not None
        here = self._screen.session.people
        left = [seat for seat in self._undo.approvers if seat in here and seat not in self._consents]
        if not left:
            self._undo_now()
            return
        wording = self._screen.session.wording
        self._ask("agree", Control(f"agree{left[0]}", self._say("offer.agree"), primary=True, seat=left[0]),
                  seat=wording.seat(left[0]), other=wording.seat(self._undo.seat))

    def _agree(self, seat: int) -> None:
        self._consents.add(seat)
        self._ask_next()

    def _undo_now(self) -> None:
        back, match = self._undo, self._screen.session.match
        assert back is not None
        self._undo = None
        agreed = sorted(self._consents)
        self.nevermind()
        if match.index_of(self._asked_at) == back.target:
            self._screen.do(self._carry_out(back, agreed))
        else:  # among peers it may have fallen away while that was asked
            self._screen.draw()

    async def _carry_out(self, back: Undo, agreed: list[int]) -> None:
        session = self._screen.session
        for seat in agreed:
            await session.consent(seat, back.target)
        if set(back.approvers) <= set(agreed):
            await session.undo(back.seat, back.target, practice=back.practice)
        else:
            session.ask_back(back.seat, back.target)

