"""One match that is open on this device alone: it makes people's moves, drives the bots, and deals.

It knows all faces, as its ``Table`` does, and gives out views. What all open matches have in common is in ``session``. It
draws nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from time import time

from tabletin.app.session.seeded_dealer import dealer_for
from tabletin.app.session.session import MatchSession, SessionContext
from tabletin.app.session.session import OnTrouble as OnTrouble
from tabletin.app.storage.matches import MatchRecord, local_id
from tabletin.app.storage.persistence import Persistence
from tabletin.kernel.dealing import Dealer
from tabletin.kernel.logfile import missing_faces
from tabletin.kernel.match import Happening, Match
from tabletin.kernel.options import refused
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.kernel.trusted_match import is_trusted
from tabletin.registry import rules_of


class NotLocal(Exception):
    """The stored match is played among peers: ``PeerSession.resume`` opens it."""


class LocalSession(MatchSession):
    """A match, its people and its bots. Use ``begin`` or ``resume``.

    ``known_seats``: of a fragment those that know nothing that is not here; None of any other match."""

    known_seats: tuple[int, ...] | None = None

    def __init__(self, table: Table, context: SessionContext, persistence: Persistence, created: float) -> None:
        super().__init__(context, persistence, created)
        self.table = table

    # ---- opening ----

    @classmethod
    async def begin(cls, setup: Setup, context: SessionContext, dealer: Dealer | None = None) -> LocalSession:
        """A new match, dealt; it is on disk soon after. Raises ``Refused``, ``Malformed`` for a wrong setup."""
        table = Table.undealt(rules_of(setup.game), setup, dealer or dealer_for(setup))
        await asyncio.sleep(0)  # a task for the deck, one for the deal
        dealt = [Happening(table.match.entries[0]), *table.settle()]
        persistence = Persistence(local_id(table.match.id), context.matches, context.locks, context.trouble)
        session = cls(table, context, persistence, time())
        session._grow(dealt)
        await persistence.claim()
        session.publish()
        return session

    @classmethod
    async def resume(cls, name: str, context: SessionContext) -> LocalSession:
        """The stored match ``name``.

        Raises ``Malformed``, ``Refused``, ``StorageFailed``, ``NotLocal``; ``KeyError`` for none.
        """
        persistence = Persistence(name, context.matches, context.locks, context.trouble)
        record, match = await persistence.open()
        if is_trusted(match):
            persistence.release()
            raise NotLocal
        session = cls(Table(match, dealer_for(match.setup)), context, persistence, record.creation_time)
        if match.outcome is None and missing_faces(match, None) > 0:
            session.known_seats = tuple(seat for seat in range(match.rules.seats) if not missing_faces(match, seat))
        if session.is_fragment:
            persistence.owner = False
            persistence.release()
        elif session.owner:
            session._take_over()
        else:
            session._wait_for_tab()
        session.publish()
        return session

    # ---- what kind of match ----

    @property
    def match(self) -> Match:
        return self.table.match

    @property
    def author(self) -> str:
        return AUTHOR

    @property
    def is_fragment(self) -> bool:
        """Whether it goes on, and only what one seat saw of it is here, as a file of that seat brings it: nobody can deal."""
        return self.known_seats is not None

    @property
    def seats_here(self) -> tuple[int, ...]:
        seats = super().seats_here
        return seats if self.known_seats is None else tuple(seat for seat in seats if seat in self.known_seats)

    def _adopt(self, record: MatchRecord, match: Match) -> None:
        self.table.match = match

    def _must_own(self) -> None:
        if self.is_fragment:
            raise refused("playing.fragment")
        super()._must_own()

    def _take_over(self) -> None:
        """Also deal what was asked of the dealer when the page was closed."""
        self._grow(self.table.settle())

    # ---- acting ----

    async def move(self, seat: int, move: Move) -> None:
        self._must_own()
        if self.is_paused:
            raise refused("table.paused")
        self._settle(self.table.move(seat, move))

    async def bot_move(self, seat: int, move: Move) -> None:
        self._settle(self.table.move(seat, move))

    async def undo(self, seat: int, to: int, practice: bool = False) -> None:
        self._must_own()
        self._settle_anew(self.table.undo(seat, to, practice=practice))

    async def consent(self, seat: int, to: int) -> None:
        self._must_own()
        self._settle(self.table.consent(seat, to))

    async def resign(self, seat: int) -> None:
        self._must_own()
        self._settle_anew(self.table.resign(seat))

    async def replace(self, seat: int, player: Seat) -> None:
        self._must_own()
        self._settle_anew(self.table.replace(seat, player))

    async def time_out(self, seat: int) -> None:
        self._must_own()
        self._settle(self.table.time_out(seat))

    def _settle(self, happenings: Iterable[Happening]) -> None:
        self._grow(happenings)
        self.publish()

    def _settle_anew(self, happenings: Iterable[Happening]) -> None:
        """As ``_settle``, where what bots think is about another position."""
        self._bots.stop()
        self._settle(happenings)
