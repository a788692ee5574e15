"""What happened, as sentences for the readers at this device: for the announcer and for the log in words.

Pure. A private event (a card drawn) is told only while the seat it is for is uncovered here, and each sentence
names only faces its readers know.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tabletin.kernel.faces import Faces
from tabletin.kernel.match import Match
from tabletin.kernel.requests import ALL
from tabletin.kernel.state import Event
from tabletin.words.wording import Wording


def for_readers(event: Event, uncovered: Iterable[int]) -> bool:
    """Whether whoever looks at this device, at the seats ``uncovered``, may hear of ``event``."""
    return event.to == ALL or event.to in uncovered


def said(events: Iterable[Event], wording: Wording, faces: Faces, uncovered: Iterable[int]) -> list[str]:
    """What the readers are told of ``events``: sentences, in order."""
    seats = frozenset(uncovered)
    return [wording.event(event, faces) for event in events if for_readers(event, seats)]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log in words and the entry that it leads to."""

    index: int
    text: str
    seat: int | None


class Chronicle:
    """Every event of a match by the entry that brought it; grows with the match, worded anew for whoever reads."""

    def __init__(self, match: Match) -> None:
        self._events: list[tuple[int, Event]] = []
        for entry, _, events in match.story():
            self.add(entry.index, events)

    def add(self, index: int, events: Iterable[Event]) -> None:
        """Entry ``index`` brought ``events``."""
        self._events += [(index, event) for event in events]

    def lines(self, wording: Wording, faces: Faces, uncovered: Iterable[int], *, start: int = 0) -> list[Line]:
        """The log for these readers, oldest first, from event ``start`` on."""
        seats = frozenset(uncovered)
        return [Line(index, wording.event(event, faces), event.seat)
                for index, event in self._events[start:] if for_readers(event, seats)]

    def __len__(self) -> int:
        return len(self._events)
