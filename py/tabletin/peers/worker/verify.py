"""The exported log of a match among peers, checked by anybody who has the file: every signature, every proof, every rule.

It needs no key and trusts nobody. An honest log of honest devices folds from its first entry to its last, and what its seats
opened agrees with what they claimed. What fails is named by entry.
"""

from __future__ import annotations

from collections import defaultdict

from tabletin.kernel.faces import Card, Faces
from tabletin.kernel.log import Entry
from tabletin.kernel.logfile import audit, bad_log, fits_deck, load
from tabletin.kernel.match import Match
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Setup
from tabletin.kernel.trusted_match import SEALED, Answers, answers_json
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.dealing.trail import dealing_trail
from tabletin.peers.identity import Verifier
from tabletin.peers.replication.evidence import peer_match
from tabletin.peers.sealed.group import PrimeGroup
from tabletin.peers.sealed.pending import Checker
from tabletin.peers.worker.results import LogReport
from tabletin.registry import rules_of


def proven_match(text: str, verifier: Verifier, group: PrimeGroup, answers: list[Answers | None] | None = None) -> Match:
    """The match in an exported sealed log, everything in it verified; what each entry answered is added to ``answers``.

    Raises ``Malformed`` or ``Refused``, also where the file's faces contradict what was opened, or with it make more of a face
    than the deck has, or are of cards that were neither opened nor shown to the one device that saved the file: nobody signs
    them, so that is the file's fault and no player's."""
    seen: dict[str, set[Card]] = defaultdict(set)

    def begin(genesis: Entry) -> Match:
        setup = Setup.from_statement(genesis.statement)
        if setup.dealing != SEALED:
            raise Malformed("not a match among peers")
        return peer_match(genesis, rules_of(setup.game), verifier, Checker(group))

    def on_entry(match: Match, entry: Entry) -> None:
        _note_seen(seen, match, entry)
        if answers is not None:
            answers.append(answers_of(match, entry))

    match = load(text, rules_of, begin=begin, on_entry=on_entry)
    opened = _opened_faces(match)
    if any(match.knowledge.get(card, face) != face for card, face in opened.items()):
        raise bad_log("faces")
    if not fits_deck(match, Faces(match.knowledge | opened)):
        raise bad_log("faces")
    private = match.knowledge.keys() - opened.keys()
    unseen = min((len(private - cards) for cards in seen.values()), default=len(private))
    if unseen:
        raise bad_log("unseen", n=unseen)
    return match


def _note_seen(seen: dict[str, set[Card]], match: Match, entry: Entry) -> None:
    """Add the cards that each author may have read by ``entry``, the newest of ``match``. A new device of a person may have been
    given all that the one before it saw."""
    snapshot = match.snapshot
    if entry.statement.kind == "device":
        seen[entry.statement.body["to"]] |= seen[entry.statement.author]
    assert isinstance(snapshot.dealing, SealedDealing)
    for card, author in snapshot.dealing.readers(snapshot.state).items():
        seen[author].add(card)


def _opened_faces(match: Match) -> Faces:
    """The faces that entries of ``match`` laid open, and proved."""
    opened = Faces()
    for _, snapshot, _ in match.steps():
        opened.update(snapshot.openings)
    return opened


def answers_of(match: Match | None, entry: Entry) -> Answers | None:
    """What ``entry``, the newest of ``match``, answered: one result a request that a deal completed; None for other kinds."""
    if match is None or entry.statement.kind != "deal":
        return None
    assert isinstance(match.dealing, SealedDealing)
    return tuple(match.dealing.last_results)


def verify_log(text: str, verifier: Verifier, group: PrimeGroup) -> LogReport:
    """What was checked. Raises ``Malformed`` or ``Refused`` where something in the log does not hold.

    The audit goes by what was opened alone. What else the file says of faces nobody has proven: it could call a true claim
    false."""
    answers: list[Answers | None] = []
    match = proven_match(text, verifier, group, answers)
    match.knowledge = _opened_faces(match)
    lines = dealing_trail(match)
    outcome = match.outcome
    return LogReport(
        match.setup.game, len(match.entries), match.head, tuple(seat.name for seat in match.setup.seats),
        shuffles=sum(line.what == "shuffle" for line in lines), proofs=sum(line.proofs for line in lines),
        opened_cards=sum(line.cards for line in lines if line.what == "play"), answers=tuple(map(answers_json, answers)),
        scores=None if outcome is None else tuple(outcome.scores), findings=tuple(audit(match)))
