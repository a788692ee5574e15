"""Hints at the table: each tap on the button says a little more, up to the whole turn and its reason.

It asks the session for the move, once a position, and lights what ``board/hints`` finds. What it lit stays for as long as its
sentence stands. It never makes a move.
"""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from tabletin.app.session.bot_driver import BotFailed, TurnPassed
from tabletin.board.board import Board, Draft
from tabletin.board.hints import HintStep, Nudge, nudges, view_of
from tabletin.board.scene import Control, Key, Rect, Scene, Sight
from tabletin.board.spelling import cards_in
from tabletin.bots.decision import Decision
from tabletin.kernel.log import Hash
from tabletin.words import Catalogue

if TYPE_CHECKING:
    from tabletin.app.session.session import MatchSession
    from tabletin.app.table.note import Note
    from tabletin.app.table.viewpoint import Viewpoint


class HintsHost(Protocol):
    """What hints ask of the screen."""

    words: Catalogue
    board: Board
    draft: Draft | None
    scene: Scene

    @property
    def session(self) -> MatchSession: ...

    @property
    def viewpoint(self) -> Viewpoint: ...

    @property
    def note(self) -> Note: ...

    def sight(self) -> Sight: ...

    def draw(self) -> None: ...

    def focus_confirm(self) -> None: ...

    def do(self, act: Coroutine[Any, Any, Any]) -> None: ...


@dataclass(slots=True)
class Hint:
    """What ``seat`` is advised at ``head``, with ``hand`` in its hand, and the ``steps`` before it is laid out. ``view``: what of
    the plane is in view meanwhile, or None. ``count``: how often something was said; ``last_hand``: what was in the hand after
    that, None until it is known. ``is_noted``: the turn itself was shown before; ``is_other``: the other one was, too.
    """

    head: Hash
    seat: int
    hand: frozenset[Key]
    decision: Decision
    steps: list[Nudge]
    view: Rect | None
    why: str
    count: int = 0
    last_hand: frozenset[Key] | None = None
    is_noted: bool = False
    is_other: bool = False

    @property
    def next_step(self) -> HintStep:
        """What the next tap shows."""
        return self.steps[self.count].step if self.count < len(self.steps) else HintStep.TURN

    @property
    def goes_on(self) -> bool:
        """Whether the next tap shows another part of what the last one showed."""
        return 0 < self.count < len(self.steps) and self.steps[self.count - 1].step is self.next_step

    @property
    def is_laid_out(self) -> bool:
        """Whether the turn itself was shown."""
        return self.count > len(self.steps)


def _hand_of(scene: Scene) -> frozenset[Key]:
    """What is in the hand."""
    return frozenset(piece.key for piece in scene.pieces if piece.row == "hand")


