"""Teeth seen from the cheek side, drawn from a table of measures: crowns with their cusps, roots as many as there are.

Measures are averages of dental anatomy in millimetres. Every tooth is drawn as one of the patient's right upper jaw
(roots up, midline to the right); its caller mirrors it for its quadrant. It never knows cards or colours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from tabletin.board.svg import LINE, Markup, Point, group, num, paint, path


@dataclass(frozen=True, slots=True)
class Measures:
    """``crown`` and ``root`` lengths, ``width`` of the crown, ``neck`` where it meets the root, all in millimetres.

    ``apexes`` are the roots seen, from the distal one to the mesial one: how far their tips stand from the middle.
    ``trunk`` is how far from the neck they part. ``palatal`` is the length of the root behind them, if there is one.
    """

    crown: float
    root: float
    width: float
    neck: float
    form: str
    apexes: tuple[float, ...] = (-0.4,)
    trunk: float = 0
    palatal: float = 0
    splay: float = 0


UPPER: Final[Mapping[str, Measures]] = MappingProxyType({
    "1": Measures(10.5, 13, 8.5, 7.0, "incisor"),
    "2": Measures(9.0, 13, 6.6, 5.0, "rounded", apexes=(-1.1,)),
    "3": Measures(10.0, 17, 7.6, 5.8, "canine", apexes=(-0.8,)),
    "4": Measures(8.5, 14, 7.2, 5.2, "premolar", apexes=(-1.6, 1.5), trunk=7.5),
    "5": Measures(8.5, 14, 7.0, 5.0, "premolar", apexes=(-0.6,)),
    "6": Measures(7.5, 12, 10.4, 8.2, "molar", apexes=(-4.0, 3.4), trunk=4, palatal=13),
    "7": Measures(7.2, 11, 9.4, 7.4, "molar", apexes=(-2.9, 1.7), trunk=5, palatal=12),
    "8": Measures(6.6, 10, 8.6, 6.8, "wisdom", apexes=(-3.1, 0.1), trunk=6, palatal=11.3),
    "A": Measures(6.0, 10, 6.8, 4.6, "incisor"),
    "B": Measures(5.8, 10.6, 5.3, 3.8, "rounded", apexes=(-0.6,)),
    "C": Measures(6.5, 13, 7.0, 5.1, "canine", apexes=(-0.4,)),
    "D": Measures(5.3, 9.4, 7.4, 5.4, "milk", apexes=(-4.0, 3.8), trunk=1.6, palatal=9.8, splay=1.0),
    "E": Measures(5.8, 11, 8.6, 6.6, "molar", apexes=(-4.8, 4.6), trunk=1.6, palatal=11.4, splay=1.2),
})

LOWER: Final[Mapping[str, Measures]] = MappingProxyType({
    "1": Measures(9.2, 12.5, 5.2, 3.6, "narrow", apexes=(-0.2,)),
    "2": Measures(9.5, 14, 5.8, 4.0, "narrow", apexes=(-0.5,)),
    "3": Measures(11.0, 16, 7.0, 5.4, "canine", apexes=(-0.7,)),
    "4": Measures(8.6, 14, 7.0, 5.0, "single", apexes=(-0.6,)),
    "5": Measures(8.2, 14.5, 7.3, 5.2, "premolars", apexes=(-0.7,)),
    "6": Measures(7.5, 13.5, 11.2, 9.0, "five", apexes=(-4.3, 2.6), trunk=3.4),
    "7": Measures(7.0, 12.6, 10.5, 8.2, "four", apexes=(-3.3, 1.3), trunk=4),
    "8": Measures(6.8, 10.6, 10.0, 7.6, "wide", apexes=(-3.4, -0.7), trunk=6.4),
    "A": Measures(5.2, 9, 4.4, 3.1, "narrow", apexes=(-0.1,)),
    "B": Measures(5.4, 10, 4.5, 3.1, "narrow", apexes=(-0.4,)),
    "C": Measures(6.2, 11.5, 5.4, 3.9, "canine", apexes=(-0.5,)),
    "D": Measures(6.0, 9.6, 7.9, 6.2, "milkfour", apexes=(-4.0, 3.2), trunk=1.4, splay=0.9),
    "E": Measures(5.6, 11, 10.0, 7.4, "five", apexes=(-5.2, 4.3), trunk=1.4, splay=1.2),
})


@dataclass(frozen=True, slots=True)
class Form:
    """A crown's biting side, x in half widths (1 mesial, -1 distal), y in crown lengths.

    ``edge`` runs from the mesial side to the distal one; ``back_roots`` are cusps of the tongue side that show past it;
    ``furrows`` are (x, from y, to y).
    """

    mesial: float
    edge: tuple[Point, ...]
    distal: float
    back_roots: tuple[Point, ...] = ()
    furrows: tuple[tuple[float, float, float], ...] = ()
    round: float = 0.35


FORMS: Final[Mapping[str, Form]] = MappingProxyType({
    "incisor": Form(0.82, ((0.88, 1), (-0.72, 0.985)), 0.7, furrows=((0.3, 0.6, 0.84), (-0.28, 0.6, 0.84)), round=0.5),
    "rounded": Form(0.78, ((0.8, 1), (-0.5, 0.95)), 0.6, furrows=((0.25, 0.6, 0.82), (-0.25, 0.58, 0.8)), round=0.6),
    "narrow": Form(0.9, ((0.9, 1), (-0.86, 1)), 0.86, furrows=((0.25, 0.66, 0.86), (-0.25, 0.66, 0.86)), round=0.5),
    "canine": Form(0.66, ((0.86, 0.78), (0.12, 1), (-0.82, 0.72)), 0.55, furrows=((0.08, 0.42, 0.8),)),
    "premolar": Form(0.58, ((0.84, 0.8), (0.02, 1), (-0.84, 0.8)), 0.56, back_roots=((0.44, 1.01),),
                     furrows=((0, 0.45, 0.78),)),
    "single": Form(0.6, ((0.8, 0.76), (0.06, 1), (-0.8, 0.74)), 0.58, back_roots=((-0.46, 0.94),),
                   furrows=((0.03, 0.42, 0.78),)),
    "premolars": Form(0.58, ((0.86, 0.82), (0.06, 0.98), (-0.86, 0.82)), 0.56, back_roots=((0.5, 1.03), (-0.46, 1.02)),
                      furrows=((0.03, 0.45, 0.76),)),
    "molar": Form(0.55, ((0.88, 0.82), (0.47, 1), (0.02, 0.78), (-0.45, 0.97), (-0.88, 0.78)), 0.5,
                  back_roots=((0.2, 1.08), (-0.2, 1.05)), furrows=((0.02, 0.4, 0.78),)),
    "wisdom": Form(0.55, ((0.86, 0.82), (0.42, 1), (-0.06, 0.8), (-0.46, 0.9), (-0.84, 0.74)), 0.5,
                   back_roots=((-0.04, 1.03),), furrows=((-0.06, 0.5, 0.8),)),
    "five": Form(0.55, ((0.88, 0.82), (0.58, 0.98), (0.26, 0.8), (-0.06, 0.97), (-0.38, 0.8), (-0.64, 0.91),
                        (-0.9, 0.76)), 0.5, back_roots=((0.28, 1.09), (-0.36, 1.07)),
                 furrows=((0.26, 0.42, 0.8), (-0.38, 0.5, 0.8))),
    "four": Form(0.55, ((0.88, 0.82), (0.48, 0.98), (0.02, 0.78), (-0.46, 0.96), (-0.88, 0.8)), 0.5,
                 back_roots=((0.22, 1.07), (-0.19, 1.06)), furrows=((0.02, 0.42, 0.78),)),
    "wide": Form(0.55, ((0.86, 0.82), (0.52, 0.97), (0.16, 0.8), (-0.2, 0.94), (-0.5, 0.8), (-0.68, 0.86),
                        (-0.88, 0.74)), 0.5, back_roots=((0.18, 1.05), (-0.48, 1.0)), furrows=((0.16, 0.5, 0.8),)),
    "milk": Form(0.42, ((0.92, 0.74), (0.4, 0.98), (-0.12, 0.84), (-0.46, 0.92), (-0.9, 0.72)), 0.42,
                 back_roots=((-0.1, 1.06),), furrows=((-0.12, 0.56, 0.84),)),
    "milkfour": Form(0.45, ((0.9, 0.76), (0.44, 1), (-0.08, 0.82), (-0.48, 0.92), (-0.88, 0.72)), 0.42,
                     back_roots=((0.14, 1.07), (-0.24, 1.04)), furrows=((-0.08, 0.52, 0.82),)),
})


@cache
def drawing(rank: str, jaw: str, scale: float) -> Markup:
    """A tooth, its neck at the origin's height and ``scale`` units a millimetre; no paint of any card colour."""
    m = (UPPER if jaw == "upper" else LOWER)[rank]
    form = FORMS[m.form]
    roots = path(_roots(m, scale), f'fill="{paint("root")}"')
    if m.palatal:
        middle = sum(m.apexes) / 2 - 0.2
        behind = Measures(m.crown, m.palatal, m.width, min(m.neck * 0.52, 4.2), m.form, (middle,))
        roots = path(_roots(behind, scale, middle), f'fill="{paint("tooth-shade")}"') + roots
    cusps = "".join(_cusp(x, y, m, scale) for x, y in form.back_roots)
    if cusps:
        cusps = path(cusps, f'fill="{paint("tooth-shade")}"')
    furrows = "".join(f"M{num(x * m.width / 2 * scale)} {num(a * m.crown * scale)}V{num(b * m.crown * scale)}"
                      for x, a, b in form.furrows)
    lines = path(furrows, f'fill="none" stroke="{paint("piece-line")}" stroke-width="3" stroke-linecap="round"')
    crown = path(_crown(m, form, scale), f'fill="{paint("tooth")}"')
    return group(roots + cusps + crown + lines,
                 f'stroke="{paint("ink")}" stroke-width="{LINE}" stroke-linejoin="round"')


