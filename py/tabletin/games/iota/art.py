"""The pieces of Iota as SVG: 64 cards of colour, shape and number, the wild, the back.

It knows faces and the design tokens. It never knows a state, a seat or a browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from tabletin.board.svg import (
    RADIUS,
    Markup,
    Point,
    back_frame,
    circle,
    fill,
    group,
    lettering,
    paint,
    path,
    place,
    rect,
    sheet,
    tin_lid,
    words_in,
)
from tabletin.words import SOURCE

VIEWBOX: Final = (240, 240)

COLOURS: Final[Mapping[str, str]] = MappingProxyType({"r": "red", "g": "green", "b": "blue", "y": "yellow"})
SHAPES: Final[Mapping[str, str]] = MappingProxyType(
    {"c": "circle", "s": "square", "t": "triangle", "x": "cross"})
FACES: Final = (*(c + s + n for c in COLOURS for s in SHAPES for n in "1234"), "wild")

INDEX: Final = 70  # of number and letter: on the smallest card of a full table on a phone they are still read
LONG_MARK: Final = 0.72  # … a mark of two letters, which leaves the shape alone
SMALL_INDEX: Final = 112  # … where a card is so small that nothing else would be
CX: Final = 120
CY: Final = 131

OUTLINES: Final[Mapping[str, str]] = MappingProxyType({
    "c": "M-78 0a78 78 0 1 0 156 0a78 78 0 1 0-156 0z",
    "s": "M-68-68H68V68H-68z",
    "t": "M0-108L100 68H-100z",
    "x": "M-30-90H30V-30H90V30H30V90H-30V30H-90V-30H-30z",
})
"""The four shapes about (0, 0), weighing the same to the eye: 17 600 to 19 100 square units."""

PIPS: Final[Mapping[str, tuple[tuple[Point, ...], ...]]] = MappingProxyType({
    "c": (((0, 0),), ((-32, 0), (32, 0)), ((0, -34), (-33, 23), (33, 23)),
          ((-30, -30), (30, -30), (-30, 30), (30, 30))),
    "s": (((0, 0),), ((-32, 0), (32, 0)), ((0, -31), (-33, 26), (33, 26)),
          ((-30, -30), (30, -30), (-30, 30), (30, 30))),
    "t": (((0, 10),), ((-30, 24), (30, 24)), ((0, -28), (-35, 34), (35, 34)),
          ((0, -32), (-52, 38), (0, 38), (52, 38))),
    "x": (((0, 0),), ((-57, 0), (57, 0)), ((0, -57), (-57, 0), (57, 0)),
          ((0, -57), (-57, 0), (57, 0), (0, 57))),
})
"""Where the pips of a number stand on each shape."""


@cache
def front(face: str, language: str = SOURCE) -> Markup:
    """The inner markup of a face, its colour mark in ``language``. Raises ``KeyError`` for no face."""
    if face == "wild":
        return _wild()
    if face not in FACES:
        raise KeyError(face)
    colour, shape, number = COLOURS[face[0]], face[1], int(face[2:])
    mark = words_in(language).text(f"iota.art.mark.{colour}")
    size = INDEX if len(mark) == 1 else INDEX * LONG_MARK
    pip = "paper" if colour != "yellow" else "yellow-ink"
    dots = "".join(circle(x, y, 16.5) for x, y in PIPS[shape][number - 1])
    figure = path(OUTLINES[shape], fill(colour, 5)) + group(dots, f'fill="{paint(pip)}"')
    return (sheet(*VIEWBOX) + group(figure, f'transform="translate({CX} {CY + 8}) scale(.94)"')
            + lettering(str(number), 13, 62, INDEX, f"{colour}-ink", anchor="start")
            + lettering(mark, 227, 62 - 0.7 * (INDEX - size), size, f"{colour}-ink", anchor="end"))


@cache
def small_front(face: str, language: str = SOURCE) -> Markup:
    """A face for a card that lies so small that its pips and marks could not be read: number and colour mark large, the shape
    below them, on paper tinted in the colour."""
    if face == "wild":
        return _wild()
    colour, shape, number = COLOURS[face[0]], face[1], face[2:]
    mark = words_in(language).text(f"iota.art.mark.{colour}")
    size = SMALL_INDEX if len(mark) == 1 else SMALL_INDEX * LONG_MARK
    return (sheet(*VIEWBOX) + rect(8, 8, 224, 224, RADIUS - 6, f'fill="{paint(f"{colour}-soft")}"')
            + path(OUTLINES[shape], f'{fill(colour, 5)} transform="translate({CX} 170) scale(.64)"')
            + lettering(number, 20, 98, SMALL_INDEX, f"{colour}-ink", anchor="start")
            + lettering(mark, 222, 98, size, f"{colour}-ink", anchor="end"))


def _wild() -> Markup:
    """A quarter of each shape in its own colour about one star: whatever is wanted, worth nothing."""
    quarters = "".join(
        path(d, f'fill="{paint(colour)}"') for colour, d in (
            ("red", "M-4-4H-84A80 80 0 0 1-4-84z"),
            ("yellow", "M4-4V-76H76V-4z"),
            ("blue", "M-4 4H-46L-90 80H-4z"),
            ("green", "M4 4H86V38H40V84H4z")))
    figure = group(quarters, f'transform="translate({CX} {CY - 6})" stroke="{paint("cream")}" '
                             'stroke-width="4" stroke-linejoin="round"')
    field = rect(9, 9, 222, 222, RADIUS - 7, f'fill="{paint("ink")}"')
    return sheet(*VIEWBOX) + field + figure + lettering("0", 17, 66, INDEX, "cream", anchor="start")


@cache
def back() -> Markup:
    """The back: the four shapes in outline, three by three."""
    order = "csttxcxsc"
    small = ""
    for i, shape in enumerate(order):
        x, y = 64 + 56 * (i % 3), 64 + 56 * (i // 3) + (4 if shape == "t" else 0)
        small += path(OUTLINES[shape], f'transform="translate({x} {y}) scale(.22)"')
    return back_frame(*VIEWBOX, "blue-ink", group(
        small, f'fill="none" stroke="{paint("cream")}" stroke-width="22" stroke-linejoin="round"'))


LOT: Final[Mapping[Point, str]] = MappingProxyType({
    (-1.5, 0): "bc1", (-0.5, 0): "gs2", (0.5, 0): "rt3", (1.5, 0): "yx4", (0.5, -1): "bt3", (0.5, 1): "yt3",
    (-1.5, 1): "bx1",
})
"""A lot with what crosses it, in steps of a card about the middle."""


@cache
def lid(game: str = "iota", language: str = SOURCE) -> Markup:
    """The tin's lid: a lot of four on the table, and the lines that cross it."""
    cards = "".join(place(front(face, language), VIEWBOX, 160 + 54 * x, 100 + 54 * y, 51) for (x, y), face in LOT.items())
    return tin_lid("blue-ink", cards)


def name(face: str) -> tuple[str, dict[str, str]]:
    """The catalogue key and parameters of a face's alternative text, for ``Wording.face``."""
    if face == "wild":
        return "iota.art.wild", {}
    return "iota.art.card", {"colour": f"iota.art.{COLOURS[face[0]]}", "shape": f"iota.art.{SHAPES[face[1]]}",
                             "number": face[2:]}
