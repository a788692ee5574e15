"""Who is linked with whom: hellos, signs of life, goodbyes, and bounds on all that comes in. Without any browser.

What happened goes in by method, with the time by ``tick``; what is to be done comes out as ``effects`` (``links.py``). How
people are reached is in ``ways.py``. Nothing that comes in is believed but a signed hello over both certificates'
fingerprints; what is wrong is counted, and changes nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from secrets import token_hex
from typing import Any, Final

from tabletin.kernel.log import parse
from tabletin.peers.identity import AUTHOR_DIGITS, digits
from tabletin.peers.net.framing import CONTROL, LANES, Unfit
from tabletin.peers.net.link import (
    BURST,
    Changed,
    Check,
    Close,
    Effect,
    Flush,
    Heard,
    Link,
    Met,
    Neighbour,
    Sign,
    Stage,
    Ticket,
)
from tabletin.peers.net.signaling import Signaling
from tabletin.peers.net.transport import AWAY_AFTER, UNSTABLE_AFTER, Presence

VERSION: Final = 1
PING: Final = 2.0  # seconds
ASLEEP: Final = 3.0  # a tick this late means that this device slept, not that the others were silent
LOST_AFTER: Final = 30.0  # seconds away without anybody who hears them
GRACE: Final = 3.0  # seconds that a link goes on when a newer one has taken its place
SHUT: Final = 30.0  # seconds without a call to or from somebody who floods
LONG_AGO: Final = -1e9
MOST_PEOPLE: Final = 32
MOST_HELD: Final = 200  # pieces before the hello is checked
PIECES_A_SECOND: Final = 1500.0  # that a device may send for long
NONCE_DIGITS: Final = 16

Message = dict[str, Any]


class Mesh:
    """This device among the others of ``room``. ``troubles`` counts what came in and was wrong, by reason."""

    def __init__(self, author: str, room: str, *, redeems: bool = False,
                 token: Callable[[], str] = lambda: token_hex(NONCE_DIGITS // 2)) -> None:
        self.author = author
        self.room = room
        self.effects: list[Effect] = []
        self.troubles: Counter[str] = Counter()
        self.people: dict[str, Neighbour] = {}
        self.links: dict[int, Link] = {}
        self.refused: set[str] = set()
        self.now = 0.0
        self.token = token
        self.ways = Signaling(self, redeems=redeems)
        self._made = 0
        self._ticked: float | None = None
        self._pinged = LONG_AGO
        self._told: list[str] = []
        self._newcomer = False  # until the first list of who is here has come

    # ---- what others ask ----

    def presence(self, author: str) -> Presence:
        person = self.people.get(author)
        return person.shown if person is not None else Presence.UNKNOWN

    def connected(self) -> tuple[str, ...]:
        return tuple(author for author, person in self.people.items() if person.links)

    def lost(self) -> tuple[str, ...]:
        return tuple(author for author, person in self.people.items() if person.lost)

    def newest(self, person: Neighbour) -> Link | None:
        """The link that what is said to somebody takes."""
        return self.links[person.links[-1]] if person.links else None

    def send(self, to: str | None, channel: str, text: str) -> None:
        """Queue a text; who takes too little in, and lets too much wait, loses the link."""
        for author in self.connected() if to is None else (to,):
            person = self.people.get(author)
            newest = self.newest(person) if person is not None else None
            if newest is not None:
                self._put(newest, channel, text)

    def piece(self, link: int, lane: int) -> bytes | None:
        """The next piece to send on a lane of a link, or None."""
        found = self.links.get(link)
        return found.out[lane].take() if found is not None else None

    def expect(self, author: str, tickets: Sequence[Ticket] = ()) -> None:
        """Somebody met before, in a match taken up again, may come back; or this device to them, with their tickets."""
        person = self.people.setdefault(author, Neighbour(author, heard=LONG_AGO))
        person.met, person.tickets = True, (*person.tickets, *tickets)
        if person.tickets:
            self._newcomer = True
        self._look(person)

    def admit(self, author: str) -> None:
        self.refused.discard(author)

    def refuse(self, author: str) -> None:
        self.refused.add(author)
        for link in [link for link in self.links.values() if link.author == author]:
            self.end_link(link)
        self._tell()

    def bye(self) -> None:
        """Say goodbye on every link that is up."""
        for link in list(self.links.values()):
            if link.stage is Stage.UP:
                self.control(link, {"t": "bye"})

    # ---- links ----

    def link(self, *, newcomer: bool = False) -> int:
        """A link for an invite or its answer, whose descriptions go by hand; ``newcomer``: this device is the guest."""
        self._newcomer = self._newcomer or newcomer
        return self.make(None).id

    def end(self, link: int) -> None:
        """The link is given up, or its connection is gone."""
        found = self.links.get(link)
        if found is not None:
            self.end_link(found)
            self._tell()

    def described(self, link: int, text: str) -> None:
        """The description that ``Dial`` or ``Reply`` asked for."""
        found = self.links.get(link)
        if found is not None:
            self.ways.described(found, text)

    def armed(self, link: int, ticket: Ticket) -> None:
        """What ``Arm`` asked for waits."""
        found = self.links.get(link)
        if found is not None:
            self.ways.armed(found, ticket)

    def kept(self, author: str) -> None:
        """What a ``Keep`` asked for is stored."""
        if author in self.people:
            self.ways.kept(self.people[author])

    def returns(self, author: str) -> bool:
        """Whether this device and ``author`` would find each other again after a reload of either, with nobody's help."""
        return author in self.people and self.ways.armed_for(self.people[author])

    def opened(self, link: int, mine: bytes, theirs: bytes) -> None:
        """Both lanes are open, between certificates with these fingerprints."""
        found = self.links.get(link)
        if found is not None and found.stage in (Stage.CALLING, Stage.WAITING):
            found.stage, found.mine, found.theirs, found.since = Stage.OPEN, mine, theirs, self.now
            self.effects.append(Sign(link, self._hello(self.author, found.nonce, mine, theirs)))
            held, found.held = found.held, []
            for lane, data in held:
                self.received(link, lane, data)

    def signed(self, link: int, signature: str) -> None:
        """The signature that ``Sign`` asked for."""
        found = self.links.get(link)
        if found is not None:
            self.control(found, {"t": "hello", "v": VERSION, "a": self.author, "r": self.room, "n": found.nonce,
                                 "s": signature, "x": int(self.ways.redeems)})
            found.greeted = True
            if found.believed and found.author is not None:
                self._up(found, found.author)

    def checked(self, link: int, good: bool) -> None:
        """Whether the signature of ``Check`` is good."""
        found = self.links.get(link)
        if found is None or not found.checking:
            return
        found.believed = good
        if not good or found.author is None:
            self.trouble("hello", found)
        elif found.greeted:  # nothing is said before one's own hello
            self._up(found, found.author)

    def _up(self, link: Link, author: str) -> None:
        person = self.people.setdefault(author, Neighbour(author))
        link.stage, link.since, link.heard, link.checking, link.call = Stage.UP, self.now, self.now, False, ""
        older = person.links[:]
        person.links.append(link.id)
        person.met, person.heard, person.left = True, self.now, False
        self.effects.append(Met(link.id, author))
        self.ways.settle(link, person)
        if self.author < author:  # one of the two ends decides which link stays, and lets what is on its way arrive
            for id_ in older:
                self.links[id_].until = self.now + GRACE
                self.control(self.links[id_], {"t": "older"})
        self._look(person, always=True)
        self._tell()
        self.control(link, {"t": "hears", "p": self._told})
        self.ways.hand_tickets(link)
        self.ways.arm()
        held, link.held = link.held, []
        for lane, data in held:
            self.received(link.id, lane, data)

    def make(self, author: str | None) -> Link:
        self._made += 1
        made = self.links[self._made] = Link(self._made, author, self.token(), self.now)
        return made

    def end_link(self, link: Link) -> None:
        if self.links.pop(link.id, None) is None:
            return
        self.effects.append(Close(link.id))
        person = self.people.get(link.author or "")
        if person is not None and link.id in person.links:
            person.links.remove(link.id)
            if not person.links:
                person.hears = frozenset()
            self._look(person, always=True)

    # ---- what comes in ----

    def received(self, link: int, lane: int, data: bytes) -> None:
        """A piece came in on a lane of a link."""
        found = self.links.get(link)
        if found is None:
            return
        found.budget -= 1
        if found.budget < 0:
            self.trouble("flood", found)
        elif found.stage in (Stage.CALLING, Stage.WAITING) or found.checking:
            found.held.append((lane, data))
            if len(found.held) > MOST_HELD:
                self.trouble("flood", found)
        else:
            self._take(found, lane, data)

    def _take(self, link: Link, lane: int, data: bytes) -> None:
        try:
            joined = link.into[lane].take(data)
        except Unfit as error:
            self.trouble(str(error))
            joined = None
        person = self.people.get(link.author or "") if link.stage is Stage.UP else None
        if person is not None:
            link.heard = person.heard = self.now
            link.mends = 0
            if person.shown in (Presence.UNSTABLE, Presence.AWAY):
                self._look(person)
                self._tell()
        if joined is None:
            return
        channel, text = joined
        if channel == CONTROL:
            self._control_heard(link, text)
        elif person is not None:
            self.effects.append(Heard(person.author, channel, text))
        else:
            self.trouble("hello", link)

    def _control_heard(self, link: Link, text: str) -> None:
        try:
            message = parse(text)
            kind = message["t"]
            if link.stage is Stage.OPEN:
                if kind != "hello":
                    raise ValueError("hello")
                self._hello_heard(link, message)
            elif kind == "hears":
                self._hears_heard(link, message)
            elif kind == "bye":
                self._bye_heard(link)
            elif kind == "relay":
                self.ways.relay(link, message)
            elif kind == "relayed":
                self.ways.relayed(link, message)
            elif kind == "tickets":
                self.ways.tickets(link, message)
            elif kind == "older":
                links = self.people[link.author or ""].links
                links.sort(key=lambda id_: id_ != link.id)  # said no more on it
            elif kind == "kept":
                self.people[link.author or ""].holds = int(message["n"])
            elif kind != "ping":
                raise ValueError("control")
        except (ValueError, KeyError, TypeError):
            self.trouble("control", link if link.stage is Stage.OPEN else None)

    def _hello(self, author: str, nonce: str, mine: bytes, theirs: bytes) -> str:
        return f"tabletin hello {VERSION} {self.room} {author} {nonce} {mine.hex()} {theirs.hex()}"

    def _hello_heard(self, link: Link, message: Message) -> None:
        author, nonce, signature = message["a"], message["n"], message["s"]
        for value, count in ((author, AUTHOR_DIGITS), (nonce, NONCE_DIGITS)):
            if not isinstance(value, str) or digits(value, count) is None:
                raise ValueError("hello")
        expected = link.author in (None, author) and message["v"] == VERSION and message["r"] == self.room
        if not expected or author == self.author or author in self.refused or not isinstance(signature, str):
            raise ValueError("hello")
        known = self.people.get(author)
        if known.shut_until > self.now if known is not None else len(self.people) >= MOST_PEOPLE:
            raise ValueError("shut")
        link.author, link.their_nonce, link.checking = author, nonce, True
        self.people.setdefault(author, Neighbour(author)).redeems = bool(message["x"])
        self.effects.append(Check(link.id, author, self._hello(author, nonce, link.theirs, link.mine), signature))

    def _bye_heard(self, link: Link) -> None:
        person = self.people[link.author or ""]
        person.left, person.tickets = True, ()  # its page is gone, and what waited there
        self.ways.keep(person)
        for other in self.people.values():  # they will say so anew when it is back
            other.hears -= {person.author}
        for id_ in person.links[:]:
            self.end_link(self.links[id_])
        self._tell()

    def _hears_heard(self, link: Link, message: Message) -> None:
        authors = message["p"]
        if len(authors) > MOST_PEOPLE or any(digits(author, AUTHOR_DIGITS) is None for author in authors):
            raise ValueError("hears")
        self.people[link.author or ""].hears = frozenset(authors) - {self.author}
        for author in authors:
            if author not in self.people and author not in (self.author, *self.refused) and len(self.people) < MOST_PEOPLE:
                self.people[author] = Neighbour(author)
        first, self._newcomer = self._newcomer, False
        self.ways.call(at_once=first)

    # ---- time ----

    def tick(self, now: float) -> None:
        """Time has come to ``now`` (seconds, never going back); about twice a second."""
        slept = now - self._ticked if self._ticked is not None else 0.0
        self.now = self._ticked = now
        for link in list(self.links.values()):
            link.budget = min(BURST, link.budget + min(slept, ASLEEP) * PIECES_A_SECOND)
        if slept > ASLEEP:  # what came in meanwhile is heard in a moment: nobody was silent yet
            for link in self.links.values():
                link.heard, link.since = link.heard + slept, link.since + slept
            for person in self.people.values():
                person.heard += slept
        for link in list(self.links.values()):
            if link.id in self.links:
                self.ways.tend(link)
        if now - self._pinged >= PING:
            self._pinged = now
            for link in list(self.links.values()):
                if link.stage is Stage.UP:
                    self.control(link, {"t": "ping"})
        for person in self.people.values():
            self._look(person)
        self._tell()
        self.ways.call()
        self.ways.redeem()
        self.ways.arm()

    def _tell(self) -> None:
        """Tell the neighbours whom this device hears, when that changed."""
        here = sorted(person.author for person in self.people.values()
                      if person.links and person.shown is Presence.HERE and person.author not in self.refused)
        if here != self._told:
            self._told = here
            for link in list(self.links.values()):
                if link.stage is Stage.UP:
                    self.control(link, {"t": "hears", "p": here})

    def _look(self, person: Neighbour, *, always: bool = False) -> None:
        """Work out somebody's presence anew, and tell if it changed."""
        silent = self.now - person.heard
        if not person.met:
            presence = Presence.UNKNOWN
        elif person.left:
            presence = Presence.LEFT
        elif silent >= AWAY_AFTER:
            presence = Presence.AWAY
        elif silent >= UNSTABLE_AFTER or not person.links:
            presence = Presence.UNSTABLE
        else:
            presence = Presence.HERE
        lost = person.met and silent >= LOST_AFTER and person.author not in self.refused and self.ways.hopeless(person)
        if always or presence is not person.shown or lost is not person.lost:
            person.shown, person.lost = presence, lost
            self.effects.append(Changed(person.author))

    # ---- what goes out, and what was wrong ----

    def control(self, link: Link, message: Message) -> None:
        """Say something to the other mesh."""
        self._put(link, CONTROL, json.dumps(message, separators=(",", ":")))

    def _put(self, link: Link, channel: str, text: str) -> None:
        if not link.out[LANES[channel]].put(channel, text):
            self.trouble("full", link)
        elif not self.effects or self.effects[-1] != Flush(link.id):
            self.effects.append(Flush(link.id))

    def trouble(self, reason: str, link: Link | None = None) -> None:
        """Count what was wrong; a link it cannot go on with is ended, and who floods is left alone for a while."""
        self.troubles[reason] += 1
        if link is not None:
            person = self.people.get(link.author or "")
            if person is not None and reason == "flood":
                person.shut_until = self.now + SHUT
            self.end_link(link)
