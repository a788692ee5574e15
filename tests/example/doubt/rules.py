"""The rules of Doubt, in which cards lie face down and nobody knows who lies. Source: ``rulebook.md``, rulings DB-1…DB-4.

It shows how closed cards are handled: each request that the rules leave says in a comment what would leak without it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tabletin.kernel.deck52 import FACES, RANKS, rank_of
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.options import Number, Refusal
from tabletin.kernel.requests import Open, Request, Result, Show, Shuffle, TakeBack
from tabletin.kernel.rules import Outcome, Rules, Zone
from tabletin.kernel.schema import CARD, Move
from tabletin.kernel.state import State


class DoubtState(State):
    """``hands`` by seat. ``heap``: the cards laid, the last on top. ``due``: index of the rank to say next. ``turn``: who acts.

    ``layer``: who laid the top card, None with no heap. ``taker``: who is to take the heap up, None as a rule. ``won``: a seat.
    """

    __slots__ = ("hands", "heap", "due", "turn", "layer", "taker", "won")

    def __init__(self, seats: int) -> None:
        super().__init__()
        self.hands: tuple[tuple[Card, ...], ...] = ((),) * seats
        self.heap: tuple[Card, ...] = ()
        self.due = 0
        self.turn = 0
        self.layer: int | None = None
        self.taker: int | None = None
        self.won: int | None = None

    def hold(self, seat: int, cards: tuple[Card, ...]) -> None:
        self.hands = (*self.hands[:seat], cards, *self.hands[seat + 1:])


class Doubt(Rules[DoubtState]):
    """Doubt for two to six seats."""

    id = "doubt"
    seat_counts = range(2, 7)
    options = (Number("ranks", 4, 13, 13),)
    verbs = {"lay": (CARD,), "doubt": ()}
    low_wins = True

    @property
    def ranks(self) -> tuple[str, ...]:
        """The ranks that are played with, in the order in which they are said (DB-1)."""
        return RANKS[:self.option_values["ranks"]]

    def deck(self) -> tuple[Face, ...]:
        return tuple(face for face in FACES if rank_of(face) in self.ranks)

    def said(self, state: DoubtState) -> str:
        """The rank that the top card of the heap was said to be."""
        return self.ranks[(state.due - 1) % len(self.ranks)]

    # ---- dealing ----

    def start(self) -> DoubtState:
        state = DoubtState(self.seats)
        state.new_deck(self.deck())
        return state

    def take_answer(self, state: DoubtState, request: Request, cards: tuple[Card, ...], result: Result) -> None:
        match request:
            case Shuffle(purpose="deck"):
                for seat in range(self.seats):
                    self._take(state, seat, cards[seat::self.seats])
            case Shuffle() if state.taker is not None:
                state.heap, taker, state.taker = (), state.taker, None
                self._take(state, taker, cards)
            case Open():
                self._settle(state)

    def _take(self, state: DoubtState, seat: int, cards: tuple[Card, ...]) -> None:
        state.hold(seat, state.hands[seat] + cards)
        state.ask(Show(cards, seat))

    # ---- moves ----

    def actors(self, state: DoubtState) -> tuple[int, ...]:
        return () if state.won is not None else (state.turn,)

    def verdict(self, state: DoubtState, seat: int, move: Move) -> Refusal | None:
        if move[0] == "doubt":
            return None if state.heap else Refusal("doubt.refuse.nothing_laid", rule="DB-3")
        return None if move[1] in state.hands[seat] else Refusal("kernel.not_yours")

    def apply(self, state: DoubtState, seat: int, move: Move) -> None:
        if move[0] == "doubt":
            state.say("doubt.log.doubted", seat, other=state.layer)
            state.ask(Open(state.heap[-1:], "doubt"))
        else:
            self._lay(state, seat, move[1])

    def _lay(self, state: DoubtState, seat: int, card: Card) -> None:
        """Lay ``card`` face down. Whoever laid the last of its hand before has been believed (DB-2, DB-4)."""
        before = state.layer
        state.hold(seat, tuple(other for other in state.hands[seat] if other != card))
        state.heap += (card,)
        state.ask(TakeBack((card,)))  # else only this seat could ever turn it up
        state.say("doubt.log.laid", seat, rank=f"deck52.rank.{self.ranks[state.due]}")
        state.due = (state.due + 1) % len(self.ranks)
        state.layer, state.turn = seat, self.next_seat(state, seat)
        if before is not None and not state.hands[before]:
            self._win(state, before)

    def _settle(self, state: DoubtState) -> None:
        """The doubted card lies open: who was wrong takes the heap, the other lays next (DB-3)."""
        doubter, layer, top = state.turn, state.layer, state.heap[-1]
        assert layer is not None
        honest = rank_of(state.public[top]) == self.said(state)
        state.say(f"doubt.log.{'honest' if honest else 'caught'}", layer, cards=(top,))
        state.taker, state.turn = (doubter, layer) if honest else (layer, doubter)
        state.layer = None
        state.say("doubt.log.took", state.taker, n=len(state.heap))
        if honest and not state.hands[layer]:
            self._win(state, layer)
        else:
            state.ask(Shuffle(cards=state.heap, purpose="heap"))  # else everybody could follow the cards in that hand

    def _win(self, state: DoubtState, seat: int) -> None:
        state.won = seat
        state.say("doubt.log.out", seat)

    def moves(self, state: DoubtState, seat: int, faces: Faces) -> Iterator[Move]:
        if state.heap:
            yield ("doubt",)
        for card in state.hands[seat]:
            yield ("lay", card)

    def default(self, state: DoubtState, seat: int) -> Move | None:
        return ("lay", state.hands[seat][0])

    # ---- the end ----

    def outcome(self, state: DoubtState) -> Outcome | None:
        if state.won is None or state.requests:  # a dealer answers nothing after the end
            return None
        return Outcome(self.standings(state), (state.won,), "doubt.ended", self.low_wins)

    def standings(self, state: DoubtState) -> tuple[int, ...]:
        """Cards in hand; few are good."""
        return tuple(map(len, state.hands))

    def zones(self, state: DoubtState) -> dict[Zone, tuple[Card, ...]]:
        return {"heap": state.heap, **{("hand", str(seat)): hand for seat, hand in enumerate(state.hands)}}
