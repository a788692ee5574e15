"""Tables for the tests of boards: matches played at random, who looks at them, and on what screens."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from random import Random
from typing import Any

from tabletin.board.board import Board
from tabletin.board.scene import Layout, Sight
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import GAMES, rules_of
from tabletin.words import load
from tabletin.words.wording import Wording

PHONE = Layout(360, 520, 16, touch=True)
LARGE_TEXT = Layout(390, 600, 32, touch=True)
DESK = Layout(940, 600)
SIDEWAYS = Layout(610, 338, 16, touch=True)  # a phone held so: its buttons stand beside the stage
LAYOUTS = (PHONE, LARGE_TEXT, DESK, SIDEWAYS)
WORDS = load()


def with_boards() -> list[str]:
    """The games that have a board."""
    return [game for game, entry in GAMES.items() if find_spec(f"tabletin.games.{entry.family}.board")]


def board_of(game: str) -> Board:
    found: Board = GAMES[game].module("board").board(game)
    return found


def seated(game: str, seats: int, seed: int, options: dict[str, Any] | None = None) -> Table:
    """A match of people only, dealt."""
    names = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo")
    setup = Setup(game, rules_of(game).version, options or {}, tuple(Seat("person", AUTHOR, name) for name in names[:seats]))
    return Table.begin(rules_of(game), setup, OpenDealer(Random(seed)))


def seat_counts(game: str) -> tuple[int, ...]:
    counts = rules_of(game).seat_counts
    return tuple(dict.fromkeys((counts[0], counts[-1])))


def sight(table: Table, seat: int | None, layout: Layout = PHONE) -> Sight:
    """What ``seat`` sees, or whoever looks on."""
    view = table.match.view(() if seat is None else (seat,))
    return Sight(view, Wording(WORDS, table.match.setup), layout, seat, tuple(range(table.match.rules.seats)))


def moments(game: str, seats: int, seed: int, most: int) -> Iterator[Table]:
    """The table of one match after every move of random play, ``most`` moves or to its end."""
    table = seated(game, seats, seed)
    rng = Random(seed)
    yield table
    for _ in range(most):
        acting = table.match.rules.to_act(table.match.state)
        if not acting:
            return
        seat = rng.choice(acting)
        table.move(seat, table.match.rules.random_move(table.match.state, seat, table.match.view((seat,)).faces, rng))
        yield table
