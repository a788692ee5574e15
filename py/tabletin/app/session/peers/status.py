"""How a match among peers stands: who is here, for whom the table waits, how far the deal is, who was caught. Pure.

It is made of what the worker tells and of what the links tell, and decides nothing. The bar at the table is drawn from it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from tabletin.app.session.peers.leave import Withdrawal
from tabletin.app.session.peers.ports import PeerMatch, SessionPart
from tabletin.app.session.peers.side_channel import SideChannel
from tabletin.kernel.dealing import prepares_next_hand
from tabletin.kernel.log import Entry, Statement
from tabletin.peers.net.transport import Presence
from tabletin.peers.worker.calls import SetChoices
from tabletin.peers.worker.status import Culprit, DealProgress, WorkerStatus

ABSENT_FOR: Final = 3.0  # seconds that a device is not here before the table asks what is to become of it
PATIENCE: Final = 1.5  # seconds that a device may take before the table says that it waits for it
PRESENT: Final = (Presence.HERE, Presence.UNSTABLE)
BESIDE_PLAY: Final = ("seat", "consent", "order", "device")  # kinds of statements by which nobody's turn comes or goes


class PeerStatus(SessionPart):
    """Of ``session``. ``progress``: of the deal; ``checking_of``: how many proofs were to be checked when checking began.

    ``culprits``: everybody proven to have broken the rules. ``other_versions``: the authors whose programs are of
    another version. ``missing_signers``: whose signature the match's end lacks. ``removals``: whom the people here
    want to go on without; ``ending_removals``: of these, whose seats no bot shall play; ``wants_timeout``: the seats
    that keep the table waiting. ``waiting_for``: the authors for whom the table has been waiting for a while.
    """

    def __init__(self, session: PeerMatch, channel: SideChannel, leave: Withdrawal) -> None:
        self._session = session
        self._channel = channel
        self._leave = leave
        self.progress = DealProgress()
        self.checking_of = 0
        self.ready = False
        self.culprits: tuple[Culprit, ...] = ()
        self.other_versions: tuple[str, ...] = ()
        self.removals: set[str] = set()
        self.ending_removals: set[str] = set()
        self.wants_timeout: set[int] = set()
        self.take_up(None)
        self.waiting_for: tuple[str, ...] = ()
        self._absent_since: dict[str, float] = {}
        self._now = 0.0
        self._owing: tuple[str, ...] = ()
        self._owing_since = 0.0
        self._shown: tuple[object, ...] = ()

    def take_up(self, missing_signers: Sequence[str] | None) -> None:
        """Take ``missing_signers`` as they were stored; None where nothing was."""
        if missing_signers is None:
            missing_signers = self.other_authors if self._session.match.outcome is not None else ()
        self.missing_signers = tuple(missing_signers)

    # ---- what it is made of ----

    def on_status(self, status: WorkerStatus) -> None:
        checking = status.progress.checking
        self.checking_of = max(checking, self.checking_of) if checking else 0
        self.progress, self.ready, self.other_versions = status.progress, status.ready, status.other_versions
        if self._session.match.outcome is not None:
            self.missing_signers = status.missing_signers
        if status.culprits != self.culprits:
            self.culprits = status.culprits
            self._session.start_task(self._channel.share_evidence())
        owing = [author for author in status.progress.waiting if author != self._session.author]
        orderer = self._session.match.orderer
        if status.pending and orderer != self._session.author:
            owing.append(orderer)
        if tuple(owing) != self._owing:
            self._owing, self._owing_since = tuple(owing), asyncio.get_event_loop().time()
            self.waiting_for = ()
        self._tell_if_changed()

    def on_tick(self, now: float) -> None:
        self._now = now
        self.waiting_for = self._owing if self._owing and now - self._owing_since >= PATIENCE else ()
        away = [author for author in self.other_authors if self.presence(author) not in PRESENT]
        self._absent_since = {author: self._absent_since.get(author, now) for author in away}
        self._tell_if_changed()

    def on_entry(self, entry: Entry) -> None:
        """Nobody keeps the table waiting any more, and a device that was declared gone need not be again. Nothing that a silent
        device says beside the play changes what people want."""
        if self._is_beside_play(entry.statement):
            return
        if entry.statement.kind == "undo" and self._took_nothing_back(entry):
            return
        decided = self.removals & self._session.match.former_authors
        if self.wants_timeout or decided:
            self.wants_timeout.clear()
            self.removals -= decided
            self.ending_removals -= decided
            self._session.start_task(self.vote())

    @staticmethod
    def _is_beside_play(statement: Statement) -> bool:
        return prepares_next_hand(statement) or statement.kind in BESIDE_PLAY

    def _took_nothing_back(self, undo: Entry) -> bool:
        """Whether ``undo`` crosses nothing of the play. One that crosses such an undo crosses nothing, either."""
        entries = self._session.match.entries[:undo.index]
        played = [0]  # how many of the first entries, but none of them, changed something in play
        for entry in [*entries, undo]:
            said = entry.statement
            changed = played[entry.index] > played[said.body["to"] + 1] if said.kind == "undo" else not self._is_beside_play(said)
            played.append(played[-1] + changed)
        return played[-1] == played[-2]

    def _tell_if_changed(self) -> None:
        """Tell the session where anything has changed that a table shows."""
        net = self._session.net
        progress = self.progress
        shown = (progress.what, progress.done_count, progress.total, progress.checking, self.checking_of, self.ready,
                 self.missing_signers, self._session.sending, self._leave.stage, self.culprits,
                 self.other_versions, self.waiting_for,
                 tuple(map(self.presence, self.other_authors)), tuple(map(self.absent, self.other_authors)),
                 () if net is None else net.lost_authors())
        changed, self._shown = shown != self._shown, shown
        if changed:
            self._session.status_changed()

    # ---- what is shown ----

    @property
    def other_authors(self) -> tuple[str, ...]:
        """The other devices of the match that are not gone for good, in order of their seats."""
        match = self._session.match
        return tuple(author for author in match.snapshot.live if author != self._session.author)

    def presence(self, author: str) -> Presence:
        net = self._session.net
        return Presence.UNKNOWN if net is None else net.presence(author)

    def absent(self, author: str) -> bool:
        """Whether ``author``'s device has not been here for a while, or said goodbye."""
        since, presence = self._absent_since.get(author), self.presence(author)
        if presence in PRESENT:
            return False
        return presence is Presence.LEFT or (since is not None and self._now - since >= ABSENT_FOR)

    def seats(self, author: str) -> tuple[int, ...]:
        """The seats of ``author``'s device, people's first."""
        seats = self._session.match.setup.seats
        own = [seat for seat, player in enumerate(seats) if player.author == author]
        return tuple(sorted(own, key=lambda seat: seats[seat].is_bot))

    @property
    def missing(self) -> tuple[str, ...]:
        """For whom the table waits: devices that owe something, or that are away and to act."""
        match = self._session.match
        if match.outcome is not None:
            return ()
        away = [author for author in self.other_authors if self.presence(author) not in PRESENT]
        due = {match.setup.seats[seat].author for seat in match.rules.to_act(match.state)} | {match.orderer}
        return tuple(dict.fromkeys([*self.waiting_for, *(author for author in away if author in due or not self.ready)]))

    # ---- who keeps the table waiting ----

    def skippable(self, author: str) -> tuple[int, ...]:
        """The seats of ``author`` that may be timed out now, if all others agree: never where there are but two devices."""
        match = self._session.match
        if len(self.other_authors) < 2 or match.state.requests:
            return ()
        acting = match.rules.to_act(match.state)
        return tuple(seat for seat in self.seats(author)
                     if seat in acting and match.rules.default(match.state, seat) is not None)

    async def vote(self) -> None:
        """Tell the worker what the people here want now."""
        choices = SetChoices(tuple(sorted(self.removals)), tuple(sorted(self.wants_timeout)), tuple(sorted(self.ending_removals)))
        await self._session.ask_worker(choices)
        self._session.status_changed()
