"""A match as a file: JSON Lines, the log and all knowledge there is, or one seat's own share of it. See docs/log.md.

Reading refuses what is malformed, truncated or illegal with a sentence, and never half-loads. ``audit`` checks a whole
open log: deals are permutations of what was shuffled, openings agree with the knowledge, no claim is contradicted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from tabletin.kernel.dealing import Dealing, OpenDealing
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry, Json, canonical, parse
from tabletin.kernel.match import Match
from tabletin.kernel.requests import Shuffle
from tabletin.kernel.rules import Finding, Rules
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Setup

FORM: Final = "tabletin-log"
FORM_VERSION: Final = 1

FindRules = Callable[[str], type[Rules[Any]]]


def export(match: Match, seat: int | None = None) -> str:
    """The log with all knowledge (``seat`` None: only after the end), or with what ``seat`` was ever shown."""
    header: dict[str, Json] = {"form": FORM, "version": FORM_VERSION, "seat": seat}
    faces = match.knowledge if seat is None else knowledge_of(match, seat)
    lines = [header, *(entry.to_json() for entry in match.entries),
             {"faces": {str(card): face for card, face in sorted(faces.items())}},
             {"end": len(match.entries), "head": match.head}]
    return "".join(canonical(line).decode() + "\n" for line in lines)


def knowledge_of(match: Match, seat: int) -> Faces:
    """Every private face that ``seat`` was shown in the course of the match."""
    bit = 1 << seat
    shown = {card for _, state, _ in match.story() for card, mask in state.seen.items() if mask & bit}
    return Faces((card, match.knowledge[card]) for card in sorted(shown) if card in match.knowledge)


def load(text: str, find: FindRules, dealings: Callable[[Setup], Dealing] = lambda _: OpenDealing(), *,
         fold: Callable[[Sequence[Entry]], Match] | None = None) -> Match:
    """The match in ``text``, every entry judged anew; ``fold``: by whom, for logs that are signed.

    Raises ``Malformed`` or ``Refused``.
    """
    lines = [parse(line) for line in text.splitlines() if line.strip()]
    if not lines or type(lines[0]) is not dict or lines[0].get("form") != FORM:
        raise Malformed("not a Tabletin log")
    if lines[0].get("version") != FORM_VERSION:
        raise Malformed(f"a log of form {lines[0].get('version')}; this program reads form {FORM_VERSION}")
    if lines[0].keys() != {"form", "version", "seat"} or type(lines[0]["seat"]) not in (int, type(None)):
        raise Malformed("the log's first line is altered")
    if len(lines) < 4 or type(lines[-1]) is not dict or "end" not in lines[-1]:
        raise Malformed("the log is cut short: its last line is missing")
    entries = [Entry.from_json(line) for line in lines[1:-2]]
    match = refold(entries, find, dealings) if fold is None else fold(entries)
    if lines[-1] != {"end": len(entries), "head": match.head}:
        raise Malformed("the log is cut short or altered: its last line does not fit")
    match.learn(read_faces(lines[-2]))
    return match


def refold(entries: Iterable[Entry], find: FindRules,
           dealings: Callable[[Setup], Dealing] = lambda _: OpenDealing()) -> Match:
    """A match from its entries, each judged. Raises ``Malformed`` or ``Refused``."""
    entries = iter(entries)
    genesis = next(entries, None)
    if genesis is None:
        raise Malformed("an empty log")
    setup = Setup.from_statement(genesis.statement)
    match = Match(find(setup.game), genesis, dealings(setup))
    for entry in entries:
        match.append(entry)
    return match


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
    """What ``match``'s own knowledge contradicts; empty for an honest log. Cards nobody opened are accepted as hidden."""
    findings: list[Finding] = []
    known = match.knowledge
    before = match.at(0).state
    for entry, state, _ in match.story():
        for card, face in state.public.items():
            if known.get(card, face) != face:
                findings.append(Finding(-1, "kernel.audit.opened", {"entry": entry.index, "card": card}))
        request = before.requests[0] if entry.statement.kind == "deal" and before.requests else None
        if isinstance(request, Shuffle) and state.next_card == before.next_card + len(request):
            went_in = [*request.faces, *(known[card] for card in request.cards if card in known)]
            came_out = [known[card] for card in range(before.next_card, state.next_card) if card in known]
            whole = len(went_in) == len(request) == len(came_out)
            if (Counter(went_in) != Counter(came_out)) if whole else (Counter(came_out) - Counter(match.rules.deck())):
                findings.append(Finding(-1, "kernel.audit.deck", {"entry": entry.index}))
        before = state
    return findings + match.rules.audit(match.state, known)
