"""What comes out of a replica: what must be stored, and the messages that may be sent once it is."""

from __future__ import annotations

from dataclasses import dataclass

from tabletin.kernel.log import Json, canonical
from tabletin.kernel.schema import Malformed
from tabletin.kernel.trusted_match import VerifiedEntry

Message = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Pending:
    """What a device has signed and must not forget: the own ``statement`` (as JSON) that is not in the log yet, or None;
    ``count``: the least counter of the next one; ``dead``: own statements (as JSON) that its log refuses for now;
    ``promise``: its newest vote for an epoch (as JSON), or None; ``bound_end``: the newest entry (epoch, index, hash) that no
    vote of it forbids it to acknowledge, or None; ``dead_lengths``: how many entries there were at most when each of ``dead``
    died, or none where that is not known; ``begun_epoch``: the newest epoch that it began, 0 for none.

    A device stores it and gives it to its replica again after a restart.
    """

    statement: Json = None
    count: int = 0
    dead: tuple[Json, ...] = ()
    promise: Json = None
    bound_end: Json = None
    dead_lengths: tuple[int, ...] = ()
    begun_epoch: int = 0

    def to_json(self) -> list[Json]:
        return [self.statement, self.count, list(self.dead), self.promise, self.bound_end, list(self.dead_lengths),
                self.begun_epoch]

    @classmethod
    def from_json(cls, data: Json) -> Pending:
        """Raises ``Malformed``. Older programs stored the first two, four, five or six alone."""
        match data:
            case [_, count, *_] if type(count) is not int:
                pass
            case [statement, count]:
                return cls(statement, count)
            case [statement, count, [*dead], promise]:
                return cls(statement, count, tuple(dead), promise)
            case [statement, count, [*dead], promise, bound_end]:
                return cls(statement, count, tuple(dead), promise, bound_end)
            case [statement, count, [*dead], promise, bound_end, [*lengths], *begun] \
                    if [type(one) for one in begun] in ([], [int]) and all(type(one) is int for one in lengths):
                return cls(statement, count, tuple(dead), promise, bound_end, tuple(lengths), *begun)
        raise Malformed("expected a statement and a count")


@dataclass(frozen=True, slots=True)
class Output:
    """What a replica brought about. ``entries`` and ``pending`` are to be stored before ``messages`` are sent.

    ``length``: how many entries are left of those that are stored, before ``entries`` are added; None where all are.
    ``pending``: None where it is as before. ``messages``: [author of another peer or None for all, bytes] each, in order.
    """

    entries: tuple[VerifiedEntry, ...] = ()
    pending: Pending | None = None
    messages: tuple[tuple[str | None, bytes], ...] = ()
    length: int | None = None


class Outbox:
    """``messages``: those that are to be sent."""

    def __init__(self, author: str) -> None:
        self._author = author
        self.messages: list[tuple[str | None, bytes]] = []

    def send(self, to: str | None, message: Message) -> int:
        """Send ``message``; in how many bytes. One to this device itself is dropped."""
        if to == self._author:
            return 0
        self.messages.append((to, canonical(message)))
        return len(self.messages[-1][1])
