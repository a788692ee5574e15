"""Entries as they lie on disk, and a match from them: a row is the entry's line of the log and what is stored beside it.

Beside an entry: the private faces that came with it, and in a match among peers what a deal answered. It knows the log's
spelling and nothing of where rows are kept. See docs/storage.md. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabletin.app.storage.matches import Row
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry, canonical, parse
from tabletin.kernel.logfile import read_faces, refold
from tabletin.kernel.match import Match
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Setup
from tabletin.kernel.trusted_match import SEALED, Answers, answers_json, follow, read_answers, trusted_match
from tabletin.registry import rules_of


def row_of(entry: Entry, faces: Faces, answers: Answers | None = None) -> Row:
    """The line of ``entry``; beside it the private ``faces`` that came with it and, in a match among peers, what it
    answered."""
    beside: dict[str, Any] = {"faces": {str(card): face for card, face in faces.items()}} if faces else {}
    if answers is not None:
        beside["told"] = answers_json(answers)
    return entry.line, canonical(beside).decode() if beside else ""


def match_of(rows: Sequence[Row]) -> Match:
    """The match of ``rows``, every entry judged anew. Raises ``Malformed`` or ``Refused``."""
    entries = [Entry.from_json(parse(line)) for line, _ in rows]
    if [entry.index for entry in entries] != list(range(len(entries))):
        raise Malformed("entries are missing")
    beside = [_beside(text) for _, text in rows]
    if entries and Setup.from_statement(entries[0].statement).dealing == SEALED:
        match = trusted_match(rules_of(Setup.from_statement(entries[0].statement).game), entries[0])
        for entry, (_, answers) in zip(entries[1:], beside[1:], strict=True):
            follow(match, entry, answers)
    else:
        match = refold(entries, rules_of)
    for faces, _ in beside:
        match.learn(faces)
    return match


def _beside(text: str) -> tuple[Faces, Answers | None]:
    """The faces and the answers in a row's second text."""
    if not text:
        return Faces(), None
    data = parse(text)
    if type(data) is not dict or not data.keys() <= {"faces", "told"}:
        raise Malformed("beside an entry: expected faces and answers")
    faces = read_faces({"faces": data["faces"]}) if "faces" in data else Faces()
    return faces, read_answers(data.get("told"))
