"""Iota positions written as pictures: faces row by row, a dot for an empty cell, (0, 0) in the upper left corner.
"""

from __future__ import annotations

from typing import Any

from tabletin.games.iota.grid import cell_at
from tabletin.games.iota.rules import Iota, IotaState
from tabletin.kernel.faces import Card, Faces


class Position:
    """A match of Iota set up by hand. Faces are given as in ``rc1``; every card gets a handle in order of mention."""

    def __init__(self, picture: str, hand: str = "", pile: int = 20, seats: int = 2, others: int = 4, **options: Any) -> None:
        self.rules = Iota(seats, options)
        self.state = IotaState(seats)
        self.faces = Faces()
        state = self.state
        state.turn = 0
        for y, row in enumerate(picture.split("/")):
            for x, face in enumerate(row.split()):
                if face != ".":
                    card = self._card(face)
                    state.public[card] = face
                    state.put(card, cell_at(x, y))
        state.hold(0, tuple(self._card(face) for face in hand.split()))
        for seat in range(1, seats):
            state.hold(seat, tuple(self._card("rc1") for _ in range(others)))
        state.pile = tuple(self._card("gs2") for _ in range(pile))

    def _card(self, face: str) -> Card:
        card = self.state.next_card
        self.state.next_card += 1
        self.faces[card] = face
        return card

    def give(self, hand: str) -> Position:
        """Seat 0 to play again, now with ``hand``, whatever the dealer still owed."""
        self.state.requests = ()
        self.state.turn = 0
        self.state.hold(0, tuple(self._card(face) for face in hand.split()))
        return self

    def card(self, face: str) -> Card:
        """The handle in seat 0's hand with ``face``."""
        return next(card for card in self.state.hands[0] if self.faces[card] == face)

    def at(self, x: int, y: int) -> Card:
        return self.state.grid[cell_at(x, y)]

    def play(self, *lays: tuple[str, int, int], recycle: tuple[tuple[tuple[int, int], str], ...] = ()) -> str | int:
        """Make the play: the points it scored, or the key of the refusal without its prefix."""
        swaps = tuple((self.at(*where), self.card(face)) for where, face in recycle)
        wilds = {self.at(*where) for where, _ in recycle}
        hand = list(self.state.hands[0]) + list(wilds)
        result = []
        for face, x, y in lays:
            card = next(c for c in hand if self.faces[c] == face)
            hand.remove(card)
            result.append((card, x, y))
        before = self.state.scores[0]
        refusal = self.rules.make(self.state, 0, ("play", swaps, tuple(result)), self.faces)
        return self.state.scores[0] - before if refusal is None else refusal.key.removeprefix("iota.refuse.")

    def pass_(self, *trade: str, recycle: tuple[tuple[tuple[int, int], str], ...] = ()) -> str | None:
        """Pass, trading these faces: None, or the refusal's key without its prefix."""
        swaps = tuple((self.at(*where), self.card(face)) for where, face in recycle)
        hand = list(self.state.hands[0]) + [wild for wild, _ in swaps]
        cards = tuple(next(c for c in hand if self.faces[c] == face) for face in trade)
        refusal = self.rules.make(self.state, 0, ("pass", swaps, cards), self.faces)
        return None if refusal is None else refusal.key.removeprefix("iota.refuse.")
