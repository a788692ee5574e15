"""What a puzzle is, and what a family contributes to have one: positions, and a judgement of what was done in them. Pure.

A puzzle is data: a deal, the moves that lead to the position, and the answer; cards are spelled as faces. The position stands
on the game's own table, by its own rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from tabletin.kernel.match import Match
from tabletin.kernel.schema import Move
from tabletin.puzzles.dice import Dice
from tabletin.registry import GAMES

ME: Final = 0  # the seat that solves
STARS: Final = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position of ``game`` in which ``ME`` is to move, and the one best ``answer``, move by move.

    ``deals``: for each shuffle the faces that come first; ``rolls``: of the die, in order. ``prelude``: who moved how until the
    position stood there. ``best``: what the answer is worth, in what the family counts. ``stars``: how hard it is.
    """

    game: str
    seats: int
    deals: tuple[str, ...]
    prelude: tuple[tuple[int, Move], ...]
    answer: tuple[Move, ...]
    best: int
    stars: int
    rolls: tuple[int, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer is worth. ``say``: its words below ``puzzle.`` in the game's section, with ``params``; of an answer that
    is not the best they say what was missing."""

    is_best: bool
    say: str
    params: Mapping[str, Any] = field(default_factory=dict)


class PuzzleMaker(ABC):
    """Makes and judges the puzzles of one game. ``opens_hands``: the hands of the others are shown beside the table.

    The words ``title``, ``goal`` and those of verdicts stand below ``puzzle.`` in the game's section of the catalogue.
    """

    opens_hands: ClassVar[bool] = False

    @abstractmethod
    def attempt(self, dice: Dice, stars: int) -> Puzzle | None:
        """A puzzle as hard as ``stars`` says, if this throw of ``dice`` gives one. Each attempt is short."""

    @abstractmethod
    def judge(self, puzzle: Puzzle, match: Match, start: int) -> Verdict | None:
        """What was done in ``match`` since its entry ``start`` is worth; None while more is to be done."""

    def reply(self, puzzle: Puzzle, match: Match, seat: int) -> Move | None:
        """What ``seat``, another than ``ME``, does now; None to do nothing."""
        return None


def makers() -> dict[str, PuzzleMaker]:
    """Who makes the puzzles of which game, in the order of the shelf."""
    return {game: maker_of(game) for game in puzzle_games()}


def puzzle_games() -> tuple[str, ...]:
    """The games that have puzzles, in the order of the shelf. It imports none of them."""
    return tuple(game for game, entry in GAMES.items() if game in entry.home.puzzles)


def maker_of(game: str) -> PuzzleMaker:
    """Who makes the puzzles of ``game``. Raises ``KeyError`` for a game without."""
    found: PuzzleMaker = GAMES[game].declaration("puzzle", "PUZZLES", {})[game]
    return found
