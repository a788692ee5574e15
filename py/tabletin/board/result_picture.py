"""A match's result as one picture to share: the game, who won, everybody's points.

Pure: a whole SVG document that needs no style sheet, no font file and no server. It shows only what stands on the page of the
result: names and points.
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
MOST_LINES: Final = 10
LETTER: Final = 0.56  # of its size, how wide a letter of the system's font is on average


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
    lid_width = 300.0
    lid_height = lid_width * high / wide
    top = MARGIN + max(lid_height, 250) + 40
    row = min(92.0, (SIDE - top - 110) / max(1, len(lines)))
    left = MARGIN + lid_width + 48
    room = SIDE - MARGIN - left
    parts = [
        f'<rect width="{SIDE}" height="{SIDE}" fill="{TABLE}"/>',
        f'<svg x="{MARGIN}" y="{MARGIN}" width="{lid_width:g}" height="{lid_height:g}" viewBox="0 0 {wide} {high}">{lid}</svg>',
        _text(left, MARGIN + 60, game, 46, room, QUIET),
        *(_text(left, MARGIN + 140 + 68 * number, words, 60, room, TEXT, strong=True)
          for number, words in enumerate(_broken(verdict, 60, room))),
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
            f'font-family="system-ui, sans-serif">{"".join(parts)}</svg>')


def _text(x: float, y: float, words: str, size: float, room: float, colour: str, *, strong: bool = False,
          anchor: str = "start") -> Markup:
    """A line of text, narrowed where it would be wider than ``room``."""
    fit = f' textLength="{room:.0f}" lengthAdjust="spacingAndGlyphs"' if _width(words, size) > room else ""
    weight = ' font-weight="700"' if strong else ""
    return (f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size:.0f}" fill="{colour}" text-anchor="{anchor}"{weight}{fit}>'
            f"{escape(words, quote=False)}</text>")


def _width(words: str, size: float) -> float:
    return len(words) * size * LETTER


def _broken(words: str, size: float, room: float) -> list[str]:
    """``words`` in two lines at most, broken between words."""
    if _width(words, size) <= room or " " not in words:
        return [words]
    breaks = [index for index, letter in enumerate(words) if letter == " "]
    at = min(breaks, key=lambda index: abs(index - len(words) / 2))
    return [words[:at], words[at + 1:]]
