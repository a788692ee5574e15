"""Figures of real pieces: where each lies, and the whole as one picture. Pure.

A family whose pieces do not simply lie in rows has a module ``figures`` with ``laid(text, game) -> list[FigurePiece]``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

MARGIN: Final = 4.0


@dataclass(frozen=True, slots=True)
class FigurePiece:
    """A piece of a figure: its face, its drawing, its centre in the units of the drawing, degrees clockwise."""

    face: str
    markup: str
    x: float
    y: float
    turn: float = 0.0


def picture(pieces: Sequence[FigurePiece], size: tuple[float, float]) -> tuple[str, float, float]:
    """The markup of ``pieces``, drawn ``size`` large each, in order; how wide and how high it is."""
    width, height = size
    boxes = [_box(piece, size) for piece in pieces]
    left, top = min(box[0] for box in boxes) - MARGIN, min(box[1] for box in boxes) - MARGIN
    wide, high = max(box[2] for box in boxes) - left + MARGIN, max(box[3] for box in boxes) - top + MARGIN
    drawn = "".join(
        f'<g transform="translate({piece.x - left:g} {piece.y - top:g}) rotate({piece.turn:g}) '
        f'translate({-width / 2:g} {-height / 2:g})">{piece.markup}</g>' for piece in pieces)
    return drawn, wide, high


def _box(piece: FigurePiece, size: tuple[float, float]) -> tuple[float, float, float, float]:
    turn = radians(piece.turn)
    across = (abs(size[0] * cos(turn)) + abs(size[1] * sin(turn))) / 2
    down = (abs(size[0] * sin(turn)) + abs(size[1] * cos(turn))) / 2
    return piece.x - across, piece.y - down, piece.x + across, piece.y + down
