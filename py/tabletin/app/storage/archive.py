"""Everything this device keeps as one file, and back again; single matches come in as logs. See docs/storage.md.

Every entry of a file is judged before anything is stored: a file that is wrong anywhere changes nothing. The worker checks
each match among peers with all its signatures and proofs, whether it comes as a log or in an archive. Pure.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import date
from time import time
from typing import Any, Final

from tabletin.app.settings import Settings
from tabletin.app.storage.hint_counts import KEPT_AS as HINTS
from tabletin.app.storage.hint_counts import HintCounts
from tabletin.app.storage.league import KEPT_AS as LEAGUE
from tabletin.app.storage.league import Ask, League, has_come, sound_results
from tabletin.app.storage.matches import AlreadyWritten, MatchRecord, MatchStore, Row, record_of
from tabletin.app.storage.persistence import match_steps, row_of
from tabletin.app.storage.profiles import KEPT_AS as PROFILES
from tabletin.app.storage.profiles import Profile, Profiles
from tabletin.app.storage.puzzle_progress import KEPT_AS as PUZZLES
from tabletin.app.storage.puzzle_progress import Progress
from tabletin.app.storage.texts import TextStore
from tabletin.app.storage.turn_bests import KEPT_AS as TURNS
from tabletin.app.storage.turn_bests import TurnBests
from tabletin.app.time_slices import in_slices
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import MOST_DEPTH, Entry, depth, key_count, parse, value_count
from tabletin.kernel.logfile import FORM as LOG_FORM
from tabletin.kernel.logfile import (
    READABLE,
    audit_steps,
    bad_log,
    export,
    holds_faces_of,
    load_steps,
    missing_faces,
    read_faces,
    refuse_findings,
    told_of_file,
)
from tabletin.kernel.match import Match
from tabletin.kernel.options import Failure, Refusal, Refused, refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Setup, check_one_device, check_seats
from tabletin.kernel.table import AUTHOR
from tabletin.kernel.trusted_match import SEALED, is_trusted, read_answers
from tabletin.peers.league.collection import ResultCollection
from tabletin.peers.league.file import FORM as LEAGUE_FILE
from tabletin.peers.worker.answer import WorkerAnswer
from tabletin.peers.worker.calls import DeviceCall, VerifyLog
from tabletin.peers.worker.results import LogReport
from tabletin.registry import rules_of

FORM: Final = "tabletin-archive"
ACCUSATION: Final = "tabletin-accusation"
VERSION: Final = 1
MOST_BYTES: Final = 128_000_000  # of an archive
MOST_KEYS: Final = 10_000  # that differ, of an archive or a text in it: puzzles have one for each day
MOST_VALUES: Final = 2_000_000  # of an archive, and strings in it: three an entry. Each takes some forty bytes, however short
VERSIONS: Final = {FORM: (VERSION,), LOG_FORM: READABLE, ACCUSATION: (1,), LEAGUE_FILE: (1,)}
TAKEN_IN: Final = (FORM, LOG_FORM)  # forms of the files that bring matches here …
JUDGED: Final = (LOG_FORM, ACCUSATION, LEAGUE_FILE)  # … and of those that can be checked
ELSEWHERE: Final = "settings.data.why.elsewhere"
MOST_START: Final = 4_000  # characters in which a file says what it is
LATEST: Final = 253_402_300_799  # the last second of the year 9999: a browser can still put that into words


class Unreadable(Failure):
    """A file that is neither an archive of this program nor a log, or is damaged."""


async def pack(store: MatchStore, settings: Settings, texts: TextStore | None = None) -> str:
    """Every match, the settings, and of ``texts`` who plays here, solved puzzles, best turns, hints and the league.

    Raises ``StorageFailed``.
    """
    matches = await _packed(store, await store.records())
    kept = {"form": FORM, "version": VERSION, "settings": json.loads(settings.to_json()), "matches": matches}
    if texts is not None:
        kept["texts"] = {key: text for key in (PROFILES, PUZZLES, TURNS, HINTS) if (text := texts.recall(key)) is not None}
        league = await texts.recall_at_once(LEAGUE)
        if league is not None:
            kept["texts"][LEAGUE] = league
    return json.dumps(kept)


async def pack_person(store: MatchStore, texts: TextStore, person: Profile) -> str:
    """What is here of one person, for another device: the profile, its matches and its best turns; nothing that others keep here.

    Raises ``StorageFailed``."""
    records = [record for record in await store.records() if person.seat_in(record) is not None]
    matches = await _packed(store, records)
    turns = TurnBests.from_json(texts.recall(TURNS)).of_person(person.id)
    hints = HintCounts.from_json(texts.recall(HINTS)).of_matches(record.id for record in records)
    kept = {PROFILES: Profiles((person,)).to_json(), TURNS: turns.to_json(), HINTS: hints.to_json()}
    return json.dumps({"form": FORM, "version": VERSION, "matches": matches, "texts": kept})


async def _packed(store: MatchStore, records: Iterable[MatchRecord]) -> list[dict[str, Any]]:
    """The matches of ``records`` as an archive has them."""
    return [{"created": record.creation_time, "updated": record.update_time, "rows": (await store.read(record.id))[1]}
            for record in records]


async def no_worker(call: DeviceCall) -> WorkerAnswer:
    """An ``Ask`` where nobody can check a match among peers: it is refused."""
    raise refused("settings.data.why.unchecked")


async def unpack(store: MatchStore, text: str, ask: Ask = no_worker) -> tuple[int, int]:
    """Put the matches of ``text`` into the store: how many came, how many were there. ``ask`` checks those among peers with
    their signatures and proofs.

    Raises ``Unreadable``, ``StorageFailed``.
    """
    try:
        refuse_elsewhere(text, *TAKEN_IN)
        if not is_log(text):
            found = await _archived(text, ask)
        else:
            found = [await _proven(text, ask) if is_sealed(text) else await _logged(text)]
    except Refused as error:
        is_damaged = error.refusal.key == "kernel.malformed"
        raise Unreadable(why_unreadable(text) if is_damaged else told_of_file(error.refusal)) from error
    except (Malformed, KeyError, TypeError, ValueError, MemoryError) as error:
        raise Unreadable(why_unreadable(text)) from error
    here = {record.id for record in await store.records()}
    added = 0
    for record, rows in found:
        if record.id in here:
            continue
        here.add(record.id)
        with suppress(AlreadyWritten):  # it came in twice at once
            await store.append(record.id, 0, rows, record)
            added += 1
    return added, len(found) - added


def unpack_texts(texts: TextStore, text: str, today: date) -> None:
    """Put the profiles, the solved puzzles, the best turns and the hints of an archive beside those that are here.

    Nothing that is here is lost; what cannot be read, or lies in the future, is as if it had never been."""
    found = _texts_in(text)
    if PROFILES in found:
        here = Profiles.from_json(texts.recall(PROFILES))
        texts.keep(PROFILES, here.merge(Profiles.from_json(found[PROFILES])).to_json())
    if PUZZLES in found:
        solved = Progress.from_json(texts.recall(PUZZLES))
        texts.keep(PUZZLES, solved.merge(Progress.from_json(found[PUZZLES]).without_future(today)).to_json())
    if TURNS in found:
        turns = TurnBests.from_json(texts.recall(TURNS))
        texts.keep(TURNS, turns.merge(TurnBests.from_json(found[TURNS])).to_json())
    if HINTS in found:
        hints = HintCounts.from_json(texts.recall(HINTS))
        texts.keep(HINTS, hints.merge(HintCounts.from_json(found[HINTS])).to_json())


async def archived_league(text: str, ask: Ask, today: date) -> League:
    """The league in an archive, to be merged with what is here; one of nobody where there is none. ``ask`` checks all signatures;
    what does not hold stays out, and so does what was signed on a day yet to come.

    Raises ``Refused``.
    """
    kept = _texts_in(text).get(LEAGUE)
    if kept is None:
        return League()
    found = League.from_json(kept)
    past = tuple(one for one in found.results if has_come(one.day, today))
    return replace(found, results=ResultCollection.from_results(await sound_results(past, ask)))


def _texts_in(text: str) -> dict[str, str]:
    """The small texts of an archive, by their keys; none in anything else."""
    try:
        data: Any = {} if is_log(text) or _is_too_dear(text) else json.loads(text)
    except (ValueError, MemoryError):
        return {}
    found = data.get("texts") if isinstance(data, dict) else None
    texts = found if isinstance(found, dict) else {}
    return {key: one for key, one in texts.items() if isinstance(one, str) and not _is_too_dear(one)}


def _is_too_dear(text: str) -> bool:
    """Whether reading JSON would cost far more than its length: a file of empty lists takes thirty times as much room, in a
    browser thousands of levels end the whole interpreter, and keys can be chosen that are all compared with each other."""
    if text.count('"') - text.count('\\"') > 2 * MOST_VALUES:  # before it is cut at them
        return True
    return value_count(text) > MOST_VALUES or depth(text) > MOST_DEPTH or key_count(text) > MOST_KEYS


def refuse_elsewhere(text: str, *forms: str) -> None:
    """Raises ``Refused`` for a file that says of itself that it is of ours and of none of ``forms``: nothing is wrong with it."""
    start = text[:MOST_START].lstrip().partition("\n")[0].replace(" ", "")
    form = next((one for one in VERSIONS if f'"form":"{one}"' in start), ACCUSATION if '"exhibits":' in start else None)
    if form is not None and form not in forms:
        raise refused(ELSEWHERE)


def why_unreadable(text: str) -> Refusal:
    """Why a file cannot be read, as far as its ends tell: not ours, of another version, cut short, or damaged."""
    text = text.strip()
    try:
        first = parse(text.partition("\n")[0])
    except Malformed:
        first = None
    form = first.get("form") if type(first) is dict else None
    if type(first) is not dict or type(form) is not str or form not in VERSIONS:
        ours = any(f'"{name}"' in text[:400] for name in VERSIONS)
        return Refusal("settings.data.why.damaged" if ours else "settings.data.why.not_ours")
    if type(first.get("version")) is not int or first["version"] not in VERSIONS[form]:
        return Refusal("settings.data.why.version")
    return Refusal("settings.data.why.cut_short" if form == LOG_FORM and '"end":' not in text.rpartition("\n")[2] else
                   "settings.data.why.damaged")


def is_sealed(text: str) -> bool:
    """Whether ``text`` is the log of a match among peers. Raises ``Malformed`` for what is no log."""
    lines = text.lstrip().split("\n", 2)
    if len(lines) < 3:
        raise Malformed("too short for a log")
    return Setup.from_statement(Entry.from_json(parse(lines[1])).statement).dealing == SEALED


def is_log(text: str) -> bool:
    """Whether ``text`` says of itself that it is the log of a match."""
    first = text.lstrip().split("\n", 1)[0]
    return f'"form":"{LOG_FORM}"' in first.replace(" ", "")


async def _logged(text: str) -> tuple[MatchRecord, list[Row]]:
    """One match from an open log: all its faces lie with the first row."""
    match = await in_slices(load_steps(text, rules_of))
    refuse_findings(await in_slices(audit_steps(match)))
    rows = [row_of(entry, match.knowledge if entry.index == 0 else Faces()) for entry in match.entries]
    return record_of(match, time()), rows


async def _proven(text: str, ask: Ask) -> tuple[MatchRecord, list[Row]]:
    """One match from a sealed log: every signature and proof is checked before, and what its deals answered is told."""
    report = (await ask(VerifyLog(text))).result_as(LogReport)
    refuse_findings(report.findings)
    lines = [parse(line) for line in text.split("\n") if line.strip()]
    entries, faces = [Entry.from_json(line) for line in lines[1:-2]], read_faces(lines[-2])
    rows = [row_of(entry, faces if entry.index == 0 else Faces(), read_answers(answers))
            for entry, answers in zip(entries, report.answers, strict=True)]
    return record_of(await in_slices(match_steps(rows)), time()), rows


async def _archived(text: str, ask: Ask) -> list[tuple[MatchRecord, list[Row]]]:
    if _is_too_dear(text):
        raise refused("settings.data.why.damaged")
    try:
        data: Any = json.loads(text)
    except ValueError as error:
        raise refused("settings.data.why.not_ours") from error
    if not isinstance(data, dict) or data.get("form") != FORM:
        raise refused("settings.data.why.not_ours")
    version = data.get("version")
    if type(version) is not int or version != VERSION:
        raise refused("settings.data.why.version")
    found = []
    for one in data["matches"]:
        found.append(await _judged(one, ask))
        await asyncio.sleep(0)  # thousands take minutes, and the page lives on
    return found


async def _judged(one: dict[str, Any], ask: Ask) -> tuple[MatchRecord, list[Row]]:
    """One match of an archive, held against all that a log of it would be. Its rows are only believed once that is done."""
    created, updated = _read_time(one["created"]), _read_time(one["updated"])
    rows = [(str(line), str(faces)) for line, faces in one["rows"]]
    statements = [Entry.from_json(parse(line)).statement for line, _ in rows]
    for statement in statements:
        check_seats(statement)
    match = await in_slices(match_steps(rows))
    if is_trusted(match):
        record, rows = await _proven(export(match), ask)
    else:
        for statement in statements:
            check_one_device(statement, AUTHOR)
        _require_faces(match)
        refuse_findings(await in_slices(audit_steps(match)))
        record = record_of(match, created)
    return replace(record, creation_time=created, update_time=updated), rows


def _require_faces(match: Match) -> None:
    """Raises ``BadLog`` where an openly dealt match lacks faces. One that came as a seat's own file has those of that seat and
    no others."""
    if not any(holds_faces_of(match, seat) for seat in (None, *range(match.rules.seats))):
        raise bad_log("missing", n=missing_faces(match, None))


def _read_time(value: Any) -> float:
    """Seconds since 1970. Raises ``Malformed`` for what no page can show as a day."""
    if type(value) not in (int, float) or not 0 <= value <= LATEST:
        raise Malformed("expected a time")
    return float(value)
