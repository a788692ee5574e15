"""The exported log of a match among peers, checked by whoever has the file: every signature, every proof, every rule.

It needs no key and trusts nobody: an honest log of honest devices folds from its first entry to its last, and what its seats
opened agrees with what they claimed. What fails is named by entry.
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletin.kernel.log import Entry, Json
from tabletin.kernel.logfile import audit, load
from tabletin.kernel.match import Match
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Setup
from tabletin.kernel.trusted import SEALED, answers_json
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.dealing.trail import dealing_trail
from tabletin.peers.identity import Verifier
from tabletin.peers.replication.evidence import peer_match
from tabletin.peers.sealed.group import Group
from tabletin.peers.sealed.pending import Checker
from tabletin.registry import rules_of


def proven_match(text: str, verifier: Verifier, group: Group, told: list[Json] | None = None) -> Match:
    """The match in an exported sealed log, everything in it verified; what each entry answered is added to ``told``.

    Raises ``Malformed`` or ``Refused``."""
    def fold(entries: Sequence[Entry]) -> Match:
        if not entries:
            raise Malformed("an empty log")
        setup = Setup.from_statement(entries[0].statement)
        if setup.dealing != SEALED:
            raise Malformed("not a match among peers")
        match = peer_match(entries[0], rules_of(setup.game), verifier, Checker(group))
        answers = [answers_of(match, entries[0])]
        for entry in entries[1:]:
            match.append(entry)
            answers.append(answers_of(match, entry))
        if told is not None:
            told.extend(answers)
        return match

    return load(text, rules_of, fold=fold)


def answers_of(match: Match | None, entry: Entry) -> Json:
    """What ``entry``, the newest of ``match``, answered: one result a request that a deal completed; null for other kinds."""
    if match is None or entry.statement.kind != "deal":
        return None
    assert isinstance(match.dealing, SealedDealing)
    return answers_json(match.dealing.last_results)


def verify_log(text: str, verifier: Verifier, group: Group) -> dict[str, Json]:
    """What was checked, in numbers: ``game``, ``entries``, ``head``, ``names``, ``shuffles``, ``proofs``, ``opened``, and
    ``findings`` (keys with parameters) of the audit; ``told``: what each entry answered, for whoever folds the log without
    its proofs. Raises ``Malformed`` or ``Refused``."""
    told: list[Json] = []
    match = proven_match(text, verifier, group, told)
    lines = dealing_trail(match)
    outcome = match.outcome
    return {"game": match.setup.game, "entries": len(match.entries), "head": match.head,
            "names": [seat.name for seat in match.setup.seats],
            "shuffles": sum(line.what == "shuffle" for line in lines),
            "proofs": sum(line.proofs for line in lines),
            "opened": sum(line.cards for line in lines if line.what == "play"),
            "told": told,
            "scores": None if outcome is None else list(outcome.scores),
            "findings": [[one.key, {**one.params, "seat": one.seat + 1}] for one in audit(match)]}
