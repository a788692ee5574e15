"""Who is linked with whom, and how they stay so: hellos, introductions, signs of life, the way back. Without any browser.

What happened goes in by method, with the time by ``tick``; what is to be done comes out as ``effects``. Every device is
linked with every other. Each tells its neighbours whom it hears; of two that lack a link one calls the other, and whoever
hears both carries offer and answer across. That one rule is introduction, return after a reload, and two halves grown
together. Nothing that comes in is believed but a signed hello over both certificates' fingerprints.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from secrets import token_hex
from typing import Any, Final

from .framing import CONTROL, LANE_COUNT, LANES, Incoming, Outgoing, Unfit
from .identity import AUTHOR_DIGITS, digits
from .net import AWAY_AFTER, UNSTABLE_AFTER, Presence

VERSION: Final = 1
PING: Final = 2.0  # seconds
ASLEEP: Final = 3.0  # a tick this late means that this device slept, not that the others were silent
PATIENCE: Final = 15.0  # seconds for a call to become a link
MEND_AFTER: Final = (6.0, 10.0)  # seconds of silence until the side with the smaller author, the other side, mends a link
MEND_EVERY: Final = 8.0
MENDS: Final = 2  # tries before a new link is called for
CALL_AFTER: Final = (0.5, 2.0)  # seconds until the side with the smaller author, the other side, calls
CALL_EVERY: Final = 4.0  # seconds; doubled with each call in vain
CALL_SELDOM: Final = 30.0
LOST_AFTER: Final = 30.0  # seconds away without anybody who hears them
SHUT: Final = 30.0  # seconds without a call to or from somebody who floods
MOST_LINKS: Final = 48
MOST_PEOPLE: Final = 32
MOST_HELD: Final = 200  # pieces before the hello is checked
PIECES_A_SECOND: Final = 1500.0  # that a device may send for long
BURST: Final = 10_000.0
NONCE_DIGITS: Final = 16
RELAYED: Final = ("offer", "answer", "mend", "mended", "stale")

Message = dict[str, Any]


# ---- what is to be done ----

@dataclass(frozen=True, slots=True)
class Dial:
    """Make a connection and an offer for it: ``described``. ``mend``: an ICE restart of the connection there is."""

    link: int
    mend: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer an offer, on a new connection or the one there is: ``described``."""

    link: int
    offer: str


@dataclass(frozen=True, slots=True)
class Finish:
    """The answer to an offer is here."""

    link: int
    answer: str


@dataclass(frozen=True, slots=True)
class Close:
    """The connection is of no more use."""

    link: int


@dataclass(frozen=True, slots=True)
class Flush:
    """There is something to send: ask ``piece``."""

    link: int


@dataclass(frozen=True, slots=True)
class Sign:
    """Sign ``text``: ``signed``."""

    link: int
    text: str


@dataclass(frozen=True, slots=True)
class Check:
    """Check a signature: ``checked``."""

    link: int
    author: str
    text: str
    signature: str


@dataclass(frozen=True, slots=True)
class Met:
    """A link is authenticated."""

    link: int
    author: str


@dataclass(frozen=True, slots=True)
class Heard:
    """A text came in."""

    author: str
    channel: str
    text: str


@dataclass(frozen=True, slots=True)
class Changed:
    """Somebody's presence, links or way back changed."""

    author: str


Effect = Dial | Reply | Finish | Close | Flush | Sign | Check | Met | Heard | Changed


# ---- what is known ----

class Stage(Enum):
    """Of a link."""

    CALLING = 0  # descriptions are on their way
    OPEN = 1  # the channel is open; the hello is not checked yet
    UP = 2


@dataclass(slots=True)
class Link:
    """One connection. ``author``: whom it must turn out to be with, None for whoever took an invite."""

    id: int
    author: str | None
    nonce: str
    since: float
    via: str | None = None
    call: str = ""  # the exchange under way: its name, and what one's next description is to be sent as
    says: str = ""
    stage: Stage = Stage.CALLING
    mine: bytes = b""
    theirs: bytes = b""
    their_nonce: str = ""
    checking: bool = False
    heard: float = 0.0
    mended: float = 0.0
    mends: int = 0
    budget: float = BURST
    held: list[tuple[int, bytes]] = field(default_factory=list)
    out: tuple[Outgoing, ...] = field(default_factory=lambda: tuple(Outgoing(lane) for lane in range(LANE_COUNT)))
    into: tuple[Incoming, ...] = field(default_factory=lambda: tuple(Incoming(lane) for lane in range(LANE_COUNT)))


