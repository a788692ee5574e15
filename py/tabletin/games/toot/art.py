"""The cards of the four TooT games as SVG: six colours, four numbers, the X, the back.

A whistle stands for one TooT: a secondary colour has one, a number as many as it covers, a primary half one.
Shapes mix as colours do: red square and blue circle give the purple arch. It never knows a game's state.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from tabletin.board.svg import (
    LINE,
    RADIUS,
    Markup,
    back_frame,
    circle,
    fan,
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

VIEWBOX: Final = (250, 350)
PRIMARY: Final = ("red", "yellow", "blue")
COLOURS: Final = (*PRIMARY, "purple", "orange", "green")
FACES: Final = ("1", "2", "3", "4", "X", *COLOURS)

SHAPES: Final[Mapping[str, str]] = MappingProxyType({
    "red": "M-66-66H66V66H-66z",
    "yellow": "M0-88L88 66H-88z",
    "blue": "M-74 0a74 74 0 1 0 148 0a74 74 0 1 0-148 0z",
    "purple": "M-62 78V-16A62 62 0 0 1 62-16V78z",
    "orange": "M0-90L76-30H62V76H-62V-30H-76z",
    "green": "M0-102L56-4A64 64 0 1 1-56-4z",
})
"""Square, triangle, circle, and what two of them make: arch, house, drop; about (0, 0)."""

WHISTLE: Final = "M-13-9V-24A13 13 0 0 1 13-24V-9zM-13-1H13L9 11H4V26H-4V11H-9z"
"""A steam whistle: the bell above the gap, the bowl and its pipe below, 26 wide and 63 high."""

STEAM: Final = "M-17-7L-23-11V-5L-17-4zM17-7L23-11V-5L17-4z"
"""What comes out of the gap."""


@cache
def front(face: str, language: str = SOURCE) -> Markup:
    """The inner markup of a face, colours named in ``language``. Raises ``KeyError`` for no face."""
    if face not in FACES:
        raise KeyError(face)
    if face in COLOURS:
        return _colour(face, language)
    return _number(face) if face != "X" else _wild()


def _colour(colour: str, language: str) -> Markup:
    words = words_in(language)
    field = rect(11, 11, 228, 328, 10, f'fill="{paint(f"{colour}-soft")}"')
    figure = path(SHAPES[colour], 'transform="translate(125 168)"')
    index = path(SHAPES[colour], f'transform="translate(204 52) scale(.33)" stroke-width="{LINE * 3}"')
    mark = words.text(f"toot.art.mark.{colour}")
    return (sheet(*VIEWBOX) + field + group(figure + index, fill(colour))
            + lettering(mark, 22, 70, 58, f"{colour}-ink", anchor="start")
            + lettering(words.text(f"toot.art.{colour}"), 24, 322, 40, f"{colour}-ink", anchor="start")
            + _whistles(1, 212, 296, 0.8, f"{colour}-ink", half=colour in PRIMARY))


def _number(number: str) -> Markup:
    """A locomotive's number plate, and under it the whistles of the TooTs it covers."""
    rim = circle(125, 158, 92, f'fill="{paint("brass")}"')
    disc = circle(125, 158, 78, f'fill="{paint("enamel")}"')
    plate = group(rim + disc, f'stroke="{paint("brass-ink")}" stroke-width="{LINE}"')
    return (sheet(*VIEWBOX) + plate + lettering(number, 125, 204, 132, "cream", font="display")
            + lettering(number, 22, 66, 62, "ink", anchor="start")
            + _whistles(int(number), 125, 298, 0.86, "enamel-deep"))


def _wild() -> Markup:
    """An X with an arm of each kind of colour on black: any card, once it is said which."""
    arms = "".join(
        rect(-17, 0, 34, 92, 8, f'fill="{paint(colour)}" transform="translate(125 160) rotate({turn})"')
        for colour, turn in (("red", 140), ("yellow", 220), ("blue", 320), ("green", 40)))
    hub = circle(125, 160, 24, f'fill="{paint("cream")}"')
    return (sheet(*VIEWBOX) + rect(11, 11, 228, 328, 10, f'fill="{paint("ink")}"')
            + group(arms + hub, f'stroke="{paint("cream")}" stroke-width="{LINE}"')
            + lettering("X", 24, 70, 62, "cream", anchor="start")
            + _whistles(1, 125, 300, 0.8, "cream"))


