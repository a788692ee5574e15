"""Progressive TooT: every round a card more, everybody alone with their own cards. What is left over counts; lowest
wins.

Source: rulebook ``toot``, "Progressive TooT", and ruling TO-5. All seats work at the same time: each says that it is
done, and only when all have said so does each show its arrangement.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from tabletin.games.toot.arrangement import TOOTS, FaceNode, Node, Toots, as_faces, cards_of
from tabletin.games.toot.base import MOST_SEATS, TootRules, TootState
from tabletin.games.toot.cards import DECK
from tabletin.kernel.faces import Card, Faces
from tabletin.kernel.options import Number, Refusal, Switch
from tabletin.kernel.requests import Request, Result, Show
from tabletin.kernel.rules import Outcome, SheetRow, Zone
from tabletin.kernel.schema import Move

FIRST_ROUND: Final = 4  # cards each in the first round
LONGEST: Final = 12


class ProgressiveState(TootState):
    """``size``: cards each this round. ``phase``: "deal", "work" (saying done) or "show". ``finished_seats``: seats that have.

    ``toots``: what each seat has shown this round, None until or unless it shows something; ``answered_seats``: seats that have
    answered. ``hands`` hold what is not shown. ``set_aside``: cards of earlier rounds set aside. ``rounds``: what each
    round cost each seat. ``last``: the arrangements of the round before, as faces, None for a seat that showed none, and
    ``left_over`` the cards that each seat did not use then.
    """

    __slots__ = ("set_aside", "finished_seats", "last", "left_over", "phase", "rounds", "answered_seats", "size", "toots")

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.size = FIRST_ROUND
        self.phase = "deal"
        self.finished_seats: frozenset[int] = frozenset()
        self.answered_seats: frozenset[int] = frozenset()
        self.toots: tuple[Node | None, ...] = (None,) * seats
        self.set_aside: tuple[Card, ...] = ()
        self.rounds: tuple[tuple[int, ...], ...] = ()
        self.last: tuple[FaceNode | None, ...] = (None,) * seats
        self.left_over: tuple[tuple[Card, ...], ...] = ((),) * seats


class Progressive(TootRules[ProgressiveState]):
    """Progressive TooT for 1–6 seats, alone against the cards too."""

    id = "toot-progressive"
    seat_counts = range(1, MOST_SEATS + 1)
    several_hands = True
    options = (Number("last_round", FIRST_ROUND, LONGEST, 10), Switch("set_aside"))
    verbs = {"done": (), "show": (TOOTS,)}
    low_wins = True
    quiet_events_of_others = frozenset(("toot.log.dealt", "toot.log.done"))

    def check(self) -> Refusal | None:
        """As many decks as the largest round needs (TO-5)."""
        self.decks = -(-self.seats * self.option_values["last_round"] // len(DECK))
        return None

    # ---- rounds ----

    def start(self) -> ProgressiveState:
        state = ProgressiveState(self.seats)
        state.new_deck(self.deck())
        return state

    def take_answer(self, state: ProgressiveState, request: Request, cards: tuple[Card, ...], result: Result) -> None:
        if isinstance(request, Show):
            state.say("toot.log.dealt", request.reader, cards=cards)
            if not state.requests:
                state.phase = "work"
        else:
            state.pile = cards
            if state.phase == "deal":
                self._deal(state)

    def _deal(self, state: ProgressiveState) -> None:
        """``size`` cards each, dealt from the left of the dealer; the deal goes round from seat 1 on."""
        dealer = len(state.rounds)
        state.say("toot.log.round", n=state.size)
        for step in range(1, self.seats + 1):
            self.take(state, (dealer + step) % self.seats, state.size, "deal")

    def _next_round(self, state: ProgressiveState) -> None:
        """The round is counted; cards are shuffled for the next, or set aside while enough are left for all (TO-5).

        A seat that left it pays as much as the seat that pays most, and needs a new deck to play again.
        """
        most = max(len(state.hands[seat]) for seat in self.playing(state))
        state.rounds += (tuple(most if seat in state.absentees else len(hand) for seat, hand in enumerate(state.hands)),)
        state.last = tuple(None if node is None else as_faces(node, state.public) for node in state.toots)
        state.left_over = state.hands
        if state.size == self.option_values["last_round"]:
            state.end_reason = "toot.ended.rounds"
            return
        state.size += 1
        used = tuple(card for cards in self._used(state) for card in cards)
        state.hands, state.toots = ((),) * self.seats, (None,) * self.seats
        state.phase, state.finished_seats, state.answered_seats = "deal", frozenset(), frozenset()
        if self.option_values["set_aside"] and not state.absentees and len(state.pile) >= self.seats * state.size:
            state.set_aside += used
            self._deal(state)
        else:
            state.set_aside = state.pile = ()
            state.new_deck(self.deck())

    def redeal(self, state: ProgressiveState) -> None:
        """A void round is dealt again with as many cards; the rounds written down stand."""
        if not state.end_reason:
            state.hands, state.toots = ((),) * self.seats, (None,) * self.seats
            state.phase, state.finished_seats, state.answered_seats = "deal", frozenset(), frozenset()
            state.set_aside = state.pile = ()
            state.new_deck(self.deck())

    def _used(self, state: ProgressiveState) -> list[tuple[Card, ...]]:
        return [hand + (cards_of((node,)) if node else ()) for hand, node in zip(state.hands, state.toots, strict=True)]

    # ---- playing ----

    def actors(self, state: ProgressiveState) -> tuple[int, ...]:
        if state.end_reason or state.phase == "deal":
            return ()
        settled = state.finished_seats if state.phase == "work" else state.answered_seats
        return tuple(seat for seat in self.playing(state) if seat not in settled)

    def verdict(self, state: ProgressiveState, seat: int, move: Move) -> Refusal | None:
        """Cards are opened only when all have said that they are done (TO-5)."""
        if (move[0] == "done") != (state.phase == "work"):
            return Refusal("toot.refuse.not_now", rule="TO-5")
        return self.laying_refusal(state, seat, move[1]) if move[0] == "show" and move[1] else None

    def apply(self, state: ProgressiveState, seat: int, move: Move) -> None:
        if move[0] == "done":
            state.finished_seats |= {seat}
            state.say("toot.log.done", seat)
        else:
            self._show(state, seat, move[1])
        self._go_on(state)

    def _go_on(self, state: ProgressiveState) -> None:
        """Once all have said that they are done they show, and once all have shown the round is counted (TO-5)."""
        if self.actors(state):
            return
        if state.phase == "work":
            state.phase = "show"
            state.say("toot.log.all_done")
        else:
            self._next_round(state)

    def play_without(self, state: ProgressiveState, seats: tuple[int, ...]) -> None:
        """What they have shown stays."""
        for seat in seats:
            state.hold(seat, ())
        self._go_on(state)

    def _show(self, state: ProgressiveState, seat: int, toots: Toots) -> None:
        cards = cards_of(toots)
        state.answered_seats |= {seat}
        state.lose(seat, cards)
        left = len(state.hands[seat])
        if toots:
            state.toots = (*state.toots[:seat], toots[0], *state.toots[seat + 1:])
            state.say("toot.log.showed" if left else "toot.log.showed_all", seat, cards=cards, n=left)
            self.say_wilds(state, seat, toots)
        else:
            state.say("toot.log.showed_none", seat, n=left)

    # ---- the end ----

    def standings(self, state: ProgressiveState) -> tuple[int, ...]:
        return tuple(sum(row[seat] for row in state.rounds) for seat in range(self.seats))

    def outcome(self, state: ProgressiveState) -> Outcome | None:
        """The lowest total wins, ties share (TO-5)."""
        if not state.end_reason:
            return None
        totals = self.standings(state)
        return Outcome(totals, self.best(state, totals), state.end_reason, low_wins=True)

    def sheet(self, state: ProgressiveState) -> list[SheetRow]:
        rows = [SheetRow("toot.sheet.round", row, {"n": FIRST_ROUND + index}) for index, row in enumerate(state.rounds)]
        return [*rows, SheetRow("toot.sheet.total", self.standings(state), total=True)]

    # ---- what a seat may do ----

    def moves(self, state: ProgressiveState, seat: int, faces: Faces) -> Iterator[Move]:
        """Done; or showing nothing and a TooT or two of each size that can be made."""
        if state.phase == "work":
            yield ("done",)
            return
        yield ("show", ())
        for toots in self.proposals(state, seat, faces):
            yield ("show", toots)

    def random_move(self, state: ProgressiveState, seat: int, faces: Faces, rng: Random) -> Move:
        """Done; or showing nothing or one of the TooTs proposed."""
        return ("done",) if state.phase == "work" else ("show", self.random_laying(state, seat, faces, rng))

    def default(self, state: ProgressiveState, seat: int) -> Move | None:
        """A silent seat is done, and shows none: all its cards count (TO-5)."""
        return ("done",) if state.phase == "work" else ("show", ())

    # ---- what readers look at ----

    def zones(self, state: ProgressiveState) -> dict[Zone, tuple[Card, ...]]:
        return {"pile": state.pile, "aside": state.set_aside,
                **{("hand", str(seat)): hand for seat, hand in enumerate(state.hands)},
                **{("toot", str(seat)): cards_of((node,)) for seat, node in enumerate(state.toots) if node is not None}}
