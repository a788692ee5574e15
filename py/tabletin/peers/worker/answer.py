"""What a worker answers to a call about its replica: a result, why it was refused, and all that is new. Its one spelling.

Entries and messages travel as whole texts (``kernel.envelope``); an entry is parsed once, and keeps its own spelling. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletin.kernel.envelope import pack, unpack
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry, Hash, Json
from tabletin.kernel.logfile import read_faces
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.trusted_match import VerifiedEntry, answers_json, read_answers
from tabletin.peers.replication.outbox import Pending
from tabletin.peers.worker.status import WorkerStatus


@dataclass(frozen=True, slots=True)
class News:
    """What is new since the last answer. ``entries`` and ``pending`` are to be stored before ``messages`` is sent.

    ``pending``: None where it is as before. ``messages``: (to, text) each, ``to`` None for everybody. ``faces``: of own seats.
    """

    entries: tuple[VerifiedEntry, ...] = ()
    pending: Pending | None = None
    messages: tuple[tuple[str | None, str], ...] = ()
    faces: Faces = field(default_factory=Faces)
    status: WorkerStatus | None = None

    def to_json(self) -> dict[str, Json]:
        """All but the texts of ``entries`` and ``messages``."""
        return {"answers": [answers_json(one.answers) for one in self.entries],
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
                   None if status is None else WorkerStatus.from_json(status))


@dataclass(frozen=True, slots=True)
class WorkerAnswer:
    """``result``: what was asked for, and ``texts`` that belong to it; ``refusal``: why there is none."""

    result: Mapping[str, Any] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    refusal: Refusal | None = None
    news: News = field(default_factory=News)

    def require(self) -> WorkerAnswer:
        """The answer itself. Raises ``Refused`` where it is a refusal."""
        if self.refusal is not None:
            raise Refused(self.refusal)
        return self

    def encode(self) -> str:
        refusal = self.refusal
        head = {"result": dict(self.result), "texts": len(self.texts), "news": self.news.to_json(),
                "refused": None if refusal is None else [refusal.key, dict(refusal.params)]}
        return pack(head, [*self.texts, *self.news.texts])

    @classmethod
    def decode(cls, text: str) -> WorkerAnswer:
        head, texts = unpack(text)
        own, refused = head["texts"], head["refused"]
        return cls(head["result"], tuple(texts[:own]), None if refused is None else Refusal(*refused),
                   News.from_json(head["news"], texts[own:]))


@dataclass(frozen=True, slots=True)
class SpeechResult:
    """What came of asking a replica to say something. ``statement``: the hash of its statement, which may be in the log already;
    None: nothing can be said now, before the others were heard or while its last statement is on its way."""

    statement: Hash | None

    def to_json(self) -> dict[str, Json]:
        return {"said": self.statement}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SpeechResult:
        return cls(data["said"])
