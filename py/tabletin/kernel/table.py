"""One device driving a match: it speaks for its seats, and its dealer answers what the rules ask.

A ``Table`` is what a page, the command line, the arena and tests play through. It gives each entry to its listener
before anything else happens with it. It never judges: the match does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tabletin.kernel.dealing import Dealer, OpenDealing
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import NOTHING, Entry, Json, Statement
from tabletin.kernel.match import Match
from tabletin.kernel.rules import Rules
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.state import Event

AUTHOR: Final = "table"

Listener = Callable[[Entry, Faces, list[Event]], None]


class Table:
    """A match on this device. ``listener`` is told each entry, the private faces it brought, and its events."""

    def __init__(self, match: Match, dealer: Dealer, listener: Listener | None = None, author: str = AUTHOR) -> None:
        self.match = match
        self.dealer = dealer
        self.listener = listener
        self.author = author

    @classmethod
    def begin(cls, rules: type[Rules[Any]], setup: Setup, dealer: Dealer, listener: Listener | None = None) -> Table:
        """A new match with an open dealer, dealt as far as its rules ask. Raises ``Refused``, ``Malformed``."""
        genesis = Entry.create(0, NOTHING, setup.statement(AUTHOR))
        table = cls(Match(rules, genesis, OpenDealing()), dealer, listener)
        if listener is not None:
            listener(genesis, Faces(), [])
        table.settle()
        return table

    def say(self, kind: str, body: dict[str, Json], faces: Faces | None = None) -> list[Event]:
        """Append what this device says; ``faces``: private ones that come with it. Raises ``Refused``."""
        match = self.match
        statement: Statement = match.propose(self.author, kind, body)
        entry = Entry.create(len(match.entries), match.head, statement)
        events = match.append(entry)
        if faces:
            match.learn(faces)
        if self.listener is not None:
            self.listener(entry, faces or Faces(), events)
        return events

    def settle(self) -> list[Event]:
        """Let the dealer answer what is asked, as far as it can now."""
        events: list[Event] = []
        while self.match.state.requests:
            dealt = self.dealer.deal(self.match.state, self.match.knowledge)
            if dealt is None:
                break
            events += self.say("deal", *dealt)
        return events

    def move(self, seat: int, move: Move) -> list[Event]:
        """``seat`` makes ``move``, and the dealer answers. Raises ``Refused`` and changes nothing if it may not."""
        read, openings = self.match.view((seat,)).prepare(seat, move)
        events = self.say("move", {"seat": seat, "do": read, "open": self.dealer.prove(openings)})
        return events + self.settle()

    def time_out(self, seat: int) -> list[Event]:
        return self.say("timeout", {"seat": seat}) + self.settle()

    def undo(self, seat: int, to: int, *, practice: bool = False) -> list[Event]:
        """Back to entry ``to``; see ``Match.undo_refusal``. Raises ``Refused``."""
        body: dict[str, Json] = {"seat": seat, "to": to}
        if practice:
            body["practice"] = True
        return self.say("undo", body) + self.settle()

    def consent(self, seat: int, to: int) -> list[Event]:
        return self.say("consent", {"seat": seat, "to": to})

    def resign(self, seat: int) -> list[Event]:
        return self.say("resign", {"seat": seat})

    def replace(self, seat: int, player: Seat) -> list[Event]:
        """Let ``player`` play on for ``seat``."""
        return self.say("seat", {"seat": seat, "to": player.to_json()})
