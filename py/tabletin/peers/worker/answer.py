"""What a worker answers to a call about its replica: a result, why it was refused, and all that is new. Its one spelling.

Entries and messages travel as whole texts (``kernel.envelope``); an entry is parsed once, and keeps its own spelling. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tabletin.kernel.envelope import pack, unpack
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry, Json
from tabletin.kernel.logfile import read_faces
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.trusted_match import VerifiedEntry, answers_json, read_answers
from tabletin.peers.replication.outbox import Pending
from tabletin.peers.worker.results import RESULTS, Result
from tabletin.peers.worker.status import WorkerStatus

R = TypeVar("R", bound=Result)


@dataclass(frozen=True, slots=True)
class News:
    """What is new since the last answer. ``entries`` and ``pending`` are to be stored before ``messages`` is sent.

    ``length``: how many entries are left of those that are stored, before ``entries`` are added; None where all are.
    ``pending``: None where it is as before. ``messages``: (to, text) each, ``to`` None for everybody. ``faces``: of own seats.
    """

    entries: tuple[VerifiedEntry, ...] = ()
    pending: Pending | None = None
    messages: tuple[tuple[str | None, str], ...] = ()
    faces: Faces = field(default_factory=Faces)
    status: WorkerStatus | None = None
    length: int | None = None

    def to_json(self) -> dict[str, Json]:
        """All but the texts of ``entries`` and ``messages``."""
        return {"answers": [answers_json(one.answers) for one in self.entries],
                "length": self.length,
                "pending": None if self.pending is None else self.pending.to_json(),
                "to": [to for to, _ in self.messages],
                "faces": {str(card): face for card, face in self.faces.items()},
                "status": None if self.status is None else self.status.to_json()}

    @property
    def texts(self) -> list[str]:
        return [*(one.entry.line for one in self.entries), *(text for _, text in self.messages)]

    @classmethod
    def from_json(cls, data: Mapping[str, Any], texts: list[str]) -> News:
        """``texts``: those of ``entries``, then those of ``out``. Raises ``Malformed``."""
        answers, pending, status = data["answers"], data["pending"], data["status"]
        lines, messages = texts[:len(answers)], texts[len(answers):]
        entries = tuple(VerifiedEntry(Entry.from_line(line), read_answers(one))
                        for line, one in zip(lines, answers, strict=True))
        return cls(entries, None if pending is None else Pending.from_json(pending),
                   tuple(zip(data["to"], messages, strict=True)), read_faces({"faces": data["faces"]}),
                   None if status is None else WorkerStatus.from_json(status), data["length"])


@dataclass(frozen=True, slots=True)
class WorkerAnswer:
    """``result``: what was asked for, None for a call that asks for nothing; ``refusal``: why it was refused."""

    result: Result | None = None
    refusal: Refusal | None = None
    news: News = field(default_factory=News)

    def require(self) -> WorkerAnswer:
        """The answer itself. Raises ``Refused`` where it is a refusal."""
        if self.refusal is not None:
            raise Refused(self.refusal)
        return self

    def result_as(self, kind: type[R]) -> R:
        """The result, which is of ``kind``. Raises ``Refused`` where there is none."""
        result = self.require().result
        assert isinstance(result, kind)
        return result

    def encode(self) -> str:
        result, refusal = self.result, self.refusal
        head = {"result": None if result is None else [type(result).__name__, result.to_json()], "news": self.news.to_json(),
                "refused": None if refusal is None else [refusal.key, dict(refusal.params)]}
        return pack(head, self.news.texts)

    @classmethod
    def decode(cls, text: str) -> WorkerAnswer:
        head, texts = unpack(text)
        result, refused = head["result"], head["refused"]
        return cls(None if result is None else RESULTS[result[0]].from_json(result[1]),
                   None if refused is None else Refusal(*refused), News.from_json(head["news"], texts))
