"""A match's result as one picture to share: the game, who won, everybody's points.

Pure: a whole SVG document that needs no style sheet and no server; the page puts its own faces into it. It shows only what
stands on the page of the result: names and points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from tabletin.board.svg import LID, Markup

SIDE: Final = 1080
MARGIN: Final = 72
TABLE, PAPER, WON, TEXT, QUIET, LINE = "#e7dcc7", "#f8f2e6", "#fffcf5", "#2a241d", "#594e3f", "#17545a"
FONTS: Final = "Atkinson Hyperlegible Next Variable, system-ui, sans-serif"
MOST_LINES: Final = 10
ROWS, WORDS, FOOT, TALLEST = 560.0, 160.0, 96.0, 520.0  # px: all lines, game and verdict, what stands below, the tin
LETTER: Final = 0.66  # of its size, how wide a letter of the system's font is on average, where it is strong


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One seat: its name, its points as text, whether it won."""

    name: str
    score: str
    has_won: bool


def result_picture(game: str, verdict: str, lines: Sequence[ResultLine], lid: Markup, foot: str) -> Markup:
    """The picture, ``SIDE`` px wide and high. ``game``: its name; ``verdict``: who won; ``lid``: the drawing of its tin;
    ``foot``: where it was played."""
    wide, high = LID
    lines = list(lines)[:MOST_LINES]
    row = min(92.0, ROWS / max(1, len(lines)))
    lid_height = min(TALLEST, SIDE - MARGIN - WORDS - row * len(lines) - FOOT)
    lid_width = lid_height * wide / high
    words_at = MARGIN + lid_height
    top = words_at + WORDS
    room, middle = SIDE - 2 * MARGIN, SIDE / 2
    parts = [
        f'<rect width="{SIDE}" height="{SIDE}" fill="{TABLE}"/>',
        f'<svg x="{middle - lid_width / 2:g}" y="{MARGIN / 2:g}" width="{lid_width:g}" height="{lid_height:g}" '
        f'viewBox="0 0 {wide} {high}">{lid}</svg>',
        _text(middle, words_at + 40, game, 40, room, QUIET, anchor="middle"),
        _text(middle, words_at + 112, verdict, 64, room, TEXT, strong=True, anchor="middle"),
    ]
    for number, line in enumerate(lines):
        y = top + number * row
        fill, edge = (WON, f' stroke="{LINE}" stroke-width="4"') if line.has_won else (PAPER, "")
        size = min(40.0, row * 0.46)
        base = y + row * 0.46 + size * 0.34
        parts.append(f'<rect x="{MARGIN}" y="{y:.0f}" width="{SIDE - 2 * MARGIN}" height="{row - 12:.0f}" rx="18" '
                     f'fill="{fill}"{edge}/>')
        parts.append(_text(MARGIN + 30, base, line.name, size, SIDE - 2 * MARGIN - 280, TEXT, strong=line.has_won))
        parts.append(_text(SIDE - MARGIN - 30, base, line.score, size, 200, TEXT, strong=True, anchor="end"))
    parts.append(_text(SIDE / 2, SIDE - 40, foot, 30, SIDE - 2 * MARGIN, QUIET, anchor="middle"))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE}" height="{SIDE}" viewBox="0 0 {SIDE} {SIDE}" '
            f'font-family="{FONTS}">{"".join(parts)}</svg>')


def _text(x: float, y: float, words: str, size: float, room: float, colour: str, *, strong: bool = False,
          anchor: str = "start") -> Markup:
    """A line of text, smaller where it would be wider than ``room``."""
    size = min(size, room / (LETTER * max(1, len(words))))
    weight = ' font-weight="700"' if strong else ""
    return (f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size:.0f}" fill="{colour}" text-anchor="{anchor}"{weight}>'
            f"{escape(words, quote=False)}</text>")
