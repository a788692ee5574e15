"""Cards for a family that has no ``art`` module yet: the face as it is written, on a plain sheet.

It has what every ``art`` module has. It knows no game: any face can be drawn, and its name is the face itself.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from tabletin.board.svg import Markup, back_frame, fan, lettering, sheet, tin_lid
from tabletin.words import SOURCE

VIEWBOX: Final = (250, 350)
LARGEST: Final = 120  # of lettering
FITS: Final = 210  # of the sheet's width


@cache
def front(face: str, language: str = SOURCE) -> Markup:
    """The inner markup of ``face``: its own letters."""
    size = min(LARGEST, 1.7 * FITS / max(1, len(face)))
    corner = lettering(face, 18, 46, min(34, size), "ink-quiet", anchor="start")
    return sheet(*VIEWBOX) + corner + lettering(face, 125, 175 + size / 3, size, "ink", width=FITS if len(face) > 12 else 0)


@cache
def back() -> Markup:
    return back_frame(*VIEWBOX, "enamel", lettering("?", 125, 225, 140, "cream", font="display"))


@cache
def lid(game: str, language: str = SOURCE) -> Markup:
    """The lid of a tin: three closed cards."""
    return tin_lid("enamel-deep", fan([back()] * 3, VIEWBOX, 74, 12))


def name(face: str) -> tuple[str, dict[str, str]]:
    """The face itself, for ``Wording.face``."""
    return "kernel.face", {"face": face}
