"""Taking a seat back: whoever was gone for good asks the device whose bot keeps the seat, and has it with the next hand.

The one who comes back signs that it will play; the other device signs the change at once, for nobody else has a claim to that
seat. Both signatures stand in the log; what is said here only brings them together.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

from tabletin.app.session.peers.ports import PeerMatch
from tabletin.app.session.peers.side_channel import SideChannel
from tabletin.kernel.log import Entry, count_field
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat

AGAIN: Final = 3.0  # seconds until it is asked again
MOST_SIGNATURE: Final = 200


class Host(PeerMatch, Protocol):
    """What this part needs beside the match."""

    side_channel: SideChannel


class Rejoin:
    """Of ``session``. ``asking``: whether the people here want their seats back."""

    def __init__(self, session: Host) -> None:
        self._session = session
        self.asking = False
        self._asked = -AGAIN
        self._promising: set[int] = set()
        session.side_channel.on("seat", self._hear_seat)

    def seats_of(self, author: str) -> tuple[int, ...]:
        """The seats that ``author``'s people had when it went or was declared gone, and that a bot keeps now; none where there
        is no other hand to have them back with."""
        match = self._session.match
        if author not in match.gone or match.outcome is not None or not match.rules.several_hands:
            return ()
        before, now = match.at(self._went(author).index - 1).setup.seats, match.setup.seats
        return tuple(seat for seat, player in enumerate(before)
                     if player.by == author and not player.is_bot and now[seat].is_bot)

    def _went(self, author: str) -> Entry:
        """With which entry ``author`` went, last."""
        return next(entry for entry in reversed(self._session.match.entries)
                    if (entry.statement.kind == "gone" and entry.statement.body["peer"] == author)
                    or (entry.statement.kind == "leave" and entry.statement.author == author))

    @property
    def left(self) -> bool:
        """Whether the people here went politely."""
        session = self._session
        return session.author in session.match.gone and self._went(session.author).statement.kind == "leave"

    @property
    def lost(self) -> tuple[int, ...]:
        """The seats that the people here could take back."""
        return self.seats_of(self._session.author)

    def promised(self, author: str) -> tuple[int, ...]:
        """The seats that ``author`` has again with the next hand."""
        return tuple(seat for seat, player in self._session.match.promised.items() if player.by == author)

    def ask(self) -> None:
        """Ask for the seats back, until they are promised."""
        self.asking = True
        self._session.later(self._ask())
        self._session.status_changed()

    def look(self, now: float) -> None:
        if now - self._asked >= AGAIN:
            self._asked = now
            if self.asking:
                self._session.later(self._ask())

    async def _ask(self) -> None:
        session = self._session
        waiting = [seat for seat in self.lost if seat not in session.match.promised]
        self.asking = bool(waiting)
        for seat in waiting:
            answer = await session.ask_worker(do="agree_to_seat", seat=seat)
            keeper = session.match.setup.seats[seat].by
            session.side_channel.say(keeper, {"seat": {"seat": seat, "agreed": answer["agreed"]}})

    def _hear_seat(self, sender: str, data: Any) -> None:
        """Whoever had a seat before this device's bot wants it back."""
        session = self._session
        if type(data) is not dict or data.keys() != {"seat", "agreed"}:
            raise Malformed("expected a seat and a signature")
        seat, agreed = count_field(data, "seat"), data["agreed"]
        if type(agreed) is not str or len(agreed) > MOST_SIGNATURE or seat not in self.seats_of(sender):
            raise Malformed("not that device's seat")
        player = session.match.setup.seats[seat]
        if player.by == session.author and seat not in session.match.promised and seat not in self._promising:
            self._promising.add(seat)
            session.later(self._promise(seat, Seat("person", sender, player.name, "", player.colour), agreed))

    async def _promise(self, seat: int, to: Seat, agreed: str) -> None:
        try:
            await self._session.speak(do="promise_seat", seat=seat, to=to.to_json(), agreed=agreed)
        except Refused as error:  # the match was over or somebody was first: whoever asks will ask again
            self._session.context.trouble(error.refusal.key)
        finally:
            self._promising.discard(seat)
