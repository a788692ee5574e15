"""What a log's prefix amounts to. It is a value: a fold copies it and changes the copy. It judges nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tabletin.kernel.dealing import Dealing
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.state import State


@dataclass(slots=True)
class Snapshot:
    """All that a log's prefix amounts to: the game's state, the dealing's, who plays, who puts statements in order,
    who is gone for good, who consented to which undo, who plays which seat from the next hand on."""

    state: State
    dealing: Dealing
    setup: Setup
    orderer: str
    former_authors: frozenset[str] = frozenset()
    consents: frozenset[tuple[int, int]] = frozenset()
    promises: Mapping[int, Seat] = field(default_factory=dict)
    openings: Mapping[Card, Face] = field(default_factory=dict)  # what the last entry laid open; no part of what comes next

    def copy(self) -> Snapshot:
        return Snapshot(self.state.copy(), self.dealing.copy(), self.setup, self.orderer, self.former_authors,
                        self.consents, self.promises)

    def seats_of(self, author: str) -> tuple[int, ...]:
        """The seats that ``author`` speaks for."""
        return tuple(index for index, seat in enumerate(self.setup.seats) if seat.author == author)

    @property
    def live(self) -> tuple[str, ...]:
        """The authors who speak for seats and are not gone, in order of their first seats."""
        return tuple(author for author in self.setup.authors if author not in self.former_authors)
