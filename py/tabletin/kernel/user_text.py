"""Makes what people write fit to be shown: one line, nothing invisible, nothing that turns the words around it.

``clean`` is for showing. ``is_legible`` is for judging: it goes by a fixed table, so that programs with other versions of
Unicode judge alike. ``visible`` is for telling names apart. It knows nothing of what is said.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

NAME: Final = 20  # characters
NAMELESS: Final = re.compile(r"(\?( \d+)?)?")  # what devices call somebody who gave no name; a number tells several apart
MARKS_IN_A_ROW: Final = 2
GAPS: Final = str.maketrans(dict.fromkeys("\t\n\r\u2028\u2029", " "))
JOINER: Final = "\u200d"
PICTURES: Final = ("\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299"
                   "\U0001f000-\U0001faff")
"""Where emoji are. Between two of them a joiner makes one picture: a family, a rainbow flag. Behind one of them a variation
selector says whether it is drawn in colours; behind a digit, it begins a key of a keypad."""

ILLEGIBLE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters, line ends among them
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d"
    "\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # by Unicode ignored, or changing direction
    "\u2800\ufffc\U00016fe4\U0001d159\U00013441\U00013442"  # signs that are empty
    "\ud800-\udfff\U000e0000-\U000e0fff]"  # half a character; tags
    f"|(?<![{PICTURES}])(?:\ufe0e|\ufe0f(?!(?<=[#*0-9]\ufe0f)\u20e3))"  # a variation selector that changes nothing
    f"|(?<![{PICTURES}\ufe0f])\u200d|\u200d(?![{PICTURES}])")  # a joiner that joins nothing

UNSEEN: Final = re.compile("[\u200d\ufe0e\ufe0f]")  # what is legible, and may still change nothing


def is_nameless(name: str) -> bool:
    """Whether ``name`` stands for somebody who gave none.

    >>> [is_nameless(name) for name in ("", "?", "? 2", "Ada", "2", "???")]
    [True, True, True, False, False, False]
    """
    return NAMELESS.fullmatch(name) is not None


def clean(text: str, most: int, *, keeps_newer: bool = False) -> str:
    """``text`` in one line of at most ``most`` characters, without what nobody sees, what changes direction, or piled-up marks.
    ``keeps_newer``: leave signs that this Python's version of Unicode does not have yet, which another one's may.

    What is clean stays as it is: each door may clean what another door has cleaned.

    >>> clean("An\\u202ena\\n  \\U0001f469\\u200d\\U0001f680", 20) == "Anna \\U0001f469\\u200d\\U0001f680"
    True
    """
    given, shown = text, _clean_once(text[:4 * most], most, keeps_newer)
    while shown != given:  # what is taken out brings others together; it ends, since each round but the last takes some out
        given, shown = shown, _clean_once(shown, most, keeps_newer)
    return shown


def _clean_once(text: str, most: int, keeps_newer: bool) -> str:
    shown: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", ILLEGIBLE.sub("", text.translate(GAPS))):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        is_seen = kind[0] != "C" or (keeps_newer and kind == "Cn")
        if char == JOINER or (is_seen and marks <= MARKS_IN_A_ROW):
            shown.append(char)
    return " ".join("".join(shown).split())[:most].strip()


def is_legible(text: str, most: int) -> bool:
    """Whether ``text`` has at most ``most`` characters, and none that is unseen or changes the direction of others."""
    return len(text) <= most and ILLEGIBLE.search(text) is None


def visible(name: str) -> str:
    """What people see of a clean ``name``, to tell two apart: without what may change nothing."""
    return UNSEEN.sub("", name)
