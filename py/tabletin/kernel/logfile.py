"""A match as a file: JSON Lines, the log and all knowledge there is, or one seat's own share of it. See docs/log.md.

Reading refuses what is malformed, truncated or illegal with a sentence, and never half-loads. ``audit`` checks a whole
open log: deals are permutations of what was shuffled, openings agree with the knowledge, no claim is contradicted.
A long match takes seconds: ``load_steps``, ``audit_steps`` and ``refold_steps`` do the same in steps, one entry at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from tabletin.kernel.dealing import OpenDealing
from tabletin.kernel.faces import Card, Faces
from tabletin.kernel.log import Entry, Json, Statement, canonical, digest, parse
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.requests import Shuffle
from tabletin.kernel.rules import Finding, Rules
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import OPEN, Setup, check_one_device, check_seats
from tabletin.kernel.stepwise import Steps, result_of
from tabletin.kernel.table import AUTHOR

FORM: Final = "tabletin-log"
FORM_VERSION: Final = 2
READABLE: Final = (1, FORM_VERSION)  # files of version 1 lack the hash over their faces

MOST_BYTES: Final = 64_000_000  # of a file with one match
MOST_LINES: Final = 200_000  # of it
MEGABYTE: Final = 1_000_000

ACTS: Final = ("move", "undo", "consent", "resign")  # kinds of statements that a seat makes
UNPROVEN: Final = ("kernel.malformed", "kernel.log.", "kernel.file.", "peers.", "sealed.")  # of what anybody may have written

FindRules = Callable[[str], type[Rules[Any]]]


def export(match: Match, seat: int | None = None) -> str:
    """The log with all knowledge (``seat`` None: only after the end), or with what ``seat`` was ever shown."""
    header: dict[str, Json] = {"form": FORM, "version": FORM_VERSION, "seat": seat}
    known = match.knowledge if seat is None else knowledge_of(match, seat)
    faces: Json = {"faces": {str(card): face for card, face in sorted(known.items())}}
    lines = [header, *(entry.to_json() for entry in match.entries), faces, _last_line(match, faces, FORM_VERSION)]
    return "".join(canonical(line).decode() + "\n" for line in lines)


def _last_line(match: Match, faces: Json, version: int) -> dict[str, Json]:
    """What the last line says: how many entries there are, the hash of the last, and (from version 2) that of the faces."""
    line: dict[str, Json] = {"end": len(match.entries), "head": match.head}
    return line if version == 1 else {**line, "faces": digest(faces)}


def knowledge_of(match: Match, seat: int) -> Faces:
    """Every private face that ``seat`` was shown in the course of the match."""
    shown = result_of(_shown_cards(match, seat))
    return Faces((card, match.knowledge[card]) for card in sorted(shown) if card in match.knowledge)


def _shown_cards(match: Match, seat: int) -> Steps[set[Card]]:
    bit = 1 << seat
    shown: set[Card] = set()
    for _, snapshot, _ in match.steps():
        shown.update(card for card, mask in snapshot.state.viewers.items() if mask & bit)
        yield
    return shown


def missing_faces(match: Match, seat: int | None) -> int:
    """How many faces a file of ``match`` lacks: of all cards that were dealt, or of those that ``seat`` was shown. None among
    peers, where nobody knows them all."""
    missing, _ = result_of(_face_faults(match, seat))
    return missing


def holds_faces_of(match: Match, seat: int | None) -> bool:
    """Whether an openly dealt ``match`` knows what a file of ``seat`` holds: the face of each card that was dealt, or of each
    that ``seat`` was shown and of no other."""
    return result_of(_face_faults(match, seat)) == (0, 0)


def _face_faults(match: Match, seat: int | None) -> Steps[tuple[int, int]]:
    """How many faces a file of ``match`` lacks, and how many it has that ``seat`` was not shown."""
    due = set(range(match.state.next_card)) if seat is None else (yield from _shown_cards(match, seat))
    known = match.knowledge.keys()
    return len(due - known) if match.setup.dealing == OPEN else 0, 0 if seat is None else len(known - due)


class BadLog(Refused):
    """A file that is no log, or the log of a match that could not have been played. ``entry``: which one is wrong; None
    where it is the file as a whole. The reason's parameters name the entry, too, and as ``at_seat`` whose act it is."""

    def __init__(self, refusal: Refusal, entry: int | None = None, seat: int | None = None) -> None:
        where = {name: one for name, one in (("entry", entry), ("at_seat", seat)) if one is not None}
        super().__init__(replace(refusal, params={**refusal.params, **where}))
        self.entry = entry


def bad_log(what: str, **params: Any) -> BadLog:
    """``what``: the reason's key below ``kernel.file``."""
    return BadLog(Refusal(f"kernel.file.{what}", params))


