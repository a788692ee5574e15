"""Taking a seat back: somebody who was gone for good asks the device whose bot plays the seat, and has it with the next hand.

The person who comes back signs to play as before, after this very departure; the other device signs the change at once, because
nobody else has a claim to that seat. Both signatures stand in the log. What is said here only brings them together.
"""

from __future__ import annotations

from typing import Any, Final

from tabletin.app.session.peers.ports import PeerMatch, SessionPart
from tabletin.app.session.peers.side_channel import SideChannel
from tabletin.kernel.log import Entry, count_field
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat
from tabletin.peers.worker.calls import AgreeToSeat, PromiseSeat
from tabletin.peers.worker.results import Signature

AGAIN: Final = 3.0  # seconds until it is asked again
MOST_SIGNATURE: Final = 200


class Rejoin(SessionPart):
    """Of ``session``. ``asking``: whether the people here want their seats back."""

    def __init__(self, session: PeerMatch, channel: SideChannel) -> None:
        self._session = session
        self._channel = channel
        self.asking = False
        self._asked_at = -AGAIN
        self._promising: set[int] = set()
        channel.add_handler("seat", self._hear_seat)

    def seats_of(self, author: str) -> tuple[int, ...]:
        """The seats that ``author``'s people had when that device left or was declared gone, and that a bot plays now. None
        in a game of one deal, which has no next hand."""
        match = self._session.match
        if author not in match.former_authors or match.outcome is not None or not match.rules.several_hands:
            return ()
        now = match.setup.seats
        return tuple(seat for seat, player in enumerate(self._seats_before(author))
                     if player.author == author and not player.is_bot and now[seat].is_bot)

    def _seats_before(self, author: str) -> tuple[Seat, ...]:
        """Who sat where when ``author`` was gone last. So both devices know what a seat becomes that is given back."""
        return self._session.match.snapshot_at(self._departure(author).index - 1).setup.seats

    def _departure(self, author: str) -> Entry:
        """The entry with which ``author`` left, or was declared gone, last."""
        return next(entry for entry in reversed(self._session.match.entries)
                    if (entry.statement.kind == "gone" and entry.statement.body["peer"] == author)
                    or (entry.statement.kind == "leave" and entry.statement.author == author))

    @property
    def is_by_own_will(self) -> bool:
        """Whether the people here left politely."""
        session = self._session
        return session.author in session.match.former_authors and self._departure(session.author).statement.kind == "leave"

    @property
    def lost_seats(self) -> tuple[int, ...]:
        """The seats that the people here could take back."""
        return self.seats_of(self._session.author)

    def promised_seats(self, author: str) -> tuple[int, ...]:
        """The seats that ``author`` has again with the next hand."""
        return tuple(seat for seat, player in self._session.match.promises.items() if player.author == author)

    def ask(self) -> None:
        """Ask for the seats back, until they are promised."""
        self.asking = True
        self._session.start_task(self._ask())
        self._session.status_changed()

    def on_tick(self, now: float) -> None:
        if now - self._asked_at >= AGAIN:
            self._asked_at = now
            if self.asking:
                self._session.start_task(self._ask())

    async def _ask(self) -> None:
        session = self._session
        waiting = [seat for seat in self.lost_seats if seat not in session.match.promises]
        self.asking = bool(waiting)
        for seat in waiting:
            answer = await session.ask_worker(AgreeToSeat(seat, self._seats_before(session.author)[seat]))
            keeper = session.match.setup.seats[seat].author
            self._channel.say(keeper, {"seat": {"seat": seat, "agreed": answer.result_as(Signature).signature}})

    def _hear_seat(self, sender: str, data: Any) -> None:
        """The person who had a seat before this device's bot wants it back."""
        session = self._session
        if type(data) is not dict or data.keys() != {"seat", "agreed"}:
            raise Malformed("expected a seat and a signature")
        seat, agreed = count_field(data, "seat"), data["agreed"]
        if type(agreed) is not str or len(agreed) > MOST_SIGNATURE or seat not in self.seats_of(sender):
            raise Malformed("not that device's seat")
        player = session.match.setup.seats[seat]
        if player.author == session.author and seat not in session.match.promises and seat not in self._promising:
            self._promising.add(seat)
            session.start_task(self._promise(seat, self._seats_before(sender)[seat], agreed))

    async def _promise(self, seat: int, to: Seat, agreed: str) -> None:
        try:
            await self._session.speak(PromiseSeat(seat, to, agreed))
        except Refused as error:  # the match was over or somebody was first: the other device will ask again
            self._session.context.trouble(error.refusal.key)
        finally:
            self._promising.discard(seat)
