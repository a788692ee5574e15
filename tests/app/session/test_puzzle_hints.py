"""Hints in a puzzle of a day: step by step they lead through its answer, and to nowhere else."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta

import pytest

from tabletin.app.session.puzzle_session import PuzzleSession
from tabletin.kernel.options import Refused
from tabletin.puzzles.calendar import game_of, puzzle_of
from tabletin.puzzles.puzzle import ME, puzzle_games
from tabletin.words import load

MONDAY = date(2026, 1, 5)
DAYS = {game_of(day): day for day in (MONDAY + timedelta(days=n) for n in range(len(puzzle_games())))}


@pytest.mark.parametrize("game", DAYS)
def test_hints_lead_through_the_answer(game: str) -> None:
    async def solve() -> PuzzleSession:
        session = await PuzzleSession.begin_puzzle(puzzle_of(DAYS[game]), load())
        while session.verdict is None:
            if session.match.rules.to_act(session.match.state) == (ME,):
                await session.move(ME, (await session.hint(ME)).move)
            await asyncio.sleep(0)
        session.close()
        return session

    session = asyncio.run(asyncio.wait_for(solve(), 60))
    assert session.is_solved and not session.is_hinted, "hinted is what a hint laid out"


def test_there_is_no_hint_on_another_way() -> None:
    async def leave() -> None:
        puzzle = next(puzzle for puzzle in map(puzzle_of, DAYS.values()) if len(puzzle.answer) > 1)
        session = await PuzzleSession.begin_puzzle(puzzle, load())
        best = (await session.hint(ME)).move
        rules, view = session.match.rules, session.match.view((ME,))
        other = next(move for move in rules.moves(view.state, ME, view.faces) if move != best)
        await session.move(ME, other)
        with pytest.raises(Refused, match="other_way"):
            await session.hint(ME)
        session.close()

    asyncio.run(leave())
