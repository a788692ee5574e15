"""Figures of the rulebook: dominoes as they lie on a table, by the board's own layout."""

from __future__ import annotations

from tabletin.board.figures import FigurePiece
from tabletin.games.dominoes import art
from tabletin.games.dominoes.board_pieces import rotation
from tabletin.games.dominoes.layout_branching import BranchingLayout
from tabletin.games.dominoes.layout_line import LineLayout
from tabletin.games.dominoes.table import LEAD, LaidTile, opened_branching, opened_in_line
from tabletin.games.dominoes.tiles import HALVES
from tabletin.words import SOURCE

CELL = art.VIEWBOX[0] / 2


def figure_pieces(text: str, game: str, _language: str = SOURCE) -> list[FigurePiece]:
    """``6-6 6-5@0 5-5@4``: each domino with the place it was laid on (``table``), the first one led.

    It touches with the half that place asks for: the same number, in Matador what makes ten with it.
    """
    in_line = game == "matador"
    opened = opened_in_line if in_line else opened_branching
    table: list[LaidTile] = []
    ends: dict[int, int] = {}
    for word in text.split():
        face, _, at = word.partition("@")
        high, low = HALVES[face]
        place = int(at) if at else LEAD
        inner = low
        if place != LEAD:
            number = ends.pop(place)
            inner = next(half for half in (high, low) if half == (10 - number if in_line else number))
        table.append(LaidTile(len(table), place, inner, high + low - inner))
        ends |= opened(len(table) - 1, table[-1])
    faces = [word.partition("@")[0] for word in text.split()]
    lies = (LineLayout if in_line else BranchingLayout)(opened, (40.0, 20.0)).show(table)
    return [FigurePiece(face, art.front(face), lie.x * CELL, lie.y * CELL, rotation(one, lie))
            for face, one, lie in zip(faces, table, lies, strict=True)]
