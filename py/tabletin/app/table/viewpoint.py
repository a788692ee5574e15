"""What is looked at, and through whose eyes: now or an earlier moment, one's own hand, a covered one, or all of them.

While a match goes on, only uncovered seats are looked through. Once it is over, any seat may be chosen, or all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

from tabletin.app.session.session import MatchSession
from tabletin.board.board import ActStep
from tabletin.board.scene import Key, Layout, Sight, no_clock
from tabletin.kernel.faces import Card, Faces
from tabletin.kernel.log import Hash
from tabletin.kernel.match import EVERYBODY, View
from tabletin.kernel.schema import Move
from tabletin.kernel.state import State

STOPS: Final = ("move", "timeout", "undo", "resign", "seat")  # entries a player would call moments


class Viewpoint:
    """``eyes``: "" as usual, a seat's number, or "all" (after the end). ``clock_seconds``: as a ``Sight`` has it."""

    def __init__(self, session: MatchSession, clock_seconds: Callable[[Key], float | None] = no_clock) -> None:
        self.session = session
        self.clock_seconds = clock_seconds
        self._moment: tuple[int, Hash] | None = None  # the entry looked at, and its hash
        self.eyes = ""
        self.opens_hands = False  # once the match is over, every face that this device knows lies open
        self.past_cards: Callable[[State], Collection[Card]] = lambda state: ()  # … and before that, those of these cards
        self.trial: Move | None = None  # what could have been done at the moment looked at
        self.opened = False  # what lies on the table is opened for a look
        self.fresh: frozenset[Card] = frozenset()  # the cards that came last, as a ``Sight`` has them
        self.step: ActStep | None = None  # what is shown of what came of an act
        self.mover: int | None = None  # the seat whose act the line over the table tells
        self.landing = False  # what somebody did is still on its way
        self.laying = False  # … and ended what is to be counted
        self.counting = False  # that comes piece by piece
        self.resting = False  # a result stays until it was seen

    @property
    def is_counted(self) -> bool:
        """Whether what an act ended is still being counted: nothing beside the table tells what it comes to."""
        return self.laying or self.counting

    @property
    def index(self) -> int | None:
        """The entry looked at, None for now; also where it fell away meanwhile, as the last ones may among peers, and another one
        took its place."""
        entries = self.session.match.entries
        index, head = self._moment or (len(entries), "")
        return index if index < len(entries) and entries[index].hash == head else None

    @index.setter
    def index(self, index: int | None) -> None:
        entries = self.session.match.entries
        self._moment = None if index is None or index >= len(entries) else (index, entries[index].hash)

    def seat(self) -> int | None:
        """The seat whose hand lies open at the bottom."""
        session = self.session
        if self.eyes.isdigit() and session.match.outcome is not None:
            return int(self.eyes)
        if session.open_hands:
            here = [seat for seat in session.acting if seat in session.people]
            return here[0] if here else session.people[0]
        if session.visible_seat is None and session.match.outcome is not None and self.eyes == "all":
            return 0
        return session.visible_seat

    def view(self) -> View:
        match, session = self.session.match, self.session
        if match.outcome is not None and self.eyes:
            return match.view(EVERYBODY if self.eyes == "all" else (int(self.eyes),), self.index)
        seen = match.view(session.readers, self.index)
        if self.opens_hands and match.outcome is not None and self.index is None:
            return replace(seen, faces=match.view(EVERYBODY).faces)
        past = self.past_cards(seen.state)
        if not past:
            return seen
        known = match.view(EVERYBODY, self.index).faces
        return replace(seen, faces=Faces({**seen.faces, **{card: known[card] for card in past if card in known}}))

    def sight(self, layout: Layout) -> Sight:
        session, seat = self.session, self.seat()
        step = self.step if self.index is None else None
        idle = seat is not None and self.index is None and session.forced_moves.idle_of(seat) is not None
        return Sight(self.view() if step is None else step.view, session.wording, layout, seat, session.people,
                     session.thinking if self.index is None else None, past=self.index is not None,
                     fresh=frozenset() if self.index is not None else self.fresh if step is None else step.fresh,
                     opened=self.opened, mover=self.mover if self.index is None else None, stepping=step is not None,
                     landing=self.landing and self.index is None, laying=self.laying and self.index is None,
                     counting=self.counting and self.index is None, resting=self.resting and self.index is None,
                     answered=session.is_answered, idle=idle, clock_seconds=self.clock_seconds)

    def stops(self) -> list[int]:
        """The entries worth stopping at: after the deal, then after each act with what the dealer answered."""
        entries = self.session.match.entries
        acts = [entry.index for entry in entries if entry.statement.kind in STOPS]
        ends = [index - 1 for index in acts] + [len(entries) - 1]
        return [end for end in dict.fromkeys(ends) if end > 0]

    def words(self, start: str) -> str:
        """The act that led to the moment looked at, in a sentence; ``start`` where there is none."""
        session = self.session
        for index in range(self.index or 0, 0, -1):
            if session.match.entries[index].statement.kind in STOPS:
                events = session.match.events(index)
                if events:
                    return session.wording.event(events[0], self.view().faces)
        return start

    def choices(self, own: str, everything: str) -> list[tuple[str, str]]:
        """The views to choose from, as (value, words); none while the match goes on."""
        session = self.session
        if session.match.outcome is None:
            return []
        seats = ((str(seat), session.wording.seat(seat)) for seat in range(session.match.rules.seats))
        return [("", own), ("all", everything), *seats]
