"""What all drawn pieces share: paints, the outline of a card, the frame of a back, lettering, simple figures.

It knows the names of the design tokens (web/styles/tokens.css) and plain geometry. It never knows a game or a
browser, and what it returns carries no ids, because many copies of a piece live in one page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import cos, pi, sin
from types import MappingProxyType
from typing import Final, TypeAlias

from tabletin.words import SOURCE, Catalogue, load

Markup: TypeAlias = str
Point: TypeAlias = tuple[float, float]

RADIUS: Final = 18
LINE: Final = 4

PAINTS: Final[Mapping[str, str]] = MappingProxyType({
    "paper": "#fdfaf3", "paper-shade": "#f1ead9", "piece-line": "#b9aa8c",
    "ink": "#2a241d", "ink-quiet": "#5c5143",
    "ivory": "#fbf4e1", "ivory-shade": "#e4d7b8", "brass": "#c39a4a", "brass-ink": "#6d5016",
    "enamel": "#17545a", "enamel-deep": "#0e3f45", "cream": "#fbf1dc",
    "tooth": "#fffdf7", "tooth-shade": "#e6dcc6", "root": "#f1dcae", "gum": "#e79a92", "gum-ink": "#8f3d39",
    "red": "#d0421f", "red-ink": "#84200a", "red-soft": "#f8d9cd",
    "blue": "#0d62a8", "blue-ink": "#063f69", "blue-soft": "#cfe3f2",
    "green": "#0f8f6b", "green-ink": "#064d39", "green-soft": "#cdeadf",
    "yellow": "#f2c02e", "yellow-ink": "#5b4100", "yellow-soft": "#fbeebf",
    "orange": "#ee8a22", "orange-ink": "#713500", "orange-soft": "#fbe1c3",
    "purple": "#b06dac", "purple-ink": "#64235e", "purple-soft": "#f0d9ee",
    "pip-1": "#d0421f", "pip-1-ink": "#84200a", "pip-2": "#0f8f6b", "pip-2-ink": "#064d39",
    "pip-3": "#f2c02e", "pip-3-ink": "#7a5800", "pip-4": "#1273b8", "pip-4-ink": "#064570",
    "pip-5": "#a4539c", "pip-5-ink": "#64235e", "pip-6": "#ee8a22", "pip-6-ink": "#8a4300",
    "pip-7": "#3a322a", "pip-7-ink": "#1f1a15", "pip-8": "#2fb3c4", "pip-8-ink": "#07606d",
    "pip-9": "#ec7f97", "pip-9-ink": "#93264a", "pip-10": "#a6b63a", "pip-10-ink": "#535e0c",
    "pip-11": "#5458c4", "pip-11-ink": "#2b2e86", "pip-12": "#9b7f66", "pip-12-ink": "#573f2b",
})
"""The tokens pieces are painted with and their light values: a piece also draws without a style sheet."""

FONTS: Final[Mapping[str, str]] = MappingProxyType({
    "text": "var(--font-text,sans-serif)",
    "display": "var(--font-display,sans-serif)",
})


@cache
def words_in(language: str = SOURCE) -> Catalogue:
    """The catalogue of ``language``, read once: what is written on pieces comes from it."""
    return load(language)


def paint(token: str) -> str:
    """The CSS colour of a token, its light value behind it. Raises ``KeyError`` for another token."""
    return f"var(--{token},{PAINTS[token]})"


def num(value: float) -> str:
    """A coordinate with at most one decimal, as short as it can be written."""
    short = f"{value:.1f}".removesuffix(".0")
    return "0" if short == "-0" else short


def points(corners: Iterable[Point]) -> str:
    """The corners as the value of ``points``."""
    return " ".join(f"{num(x)},{num(y)}" for x, y in corners)


def regular(sides: int, cx: float, cy: float, radius: float, turn: float = 0.0) -> list[Point]:
    """The corners of a regular polygon; at ``turn`` (radians) 0 standing on a side, odd ones point up."""
    start = -pi / 2 + (0 if sides % 2 else pi / sides) + turn
    return [(cx + radius * cos(start + 2 * pi * i / sides), cy + radius * sin(start + 2 * pi * i / sides))
            for i in range(sides)]


def polygon(corners: Iterable[Point], attributes: str = "") -> Markup:
    """A closed figure."""
    return f'<polygon points="{points(corners)}"{_spaced(attributes)}/>'


def circle(cx: float, cy: float, radius: float, attributes: str = "") -> Markup:
    """A round one."""
    return f'<circle cx="{num(cx)}" cy="{num(cy)}" r="{num(radius)}"{_spaced(attributes)}/>'


def rect(x: float, y: float, width: float, height: float, radius: float = 0, attributes: str = "") -> Markup:
    """An upright rectangle with round corners."""
    corner = f' rx="{num(radius)}"' if radius else ""
    return (f'<rect x="{num(x)}" y="{num(y)}" width="{num(width)}" height="{num(height)}"{corner}'
            f"{_spaced(attributes)}/>")


def path(d: str, attributes: str = "") -> Markup:
    """A path."""
    return f'<path d="{d}"{_spaced(attributes)}/>'


def group(inner: Markup, attributes: str) -> Markup:
    """Several pieces of markup that share attributes."""
    return f"<g {attributes}>{inner}</g>"


def fill(colour: str, line: float = LINE) -> str:
    """The attributes of everything coloured: filled with ``colour``, outlined by its ink."""
    return (f'fill="{paint(colour)}" stroke="{paint(colour + "-ink")}" stroke-width="{num(line)}" '
            'stroke-linejoin="round"')


def lettering(words: str, x: float, y: float, size: float, colour: str, *, anchor: str = "middle",
              weight: int = 700, font: str = "text", width: float = 0) -> Markup:
    """Words with their baseline at ``y``; squeezed into ``width`` where given. ``words`` are escaped."""
    fit = f' textLength="{num(width)}" lengthAdjust="spacingAndGlyphs"' if width else ""
    align = "" if anchor == "start" else f' text-anchor="{anchor}"'
    safe = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return (f'<text x="{num(x)}" y="{num(y)}" font-size="{num(size)}" font-weight="{weight}" '
            f'font-family="{FONTS[font]}" fill="{paint(colour)}"{align}{fit}>{safe}</text>')


def sheet(width: int, height: int, colour: str = "paper", radius: float = RADIUS) -> Markup:
    """The body of a card: paper with one fine line around, inset so that nothing is cut off."""
    return rect(1, 1, width - 2, height - 2, radius,
                f'fill="{paint(colour)}" stroke="{paint("piece-line")}" stroke-width="2"')


def back_frame(width: int, height: int, colour: str, inner: Markup, inset: float = 12) -> Markup:
    """The back of a card: paper margin, field of ``colour`` or of the table's ``--back``, a fine cream line, a family's own
    ``inner``."""
    field = rect(inset, inset, width - 2 * inset, height - 2 * inset, RADIUS - 8, f'fill="var(--back,{paint(colour)})"')
    rim = rect(inset + 7, inset + 7, width - 2 * inset - 14, height - 2 * inset - 14, RADIUS - 12,
               f'fill="none" stroke="{paint("cream")}" stroke-width="2" opacity=".75"')
    return sheet(width, height) + field + rim + inner


LID: Final = (320, 200)


def place(front: Markup, viewbox: tuple[int, int], x: float, y: float, width: float, turn: float = 0) -> Markup:
    """A piece laid with its middle at (x, y), ``width`` wide, turned by degrees, on its own quiet shadow."""
    wide, high = viewbox
    scale = width / wide
    shadow = rect(3 / scale, 5 / scale, wide, high, RADIUS, 'fill="#000" opacity=".22"')
    return group(shadow + front, f'transform="translate({num(x)} {num(y)}) rotate({num(turn)}) scale({scale:.3f}) '
                                 f'translate({num(-wide / 2)} {num(-high / 2)})"')


def fan(fronts: Sequence[Markup], viewbox: tuple[int, int], width: float, spread: float, x: float = 160,
        y: float = 92) -> Markup:
    """Pieces in a fan about (x, y), ``spread`` degrees from one to the next."""
    out, reach = "", width * 3.2
    for i, front in enumerate(fronts):
        turn = (i - (len(fronts) - 1) / 2) * spread
        dx, dy = reach * sin(turn * pi / 180), reach * (1 - cos(turn * pi / 180))
        out += place(front, viewbox, x + dx, y + dy, width, turn)
    return out


def tin_lid(colour: str, inner: Markup) -> Markup:
    """The lid of a tin (``LID``): enamel of ``colour``, an embossed rim, and the pieces that lie on it."""
    wide, high = LID
    body = rect(1, 1, wide - 2, high - 2, 24, f'fill="{paint(colour)}" stroke="{paint("ink")}" stroke-width="2"')
    rim = rect(9, 9, wide - 18, high - 18, 17, f'fill="none" stroke="{paint("cream")}" stroke-width="2" opacity=".5"')
    return body + rim + inner


def standalone(width: int, height: int, inner: Markup) -> Markup:
    """A whole SVG document around a piece's inner markup, for files, contact sheets and images."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{inner}</svg>'


def _spaced(attributes: str) -> str:
    return f" {attributes}" if attributes else ""
