"""A match's result as one picture to share: the game, who won, everybody's points, and the cards of the best turn.

Pure: a whole SVG document that needs no style sheet and no server; the page puts its own faces into it. It shows only what
stands on the page of the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from tabletin.board.svg import LID, PAINTS, Markup

SIDE: Final = 1080
MARGIN: Final = 64
TABLE, PAPER, WON, CARD, TEXT, QUIET, LINE = "#e7dcc7", "#f8f2e6", "#fffcf5", "#fffdf7", "#2a241d", "#594e3f", "#17545a"
FONT: Final = "Atkinson Hyperlegible Next Variable, system-ui, sans-serif"
HEADLINES: Final = "Bricolage Grotesque Variable, Atkinson Hyperlegible Next Variable, system-ui, sans-serif"
MOST_LINES: Final = 10
SEATS: Final = ("red", "blue", "green", "yellow", "purple", "orange")
"""The colours of seats, as in web/styles/screens/new-match.css."""
HEAD, NOTE, FOOT = 216.0, 46.0, 122.0  # px: game and verdict; a line below; the tin and where it was played
WORDS: Final = 58.0  # px: the line above the best turn's cards
TIN: Final = 76.0  # px: how high the tin is at the foot
TALLEST_ROW, LEAST_BEST, TALLEST_CARD = 156.0, 250.0, 330.0
GAP: Final = 14.0  # px between cards, and between rows
FACE: Final = 100  # a face is drawn as wide and high
LETTER: Final = 0.6  # of its size, how wide a letter is on average, where it is strong


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One seat: its name, its points as text, whether it won; ``face``: its drawn face, "" for the first letter, in the colour
    ``colour`` of the seats."""

    name: str
    score: str
    has_won: bool
    face: Markup = ""
    colour: int = 0


@dataclass(frozen=True, slots=True)
class DrawnTurn:
    """The best turn: ``words`` about it, and its cards, each ``size`` wide and high."""

    words: str
    cards: Sequence[Markup]
    size: tuple[int, int]


def result_picture(game: str, verdict: str, note: str, lines: Sequence[ResultLine], best: DrawnTurn | None, lid: Markup,
                   foot: str) -> Markup:
    """The picture, ``SIDE`` px wide and high. ``game``: its name; ``verdict``: who won; ``note``: how, or ""; ``lid``: the
    drawing of its tin, large where there is no ``best`` turn to show; ``foot``: where it was played."""
    lines = list(lines)[:MOST_LINES]
    room, middle = SIDE - 2 * MARGIN, SIDE / 2
    head = HEAD + (NOTE if note else 0)
    row = min(TALLEST_ROW, (SIDE - head - FOOT - LEAST_BEST) / max(1, len(lines)))
    rows = row * len(lines)
    shown, high = _best(best, SIDE - head - FOOT - rows - 2 * GAP) if best is not None and best.cards else \
        _lid(lid, SIDE - head - FOOT - rows - 2 * GAP)
    spare = (SIDE - head - FOOT - rows - high) / 3  # between head, rows, cards and foot
    parts = [
        f'<rect width="{SIDE}" height="{SIDE}" fill="{TABLE}"/>',
        _text(middle, 92, game, 40, room, QUIET, anchor="middle"),
        _text(middle, 180, verdict, 84, room, TEXT, font=HEADLINES, anchor="middle"),
        _text(middle, 240, note, 34, room, QUIET, anchor="middle") if note else "",
    ]
    top = head + spare
    parts += [_row(line, top + number * row, row) for number, line in enumerate(lines)]
    parts.append(f'<g transform="translate(0 {top + rows + spare:.1f})">{shown}</g>')
    parts.append(_foot(lid, foot, small=best is not None and bool(best.cards)))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE}" height="{SIDE}" viewBox="0 0 {SIDE} {SIDE}" '
            f'font-family="{FONT}" style="--font-text:{FONT};--font-display:{HEADLINES}">{"".join(parts)}</svg>')


