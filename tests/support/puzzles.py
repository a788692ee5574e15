"""Puzzles on a table of a test's own: the position by the game's own rules, and moves spelled with faces."""

from __future__ import annotations

from tabletin.app.session.plan import Place, Plan
from tabletin.board.guide import FixedDeal, in_cards
from tabletin.kernel.schema import Move
from tabletin.kernel.table import Table
from tabletin.puzzles.puzzle import Puzzle
from tabletin.words import load


def stand(puzzle: Puzzle) -> Table:
    """The position of ``puzzle`` by its game's own rules; its cards have the same handles as in a page."""
    plan = Plan(puzzle.game, [Place("me"), *(Place("hard") for _ in range(puzzle.seats - 1))], dict(puzzle.options))
    table = Table.begin(plan.rules, plan.setup(load()), FixedDeal(puzzle.deals, puzzle.rolls))
    for seat, do in puzzle.prelude:
        make(table, seat, do)
    return table


def make(table: Table, seat: int, do: Move) -> Move:
    """``seat`` makes the move that ``do`` spells with faces; the move with cards."""
    move = in_cards(table.match.view((seat,)), seat, do)
    assert move is not None, do
    table.move(seat, move)
    return move
