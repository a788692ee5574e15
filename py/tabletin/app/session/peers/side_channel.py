"""What tables ask of each other beside the match: may I take that back; no; here is proof of who broke the rules.

Nothing said here changes the match: agreeing to an undo is a signed statement in the log, and proof is judged by each
device's own worker before anybody is named. Texts begin with ``ASIDE``, so that no replica ever reads them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tabletin.app.session.peers.ports import PeerMatch
from tabletin.kernel.log import Entry, canonical, count_field, parse
from tabletin.kernel.match import prepares_next_hand
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed

SIDE_CHANNEL_MARK: Final = "?"
MOST_PROOFS: Final = 4  # that one device may have judged here, for each costs time


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """``seat`` would like the match to go back to entry ``to``."""

    seat: int
    to: int


class SideChannel:
    """Of ``session``. ``wish``: what a person here asked the others; ``asked``: what another asks the people here;
    ``declined``: the seat that said no to the last wish."""

    def __init__(self, session: PeerMatch) -> None:
        self._session = session
        self.wish: UndoRequest | None = None
        self.asked: UndoRequest | None = None
        self.declined: int | None = None
        self.evidence: dict[tuple[str, str], str] = {}  # (author, why) → the file that proves it
        self.malformed = 0
        self._proofs: dict[str, int] = {}  # how many each device has sent
        self._hearers: dict[str, Callable[[str, Any], None]] = {
            "back": self._hear_back, "no": self._hear_no, "proof": self._hear_proof}

    def on(self, what: str, hear: Callable[[str, Any], None]) -> None:
        """Have ``hear(sender, data)`` hear what is said under the name ``what``; it raises ``Malformed`` for what is wrong."""
        self._hearers[what] = hear

    # ---- saying ----

    def ask(self, seat: int, to: int) -> None:
        """Ask everybody else whether ``seat`` may take the match back to entry ``to``."""
        self.wish, self.declined = UndoRequest(seat, to), None
        self.say(None, {"back": {"seat": seat, "to": to}})
        self._session.status_changed()

    async def answer(self, *, agree: bool) -> None:
        """What the people here say to ``asked``."""
        asked, self.asked = self.asked, None
        session = self._session
        if asked is None:
            return
        session.status_changed()
        if not agree:
            asker = session.match.setup.seats[asked.seat].by
            self.say(asker, {"no": {"seat": session.people[0], "to": asked.to}})
            return
        for seat in session.people:
            await session.consent(seat, asked.to)

    async def gather(self) -> None:
        """Keep the proof of whatever the worker found, and hand it to every other table."""
        answer = await self._session.ask_worker(do="accusations")
        for against, why, text in answer["files"]:
            if (against, why) not in self.evidence:
                self.evidence[against, why] = text
                self.say(None, {"proof": text})
        self._session.status_changed()

    def say(self, to: str | None, data: dict[str, Any]) -> None:
        """Say one thing to the table of ``to``, or to all of them."""
        self._session.aside(to, SIDE_CHANNEL_MARK + canonical(data).decode())

    # ---- hearing ----

    def hear(self, sender: str, text: str) -> None:
        """What the table of ``sender`` says. Whatever is wrong with it is counted and harmless."""
        try:
            data = parse(text[len(SIDE_CHANNEL_MARK):])
            if type(data) is not dict or len(data) != 1:
                raise Malformed("expected one thing")
            (what, said), = data.items()
        except Malformed:
            self.malformed += 1
        else:
            self.take(what, sender, said)

    def take(self, what: str, sender: str, said: Any) -> None:
        """Take in what ``sender`` says, or said when it could not be understood yet."""
        try:
            if what not in self._hearers:
                raise Malformed("no such aside")
            self._hearers[what](sender, said)
        except Malformed:
            self.malformed += 1

    def _hear_back(self, sender: str, data: Any) -> None:
        seat, to = self._wish_in(sender, data)
        match = self._session.match
        refusal = match.undo_refusal(seat, to)
        if refusal is not None and refusal.key == "kernel.undo.consent" and self._session.people:
            self.asked = UndoRequest(seat, to)
            self._session.status_changed()

    def _hear_no(self, sender: str, data: Any) -> None:
        seat, to = self._wish_in(sender, data)
        if self.wish is not None and self.wish.to == to:
            self.wish, self.declined = None, seat
            self._session.status_changed()

    def _hear_proof(self, sender: str, text: Any) -> None:
        """Whatever it says is judged anew by this device's worker before anybody is named."""
        if type(text) is not str:
            raise Malformed("expected a file")
        self._proofs[sender] = self._proofs.get(sender, 0) + 1
        if self._proofs[sender] <= MOST_PROOFS:
            self._session.later(self._session.ask_worker(do="hear_proof", text=text))

    def _wish_in(self, sender: str, data: Any) -> tuple[int, int]:
        if type(data) is not dict or data.keys() != {"seat", "to"}:
            raise Malformed("expected seat and to")
        seat, to = count_field(data, "seat"), count_field(data, "to")
        seats = self._session.match.setup.seats
        if seat >= len(seats) or seats[seat].by != sender:
            raise Malformed("not that device's seat")
        return seat, to

    # ---- what the log says to it ----

    def went_on(self, entry: Entry) -> None:
        """The match has a new entry: with the last consent the wish is granted; anything else overtakes it."""
        if prepares_next_hand(entry.statement):
            return
        if entry.statement.kind != "consent":
            self.wish = self.asked = self.declined = None
            return
        wish = self.wish
        if wish is not None and self._session.match.undo_refusal(wish.seat, wish.to) is None:
            self.wish = None
            self._session.later(self._go_back(wish))

    async def _go_back(self, wish: UndoRequest) -> None:
        try:
            await self._session.undo(wish.seat, wish.to)
        except Refused as error:  # somebody went on at the same moment
            self._session.context.trouble(error.refusal.key)
