"""Going on without a device that is gone: what the people here choose, what those at other tables say they choose, and the new
match of those who are left.

Nothing happens before all of them choose the same; the votes are the worker's. What tables tell each other here is only shown
and never counted: a choice that is shown wrongly moves nothing.
"""

from __future__ import annotations

from typing import Any, Final

from tabletin.app.session.peers.ports import PeerMatch, SessionPart
from tabletin.app.session.peers.side_channel import SideChannel
from tabletin.app.session.peers.status import PeerStatus
from tabletin.kernel.log import Entry, Json
from tabletin.kernel.options import refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Setup
from tabletin.peers.net.transport import Presence
from tabletin.peers.replication.authority import required_voters
from tabletin.peers.replication.successor import successor_setup
from tabletin.peers.worker.calls import CheckGenesis, FoundMatch
from tabletin.peers.worker.results import Genesis
from tabletin.peers.worker.status import WorkerStatus

BOT, WITHOUT, WAIT = "bot", "without", "wait"
CHOICES: Final = (BOT, WITHOUT, WAIT)
AGAIN: Final = 3.0  # seconds until something is said again, for a table that was not there before


class Continuation(SessionPart):
    """Of ``session``. ``choices``: about which device → of which device → what its people choose, as they say.
    ``genesis``: of the match in which those who are left go on, once it is founded."""

    def __init__(self, session: PeerMatch, channel: SideChannel, status: PeerStatus) -> None:
        self._session = session
        self._channel = channel
        self._status = status
        self.choices: dict[str, dict[str, str]] = {}
        self.genesis: Json = None
        self._said_at = -AGAIN
        self._founding = False
        self._checking: set[str] = set()  # whose word on the new match is with the worker
        self._on_screen = False
        self._moved_on = False
        self._early: dict[str, Json] = {}  # a new match that was told before this device's log had come to its end
        channel.add_handler("parting", self._hear_choice)
        channel.add_handler("anew", self._hear_anew)
        channel.add_handler("which", self._hear_which)

    def on_entry(self, entry: Entry) -> None:
        """The end that leads to a new match may fall away: then the match goes on, or another one follows it."""
        if self.genesis is not None and not self._leads_to(self.genesis):
            self.genesis, self._founding, self._moved_on = None, False, False

    def _leads_to(self, genesis: Json) -> bool:
        """Whether the match of ``genesis`` is the one that this log leads to now."""
        return Setup.from_statement(Entry.from_json(genesis).statement) == successor_setup(self._session.match)

    # ---- what can be chosen ----

    def is_majority_without(self, author: str) -> bool:
        """Whether the others may go on without ``author`` at all: the people of them must be more than half of all who began."""
        return bool(required_voters(self._session.match.snapshot, {"kind": "gone", "peer": author}))

    def choices_about(self, author: str) -> tuple[str, ...]:
        """What those who are left can do about ``author``, beside waiting: a bot only where there may be a next hand. Nothing at
        a device that brings no vote."""
        session = self._session
        if not session.people or session.author not in session.match.snapshot.voters or not self.is_majority_without(author):
            return ()
        return (BOT, WITHOUT) if session.match.rules.several_hands else (WITHOUT,)

    def deals_anew(self, author: str) -> bool:
        """Whether those who are left are enough for a match of this game."""
        match = self._session.match
        away = match.former_authors | {author}
        left = [seat.author for seat in match.setup.seats if seat.author not in away]
        return len(left) in match.rules.seat_counts and len(set(left)) > 1

    def choice(self, author: str) -> str:
        """What the people here choose about ``author``."""
        status = self._status
        if author not in status.removals:
            return WAIT
        return WITHOUT if author in status.ending_removals else BOT

    async def choose(self, author: str, then: str) -> None:
        """The people here choose "bot", "without", or to wait after all. It is done when everybody chooses the same.

        Raises ``Refused``."""
        status = self._status
        if then != WAIT and not self.is_majority_without(author):
            raise refused("peers.no_majority")
        (status.removals.discard if then == WAIT else status.removals.add)(author)
        (status.ending_removals.add if then == WITHOUT else status.ending_removals.discard)(author)
        self._tell(author)
        await status.vote()

    def _tell(self, author: str) -> None:
        self._channel.say(None, {"parting": {"about": author, "then": self.choice(author)}})

    def _hear_choice(self, sender: str, data: Any) -> None:
        if type(data) is not dict or data.keys() != {"about", "then"} or data["then"] not in CHOICES:
            raise Malformed("expected what is to become of somebody's seats")
        about, others = data["about"], self._status.other_authors
        if sender not in others or about not in others or about == sender:
            raise Malformed("not of this table")
        if self.choices.setdefault(about, {}).get(sender) != data["then"]:
            self.choices[about][sender] = data["then"]
            self._session.status_changed()

    # ---- the new match ----

    @property
    def is_ended_without(self) -> bool:
        """Whether the match ended because the others go on without somebody."""
        match = self._session.match
        if match.outcome is None or not match.former_authors:
            return False
        last = next((entry.statement for entry in reversed(match.entries) if entry.statement.kind == "gone"), None)
        return last is not None and last.body["then"] == WITHOUT

    @property
    def starts_new_match(self) -> bool:
        """Whether those who are left go on in a new match."""
        return self.is_ended_without and successor_setup(self._session.match) is not None

    def show(self) -> None:
        """The table of this match is on the screen: from here the page moves on to the new match."""
        self._on_screen, self._moved_on = True, False
        self._move_on()

    def hide(self) -> None:
        """The table is on the screen no more: whatever is looked at now stays there."""
        self._on_screen = False

    def on_status(self, status: WorkerStatus) -> None:
        self._move_on()

    def on_tick(self, now: float) -> None:
        """Say again what was said, and see to the new match where there is to be one."""
        if self._early and self.is_ended_without:
            early, self._early = self._early, {}
            for sender, data in early.items():
                self._channel.take("anew", sender, data)
        if now - self._said_at < AGAIN:
            return
        self._said_at = now
        session = self._session
        for author in sorted(self._status.removals):
            if self._status.presence(author) is Presence.HERE:
                session.start_task(self.choose(author, WAIT))
            else:
                self._tell(author)
        if session.match.orderer == session.author:
            if not self._founding and self.starts_new_match:
                self._founding = True
                session.start_task(self._found())
        elif self.genesis is None and self.starts_new_match:
            self._channel.say(session.match.orderer, {"which": {}})

    async def _found(self) -> None:
        """Found it: the same entry however often this device does so."""
        session = self._session
        setup = successor_setup(session.match)
        assert setup is not None
        assert session.device is not None
        answer = await session.device.call(FoundMatch.from_setup(setup))
        genesis = answer.result_as(Genesis).entry
        self._channel.say(None, {"anew": genesis})
        self._take(genesis)

    def _hear_which(self, sender: str, data: Any) -> None:
        if self.genesis is not None:
            self._channel.say(sender, {"anew": self.genesis})

    def _hear_anew(self, sender: str, data: Any) -> None:
        """The new match, founded by the device that orders: taken only from one who goes on, if it is the very one that this log
        leads to, and its founder has signed it."""
        match, entry = self._session.match, Entry.from_json(data)
        if sender not in self._status.other_authors:
            raise Malformed("not of this table")
        if self.genesis is not None:
            return
        if not self.is_ended_without:  # the founder is at the new table by now, and says it no more
            self._early[sender] = data
            return
        if entry.statement.author != match.orderer or Setup.from_statement(entry.statement) != successor_setup(match):
            raise Malformed("not the match that this log leads to")
        if sender not in self._checking:
            self._checking.add(sender)
            self._session.start_task(self._check(sender, entry))

    async def _check(self, sender: str, genesis: Entry) -> None:
        """Take ``genesis``, which ``sender`` said, if the worker finds its signatures right; one of each device at a time."""
        device = self._session.device
        assert device is not None
        answer = await device.call(CheckGenesis(genesis.line))
        self._checking.discard(sender)
        if answer.refusal is not None:
            self._channel.malformed_count += 1
        elif self.genesis is None:
            self._take(genesis.to_json())

    def _take(self, genesis: Json) -> None:
        if not self._leads_to(genesis):  # the end fell away while the worker was asked
            self._founding = False
            return
        self.genesis = genesis
        self._session.status_changed()
        self._move_on()

    async def watch_successor(self) -> None:
        """To the new match, for people of this device who were left behind and asked to look on; nothing before there is one."""
        room = self._session.context.room
        if self.genesis is not None and room is not None:
            await room.start_successor(self._session, self.genesis)

    def _move_on(self) -> None:
        """To the new match, once there is one, if people of this device go on in it and look at this table."""
        session, room = self._session, self._session.context.room
        if self.genesis is None or room is None or session.author in session.match.former_authors:
            return
        if self._on_screen and not self._moved_on:
            self._moved_on = True
            session.start_task(room.start_successor(session, self.genesis))
