"""What the rules ask of a deal, what a peer owes for it, and what comes of it: plain values.

A request is what a move leaves behind; it names cards by integer handles only. `dealing` maps the requests of the rules to
these one to one; `ceremony` works them off in order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Params = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Mix these cards into these fresh handles. A card is a face (open, new to the deal) or a handle.

    Handles that go in are no cards afterwards. Open and sealed ones may be mixed.
    """

    cards: tuple[int | str, ...]
    fresh: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Show:
    """Let a seat see these cards, or all (None)."""

    handles: tuple[int, ...]
    seat: int | None


@dataclass(frozen=True, slots=True)
class Open:
    """Turn up the cards a score or a recorded claim depends on. Works like a show to all, and has its own name in the log."""

    handles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TakeBack:
    """These cards leave their holders and keep their handles. What is public stays so until a shuffle."""

    handles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """1 … sides. `head` is the hash of the log's newest place when the roll was asked for."""

    sides: int
    head: bytes


Request = Shuffle | Show | Open | TakeBack | Roll


@dataclass(frozen=True, slots=True)
class KeyDuty:
    """Say the peer's key for this deal."""


@dataclass(frozen=True, slots=True)
class ShuffleDuty:
    """It is this peer's turn in shuffle number `step`."""

    step: int


@dataclass(frozen=True, slots=True)
class ShareDuty:
    """Shares of these cards are waited for."""

    handles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RemaskDuty:
    """These cards leave this peer's hand face down, and it must mask them again."""

    handles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RollDuty:
    """The share of roll number `step` is waited for."""

    step: int


Duty = KeyDuty | ShuffleDuty | ShareDuty | RemaskDuty | RollDuty


@dataclass(frozen=True, slots=True)
class KeyReady:
    """Every key is there; dealing can begin."""


@dataclass(frozen=True, slots=True)
class CardsReady:
    """Shuffle number `step` is done, every proof in it checked; these handles are cards now."""

    step: int
    handles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Readable:
    """This peer, and it alone, can now read these cards (`Party.read`)."""

    peer: int
    handles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PublicFace:
    """This card's face is public."""

    handle: int
    face: str


@dataclass(frozen=True, slots=True)
class RollResult:
    """The result of roll number `step`."""

    step: int
    value: int


@dataclass(frozen=True, slots=True)
class RequestResult:
    """Request number `step` is done with, and all before it are.

    `result` is what it tells everybody: the faces of a show to all or an opening in the order of its handles, the
    number of a roll, else None.
    """

    step: int
    result: tuple[str, ...] | int | None


@dataclass(frozen=True, slots=True)
class Departure:
    """A peer left politely; the cards of its hand are out of the deal."""

    peer: int
    removed_handles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Void:
    """The deal is void. `guilty` is the peer whose own statement proves it, None if nobody is to blame."""

    guilty: int | None
    key: str
    params: Params = field(default_factory=dict)


Effect = KeyReady | CardsReady | Readable | PublicFace | RollResult | RequestResult | Departure | Void


@dataclass(frozen=True, slots=True)
class DealRefusal:
    """Nothing has changed, and why: a key of the word catalogue with its parameters."""

    key: str
    params: Params = field(default_factory=dict)
