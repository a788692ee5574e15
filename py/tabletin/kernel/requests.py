"""Chance and disclosure, asked for by rules and answered by a dealer.

Rules never draw a random number and never look under a card: they leave requests in the state, in order, and the
dealer's entries answer them, first one first. What an answer tells everybody is its *result*; what it tells one seat
stands beside the log as that seat's knowledge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias, TypeGuard

from tabletin.kernel.faces import Card, Face

ALL: Final = -1  # "to all seats and whoever watches", where a request names a seat


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Turn ``cards`` (handles) and ``faces`` (new, public cards) into as many fresh handles, in an order nobody knows.

    The result is empty: fresh handles are the next free numbers, top of the pile first. The old handles are gone.
    ``purpose`` names it among the requests of its game ("deck", "discards"…).
    """

    cards: tuple[Card, ...] = ()
    faces: tuple[Face, ...] = ()
    purpose: str = "deck"

    def __len__(self) -> int:
        return len(self.cards) + len(self.faces)


@dataclass(frozen=True, slots=True)
class Show:
    """Show ``cards`` to one seat (nothing public), or to ``ALL`` (the result is their faces, in order)."""

    cards: tuple[Card, ...]
    reader: int
    purpose: str = "draw"


@dataclass(frozen=True, slots=True)
class TakeBack:
    """``cards`` leave a hand face down: the handles stay, what is public of them stays public, whoever saw them knows.

    The next reader must learn the face without telling the others, hence the request: a sealed dealer re-masks.
    """

    cards: tuple[Card, ...]
    purpose: str = "return"


@dataclass(frozen=True, slots=True)
class Roll:
    """A die with ``sides`` sides; the result is 1…sides."""

    sides: int
    purpose: str = "roll"


@dataclass(frozen=True, slots=True)
class Open:
    """Seats turn up ``cards`` because a score or a recorded claim depends on them; the result is their faces."""

    cards: tuple[Card, ...]
    purpose: str = "score"


Request: TypeAlias = Shuffle | Show | TakeBack | Roll | Open
Result: TypeAlias = tuple[Face, ...] | int | None  # faces of Show-to-all and Open; a Roll's number; else None


def discloses_publicly(request: Request) -> TypeGuard[Open | Show]:
    """Whether the answer to ``request`` carries faces for everybody."""
    return isinstance(request, Open) or (isinstance(request, Show) and request.reader == ALL)
