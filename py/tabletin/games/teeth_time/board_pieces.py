"""What lies on the table of Teeth Time as drawings: cards, their heads alone, wilds that stand for a tooth, the contract.

Drawings are cached, because the stage compares them by identity. The board decides who may see a face.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from tabletin.board.scene import Drawing
from tabletin.board.svg import LINE, Markup, circle, group, lettering, paint, path, rect, sheet
from tabletin.games.teeth_time import art
from tabletin.games.teeth_time.anatomy import TEETH
from tabletin.games.teeth_time.cards import RANK
from tabletin.games.teeth_time.face_cards import FIELDS, corner, cut_face_card
from tabletin.kernel.faces import Face

HEAD: Final = (250, 118)  # of a card of which only the top is shown
CHIP: Final = (120, 140)  # of one with its index alone, over room for what it counts
CUT: Final = (200, 216)  # of one without words, for a table with many
ROW: Final = 44  # units of the badge: a row, a cell, the words before them
CELL: Final = 31
WORDS: Final = 62  # at the least: as wide as the longest word of the language
LETTER: Final = 14
CELL_TEXT: Final = 25
TWO_LINES: Final = "two lines"  # what is said on a card: its name, and below it what kind it is or does
NAMED: Final = "named"  # … its name alone, where the other line would be too small
BARE: Final = "bare"  # … nothing, where other cards lie over the words, or all of them would be too small
LEAST_NAMED: Final = 57.0  # px of width from which the name can be read
LEAST_TWO_LINES: Final = 150.0  # px of width from which the second line can be read with ease
WHOLLY_SEEN: Final = 0.94  # of its width, from which no letter of its words is covered


def words_on(width: float, seen: float) -> str:
    """How much is said on a card ``width`` px wide of which ``seen`` px stay to be seen."""
    if seen < WHOLLY_SEEN * width or width < LEAST_NAMED:
        return BARE
    return NAMED if width < LEAST_TWO_LINES else TWO_LINES


@cache
def card(face: Face | None, language: str, rank: str = "", words: str = TWO_LINES) -> Drawing:
    """A whole card, or the back; ``rank``: what a wild stands for; ``words``: how much is said on it."""
    if face is None:
        markup = art.back()
    elif words == TWO_LINES:
        markup = art.front(face, language)
    else:
        markup = art.small_front(face, language, named=words == NAMED)
    return Drawing(markup + _stands_for(rank, 133), *art.VIEWBOX, shows=face)


@cache
def head(face: Face | None, language: str, rank: str = "") -> Drawing:
    """The top of a card, for a table with many: index, quadrant and place, or a face card's sign."""
    if face is None:
        inner = rect(10, 10, 230, 98, 9, f'fill="{paint("enamel")}"')
    elif face in RANK:
        tooth = TEETH[face]
        inner = art.index(tooth, language, 87, 70, 30) + art.smile(tooth)
    else:
        field, ink = FIELDS[face]
        inner = rect(10, 10, 230, 98, 9, f'fill="{paint(field)}"') + corner(face, ink)
    return Drawing(sheet(*HEAD) + inner + _stands_for(rank, 78), *HEAD, shows=face)


@cache
def chip(face: Face | None, language: str) -> Drawing:
    """A small card with its index or sign alone, in its upper half: below that it is said what it counts."""
    if face is None:
        inner = rect(7, 7, CHIP[0] - 14, CHIP[1] - 14, 9, f'fill="{paint("enamel")}"')
    elif face in RANK:
        inner = group(art.index(TEETH[face], language, 84, 70, 30), 'transform="translate(-6 -10)"')
    else:
        field, ink = FIELDS[face]
        inner = rect(7, 7, CHIP[0] - 14, CHIP[1] - 14, 9, f'fill="{paint(field)}"') \
            + group(corner(face, ink), 'transform="translate(8 -4)"')
    return Drawing(sheet(*CHIP) + inner, *CHIP, shows=face)


