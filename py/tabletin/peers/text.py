"""What people write, as it may be shown."""

from __future__ import annotations

import unicodedata
from typing import Final

NAME: Final = 20  # characters



MARKS_IN_A_ROW: Final = 2



def clean(text: str, most: int) -> str:
    """``text`` as it may be shown: one line without control, direction or piled-up marks, at most ``most`` characters."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text[:4 * most]):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind[0] == "Z" or char in "\t\n\r":
            kept.append(" ")
        elif kind[0] != "C" and marks <= MARKS_IN_A_ROW:
            kept.append(char)
    return " ".join("".join(kept).split())[:most].strip()
