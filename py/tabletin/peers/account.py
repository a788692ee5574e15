"""A plain account of how a sealed match was dealt: which entry did what, by whom, with how many proofs. Reads the log alone.

For people, not for judges: it takes messages apart without checking them. Whoever shows it has a replica that checked every
one before it took the entry in, or says that nobody did.
"""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from tabletin.kernel.log import Entry, Hash

from .sealed.wire import MOST_CARDS, Malformed, Reader

KINDS: Final = {1: "key", 2: "shuffle", 3: "share", 4: "play", 5: "remask", 6: "roll", 7: "leave", 8: "gone"}


@dataclass(frozen=True, slots=True)
class Line:
    """Entry ``index``: its ``author`` did ``what`` ("key", "shuffle", "share", "play", "remask", "roll", "leave") with
    ``cards`` cards, and ``proofs`` zero-knowledge proofs that everybody checked. ``hand``: how many deals came before."""

    index: int
    hash: Hash
    author: str
    hand: int
    what: str
    cards: int
    proofs: int


def account(entries: Iterable[Entry]) -> list[Line]:
    """Every message of the dealing in ``entries``, in order."""
    lines: list[Line] = []
    hand, keyed = -1, set[str]()
    for entry in entries:
        statement = entry.statement
        for data in _messages(statement.kind, statement.body):
            what, cards = outline(data)
            if what == "key":
                if hand < 0 or statement.author in keyed:
                    hand, keyed = hand + 1, set()
                keyed.add(statement.author)
            lines.append(Line(entry.index, entry.hash, statement.author, max(hand, 0), what, cards, 1))
    return lines


def _messages(kind: str, body: dict[str, Any]) -> list[bytes]:
    """The dealing's messages in a statement: for this hand, for the one after it, or opening what a move plays."""
    if kind == "deal":
        return [data for name in ("sealed", "ahead") for data in _bytes(body.get(name))]
    if kind == "move":
        return [data for opening in body.get("open", ()) if len(opening) == 3 for data in _bytes(opening[2])]
    return []


def _bytes(text: Any) -> list[bytes]:
    texts = text if isinstance(text, list) else [text]
    found = []
    for one in texts:
        if isinstance(one, str):
            try:
                found.append(b64decode(one, validate=True))
            except Base64Error:
                continue  # no replica takes such an entry in; an account of it has nothing to say
    return found


def outline(data: bytes) -> tuple[str, int]:
    """What kind of message these bytes are, and how many cards it is about; "unknown" for none of ours."""
    reader = Reader(data)
    try:
        what = KINDS.get(reader.byte(), "unknown")
        if what == "shuffle":
            reader.count(2**32)
            return what, reader.count(MOST_CARDS)
        if what in ("share", "play", "remask", "leave"):
            return what, len(reader.handles())
    except Malformed:
        return "unknown", 0
    return what, 0
