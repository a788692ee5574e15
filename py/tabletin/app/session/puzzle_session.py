"""A puzzle on the real table: its position, the answers of the other seats, and what the player's answer is worth.

All else is the table's own. Such a match is never stored and never counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tabletin.app.session.local import LocalSession, OnTrouble
from tabletin.app.session.plan import ME as MYSELF
from tabletin.app.session.plan import Place, Plan
from tabletin.app.session.scripted_bots import ScriptedBots
from tabletin.app.session.session import SessionContext
from tabletin.app.storage.matches import MemoryMatches, SingleTab
from tabletin.board.guide import FixedDeal, in_cards
from tabletin.board.spelling import spell
from tabletin.bots.decision import Decision
from tabletin.kernel.match import Happening, Match
from tabletin.kernel.options import refused
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import Seat
from tabletin.puzzles.puzzle import ME, Puzzle, PuzzleMaker, Verdict, maker_of
from tabletin.words import Catalogue

OPPONENT = "hard"


class PuzzleSession(LocalSession):
    """A session that ends with a ``verdict``, told by ``on_verdict``. ``start``: the entry with which the answer begins.
    ``moves_made``: the player's since, spelled as faces; ``is_hinted``: a hint laid out one of them."""

    gives_help = gives_hints = False
    is_hinted = False
    puzzle: Puzzle
    maker: PuzzleMaker
    defence: ScriptedBots
    start = 0
    moves_made: tuple[Move, ...] = ()
    verdict: Verdict | None = None
    on_verdict: Callable[[], Any] = staticmethod(lambda: None)

    @classmethod
    async def begin_puzzle(cls, puzzle: Puzzle, words: Catalogue, pace: Callable[[], float] = lambda: 0.0,
                           trouble: OnTrouble = lambda key: None) -> PuzzleSession:
        """The match of ``puzzle``, as it stands when the player is to move; it is kept in memory only."""
        places = [Place(MYSELF), *(Place(OPPONENT) for _ in range(puzzle.seats - 1))]
        setup = Plan(puzzle.game, places, dict(puzzle.options)).setup(words)
        defence = ScriptedBots()
        context = SessionContext(MemoryMatches(), SingleTab(), defence, words, pace, trouble)
        session = await cls.begin(setup, context, FixedDeal(puzzle.deals, puzzle.rolls))
        assert isinstance(session, PuzzleSession)
        session.puzzle, session.maker = puzzle, maker_of(puzzle.game)
        for seat, do in puzzle.prelude:
            move = in_cards(session.match.view((seat,)), seat, do)
            assert move is not None, f"the puzzle names a card that seat {seat} has not: {do}"
            session._grow(session.table.move(seat, move))
        session.start = len(session.match.entries)
        session.defence = defence
        session.on_change(session.judge)
        session.publish()
        defence.follow(session.reply)
        return session

    def reply(self, match: Match, seat: int) -> Move | None:
        """What another seat does now, as long as no answer stands."""
        return None if self.verdict is not None else self.maker.reply(self.puzzle, match, seat)

    def judge(self, happenings: Sequence[Happening]) -> None:
        """Look what has come of the answer so far."""
        if self.verdict is None and self.start:
            self.verdict = self.maker.judge(self.puzzle, self.match, self.start)
            if self.verdict is not None:
                self.on_verdict()
        self.defence.look_again()

    @property
    def is_answered(self) -> bool:
        return self.verdict is not None

    @property
    def is_solved(self) -> bool:
        """Whether the answer is the best there is."""
        return self.verdict is not None and self.verdict.is_best

    @property
    def thinking(self) -> int | None:
        """Nobody once an answer stands: the match does not go on."""
        return None if self.verdict is not None else super().thinking

    async def move(self, seat: int, move: Move) -> None:
        if self.verdict is not None:
            raise refused("puzzle.over")
        view = self.match.view((seat,))
        spelled = spell(view.rules.verbs, move, view.faces.get)
        await super().move(seat, move)
        if seat == ME:
            self.moves_made += (spelled,)

    async def hint(self, seat: int) -> Decision:
        """The next move of the answer, as long as what was made is the beginning of it."""
        step = len(self.moves_made)
        if self.moves_made != self.puzzle.answer[:step] or step == len(self.puzzle.answer):
            raise refused("puzzle.other_way")
        move = in_cards(self.match.view((seat,)), seat, self.puzzle.answer[step])
        if move is None:
            raise refused("puzzle.other_way")
        return Decision(move, "puzzle.there")

    def note_hint(self) -> None:
        self.is_hinted = True

    async def undo(self, seat: int, to: int, practice: bool = False) -> None:
        raise refused("puzzle.no_way_back")

    async def resign(self, seat: int) -> None:
        raise refused("guide.just_leave")

    async def replace(self, seat: int, player: Seat) -> None:
        raise refused("guide.just_leave")
