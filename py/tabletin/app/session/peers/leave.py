"""Leaving a match politely: what it means for the others, waiting until nothing is asked for, and staying after all.

The worker signs the leave as soon as it can. This part tells the people here how far that is.
"""

from __future__ import annotations

from tabletin.app.session.peers.ports import PeerMatch, SessionPart
from tabletin.kernel import membership
from tabletin.kernel.options import refused
from tabletin.peers.worker.calls import LeaveMatch, StayInMatch
from tabletin.peers.worker.status import WorkerStatus


class Withdrawal(SessionPart):
    """Of ``session``. ``stage``: as in ``WorkerStatus.leaving``: "", ``WAITS`` until nothing is asked for, or ``SAID``."""

    def __init__(self, session: PeerMatch) -> None:
        self._session = session
        self.stage = ""

    def on_status(self, status: WorkerStatus) -> None:
        self.stage = status.leaving

    def consequence(self) -> str:
        """What the others do without this device: "hand" – they play it on, and then a bot plays –, "deal" – they play the
        only deal to its end –, "anew" – the hand is dealt anew, with a bot –, or "ends"."""
        session = self._session
        match = session.match
        several = match.rules.several_hands
        if membership.leaving(match.rules, match.snapshot, session.author) == membership.VOID:
            return "anew" if several else "ends"
        return "hand" if several else "deal"

    async def go(self) -> bool:
        """Leave as soon as nothing is asked for; returns when that stands in the log. False if the people here stayed after
        all, or if the match was over first. Raises ``Refused``."""
        session = self._session
        await self._ask(LeaveMatch())
        while self.stage and session.author not in session.match.former_authors:
            await session.next_answer()
        gone = session.author in session.match.former_authors
        if gone:
            session.publish()
            await session.flush()
        return gone

    async def stay(self) -> None:
        """Not leave after all. Raises ``Refused`` once the leave is signed."""
        await self._ask(StayInMatch())
        self._session.publish()

    async def _ask(self, call: LeaveMatch | StayInMatch) -> None:
        if self._session.device is None:
            raise refused("peer_match.nobody_yet")
        (await self._session.ask_worker(call)).require()
