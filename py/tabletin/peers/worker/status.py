"""How a replica stands, as its worker tells the page: one typed value, and its JSON. The only place where its keys are spelled.

The worker makes a ``WorkerStatus`` for every answer; the page reads it. It tells and decides nothing. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tabletin.kernel.log import Hash, Json
from tabletin.kernel.options import Refusal

WAITS: Final = "waits"  # a leave waits until nothing is asked for, and can be taken back
SAID: Final = "said"  # a leave is signed


@dataclass(frozen=True, slots=True)
class DealProgress:
    """How far a deal is: ``done_count`` of ``total`` devices have done what is due.

    ``what``: "keys", "shuffle", "seen" (an entry goes round before anything is shared because of it) or "shares"; "" while
    nothing is dealt. ``waiting``: the authors who owe that now; ``seats``: theirs; ``cards``: how many cards they owe a share
    of. ``checking``: how many shuffles are still checked in the background.
    """

    what: str = ""
    done_count: int = 0
    total: int = 0
    waiting: tuple[str, ...] = ()
    cards: int = 0
    seats: tuple[int, ...] = ()
    checking: int = 0

    def to_json(self) -> dict[str, Json]:
        return {"what": self.what, "done": self.done_count, "of": self.total, "waiting": list(self.waiting), "cards": self.cards,
                "seats": list(self.seats), "checking": self.checking}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> DealProgress:
        return cls(data["what"], data["done"], data["of"], tuple(data["waiting"]), data["cards"], tuple(data["seats"]),
                   data["checking"])


@dataclass(frozen=True, slots=True)
class Culprit:
    """``author`` was proven to have broken the rules. ``why``: the kind of misdeed; ``refusal``: why the log refuses what was
    signed, where that says more."""

    author: str
    why: str
    refusal: Refusal | None = None

    def to_json(self) -> list[Json]:
        refusal = self.refusal
        return [self.author, self.why, None if refusal is None else [refusal.key, dict(refusal.params)]]

    @classmethod
    def from_json(cls, data: list[Any]) -> Culprit:
        author, why, refusal = data
        return cls(author, why, None if refusal is None else Refusal(*refusal))


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """How a replica stands.

    ``length``, ``head``: of its log. ``ready``: whether it may sign. ``orders``: whether it puts statements in their places.
    ``pending``: whether a statement of its own is not in the log yet. ``leaving``: "", ``WAITS`` or ``SAID``.
    ``missing_signers``: the authors who have not acknowledged the last entry. ``rejected_statements``: the latest own
    statements that were refused. ``refusal_counts``: how often something wrong came in, by reason. ``other_versions``: the
    authors whose programs are of another version.
    """

    length: int
    head: Hash
    ready: bool
    orders: bool
    pending: bool
    leaving: str = ""
    culprits: tuple[Culprit, ...] = ()
    missing_signers: tuple[str, ...] = ()
    rejected_statements: tuple[Hash, ...] = ()
    refusal_counts: Mapping[str, int] = field(default_factory=dict)
    progress: DealProgress = DealProgress()
    other_versions: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        return {"length": self.length, "head": self.head, "ready": self.ready, "orders": self.orders, "saying": self.pending,
                "leaving": self.leaving, "accused": [one.to_json() for one in self.culprits],
                "unsigned": list(self.missing_signers), "rejected": list(self.rejected_statements),
                "refused": dict(self.refusal_counts), "progress": self.progress.to_json(),
                "other_versions": list(self.other_versions)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> WorkerStatus:
        return cls(data["length"], data["head"], data["ready"], data["orders"], data["saying"], data["leaving"],
                   tuple(map(Culprit.from_json, data["accused"])), tuple(data["unsigned"]), tuple(data["rejected"]),
                   data["refused"], DealProgress.from_json(data["progress"]), tuple(data["other_versions"]))
