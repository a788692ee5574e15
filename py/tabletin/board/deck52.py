"""A deck of 52 playing cards of our own design as SVG, for every family that plays with one: pips, smiling courts, a back.

It knows faces and the design tokens; its words stand in the shared catalogue under ``deck52``. It never knows what a card is
worth. A family whose cards are these needs no art of its own but this line in its ``art`` module::

    from tabletin.board.deck52 import FACES, VIEWBOX, back, front, lid, name
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from tabletin.board.svg import (
    Markup,
    Point,
    back_frame,
    circle,
    fan,
    group,
    lettering,
    num,
    paint,
    path,
    polygon,
    sheet,
    tin_lid,
    words_in,
)
from tabletin.kernel import deck52
from tabletin.kernel.deck52 import rank_of, suit_of
from tabletin.words import SOURCE

VIEWBOX: Final = (250, 350)
FACES: Final = deck52.FACES
SUITS: Final[Mapping[str, str]] = MappingProxyType({"S": "ink", "H": "red", "D": "red", "C": "ink"})

FIGURES: Final[Mapping[str, tuple[Point, str]]] = MappingProxyType({
    "S": ((0, -21),
          "c8 9 20 17 20 27a10 10 0 0 1-17 6q1 6 5 9h-16q4-3 5-9a10 10 0 0 1-17-6c0-10 12-18 20-27z"),
    "H": ((0, 20), "c-8-8-22-17-22-28a11 11 0 0 1 22-5a11 11 0 0 1 22 5c0 11-14 20-22 28z"),
    "D": ((0, -24), "l18 24l-18 24l-18-24z"),
    "C": ((-3, 7), "a9.8 9.8 0 1 1-6-13.6a9.8 9.8 0 1 1 18 0a9.8 9.8 0 1 1-6 13.6q0 9 5 14h-16q5-5 5-14z"),
})
"""Each suit as a starting point about its middle and relative path commands; some 40 units high."""

SIDE: Final = 46
ROWS: Final[Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]]] = MappingProxyType({
    "2": ((), (-1, 1)), "3": ((), (-1, 0, 1)), "4": ((-1, 1), ()), "5": ((-1, 1), (0,)),
    "6": ((-1, 0, 1), ()), "7": ((-1, 0, 1), (-0.5,)),
    "8": ((-1, 0, 1), (-0.5, 0.5)), "9": ((-1, -1 / 3, 1 / 3, 1), (0,)),
    "10": ((-1, -1 / 3, 1 / 3, 1), (-2 / 3, 2 / 3)),
})
"""Heights of the pips of a rank: in the two outer columns, in the middle one; 1 is the lowest row."""
REACH: Final = 118


@cache
def front(face: str, language: str = SOURCE) -> Markup:
    """The inner markup of a face, court letters as in ``language``. Raises ``KeyError`` for no face."""
    if face not in FACES:
        raise KeyError(face)
    rank, suit = rank_of(face), suit_of(face)
    mark = words_in(language).text(f"deck52.mark.{rank}") if rank in "AJQK" else rank
    colour = "red-ink" if SUITS[suit] == "red" else "ink"
    index = (lettering(mark, 36, 68, 62, colour, width=50 if rank == "10" else 0)
             + path(pip(suit, 36, 98), f'fill="{paint(SUITS[suit])}"'))
    corners = index + group(index, 'transform="rotate(180 125 175)"')
    if rank in "JQK":
        return sheet(*VIEWBOX) + _court(rank, suit) + corners
    return sheet(*VIEWBOX) + _pips(rank, suit) + corners


def pip(suit: str, x: float, y: float, *, turned: bool = False) -> str:
    """The path of one suit figure about (x, y); ``turned`` stands it on its head."""
    (dx, dy), d = FIGURES[suit]
    if turned:
        dx, dy, d = -dx, -dy, _opposite(d)
    return f"M{num(x + dx)} {num(y + dy)}{d}"


@cache
def _opposite(d: str) -> str:
    """Relative path commands turned by half a circle: every step negated, radii and flags of arcs kept."""
    out = ""
    for command, rest in re.findall(r"([a-z])([^a-z]*)", d):
        steps = [float(step) for step in re.findall(r"-?\d*\.?\d+", rest)]
        kept = 5 if command == "a" else 0
        out += command + " ".join(num(step if i < kept else -step) for i, step in enumerate(steps))
    return out


def _pips(rank: str, suit: str) -> Markup:
    fill = f'fill="{paint(SUITS[suit])}"'
    if rank == "A":
        return group(path(pip(suit, 0, 0), fill), 'transform="translate(125 175) scale(3.2)"')
    outer, middle = ROWS[rank]
    places = [(side, y) for side in (-SIDE, SIDE) for y in outer] + [(0, y) for y in middle]
    d = "".join(pip(suit, x, REACH * y, turned=y > 0) for x, y in places)
    return group(path(d, fill), 'transform="translate(125 175) scale(.9)"')


HAIR: Final[Mapping[str, str]] = MappingProxyType({
    "K": "M-27-74H27V-62L14-36L0-28L-14-36L-27-62z",
    "Q": "M-42-38V-76A42 42 0 0 1 42-76V-38z",
    "J": "M-33-56V-80A33 33 0 0 1 33-80V-56z",
})
HATS: Final[Mapping[str, str]] = MappingProxyType({
    "K": "M-29-88L-36-126L-16-110L0-132L16-110L36-126L29-88z",
    "Q": "M-30-94L-34-112L-16-104L0-124L16-104L34-112L30-94Q0-104-30-94z",
    "J": "M-36-84Q-34-124 4-120Q30-118 54-130Q46-104 36-84z",
})
ROBES: Final[Mapping[str, str]] = MappingProxyType({
    "S": "M-50-46L-20 0M-66-34L-44 0M50-46L20 0M66-34L44 0",
    "H": "M-58-40V0M-38-48V0M58-40V0M38-48V0",
    "D": "M-70-28L-30-8M-74-6L-62 0M70-28L30-8M74-6L62 0M-52-44L-16-22M52-44L16-22",
    "C": "M-74-18H-34M-66-36H-44M74-18H34M66-36H44M-74-2H-18M74-2H18",
})


def _court(rank: str, suit: str) -> Markup:
    """A half-figure, twice: head on robe, hat and hair by rank, the robe's stripes by suit."""
    robe, cap, hair = ("red", "yellow", "brass") if SUITS[suit] == "red" else ("enamel", "brass", "pip-12")
    line = f'stroke="{paint("ink")}" stroke-width="3" stroke-linejoin="round"'
    beard = path(HAIR[rank], f'fill="{paint(hair)}"')
    head = circle(0, -72, 27, f'fill="{paint("cream")}"')
    smile = "M-10-76v3M10-76v3" + ("M-9-58Q0-50 9-58" if rank != "K" else "M-8-60Q0-53 8-60")
    half = (
        path("M-78 0V-16Q-76-44-36-50H36Q76-44 78-16V0z", f'fill="{paint(robe)}"')
        + path(ROBES[suit], f'stroke="{paint("cream")}" stroke-width="3" fill="none"')
        + path("M-36-50L0 0L36-50L0-38z", f'fill="{paint(cap)}"')
        + (head + beard if rank == "K" else beard + head)
        + path(HATS[rank], f'fill="{paint(cap if rank != "J" else robe)}"')
        + path(smile, 'fill="none" stroke-linecap="round"'))
    turned = group(half, 'transform="rotate(180)"')
    return group(half + turned, f'{line} transform="translate(125 175) scale(1.12)"')


@cache
def back() -> Markup:
    """A back with a lattice, for a family that has no back of its own."""
    lozenges = "".join(polygon([(x, y - 22), (x + 16, y), (x, y + 22), (x - 16, y)])
                       for y in range(50, 320, 50) for x in range(45, 220, 40))
    return back_frame(*VIEWBOX, "blue-ink", group(lozenges, f'fill="{paint("cream")}" opacity=".55"'))


@cache
def lid(game: str, language: str = SOURCE) -> Markup:
    """The lid of a tin with playing cards in it, for a family that has no lid of its own."""
    return tin_lid("blue-ink", fan([back(), *(front(face, language) for face in ("AS", "QH", "10C"))], VIEWBOX, 74, 10))


def name(face: str) -> tuple[str, dict[str, str]]:
    """The catalogue key and parameters of a card's alternative text, for ``Wording.face``."""
    return "deck52.card", {"rank": f"deck52.rank.{rank_of(face)}", "suit": f"deck52.suit.{suit_of(face)}"}
