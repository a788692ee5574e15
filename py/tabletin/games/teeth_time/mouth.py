"""The whole mouth for the page "learn the teeth": 32 permanent teeth in two outer arches, 20 primary ones inside them.

Teeth are seen from the biting side, as wide and deep as they are, walked along each arch from the midline outward; each
is a group with its face in ``data-tooth``. It knows the facts of anatomy, never a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import atan2, cos, degrees, hypot, pi, sin
from types import MappingProxyType
from typing import Final

from tabletin.board.svg import Markup, group, lettering, num, paint, path, sheet, words_in
from tabletin.games.teeth_time import tooth_shapes
from tabletin.games.teeth_time.anatomy import COLOURS, LETTERS, NUMBERS, TEETH, Tooth
from tabletin.words import SOURCE

MOUTH_VIEWBOX: Final = (640, 800)

DEPTHS: Final[Mapping[str, Mapping[str, float]]] = MappingProxyType({
    "upper": dict(zip(NUMBERS + LETTERS, (7, 6.2, 8, 9, 9, 11, 10.6, 10, 5.2, 4.8, 7, 8.5, 10), strict=True)),
    "lower": dict(zip(NUMBERS + LETTERS, (6, 6.4, 7.6, 7.6, 8.2, 10.4, 10, 9.4, 4.6, 4.6, 5.6, 7, 8.8), strict=True)),
})
"""From cheek to tongue, in millimetres."""


@dataclass(frozen=True, slots=True)
class Arch:
    """Half an ellipse with straight ends; ``scale`` is units a millimetre."""

    half_width: float
    height: float
    scale: float

    def point_at(self, t: float) -> tuple[float, float]:
        """The point at ``t``: 0 the midline, pi / 2 where the ellipse ends; beyond, straight back."""
        if t <= pi / 2:
            return self.half_width * sin(t), -self.height * cos(t)
        return self.half_width, self.height * (t - pi / 2)


OUTER: Final = Arch(246, 276, 6.5)
INNER: Final = Arch(128, 158, 7.2)
CENTRES: Final[Mapping[str, float]] = MappingProxyType({"upper": 330.0, "lower": 470.0})
STEP: Final = 0.002


def places(arch: Arch, ranks: str, jaw: str) -> Iterator[tuple[str, float, float, float]]:
    """Each rank with where its middle stands and how far it is turned (degrees), on the side where x is positive."""
    measures = tooth_shapes.UPPER if jaw == "upper" else tooth_shapes.LOWER
    t, walked, edge = 0.0, 0.0, 0.0
    for rank in ranks:
        middle = edge + measures[rank].width * arch.scale / 2
        edge += measures[rank].width * arch.scale
        while walked < middle:
            (x0, y0), (x1, y1) = arch.point_at(t), arch.point_at(t + STEP)
            walked, t = walked + hypot(x1 - x0, y1 - y0), t + STEP
        x, y = arch.point_at(t)
        ahead = arch.point_at(t + STEP)
        yield rank, x, y, degrees(atan2(ahead[1] - y, ahead[0] - x))


@cache
def mouth(language: str = SOURCE) -> Markup:
    """The inner markup of the whole mouth (``MOUTH_VIEWBOX``), looked into from in front: red is upper right."""
    out = sheet(*MOUTH_VIEWBOX) + "".join(_gum(jaw) for jaw in ("upper", "lower"))
    for jaw in ("upper", "lower"):
        for arch, ranks in ((OUTER, NUMBERS), (INNER, LETTERS)):
            for rank, x, y, turn in places(arch, ranks, jaw):
                for side in ("right", "left"):
                    out += _tooth(_face(rank, jaw, side), arch.scale, x, y, turn)
    return out + "".join(_quadrant(colour, language) for colour in COLOURS)


def _face(rank: str, jaw: str, side: str) -> Tooth:
    return next(t for t in TEETH.values() if t.face[1] == rank and t.jaw == jaw and t.side == side)


def _gum(jaw: str) -> Markup:
    """The gums both rows stand in."""
    cy, flip = CENTRES[jaw], 1 if jaw == "upper" else -1
    outer, inner = (f"M{-a.half_width} 0A{a.half_width} {a.height} 0 0 1 {a.half_width} 0" for a in (OUTER, INNER))
    return group(path(outer, 'stroke-width="96"') + path(inner, 'stroke-width="84"'),
                 f'fill="none" stroke="{paint("gum")}" stroke-linecap="round" opacity=".55" '
                 f'transform="translate(320 {num(cy)}) scale(1 {flip})"')


def _tooth(tooth: Tooth, scale: float, x: float, y: float, turn: float) -> Markup:
    """One tooth, mirrored into its quadrant, its mark upright on it."""
    rank, colour = tooth.face[1], COLOURS[tooth.colour]
    measures = (tooth_shapes.UPPER if tooth.jaw == "upper" else tooth_shapes.LOWER)[rank]
    wide, deep = measures.width * scale / 2 - 1.5, DEPTHS[tooth.jaw][rank] * scale / 2
    flip_x, flip_y = (-1 if tooth.side == "right" else 1), (1 if tooth.jaw == "upper" else -1)
    cx, cy = 320 + flip_x * x, CENTRES[tooth.jaw] + flip_y * y
    place = f"translate({num(cx)} {num(cy)}) scale({flip_x} {flip_y}) rotate({num(turn)})"
    body = path(_outline(tooth.kind, wide, deep),
                f'fill="{paint("tooth")}" stroke="{paint(f"{colour}-ink")}" stroke-width="3.5"')
    lines = path(_grooves(tooth, wide, deep),
                 f'fill="none" stroke="{paint("tooth-shade")}" stroke-width="3" stroke-linecap="round"')
    size = 22 if tooth.primary else 25
    return group(group(body + lines, f'transform="{place}"')
                 + lettering(rank, cx, cy + size * 0.35, size, f"{colour}-ink"), f'data-tooth="{tooth.face}"')


def _outline(kind: str, w: float, d: float) -> str:
    """The biting side about (0, 0), the lip or cheek side up: shovels, wedges, ovals, and rounded squares."""
    if "incisor" in kind:
        corners = (w, -d * 0.62, d, w * 0.5)
    elif kind == "canine":
        corners = (w, -d * 0.25, d, w * 0.3)
    else:
        return (f"M{num(-w)} 0C{num(-w)} {num(-d * 0.8)} {num(-w * 0.75)} {num(-d)} 0 {num(-d)}"
                f"C{num(w * 0.75)} {num(-d)} {num(w)} {num(-d * 0.8)} {num(w)} 0"
                f"C{num(w)} {num(d * 0.8)} {num(w * 0.7)} {num(d)} 0 {num(d)}"
                f"C{num(-w * 0.7)} {num(d)} {num(-w)} {num(d * 0.8)} {num(-w)} 0z")
    side, shoulder, bottom, heel = corners
    return (f"M{num(-side)} {num(shoulder)}Q{num(-side * 0.9)} {num(-bottom)} 0 {num(-bottom)}"
            f"Q{num(side * 0.9)} {num(-bottom)} {num(side)} {num(shoulder)}"
            f"Q{num(side)} {num(bottom * 0.3)} {num(heel)} {num(bottom * 0.85)}"
            f"Q0 {num(bottom * 1.1)} {num(-heel)} {num(bottom * 0.85)}"
            f"Q{num(-side)} {num(bottom * 0.3)} {num(-side)} {num(shoulder)}z")


def _grooves(tooth: Tooth, w: float, d: float) -> str:
    """What runs across: an edge, a ridge, one groove between two cusps, a cross between four or five."""
    if "incisor" in tooth.kind:
        return f"M{num(-w * 0.65)} {num(-d * 0.6)}H{num(w * 0.65)}"
    if tooth.kind == "canine":
        return f"M{num(-w * 0.7)} {num(-d * 0.3)}L0 {num(-d * 0.55)}L{num(w * 0.7)} {num(-d * 0.3)}"
    if "premolar" in tooth.kind:
        return f"M{num(-w * 0.6)} 0H{num(w * 0.6)}"
    across = f"M{num(-w * 0.72)} 0H{num(w * 0.72)}"
    if tooth.jaw == "lower" and tooth.face[1] in "6E":
        return (across + f"M{num(w * 0.3)} {num(-d * 0.8)}V0M{num(-w * 0.4)} {num(-d * 0.75)}V0"
                f"M0 0V{num(d * 0.8)}")
    return across + f"M{num(w * 0.1)} {num(-d * 0.8)}V0M{num(-w * 0.15)} 0V{num(d * 0.8)}"


def _quadrant(colour: str, language: str) -> Markup:
    """The name of a quadrant between the jaws, in its colour."""
    tooth = TEETH[f"{colour}1"]
    x, anchor = (308, "end") if tooth.side == "right" else (332, "start")
    y = 393 if tooth.jaw == "upper" else 422
    return lettering(words_in(language).text(tooth.quadrant_key), x, y, 22, f"{COLOURS[colour]}-ink", anchor=anchor)
