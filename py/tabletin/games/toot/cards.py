"""The cards of TooT as data: faces, their kinds, how many of each there are, and what a number or colour can do.

Four games share this deck. The module knows nothing of hands, tables or turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from tabletin.kernel.faces import Face

NUMBERS: Final = ("1", "2", "3", "4")
PRIMARIES: Final = ("red", "yellow", "blue")
SECONDARIES: Final = ("purple", "orange", "green")
WILD: Final = "X"
STATED: Final = (*NUMBERS, *PRIMARIES, *SECONDARIES)  # what an X may stand for (TO-2)

COUNTS: Final[Mapping[Face, int]] = MappingProxyType({  # TO-1
    "1": 8, "2": 8, "3": 3, "4": 1, "X": 5, "red": 7, "yellow": 7, "blue": 7, "purple": 5, "orange": 3, "green": 3})
DECK: Final = tuple(face for face, count in COUNTS.items() for _ in range(count))  # 57 cards (TO-1)


class Kinds(NamedTuple):
    """How many cards of each kind; all that matters of a hand, since colours of one kind do the same (TO-2)."""

    ones: int = 0
    twos: int = 0
    threes: int = 0
    fours: int = 0
    wilds: int = 0
    primaries: int = 0
    secondaries: int = 0


KIND_OF: Final[Mapping[Face, int]] = MappingProxyType(
    {**{face: index for index, face in enumerate((*NUMBERS, WILD))},
     **dict.fromkeys(PRIMARIES, 5), **dict.fromkeys(SECONDARIES, 6)})


def kinds(faces: Iterable[Face]) -> Kinds:
    """``faces`` counted by kind.

    >>> kinds(["red", "X", "blue", "2"])
    Kinds(ones=0, twos=1, threes=0, fours=0, wilds=1, primaries=2, secondaries=0)
    """
    counts = [0] * 7
    for face in faces:
        counts[KIND_OF[face]] += 1
    return Kinds(*counts)


def word_key(face: Face) -> str:
    """``face`` as a parameter of a sentence: the catalogue key of its words."""
    return f"toot.face.{face}"
