"""Two moves compared in imagined worlds: the sums are right, better is better, and nothing hidden is used."""

from __future__ import annotations

from random import Random
from statistics import stdev
from types import SimpleNamespace
from typing import Any

import pytest

from tabletin.bots.arena import play
from tabletin.bots.comparison import Comparison, compare, lead
from tabletin.bots.decision import Position
from tabletin.kernel.faces import Faces
from tabletin.kernel.match import View
from tabletin.registry import GAMES
from tests.support.examples import MANY_HANDS, ONE_DEAL, short


def test_a_comparison_adds_up() -> None:
    values = [3.0, -1.0, 0.0, 4.0]
    found = Comparison()
    for value in values[:2]:
        found = found.add_world(value)
    found = found.plus(Comparison().add_world(values[2]).add_world(values[3]))
    assert (found.worlds, found.mean, found.better, found.worse) == (4, 1.5, 2, 1)
    assert found.half == pytest.approx(1.96 * stdev(values) / 2)
    assert Comparison().half == Comparison().add_world(3.0).half == float("inf")


def test_a_lead_is_over_the_others_on_average_whichever_way_points_count() -> None:
    high: Any = SimpleNamespace(low_wins=False)
    low: Any = SimpleNamespace(low_wins=True)
    assert (lead(high, (10, 4, 6), 0), lead(high, (10, 4, 6), 1)) == (5, -4)
    assert (lead(low, (10, 4), 0), lead(low, (10, 4), 1), lead(high, (7,), 0)) == (-6, 6, 7)


def late_position(game: str, budget: float) -> Position:
    """A position of seat 0 near the end of a match, with several moves to choose from."""
    match = play(game, ("easy", "easy"), short(game), 3, 0.02)[0].match
    for entry in reversed(match.entries):
        if entry.statement.kind == "move" and entry.statement.body["seat"] == 0:
            view = match.view((0,), entry.index - 1)
            if len(list(view.moves(0))) > 2:
                return Position(view, 0, "hard", Random(1), budget)
    raise AssertionError("no choice in a whole match")


def test_points_now_beat_no_points() -> None:
    position = late_position(ONE_DEAL, 5.0)
    moves = list(position.view.moves(0))
    hard = GAMES[ONE_DEAL].module("bot").choose(position).move
    idle = next(move for move in moves if move[0] != hard[0])
    found = compare(Position(position.view, 0, "hard", Random(2), 0.3), hard, idle)
    assert found.worlds > 1 and found.mean > 0 and found.better > found.worse


def test_a_move_is_as_good_as_itself() -> None:
    position = late_position(MANY_HANDS, 0.2)
    move = next(iter(position.view.moves(0)))
    found = compare(position, move, move)
    assert found.worlds > 1 and (found.total, found.better, found.worse) == (0, 0, 0)


def test_only_the_seats_own_view_is_needed() -> None:
    """The position knows no other face than those the seat was shown: a hidden one would raise."""
    position = late_position(MANY_HANDS, 0.1)
    view = position.view
    own = Faces({card: face for card, face in view.faces.items()
                 if card in view.state.public or view.state.viewers.get(card, 0) & 1})
    assert dict(own) == dict(view.faces)
    one, other = list(view.moves(0))[:2]
    bare = Position(View(view.rules, view.state, (0,), own), 0, "hard", Random(1), 0.1)
    assert compare(bare, one, other).worlds > 1
