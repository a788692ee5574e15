"""How a sealed match was dealt: which entry did what, by whom, with how many proofs.

It reads the log alone and takes messages apart without checking them: it is for people, not for judges. A page that shows it
has a replica that checked every message, or says that nobody did.
"""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as Base64Error
from dataclasses import dataclass
from typing import Any, Final

from tabletin.kernel.log import Hash
from tabletin.kernel.match import Match, asks_new_deck
from tabletin.peers.sealed import wire

KINDS: Final = {1: "key", 2: "shuffle", 3: "share", 4: "play", 5: "remask", 6: "roll", 7: "leave"}


@dataclass(frozen=True, slots=True)
class TrailLine:
    """One message of the dealing."""

    index: int  # of the entry
    hash: Hash
    author: str
    hand: int  # how many deals came before
    what: str  # a value of ``KINDS``, or "unknown"
    cards: int  # that the message is about
    proofs: int  # zero-knowledge proofs in it, which everybody checked


def dealing_trail(match: Match) -> list[TrailLine]:
    """Every message of the dealing in ``match``, in order."""
    lines: list[TrailLine] = []
    hand, waiting = -1, False
    for entry, state, _ in match.story():
        statement = entry.statement
        for is_early, data in _messages(statement.kind, statement.body):
            what, cards = outline(data)
            lines.append(TrailLine(entry.index, entry.hash, statement.author, max(hand + is_early, 0), what, cards, 1))
        asked, waiting = waiting, asks_new_deck(state)
        hand += waiting and not asked
    return lines


def _messages(kind: str, body: dict[str, Any]) -> list[tuple[bool, bytes]]:
    """The dealing's messages in a statement, each with whether it is for the next hand."""
    if kind == "deal":
        return [(name == "ahead", data) for name in ("sealed", "ahead") for data in _bytes(body.get(name))]
    if kind == "leave":
        return [(False, data) for data in _bytes(body.get("sealed"))]
    if kind == "move":
        return [(False, data) for opening in body.get("open", ()) if len(opening) == 3 for data in _bytes(opening[2])]
    return []


def _bytes(text: Any) -> list[bytes]:
    texts = text if isinstance(text, list) else [text]
    found = []
    for one in texts:
        if isinstance(one, str):
            try:
                found.append(b64decode(one, validate=True))
            except Base64Error:
                continue  # no replica takes such an entry in, so there is nothing to tell of it
    return found


def outline(data: bytes) -> tuple[str, int]:
    """What kind of message these bytes are ("unknown" for none of ours), and how many cards it is about."""
    reader = wire.MessageReader(data)
    try:
        what = KINDS.get(reader.byte(), "unknown")
        if what == "shuffle":
            reader.count(2**32)
            return what, reader.count(wire.MOST_CARDS)
        if what in ("share", "play", "remask", "leave"):
            return what, len(reader.handles())
    except wire.MalformedMessage:
        return "unknown", 0
    return what, 0
