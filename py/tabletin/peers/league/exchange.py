"""What two devices that meet tell each other of their results: first what each has, then what the other lacks. Pure.

Messages are small and their number is bounded by who asks: one inventory is answered by one parcel at most. Nothing here
checks a signature or believes a sender.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from tabletin.kernel.log import HEXADECIMAL, Hash, Json, canonical
from tabletin.kernel.schema import Malformed
from tabletin.peers.league.signed_result import SignedResult, read_results

SHOWN: Final = 24  # digits of a result's hash that an inventory names
MOST_NAMED: Final = 500
MOST_IN_PARCEL: Final = 20
LONGEST: Final = 16_000  # characters of the results in one parcel
MOST_MARKS: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Inventory:
    """What a device has: who has signed each (``SignedResult.marks``), by how its hash begins. ``is_greeting``: the first word
    of a device, which asks for the other's inventory if that lacks something of this one."""

    marks: Mapping[str, int]
    is_greeting: bool = False

    def to_json(self) -> dict[str, Json]:
        return {"have": dict(self.marks), "greets": self.is_greeting}

    def lacks(self, one: SignedResult) -> bool:
        """Whether the sender would learn something by ``one``."""
        return bool(one.marks & ~self.marks.get(one.result.hash[:SHOWN], 0))

    def exceeds(self, other: Inventory) -> bool:
        """Whether the sender has something that ``other`` does not name."""
        return any(marks & ~other.marks.get(key, 0) for key, marks in self.marks.items())


@dataclass(frozen=True, slots=True)
class Parcel:
    """``results``, and whether ``more`` are to be had by another inventory. ``unreadable``: the hashes of results that came along
    and cannot be read."""

    results: tuple[SignedResult, ...]
    more: bool = False
    unreadable: tuple[Hash, ...] = ()

    def to_json(self) -> dict[str, Json]:
        return {"results": [one.to_json() for one in self.results], "more": self.more}


def inventory(results: Iterable[SignedResult], rejected: Mapping[str, int], *, is_greeting: bool = False) -> Inventory:
    """What a device has, and what it has looked at and does not want (``rejected``)."""
    marks = {**rejected, **{one.result.hash[:SHOWN]: one.marks for one in results}}
    return Inventory(dict(list(marks.items())[-MOST_NAMED:]), is_greeting)


def parcel(results: Iterable[SignedResult], wanted: Inventory) -> Parcel | None:
    """What of ``results`` the sender of ``wanted`` lacks, the newest first, as much as one message holds; None for nothing."""
    lacking = sorted((one for one in results if wanted.lacks(one)), key=lambda one: (one.day, one.result.hash), reverse=True)
    chosen: list[SignedResult] = []
    size = 0
    for one in lacking[:MOST_IN_PARCEL]:
        size += len(canonical(one.to_json()).decode())
        if size > LONGEST and chosen:
            break
        chosen.append(one)
    return Parcel(tuple(chosen), len(chosen) < len(lacking)) if chosen else None


def read_message(data: Json) -> Inventory | Parcel:
    """Raises ``Malformed``; a result that cannot be read is left out of its parcel alone."""
    if type(data) is dict and data.keys() == {"have", "greets"}:
        return _read_inventory(data["have"], data["greets"])
    if type(data) is not dict or data.keys() != {"results", "more"}:
        raise Malformed("expected an inventory or a parcel")
    results, more = data["results"], data["more"]
    if type(results) is not list or not 1 <= len(results) <= MOST_IN_PARCEL or type(more) is not bool:
        raise Malformed("expected results")
    readable, unreadable = read_results(results)
    return Parcel(readable, more, unreadable)


def _read_inventory(marks: Json, is_greeting: Json) -> Inventory:
    if type(marks) is not dict or len(marks) > MOST_NAMED or type(is_greeting) is not bool:
        raise Malformed("expected an inventory")
    for key, count in marks.items():
        if len(key) != SHOWN or not HEXADECIMAL.issuperset(key) or type(count) is not int or not 0 <= count < MOST_MARKS:
            raise Malformed("expected an inventory")
    return Inventory(marks, is_greeting)