def _whistles(count: int, x: float, y: float, scale: float, colour: str, *, half: bool = False) -> Markup:
    """``count`` whistles side by side about (x, y); half of one is only outlined on its right side."""
    step = 54
    if half:
        inner = (path(WHISTLE, f'fill="none" stroke="{paint(colour)}" stroke-width="3"')
                 + path("M0-37A13 13 0 0 0-13-24V-9H0zM-13-1H0V26H-4V11H-9z"))
    else:
        inner = "".join(path(WHISTLE + STEAM, f'transform="translate({step * i - step * (count - 1) / 2:g})"')
                        for i in range(count))
    return group(inner, f'fill="{paint(colour)}" transform="translate({x:g} {y:g}) scale({scale:g})"')


@cache
def back() -> Markup:
    """The back: a locomotive coming towards you."""
    line = (f'fill="none" stroke="{paint("cream")}" stroke-width="{LINE}" stroke-linejoin="round" '
            'stroke-linecap="round"')
    boiler = "".join(circle(125, 190, r) for r in (58, 45, 7)) + path("M125 183V150M131 194L152 207")
    chimney = path("M108 132V112H142V132M102 112H148L154 98H96z")
    steam = path("M125 80a13 13 0 1 1 6-25a17 17 0 0 1 31-7a12 12 0 1 1 6 22h-26")
    beam = rect(55, 252, 140, 22, 4) + circle(76, 263, 5) + circle(174, 263, 5)
    plough = path("M88 274L70 304H180L162 274M104 274L97 304M125 274V304M146 274L153 304")
    sides = path("M72 252V214M178 252V214")
    return back_frame(*VIEWBOX, "red-ink", group(boiler + chimney + steam + beam + plough + sides, line))


@cache
def lid(game: str, language: str = SOURCE) -> Markup:
    """The lid of a game's tin: numbers that climb, a die beside a stack, a TooT growing, seven cards at once."""
    if game == "toot-progressive":
        return tin_lid("red-ink", "".join(
            place(front(face, language), VIEWBOX, 67 + 62 * i, 122 - 15 * i, 74) for i, face in enumerate("1234")))
    if game == "toot-fluke":
        cards = fan([front(face, language) for face in ("blue", "2", "purple")], VIEWBOX, 82, 12, x=204, y=98)
        return tin_lid("pip-11-ink", cards + place(_die(), (120, 120), 78, 122, 62, -12))
    if game == "toot-pursuit":
        stack = ("orange", "red", "yellow", "2", "1")
        return tin_lid("green-ink", "".join(
            place(front(face, language), VIEWBOX, 92 + 34 * i, 100, 88, turn)
            for i, (face, turn) in enumerate(zip(stack, (-7, 3, -2, 4, -3), strict=True))))
    if game == "toot-speed":
        seven = ("red", "1", "green", "X", "blue", "2", "yellow")
        return tin_lid("orange-ink", fan([front(face, language) for face in seven], VIEWBOX, 62, 9))
    raise KeyError(game)


def _die() -> Markup:
    """The die of Fluke showing five."""
    dots = "".join(circle(x, y, 10) for x, y in ((32, 32), (88, 32), (60, 60), (32, 88), (88, 88)))
    body = rect(1, 1, 118, 118, RADIUS, f'fill="{paint("ivory")}" stroke="{paint("piece-line")}" stroke-width="2"')
    return body + group(dots, f'fill="{paint("ink")}"')


def name(face: str) -> tuple[str, dict[str, str]]:
    """The catalogue key and parameters of a card's alternative text, for ``Wording.face``."""
    if face in COLOURS:
        return f"toot.art.{face}", {}
    return ("toot.art.wild", {}) if face == "X" else ("toot.art.number", {"number": face})
