"""What a mesh knows of its connections and of the other devices: links, neighbours and tickets. Records only."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from tabletin.peers.net.framing import LANE_COUNT, Incoming, Outgoing
from tabletin.peers.net.transport import Presence

LONG_AGO: Final = -1e9
BURST: Final = 10_000.0  # pieces that a device may send at once
CONTROL_BURST: Final = 2_000.0  # thousands of characters that it may say to the mesh at once, each message counted as one more
CARRY_BURST: Final = 75.0  # messages that are carried for one device at once
CARRIED_BURST: Final = 150.0  # and to one device, for whomever: it ends a link on which too much comes


@dataclass(frozen=True, slots=True)
class Ticket:
    """A way back to a device that waits for this one: its offer, and the ICE credentials it expects. Good for one use."""

    offer: str
    user: str
    password: str


class LinkStage(Enum):
    """How far a link is."""

    WAITING = "waiting"  # armed: the other device may come back on it, or never
    CALLING = "calling"  # descriptions are on their way
    OPEN = "open"  # the channel is open; the hello is not checked yet
    UP = "up"


class Signal(Enum):
    """What a message is in an exchange that a third device carries. The values are the words of the wire."""

    OFFER = "offer"  # a description that asks for a new link
    ANSWER = "answer"  # to an offer
    MORE = "more"  # further addresses of whoever sent an offer, an answer or a repair
    MEND = "mend"  # a description that asks to restart ICE on a link
    MENDED = "mended"  # the answer to that
    STALE = "stale"  # the link to be mended is not known here
    NOBODY = "nobody"  # from the carrier: it cannot reach the other device


@dataclass(slots=True)
class Link:
    """One connection. ``author``: who must be at its other end; None for the guest who takes an invite."""

    id: int
    author: str | None
    nonce: str
    stage_time: float  # when it came to its stage, or made progress in it
    patience: float = 0.0  # seconds without progress, until a link that is being made is given up
    stage: LinkStage = LinkStage.CALLING
    carrier: str | None = None  # the neighbour that carries descriptions; None: they go by hand, or are not needed
    call: str = ""  # the name of the exchange under way; "" for none
    exchange: str = ""  # the name of the last one, also when its answer has come
    signal: Signal | None = None  # what this device's next description is in that exchange
    ticket: Ticket | None = None  # with WAITING: for the other device to use; with CALLING: in use by this one
    own_fingerprint: bytes = b""
    their_fingerprint: bytes = b""
    their_nonce: str = ""
    is_greeted: bool = False  # this device has sent its hello
    is_checking: bool = False  # their hello has come, and its signature is being checked
    is_believed: bool = False  # that signature is good
    heard_at: float = 0.0
    closes_at: float | None = None  # set when a newer link takes its place
    mended_at: float = 0.0  # when a repair was begun, or agreed on, last
    mend_tries: int = 0
    budget: float = BURST  # pieces that the other device may send now
    control_budget: float = CONTROL_BURST  # what it may say to the mesh now
    carry_budget: float = CARRY_BURST  # messages that it may have carried now
    carried_budget: float = CARRIED_BURST  # messages that may be carried to it now
    backlog: list[tuple[int, bytes]] = field(default_factory=list)  # pieces that came before they could be read
    outgoing: tuple[Outgoing, ...] = field(default_factory=lambda: tuple(Outgoing(lane) for lane in range(LANE_COUNT)))
    incoming: tuple[Incoming, ...] = field(default_factory=lambda: tuple(Incoming(lane) for lane in range(LANE_COUNT)))


@dataclass(slots=True)
class Neighbour:
    """Another device of the mesh, known by its author. ``links``: the ids of its links that are up, the newest last."""

    author: str
    links: list[int] = field(default_factory=list)
    is_met: bool = False  # there was a link with it, now or before this page was loaded
    heard_at: float = 0.0
    has_left: bool = False  # it said goodbye
    presence: Presence = Presence.UNKNOWN
    is_lost: bool = False  # nothing is likely to bring it back by itself
    neighbours: frozenset[str] = frozenset()  # the authors that it says it hears
    shut_until: float = 0.0  # no link before that, because it sent too much
    relayed_at: float = LONG_AGO  # when it was heard last through the relays
    relay_page: str = ""  # the name that its page gave itself there
    own_kinds: frozenset[str] = frozenset()  # of addresses in this device's last descriptions for it
    their_kinds: frozenset[str] = frozenset()  # in its last ones
    tries: int = 0  # links that either device began since the last one that came up
    calls_in_vain: int = 0  # that were answered, and led to no link; since the last link
    replies_in_vain: int = 0  # answers to its calls that led to none; since the last link
    call_tries: int = 0  # since the last link
    call_at: float | None = None
    early_addresses: tuple[str, str] = ("", "")  # an exchange, and the further addresses of an offer that has not come yet
    can_redeem: bool = False  # its browser can use tickets
    tickets: tuple[Ticket, ...] = ()  # to come back to it
    stores_under_way: int = 0  # how often ``tickets`` is being stored just now
    stored_there: int = 0  # how many tickets of this device it has stored
    redeem_tries: int = 0  # since the last link
    redeem_at: float = 0.0
