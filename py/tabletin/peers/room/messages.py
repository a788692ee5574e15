"""The messages of the channel "room": their forms as data, and reading them strictly.

A message is one JSON object: ``v`` (the version of this form), ``do``, and exactly the fields of that form. Nothing here
knows what a message means.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tabletin.kernel.log import Json, parse
from tabletin.kernel.schema import Malformed

VERSION: Final = 8  # raised with this form, with ``PROTOCOL`` and that of heads: who is in a room can begin a match there
MOST_TEXT: Final = 24_000  # characters of a message
WHYS: Final = ("removed", "refused", "full", "version")
TEXT, FLAG, COUNT, OBJECT, AGREEMENT, WHY = "text", "flag", "count", "object", "agreement", "why"
FORMS: Final[Mapping[str, Mapping[str, str]]] = {
    "enter": {"name": TEXT, "watching": FLAG, "proof": TEXT},  # to the host: let me in, or: I am back
    "name": {"name": TEXT},
    "sit": {"chair": COUNT},
    "stand": {},
    "ready": {"agreement": AGREEMENT},  # "" takes it back
    "again": {},
    "room": {"room": OBJECT},  # from the host: all of it
    "no": {"why": WHY},
    "host": {"author": AGREEMENT},  # from a member to its guest: who the host is
    "found": {"genesis": OBJECT},
    "say": {"text": TEXT, "reaction": TEXT},  # from anybody to everybody
    "league": {"league": OBJECT},  # from any member to another: results of the family league
    "leave": {},
}
MOST_FIELD: Final = 1000


@dataclass(frozen=True, slots=True)
class Message:
    """A message in the right form."""

    do: str
    fields: Mapping[str, Any]


def spell(do: str, **said: Json) -> str:
    """The text of a message."""
    return json.dumps({"v": VERSION, "do": do, **said}, separators=(",", ":"), ensure_ascii=False)


def read(text: str) -> Message:
    """The message in ``text``. Raises ``Malformed``; with the text "version" if it is of another version."""
    if len(text) > MOST_TEXT:
        raise Malformed("too long")
    data = parse(text)
    if type(data) is not dict:
        raise Malformed("expected a message")
    version, do = data.pop("v", None), data.pop("do", None)
    if version != VERSION or type(version) is not int:
        raise Malformed("version" if type(version) is int else "expected a message")
    form = FORMS.get(do) if type(do) is str else None
    if form is None or data.keys() != form.keys() or not all(fits(kind, data[name]) for name, kind in form.items()):
        raise Malformed("expected a message")
    return Message(do, data)


def fits(kind: str, value: Json) -> bool:
    """Whether ``value`` is of the form ``kind``."""
    if kind == FLAG:
        return type(value) is bool
    if kind == COUNT:
        return type(value) is int and 0 <= value < 100
    if kind == OBJECT:
        return type(value) is dict
    if type(value) is not str or len(value) > MOST_FIELD:
        return False
    if kind == WHY:
        return value in WHYS
    return kind == TEXT or value == "" or (len(value) == 64 and set(value) <= set("0123456789abcdef"))