def height(rank: str, jaw: str) -> tuple[float, float]:
    """How far roots and crown reach from the neck, in millimetres."""
    m = (UPPER if jaw == "upper" else LOWER)[rank]
    return max(m.root, m.palatal), m.crown


def _crown(m: Measures, form: Form, scale: float) -> str:
    """The outline from the neck over the mesial side, the biting edge and the distal side."""
    half, neck = m.width / 2, m.neck / 2

    def at(x: float, y: float) -> str:
        return f"{num(x * scale)} {num(y * scale)}"

    h = m.crown
    first, last = form.edge[0], form.edge[-1]
    d = f"M{at(-neck, 0)}Q{at(0, -h * 0.22)} {at(neck, 0)}"
    d += f"C{at(neck * 1.06, h * 0.2)} {at(half, h * form.mesial * 0.55)} {at(half, h * form.mesial)}"
    d += f"Q{at(half, h * _reached(1, first, form.edge[1]))} {at(first[0] * half, h * first[1])}"
    points = [(x * half, y * h) for x, y in form.edge]
    if len(points) == 2:
        d += f"L{at(*points[1])}"
    else:
        d += _rounded(points, scale, form.round)
    d += f"Q{at(-half, h * _reached(-1, last, form.edge[-2]))} {at(-half, h * form.distal)}"
    return d + f"C{at(-half, h * form.distal * 0.55)} {at(-neck * 1.06, h * 0.2)} {at(-neck, 0)}z"