@cache
def cut(face: Face, language: str, rank: str = "") -> Drawing:
    """A card cut short, for a table with many: its index or sign as large as can be in a strip at its left that stays to be seen
    where others lie over it, and its picture beside that."""
    if face in RANK:
        inner = art.cut_front(face, language)
    else:
        field, _ = FIELDS[face]
        inner = rect(7, 7, CUT[0] - 14, CUT[1] - 14, 11, f'fill="{paint(field)}"') + cut_face_card(face)
    mark = circle(42, 166, 36, f'fill="{paint("tooth")}" stroke="{paint("brass")}" stroke-width="6"') \
        + lettering(rank, 42, 185, 54, "ink") if rank else ""
    return Drawing(sheet(*CUT) + inner + mark, *CUT, shows=face)


def _stands_for(rank: str, y: float) -> Markup:
    """The rank a wild stands for, in a round mark that stays to be seen in a strip."""
    if not rank:
        return ""
    return (circle(52, y - 8, 33, f'fill="{paint("tooth")}" stroke="{paint("brass")}" stroke-width="6"')
            + lettering(rank, 52, y + 9, 48, "ink"))


@cache
def badge(rows: tuple[tuple[str, int, tuple[tuple[str, str], ...]], ...]) -> Drawing:
    """The contract. A row: its word, how many cards it needs, its cells as (rank or "", "tooth", "wild" or "").

    A row that has what it needs turns green.
    """
    most = max(max(least, len(cells)) for _, least, cells in rows)
    words = max(WORDS, 12 + max(len(word) for word, _, _ in rows) * LETTER)
    size = (words + most * CELL + 14, len(rows) * ROW + 10)
    return Drawing(sheet(*size) + "".join(_row(row, 5 + at * ROW, words) for at, row in enumerate(rows)), *size,
                   corner="sign")


def _row(row: tuple[str, int, tuple[tuple[str, str], ...]], y: float, words: float) -> Markup:
    word, least, cells = row
    done = sum(bool(kind) for _, kind in cells) >= least
    out = lettering(word, 12, y + 31, 23, "green-ink" if done else "ink", anchor="start")
    for place in range(max(least, len(cells))):
        rank, kind = cells[place] if place < len(cells) else ("", "")
        x = words + 6 + place * CELL
        if kind:
            fill = "green-ink" if done else "ink" if kind == "wild" else "enamel"
            frame = f'fill="{paint(fill)}"' + (f' stroke="{paint("brass")}" stroke-width="3"' if kind == "wild" else "")
        else:
            frame = f'fill="none" stroke="{paint("piece-line")}" stroke-width="2" stroke-dasharray="4 3"'
        out += rect(x, y + 4, CELL - 4, ROW - 8, 5, frame)
        if rank:
            out += lettering(rank, x + (CELL - 4) / 2, y + 31, CELL_TEXT, "cream" if kind else "ink-quiet",
                             weight=700 if kind else 500)
    return out


@cache
def direction(step: int) -> Drawing:
    """Which way play goes round the table: clockwise for 1, the other way for -1. A table from above, its seats, and arrows from
    one to the next; the reader's own seat is at the bottom."""
    line = f'fill="none" stroke="{paint("enamel")}" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"'
    arrow = path("M-18.7 44.1A48 48 0 0 1-43.6 20M-46.4 34.5L-44.1 19.4L-29.6 24.7", line)
    arrows = "".join(group(arrow, f'transform="rotate({turn})"') for turn in (0, 90, 180, 270))
    seats = "".join(circle(x, y, 9, f'fill="{paint("enamel" if y > 0 else "ink-quiet")}"')
                    for x, y in ((0, 47), (-47, 0), (0, -47), (47, 0)))
    table = circle(0, 0, 25, f'fill="{paint("brass")}" stroke="{paint("ink")}" stroke-width="{LINE}"')
    return Drawing(sheet(120, 120) + group(arrows + seats + table, f'transform="translate(60 60) scale({step} 1)"'), 120, 120,
                   corner="sign")
