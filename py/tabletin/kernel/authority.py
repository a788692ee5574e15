"""Who may say what in a match, and who may put it in its place: the question, and its answer for one device.

Among peers that sign, ``peers/replication/authority`` answers it.
"""

from __future__ import annotations

from typing import Protocol

from tabletin.kernel.log import Entry, Statement
from tabletin.kernel.options import refused
from tabletin.kernel.prefix import Prefix


class Authority(Protocol):
    """Who may say what, and who may put it in its place. Both raise ``Refused``, and judge by the prefix alone."""

    def check(self, prefix: Prefix, statement: Statement) -> None: ...

    def place(self, prefix: Prefix, entry: Entry) -> None: ...


class OneDevice:
    """All authors sit at one device: the setup names who speaks for a seat, and nobody signs."""

    def check(self, prefix: Prefix, statement: Statement) -> None:
        seats = prefix.snapshot.setup.seats
        authors = {seat.author for seat in seats}
        if statement.author not in authors:
            raise refused("kernel.stranger")
        if statement.kind in ("move", "undo", "consent", "resign", "seat"):
            seat = statement.body.get("seat")
            if type(seat) is not int or not 0 <= seat < len(seats):
                raise refused("kernel.no_seat", seat=str(seat))
            if seats[seat].author != statement.author:
                raise refused("kernel.not_your_seat", seat=seat)
        if statement.kind in ("order", "gone", "leave", "device", "pass"):
            raise refused("kernel.one_device")

    def place(self, prefix: Prefix, entry: Entry) -> None:
        pass
