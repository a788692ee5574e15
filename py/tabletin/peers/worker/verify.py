"""The exported log of a match among peers, checked by anybody who has the file: every signature, every proof, every rule.

It needs no key and trusts nobody. An honest log of honest devices folds from its first entry to its last, and what its seats
opened agrees with what they claimed. What fails is named by entry.
"""

from __future__ import annotations

from tabletin.kernel.log import Entry
from tabletin.kernel.logfile import audit, load
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

    Raises ``Malformed`` or ``Refused``."""
    def begin(genesis: Entry) -> Match:
        setup = Setup.from_statement(genesis.statement)
        if setup.dealing != SEALED:
            raise Malformed("not a match among peers")
        return peer_match(genesis, rules_of(setup.game), verifier, Checker(group))

    def on_entry(match: Match, entry: Entry) -> None:
        if answers is not None:
            answers.append(answers_of(match, entry))

    return load(text, rules_of, begin=begin, on_entry=on_entry)


def answers_of(match: Match | None, entry: Entry) -> Answers | None:
    """What ``entry``, the newest of ``match``, answered: one result a request that a deal completed; None for other kinds."""
    if match is None or entry.statement.kind != "deal":
        return None
    assert isinstance(match.dealing, SealedDealing)
    return tuple(match.dealing.last_results)


def verify_log(text: str, verifier: Verifier, group: PrimeGroup) -> LogReport:
    """What was checked. Raises ``Malformed`` or ``Refused`` where something in the log does not hold."""
    answers: list[Answers | None] = []
    match = proven_match(text, verifier, group, answers)
    lines = dealing_trail(match)
    outcome = match.outcome
    return LogReport(
        match.setup.game, len(match.entries), match.head, tuple(seat.name for seat in match.setup.seats),
        shuffles=sum(line.what == "shuffle" for line in lines), proofs=sum(line.proofs for line in lines),
        opened_cards=sum(line.cards for line in lines if line.what == "play"), answers=tuple(map(answers_json, answers)),
        scores=None if outcome is None else tuple(outcome.scores), findings=tuple(audit(match)))
