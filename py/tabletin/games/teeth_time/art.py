"""The cards of Teeth Time as SVG: 52 teeth as TT-17 teaches them, nine face cards, the back.

Colour is always doubled: by a letter, by the bracket around the index (the dentist's chart sign of a quadrant), by the
place in the smile, by words. It knows faces and tokens, never a game's state.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from tabletin.board.svg import (
    Markup,
    back_frame,
    circle,
    fan,
    fill,
    group,
    lettering,
    num,
    paint,
    path,
    polygon,
    regular,
    sheet,
    tin_lid,
    words_in,
)
from tabletin.games.teeth_time.anatomy import COLOURS, TEETH, Tooth
from tabletin.games.teeth_time.cards import FACE_CARDS
from tabletin.games.teeth_time.face_cards import face_card, in_lines, size_that_fits, small_face_card
from tabletin.games.teeth_time.mouth import MOUTH_VIEWBOX, mouth
from tabletin.games.teeth_time.tooth_shapes import drawing, height
from tabletin.words import SOURCE

__all__ = ["FACES", "MOUTH_VIEWBOX", "TEETH", "VIEWBOX", "back", "figure", "front", "lid", "mouth", "name", "small_front",
           "smile"]

VIEWBOX: Final = (250, 350)
FACES: Final = (*TEETH, *FACE_CARDS)

CX: Final = 125
CY: Final = 186
LETTER_SIZES: Final = (40, 30)  # of the letter of a colour beside a figure; where two stand for it
MILLIMETRE: Final[Mapping[bool, float]] = MappingProxyType({True: 8.6, False: 6.7})
"""Units a millimetre: primary teeth (True) are drawn a little larger than life beside permanent ones."""

BRACKETS: Final[Mapping[str, str]] = MappingProxyType({
    "r": "M18 88H79V22", "b": "M84 88H23V22", "y": "M84 22H23V88", "g": "M18 22H79V88",
})
"""The chart sign of a quadrant around the index, seen from in front of the patient."""


@cache
def front(face: str, language: str = SOURCE) -> Markup:
    """The inner markup of a face, with its words in ``language``. Raises ``KeyError`` for no face."""
    if face in FACE_CARDS:
        return sheet(*VIEWBOX) + face_card(face, language)
    tooth = TEETH[face]
    colour, words = COLOURS[tooth.colour], words_in(language)
    kind, below = words.text(tooth.name_key), _below(tooth, language)
    return (sheet(*VIEWBOX) + figure(tooth.place, colour) + _standing(tooth)
            + index(tooth, language, 14, 132, _letter_size(tooth, language)) + smile(tooth)
            + lettering(kind, CX, 310, size_that_fits(kind, 28), f"{colour}-ink")
            + lettering(below, CX, 334, size_that_fits(below, 20), "ink-quiet", weight=500))


@cache
def small_front(face: str, language: str = SOURCE, *, named: bool = True) -> Markup:
    """The same for a card that lies small: the name alone, in up to two lines as large as there is width for. ``named``: False
    where other cards lie over it, so that it would be cut off; the picture is larger then. Raises ``KeyError`` for no face.
    """
    if face in FACE_CARDS:
        return sheet(*VIEWBOX) + small_face_card(face, language, named=named)
    tooth = TEETH[face]
    colour = COLOURS[tooth.colour]
    picture = figure(tooth.place, colour) + _standing(tooth)
    scale, y = (1.0, CY - 4) if named else (1.14, 216)
    placed = group(picture, f'transform="translate({CX} {num(y)}) scale({num(scale)}) translate({-CX} {-CY})"')
    words = in_lines(words_in(language).text(tooth.name_key), 34, 321, 32, f"{colour}-ink") if named else ""
    return sheet(*VIEWBOX) + placed + index(tooth, language, 14, 132, _letter_size(tooth, language)) + smile(tooth) + words


@cache
def cut_front(face: str, language: str = SOURCE) -> Markup:
    """A tooth on a card cut short to 200 × 216: a large index, the place in the smile, the tooth in its figure. Raises
    ``KeyError`` for no tooth."""
    tooth = TEETH[face]
    picture = group(figure(tooth.place, COLOURS[tooth.colour]) + _standing(tooth),
                    f'transform="translate(132 142) scale(.7) translate({-CX} {-CY})"')
    return (picture + group(smile(tooth), 'transform="translate(26 4) scale(.68)"')
            + group(index(tooth, language, 15, 134, _letter_size(tooth, language)), 'transform="translate(-8 -10) scale(1.12)"'))


def _letter_size(tooth: Tooth, language: str) -> int:
    """The size of the letter of its colour, so that it does not lie over the figure."""
    return LETTER_SIZES[len(words_in(language).text(f"teeth_time.art.mark.{COLOURS[tooth.colour]}")) > 1]


def _below(tooth: Tooth, language: str) -> str:
    """The second line of words: which of the two dentitions, which quadrant."""
    words = words_in(language)
    return words.text(f"teeth_time.art.below.{'primary' if tooth.primary else 'permanent'}",
                      quadrant=words.text(tooth.quadrant_key))


def figure(sides: int, colour: str) -> Markup:
    """The figure of ``sides`` sides behind a tooth: 1 a circle, 2 a lens, 3 a triangle … 8 an octagon."""
    if sides == 1:
        return circle(CX, CY, 84, fill(colour))
    if sides == 2:
        side = "A110 110 0 0 1"
        return path(f"M{CX} {CY - 98}{side} {CX} {CY + 98}{side} {CX} {CY - 98}z", fill(colour))
    radius, drop = {3: (112, 26), 4: (108, 0), 5: (96, 6)}.get(sides, (91, 0))
    return polygon(regular(sides, CX, CY + drop, radius), fill(colour))


def _standing(tooth: Tooth) -> Markup:
    """The tooth in the middle of its figure, turned for its quadrant."""
    rank, scale = tooth.face[1], MILLIMETRE[tooth.primary]
    root, crown = height(rank, tooth.jaw)
    flip_x, flip_y = (1 if tooth.side == "right" else -1), (1 if tooth.jaw == "upper" else -1)
    y = CY + flip_y * (root - crown) / 2 * scale
    return group(drawing(rank, tooth.jaw, scale),
                 f'transform="translate({CX} {num(y)}) scale({flip_x} {flip_y})"')


def index(tooth: Tooth, language: str, x: float, y: float, size: float) -> Markup:
    """The rank in its bracket; at (``x``, ``y``) the letter of its colour, to be read on a card of a hand on a phone."""
    colour = COLOURS[tooth.colour]
    ink, letter = f"{colour}-ink", words_in(language).text(f"teeth_time.art.mark.{colour}")
    rank = lettering(tooth.face[1], 47 if tooth.side == "right" else 55, 77, 66, ink)
    mark = f'<tspan x="{num(x)}" y="{num(y)}" font-size="{num(size)}" text-anchor="start">{letter}</tspan></text>'
    return (rank.removesuffix("</text>") + mark
            + path(BRACKETS[tooth.colour], f'fill="none" stroke="{paint(ink)}" stroke-width="5"'))


def smile(tooth: Tooth) -> Markup:
    """An open mouth from in front with the place of the tooth marked."""
    each = 5 if tooth.primary else 8
    side = -1 if tooth.side == "right" else 1
    x = side * (tooth.place - 0.5) / each
    wide, y = (47, -17 + 10 * (1 - x * x)) if tooth.jaw == "upper" else (38, 14 * (1 - x * x) - 1)
    row = (f'stroke="{paint("tooth")}" pathLength="{2 * each}" stroke-dasharray=".84 .16" '
           'stroke-dashoffset="-.08"')
    mouth = (path("M-56-26Q0-8 56-26Q48 32 0 32Q-48 32-56-26z",
                  f'fill="{paint("gum-ink")}" stroke="{paint("gum")}" stroke-width="5"')
             + path("M-47-17Q0 3 47-17", f'{row} stroke-width="12"')
             + path("M-38-1Q0 27 38-1", f'{row} stroke-width="11"'))
    mark = circle(x * wide, y, 8, f'{fill(COLOURS[tooth.colour], 3)}')
    return group(mouth + mark, 'transform="translate(177 54)" fill="none"')


@cache
def back() -> Markup:
    """The back: a molar in a ring of the four colours."""
    ring = "".join(
        path("M0-86A86 86 0 0 1 86 0", f'stroke="{paint(COLOURS[colour])}" transform="rotate({turn})"')
        for colour, turn in (("b", 0), ("y", 90), ("g", 180), ("r", 270)))
    tooth = group(drawing("6", "upper", 6.4), 'transform="translate(0 17)"')
    lines = f'fill="none" stroke-width="12" transform="translate({CX} 175)"'
    return back_frame(*VIEWBOX, "enamel", group(
        circle(0, 0, 91, f'fill="{paint("cream")}" stroke="{paint("cream")}"') + ring + tooth, lines))


@cache
def lid(game: str = "teeth-time", language: str = SOURCE) -> Markup:
    """The tin's lid: a tooth of each quadrant about the Tooth Fairy."""
    return tin_lid("enamel", fan([front(f, language) for f in ("rA", "b3", "fairy", "y6", "g5")], VIEWBOX, 74, 10))


def name(face: str) -> tuple[str, dict[str, str]]:
    """The catalogue key and parameters of a card's alternative text, for ``Wording.face``."""
    if face in FACE_CARDS:
        return f"teeth_time.art.face.{face}", {}
    tooth = TEETH[face]
    colour = f"teeth_time.art.colour.{COLOURS[tooth.colour]}"
    return "teeth_time.art.card", {"rank": face[1], "colour": colour, "name": tooth.name_key,
                                   "quadrant": tooth.quadrant_key}


def short_name(face: str) -> tuple[str, dict[str, str]]:
    """The same without what a tooth teaches, for sentences that name several cards: "red 2, red 2 and Bridge"."""
    key, params = name(face)
    if face in FACE_CARDS:
        return key, params
    return "teeth_time.board.tooth", {"rank": params["rank"], "colour": params["colour"]}
