"""Who may say what in a match, and who may put it in its place: the question, and its answer for one device.

Among peers that sign, ``peers/replication/authority`` answers it.
"""

from __future__ import annotations

from typing import Protocol

from tabletin.kernel.log import Entry, Hash, Statement
from tabletin.kernel.options import refused
from tabletin.kernel.snapshot import Snapshot


class Log(Protocol):
    """The log that a statement is judged in (``Match``)."""

    id: Hash
    entries: list[Entry]

    @property
    def head(self) -> Hash: ...

    def at(self, index: int) -> Snapshot:
        """The snapshot after entry ``index``; not to be changed."""
        ...


class Authority(Protocol):
    """Who may say what, and who may put it in its place. Both raise ``Refused``."""

    def check(self, log: Log, statement: Statement, snapshot: Snapshot) -> None: ...

    def place(self, log: Log, entry: Entry, snapshot: Snapshot) -> None: ...


class OneDevice:
    """All authors sit at one device: whoever speaks for a seat is named in the setup, and nobody signs."""

    def check(self, log: Log, statement: Statement, snapshot: Snapshot) -> None:
        authors = {seat.by for seat in snapshot.setup.seats}
        if statement.author not in authors:
            raise refused("kernel.stranger")
        if statement.kind in ("move", "undo", "consent", "resign", "seat"):
            seat = statement.body.get("seat")
            if type(seat) is not int or not 0 <= seat < len(snapshot.setup.seats):
                raise refused("kernel.no_seat", seat=str(seat))
            if snapshot.setup.seats[seat].by != statement.author:
                raise refused("kernel.not_your_seat", seat=seat)
        if statement.kind in ("order", "gone", "leave", "device"):
            raise refused("kernel.one_device")

    def place(self, log: Log, entry: Entry, snapshot: Snapshot) -> None:
        pass
