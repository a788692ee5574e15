"""Somebody who follows a guide at its table, without a page: taps what is pointed at, or something else."""

from __future__ import annotations

import asyncio
from random import Random

from tabletin.app.session.guided_session import GuidedSession, PointingBoard
from tabletin.board.board import Draft
from tabletin.board.guide import ME, Guide, guide_for
from tabletin.board.scene import Layout, Scene, Sight
from tabletin.board.spelling import spell
from tabletin.kernel.options import Refused
from tabletin.registry import GAMES
from tabletin.words import load

WORDS = load()
PHONE, DESKTOP = Layout(390, 560, touch=True), Layout(1280, 620)
MOST_TAPS = 60  # for one step


class Pupil:
    """Follows a guide at its table, without a page."""

    def __init__(self, session: GuidedSession, layout: Layout) -> None:
        self.session = session
        self.layout = layout
        game = session.match.setup.game
        self.board = PointingBoard(GAMES[game].module("board").board(game), session.guiding)
        self.draft: Draft | None = None
        self.drafted = -1

    def look(self) -> Scene:
        """The table as it is now; the draft is kept or made anew as the screen does it."""
        session, sight = self.session, self.sight()
        if not sight.may_act:
            self.draft = None
        elif self.drafted != len(session.match.entries) or self.draft is None:
            kept = self.draft is not None and self.draft.renew(sight)
            self.draft = self.draft if kept else self.board.draft(sight)
        self.drafted = len(session.match.entries)
        return self.board.scene(sight, self.draft)

    def sight(self) -> Sight:
        """What the table is drawn from now."""
        session = self.session
        return Sight(session.match.view(session.readers), session.wording, self.layout, session.visible_seat, session.people)

    async def tap(self) -> None:
        """Tap what is pointed at, or let the time pass that nobody hurries. Raises ``Refused``."""
        scene = self.look()
        key = self.board.key or next((one.key for one in scene.controls if one.why and one.seconds is not None), "")
        assert key, f"nothing is pointed at in {self.session.guiding.step}"
        answers = scene.prompt.answers if scene.prompt is not None else ()
        control = next((one for one in (*answers, *scene.controls) if one.key == key), None)
        is_timed = control is not None and control.seconds is not None and not self.board.key
        assert control is None or not control.why or is_timed, f"{key} is pointed at and cannot be pressed"
        if control is not None and control.move is not None and control.seat is not None:
            await self.session.move(control.seat, control.move)
            return
        assert self.draft is not None, f"{key} is pointed at while nobody may act"
        reply = self.draft.tap(key)
        if isinstance(reply, tuple):
            await self.session.move(ME, reply)
        elif reply is not None:
            raise Refused(reply)

    async def tap_or_go_its_own_way(self) -> None:
        """Tap what is pointed at, or make the move that is nearest to it after the match has left the script."""
        guiding = self.session.guiding
        self.look()
        wanted, step = guiding.wanted_move(ME), guiding.step
        assert wanted is not None and step is not None
        is_left = bool(step.do) and spell(self.session.match.rules.verbs, wanted, self.session.match.knowledge.get) != step.do
        if is_left and not self.board.key:
            await self.session.move(ME, wanted)
        else:
            await self.tap()

    def empty_draft(self) -> None:
        """All that was composed goes back, as the screen does it."""
        if self.draft is not None:
            self.draft.undo()

    async def tap_anything(self, rng: Random) -> None:
        """Tap something on the table, whatever it is. What is refused leaves nothing on trial, as on the screen."""
        scene = self.look()
        if self.draft is None:
            return
        answers = scene.prompt.answers if scene.prompt is not None else ()
        things = [*(one.key for one in (*answers, *scene.controls) if not one.why and one.move is None),
                  *(spot.key for spot in scene.spots), *(piece.key for piece in scene.pieces if piece.tap)]
        if not things:
            return
        reply = self.draft.tap(rng.choice(things))
        try:
            if isinstance(reply, tuple):
                await self.session.move(ME, reply)
        except Refused:
            self.empty_draft()

    async def try_out(self) -> None:
        """Do what the guide would have tried out first."""
        guiding = self.session.guiding
        for _ in range(MOST_TAPS):
            self.look()
            if guiding.step is None or not guiding.step.tries:
                return
            await self.tap()


async def settle(session: GuidedSession) -> None:
    """Let the others do what the script has them do."""
    for _ in range(40):
        await asyncio.sleep(0)


def guide_of(game: str) -> Guide:
    guide = guide_for(game)
    assert guide is not None
    return guide