def _reached(x: float, corner: Point, inner: Point) -> float:
    """The height at which the line from ``inner`` through ``corner`` comes to ``x``."""
    return corner[1] + (corner[1] - inner[1]) / (corner[0] - inner[0]) * (x - corner[0])


def _rounded(corners: list[Point], scale: float, blunt: float) -> str:
    """Lines through the corners after the first, each inner one rounded off over ``blunt`` of its sides."""
    d = ""
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        start, end = _towards(corner, before, blunt), _towards(corner, after, blunt)
        d += (f"L{num(start[0] * scale)} {num(start[1] * scale)}Q{num(corner[0] * scale)} {num(corner[1] * scale)} "
              f"{num(end[0] * scale)} {num(end[1] * scale)}")
    return d + f"L{num(corners[-1][0] * scale)} {num(corners[-1][1] * scale)}"


def _towards(start: Point, end: Point, part: float) -> Point:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def _cusp(x: float, y: float, m: Measures, scale: float) -> str:
    """A cusp peeping out from behind."""
    half = m.width / 2
    left, right, top, tip = (x - 0.3) * half, (x + 0.3) * half, 0.7 * m.crown, y * m.crown
    a, b, c, e, f = (num(v * scale) for v in (left, top, x * half, 2 * tip - top, right))
    return f"M{a} {b}Q{c} {e} {f} {b}z"


def _roots(m: Measures, scale: float, middle: float = 0) -> str:
    """One outline around all roots: up to each tip in turn and down to where it parts from the next."""
    left, right, tip = middle - m.neck / 2, middle + m.neck / 2, 0.62 if len(m.apexes) > 1 else 0.7
    low = m.crown * 0.3

    def at(x: float, y: float) -> str:
        return f"{num(x * scale)} {num(y * scale)}"

    d = f"M{at(left, low)}L{at(left, 0)}"
    inner = left
    for i, apex in enumerate(m.apexes):
        long = m.root - (0.6 if i and len(m.apexes) > 1 else 0)
        final = i == len(m.apexes) - 1
        outer_left = left - m.splay if i == 0 else inner
        start = 0.0 if i == 0 else -m.trunk
        d += (f"C{at(outer_left, start - (long + start) * 0.5)} {at(apex - tip * 1.5, -long * 0.8)} "
              f"{at(apex - tip, -long + tip)}Q{at(apex - tip * 0.2, -long - tip * 0.5)} {at(apex + tip, -long + tip)}")
        if final:
            d += f"C{at(apex + tip * 1.5, -long * 0.8)} {at(right + m.splay, -long * 0.5)} {at(right, 0)}"
        else:
            inner = (apex + m.apexes[i + 1]) / 2
            depth = -m.trunk - (long - m.trunk) * 0.4
            d += f"C{at(apex + tip * 1.8, -long * 0.8)} {at(inner, depth)} {at(inner, -m.trunk)}"
    return d + f"L{at(right, low)}z"
