"""A toy game that uses every kind of request, for testing the kernel alone.

Two to four seats, a deck of twelve numbers. Each seat is dealt two cards; in turn a seat lays one open, or claims to hold
nothing above six and returns one under the pile; the claim is checked when all hands are opened at the end. Whoever leaves
is passed over from then on, its hand unopened and its claims unchecked.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.faces import Card, Faces
from tabletin.kernel.options import Number, Refusal
from tabletin.kernel.requests import ALL, Open, Request, Result, Roll, Show, Shuffle, TakeBack
from tabletin.kernel.rules import Finding, Outcome, Rules, Zone
from tabletin.kernel.schema import CARD, Move
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.state import State
from tabletin.kernel.table import AUTHOR, Table


class HighCardState(State):
    __slots__ = ("pile", "hands", "laid", "turn", "points", "claims", "acted", "done")

    def __init__(self) -> None:
        super().__init__()
        self.pile: tuple[Card, ...] = ()
        self.hands: tuple[tuple[Card, ...], ...] = ()
        self.laid: tuple[Card, ...] = ()
        self.turn = -1
        self.points: tuple[int, ...] = ()
        self.claims: tuple[tuple[int, tuple[Card, ...]], ...] = ()
        self.acted: tuple[int, ...] = ()
        self.done = False


class HighCard(Rules[HighCardState]):
    id = "highcard"
    seat_counts = range(2, 5)
    options = (Number("turns", 1, 6, 2),)
    verbs = {"lay": (CARD,), "low": (CARD,)}
    plays_on = True

    def deck(self) -> tuple[str, ...]:
        return tuple(str(number) for number in range(1, 13))

    def start(self) -> HighCardState:
        state = HighCardState()
        state.hands = ((),) * self.seats
        state.points = state.acted = (0,) * self.seats
        state.new_deck(self.deck())
        return state

    def take_answer(self, state: HighCardState, request: Request, cards: tuple[Card, ...], result: Result) -> None:
        if isinstance(request, Shuffle):
            state.pile = cards
            if request.purpose == "remix":
                return
            for seat in range(self.seats):
                self._draw(state, seat, 2)
            state.ask(Show(state.pile[:1], ALL, "starter"))
            state.ask(Roll(self.seats, "first"))
        elif isinstance(request, Roll):
            assert isinstance(result, int)
            state.turn = result - 1
        elif isinstance(request, Open):
            state.done = True
            state.points = tuple(
                points - 100 * any(seat == index and any(int(state.public[c]) > 6 for c in held if c in state.public)
                                   for seat, held in state.claims)
                for index, points in enumerate(state.points))

    def _draw(self, state: HighCardState, seat: int, count: int) -> None:
        cards, state.pile = state.pile[:count], state.pile[count:]
        self._hold(state, seat, state.hands[seat] + cards)
        if cards:
            state.ask(Show(cards, seat))

    def _hold(self, state: HighCardState, seat: int, cards: tuple[Card, ...]) -> None:
        state.hands = (*state.hands[:seat], cards, *state.hands[seat + 1:])

    def actors(self, state: HighCardState) -> tuple[int, ...]:
        return () if state.done or state.turn < 0 else (state.turn,)

    def opens(self, state: HighCardState, seat: int, move: Move) -> tuple[Card, ...]:
        return (move[1],) if move[0] == "lay" else ()

    def verdict(self, state: HighCardState, seat: int, move: Move) -> Refusal | None:
        return None if move[1] in state.hands[seat] else Refusal("kernel.not_yours")

    def apply(self, state: HighCardState, seat: int, move: Move) -> None:
        verb, card = move
        held = state.hands[seat]
        self._hold(state, seat, tuple(other for other in held if other != card))
        if verb == "lay":
            state.laid += (card,)
            points = list(state.points)
            points[seat] += int(state.public[card])
            state.points = tuple(points)
            state.say("highcard.laid", seat, cards=(card,))
        else:
            state.claims += ((seat, held),)
            state.pile += (card,)
            state.ask(TakeBack((card,)))
            state.say("highcard.low", seat)
        state.acted = tuple(times + (index == seat) for index, times in enumerate(state.acted))
        self._go_on(state, seat)

    def _go_on(self, state: HighCardState, seat: int) -> None:
        """``seat`` has had its turn, or left in it."""
        state.turn = self.next_seat(state, seat)
        if not any(state.hands) or all(state.acted[other] >= self.option_values["turns"] for other in self.playing(state)):
            held_now = tuple(card for hand in state.hands for card in hand)
            state.ask(Open(held_now + tuple(c for _, cards in state.claims for c in cards if c not in held_now
                                            and c not in state.public)))

    def play_without(self, state: HighCardState, seats: tuple[int, ...]) -> None:
        for seat in seats:
            self._hold(state, seat, ())
        state.claims = tuple((seat, held) for seat, held in state.claims if seat not in seats)
        if state.turn in seats:
            self._go_on(state, state.turn)

    def moves(self, state: HighCardState, seat: int, faces: Faces) -> Iterator[Move]:
        hand = state.hands[seat]
        for card in hand:
            yield ("lay", card)
        if all(int(faces[card]) <= 6 for card in hand):
            for card in hand:
                yield ("low", card)

    def default(self, state: HighCardState, seat: int) -> Move | None:
        return ("low", state.hands[seat][0])

    def own_refusal(self, state: HighCardState, seat: int, move: Move, faces: Faces) -> Refusal | None:
        if move[0] == "low" and any(int(faces[card]) > 6 for card in state.hands[seat]):
            return Refusal("highcard.not_low")
        return None

    def outcome(self, state: HighCardState) -> Outcome | None:
        if not state.done:
            return None
        return Outcome(state.points, self.best(state, state.points), "highcard.over")

    def standings(self, state: HighCardState) -> tuple[int, ...]:
        return state.points

    def zones(self, state: HighCardState) -> dict[Zone, tuple[Card, ...]]:
        return {"pile": state.pile, "laid": state.laid,
                **{("hand", str(seat)): hand for seat, hand in enumerate(state.hands)}}

    def audit(self, state: HighCardState, faces: Faces) -> list[Finding]:
        return [Finding(seat, "highcard.lied") for seat, held in state.claims
                if any(card in faces and int(faces[card]) > 6 for card in held)]

    def remix(self, state: HighCardState) -> None:
        state.ask(Shuffle(cards=state.pile, purpose="remix"))


def random_table(seed: int, seats: int = 3, **options: Any) -> Table:
    """A toy match played to its end by random moves."""
    rng = Random(seed)
    setup = Setup("highcard", 1, options, (Seat("person", AUTHOR),) * seats)
    table = Table.begin(HighCard, setup, OpenDealer(Random(seed + 1)))
    while table.match.outcome is None:
        seat = table.match.rules.to_act(table.match.state)[0]
        table.move(seat, rng.choice(list(table.match.view((seat,)).moves(seat))))
    return table
