"""How a match among peers stands: who is here, for whom the table waits, how far the deal is, who was caught. Pure.

Made of what the worker tells and of what the links tell; it decides nothing. The strip at the table is drawn from it.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final, Protocol

from tabletin.app.session.peers.leave import Leave
from tabletin.app.session.peers.ports import PeerMatch
from tabletin.app.session.peers.side_channel import SideChannel
from tabletin.kernel.options import Refusal
from tabletin.peers.net.transport import Presence

ABSENT_FOR: Final = 3.0  # seconds that a device is not here before the table asks what is to become of it
PATIENCE: Final = 1.5  # seconds that a device may take before the table says that it waits for it


class Host(PeerMatch, Protocol):
    """What this part needs beside the match."""

    side_channel: SideChannel
    leave: Leave


@dataclass(frozen=True, slots=True)
class DealProgress:
    """How far a deal is: ``what`` as in ``peers.progress``; ``checking`` of ``checking_of`` proofs are left to check."""

    what: str = ""
    done: int = 0
    of: int = 0
    checking: int = 0
    checking_of: int = 0


class PeerStatus:
    """Of ``session``. ``accused``: (author, why) of everybody proven to have broken the rules; ``wrong``: of these, why the log
    refuses what was signed, where that says more."""

    def __init__(self, session: Host) -> None:
        self._session = session
        self.progress = DealProgress()
        self.ready = False
        self.orders = False
        self.accused: tuple[tuple[str, str], ...] = ()
        self.wrong: dict[tuple[str, str], Refusal] = {}
        self.gone: set[str] = set()  # whom the people here want to go on without
        self.without: set[str] = set()  # of these, whose seats no bot shall play
        self.timeouts: set[int] = set()  # seats that kept the table waiting
        self.unsigned: tuple[str, ...] = self.others if session.match.outcome is not None else ()  # whose sign the end lacks
        self.late: tuple[str, ...] = ()  # the authors for whom the table has been waiting for a while
        self._absent: dict[str, float] = {}  # since when somebody is not here
        self._now = 0.0
        self._owing: tuple[str, ...] = ()
        self._owing_since = 0.0
        self._saying = False
        self._seen: tuple[object, ...] = ()

    # ---- what is told ----

    def hear(self, status: dict[str, Any]) -> bool:
        """Take in the worker's ``status``; whether anything a table shows has changed."""
        if not status:
            return False
        told = status.get("progress", {})
        checking = int(told.get("checking", 0))
        most = max(checking, self.progress.checking_of) if checking else 0
        self.progress = DealProgress(told.get("what", ""), told.get("done", 0), told.get("of", 0), checking, most)
        self.ready, self.orders, self._saying = status["ready"], status["orders"], status["saying"]
        self._session.leave.hear(status)
        if self._session.match.outcome is not None:
            self.unsigned = tuple(status["unsigned"])
        accused = tuple((against, why) for against, why, _wrong in status["accused"])
        self.wrong = {(against, why): Refusal(*wrong) for against, why, wrong in status["accused"] if wrong is not None}
        if accused != self.accused:
            self.accused = accused
            self._session.later(self._session.side_channel.gather())
        owing = [author for author in told.get("waiting", []) if author != self._session.author]
        orderer = self._session.match.orderer
        if self._saying and orderer != self._session.author:
            owing.append(orderer)
        if tuple(owing) != self._owing:
            self._owing, self._owing_since = tuple(owing), asyncio.get_event_loop().time()
            self.late = ()
        return self._changed()

    def look(self, now: float) -> bool:
        """Look at the links and the clock; whether anything a table shows has changed."""
        self._now = now
        self.late = self._owing if self._owing and now - self._owing_since >= PATIENCE else ()
        away = [author for author in self.others if self.presence(author) not in (Presence.HERE, Presence.UNSTABLE)]
        self._absent = {author: self._absent.get(author, now) for author in away}
        return self._changed()

    def _changed(self) -> bool:
        session = self._session
        net = session.net
        seen = (self.progress, self.ready, self.unsigned, session.sending, session.leave.stage, self.accused, self.late,
                tuple(map(self.presence, self.others)), tuple(map(self.absent, self.others)), () if net is None else net.lost())
        changed, self._seen = seen != self._seen, seen
        return changed

    # ---- what is shown ----

    @property
    def others(self) -> tuple[str, ...]:
        """The devices of the match but this one, in order of their seats; those gone for good apart."""
        match = self._session.match
        return tuple(author for author in match.now.live if author != self._session.author)

    def presence(self, author: str) -> Presence:
        net = self._session.net
        return Presence.UNKNOWN if net is None else net.presence(author)

    def absent(self, author: str) -> bool:
        """Whether ``author``'s device has not been here for a while, or said goodbye."""
        since, presence = self._absent.get(author), self.presence(author)
        if presence in (Presence.HERE, Presence.UNSTABLE):
            return False
        return presence is Presence.LEFT or (since is not None and self._now - since >= ABSENT_FOR)

    def seats(self, author: str) -> tuple[int, ...]:
        """The seats of ``author``'s device, people's first."""
        seats = self._session.match.setup.seats
        own = [seat for seat, player in enumerate(seats) if player.by == author]
        return tuple(sorted(own, key=lambda seat: seats[seat].is_bot))

    @property
    def missing(self) -> tuple[str, ...]:
        """For whom the table waits: devices that owe something, or that are away and to act."""
        match = self._session.match
        if match.outcome is not None:
            return ()
        away = [author for author in self.others if self.presence(author) not in (Presence.HERE, Presence.UNSTABLE)]
        due = {match.setup.seats[seat].by for seat in match.rules.to_act(match.state)} | {match.orderer}
        return tuple(dict.fromkeys([*self.late, *(author for author in away if author in due or not self.ready)]))

    # ---- who keeps the table waiting ----

    def skippable(self, author: str) -> tuple[int, ...]:
        """The seats of ``author`` that may be timed out now, if all the others agree: never where there are but two devices."""
        match = self._session.match
        if len(self.others) < 2 or match.state.requests:
            return ()
        acting = match.rules.to_act(match.state)
        return tuple(seat for seat in self.seats(author)
                     if seat in acting and match.rules.default(match.state, seat) is not None)

    def went_on(self) -> None:
        """The match has gone on: nobody keeps the table waiting any more, and who was declared gone need not be again."""
        decided = self.gone & self._session.match.gone
        if self.timeouts or decided:
            self.timeouts.clear()
            self.gone -= decided
            self.without -= decided
            self._session.later(self.vote())

    async def vote(self) -> None:
        await self._session.ask_worker(do="want", gone=sorted(self.gone), timeouts=sorted(self.timeouts),
                                       without=sorted(self.without))
        self._session.status_changed()
