"""Why two devices have not found each other yet: from what was tried and found to one reason. Pure.

A reason names one thing that helps. Nothing is guessed before something was tried: "" says that it is too early to tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tabletin.peers.net.code import BadCode, Description

HOST: Final = "host"
RELAY: Final = "relay"
RELAYS_ANSWER: Final = 10.0  # seconds until somebody should know that no relay answers
HOST_ANSWERS: Final = 10.0  # seconds until somebody should know that the other page is not there
ENOUGH_REPLIES: Final = 2  # answers in vain, until their reason is named: the first may have come there too late


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found while this device looked for others.

    ``waiting_time``: seconds so far. ``relays``, ``relays_open``: how many are used, and how many answer. ``is_heard``: whether
    the other device was heard there. ``calls``, ``replies``: calls that were answered, and answers to calls of the other device,
    which led to no link. ``own``, ``theirs``: the kinds of addresses in the descriptions of both ("host", "srflx", "relay"),
    empty before there was one, or where a browser finds none. ``has_stun``, ``has_turn``: which servers this device asks.
    """

    waiting_time: float
    relays: int = 0
    relays_open: int = 0
    is_heard: bool = False
    calls: int = 0
    replies: int = 0
    own: frozenset[str] = frozenset()
    theirs: frozenset[str] = frozenset()
    has_stun: bool = False
    has_turn: bool = False


def reason(found: Findings) -> str:
    """Why there is no link yet; "" where nothing can be said.

    "relays": no relay answers. "nobody": the other page is not open. "no_helper": no server was asked for an address, so only
    one Wi-Fi can work. "own_network": this network lets the helper's answer not through. "their_network": the same at the
    other device. "turn_failed": a TURN server is named and gives no address. "turn_needed": both have addresses, and neither
    network lets the other in.
    """
    if found.relays and not found.relays_open:
        return "relays" if found.waiting_time >= RELAYS_ANSWER else ""
    if found.relays and not found.is_heard:
        return "nobody" if found.waiting_time >= HOST_ANSWERS else ""
    if (not found.calls and found.replies < ENOUGH_REPLIES) or not found.theirs:
        return ""
    return reason_of_pairs(found)


def reason_of_pairs(found: Findings) -> str:
    """The same of two descriptions whose addresses were all tried."""
    if found.has_turn and RELAY not in found.own:
        return "turn_failed"
    if found.own <= {HOST}:
        return "own_network" if found.has_stun or found.has_turn else "no_helper"
    if found.theirs <= {HOST}:
        return "their_network"
    return "turn_needed"


def kinds_of(description: str) -> frozenset[str]:
    """The kinds of addresses in a description; none of one that cannot be read."""
    try:
        return frozenset(candidate.kind for candidate in Description.from_text(description).candidates)
    except BadCode:
        return frozenset()
