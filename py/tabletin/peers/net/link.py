"""What the mesh keeps in mind – links and people – and what it asks of whoever carries it out. Records only."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from tabletin.peers.net.framing import LANE_COUNT, Incoming, Outgoing
from tabletin.peers.net.transport import Presence

BURST: Final = 10_000.0  # pieces that a device may send at once


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
class Arm:
    """Make a connection that waits for the device with this certificate, should it come back by itself: ``armed``."""

    link: int
    fingerprint: bytes


@dataclass(frozen=True, slots=True)
class Redeem:
    """Connect to one that the other side has waiting."""

    link: int
    ticket: Ticket


@dataclass(frozen=True, slots=True)
class Keep:
    """Store that ``author`` was met, and these tickets in place of those before: ``kept``."""

    author: str
    tickets: tuple[Ticket, ...]


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


Effect = Dial | Reply | Finish | Arm | Redeem | Keep | Close | Flush | Sign | Check | Met | Heard | Changed


# ---- what is known ----

@dataclass(frozen=True, slots=True)
class Ticket:
    """A way back to a device that waits for this one: its offer, and the ICE credentials it expects. Good for one use."""

    offer: str
    user: str
    password: str


class Stage(Enum):
    """Of a link."""

    WAITING = "waiting"  # armed: the other may come back on it, or never
    CALLING = "calling"  # descriptions are on their way
    OPEN = "open"  # the channel is open; the hello is not checked yet
    UP = "up"


@dataclass(slots=True)
class Link:
    """One connection. ``author``: whom it must turn out to be with, None for whoever took an invite."""

    id: int
    author: str | None
    nonce: str
    since: float
    stage: Stage = Stage.CALLING
    via: str | None = None  # who carries descriptions across; None: they go by hand, or need not
    call: str = ""  # the exchange under way: its name, and what one's next description is to be sent as
    says: str = ""
    ticket: Ticket | None = None  # being redeemed
    mine: bytes = b""
    theirs: bytes = b""
    their_nonce: str = ""
    greeted: bool = False  # one's own hello is said
    checking: bool = False  # theirs has come
    believed: bool = False  # its signature is good
    heard: float = 0.0
    until: float | None = None  # when it is closed, a newer one having taken its place
    mended: float = 0.0
    mends: int = 0
    budget: float = BURST
    held: list[tuple[int, bytes]] = field(default_factory=list)
    out: tuple[Outgoing, ...] = field(default_factory=lambda: tuple(Outgoing(lane) for lane in range(LANE_COUNT)))
    into: tuple[Incoming, ...] = field(default_factory=lambda: tuple(Incoming(lane) for lane in range(LANE_COUNT)))


@dataclass(slots=True)
class Neighbour:
    """Another device's author. ``links``: the ids of those that are up, the newest last; ``hears``: whom it hears itself."""

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
    hears: frozenset[str] = frozenset()
    redeems: bool = False  # its browser can use tickets
    tickets: tuple[Ticket, ...] = ()
    keeping: int = 0  # how often these are being stored just now
    holds: int = 0  # tickets of this device's that it has stored
    tries: int = 0  # with tickets, in vain, since the last link
    redeem_at: float = 0.0