@dataclass(slots=True)
class Person:
    """Another device's author. ``links``: the ids of those that are up, the newest last."""

    author: str
    links: list[int] = field(default_factory=list)
    met: bool = False
    heard: float = 0.0
    left: bool = False
    shown: Presence = Presence.UNKNOWN
    lost: bool = False
    calls: int = 0  # in vain, since the last link
    call_at: float | None = None
    shut_until: float = 0.0  # after a flood
    hears: frozenset[str] = frozenset()  # whom it hears, as it says


class Mesh:
    """This device among the others of ``room``. ``troubles`` counts what came in and was wrong, by reason."""

    def __init__(self, author: str, room: str, *, token: Callable[[], str] = lambda: token_hex(NONCE_DIGITS // 2)) -> None:
        self.author = author
        self.room = room
        self.effects: list[Effect] = []
        self.troubles: Counter[str] = Counter()
        self.people: dict[str, Person] = {}
        self.links: dict[int, Link] = {}
        self._token = token
        self._made = 0
        self._now = 0.0
        self._ticked: float | None = None
        self._pinged = -PING
        self._told: list[str] = []
        self._refused: set[str] = set()
        self._newcomer = False  # until the first list of who is here has come

    # ---- what others ask ----

    def presence(self, author: str) -> Presence:
        person = self.people.get(author)
        return person.shown if person is not None else Presence.UNKNOWN

    def connected(self) -> tuple[str, ...]:
        return tuple(author for author, person in self.people.items() if person.links)

    def lost(self) -> tuple[str, ...]:
        return tuple(author for author, person in self.people.items() if person.lost)

    def send(self, to: str | None, channel: str, text: str) -> None:
        """Queue a text; who takes too little in, and lets too much wait, loses the link."""
        for author in self.connected() if to is None else (to,):
            person = self.people.get(author)
            if person is not None and person.links:
                self._put(self.links[person.links[-1]], channel, text)

    def piece(self, link: int, lane: int) -> bytes | None:
        """The next piece to send on a lane of a link, or None."""
        found = self.links.get(link)
        return found.out[lane].take() if found is not None else None

    def knows(self, author: str) -> None:
        """Somebody met before (a match taken up again) is expected back."""
        person = self.people.setdefault(author, Person(author, heard=self._now))
        person.met = True
        self._look(person)

    def admit(self, author: str) -> None:
        self._refused.discard(author)

    def refuse(self, author: str) -> None:
        self._refused.add(author)
        for link in [link for link in self.links.values() if link.author == author]:
            self._end(link)
        self._tell()

    def bye(self) -> None:
        """Say goodbye on every link that is up."""
        for link in self.links.values():
            if link.stage is Stage.UP:
                self._control(link, {"t": "bye"})

    # ---- links ----

    def link(self, *, newcomer: bool = False) -> int:
        """A link for an invite or its answer, whose descriptions go by hand; ``newcomer``: this device is the guest."""
        self._newcomer = self._newcomer or newcomer
        return self._link(None).id

    def end(self, link: int) -> None:
        """The link is given up, or its connection is gone."""
        found = self.links.get(link)
        if found is not None:
            self._end(found)
            self._tell()

    def described(self, link: int, text: str) -> None:
        """The description that ``Dial`` or ``Reply`` asked for: across by whoever introduces."""
        found = self.links.get(link)
        if found is not None and found.via is not None and found.author is not None:
            self._relay(found.via, found.author, found.says, found.call, text,
                        found.their_nonce if found.says == "mend" else "")

    def opened(self, link: int, mine: bytes, theirs: bytes) -> None:
        """Both lanes are open, between certificates with these fingerprints."""
        found = self.links.get(link)
        if found is not None and found.stage is Stage.CALLING:
            found.stage, found.mine, found.theirs, found.since = Stage.OPEN, mine, theirs, self._now
            self.effects.append(Sign(link, self._hello(self.author, found.nonce, mine, theirs)))
            held, found.held = found.held, []
            for lane, data in held:
                self.received(link, lane, data)

    def signed(self, link: int, signature: str) -> None:
        found = self.links.get(link)
        if found is not None:
            self._control(found, {"t": "hello", "v": VERSION, "a": self.author, "r": self.room, "n": found.nonce,
                                  "s": signature})

    def checked(self, link: int, good: bool) -> None:
        """Whether the signature of ``Check`` is good."""
        found = self.links.get(link)
        if found is None or not found.checking:
            return
        if not good or found.author is None:
            self._trouble("hello", found)
        else:
            self._up(found, found.author)

    def _up(self, link: Link, author: str) -> None:
        person = self.people.setdefault(author, Person(author))
        link.stage, link.heard, link.checking, link.call = Stage.UP, self._now, False, ""
        older = person.links[:]
        person.links.append(link.id)
        person.met, person.heard, person.left, person.calls, person.call_at = True, self._now, False, 0, None
        self.effects.append(Met(link.id, author))
        if self.author < author:  # one of the two ends decides which link stays; the other uses the newest
            for id_ in older:
                self._end(self.links[id_])
        self._look(person, always=True)
        self._tell()
        self._control(link, {"t": "hears", "p": self._told})
        held, link.held = link.held, []
        for lane, data in held:
            self.received(link.id, lane, data)

    def _link(self, author: str | None) -> Link:
        self._made += 1
        made = self.links[self._made] = Link(self._made, author, self._token(), self._now)
        return made

    def _end(self, link: Link) -> None:
        del self.links[link.id]
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
            self._trouble("flood", found)
            return
        if found.stage is Stage.CALLING or found.checking:
            found.held.append((lane, data))
            if len(found.held) > MOST_HELD:
                self._trouble("flood", found)
            return
        try:
            joined = found.into[lane].take(data)
        except Unfit as error:
            self._trouble(str(error))
            joined = None
        if found.stage is Stage.UP and found.author is not None:
            person = self.people[found.author]
            found.heard = person.heard = self._now
            found.mends = 0
            if person.shown in (Presence.UNSTABLE, Presence.AWAY):
                self._look(person)
                self._tell()
        if joined is None:
            return
        channel, text = joined
        if channel == CONTROL:
            self._control_heard(found, text)
        elif found.stage is Stage.UP and found.author is not None:
            self.effects.append(Heard(found.author, channel, text))
        else:
            self._trouble("hello", found)

    def _control_heard(self, link: Link, text: str) -> None:
        try:
            message = json.loads(text)
            kind = message["t"]
            if link.stage is Stage.OPEN:
                if kind != "hello":
                    raise ValueError("hello")
                self._hello_heard(link, message)
            elif kind in ("hears", "relay", "relayed", "bye"):
                getattr(self, f"_{kind}_heard")(link, message)
            elif kind != "ping":
                raise ValueError("control")
        except (ValueError, KeyError, TypeError, RecursionError):
            self._trouble("control", link if link.stage is Stage.OPEN else None)

    def _hello(self, author: str, nonce: str, mine: bytes, theirs: bytes) -> str:
        return f"tabletin hello {VERSION} {self.room} {author} {nonce} {mine.hex()} {theirs.hex()}"

    def _hello_heard(self, link: Link, message: Message) -> None:
        author, nonce, signature = message["a"], message["n"], message["s"]
        for value, count in ((author, AUTHOR_DIGITS), (nonce, NONCE_DIGITS)):
            if not isinstance(value, str) or digits(value, count) is None:
                raise ValueError("hello")
        expected = link.author in (None, author) and message["v"] == VERSION and message["r"] == self.room
        if not expected or author == self.author or author in self._refused or not isinstance(signature, str):
            raise ValueError("hello")
        if author in self.people and self._now < self.people[author].shut_until:
            raise ValueError("shut")
        if author not in self.people and len(self.people) >= MOST_PEOPLE:
            raise ValueError("people")
        link.author, link.their_nonce, link.checking = author, nonce, True
        self.effects.append(Check(link.id, author, self._hello(author, nonce, link.theirs, link.mine), signature))

    def _bye_heard(self, link: Link, message: Message) -> None:
        person = self.people[link.author or ""]
        person.left = True
        for other in self.people.values():  # they will say so anew when it is back
            other.hears -= {person.author}
        for id_ in person.links[:]:
            self._end(self.links[id_])
        self._tell()

    def _hears_heard(self, link: Link, message: Message) -> None:
        authors = message["p"]
        if len(authors) > MOST_PEOPLE or any(digits(author, AUTHOR_DIGITS) is None for author in authors):
            raise ValueError("hears")
        self.people[link.author or ""].hears = frozenset(authors) - {self.author}
        for author in authors:
            if author not in self.people and author not in (self.author, *self._refused) and len(self.people) < MOST_PEOPLE:
                self.people[author] = Person(author)
        first, self._newcomer = self._newcomer, False
        self._call(at_once=first)

    # ---- what is carried across ----

    def _relay(self, via: str, to: str, kind: str, call: str, text: str, nonce: str = "") -> None:
        person = self.people.get(via)
        if person is not None and person.links:
            self._control(self.links[person.links[-1]],
                          {"t": "relay", "to": to, "k": kind, "c": call, "d": text, "n": nonce})

    def _relay_heard(self, link: Link, message: Message) -> None:
        """A neighbour asks to carry something across: its own name goes with it, whatever it says."""
        to = self.people.get(message["to"])
        if message["k"] not in RELAYED or to is None or not to.links or to.author in self._refused:
            self.troubles["relay"] += 1
            return
        self._control(self.links[to.links[-1]], {"t": "relayed", "from": link.author, "k": message["k"], "c": message["c"],
                                                 "d": message["d"], "n": message["n"]})

    def _relayed_heard(self, link: Link, message: Message) -> None:
        author, kind, call, text, nonce = (message[name] for name in ("from", "k", "c", "d", "n"))
        if not all(isinstance(value, str) for value in (author, kind, call, text, nonce)):
            raise ValueError("relayed")
        if digits(author, AUTHOR_DIGITS) is None or author in (self.author, link.author) or author in self._refused:
            raise ValueError("relayed")
        if kind == "offer":
            calling = [known for known in self.links.values() if known.author == author and known.stage is not Stage.UP]
            if any(known.says == "offer" for known in calling) and self.author < author:
                return  # both called at once: the smaller author's call counts
            if len(self.links) < MOST_LINKS and len(calling) < 3:
                for known in calling:
                    self._end(known)
                made = self._link(author)
                made.via, made.says, made.call = link.author, "answer", call
                self.effects.append(Reply(made.id, text))
        elif kind == "mend":
            known_as = next((known for known in self.links.values() if known.nonce == nonce and known.author == author), None)
            if known_as is None or known_as.stage is not Stage.UP:
                self._relay(link.author or "", author, "stale", call, "")
            elif known_as.says != "mend" or not known_as.call or author < self.author:
                known_as.via, known_as.says, known_as.call = link.author, "mended", call
                self.effects.append(Reply(known_as.id, text))
        else:
            known_as = next((known for known in self.links.values() if known.call == call and known.author == author), None)
            if known_as is None or known_as.says != {"answer": "offer", "mended": "mend", "stale": "mend"}.get(kind):
                self.troubles["relayed"] += 1
            elif kind == "stale":
                self._end(known_as)
                self._call(at_once=True)
            else:
                known_as.call = ""
                self.effects.append(Finish(known_as.id, text))

    # ---- time ----

    def tick(self, now: float) -> None:
        """Time has come to ``now`` (seconds, never going back); about twice a second."""
        slept = now - self._ticked if self._ticked is not None else 0.0
        self._now = self._ticked = now
        if slept > ASLEEP:  # what came in meanwhile is heard in a moment: nobody was silent yet
            for person in self.people.values():
                person.heard += slept
            for link in self.links.values():
                link.heard += slept
                link.since += slept
        for link in list(self.links.values()):
            link.budget = min(BURST, link.budget + min(slept, ASLEEP) * PIECES_A_SECOND)
            if link.id in self.links:
                self._tend(link)
        if now - self._pinged >= PING:
            self._pinged = now
            for link in self.links.values():
                if link.stage is Stage.UP:
                    self._control(link, {"t": "ping"})
        for person in self.people.values():
            self._look(person)
        self._tell()
        self._call()

    def _tend(self, link: Link) -> None:
        """Give up a call that came to nothing; mend a link that fell silent."""
        if link.stage is not Stage.UP:
            if self._now - link.since >= PATIENCE and (link.author is not None or link.stage is Stage.OPEN):
                self._end(link)
            return
        author = link.author or ""
        person = self.people[author]
        silent = self._now - link.heard
        if person.links[-1] != link.id:
            if silent > AWAY_AFTER:  # a newer one has taken its place
                self._end(link)
            return
        if silent < MEND_AFTER[self.author > author] or self._now - link.mended < MEND_EVERY:
            return
        via = self._carrier(person)
        if via is None:
            return
        link.mended = self._now
        link.mends += 1
        if link.mends <= MENDS:  # else it is called anew
            link.via, link.says, link.call = via, "mend", self._token()
            self.effects.append(Dial(link.id, mend=True))

    def _call(self, *, at_once: bool = False) -> None:
        """Call whom a neighbour hears and we do not."""
        for person in list(self.people.values()):
            newest = self.links[person.links[-1]] if person.links else None
            via = self._carrier(person) if newest is None or newest.mends > MENDS else None
            if via is None or person.author in self._refused:
                person.call_at = None
                continue
            if person.call_at is None:
                person.call_at = self._now + (0.0 if at_once else CALL_AFTER[self.author > person.author])
            calling = any(link.author == person.author and link.stage is not Stage.UP for link in self.links.values())
            if calling or self._now < max(person.call_at, person.shut_until) or len(self.links) >= MOST_LINKS:
                continue
            person.call_at = self._now + min(CALL_SELDOM, CALL_EVERY * 2 ** person.calls)
            person.calls += 1
            made = self._link(person.author)
            made.via, made.says, made.call = via, "offer", self._token()
            self.effects.append(Dial(made.id))

    def _carrier(self, person: Person) -> str | None:
        """Who hears us and ``person``: another one with each try."""
        found = sorted(other.author for other in self.people.values()
                       if other is not person and other.shown is Presence.HERE and other.links and person.author in other.hears)
        return found[person.calls % len(found)] if found else None

    def _tell(self) -> None:
        """Tell the neighbours whom this device hears, when that changed."""
        here = sorted(person.author for person in self.people.values()
                      if person.links and person.shown is Presence.HERE and person.author not in self._refused)
        if here != self._told:
            self._told = here
            for link in list(self.links.values()):
                if link.stage is Stage.UP:
                    self._control(link, {"t": "hears", "p": here})

    def _look(self, person: Person, *, always: bool = False) -> None:
        """Work out somebody's presence anew, and tell if it changed."""
        silent = self._now - person.heard
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
        lost = (person.met and silent >= LOST_AFTER and person.author not in self._refused
                and self._carrier(person) is None)
        if always or presence is not person.shown or lost is not person.lost:
            person.shown, person.lost = presence, lost
            self.effects.append(Changed(person.author))

    # ---- what goes out, and what was wrong ----

    def _control(self, link: Link, message: Message) -> None:
        self._put(link, CONTROL, json.dumps(message, separators=(",", ":")))

    def _put(self, link: Link, channel: str, text: str) -> None:
        if not link.out[LANES[channel]].put(channel, text):
            self._trouble("full", link)
        elif not self.effects or self.effects[-1] != Flush(link.id):
            self.effects.append(Flush(link.id))

    def _trouble(self, reason: str, link: Link | None = None) -> None:
        """Count what was wrong; a link it cannot go on with is ended, and its author left alone for a while."""
        self.troubles[reason] += 1
        if link is not None and link.id in self.links:
            person = self.people.get(link.author or "")
            if person is not None and reason == "flood":
                person.shut_until = self._now + SHUT
            self._end(link)