def too_long(most: int = MOST_BYTES) -> BadLog:
    """The refusal of a file with more than ``most`` bytes."""
    return bad_log("too_long", most=most // MEGABYTE)


def load(text: str, find: FindRules, *, begin: Callable[[Entry], Match] | None = None,
         on_entry: Callable[[Match, Entry], None] = lambda match, entry: None) -> Match:
    """The match in ``text``, every entry judged anew.

    ``begin`` makes the match of a genesis (default: one that a device dealt openly); ``on_entry`` is told of each entry once
    it stands. Raises ``BadLog``.
    """
    return result_of(load_steps(text, find, begin=begin, on_entry=on_entry))


def load_steps(text: str, find: FindRules, *, begin: Callable[[Entry], Match] | None = None,
               on_entry: Callable[[Match, Entry], None] = lambda match, entry: None) -> Steps[Match]:
    """``load`` in steps."""
    if len(text) > MOST_BYTES or text.count("\n") > MOST_LINES:
        raise too_long()
    lines = text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    header, version = _first_line(lines)
    if len(lines) < 4 or '"end"' not in lines[-1]:
        raise bad_log("cut_short")
    match: Match | None = None
    for index, line in enumerate(lines[1:-2]):
        try:
            entry = Entry.from_json(parse(line))
            check_seats(entry.statement)
            if begin is None:
                check_one_device(entry.statement, AUTHOR)
            if match is None:
                match = _begun(entry, find) if begin is None else begin(entry)
            else:
                match.append(entry)
        except Refused as error:
            raise BadLog(told_of_file(error.refusal), index, _whose(match, entry.statement, error.key)) from error
        except Malformed as error:
            raise BadLog(DAMAGED, index) from error
        on_entry(match, entry)
        yield
    assert match is not None
    seat = header["seat"]
    if seat is not None and seat not in range(match.rules.seats):
        raise bad_log("seat", n=seat + 1)
    yield from _take_faces(match, lines[-2], lines[-1], version, seat)
    return match


def _whose(match: Match | None, statement: Statement, why: str) -> int | None:
    """The seat whose act ``statement`` is, which ``match`` refuses; None where it is nobody's, or nothing shows that the
    seat's own device said it."""
    seat = statement.body.get("seat")
    if match is None or statement.kind not in ACTS or why.startswith(UNPROVEN) or type(seat) is not int:
        return None
    return seat if seat in match.snapshot.seats_of(statement.author) else None


def dealing_of(text: str) -> str | None:
    """How the match in ``text`` was dealt, as its genesis says; None where that cannot be read."""
    lines = text.split("\n", 2)
    try:
        return Setup.from_statement(Entry.from_json(parse(lines[1])).statement).dealing if len(lines) > 2 else None
    except Malformed:
        return None


DAMAGED: Final = Refusal("kernel.file.entry")


def told_of_file(refusal: Refusal) -> Refusal:
    """What a reader of a file is told of ``refusal``: nothing that a decoder says, and no names that options have in
    a program."""
    if refusal.key == "kernel.malformed":
        return DAMAGED
    return Refusal("kernel.file.options") if refusal.key.startswith("kernel.option.") else refusal


def _first_line(lines: list[str]) -> tuple[dict[str, Json], int]:
    """The first line, and the version of the form that it names. Raises ``BadLog``."""
    try:
        header = parse(lines[0]) if lines else None
    except Malformed:
        header = None
    if type(header) is not dict or header.get("form") != FORM:
        raise bad_log("not_ours")
    version = header.get("version")
    if type(version) is not int or version not in READABLE:
        raise bad_log("version")
    if header.keys() != {"form", "version", "seat"} or (header["seat"] is not None and not _is_count(header["seat"])):
        raise bad_log("first_line")
    return header, version


def _is_count(value: Json) -> bool:
    return type(value) is int and value >= 0


def _take_faces(match: Match, faces_line: str, last_line: str, version: int, seat: int | None) -> Steps[None]:
    """Let ``match`` learn the faces of the file, once its last line agrees with what stands above. They are those that such a
    file of ``seat`` holds: none is missing, and none is of a card that ``seat`` never saw. Raises ``BadLog``."""
    try:
        faces, last = parse(faces_line), parse(last_line)
        if canonical(last) != canonical(_last_line(match, faces, version)):  # for Python, true is 1
            raise bad_log("last_line")
        known = read_faces(faces)
    except Malformed as error:
        raise bad_log("faces") from error
    if any(card >= match.state.next_card for card in known):
        raise bad_log("never_dealt")
    try:
        match.learn(known)
    except Refused as error:
        raise BadLog(error.refusal) from error
    missing, unseen = yield from _face_faults(match, seat)
    if missing:
        raise bad_log("missing", n=missing)
    if unseen:
        raise bad_log("unseen", n=unseen)


def refold(entries: Iterable[Entry], find: FindRules) -> Match:
    """An openly dealt match from its entries, each judged. Raises ``Malformed`` or ``Refused``; ``BadLog`` for the entry that is
    refused."""
    return result_of(refold_steps(entries, find))


def refold_steps(entries: Iterable[Entry], find: FindRules) -> Steps[Match]:
    """``refold`` in steps."""
    entries = iter(entries)
    genesis = next(entries, None)
    if genesis is None:
        raise Malformed("an empty log")
    match = _begun(genesis, find)
    for entry in entries:
        try:
            match.append(entry)
        except Refused as error:
            raise BadLog(error.refusal, entry.index, _whose(match, entry.statement, error.key)) from error
        yield
    return match


def _begun(genesis: Entry, find: FindRules) -> Match:
    return Match(find(Setup.from_statement(genesis.statement).game), genesis, OpenDealing())


def read_faces(line: Json) -> Faces:
    """The knowledge in a ``{"faces": {handle: face}}`` line. Raises ``Malformed``."""
    faces = line.get("faces") if type(line) is dict and line.keys() == {"faces"} else None
    if type(faces) is not dict:
        raise Malformed("faces: expected an object")
    for card, face in faces.items():
        if not card.isdecimal() or not card.isascii() or len(card) > 9 or type(face) is not str or len(face) > 40:
            raise Malformed("faces: expected handle and face")
    return Faces((int(card), face) for card, face in faces.items())


def audit(match: Match) -> list[Finding]:
    """What ``match``'s own knowledge contradicts; empty for an honest log. Cards nobody opened are accepted as hidden.

    A face counts from whichever side it is known: told to this reader, or laid open by an entry, whatever became of the card.
    One fault is one finding, of the entry where it first shows: by faces that are wrong the deck would look wrong, too, and by
    a wrong deck true claims would.
    """
    return result_of(audit_steps(match))


def audit_steps(match: Match) -> Steps[list[Finding]]:
    """``audit`` in steps."""
    known, findings = yield from _all_faces(match)
    if findings:
        return findings
    entry = yield from _wrong_deck(match, known)
    if entry is not None:
        return [Finding(None, "kernel.audit.deck", entry=entry)]
    return (yield from _false_claims(match, known))


def _false_claims(match: Match, known: Faces) -> Steps[list[Finding]]:
    """The claims still open that ``known`` contradicts, each with the entry that made it. What would be said twice is said
    once, of the first."""
    found: list[Finding] = []
    if not match.rules.audit(match.state, known):
        return found
    for entry, snapshot, _ in match.steps():
        before, found = found, []
        for finding in match.rules.audit(snapshot.state, known):
            earlier = (one for one in before if replace(finding, entry=one.entry) == one)
            dated = next(earlier, replace(finding, entry=entry.index))
            if dated not in found:
                found.append(dated)
        yield
    return found


def fits_deck(match: Match, known: Faces) -> bool:
    """Whether the cards of ``match`` can have the faces that ``known`` says: never more of a face in play than the deck has, and
    each shuffle gave back what went in."""
    return result_of(_wrong_deck(match, known)) is None


def refuse_findings(findings: Sequence[Finding]) -> None:
    """Raises ``BadLog``, which says the first of what an audit found, if it found anything."""
    if findings:
        raise BadLog(Refusal(findings[0].key, findings[0].params), findings[0].entry)


def _all_faces(match: Match) -> Steps[tuple[Faces, list[Finding]]]:
    """All faces that ``match`` knows or that its entries laid open, and where the two contradict each other first."""
    known = match.knowledge.copy()
    findings: list[Finding] = []
    for entry, snapshot, _ in match.steps():
        wrong = [card for card, face in snapshot.openings.items() if known.setdefault(card, face) != face]
        if wrong and not findings:
            findings.append(Finding(entry.statement.body.get("seat"), "kernel.audit.opened", entry=entry.index))
        yield
    return known, findings


def _wrong_deck(match: Match, known: Faces) -> Steps[int | None]:
    """The entry of the first shuffle that did not give back what went in, or that put more of a face in play than the deck
    has; None if there is none."""
    deck = Counter(match.rules.deck())
    before = match.snapshot_at(0).state
    for entry, state, _ in match.story():
        request = before.requests[0] if before.requests else None
        if isinstance(request, Shuffle) and state.next_card == before.next_card + len(request):
            went_in = Counter((*request.faces, *(known[card] for card in request.cards if card in known)))
            came_out = Counter(known[card] for card in range(before.next_card, state.next_card) if card in known)
            hidden = len(request) - went_in.total()  # cards that went in without this reader knowing them
            in_play = Counter(known[card] for cards in match.rules.zones(state).values() for card in cards if card in known)
            if (came_out - went_in).total() > hidden or in_play - deck:
                return entry.index
        before = state
        yield
    return None
