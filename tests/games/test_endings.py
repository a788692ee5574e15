"""Matches that end in every way there is: a finished state asks nothing of the dealer (invariant 11), and its file verifies."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from tabletin.kernel.match import Match, View
from tabletin.kernel.schema import Move
from tabletin.kernel.table import Table
from tests.support.cases import Case
from tests.support.random_matches import MOST_MOVES, begin, check_ended, each_case

Choice = Callable[[View, int, Random], Move]


def at_random(view: View, seat: int, rng: Random) -> Move:
    return view.rules.random_move(view.state, seat, view.faces, rng)


def idly(view: View, seat: int, rng: Random) -> Move:
    """What opens nothing and says most: passes, trades, draws. Else any move."""
    moves = [move for _, move in zip(range(300), view.moves(seat), strict=False)]
    closed = [move for move in moves if not view.rules.opens(view.state, seat, move)]
    if not closed:
        return at_random(view, seat, rng)
    most = max(len(str(move)) for move in closed)
    return rng.choice([move for move in closed if len(str(move)) == most])


def greedily(view: View, seat: int, rng: Random) -> Move:
    """What opens most cards."""
    moves = [move for _, move in zip(range(300), view.moves(seat), strict=False)]
    most = max(len(view.rules.opens(view.state, seat, move)) for move in moves)
    return rng.choice([move for move in moves if len(view.rules.opens(view.state, seat, move)) == most])


def play(table: Table, choose: Choice, rng: Random, most: int = MOST_MOVES) -> Match:
    match = table.match
    for _ in range(most):
        acting = match.rules.to_act(match.state)
        if not acting:
            break
        seat = rng.choice(acting)
        table.move(seat, choose(match.view((seat,)), seat, rng))
    return match


@each_case
@pytest.mark.parametrize("choose", [idly, greedily], ids=["idly", "greedily"])
def test_invariant_11_a_finished_state_leaves_no_requests(case: Case, choose: Choice) -> None:
    table = begin(case, 3)
    match = play(table, choose, Random(3), 400)
    if match.outcome is None:  # whoever only draws may go round for ever
        match = play(table, at_random, Random(4))
    check_ended(match)


@each_case
def test_invariant_11_nor_does_one_that_was_given_up_or_broken_off(case: Case) -> None:
    for seed in range(3):
        table = begin(case, seed)
        play(table, at_random, Random(seed), 10 * seed)
        if table.match.outcome is None:
            table.resign(seed % case[1])
        check_ended(table.match)
