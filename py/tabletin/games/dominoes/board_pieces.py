"""Dominoes as pieces of the table: their cached drawings, how one is turned, how a hand of any size lies.

Drawings are cached, because the stage compares them by identity. The board decides who may see a face.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from tabletin.board.layout import Placement as Place
from tabletin.board.layout import fan
from tabletin.board.scene import Drawing, Rect
from tabletin.board.svg import circle, fill, group, lettering, num, paint, path, rect
from tabletin.games.dominoes import art
from tabletin.games.dominoes.layout import TilePlacement, reverse
from tabletin.games.dominoes.table import LaidTile
from tabletin.kernel.faces import Face

LEAST: Final = 30.0  # px: how narrow a domino of a hand may get before hands overlap
MOST: Final = 72.0
BESIDE_NEXT: Final = 8.0  # px between dominoes of a hand that have the room
GAP: Final = 4.0
LYING: Final = 270.0  # degrees: a domino's high half is left
WORTH_A_ROW: Final = 1.03  # how much larger dominoes have to be for one row more …
WORTH_LYING: Final = 1.1  # … and to lie on their sides, which they do only where they are smaller than …
ROOMY: Final = 40.0  # … so many px
WORTH_TURNING: Final = 1.35  # how much larger a hand that lay otherwise before has to be for all of it to be turned
CELL_UNITS: Final = 10  # of the drawing of a band in a cell
BAND: Final = 13.0  # of them: how wide its discs are
ARROW: Final = 'fill="none" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round"'
DARK: Final = 7  # whose colour is as dark as ink
TURNS: Final = {(0, 1): 0, (-1, 0): 90, (0, -1): 180, (1, 0): 270}  # by the way from high to low half


@cache
def drawing(face: Face | None) -> Drawing:
    """The drawing of ``face``, or of the back."""
    return Drawing(art.back() if face is None else art.front(face), *art.VIEWBOX, shows=face, corner="domino")


@cache
def band(length: int, turn: int, number: int | None, inner: int) -> Drawing:
    """Joins an end to where it goes on, ``length`` cells away in the direction ``turn``, in degrees: a band in the colour of
    ``inner``, the number that goes on, edged in ivory so that it stands out on a dark table too, with arrows; a disc at the end
    has ``number`` (None for nothing), one at the other ``inner``; for a blank it is blank, too."""
    reach, middle = length * CELL_UNITS, BAND / 2
    line = f'stroke="{paint("piece-line")}" stroke-width="1"'
    colour = fill(f"pip-{inner}", 1) if inner else f'fill="{paint("ivory-shade")}" {line}'
    strip = rect(middle, middle - 4.5, reach, 9, 4.5, f'fill="{paint("ivory")}" {line}') + \
        rect(middle, middle - 3, reach, 6, 3, f'{colour} opacity="0.75"')
    arrow = f'{ARROW} stroke="{paint("ivory" if inner == DARK else "ink")}"'
    arrows = "".join(path(f"M{num(middle + reach * at - 1.5)} {num(middle - 2.2)}l3 2.2l-3 2.2", arrow) for at in (0.4, 0.5, 0.6))
    discs = ""
    for x, shown in ((middle, number), (middle + reach, inner)):
        disc = circle(x, middle, middle - 0.5, f'fill="{paint("ivory")}" {line}')
        text = "" if not shown else lettering(str(shown), x, middle + 3, 8.5 if shown < 10 else 7.5, "ink")
        discs += group(disc + text, f'transform="rotate({-turn} {num(x)} {num(middle)})"')
    return Drawing(strip + arrows + discs, reach + BAND, BAND, corner="sign")


@cache
def star() -> Drawing:
    """What marks a matador."""
    markup = ('<circle cx="12" cy="12" r="11" fill="var(--brass)" stroke="var(--brass-ink)" stroke-width="1.5"/>'
              '<path d="M12 4l2.4 5 5.4.7-4 3.8 1 5.4-4.8-2.7-4.8 2.7 1-5.4-4-3.8 5.4-.7z" fill="var(--ivory)"/>')
    return Drawing(markup, 24, 24)


@cache
def wanted_half(number: int | None, *, held: bool) -> Drawing:
    """The half, pale, that an end of Matador asks for; a star where only a matador goes. It stands out where one is ``held``."""
    colour, strength = ("var(--accent-strong)", 0.75) if held else (paint("piece-line"), 0.4)
    edge = (f'fill="{paint("ivory")}" fill-opacity="0.5" stroke="{colour}" stroke-width="5" stroke-dasharray="12 9" '
            'stroke-linecap="round"')
    middle = art.CENTRE
    shown = group(star().markup, f'transform="translate({middle - 36} {middle - 36}) scale(3)"') if number is None else \
        art.half(number, middle)
    return Drawing(rect(5, 5, 110, 110, 16, edge) + group(shown, f'opacity="{strength}"'), 120, 120, corner="sign")


def rotation(laid: LaidTile, lie: TilePlacement) -> int:
    """How a domino is turned, in degrees: its drawing has the high half up."""
    return TURNS[lie.way if laid.inner >= laid.outer else reverse(lie.way)]


class HandRows(NamedTuple):
    """In how many ``rows`` a hand lies, how wide each domino is, and its turn in degrees: lying, its high half is left."""

    rows: int
    width: float
    turn: float

    @property
    def piece_width(self) -> float:
        """How wide each domino is drawn: no narrower than can be read, even where they overlap."""
        return max(LEAST, self.width)


def hand_rows(count: int, room: Rect, before: float | None = None) -> HandRows:
    """How a hand of ``count`` lies largest: upright, or on their sides where they are clearly larger so. A hand keeps the turn it
    had ``before``, unless that makes it much smaller."""
    upright = _largest(count, room, 0.0)
    lying = _largest(count, room, LYING)
    best, other = (lying, upright) if upright.width < ROOMY and lying.width > WORTH_LYING * upright.width else (upright, lying)
    keeps = other.turn == before and other.width >= max(LEAST, best.width / WORTH_TURNING)
    return other if keeps else best


def _largest(count: int, room: Rect, turn: float) -> HandRows:
    best = HandRows(1, 0.0, turn)
    for rows in range(1, 6):
        across, down = room.width / max(-(-count // rows), 1) - GAP, (room.height - 10) / rows - GAP
        width = min(MOST, across / 2, down) if turn else min(MOST, across, down / 2)
        if width > best.width * WORTH_A_ROW:
            best = HandRows(rows, width, turn)
    return best


def hand_lies(count: int, room: Rect, rows: HandRows) -> list[Place]:
    """Where the dominoes of a hand lie: apart in ``rows``, fanned where there are too many."""
    width, turn = rows.piece_width, rows.turn
    if rows.width < LEAST - 4:
        return fan(count, room, width, 2 * width)
    in_row = max(1, -(-count // rows.rows))
    lies = []
    for index in range(count):
        line, at = divmod(index, in_row)
        here = min(in_row, count - line * in_row)
        step = min((2 * width if turn else width) + BESIDE_NEXT, room.width / max(here, 1))
        x = room.centre[0] + (at - (here - 1) / 2) * step
        y = room.y + 6 + room.height * (line + 0.5) / rows.rows
        lies.append(Place(x, y, turn, index))
    return lies
