"""What happened, in order, and how far each part of the table has got with it: the picture, the voice and the log.

Pure. The one store of news on the way to the screen: what a part has not taken yet is pending for it. A private event
(a card drawn) is told only while its seat is uncovered here, and each sentence names only faces its readers know. So is the
reason for a move that was no choice.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from tabletin.app.session.forced_moves import forced_reason
from tabletin.kernel.faces import HIDDEN, Card, Faces
from tabletin.kernel.log import Entry, Hash
from tabletin.kernel.match import Match
from tabletin.kernel.requests import ALL
from tabletin.kernel.state import Event, State
from tabletin.words.wording import Wording


class Reader(Enum):
    """The parts of the table that take what happened, each at its own time."""

    PICTURE = "picture"
    VOICE = "voice"
    LOG = "log"


def for_readers(event: Event, uncovered: Iterable[int]) -> bool:
    """Whether the people who look at this device, at the seats ``uncovered``, may hear of ``event``."""
    return event.reader == ALL or event.reader in uncovered


@dataclass(frozen=True, slots=True)
class NarrationLine:
    """One line of the log in words and the entry that it leads to."""

    index: int
    text: str
    seat: int | None


@dataclass(frozen=True, slots=True)
class NarratedEvent:
    """An event, the entry that brought it, and its cards as they were then: faces public to all, seats that had seen others.
    ``absentees``: the seats that did not play then."""

    index: int
    event: Event
    faces: Faces
    viewers: Mapping[Card, int]
    absentees: frozenset[int]

    @classmethod
    def from_entry(cls, entry: Entry, event: Event, state: State) -> NarratedEvent:
        """``event``, which ``entry`` brought, and after which the table was in ``state``."""
        openings = entry.statement.body["open"] if entry.statement.kind == "move" else ()
        opened = Faces({card: face for card, face, *_ in openings})
        shown = Faces({card: face for faces in (opened, state.public) for card in event.cards
                       if (face := faces[card]) is not HIDDEN})
        viewers = {card: state.viewers[card] for card in event.cards if card in state.viewers}
        return cls(entry.index, event, shown, viewers, state.absentees)

    def known_faces(self, knowledge: Faces, mask: int) -> Faces:
        """The faces that the seats of ``mask`` knew; this device has ``knowledge``."""
        is_private = self.event.reader != ALL  # then only its own seat reads it
        own = {card: knowledge[card] for card in self.event.cards
               if card in knowledge and (is_private or self.viewers.get(card, 0) & mask)}
        return Faces({**own, **self.faces})


class Narration:
    """Every event of ``match`` by the entry that brought it; grows with the match, worded anew for its readers.

    A reader's place is the last entry it has taken, so it holds when the log is read anew, and where its last entries fall away,
    as they may among peers. A sentence names the cards that its readers knew when it was said, even when a new deck has swept
    them off the table.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.drops = 0  # how often narrated entries fell away
        self._narrated: list[tuple[int, Hash]] = []  # the entries that are narrated
        self._events: list[NarratedEvent] = []
        self._reasons: dict[Hash, str] = {}  # by entry, why it was no choice
        self._read(match)
        self._places = dict.fromkeys(Reader, self.last)

    @property
    def last(self) -> int:
        """The last entry that is narrated."""
        return self._narrated[-1][0] if self._narrated else -1

    @property
    def events(self) -> Sequence[NarratedEvent]:
        """Everything that happened, oldest first."""
        self._drop_fallen()
        return self._events

    # ---- growing ----

    def add(self, index: int, events: Iterable[Event]) -> None:
        """Entry ``index``, the last or one of the last, brought ``events``. Entries that are narrated already add nothing."""
        self._drop_fallen()
        if index > self.last:
            self._add(self.match.entries[index], events, self.match.state)

    def reread(self, match: Match) -> None:
        """Go on with ``match``, read anew from disk. What another tab has written in place of ours is new to every reader."""
        self.match = match
        self._drop_fallen()
        same = self.last
        self._narrated, self._events = [], []
        self._read(match)
        self._places = {reader: min(place, same) for reader, place in self._places.items()}

    def _drop_fallen(self) -> None:
        """Forget the entries that the match holds no more: what stands in their places is new to every reader."""
        entries, before = self.match.entries, self.last
        while self._narrated and ((last := self._narrated[-1])[0] >= len(entries) or entries[last[0]].hash != last[1]):
            self._narrated.pop()
        if self.last < before:
            self.drops += 1
            del self._events[bisect_right(self._events, self.last, key=lambda one: one.index):]
            self._places = {reader: min(place, self.last) for reader, place in self._places.items()}
            self.rewind(Reader.LOG)  # it holds what has not happened

    def _read(self, match: Match) -> None:
        for entry, state, events in match.story():
            self._add(entry, events, state)

    def _add(self, entry: Entry, events: Iterable[Event], state: State) -> None:
        self._narrated.append((entry.index, entry.hash))
        self._events += [NarratedEvent.from_entry(entry, event, state) for event in events]

    # ---- reading ----

    def pending(self, reader: Reader, until: str = "") -> list[NarratedEvent]:
        """What ``reader`` has not taken yet, oldest first. ``until``: as ``take`` has it."""
        self._drop_fallen()
        first = bisect_right(self._events, self._places[reader], key=lambda one: one.index)
        return self._events[first:bisect_right(self._events, self._last_before(until), key=lambda one: one.index)]

    def take(self, reader: Reader, until: str = "") -> list[NarratedEvent]:
        """What is pending for ``reader``; from now on it no longer is. ``until``: the key of an event, of which the last one
        waits with what came after it; unless something came before it by the same entry, then only what came later."""
        found = self.pending(reader, until)
        self._places[reader] = max(self._places[reader], self._last_before(until))
        return found

    def _last_before(self, until: str) -> int:
        """The last entry that is told while the last event of the key ``until`` waits; the last of all if there is none."""
        events = self._events
        last = next((at for at in range(len(events) - 1, -1, -1) if events[at].event.key == until), None) if until else None
        if last is None:
            return self.last
        begins = last == 0 or events[last - 1].index < events[last].index
        return events[last].index - begins

    def is_rewound(self, reader: Reader) -> bool:
        """Whether ``reader`` is to begin at the beginning."""
        self._drop_fallen()
        return self._places[reader] < 0

    def rewind(self, reader: Reader) -> None:
        """Everything that happened is pending for ``reader`` again."""
        self._places[reader] = -1

    def lines(self, events: Iterable[NarratedEvent], wording: Wording, uncovered: Iterable[int]) -> list[NarrationLine]:
        """``events`` in words for the readers at the seats ``uncovered``."""
        seats = frozenset(uncovered)
        mask = sum(1 << seat for seat in seats)
        found: list[NarrationLine] = []
        told = -1  # the last entry of which it is said why it was no choice
        for one in events:
            seat, rules = one.event.seat, self.match.rules
            is_other = bool(seats) and seat not in seats  # where every hand is covered nobody is another one
            quiet = rules.quiet_events | rules.quiet_events_of_others if is_other else rules.quiet_events
            if not for_readers(one.event, seats) or one.event.key in quiet:
                continue
            reason = self._reason(one.index, seat) if seat in seats and one.index != told else ""
            if reason:
                told = one.index
                found.append(NarrationLine(one.index, wording.catalogue.text(reason), seat))
                if seat == wording.me and not one.event.cards and not one.event.params:
                    continue  # "You passed" says no more than that
            line = NarrationLine(one.index, wording.event(one.event, one.known_faces(self.match.knowledge, mask)), seat)
            if not found or found[-1] != line:  # one act that did the same with several cards
                found.append(line)
        return found

    def _reason(self, index: int, seat: int | None) -> str:
        """Why the move of ``seat`` at entry ``index`` was no choice: a key, "" for any other entry."""
        statement = self.match.entries[index].statement
        if seat is None or statement.kind != "move" or statement.body["seat"] != seat:
            return ""
        rules = self.match.rules
        if statement.body["do"][0] not in rules.forced_verbs | rules.forced_verbs_among_bots:
            return ""
        key = self.match.entries[index].hash
        if key not in self._reasons:
            self._reasons[key] = forced_reason(self.match, seat, index - 1)
        return self._reasons[key]
