"""A guide on the real table: a session that keeps to the script, bots that follow it, a board that points.

All else is the table's own: its board, its rules, its drafts. A guided match is never stored and never counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from tabletin.app.session.local import LocalSession, OnTrouble
from tabletin.app.session.plan import ME as MYSELF
from tabletin.app.session.plan import Place, Plan
from tabletin.app.session.scripted_bots import ScriptedBots
from tabletin.app.session.session import SessionContext
from tabletin.app.storage.matches import MemoryMatches, SingleTab
from tabletin.board.board import ActStep, Board, Draft, Reason, Reply
from tabletin.board.guide import ME, FixedDeal, Guide, Guiding, with_pointer
from tabletin.board.scene import Key, Point, Scene, Sight
from tabletin.kernel.faces import Card
from tabletin.kernel.match import Happening
from tabletin.kernel.options import Refusal, refused
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import Seat
from tabletin.kernel.state import Event
from tabletin.words import Catalogue

OPPONENT: Final = "easy"


class GuidedSession(LocalSession):
    """A session in which people do what the guide waits for, and are told kindly where they do not. ``on_refused``: called when
    a move was not made."""

    guiding: Guiding
    script: ScriptedBots
    on_refused: Callable[[], Any] = staticmethod(lambda: None)

    @classmethod
    async def begin_guide(cls, guide: Guide, words: Catalogue, pace: Callable[[], float] = lambda: 0.0,
                     trouble: OnTrouble = lambda key: None) -> GuidedSession:
        """The match of ``guide``, dealt; it is kept in memory only."""
        places = [Place(MYSELF), *(Place(OPPONENT) for _ in range(guide.seats - 1))]
        setup = Plan(guide.game, places, dict(guide.options)).setup(words)
        script = ScriptedBots()
        context = SessionContext(MemoryMatches(), SingleTab(), script, words, pace, trouble)
        session = await cls.begin(setup, context, FixedDeal(guide.deals, guide.rolls))
        assert isinstance(session, GuidedSession)
        session.script = script
        session.guiding = guiding = Guiding(guide, session.match)
        session.on_change(session.follow)
        script.follow(lambda match, seat: guiding.wanted_move(seat))
        return session

    def follow(self, happenings: Sequence[Happening]) -> None:
        """Moves bring the guide on."""
        for statement in (one.entry.statement for one in happenings):
            if statement.kind == "move":
                self.guiding.note_move(statement.body["seat"])
                self.script.look_again()

    def go_on(self) -> None:
        """The words have been read."""
        self.guiding.go_on()
        self.script.look_again()

    async def move(self, seat: int, move: Move) -> None:
        refusal = self.guiding.refusal(seat, move)
        if refusal is not None:
            self.on_refused()
            raise refused(refusal.key, refusal.rule, **refusal.params)
        await super().move(seat, move)

    async def undo(self, seat: int, to: int, practice: bool = False) -> None:
        raise refused("guide.no_way_back")

    async def resign(self, seat: int) -> None:
        raise refused("guide.just_leave")

    async def replace(self, seat: int, player: Seat) -> None:
        raise refused("guide.just_leave")


class GuidedDraft(Draft):
    """``own``, the draft of the game, kept from what leads away from what the guide shows. ``board`` drew the table last."""

    def __init__(self, own: Draft, board: PointingBoard) -> None:
        self.own = own
        self._board = board

    @property
    def has_choice(self) -> bool:
        return self.own.has_choice

    def tap(self, key: Key) -> Reply:
        return self._kept(self._board.correction(key) or self.own.tap(key))

    def pick(self, key: Key) -> None:
        self.own.pick(key)

    def drop(self, key: Key, spot: Key) -> Reply:
        return self._kept(self._board.correction(spot) or self.own.drop(key, spot))

    def miss(self, key: Key, point: Point, *, plane: bool) -> Reply:
        return self._kept(self.own.miss(key, point, plane=plane))

    def _kept(self, reply: Reply) -> Reply:
        """``reply``; where the turn on trial leaves nothing to point at, all of it goes back, and it is said why."""
        return self._board.guiding.correction() if reply is None and self._board.leads_back(self) else reply

    def step_back(self) -> bool:
        return self.own.step_back()

    def put_away(self) -> None:
        self.own.put_away()

    def renew(self, sight: Sight) -> bool:
        return self.own.renew(sight)

    def compose(self, move: Move) -> None:
        self.own.compose(move)


class PointingBoard(Board):
    """``board`` with a pointer at something: at ``key``, after each scene. ``on_scene`` is called after each scene."""

    def __init__(self, board: Board, guiding: Guiding, on_scene: Callable[[], Any] = lambda: None) -> None:
        self._board = board
        self.guiding = guiding
        self._on_scene = on_scene
        self._drawn: tuple[Sight, Scene] | None = None
        self.key: Key = ""
        self.results = board.results

    def scene(self, sight: Sight, draft: Draft | None) -> Scene:
        scene = self._scene(sight, draft)
        if isinstance(draft, GuidedDraft) and not sight.past and self.guiding.is_lost(scene):  # composed while words were read
            draft.undo()
            self.guiding.start_over()
            scene = self._scene(sight, draft)
        mine = ME in sight.acting or self.guiding.reading
        self.key = self.guiding.pointer_target(scene) if mine and not sight.past else ""
        self._drawn = sight, scene
        self._on_scene()
        return with_pointer(self._left_to_the_learner(self._left_to_the_guide(scene, draft)), self.key)

    def correction(self, key: Key) -> Refusal | None:
        """What is said to a tap on ``key`` that would lead away from what the guide shows; None to any other."""
        if self._drawn is None or self.guiding.allows(self._drawn[1], key):
            return None
        return self.guiding.correction()

    @property
    def is_my_turn(self) -> bool:
        """Whether the learner is to act and has seen what others did: the table says so by now."""
        return self._drawn is not None and ME in self._drawn[0].acting and not self._drawn[0].landing

    def leads_back(self, draft: GuidedDraft) -> bool:
        """Whether ``draft`` left nothing to point at: then all that was composed has gone back."""
        if self._drawn is None or not self.guiding.is_lost(self._scene(self._drawn[0], draft)):
            return False
        draft.undo()
        self.guiding.start_over()
        return True

    def _scene(self, sight: Sight, draft: Draft | None) -> Scene:
        """The game's own scene; what was to be tried out and is done brings the guide on."""
        scene = self._board.scene(sight, _own(draft))
        while draft is not None and not sight.past and self.guiding.tried(scene):
            pass
        return scene

    def _left_to_the_learner(self, scene: Scene) -> Scene:
        """``scene`` without buttons that the guide would refuse, or that choose what the learner is to choose, and without any
        while its words are read; a film goes on then. One that the step itself names has no time: what is learnt is not done by
        itself. Only what it asks for looks like it.
        """
        guiding = self.guiding
        step = guiding.step
        if guiding.next_task() is None or guiding.reading:
            film = (replace(control, label="", why=control.label) for control in scene.controls if control.lapse)
            return replace(scene, controls=tuple(film))
        if step is None or guiding.astray:
            return scene
        chooses = guiding.awaits_choice(scene)
        return replace(scene, controls=tuple(
            replace(control, seconds=None if control.key == self.key else control.seconds,
                    primary=control.primary and (control.key == self.key or guiding.is_equivalent(control.key)))
            for control in scene.controls
            if guiding.allows(scene, control.key) and not (chooses and guiding.is_equivalent(control.key))))

    def _left_to_the_guide(self, scene: Scene, draft: Draft | None) -> Scene:
        """``scene`` without what its board asks of the learner, or says of what they try out: the words of the guide alone do
        that. It still says what is wrong."""
        if draft is None or self.guiding.over:
            return scene
        return replace(scene, note=scene.note if scene.warning else "", ask="")

    def steps(self, sight: Sight, events: Sequence[Event]) -> Sequence[ActStep]:
        return self._board.steps(sight, events)

    def flourish(self, events: Sequence[Event]) -> tuple[Card, ...]:
        return self._board.flourish(events)

    def reason(self, sight: Sight, draft: Draft) -> Reason | None:
        own = _own(draft)
        return None if own is None else self._board.reason(sight, own)

    def draft(self, sight: Sight) -> Draft:
        return GuidedDraft(self._board.draft(sight), self)


def _own(draft: Draft | None) -> Draft | None:
    """The game's own draft within ``draft``."""
    return draft.own if isinstance(draft, GuidedDraft) else draft
