"""What tables say to each other beside the match: may I take that back; no; here is proof of who broke the rules.

Nothing said here changes the match. Agreeing to an undo is a signed statement in the log, and each device's own worker judges
a proof before anybody is named. Texts begin with ``SIDE_CHANNEL_MARK``, so that no replica ever reads them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tabletin.app.session.peers.ports import PeerMatch, SessionPart
from tabletin.kernel.dealing import prepares_next_hand
from tabletin.kernel.log import Entry, canonical, count_field, parse
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.undo import moves_behind
from tabletin.peers.worker.calls import HearProof, ListAccusations
from tabletin.peers.worker.results import Proofs

if TYPE_CHECKING:
    from tabletin.kernel.match import Match

SIDE_CHANNEL_MARK: Final = "?"
MOST_PROOFS: Final = 4  # that one device may have judged here, for each costs time; all who do not play, together
MOST_ASKED: Final = 8  # undos that one device may ask for behind one entry: each folds the log
MOST_TEXT: Final = 200_000  # characters of one text that is no proof; the page reads it, and must not stand still
MOST_PROOF: Final = 8_000_000  # … and of a proof: as much as a link brings at once
MOST_VALUES: Final = 10_000  # in one text
BURST: Final = 600_000  # characters that one device may have read here at once; all who do not play, together
A_SECOND: Final = 30_000  # and for long: the page reads them, and draws between one and the next
EACH_COSTS: Final = 2_000  # characters, counted for each text beside its own
PROOF: Final = SIDE_CHANNEL_MARK + '{"proof":'


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """``seat`` would like the match to go back to entry ``target``."""

    seat: int
    target: int


def payer_of(match: Match, sender: str) -> str:
    """Whose allowance of ``match`` the messages of ``sender`` use up: its own, or that of all who do not play, "", because one
    person may come with many keys."""
    now = match.snapshot
    return sender if sender in now.live or sender in now.former_authors else ""


class SideChannel(SessionPart):
    """Of ``session``. ``own_request``: what a person here asks the others; ``request``: what another asks the people here;
    ``decliner``: the seat that said no to the last own request. ``evidence``: (author, why) → the file that proves it;
    ``malformed_count``: how many texts were wrong; ``dropped_count``: how many were too much, and not read."""

    def __init__(self, session: PeerMatch) -> None:
        self._session = session
        self.own_request: UndoRequest | None = None
        self.request: UndoRequest | None = None
        self.decliner: int | None = None
        self.evidence: dict[tuple[str, str], str] = {}
        self.malformed_count = 0
        self.dropped_count = 0
        self._spent: Counter[str] = Counter()  # of ``BURST``, by who pays for it
        self._now: float | None = None
        self._proofs: Counter[str] = Counter()  # how many each device has sent, by who pays for them
        self._asked: Counter[str] = Counter()  # how many undos each device has asked for behind the newest entry
        self._handlers: dict[str, Callable[[str, Any], None]] = {
            "back": self._hear_back, "no": self._hear_no, "proof": self._hear_proof}

    def add_handler(self, what: str, handler: Callable[[str, Any], None]) -> None:
        """Call ``handler(sender, data)`` for all that is said under the name ``what``. It raises ``Malformed`` for what is
        wrong."""
        self._handlers[what] = handler

    # ---- saying ----

    def ask(self, seat: int, to: int) -> None:
        """Ask all others whether ``seat`` may take the match back to entry ``target``."""
        self.own_request, self.decliner = UndoRequest(seat, to), None
        self.say(None, {"back": {"seat": seat, "to": to}})
        self._session.status_changed()

    async def answer(self, *, agree: bool) -> None:
        """What the people here say to ``request``."""
        request, self.request = self.request, None
        session = self._session
        if request is None:
            return
        session.status_changed()
        if not agree:
            asker = session.match.setup.seats[request.seat].author
            self.say(asker, {"no": {"seat": session.people[0], "to": request.target}})
            return
        for seat in session.people:
            await session.consent(seat, request.target)

    async def share_evidence(self) -> None:
        """Keep the proofs that the worker has, and send each to all other tables."""
        answer = await self._session.ask_worker(ListAccusations())
        for proof in answer.result_as(Proofs).proofs:
            if (proof.culprit, proof.why) not in self.evidence:
                self.evidence[proof.culprit, proof.why] = proof.file
                self.say(None, {"proof": proof.file})
        self._session.status_changed()

    def say(self, to: str | None, data: dict[str, Any]) -> None:
        """Say one thing to the table of ``target``, or to all of them."""
        self._session.send_aside(to, SIDE_CHANNEL_MARK + canonical(data).decode())

    # ---- hearing ----

    def hear(self, sender: str, text: str) -> None:
        """What the table of ``sender`` says. Something wrong is counted, and is harmless."""
        payer = payer_of(self._session.match, sender)
        may_be_long = text.startswith(PROOF) and self._proofs[payer] < MOST_PROOFS
        cost = EACH_COSTS + (0 if may_be_long else len(text))  # of proofs each device has but a few
        if self._spent[payer] + cost > BURST:
            self.dropped_count += 1
            return
        self._spent[payer] += cost
        try:
            data = parse(text[len(SIDE_CHANNEL_MARK):], MOST_PROOF if may_be_long else MOST_TEXT, values=MOST_VALUES)
            if type(data) is not dict or len(data) != 1:
                raise Malformed("expected one thing")
            (what, said), = data.items()
        except Malformed:
            self.malformed_count += 1
            self._proofs[payer] += may_be_long  # it took as long to read as a proof does
        else:
            self.take(what, sender, said)

    def take(self, what: str, sender: str, said: Any) -> None:
        """Take in what ``sender`` says now, or said before it could be understood."""
        try:
            if what not in self._handlers:
                raise Malformed("no such aside")
            self._handlers[what](sender, said)
        except Malformed:
            self.malformed_count += 1

    def _hear_back(self, sender: str, data: Any) -> None:
        request = self._request_in(sender, data)
        self._asked[sender] += 1
        if self._asked[sender] > MOST_ASKED:
            raise Malformed("asked too often")
        match = self._session.match
        refusal = match.undo_refusal(request.seat, request.target)
        needs_consent = refusal is not None and refusal.key == "kernel.undo.consent"
        if needs_consent and self._session.people and moves_behind(match.entries, request.target):
            self.request = request
            self._session.status_changed()

    def _hear_no(self, sender: str, data: Any) -> None:
        declined = self._request_in(sender, data)
        if self.own_request is not None and self.own_request.target == declined.target:
            self.own_request, self.decliner = None, declined.seat
            self._session.status_changed()

    def _hear_proof(self, sender: str, text: Any) -> None:
        """This device's worker judges it anew before anybody is named."""
        payer = payer_of(self._session.match, sender)
        self._proofs[payer] += 1
        if type(text) is not str:
            raise Malformed("expected a file")
        if self._proofs[payer] <= MOST_PROOFS:
            self._session.start_task(self._session.ask_worker(HearProof(text)))

    def _request_in(self, sender: str, data: Any) -> UndoRequest:
        """The seat of ``sender``'s device, and the entry, that ``data`` names."""
        if type(data) is not dict or data.keys() != {"seat", "to"}:
            raise Malformed("expected seat and to")
        seat, to = count_field(data, "seat"), count_field(data, "to")
        seats = self._session.match.setup.seats
        if seat >= len(seats) or seats[seat].author != sender:
            raise Malformed("not that device's seat")
        return UndoRequest(seat, to)

    # ---- time, and what the log says to it ----

    def on_tick(self, now: float) -> None:
        passed = 0.0 if self._now is None else max(0.0, now - self._now)
        self._now = now
        for payer in list(self._spent):
            self._spent[payer] = max(0, self._spent[payer] - round(passed * A_SECOND))

    def on_entry(self, entry: Entry) -> None:
        """With the last consent the own request is granted; any other entry overtakes it."""
        self._asked.clear()
        if prepares_next_hand(entry.statement):
            return
        if entry.statement.kind != "consent":
            self.own_request = self.request = self.decliner = None
            return
        request = self.own_request
        if request is not None and self._session.match.undo_refusal(request.seat, request.target) is None:
            self.own_request = None
            self._session.start_task(self._go_back(request))

    async def _go_back(self, request: UndoRequest) -> None:
        try:
            await self._session.undo(request.seat, request.target)
        except Refused as error:  # somebody acted at the same moment
            self._session.context.trouble(error.refusal.key)
