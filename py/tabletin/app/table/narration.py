"""What happened, as sentences for the readers at this device: for the announcer and for the log in words.

Pure. A private event (a card drawn) is told only while the seat it is for is uncovered here, and each sentence
names only faces its readers know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tabletin.kernel.faces import HIDDEN, Card, Faces
from tabletin.kernel.log import Entry
from tabletin.kernel.match import Match
from tabletin.kernel.requests import ALL
from tabletin.kernel.state import Event, State
from tabletin.words.wording import Wording


def for_readers(event: Event, uncovered: Iterable[int]) -> bool:
    """Whether whoever looks at this device, at the seats ``uncovered``, may hear of ``event``."""
    return event.to == ALL or event.to in uncovered


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log in words and the entry that it leads to."""

    index: int
    text: str
    seat: int | None


@dataclass(frozen=True, slots=True)
class NarratedEntry:
    """An event, the entry that brought it, and its cards as they were then: faces public to all, who had been shown others."""

    index: int
    event: Event
    shown: Faces
    seen: Mapping[Card, int]

    @classmethod
    def of(cls, entry: Entry, event: Event, state: State) -> NarratedEntry:
        """``event``, which ``entry`` brought, and after which the table was in ``state``."""
        openings = entry.statement.body["open"] if entry.statement.kind == "move" else ()
        opened = Faces({card: face for card, face, *_ in openings})
        shown = Faces({card: face for faces in (opened, state.public) for card in event.cards
                       if (face := faces[card]) is not HIDDEN})
        return cls(entry.index, event, shown, {card: state.seen[card] for card in event.cards if card in state.seen})

    def known(self, knowledge: Faces, mask: int) -> Faces:
        """The faces that the seats of ``mask`` knew; this device has ``knowledge``."""
        mine = self.event.to != ALL  # it is told to its own seat only
        own = {card: knowledge[card] for card in self.event.cards
               if card in knowledge and (mine or self.seen.get(card, 0) & mask)}
        return Faces({**own, **self.shown})


class Narration:
    """Every event of a match by the entry that brought it; grows with the match, worded anew for whoever reads.

    A sentence names the cards that its readers knew when it was said: nothing that came out later, and still when a new
    deck has swept them off the table.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self._told: list[NarratedEntry] = []
        self._heard = -1  # the last entry that is told of
        for entry, state, events in match.story():
            self._add(entry, events, state)

    def add(self, index: int, events: Iterable[Event]) -> None:
        """Entry ``index``, the last or one of the last, brought ``events``."""
        if index > self._heard:
            self._add(self.match.entries[index], events, self.match.state)

    def _add(self, entry: Entry, events: Iterable[Event], state: State) -> None:
        self._heard = entry.index
        self._told += [NarratedEntry.of(entry, event, state) for event in events]

    def lines(self, wording: Wording, uncovered: Iterable[int], *, start: int = 0) -> list[Line]:
        """The log for the readers at the seats ``uncovered``, oldest first, from event ``start`` on."""
        seats = frozenset(uncovered)
        mask = sum(1 << seat for seat in seats)
        return [Line(told.index, wording.event(told.event, told.known(self.match.knowledge, mask)), told.event.seat)
                for told in self._told[start:] if for_readers(told.event, seats)]

    def __len__(self) -> int:
        return len(self._told)
