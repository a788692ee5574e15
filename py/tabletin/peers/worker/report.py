"""What a file proves: an accusation, or the log of a match among peers. Typed values and their JSON, spelled once. Pure.

The worker makes them, for only it can check signatures and proofs; screens, the archive and the command line read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabletin.kernel.log import Hash, Json
from tabletin.kernel.options import Refusal
from tabletin.kernel.rules import Finding


@dataclass(frozen=True, slots=True)
class AccusationReport:
    """``author`` is accused of ``why`` in the match of hash ``match``; ``names``: of that device's seats; ``entries``: how many
    of the log are given; ``proven``: what was wrong, None where nothing is proven."""

    author: str
    why: str
    game: str
    names: tuple[str, ...]
    match: Hash
    entries: int
    proven: Refusal | None

    def to_json(self) -> dict[str, Json]:
        return {"against": self.author, "why": self.why, "game": self.game, "names": list(self.names), "match": self.match,
                "entries": self.entries, "proven": _refusal_json(self.proven)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AccusationReport:
        return cls(data["against"], data["why"], data["game"], tuple(data["names"]), data["match"], data["entries"],
                   None if data["proven"] is None else Refusal(*data["proven"]))


@dataclass(frozen=True, slots=True)
class LogReport:
    """A log that holds: its ``entries``, the hash of its ``head``, the ``names`` of its seats, how many ``shuffles`` and
    ``proofs`` were checked and how many cards ``opened_cards``.

    ``answers``: what each entry answered (as JSON), for a fold without the proofs. ``scores``: None for a match that is not
    over. ``findings``: what the log's own faces contradict.
    """

    game: str
    entries: int
    head: Hash
    names: tuple[str, ...]
    shuffles: int
    proofs: int
    opened_cards: int
    answers: tuple[Json, ...]
    scores: tuple[int, ...] | None
    findings: tuple[Finding, ...]

    def to_json(self) -> dict[str, Json]:
        return {"game": self.game, "entries": self.entries, "head": self.head, "names": list(self.names),
                "shuffles": self.shuffles, "proofs": self.proofs, "opened": self.opened_cards, "answers": list(self.answers),
                "scores": None if self.scores is None else list(self.scores),
                "findings": [[one.seat, one.key, dict(one.params), one.entry] for one in self.findings]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> LogReport:
        return cls(data["game"], data["entries"], data["head"], tuple(data["names"]), data["shuffles"], data["proofs"],
                   data["opened"], tuple(data["answers"]), None if data["scores"] is None else tuple(data["scores"]),
                   tuple(Finding(*one) for one in data["findings"]))


def _refusal_json(refusal: Refusal | None) -> Json:
    return None if refusal is None else [refusal.key, dict(refusal.params)]
