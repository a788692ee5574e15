"""Figures of the rulebook: TooTs in stacks, as they lie on the table."""

from __future__ import annotations

import re
from typing import Final

from tabletin.board.figures import FigurePiece
from tabletin.board.scene import Rect
from tabletin.games.toot import art
from tabletin.games.toot.arrangement import FaceNode
from tabletin.games.toot.board_stacks import STRIP, TootStack, drawing, lines, number_cards
from tabletin.words import SOURCE

WIDTH: Final = float(art.VIEWBOX[0])
APART: Final = 90.0
WORD: Final = re.compile(r"[()]|[\w+=]+")


def figure_pieces(text: str, game: str, language: str = SOURCE) -> list[FigurePiece]:
    """``2(purple red+blue) X=1(green)``: each stack as its tree, the TooTs under a number in brackets, the undermost first.
    Cards have their words in ``language``."""
    words = WORD.findall(text)
    found: list[FigurePiece] = []
    x = 0.0
    stacks = []
    while words:
        node, faces = number_cards(_node(words))
        stacks.append((TootStack(tuple(lines(node))), faces))
    highest = max(stack.size(WIDTH, STRIP)[1] for stack, _ in stacks)
    for stack, faces in stacks:
        wide, high = stack.size(WIDTH, STRIP)
        for lie in stack.lies(Rect(x, highest - high, wide, high), WIDTH, STRIP, 0):
            face = faces[lie.card]
            found.append(FigurePiece(face, drawing(face, lie.stated_face, language).markup, lie.x, lie.y))
        x += wide + APART
    return found


def _node(words: list[str]) -> FaceNode:
    """The first TooT of ``words``, which are used up."""
    pieces = []
    for piece in words.pop(0).split("+"):
        face, _, stated = piece.partition("=")
        pieces.append((face, stated or None))
    children = []
    if words and words[0] == "(":
        words.pop(0)
        while words[0] != ")":
            children.append(_node(words))
        words.pop(0)
    return tuple(pieces), tuple(children)
