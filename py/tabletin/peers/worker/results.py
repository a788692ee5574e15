"""What a worker's calls ask for: one type a kind of result, and its JSON, spelled once. ``calls`` says which call has which.

The worker makes them, for only it can sign, and check signatures and proofs. Screens, sessions, the archive and the command line
read them. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, get_args

from tabletin.kernel.log import Hash, Json
from tabletin.kernel.options import Refusal
from tabletin.kernel.rules import Finding
from tabletin.peers.league.signed_result import SignedResult
from tabletin.peers.replication.offer import Offer

# ---- about this device ----


@dataclass(frozen=True, slots=True)
class DeviceAuthor:
    """As whom this device speaks: its public key."""

    author: str

    def to_json(self) -> Json:
        return self.author

    @classmethod
    def from_json(cls, data: Json) -> DeviceAuthor:
        return cls(data)


@dataclass(frozen=True, slots=True)
class Signature:
    """This device's ``signature``, over what it was asked to sign or to agree to."""

    signature: str

    def to_json(self) -> Json:
        return self.signature

    @classmethod
    def from_json(cls, data: Json) -> Signature:
        return cls(data)


@dataclass(frozen=True, slots=True)
class SignatureCheck:
    """Whether a signature ``holds``."""

    holds: bool

    def to_json(self) -> Json:
        return self.holds

    @classmethod
    def from_json(cls, data: Json) -> SignatureCheck:
        return cls(data)


# ---- about a match ----


@dataclass(frozen=True, slots=True)
class Genesis:
    """The first ``entry`` of a new match, as JSON."""

    entry: Json

    def to_json(self) -> Json:
        return self.entry

    @classmethod
    def from_json(cls, data: Json) -> Genesis:
        return cls(data)


@dataclass(frozen=True, slots=True)
class SpeechResult:
    """What came of asking a replica to say something. ``statement``: the hash of its statement, which may be in the log already;
    None: nothing can be said now, before the others were heard or while its last statement is on its way."""

    statement: Hash | None

    def to_json(self) -> Json:
        return self.statement

    @classmethod
    def from_json(cls, data: Json) -> SpeechResult:
        return cls(data)


@dataclass(frozen=True, slots=True)
class AccusationProof:
    """What is proven against ``culprit``, and ``why``; ``file``: so that anybody can judge it."""

    culprit: str
    why: str
    file: str


@dataclass(frozen=True, slots=True)
class Proofs:
    """All that is proven against anybody."""

    proofs: tuple[AccusationProof, ...]

    def to_json(self) -> Json:
        return [[one.culprit, one.why, one.file] for one in self.proofs]

    @classmethod
    def from_json(cls, data: Json) -> Proofs:
        return cls(tuple(AccusationProof(*one) for one in data))


# ---- about a file ----


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


@dataclass(frozen=True, slots=True)
class ResultsCheck:
    """``false_signers``: for each result of a file that can be read, in order, the authors whose signatures under it do not
    hold."""

    false_signers: tuple[tuple[str, ...], ...]

    def to_json(self) -> Json:
        return [list(authors) for authors in self.false_signers]

    @classmethod
    def from_json(cls, data: Json) -> ResultsCheck:
        return cls(tuple(map(tuple, data)))


def _refusal_json(refusal: Refusal | None) -> Json:
    return None if refusal is None else [refusal.key, dict(refusal.params)]


Result: TypeAlias = (DeviceAuthor | Signature | SignatureCheck | Genesis | SpeechResult | Proofs | Offer | AccusationReport
                     | LogReport | ResultsCheck | SignedResult)

RESULTS: Final[Mapping[str, type[Result]]] = {kind.__name__: kind for kind in get_args(Result)}