def _row(line: ResultLine, y: float, height: float) -> Markup:
    """A seat from ``y`` on, ``height`` px high: its face, its name, its points."""
    inner = height - GAP
    fill, edge = (WON, f' stroke="{LINE}" stroke-width="5"') if line.has_won else (PAPER, "")
    size, middle = min(54.0, inner * 0.5), y + inner / 2
    base, face = middle + size * 0.34, inner - 12
    colour = SEATS[line.colour % len(SEATS)]
    soft, ink = PAINTS[f"{colour}-soft"], PAINTS[f"{colour}-ink"]
    at = MARGIN + 16
    inside = line.face or _text(FACE / 2, FACE * 0.67, line.name[:1], 52, FACE, ink, strong=True, anchor="middle")
    disc, side = soft if not line.face else CARD, face * 0.88
    drawn = (f'<circle cx="{at + face / 2:.1f}" cy="{middle:.1f}" r="{face / 2:.1f}" fill="{disc}"/>'
             f'<g style="--seat:{soft};--seat-ink:{ink};--paper:{CARD}">'
             f"{_inset(at + (face - side) / 2, middle - side / 2, side, side, (FACE, FACE), inside)}</g>")
    start = at + face + 24
    panel = f'<rect x="{MARGIN}" y="{y:.1f}" width="{SIDE - 2 * MARGIN}" height="{inner:.1f}" rx="22" fill="{fill}"{edge}/>'
    return (panel + drawn + _text(start, base, line.name, size, SIDE - MARGIN - start - 230, TEXT, strong=line.has_won)
            + _text(SIDE - MARGIN - 30, base, line.score, size * 1.1, 200, TEXT, strong=True, anchor="end"))


def _best(best: DrawnTurn, height: float) -> tuple[Markup, float]:
    """The words and the cards of the best turn in ``height`` px at most, in the rows in which they are largest; and how high."""
    room, many = SIDE - 2 * MARGIN, len(best.cards)
    ratio = best.size[0] / best.size[1]

    def card_height(rows: int) -> float:
        columns = -(-many // rows)
        across = (room - GAP * (columns - 1)) / columns / ratio
        return min(across, (height - WORDS - GAP * (rows - 1)) / rows, TALLEST_CARD)

    rows = max(range(1, min(4, many) + 1), key=card_height)
    columns, high = -(-many // rows), card_height(rows)
    wide = high * ratio
    drawn = []
    for number, card in enumerate(best.cards):
        line, place = divmod(number, columns)
        here = min(columns, many - line * columns)
        x = (SIDE - here * wide - (here - 1) * GAP) / 2 + place * (wide + GAP)
        y = WORDS + line * (high + GAP)
        drawn.append(_inset(x, y, wide, high, best.size, card))
    return (_text(SIDE / 2, 32, best.words, 36, room, TEXT, anchor="middle") + "".join(drawn),
            WORDS + rows * high + (rows - 1) * GAP)


def _lid(lid: Markup, height: float) -> tuple[Markup, float]:
    """The tin in ``height`` px, in place of cards."""
    wide, high = LID
    height = min(height, (SIDE - 2 * MARGIN) * high / wide)
    width = height * wide / high
    return _inset((SIDE - width) / 2, 0, width, height, LID, lid), height


def _foot(lid: Markup, foot: str, *, small: bool) -> Markup:
    """Where it was played; beside its tin where that is not seen above."""
    wide, high = LID
    if not small:
        return _text(SIDE / 2, SIDE - 54, foot, 34, SIDE, QUIET, anchor="middle")
    width = TIN * wide / high
    start = (SIDE - width - GAP - len(foot) * 34 * LETTER) / 2
    return (_inset(start, SIDE - 66 - TIN / 2, width, TIN, LID, lid)
            + _text(start + width + GAP, SIDE - 54, foot, 34, SIDE, QUIET))


def _inset(x: float, y: float, width: float, height: float, box: tuple[int, int], inner: Markup) -> Markup:
    """A drawing that is ``box`` wide and high, at its place."""
    return (f'<svg x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" viewBox="0 0 {box[0]} {box[1]}">'
            f"{inner}</svg>")


def _text(x: float, y: float, words: str, size: float, room: float, colour: str, *, strong: bool = False,
          font: str = "", anchor: str = "start") -> Markup:
    """A line of text, smaller where it would be wider than ``room``; in the strong face of ``font``, where that is named."""
    size = min(size, room / (LETTER * max(1, len(words))))
    weight = f' font-weight="700"{f" font-family={chr(34)}{font}{chr(34)}" if font else ""}' if strong or font else ""
    return (f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size:.0f}" fill="{colour}" text-anchor="{anchor}"{weight}>'
            f"{escape(words, quote=False)}</text>")
