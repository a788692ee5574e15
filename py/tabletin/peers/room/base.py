"""What a room consists of on every device: the state as it is known here, who is present, and saying things to the others.

Nothing is decided here: ``roomhost`` is what the host does, ``room`` what everybody does.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from secrets import token_hex
from typing import Final

from tabletin.kernel.log import Entry, Hash, Json, canonical
from tabletin.kernel.options import refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Setup
from tabletin.peers.net.transport import ROOM, Presence, Transport
from tabletin.peers.room.chat import Chat, TokenBucket
from tabletin.peers.room.messages import MOST_TEXT, spell
from tabletin.peers.room.state import RoomState, agreed
from tabletin.peers.text import NAME, clean

BURST: Final = 40.0  # messages of one sender at once
REFILL: Final = 8.0  # a second
MOST_SENDERS: Final = 64
GONE: Final = (Presence.AWAY, Presence.LEFT, Presence.UNKNOWN)


def digits(count: int) -> str:
    return token_hex(count // 2)


class Gathering:
    """A room as this device sees it.

    ``state``: None until the host has sent one. ``ended``: why this device is no longer part of it ("removed", "refused",
    "full", "version", "left"; "" while it is). ``knocking``: author → name, of those who came without an invite of the
    host's. ``rival``: a room that somebody went on with while this device, its host, was away. ``rejected`` counts what was
    wrong, by reason. ``genesis``: of the match under way; ``over``: that match has been played;
    ``is_over`` asks the page.
    """

    def __init__(self, net: Transport, name: str, *, now: Callable[[], float] = time.monotonic,
                 digits: Callable[[int], str] = digits) -> None:
        self.net = net
        self.me = net.author
        self.name = clean(name, NAME)
        self.watching = False
        self.state: RoomState | None = None
        self.awaited = ""
        self.ended = ""
        self.knocking: dict[str, str] = {}
        self.rival: RoomState | None = None
        self.rejected: Counter[str] = Counter()
        self.genesis: Json = None
        self.over = False
        self.is_over: Callable[[], bool] = lambda: False
        self.talk = Chat(now)
        self.on_agreed: Callable[[Setup], None] = lambda setup: None
        self.on_genesis: Callable[[Json], None] = lambda genesis: None
        self.now = now
        self.digits = digits
        self.was_gone: set[str] = set()
        self.promised: Hash = ""  # what the person here agreed to; never taken from what others say
        self.came_to: Hash = ""  # the match that was under way when this device came into the room
        self._listeners: list[Callable[[str], None]] = []
        self._buckets: dict[str, TokenBucket] = {}

    # ---- reading ----

    @property
    def hosting(self) -> bool:
        return self.state is not None and self.state.host == self.me

    @property
    def inside(self) -> bool:
        """Whether this device has been taken in."""
        return not self.ended and self.state is not None and self.state.member(self.me) is not None

    @property
    def ready(self) -> bool:
        return self.state is not None and self.state.ready.get(self.me) == self.state.agreement == self.promised

    @property
    def missing(self) -> tuple[str, ...]:
        """Seated devices that are not here now."""
        if self.state is None:
            return ()
        return tuple(author for author in self.state.seated if self.gone(author))

    @property
    def host_gone(self) -> bool:
        """Whether somebody else could go on with the room now."""
        return self.state is not None and not self.hosting and self.inside and self.gone(self.state.host)

    def presence(self, author: str) -> Presence:
        return Presence.HERE if author == self.me else self.net.presence(author)

    def gone(self, author: str) -> bool:
        return self.presence(author) in GONE

    # ---- telling the page ----

    def on_change(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Call ``listener`` with what changed: "room", "talk" or "presence". Returns what ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def tell(self, what: str) -> None:
        for listener in list(self._listeners):
            listener(what)

    def end(self, why: str) -> None:
        """This device is out of the room."""
        self.ended = why
        self.tell("room")

    # ---- telling the others ----

    def send(self, to: str | None, do: str, **said: Json) -> None:
        self.net.send(to, ROOM, spell(do, **said))

    def send_room(self, to: str | None = None) -> None:
        """The state to one, or to all members."""
        state = self.state
        if state is None:
            return
        for author in [one for one in self.net.connected() if state.member(one) is not None] if to is None else [to]:
            self.send(author, "room", room=state.to_json())

    def may_pass(self, sender: str) -> bool:
        """Whether ``sender`` has said little enough lately."""
        if sender not in self._buckets and len(self._buckets) >= MOST_SENDERS:
            self._buckets.pop(next(iter(self._buckets)))
        return self._buckets.setdefault(sender, TokenBucket(BURST, REFILL, self.now())).take(self.now())

    # ---- the match ----

    def checked(self, genesis: Json, state: RoomState) -> str:
        """The match's hash, if ``genesis`` is what ``state`` proposes and this device agreed to, written by the host.

        Raises ``Malformed``, ``Refused``.
        """
        if len(canonical(genesis)) > MOST_TEXT:
            raise Malformed("too long")
        statement = Entry.from_json(genesis).statement
        setup = Setup.from_statement(statement)
        if statement.hash == self.came_to:  # under way when this device came: there is nothing to agree to any more
            return statement.hash
        if agreed(setup) != state.agreement or statement.author != state.host or state.playing not in ("", statement.hash):
            raise refused("another_match")
        if any(seat.by == self.me for seat in setup.seats) and agreed(setup) != self.promised:
            raise refused("not_agreed")
        return statement.hash
