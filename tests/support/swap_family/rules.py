"""Swap: every hand is four cards, or two, and one card lies open. A turn puts some of them under the pile,
closed, and draws as many; or lays one, open.

Putting none is to pass. The match ends when every seat has had ``turns`` turns. What is laid counts its number.
"""

from __future__ import annotations

from collections.abc import Iterator

from tabletin.kernel.faces import Card, Faces
from tabletin.kernel.options import Choice, Number, Refusal, Switch
from tabletin.kernel.requests import ALL, Request, Result, Show, Shuffle, TakeBack
from tabletin.kernel.rules import Outcome, Rules, Zone
from tabletin.kernel.schema import CARD, CARDS, Move
from tabletin.kernel.state import State

HAND = 4
SMALL_HAND = 2
ENDED = "swap.ended"


class SwapState(State):
    """``acted``: how many turns each seat has had. ``turn``: the seat to play, -1 before the deal."""

    __slots__ = ("pile", "hands", "laid", "turn", "points", "acted")

    def __init__(self, seats: int) -> None:
        super().__init__()
        self.pile: tuple[Card, ...] = ()
        self.hands: tuple[tuple[Card, ...], ...] = ((),) * seats
        self.laid: tuple[Card, ...] = ()
        self.turn = -1
        self.points = self.acted = (0,) * seats


class Swap(Rules[SwapState]):
    id = "swap"
    seat_counts = range(2, 5)
    options = (Number("turns", 1, 30, 6), Switch("small_hands", False), Choice("first_seat", ("1", "2", "3", "4"), "1"))
    verbs = {"swap": (CARDS,), "lay": (CARD,)}
    plays_on = True

    def check(self) -> Refusal | None:
        return Refusal("swap.refuse.first_seat") if int(self.option_values["first_seat"]) > self.seats else None

    def deck(self) -> tuple[str, ...]:
        return tuple(f"n{number}" for number in range(1, 41))

    def start(self) -> SwapState:
        state = SwapState(self.seats)
        state.new_deck(self.deck())
        return state

    def take_answer(self, state: SwapState, request: Request, cards: tuple[Card, ...], result: Result) -> None:
        if isinstance(request, Shuffle):
            state.pile = cards
            if request.purpose == "remix":
                return
            state.turn = int(self.option_values["first_seat"]) - 1
            for seat in range(self.seats):
                self._draw(state, seat, SMALL_HAND if self.option_values["small_hands"] else HAND)
            state.ask(Show(state.pile[:1], ALL, "starter"))
        elif isinstance(request, Show) and request.reader == ALL:
            state.laid, state.pile = cards, state.pile[1:]
        elif isinstance(request, Show):
            state.say("swap.log.drew", request.reader, cards=cards, to=request.reader)

    def _draw(self, state: SwapState, seat: int, count: int) -> None:
        cards, state.pile = state.pile[:count], state.pile[count:]
        self._hold(state, seat, state.hands[seat] + cards)
        if cards:
            state.ask(Show(cards, seat))

    def _hold(self, state: SwapState, seat: int, cards: tuple[Card, ...]) -> None:
        state.hands = (*state.hands[:seat], cards, *state.hands[seat + 1:])

    def actors(self, state: SwapState) -> tuple[int, ...]:
        return () if state.turn < 0 or self.outcome(state) else (state.turn,)

    def opens(self, state: SwapState, seat: int, move: Move) -> tuple[Card, ...]:
        return (move[1],) if move[0] == "lay" else ()

    def verdict(self, state: SwapState, seat: int, move: Move) -> Refusal | None:
        cards = move[1] if move[0] == "swap" else (move[1],)
        own = len(set(cards)) == len(cards) and set(cards) <= set(state.hands[seat])
        return None if own else Refusal("kernel.not_yours")

    def apply(self, state: SwapState, seat: int, move: Move) -> None:
        verb, given = move
        cards = given if verb == "swap" else (given,)
        self._hold(state, seat, tuple(card for card in state.hands[seat] if card not in cards))
        if verb == "lay":
            state.laid += cards
            state.points = tuple(points + int(state.public[given][1:]) * (index == seat)
                                 for index, points in enumerate(state.points))
            state.say("swap.log.laid", seat, cards=cards)
        else:
            state.pile += cards
            if cards:
                state.ask(TakeBack(cards))
            state.say("swap.log.swapped", seat, n=len(cards))
            self._draw(state, seat, len(cards))
        state.acted = tuple(times + (index == seat) for index, times in enumerate(state.acted))
        state.turn = self.next_seat(state, seat)

    def play_without(self, state: SwapState, seats: tuple[int, ...]) -> None:
        for seat in seats:
            self._hold(state, seat, ())
        if state.turn in seats:
            state.turn = self.next_seat(state, state.turn)

    def moves(self, state: SwapState, seat: int, faces: Faces) -> Iterator[Move]:
        for card in state.hands[seat]:
            yield ("lay", card)
            yield ("swap", (card,))
        yield ("swap", ())

    def outcome(self, state: SwapState) -> Outcome | None:
        turns = self.option_values["turns"]
        if state.turn < 0 or state.requests or any(state.acted[seat] < turns for seat in self.playing(state)):
            return None
        return Outcome(state.points, self.best(state, state.points), ENDED)

    def standings(self, state: SwapState) -> tuple[int, ...]:
        return state.points

    def zones(self, state: SwapState) -> dict[Zone, tuple[Card, ...]]:
        return {"pile": state.pile, "laid": state.laid,
                **{("hand", str(seat)): hand for seat, hand in enumerate(state.hands)}}

    def remix(self, state: SwapState) -> None:
        state.ask(Shuffle(cards=state.pile, purpose="remix"))
