"""A vote in a ballot for the next epoch, as it is sent, stored and shown as evidence. It knows the form alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tabletin.kernel.log import Entry, Json, canonical, count_field, text_field
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.authority import LogEnd, is_end, named_epoch, subject_of

MOST_SUBJECT: Final = 2_000  # bytes of what is voted for, several times what an honest one takes


@dataclass(frozen=True, slots=True)
class EpochVote:
    """``voter`` agrees to ``subject`` in the ballot for ``epoch``, and promises to sign nothing of an older one. ``end``: its
    newest entry's epoch, index and hash."""

    voter: str
    epoch: int
    subject: dict[str, Json] = field(hash=False)
    end: LogEnd
    signature: str

    def to_json(self) -> dict[str, Json]:
        return {"by": self.voter, "e": self.epoch, "what": self.subject, "seen": list(self.end), "sig": self.signature}

    @classmethod
    def from_json(cls, data: Json) -> EpochVote:
        """Raises ``Malformed`` for any other form than that of ``to_json``."""
        if type(data) is not dict or data.keys() != {"by", "e", "what", "seen", "sig"} or type(data["what"]) is not dict:
            raise Malformed("expected a vote")
        if len(canonical(data["what"])) > MOST_SUBJECT:  # each is spelled again and again, and many are remembered
            raise Malformed("expected a short subject")
        return cls(text_field(data, "by"), count_field(data, "e"), data["what"], read_end(data["seen"]), text_field(data, "sig"))


def read_end(data: Json) -> LogEnd:
    """``data`` as the end of a log. Raises ``Malformed``."""
    match data:
        case [epoch, index, head] if is_end(data):
            return epoch, index, head
    raise Malformed("expected an epoch, an index and a hash")


def votes_of(entry: Entry) -> list[EpochVote]:
    """The votes that ``entry`` carries, if it begins an epoch. Raises ``Malformed``, but not for one that was judged."""
    statement = entry.statement
    votes, epoch = statement.body.get("votes"), named_epoch(statement)
    if not epoch:
        return []
    if type(votes) is not dict or not all(type(vote) is list and len(vote) == 2 for vote in votes.values()):
        raise Malformed("expected votes")
    subject = subject_of(statement)
    return [EpochVote.from_json({"by": voter, "e": epoch, "what": subject, "seen": seen, "sig": signature})
            for voter, (seen, signature) in votes.items()]
