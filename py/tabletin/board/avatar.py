"""Faces for the people of a family: eight animals, drawn in the colour of whoever wears them.

Pure: SVG that takes its two colours, ``--seat`` and ``--seat-ink``, from the page's style sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tabletin.board.svg import Markup

SIDE: Final = 100
INK: Final = 'fill="none" stroke="var(--seat-ink)" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"'
FUR: Final = 'fill="var(--seat)" stroke="var(--seat-ink)" stroke-width="4" stroke-linejoin="round"'
DARK: Final = 'fill="var(--seat-ink)"'
LIGHT: Final = 'fill="var(--paper)" stroke="var(--seat-ink)" stroke-width="3"'

HEAD: Final = f'<circle cx="50" cy="56" r="33" {FUR}/>'
EYES: Final = f'<circle cx="38" cy="52" r="4.5" {DARK}/><circle cx="62" cy="52" r="4.5" {DARK}/>'
SMILE: Final = f'<path d="M40 70q10 9 20 0" {INK}/>'


def _both(left: str, attributes: str) -> str:
    """A shape on the left, and its mirror image on the right."""
    return f'<path d="{left}" {attributes}/><path d="{left}" {attributes} transform="matrix(-1 0 0 1 100 0)"/>'


ANIMALS: Final[Mapping[str, Markup]] = MappingProxyType({
    "cat": _both("M21 44L20 14L43 27", FUR) + HEAD + EYES
           + f'<path d="M46 62h8l-4 5z" {DARK}/><path d="M50 67v4m-8 3q4 3 8-3q4 6 8 3" {INK}/>'
           + _both("M30 64L12 60M30 69L13 73", INK),
    "bear": f'<circle cx="24" cy="30" r="13" {FUR}/><circle cx="76" cy="30" r="13" {FUR}/>' + HEAD + EYES
            + f'<ellipse cx="50" cy="69" rx="15" ry="12" {LIGHT}/><ellipse cx="50" cy="64" rx="6" ry="4" {DARK}/>'
            + f'<path d="M50 66v6m-6 2q6 4 12 0" {INK}/>',
    "rabbit": _both("M34 33C20 16 24 3 31 4s12 12 11 25", FUR) + HEAD + EYES
              + f'<path d="M46 62h8l-4 5z" {DARK}/><path d="M50 67v3m-8 1q8 5 16 0" {INK}/>'
              + f'<path d="M45 73v9h5v-9m0 9h5v-9" {LIGHT}/>',
    "fox": _both("M20 50L16 13L45 28", FUR) + f'<path d="M17 50Q50 12 83 50Q72 78 50 90Q28 78 17 50Z" {FUR}/>' + EYES
           + _both("M18 52Q34 58 50 88", INK) + f'<circle cx="50" cy="86" r="6" {DARK}/>',
    "owl": _both("M22 40L18 16L42 27", FUR) + HEAD
           + f'<circle cx="37" cy="51" r="13" {LIGHT}/><circle cx="63" cy="51" r="13" {LIGHT}/>'
           + f'<circle cx="38" cy="52" r="5.5" {DARK}/><circle cx="62" cy="52" r="5.5" {DARK}/>'
           + f'<path d="M45 62h10l-5 10z" {DARK}/>' + _both("M36 80q5 4 9 0", INK),
    "frog": f'<circle cx="30" cy="30" r="14" {FUR}/><circle cx="70" cy="30" r="14" {FUR}/>'
            + f'<ellipse cx="50" cy="60" rx="38" ry="29" {FUR}/><circle cx="30" cy="30" r="5.5" {DARK}/>'
            + f'<circle cx="70" cy="30" r="5.5" {DARK}/><path d="M26 64q24 18 48 0" {INK}/>'
            + f'<circle cx="45" cy="52" r="2" {DARK}/><circle cx="55" cy="52" r="2" {DARK}/>',
    "mouse": f'<circle cx="23" cy="34" r="18" {FUR}/><circle cx="77" cy="34" r="18" {FUR}/>'
             + f'<circle cx="23" cy="34" r="9" {LIGHT}/><circle cx="77" cy="34" r="9" {LIGHT}/>' + HEAD + EYES
             + f'<circle cx="50" cy="67" r="5" {DARK}/><path d="M42 76q8 6 16 0" {INK}/>'
             + _both("M32 68L15 66M32 73L16 78", INK),
    "penguin": HEAD + f'<path d="M50 42C38 30 22 44 28 62c4 14 14 22 22 22s18-8 22-22C78 44 62 30 50 42Z" {LIGHT}/>' + EYES
               + f'<path d="M42 61h16l-8 11z" {DARK}/><path d="M50 23q-4-12-10-11m10 11q1-12 8-13" {INK}/>',
})
"""Every animal by its name."""


def avatar(animal: str) -> Markup:
    """The inner SVG of an animal, ``SIDE`` by ``SIDE``; the first one for a name that there is not."""
    return ANIMALS.get(animal, next(iter(ANIMALS.values())))
