"""Signs for the family league how a match ended, once everybody holds its end and this device has checked all of it.

The worker signs what its own replica came to; nothing that another device says has a part in it. Where the people here keep no
league, nothing is signed.
"""

from __future__ import annotations

from datetime import date

from tabletin.app.session.peers.ports import PeerDevice, PeerMatch, SessionPart
from tabletin.app.session.peers.status import PeerStatus
from tabletin.kernel.logfile import export
from tabletin.kernel.options import Refused
from tabletin.peers.league.signed_result import SignedResult
from tabletin.peers.worker.answer import WorkerAnswer
from tabletin.peers.worker.calls import SignLog, SignResult
from tabletin.peers.worker.status import WorkerStatus


class ResultSigning(SessionPart):
    """Of ``session``. ``is_done``: whether the result is signed here, or never will be."""

    def __init__(self, session: PeerMatch, status: PeerStatus) -> None:
        self._session = session
        self._status = status
        self._busy = False
        self.is_done = False

    def on_status(self, status: WorkerStatus) -> None:
        if self._is_due:
            self._session.start_task(self.sign())

    @property
    def _is_due(self) -> bool:
        """Whether the match is over, everybody holds its end, and all proofs are checked."""
        session, status = self._session, self._status
        is_over = session.match.outcome is not None and not status.missing_signers and not status.progress.checking
        return (is_over and not status.culprits and bool(session.people) and session.context.league is not None
                and not self._busy and not self.is_done)

    async def sign(self, device: PeerDevice | None = None) -> None:
        """Sign now, if the people here keep a league and it is time. ``device``: for a match that is joined no more, whose whole
        log it checks anew."""
        session = self._session
        league = session.context.league
        if not self._is_due or league is None or (session.device is None and device is None):
            return
        self._busy = True
        try:
            if (await league().current()).is_on:
                answer = await self._ask(device)
                signed = answer.result_as(SignedResult)
                await league().change(lambda league: league.meet(session.author).add([signed]))
                self.is_done = True
        except Refused:  # it counts in no league
            self.is_done = True
        finally:
            self._busy = False

    async def _ask(self, device: PeerDevice | None) -> WorkerAnswer:
        session, day = self._session, date.today().isoformat()
        if session.device is None and device is not None:
            return await device.call(SignLog(export(session.match), day))
        return await session.ask_worker(SignResult(day))
