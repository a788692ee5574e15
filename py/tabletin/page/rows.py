"""Entries as they lie on disk, and a match from them: a row is the entry's line of the log and the private faces it brought.

Knows the log's spelling and nothing of where rows are kept. See docs/storage.md. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletin.games import rules_of
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry, canonical, parse
from tabletin.kernel.match import Match
from tabletin.kernel.openform import read_faces, refold
from tabletin.kernel.shapes import Malformed

from .shelf import Row


def row_of(entry: Entry, faces: Faces) -> Row:
    """``entry``, and the private faces that came with it."""
    knowledge = {"faces": {str(card): face for card, face in faces.items()}}
    return canonical(entry.to_json()).decode(), canonical(knowledge).decode() if faces else ""


def match_of(rows: Sequence[Row]) -> Match:
    """The match whose entries ``rows`` are, every one judged anew. Raises ``Malformed`` or ``Refused``."""
    entries = [Entry.from_json(parse(line)) for line, _ in rows]
    if [entry.index for entry in entries] != list(range(len(entries))):
        raise Malformed("entries are missing")
    match = refold(entries, rules_of)
    for _, faces in rows:
        if faces:
            match.learn(read_faces(parse(faces)))
    return match
