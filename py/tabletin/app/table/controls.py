"""What the table itself offers beside the turn: a hint, taking back, handing the device on, leaving, the result.

Knows session and catalogue, and the draft only to lay out a hint in it; what the turn offers comes from the board.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tabletin.app.session.bot_driver import BotFailed
from tabletin.app.table.undo import Undo, available_undo, last_mover
from tabletin.board.scene import Control, Prompt, Scene, Sight


class TableControls:
    """For one TableScreen."""

    def __init__(self, screen: Any) -> None:
        self._screen = screen
        self._asked: Prompt | None = None
        self._back: Undo | None = None
        self._agreed: set[int] = set()
        self._found: tuple[tuple[int, int], Undo | None] = ((-1, -1), None)
        self._hinting = False

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
        outcome = session.match.outcome
        if sight.past:
            return self._say("past.title")
        if outcome is not None:
            won: str = session.wording.outcome(outcome)
            return won
        if scene.status:
            return scene.status
        acting = sight.acting
        if sight.may_act:
            return self._say("status.yours") if len(session.people) == 1 else self._say(
                "status.turn", seat=session.wording.seat(sight.seat))
        if len(acting) == 1:
            return self._say("status.turn", seat=session.wording.seat(acting[0]))
        return self._say("status.wait")

    # ---- questions ----

    def question(self, sight: Sight, scene: Scene) -> Prompt | None:
        """What is asked over the hand now: our own question, the turn's, or who takes the device."""
        if sight.past:
            return None
        return self._asked or scene.prompt or self._cover(sight, scene)

    def _cover(self, sight: Sight, scene: Scene) -> Prompt | None:
        """Whoever is to act and has not been handed the device yet, and what may be done without (a pull button)."""
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
        openly = tuple(control for control in scene.controls if control.move is not None or control.moves)
        if openly:
            return Prompt("cover", scene.status or title, (*openly, *(replace(own, primary=False) for own in answers)))
        return Prompt("cover", title, answers, self._say("cover.text") if alone else "")

    def _ask(self, key: str, *answers: Control, title: str = "", **params: object) -> None:
        never = Control("never", self._say("ask.never"))
        title = title or self._say(f"ask.{key}.title", **params)
        self._asked = Prompt(key, title, (*answers, never), self._say(f"ask.{key}.text", **params))
        self._screen.draw()
        self._screen.asking.focus()

    # ---- buttons ----

    def ending(self) -> tuple[Control, ...]:
        """What is left to do when the match is over."""
        if self._screen.session.match.outcome is None:
            return ()
        return (Control("past", self._say("offer.past")), Control("result", self._say("offer.result"), primary=True))

    def _undo_before_passing(self) -> tuple[Control, ...]:
        """Whoever moved last may want that back before the device is handed on."""
        session = self._screen.session
        seat = last_mover(session.match)
        if seat is None or seat not in session.people or not session.owner or self._way_back(seat) is None:
            return ()
        return (Control("undo", self._say("offer.undo_of", seat=session.wording.seat(seat)), seat=seat),)

    def own(self, sight: Sight) -> list[Control]:
        """The table's own buttons, on both sides of the line beside the hand."""
        session = self._screen.session
        controls = []
        if session.match.outcome is None and sight.may_act and self._screen.draft:
            controls.append(Control("hint", self._say("offer.hint"), shortcut="h"))
        if sight.seat in session.people and session.owner and session.match.outcome is None:
            assert sight.seat is not None
            back = self._way_back(sight.seat)
            if back is not None:
                controls.append(Control("undo", self._say("offer.undo"), shortcut="u"))
        return controls

    def more(self) -> list[Control]:
        """What stands in the third panel."""
        session = self._screen.session
        found = []
        if session.match.outcome is None:
            for seat in session.people:
                leave, resign = self._of("offer.leave", seat), self._of("offer.resign", seat)
                found.append(Control(f"leave{seat}", leave, why=self._say("offer.leave_why"), seat=seat))
                found.append(Control(f"resign{seat}", resign, why=self._say("offer.resign_why"), seat=seat,
                                     danger=True))
        found.append(Control("rules", self._say("offer.rules"), why=self._say("offer.rules_why")))
        if self._screen.looking.at is None and len(session.match.entries) > 1:
            found.append(Control("past", self._say("offer.past"), why=self._say("offer.past_why")))
        return found

    def pressed(self, control: Control) -> bool:
        """Do what ``control`` stands for, if it is one of the table's own; whether it was."""
        screen, session = self._screen, self._screen.session
        key = control.key
        if key == "hint":
            self.hint()
        elif key == "undo":
            self._undo(screen.looking.seat() if control.seat is None else control.seat)
        elif key == "back_now":
            self._really_back()
        elif key.startswith("agree") and control.seat is not None:
            self._agree(control.seat)
        elif key.startswith("uncover") and control.seat is not None:
            session.uncover(control.seat)
            screen.stage.focus(screen.stage.current)
        elif key.startswith(("leave", "resign")) and control.seat is not None:
            verb = "leave" if key.startswith("leave") else "resign"
            yes = Control(f"do_{verb}", control.label, primary=True, danger=verb == "resign", seat=control.seat)
            self._ask(verb, yes, title=self._of(f"ask.{verb}.title", control.seat))
            if not screen.wide:
                screen.beside.close()
        elif key == "do_leave" and control.seat is not None:
            self.nevermind()
            screen.do(session.play_on(control.seat))
        elif key == "do_resign" and control.seat is not None:
            self.nevermind()
            screen.do(session.resign(control.seat))
        elif key == "never":
            self.nevermind()
            screen.draw()
            screen.stage.focus(screen.stage.current)
        elif key == "past":
            stops = screen.looking.stops()
            screen.look_at(stops[max(0, len(stops) - 2)] if stops else None)
        elif key == "result":
            screen.leave(f"#/result/{session.id}")
        elif key == "rules":
            screen.beside.read_rules()
        else:
            return False
        return True

    def nevermind(self) -> None:
        """Ask nothing any more."""
        self._asked = None
        self._agreed.clear()

    # ---- hint ----

    def hint(self) -> None:
        """Ask the hard bot, then lay its move out in the draft and say why."""
        if not self._hinting:
            self._hinting = True
            self._screen.say(self._say("hint.thinking"))
            self._screen.do(self._hint())

    async def _hint(self) -> None:
        screen = self._screen
        session = screen.session
        seat, head = screen.looking.seat(), session.match.head
        try:
            decision = await session.hint(seat)
        except BotFailed:
            screen.say(screen.words.text("shell.bots.failed"), wrong=True)
            return
        finally:
            self._hinting = False
        if head != session.match.head or screen.draft is None or screen.looking.at is not None:
            return
        screen.draft.compose(decision.move)
        screen.draw()
        if decision.why:
            screen.say(session.wording.phrase(decision.why, decision.params))

    # ---- taking back ----

    def _way_back(self, seat: int) -> Undo | None:
        """``way_back``, found once an entry."""
        match = self._screen.session.match
        at = seat, len(match.entries)
        if self._found[0] != at:
            self._found = at, available_undo(match, seat)
        return self._found[1]

    def _undo(self, seat: int | None) -> None:
        screen = self._screen
        back = self._way_back(seat) if seat is not None else None
        if back is None:
            return
        self._back = back
        if back.practice and not screen.session.match.state.practice:
            self._ask("practice", Control("back_now", self._say("offer.practice"), primary=True))
        elif back.asked:
            self._ask_next()
        else:
            self._really_back()

    def _ask_next(self) -> None:
        assert self._back is not None
        here = self._screen.session.people
        left = [seat for seat in self._back.asked if seat in here and seat not in self._agreed]
        if not left:
            self._really_back()
            return
        wording = self._screen.session.wording
        self._ask("agree", Control(f"agree{left[0]}", self._say("offer.agree"), primary=True, seat=left[0]),
                  seat=wording.seat(left[0]), other=wording.seat(self._back.seat))

    def _agree(self, seat: int) -> None:
        self._agreed.add(seat)
        self._ask_next()

    def _really_back(self) -> None:
        back = self._back
        assert back is not None
        self._back = None
        agreed = sorted(self._agreed)
        self.nevermind()
        self._screen.do(self._go_back(back, agreed))

    async def _go_back(self, back: Undo, agreed: list[int]) -> None:
        session = self._screen.session
        for seat in agreed:
            await session.consent(seat, back.to)
        if set(back.asked) <= set(agreed):
            await session.undo(back.seat, back.to, practice=back.practice)
        else:
            session.ask_back(back.seat, back.to)

