"""Speed TooT: everybody at once with seven cards each; the first to make one TooT of all their cards wins the round.

Source: rulebook ``toot``, "Speed TooT", and ruling TO-8. There is no clock here: the order of the log decides. A draw
is answered to its own seat alone while the others play on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tabletin.kernel.faces import Card, Faces
from tabletin.kernel.options import Number, Refusal, Switch
from tabletin.kernel.requests import Request, Result, Show, Shuffle
from tabletin.kernel.rules import Outcome, SheetRow, Zone
from tabletin.kernel.shapes import Move

from .arrangement import TOOTS, FaceNode, Toots, as_faces, cards_of, flaw, laid_on_table
from .base import MOST_SEATS, TootRules, TootState
from .cards import kinds
from .solver import best_use, build

HAND: Final = 7


class SpeedState(TootState):
    """``phase``: "ready" (waiting for everybody), "go" (playing) or "over" (the round is; draws are still answered).

    ``round``: rounds begun, those played again included. ``ready``: seats that are. ``gave_in``: seats that gave up
    since the last draw. ``voided``: seats whose false claim has voided a round. ``wins`` by seat. ``last``: the last
    claim, (seat, its TooTs as faces, what was wrong with it or ""), or None.
    """

    __slots__ = ("gave_in", "last", "phase", "ready", "round", "voided", "wins")

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.phase = "ready"
        self.round = 0
        self.ready: frozenset[int] = frozenset()
        self.gave_in: frozenset[int] = frozenset()
        self.voided: frozenset[int] = frozenset()
        self.wins: tuple[int, ...] = (0,) * seats
        self.last: tuple[int, tuple[FaceNode, ...], str] | None = None


class Speed(TootRules[SpeedState]):
    """Speed TooT for 1–6 seats; alone, against the page's clock."""

    id = "toot-speed"
    against_time = True
    seat_counts = range(1, MOST_SEATS + 1)
    options = (Number("target", 1, 20, 7), Switch("gentle"))
    verbs = {"ready": (), "draw": (), "claim": (TOOTS,), "give_up": ()}

    # ---- rounds ----

    def start(self) -> SpeedState:
        state = SpeedState(self.seats)
        state.new_deck(self.deck())
        return state

    def answered(self, state: SpeedState, request: Request, cards: tuple[Card, ...], result: Result) -> None:
        if isinstance(request, Shuffle):
            state.pile = cards
            if request.purpose == "deck":
                state.round += 1
                for seat in range(self.seats):
                    self.deal(state, seat, HAND)  # face down until everybody is ready
                state.say("toot.log.speed_round", n=state.round)
        elif isinstance(request, Show):
            state.say("toot.log.dealt" if request.purpose == "go" else "toot.log.drew", request.to, cards=cards)
            if state.phase == "over" and not state.requests:
                self._next_round(state)

    def _end_round(self, state: SpeedState) -> None:
        """The round is over; the next is dealt as soon as no draw waits for its answer."""
        state.phase = "over"
        if max(state.wins) >= self.chosen["target"]:
            state.ended = "toot.ended.target"
            state.requests = ()  # nobody answers a draw any more
        elif not state.requests:
            self._next_round(state)

    def _next_round(self, state: SpeedState) -> None:
        state.hands, state.pile = ((),) * self.seats, ()
        state.ready = state.gave_in = frozenset()
        state.phase = "ready"
        state.new_deck(self.deck())

    def redeal(self, state: SpeedState) -> None:
        """A void round is played again; rounds won stand."""
        if not state.ended:
            state.round -= state.phase != "ready" or any(state.hands)
            self._next_round(state)

    # ---- who may act ----

    def busy(self, state: SpeedState) -> bool:
        """A draw concerns its own seat alone: the others go on meanwhile."""
        return any(not isinstance(request, Show) or request.purpose != "draw" for request in state.requests)

    def actors(self, state: SpeedState) -> tuple[int, ...]:
        """Everybody but who waits for a card; and giving up is final once there is nothing left to draw."""
        if state.ended or state.phase == "over":
            return ()
        if state.phase == "ready":
            return tuple(seat for seat in range(self.seats) if seat not in state.ready)
        out = {request.to for request in state.requests if isinstance(request, Show)}
        if not state.pile:
            out |= state.gave_in
        return tuple(seat for seat in range(self.seats) if seat not in out)

    # ---- judging ----

    def verdict(self, state: SpeedState, seat: int, move: Move) -> Refusal | None:
        verb = move[0]
        if (verb == "ready") != (state.phase == "ready"):
            return Refusal("toot.refuse.not_now", rule="TO-8")
        if verb == "draw" and not state.pile:
            return Refusal("toot.refuse.pile_empty", rule="TO-8")
        if verb == "give_up" and seat in state.gave_in:
            return Refusal("toot.refuse.gave_up_already", rule="TO-8")
        return self._claim_refusal(state, seat, move[1]) if verb == "claim" else None

    def _claim_refusal(self, state: SpeedState, seat: int, toots: Toots) -> Refusal | None:
        """A claim with cards not held is refused; a wrong one only where it no longer voids the round (TO-8)."""
        refusal = laid_on_table(toots, state.hands[seat])
        if refusal is not None:
            return refusal
        return self.claim_flaw(state, seat, toots) if self.chosen["gentle"] or seat in state.voided else None

    def claim_flaw(self, state: SpeedState, seat: int, toots: Toots) -> Refusal | None:
        """What is wrong with a claim of cards that ``seat`` holds: no TooT, or not all cards; None if nothing is."""
        left = len(state.hands[seat]) - len(cards_of(toots))
        return flaw(toots, state.public) or (Refusal("toot.refuse.cards_left", {"n": left}, "TO-8") if left else None)

    # ---- playing ----

    def apply(self, state: SpeedState, seat: int, move: Move) -> None:
        if move[0] == "ready":
            self._ready(state, seat)
        elif move[0] == "draw":
            state.gave_in = frozenset()
            self.take(state, seat, 1)
        elif move[0] == "claim":
            self._claim(state, seat, move[1])
        else:
            self._give_up(state, seat)

    def _ready(self, state: SpeedState, seat: int) -> None:
        """Hands are shown when the last seat is ready, not at the deal (TO-8)."""
        state.ready |= {seat}
        state.say("toot.log.ready", seat)
        if len(state.ready) == self.seats:
            state.phase = "go"
            state.say("toot.log.go")
            for other, hand in enumerate(state.hands):
                state.ask(Show(hand, other, "go"))

    def _claim(self, state: SpeedState, seat: int, toots: Toots) -> None:
        wrong = self.claim_flaw(state, seat, toots)
        state.last = (seat, tuple(as_faces(node, state.public) for node in toots), wrong.key if wrong else "")
        cards = cards_of(toots)
        if wrong is None:
            state.wins = tuple(wins + (index == seat) for index, wins in enumerate(state.wins))
            state.say("toot.log.claimed", seat, cards=cards)
            self.say_stated(state, seat, toots)
            state.say("toot.log.won_round", seat)
        else:
            state.voided |= {seat}
            state.say("toot.log.void_claim", seat, cards=cards)
            state.say(wrong.key, **wrong.params)
        self._end_round(state)

    def _give_up(self, state: SpeedState, seat: int) -> None:
        """The pile empty and every seat having given up since the last draw, the round is void (TO-8)."""
        state.gave_in |= {seat}
        state.say("toot.log.gave_up", seat)
        if not state.pile and len(state.gave_in) == self.seats:
            state.say("toot.log.void_given_up")
            self._end_round(state)

    # ---- the end ----

    def standings(self, state: SpeedState) -> tuple[int, ...]:
        return state.wins

    def outcome(self, state: SpeedState) -> Outcome | None:
        """First to so many rounds (TO-8)."""
        if not state.ended:
            return None
        return Outcome(state.wins, (state.wins.index(max(state.wins)),), state.ended)

    def sheet(self, state: SpeedState) -> list[SheetRow]:
        return [SheetRow("toot.sheet.wins", state.wins, total=True)]

    # ---- what a seat may do ----

    def moves(self, state: SpeedState, seat: int, faces: Faces) -> Iterator[Move]:
        """Ready; or a claim if all cards make one TooT, a draw, giving up. False claims are never proposed."""
        if state.phase == "ready":
            yield ("ready",)
            return
        hand = [(card, faces[card]) for card in state.hands[seat]]
        use = best_use(kinds(face for _, face in hand))
        if use is not None and use.size == len(hand):
            yield ("claim", (build(use, hand),))
        if state.pile:
            yield ("draw",)
        if seat not in state.gave_in:
            yield ("give_up",)

    def default(self, state: SpeedState, seat: int) -> Move | None:
        """A silent seat is ready, and later gives up."""
        if state.phase == "ready":
            return ("ready",)
        return None if seat in state.gave_in else ("give_up",)

    # ---- what readers look at ----

    def zones(self, state: SpeedState) -> dict[Zone, tuple[Card, ...]]:
        return {"pile": state.pile, **{("hand", str(seat)): hand for seat, hand in enumerate(state.hands)}}
