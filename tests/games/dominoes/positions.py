"""Rounds of dominoes dealt by hand: hands and pile written as faces ("6-3"), moves made by naming faces.
"""

from __future__ import annotations

from typing import Any

from tabletin.games.dominoes.base import DominoRules
from tabletin.games.dominoes.state import LEADING, DominoState
from tabletin.kernel.dealing import answer
from tabletin.kernel.faces import Card, Faces
from tabletin.kernel.options import Refusal
from tabletin.kernel.requests import Shuffle
from tabletin.kernel.schema import Move
from tabletin.kernel.state import Event
from tabletin.registry import rules_of


class Round:
    """A first round of ``game`` with these hands (seat 0's first) and the pile beginning with ``pile``."""

    def __init__(self, game: str, hands: list[str], pile: str = "", **options: Any) -> None:
        rules = rules_of(game)(len(hands), options)
        assert isinstance(rules, DominoRules)
        self.rules = rules
        self.faces = Faces()
        self.state: DominoState = rules.start()
        self.state.events = []
        self.order = [face for hand in hands for face in hand.split()] + pile.split()
        rest = [face for face in rules.deck() if face not in self.order]
        assert len(set(self.order)) == len(self.order)
        assert all(len(hand.split()) == rules.hand_size for hand in hands), rules.hand_size
        self.order += rest
        self.cards = {face: card for card, face in enumerate(self.order)}  # handles of the first deal
        self.settle()

    def settle(self, *later: str) -> None:
        """Answer every request; the first deal is stacked, later ones are dealt as ``later`` begins, then any way."""
        state = self.state
        while state.requests:
            request = state.requests[0]
            if isinstance(request, Shuffle):
                faces = self.order or [*later, *(face for face in self.rules.deck() if face not in later)]
                self.order = []
                self.faces.update(zip(range(state.next_card, state.next_card + len(faces)), faces, strict=True))
                result = None
            else:
                result, _ = answer(state, request, self.faces, None)  # type: ignore[arg-type]  # no chance left
            request, cards = state.settle(result)
            self.rules.take_answer(state, request, cards, result)

    def card(self, face: str) -> Card:
        """The handle that shows ``face`` in the first deal."""
        return self.cards[face]

    def hold(self, *hands: str, ends: tuple[int, ...] | None = None, pile: str | None = None) -> Round:
        """Change hands (seat 0's first; the others stay), the numbers open, and the pile, whatever was there before."""
        held = [tuple(map(self.card, hand.split())) for hand in hands]
        self.state.hands = (*held, *self.state.hands[len(held):])
        if ends is not None:
            self.state.open = dict(enumerate(ends))
        if pile is not None:
            self.state.pile = tuple(map(self.card, pile.split()))
        return self

    def hand(self, seat: int) -> list[str]:
        return [self.faces[card] for card in self.state.hands[seat]]

    def spelled(self, move: tuple[Any, ...]) -> Move:
        """``move`` with a face turned into its handle."""
        return (move[0], self.card(move[1]), *move[2:]) if len(move) > 1 else move

    def refusal(self, seat: int, *move: Any) -> Refusal | None:
        """Why the table would refuse ``move``; changes nothing."""
        trial = self.state.copy()
        return self.rules.make(trial, seat, self.spelled(move), self.faces)

    def own_refusal(self, seat: int, *move: Any) -> Refusal | None:
        return self.rules.own_refusal(self.state, seat, self.spelled(move), self.faces)

    def do(self, seat: int, *move: Any) -> Round:
        """Make a move, honest or not, that the table accepts."""
        refusal = self.rules.make(self.state, seat, self.spelled(move), self.faces)
        assert refusal is None, refusal
        self.settle()
        return self

    def lay(self, seat: int, face: str, number: int, inner: int | None = None) -> Round:
        """Lay on the newest open place that shows ``number``."""
        place = max(place for place, open_ in self.state.open.items() if open_ == number)
        return self.do(seat, "lay", face, place, *(() if inner is None else (inner,)))

    def led(self) -> Round:
        """Everybody answers honestly until the lead lies on the table."""
        while self.state.phase == LEADING:
            seat = self.state.waiting[0]
            self.do_move(seat, next(self.rules.moves(self.state, seat, self.faces)))
        return self

    def do_move(self, seat: int, move: Move) -> None:
        refusal = self.rules.make(self.state, seat, move, self.faces)
        assert refusal is None, refusal
        self.settle()

    def honest(self, seat: int) -> set[Move]:
        return set(self.rules.moves(self.state, seat, self.faces))

    def told(self, key: str) -> list[Event]:
        """The events so far with ``key``."""
        assert self.state.events is not None
        return [event for event in self.state.events if event.key == key]
