"""Makes what people write fit to be shown: one line, nothing invisible, nothing that turns the words around it.

``clean`` is for showing. ``is_legible`` is for judging: it goes by a fixed table, so that programs with other versions of
Unicode judge alike. It knows nothing of what is said.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

NAME: Final = 20  # characters
MARKS_IN_A_ROW: Final = 2
JOINER: Final = "\u200d"  # makes one picture of several: a family, a rainbow flag
PICTURES: Final = ("So", "Sk", "Sm", "Mn")  # what a joiner may stand between: symbols, skin tones, variation selectors

ILLEGIBLE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters, line ends among them
    "\xad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"  # unseen, or changing direction
    "\ud800-\udfff\U000e0000-\U000e0fff]")  # half a character; tags


def clean(text: str, most: int) -> str:
    """``text`` in one line of at most ``most`` characters, without control and direction characters or piled-up marks.

    >>> clean("An\\u202ena\\n  \\U0001f469\\u200d\\U0001f680", 20) == "Anna \\U0001f469\\u200d\\U0001f680"
    True
    """
    shown: list[str] = []
    marks = 0
    given = unicodedata.normalize("NFC", text[:4 * most])
    for place, char in enumerate(given):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if char in "\t\n\r":
            shown.append(" ")
        elif char == JOINER:
            after = unicodedata.category(given[place + 1:place + 2] or " ")
            if shown and unicodedata.category(shown[-1]) in PICTURES and after == "So":
                shown.append(char)
        elif kind[0] != "C" and marks <= MARKS_IN_A_ROW:
            shown.append(char)
    return " ".join("".join(shown).split())[:most].strip(f" {JOINER}")


def is_legible(text: str, most: int) -> bool:
    """Whether ``text`` has at most ``most`` characters, and none that is unseen or changes the direction of others."""
    return len(text) <= most and ILLEGIBLE.search(text) is None
