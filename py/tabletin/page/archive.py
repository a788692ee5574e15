"""Everything this device keeps as one file, and back again; single matches come in as open logs. See docs/storage.md.

What is taken in is judged entry by entry first: a file that is wrong anywhere changes nothing. Pure.
"""

from __future__ import annotations

import json
from time import time
from typing import Any, Final

from tabletin.games import rules_of
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import MOST_DEPTH, depth
from tabletin.kernel.openform import FORM as LOG_FORM
from tabletin.kernel.openform import load
from tabletin.kernel.options import Refusal, Refused, refused
from tabletin.kernel.shapes import Malformed

from .rows import match_of, row_of
from .settings import Settings
from .shelf import Record, Row, Shelf, record_of

FORM: Final = "tabletin-archive"
VERSION: Final = 1


class Unreadable(Exception):
    """A file that is no archive of ours and no log, or a damaged one; ``refusal`` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


async def pack(shelf: Shelf, settings: Settings) -> str:
    """Every match and the settings. Raises ``StorageFailed``."""
    matches = []
    for record in await shelf.records():
        _, rows = await shelf.read(record["id"])
        matches.append({"created": record["created"], "updated": record["updated"], "rows": rows})
    kept = {"form": FORM, "version": VERSION, "settings": json.loads(settings.to_json()), "matches": matches}
    return json.dumps(kept)


async def unpack(shelf: Shelf, text: str) -> tuple[int, int]:
    """Put the matches of ``text`` on the shelf: how many came, how many were there.

    Raises ``Unreadable``, ``StorageFailed``.
    """
    try:
        found = _archived(text) if not _is_log(text) else [_logged(text)]
    except Refused as error:
        raise Unreadable(error.refusal) from error
    except (Malformed, KeyError, TypeError, ValueError) as error:
        raise Unreadable(Refusal("settings.data.why.damaged")) from error
    here = {record["id"] for record in await shelf.records()}
    added = 0
    for record, rows in found:
        if record["id"] not in here:
            await shelf.append(record["id"], 0, rows, record)
            here.add(record["id"])
            added += 1
    return added, len(found) - added


def _is_log(text: str) -> bool:
    first = text.lstrip().split("\n", 1)[0]
    return f'"form":"{LOG_FORM}"' in first.replace(" ", "")


def _logged(text: str) -> tuple[Record, list[Row]]:
    """One match from an open log: all its faces lie with the first row."""
    match = load(text, rules_of)
    rows = [row_of(entry, match.knowledge if entry.index == 0 else Faces()) for entry in match.entries]
    return record_of(match, time()), rows


def _archived(text: str) -> list[tuple[Record, list[Row]]]:
    if depth(text) > MOST_DEPTH:  # in a browser, thousands of levels end the whole interpreter
        raise refused("settings.data.why.damaged")
    try:
        data: Any = json.loads(text)
    except ValueError as error:
        raise refused("settings.data.why.not_ours") from error
    if not isinstance(data, dict) or data.get("form") != FORM:
        raise refused("settings.data.why.not_ours")
    if data.get("version") != VERSION:
        raise refused("settings.data.why.version")
    return [_judged(one) for one in data["matches"]]


def _judged(one: dict[str, Any]) -> tuple[Record, list[Row]]:
    rows = [(str(line), str(faces)) for line, faces in one["rows"]]
    record = record_of(match_of(rows), float(one["created"]))
    return {**record, "updated": float(one["updated"])}, rows
