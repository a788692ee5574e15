"""The tiles of all domino games as SVG, upright: ivory, a bar with a pin, pips coloured by their number.

It knows faces and the design tokens. It never turns a tile: the table does.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, TypeAlias

from tabletin.board.svg import Markup, Point, circle, fill, group, paint, path, place, rect, tin_lid
from tabletin.words import SOURCE

VIEWBOX: Final = (120, 240)
HIGHEST: Final = 12
FACES: Final = tuple(f"{high}-{low}" for high in range(HIGHEST + 1) for low in range(high + 1))

COLUMNS: Final[Mapping[int, tuple[tuple[float, ...], ...]]] = MappingProxyType({
    0: ((), (), ()),
    1: ((), (0,), ()),
    2: ((-30,), (), (30,)),
    3: ((-30,), (0,), (30,)),
    4: ((-30, 30), (), (-30, 30)),
    5: ((-30, 30), (0,), (-30, 30)),
    6: ((-31, 0, 31), (), (-31, 0, 31)),
    7: ((-31, 0, 31), (0,), (-31, 0, 31)),
    8: ((-31, 0, 31), (-31, 31), (-31, 0, 31)),
    9: ((-31, 0, 31), (-31, 0, 31), (-31, 0, 31)),
    10: ((-36, -12, 12, 36), (-24, 24), (-36, -12, 12, 36)),
    11: ((-36, -12, 12, 36), (-24, 0, 24), (-36, -12, 12, 36)),
    12: ((-36, -12, 12, 36), (-36, -12, 12, 36), (-36, -12, 12, 36)),
})
"""Pips as on real tiles: three columns along the tile, each the heights at which it has a pip."""

HALVES: Final = (62.0, 178.0)
CENTRE: Final = 60


@cache
def front(face: str, language: str = SOURCE) -> Markup:
    """The inner markup of a tile, its high half up, without letters in any ``language``. Raises ``KeyError`` for a string that
    is no tile."""
    if face not in FACES:
        raise KeyError(face)
    halves = zip((int(half) for half in face.split("-")), HALVES, strict=True)
    return _body() + "".join(half(number, cy) for number, cy in halves)


def _body() -> Markup:
    """Ivory with a worn edge, the bar, the pin."""
    edge = f'fill="{paint("ivory-shade")}" stroke="{paint("piece-line")}" stroke-width="2"'
    brass = f'fill="{paint("brass")}" stroke="{paint("brass-ink")}" stroke-width="2"'
    return (rect(1, 1, 118, 238, 18, edge)
            + rect(6, 6, 108, 228, 14, f'fill="{paint("ivory")}"')
            + path("M18 120H102", f'stroke="{paint("piece-line")}" stroke-width="3"')
            + circle(CENTRE, 120, 6.5, brass))


def half(number: int, cy: float) -> Markup:
    """The pips of one half about the height ``cy``."""
    if not number:
        return ""
    radius = 11.5 if number < 7 else 10.5 if number < 10 else 8.5
    return group("".join(circle(x, y, radius) for x, y in pips(number, cy)), fill(f"pip-{number}", 3))


def pips(number: int, cy: float) -> list[Point]:
    """Where the pips of a half stand, about the height ``cy``."""
    return [(CENTRE + side, cy + y) for side, column in zip((-30, 0, 30), COLUMNS[number], strict=True)
            for y in column]


@cache
def back() -> Markup:
    """The back: walnut with a rosette of six."""
    wood = rect(1, 1, 118, 238, 18, f'fill="var(--back,{paint("pip-12-ink")})" stroke="{paint("ink")}" stroke-width="2"')
    line = f'fill="none" stroke="{paint("brass")}" stroke-width="2.5"'
    petals = "".join(path("M60 120q-13-19 0-38q13 19 0 38z", f'transform="rotate({turn} 60 120)"')
                     for turn in range(0, 360, 60))
    return wood + rect(10, 10, 100, 220, 11, line) + group(petals + circle(CENTRE, 120, 42), line)


Lay: TypeAlias = tuple[str, float, float, float]
LIDS: Final[Mapping[str, tuple[str, float, tuple[Lay, ...]]]] = MappingProxyType({
    "dominoes": ("pip-12-ink", 39, (
        ("3-3", 41, 100, 0), ("6-3", 100, 100, 90), ("6-6", 160, 100, 0), ("6-5", 220, 100, -90),
        ("5-5", 279, 100, 0))),
    "matador": ("pip-7", 42, (
        ("8-6", 75, 82, -90), ("9-4", 160, 82, 90), ("7-1", 245, 82, 90),
        ("5-5", 118, 146, -83), ("0-0", 206, 148, -95))),
    "tiddle-a-wink": ("pip-8-ink", 66, (("9-9", 86, 104, -9), ("12-12", 160, 100, 0), ("6-6", 234, 104, 9))),
})
"""For each game its enamel, how wide a tile is, and the tiles: face, middle, turn in degrees."""


@cache
def lid(game: str, language: str = SOURCE) -> Markup:
    """The lid of a game's tin: doubles crosswise; halves that make ten; doubles one after the other."""
    enamel, width, tiles = LIDS[game]
    return tin_lid(enamel, "".join(place(front(face), VIEWBOX, x, y, width, turn) for face, x, y, turn in tiles))


def name(face: str) -> tuple[str, dict[str, str]]:
    """The catalogue key and parameters of a tile's alternative text, for ``Wording.face``."""
    high, low = face.split("-")
    if high == low:
        return "dominoes.art.double", {"number": f"dominoes.art.number.{high}"}
    return "dominoes.art.tile", {"high": f"dominoes.art.number.{high}", "low": f"dominoes.art.number.{low}"}
