"""The 52 teeth as facts (TT-17): where each stands, what it is called, which it replaces, when it comes through.

Ages are the usual ranges of the American Dental Association's eruption charts. It never draws and never plays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

COLOURS: Final[Mapping[str, str]] = MappingProxyType({"r": "red", "b": "blue", "y": "yellow", "g": "green"})
LETTERS: Final = "ABCDE"
NUMBERS: Final = "12345678"
UPPER: Final = frozenset("rb")
PATIENTS_RIGHT: Final = frozenset("rg")

KINDS: Final[Mapping[str, str]] = MappingProxyType({
    "A": "central_incisor", "B": "lateral_incisor", "C": "canine", "D": "first_molar", "E": "second_molar",
    "1": "central_incisor", "2": "lateral_incisor", "3": "canine", "4": "first_premolar", "5": "second_premolar",
    "6": "first_molar", "7": "second_molar", "8": "third_molar",
})

ERUPTS: Final[Mapping[str, Mapping[str, tuple[int, int]]]] = MappingProxyType({
    "upper": {"A": (8, 12), "B": (9, 13), "C": (16, 22), "D": (13, 19), "E": (25, 33),
              "1": (7, 8), "2": (8, 9), "3": (11, 12), "4": (10, 11), "5": (10, 12), "6": (6, 7), "7": (12, 13),
              "8": (17, 21)},
    "lower": {"A": (6, 10), "B": (10, 16), "C": (17, 23), "D": (14, 18), "E": (23, 31),
              "1": (6, 7), "2": (7, 8), "3": (9, 10), "4": (10, 12), "5": (11, 12), "6": (6, 7), "7": (11, 13),
              "8": (17, 21)},
})
"""From when to when a tooth comes through: primary teeth in months, permanent ones in years."""

SHEDS: Final[Mapping[str, Mapping[str, tuple[int, int]]]] = MappingProxyType({
    "upper": {"A": (6, 7), "B": (7, 8), "C": (10, 12), "D": (9, 11), "E": (10, 12)},
    "lower": {"A": (6, 7), "B": (7, 8), "C": (9, 12), "D": (9, 11), "E": (10, 12)},
})
"""From when to when a primary tooth falls out, in years."""


@dataclass(frozen=True, slots=True)
class Tooth:
    """One tooth. ``place`` counts from the midline outward; ``partner`` is the face it replaces or is replaced by."""

    face: str
    colour: str
    jaw: str
    side: str
    place: int
    primary: bool
    kind: str
    fdi: int
    partner: str | None
    erupts: tuple[int, int]
    sheds: tuple[int, int] | None

    @property
    def name_key(self) -> str:
        """The catalogue key of its plain name, such as "central incisor"."""
        return f"teeth_time.art.tooth.{self.kind}"

    @property
    def quadrant_key(self) -> str:
        """The catalogue key of its quadrant, such as "upper right"."""
        return f"teeth_time.art.quadrant.{COLOURS[self.colour]}"


def _tooth(colour: str, rank: str) -> Tooth:
    primary = rank in LETTERS
    place = (LETTERS if primary else NUMBERS).index(rank) + 1
    jaw = "upper" if colour in UPPER else "lower"
    partner = colour + (NUMBERS if primary else LETTERS)[place - 1] if place <= len(LETTERS) else None
    return Tooth(
        face=colour + rank, colour=colour, jaw=jaw, side="right" if colour in PATIENTS_RIGHT else "left",
        place=place, primary=primary, kind=KINDS[rank], partner=partner,
        fdi=10 * ("rbyg".index(colour) + (5 if primary else 1)) + place,
        erupts=ERUPTS[jaw][rank], sheds=SHEDS[jaw][rank] if primary else None)


TEETH: Final[Mapping[str, Tooth]] = MappingProxyType(
    {colour + rank: _tooth(colour, rank) for colour in COLOURS for rank in LETTERS + NUMBERS})
"""Every tooth by its face: red upper right, blue upper left, yellow lower left, green lower right."""
