"""One device driving a match: it speaks for its seats, and its dealer answers what the rules ask.

A ``Table`` is what a page, the command line, the arena and tests play through. Each act returns all that happened, its own
entry first, then what the dealer answered. It never judges: the match does.
"""

from __future__ import annotations

from typing import Any, Final

from tabletin.kernel.dealing import Dealer, OpenDealing
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import NOTHING, Entry, Json
from tabletin.kernel.match import Happening, Match
from tabletin.kernel.rules import Rules
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import Seat, Setup

AUTHOR: Final = "table"


class Table:
    """A match on this device. ``undealt`` or ``begin`` makes a new one."""

    def __init__(self, match: Match, dealer: Dealer, author: str = AUTHOR) -> None:
        self.match = match
        self.dealer = dealer
        self.author = author

    @classmethod
    def undealt(cls, rules: type[Rules[Any]], setup: Setup, dealer: Dealer) -> Table:
        """A new match with an open dealer; ``settle`` deals. Raises ``Refused``, ``Malformed``."""
        return cls(Match(rules, Entry.create(0, NOTHING, setup.statement(AUTHOR)), OpenDealing()), dealer)

    @classmethod
    def begin(cls, rules: type[Rules[Any]], setup: Setup, dealer: Dealer) -> Table:
        """A new match with an open dealer, dealt as far as its rules ask. Raises ``Refused``, ``Malformed``."""
        table = cls.undealt(rules, setup, dealer)
        table.settle()
        return table

    def say(self, kind: str, body: dict[str, Json], faces: Faces | None = None) -> Happening:
        """Append what this device says; ``faces``: private ones that come with it. Raises ``Refused``."""
        match = self.match
        entry = Entry.create(len(match.entries), match.head, match.propose(self.author, kind, body))
        events = match.append(entry)
        if faces:
            match.learn(faces)
        return Happening(entry, events, faces or Faces())

    def settle(self) -> list[Happening]:
        """Let the dealer answer what is asked, as far as it can now."""
        happenings: list[Happening] = []
        while self.match.state.requests:
            dealt = self.dealer.deal(self.match.state, self.match.knowledge)
            if dealt is None:
                break
            happenings.append(self.say("deal", *dealt))
        return happenings

    def move(self, seat: int, move: Move) -> list[Happening]:
        """``seat`` makes ``move``, and the dealer answers. Raises ``Refused`` and changes nothing if it may not."""
        read, openings = self.match.view((seat,)).prepare(seat, move)
        made = self.say("move", {"seat": seat, "do": read, "open": self.dealer.prove(openings)})
        return [made, *self.settle()]

    def time_out(self, seat: int) -> list[Happening]:
        return [self.say("timeout", {"seat": seat}), *self.settle()]

    def undo(self, seat: int, to: int, *, practice: bool = False) -> list[Happening]:
        """Back to entry ``to``; see ``Match.undo_refusal``. Raises ``Refused``."""
        body: dict[str, Json] = {"seat": seat, "to": to}
        if practice:
            body["practice"] = True
        return [self.say("undo", body), *self.settle()]

    def consent(self, seat: int, to: int) -> list[Happening]:
        return [self.say("consent", {"seat": seat, "to": to})]

    def resign(self, seat: int) -> list[Happening]:
        return [self.say("resign", {"seat": seat})]

    def replace(self, seat: int, player: Seat) -> list[Happening]:
        """Let ``player`` play on for ``seat``."""
        return [self.say("seat", {"seat": seat, "to": player.to_json()})]
