"""How small the sentence beside the hand is set, so that it keeps to its line, and the notes on a plate. Pure
arithmetic: nothing is measured, since that would have the browser lay out the page once more.
"""

from __future__ import annotations

from math import ceil
from typing import Final, NamedTuple

LETTER: Final = 0.5  # of a size: about as wide as a letter
FILLED: Final = 0.86  # of a line, as words are not divided
ONE_ROW: Final = 48.0  # rem of width from which it stands beside the buttons, in one row with them
NOTES_APART: Final = " · "


class LetterSize(NamedTuple):
    """A class of the style sheet (``web/styles/table/turn.css``): rem, and how much higher a line is."""

    name: str
    rem: float
    leading: float

    def height(self, letters: int, room: float) -> float:
        """The rem of height that so many letters take in ``room`` rem of width."""
        return ceil(letters * self.rem * LETTER / (FILLED * max(room, 1.0))) * self.rem * self.leading


SIZES: Final = (LetterSize("usual", 1.0, 1.25), LetterSize("long", 0.875, 1.2), LetterSize("longer", 0.8125, 1.2),
                LetterSize("longest", 0.75, 1.1), LetterSize("endless", 0.6875, 1.1))


def room_for(width: float) -> tuple[float, float]:
    """The rem of width and height that the sentence has below a table ``width`` rem wide, as the style sheet gives it, with a
    hair of height that is not noticed."""
    if width < ONE_ROW:
        return width - 1.5, 2.3
    return min(30.0, width - 12.5 - min(max(16.0, 0.36 * width), 26.0)), 3.2


def letter_size(letters: int, width: float) -> str:
    """The largest of ``SIZES`` in which so many ``letters`` keep to the line below a table ``width`` rem wide."""
    room, most = room_for(width)
    return next((size.name for size in SIZES if size.height(letters, room) <= most), SIZES[-1].name)


def letters_in_line(notes: str, lines: int) -> int:
    """How many letters stand side by side of ``notes`` on a plate that has one or two ``lines``. Several notes go on in the
    second one before they are too small to be read; a single note does not."""
    parts = notes.split(NOTES_APART) if lines > 1 else []
    halves = ((NOTES_APART.join(parts[:at]), NOTES_APART.join(parts[at:])) for at in range(1, len(parts)))
    return min((max(map(len, half)) for half in halves), default=len(notes))