class Hints:
    """For the table of ``screen``."""

    def __init__(self, screen: HintsHost) -> None:
        self._screen = screen
        self._hint: Hint | None = None
        self._lit: Nudge | None = None
        self._sentence = ""
        self._is_thinking = False
        self._explained: set[str] = set()  # reasons that were told in full

    def control(self) -> Control | None:
        """The button, which says what its next tap shows; None while all of it is shown."""
        hint = self._current()
        if hint is not None and self._is_outdated(hint):
            hint = None
        if hint is not None and hint.is_laid_out and self._stands and not self._offers_other:
            return None
        key = "hint" if hint is None or not hint.count else "hint_on" if hint.goes_on else f"hint_{hint.next_step.value}"
        key = "hint_other" if self._offers_other else key
        return Control("hint", self._screen.words.text(f"table.offer.{key}"), shortcut="h")

    def ask(self) -> None:
        """Say the next thing there is to say."""
        if not self._is_thinking:
            self._screen.do(self._say_more(wants_other=self._offers_other))

    def light(self, scene: Scene) -> Scene:
        """``scene`` with what the hint is about lit, while its sentence stands; the view stays when the turn is laid out."""
        if not self._stands:
            return scene
        if self._lit is not None:
            return self._lit.light(scene)
        hint = self._current()
        return scene if hint is None or hint.view is None else replace(scene, bounds=hint.view)

    @property
    def _stands(self) -> bool:
        """Whether what was said last stands beside the hand."""
        return self._sentence != "" and self._screen.note.sentence == self._sentence

    def _current(self) -> Hint | None:
        screen, hint = self._screen, self._hint
        here = hint is not None and hint.head == screen.session.match.head and hint.seat == screen.viewpoint.seat()
        return hint if here else None

    def _is_outdated(self, hint: Hint) -> bool:
        """Whether something has been laid or taken back since it was given: then it begins anew."""
        return hint.last_hand is not None and hint.last_hand != _hand_of(self._screen.scene)

    @property
    def _offers_other(self) -> bool:
        """Whether the turn was shown, and another one that is nearly as good may be shown now."""
        hint = self._current()
        return (hint is not None and hint.is_laid_out and self._stands and hint.decision.other is not None
                and not (hint.is_other or self._is_outdated(hint)))

    async def _say_more(self, *, wants_other: bool) -> None:
        screen = self._screen
        takes_back = screen.draft is not None and screen.draft.hint_takes_back  # before the turn is looked for, which does it
        hint = self._current() or await self._decide()
        if hint is None or screen.draft is None or screen.viewpoint.index is not None:
            self._end_thinking()
            return
        if self._is_outdated(hint):
            hint = self._begin_anew(hint)
        if wants_other and hint.decision.other is not None:
            hint.is_other = True
            screen.draft.compose(hint.decision.other)
            self._say(screen.words.text("table.hint.or_so"))
        elif hint.count < len(hint.steps):
            first = f"{screen.words.text('table.hint.taken_back')} " if takes_back else ""
            screen.draft.put_away()
            self._lit = hint.steps[hint.count]
            spoken = self._spoken_of(self._lit)
            self._say(first + self._words_of(self._lit), spoken and first + spoken)
            hint.count += 1
        else:
            self._lit = None
            if not hint.is_noted:
                screen.session.note_hint()
            hint.is_noted, hint.is_other, hint.count = True, False, len(hint.steps) + 1
            screen.draft.compose(hint.decision.move)
            if hint.why:
                self._say(hint.why)
            self._explained.add(hint.decision.why)
        hint.last_hand = None
        screen.draw()
        hint.last_hand = _hand_of(screen.scene)
        if hint.is_laid_out:
            screen.focus_confirm()

    async def _decide(self) -> Hint | None:
        """What the hard bot would do here; None where the match has moved on meanwhile, or no bot answers."""
        screen, session = self._screen, self._screen.session
        seat, head = screen.viewpoint.seat(), ""
        assert seat is not None  # a hint is offered to the seat that may act
        self._is_thinking = True
        screen.note.say(self._thinking)
        try:
            while head != session.match.head:  # what came meanwhile may change it
                head = session.match.head
                decision = await session.hint(seat)
        except BotFailed:
            screen.note.say(screen.words.text("shell.bots.failed"), wrong=True)
            return None
        except TurnPassed:
            return None
        finally:
            self._is_thinking = False
        if seat != screen.viewpoint.seat() or not screen.sight().may_act:
            return None
        self._hint = Hint(head, seat, _hand_of(screen.scene), decision, *self._lead_to(decision))
        return self._hint

    def _begin_anew(self, hint: Hint) -> Hint:
        """The same hint for what lies there now: what it would have looked at first needs no look once it has left the hand."""
        steps, view, why = self._lead_to(hint.decision)
        laid = hint.hand - _hand_of(self._screen.scene)
        left = [step for step in steps if step.step is not HintStep.LOOK or not laid & step.keys]
        self._hint = Hint(hint.head, hint.seat, hint.hand, hint.decision, left, view, why, is_noted=hint.is_noted)
        return self._hint

    def _lead_to(self, decision: Decision) -> tuple[list[Nudge], Rect | None, str]:
        """The steps to its turn, what is in view meanwhile, and what is said in the end: praise where all of it lies there."""
        draft = self._screen.draft
        is_ready = draft is not None and draft.holds(decision.move)
        return ([], None, self._praise(decision)) if is_ready else self._steps(decision)

    def _praise(self, decision: Decision) -> str:
        """What is said where the turn is laid out already."""
        why = self._screen.session.wording.phrase(decision.why, decision.params) if decision.why else ""
        return self._screen.words.text("table.hint.ready", why=why).strip()

    @property
    def _thinking(self) -> str:
        return self._screen.words.text("table.hint.thinking")

    def _end_thinking(self) -> None:
        """No hint has come of it: the line beside the hand is written anew, unless something else was said meanwhile."""
        if self._screen.note.sentence == self._thinking:
            self._screen.note.clear()
            self._screen.draw()

    def _steps(self, decision: Decision) -> tuple[list[Nudge], Rect | None, str]:
        """The steps before the turn itself, what is in view meanwhile, and what is said with the turn: found by laying it out
        in a draft of its own, beside the table with nothing chosen."""
        screen = self._screen
        sight = screen.sight()
        if screen.draft is not None:
            screen.draft.put_away()
        scene, trial = screen.board.scene(sight, screen.draft), screen.board.draft(sight)
        trial.compose(decision.move)
        cards = cards_in(screen.session.match.rules.verbs, decision.move)
        composed = screen.board.scene(sight, trial)
        reason = screen.board.reason(sight, trial)
        why = reason.last if reason is not None else ""
        if decision.why and not why:
            why = self._reason(decision)
            if self._is_known(decision):
                return [], None, why
        return nudges(scene, composed, cards, reason), view_of(scene, composed), why

    def _is_known(self, decision: Decision) -> bool:
        """Whether its reason was told in full before, and is told in short now."""
        return bool(decision.short_why) and decision.why in self._explained

    def _reason(self, decision: Decision) -> str:
        """Why, in full the first time, and what else may be done."""
        phrase = self._screen.session.wording.phrase
        keys = decision.short_why if self._is_known(decision) else decision.why, decision.or_else
        return " ".join(phrase(key, decision.params) for key in keys if key)

    def _say(self, sentence: str, spoken: str = "") -> None:
        self._sentence = sentence
        self._screen.note.say(sentence, spoken=spoken)

    def _words_of(self, nudge: Nudge) -> str:
        text, wording = self._screen.words.text, self._screen.session.wording
        if nudge.why:
            return nudge.why
        if nudge.step is HintStep.PLACE and nudge.places:
            return text("table.hint.goes", n=len(nudge.cards))
        if not nudge.cards:
            return text("table.hint.look", what=nudge.label)
        return text("table.hint.card", n=len(nudge.cards), what=wording.cards(nudge.cards, self._screen.sight().view.faces))

    def _spoken_of(self, nudge: Nudge) -> str:
        """The same for who does not see which place is lit: with its name, where it has one; else ""."""
        if nudge.step is not HintStep.PLACE or not nudge.wheres:
            return ""
        words = self._screen.words
        place = words.text("table.hint.goes_to", n=len(nudge.cards), place=words.join_names(nudge.wheres))
        return f"{nudge.why} {place}".strip()
