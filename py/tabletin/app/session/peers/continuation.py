"""Going on without a device that is gone: what the people here would like, what those at the other tables say they would,
and the new match of those who are left. Nothing happens before all of them want the same; the votes are the worker's.

What is said here between tables is only told, never counted: a wish shown wrongly moves nothing.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

from tabletin.app.session.peers.ports import PeerMatch
from tabletin.app.session.peers.side_channel import SideChannel
from tabletin.app.session.peers.status import PeerStatus
from tabletin.kernel.log import Entry, Json
from tabletin.kernel.options import refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Setup
from tabletin.peers.net.transport import Presence
from tabletin.peers.replication.successor import successor_setup

BOT, WITHOUT, WAIT = "bot", "without", "wait"
WISHES: Final = (BOT, WITHOUT, WAIT)
AGAIN: Final = 3.0  # seconds until what was told is told again, for whoever came meanwhile


class Host(PeerMatch, Protocol):
    """What this part needs beside the match."""

    side_channel: SideChannel
    status: PeerStatus


class Continuation:
    """Of ``session``. ``wishes``: whom it is about → whose device → what its people would like, as they say.
    ``genesis``: of the match that those who are left go on with, once it is founded."""

    def __init__(self, session: Host) -> None:
        self._session = session
        self.wishes: dict[str, dict[str, str]] = {}
        self.genesis: Json = None
        self._told = -AGAIN
        self._founding = False
        self._early: dict[str, Json] = {}  # a new match that was told before this device's log had come to its end
        session.side_channel.on("parting", self._hear_wish)
        session.side_channel.on("anew", self._hear_anew)
        session.side_channel.on("which", self._hear_which)

    # ---- what can be chosen ----

    def enough(self, author: str) -> bool:
        """Whether the others may go on without ``author`` at all: they must be more than half of all there were."""
        session = self._session
        everybody = session.match.at(0).setup.authors
        left = set(session.status.others) - {author} | {session.author}
        return 2 * len(left) > len(everybody)

    def ways(self, author: str) -> tuple[str, ...]:
        """What those who are left can do about ``author``, beside waiting: a bot only where there may be a next hand."""
        session = self._session
        if not session.people or not self.enough(author):
            return ()
        return (BOT, WITHOUT) if session.match.rules.several_hands else (WITHOUT,)

    def deals_anew(self, author: str) -> bool:
        """Whether those who are left are enough for a match of this game."""
        match = self._session.match
        away = match.gone | {author}
        left = [seat.by for seat in match.setup.seats if seat.by not in away]
        return len(left) in match.rules.seat_counts and len(set(left)) > 1

    def wish(self, author: str) -> str:
        """What the people here would like to do about ``author``."""
        status = self._session.status
        if author not in status.gone:
            return WAIT
        return WITHOUT if author in status.without else BOT

    async def choose(self, author: str, then: str) -> None:
        """The people here would like that: "bot", "without", or to wait after all. It is so when everybody wants the same.

        Raises ``Refused``."""
        status = self._session.status
        if then != WAIT and not self.enough(author):
            raise refused("peers.no_majority")
        (status.gone.discard if then == WAIT else status.gone.add)(author)
        (status.without.add if then == WITHOUT else status.without.discard)(author)
        self._tell(author)
        await status.vote()

    def _tell(self, author: str) -> None:
        self._session.side_channel.say(None, {"parting": {"about": author, "then": self.wish(author)}})

    def _hear_wish(self, sender: str, data: Any) -> None:
        session = self._session
        if type(data) is not dict or data.keys() != {"about", "then"} or data["then"] not in WISHES:
            raise Malformed("expected what is to become of somebody's seats")
        about = data["about"]
        if sender not in session.status.others or about not in session.status.others or about == sender:
            raise Malformed("not of this table")
        if self.wishes.setdefault(about, {}).get(sender) != data["then"]:
            self.wishes[about][sender] = data["then"]
            session.status_changed()

    # ---- the new match ----

    @property
    def ended_without(self) -> bool:
        """Whether the match ended because the others go on without somebody."""
        match = self._session.match
        if match.outcome is None or not match.gone:
            return False
        last = next((entry.statement for entry in reversed(match.entries) if entry.statement.kind == "gone"), None)
        return last is not None and last.body["then"] == WITHOUT

    @property
    def founds(self) -> bool:
        """Whether those who are left go on in a new match."""
        return self.ended_without and successor_setup(self._session.match) is not None

    def look(self, now: float) -> None:
        """Say again what was said, and see to the new match where there is to be one."""
        if self._early and self.ended_without:
            early, self._early = self._early, {}
            for sender, data in early.items():
                self._session.side_channel.take("anew", sender, data)
        if now - self._told < AGAIN:
            return
        self._told = now
        session = self._session
        for author in sorted(session.status.gone):
            if session.status.presence(author) is Presence.HERE:
                session.later(self.choose(author, WAIT))
            else:
                self._tell(author)
        if self.genesis is None and self.founds:
            if session.match.orderer != session.author:
                session.side_channel.say(session.match.orderer, {"which": {}})
            elif not self._founding:
                self._founding = True
                session.later(self._found())

    async def _found(self) -> None:
        """Found it: the same entry however often this device does so."""
        session = self._session
        setup = successor_setup(session.match)
        assert setup is not None
        assert session.device is not None
        answer = await session.device.call(
            do="found", game=setup.game, options=dict(setup.options), nonce=setup.nonce, extra=dict(setup.extra),
            seats=[seat.to_json() for seat in setup.seats])
        self.genesis = answer["genesis"]
        session.side_channel.say(None, {"anew": self.genesis})
        session.status_changed()

    def _hear_which(self, sender: str, data: Any) -> None:
        if self.genesis is not None:
            self._session.side_channel.say(sender, {"anew": self.genesis})

    def _hear_anew(self, sender: str, data: Any) -> None:
        """The new match, founded by whoever orders: taken only if it is the very one that this log leads to."""
        match = self._session.match
        statement = Entry.from_json(data).statement
        if self.genesis is not None:
            return
        if not self.ended_without:  # whoever founded it is at its table by now, and says it no more
            if sender in self._session.status.others:
                self._early[sender] = data
            return
        if statement.author != match.orderer or Setup.from_statement(statement) != successor_setup(match):
            raise Malformed("not the match that this log leads to")
        self.genesis = data
        self._session.status_changed()
