"""Cleans what people write, so that it can be shown."""

from __future__ import annotations

import unicodedata
from typing import Final

NAME: Final = 20  # characters
MARKS_IN_A_ROW: Final = 2


def clean(text: str, most: int) -> str:
    """``text`` in one line of at most ``most`` characters, without control and direction characters or piled-up marks."""
    shown: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text[:4 * most]):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind[0] == "Z" or char in "\t\n\r":
            shown.append(" ")
        elif kind[0] != "C" and marks <= MARKS_IN_A_ROW:
            shown.append(char)
    return " ".join("".join(shown).split())[:most].strip()
