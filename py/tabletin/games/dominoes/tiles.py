"""The dominoes themselves: faces, their halves and pips, the sets, and the order in which a lead is asked for.

Pure data. A face is written ``high-low`` ("6-3", "0-0"). Nothing here knows who holds what.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tabletin.kernel.faces import Face
from tabletin.kernel.schema import Malformed

HIGHEST: Final = 12
HALVES: Final[dict[Face, tuple[int, int]]] = {
    f"{high}-{low}": (high, low) for high in range(HIGHEST + 1) for low in range(high + 1)}
PIPS: Final[dict[Face, int]] = {face: high + low for face, (high, low) in HALVES.items()}


def tile_set(highest: int) -> tuple[Face, ...]:
    """Every domino of the double-``highest`` set: 28, 55 or 91 for six, nine and twelve."""
    return tuple(face for face, (high, _) in HALVES.items() if high <= highest)


def doubles(highest: int) -> tuple[Face, ...]:
    """The doubles of the set, highest first: the order in which a lead is asked for (DO-1)."""
    return tuple(f"{number}-{number}" for number in range(highest, -1, -1))


def heaviest(highest: int) -> tuple[Face, ...]:
    """The other dominoes, heaviest first and, as heavy, the higher half first (DO-1, Matador)."""
    others = [face for face in tile_set(highest) if HALVES[face][0] != HALVES[face][1]]
    return tuple(sorted(others, key=lambda face: (PIPS[face], HALVES[face][0]), reverse=True))


def words_of(face: Face) -> dict[str, Any]:
    """``face`` as parameters for the catalogue."""
    high, low = HALVES[face]
    return {"high": high, "low": low}


def key_about(key: str, face: Face) -> str:
    """The key of the sentence ``key`` about ``face``: doubles have a form of their own, as people call them by one number."""
    high, low = HALVES[face]
    return f"{key}_double" if high == low else key


def pips(faces: Iterable[Face]) -> int:
    """The dots on all of ``faces``; a double counts in full. Raises ``Malformed`` for what is no domino."""
    total = 0
    for face in faces:
        if face not in PIPS:
            raise Malformed("a face that is no domino")
        total += PIPS[face]
    return total
