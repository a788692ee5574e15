"""Matches of Teeth dealt by hand: columns written top, middle, bottom; seat 0 sits at the top, seat 1 at the bottom."""

from __future__ import annotations

from typing import Any

from tabletin.games.teeth.columns import DECK
from tabletin.games.teeth.rules import Teeth
from tabletin.games.teeth.state import TeethState
from tabletin.kernel.dealing import answer
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.options import Refusal
from tabletin.kernel.requests import Roll, Shuffle
from tabletin.kernel.schema import Move
from tabletin.kernel.state import Event


class Deal:
    """A match whose first deal and pile begin with ``cards``; ``first`` begins. Later shuffles keep the deck's order."""

    def __init__(self, cards: str, first: int = 0, **options: Any) -> None:
        self.rules = Teeth(2, options)
        self.state: TeethState = self.rules.start()
        self.state.events = []
        self.faces = Faces()
        self.first = first
        self.stacked: list[Face] = cards.split()
        self.settle()

    def settle(self) -> None:
        """Answer whatever is asked."""
        state = self.state
        while state.requests:
            request = state.requests[0]
            result: Any = None
            if isinstance(request, Shuffle):
                rest = list(DECK)
                for face in self.stacked:
                    rest.remove(face)
                deck = [*self.stacked, *rest]
                self.faces.update(zip(range(state.next_card, state.next_card + len(deck)), deck, strict=True))
            elif isinstance(request, Roll):
                result = self.first + 1
            else:
                result, _ = answer(state, request, self.faces, None)  # type: ignore[arg-type]  # no chance left
            request, cards = state.settle(result)
            self.rules.take_answer(state, request, cards, result)

    def refusal(self, seat: int, *move: Any) -> Refusal | None:
        """Why the table would refuse ``move``; changes nothing."""
        return self.rules.make(self.state.copy(), seat, move, self.faces)

    def do(self, seat: int, *move: Any) -> Deal:
        refusal = self.rules.make(self.state, seat, move, self.faces)
        assert refusal is None, refusal
        self.settle()
        return self

    def moves(self, seat: int) -> set[Move]:
        return set(self.rules.moves(self.state, seat, self.faces))

    def shown(self, cards: tuple[Card, ...]) -> list[Face]:
        return [self.faces[card] for card in cards]

    def told(self, key: str) -> list[Event]:
        assert self.state.events is not None
        return [event for event in self.state.events if event.key == key]
