"""What Fluke TooT and TooT Pursuit share: turns of drawing and laying, one TooT on the table, and the last turns.

The TooT on the table is a tree that is only ever put inside a larger one (TO-4). Each game says how a turn begins and
what a play earns.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from random import Random
from typing import ClassVar, TypeVar

from tabletin.games.toot.arrangement import Node, Toots, cards_of, join_table, top
from tabletin.games.toot.base import FIRST_SEAT, MOST_SEATS, TootRules, TootState
from tabletin.games.toot.cards import Kinds, kinds, word_key
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.options import Refusal
from tabletin.kernel.requests import Request, Result, Roll, Show, Shuffle
from tabletin.kernel.rules import Outcome, Zone
from tabletin.kernel.schema import Move


class OneTableState(TootState):
    """``turn``: the seat to play, -1 before the first. ``drawn``: whether it has drawn and is to play now.

    ``table``: the TooT on the table, None before it is started; ``top_face``: what it has on top; ``table_cards``: its cards.
    ``layings``: the turns that added to it, as the seat and how many cards, in order.
    ``closing``: the pile is used up and the last turns are under way; ``queue``: seats whose last turn is still to
    come. ``passed_seats``: seats that laid nothing in their last turn, until they act again.
    """

    __slots__ = ("closing", "drawn", "passed_seats", "layings", "table_cards", "queue", "top_face", "table", "turn")

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.turn = -1
        self.drawn = False
        self.passed_seats: tuple[int, ...] = ()
        self.table: Node | None = None
        self.top_face: Face | None = None
        self.table_cards: tuple[Card, ...] = ()
        self.layings: tuple[tuple[int, int], ...] = ()
        self.closing = False
        self.queue: tuple[int, ...] = ()


def pass_reason(hand: Kinds, shown: Face | None) -> str:
    """Why a seat passes that can do nothing else with ``hand``: the key of a sentence about what comes nearest to a play.

    ``shown``: what the TooT on the table has on top; None without one. A 2, 3 or 4 lacks TooTs beside that one: the number that
    lacks the fewest is named. All else that is left over is an X or 1s on a 1, or cards without a number (TO-2, TO-3).
    """
    if shown is None:
        return "toot.forced.pass_first"
    numbers = [number for number, count in ((2, hand.twos), (3, hand.threes), (4, hand.fours)) if count]
    if numbers:  # each lacks one more than the one before it
        return f"toot.forced.pass_{numbers[0]}"
    if hand.wilds:
        return "toot.forced.pass_wild"
    return "toot.forced.pass_ones" if hand.ones else "toot.forced.pass_no_number"


S = TypeVar("S", bound=OneTableState)


class OneTable(TootRules[S]):
    """Draw, then play or pass, until the pile is used up; then one more turn for each seat (TO-6, TO-7)."""

    seat_counts = range(2, MOST_SEATS + 1)
    options = (FIRST_SEAT,)
    draw_verb: ClassVar[str]
    draw_first: ClassVar[str]  # the refusal of anything done before that
    ruling: ClassVar[str]  # where the turn is described

    # ---- a turn ----

    @abstractmethod
    def begin_draw(self, state: S, seat: int) -> None:
        """``seat`` begins its turn by the game's way of drawing."""

    def earn(self, state: S, seat: int) -> None:
        """What a play earns."""

    def take_answer(self, state: S, request: Request, cards: tuple[Card, ...], result: Result) -> None:
        if isinstance(request, Shuffle):
            state.pile = cards
            if request.purpose == "deck":
                self._choose_first(state)
        elif isinstance(request, Roll) and request.purpose == "first":
            assert isinstance(result, int)
            self._begin(state, result - 1)
        elif isinstance(request, Show):
            state.say("toot.log.drew", request.reader, cards=cards)

    def _choose_first(self, state: S) -> None:
        first = self.option_values["first_seat"]
        if first == "random":
            state.ask(Roll(self.seats, "first"))
        else:
            self._begin(state, int(first) - 1)

    def _begin(self, state: S, seat: int) -> None:
        state.turn = seat
        state.say("toot.log.first", seat)

    def actors(self, state: S) -> tuple[int, ...]:
        return () if state.end_reason or state.turn < 0 else (state.turn,)

    def verdict(self, state: S, seat: int, move: Move) -> Refusal | None:
        if move[0] == self.draw_verb:
            return Refusal("toot.refuse.drawn", rule=self.ruling) if state.drawn else None
        if not state.drawn:
            return Refusal(self.draw_first, rule=self.ruling)
        return self.laying_refusal(state, seat, move[1], state.top_face) if move[0] == "play" else None

    def apply(self, state: S, seat: int, move: Move) -> None:
        if move[0] == self.draw_verb:
            state.drawn = True
            self.begin_draw(state, seat)
            return
        if move[0] == "play":
            self._lay(state, seat, move[1])
        else:
            state.say("toot.log.passed", seat)
            state.passed_seats += (seat,)
        self._end_turn(state)

    def _lay(self, state: S, seat: int, toots: Toots) -> None:
        """The cards become part of the one TooT, whose inside never changes again (TO-4)."""
        node, cards = toots[0], cards_of(toots)
        started = state.table is None
        state.top_face = top(node, state.public, state.top_face)
        state.table = join_table(node, state.table)
        state.table_cards += cards
        state.layings += ((seat, len(cards)),)
        state.lose(seat, cards)
        state.say("toot.log.started" if started else "toot.log.played", seat, cards=cards, top=word_key(state.top_face))
        self.say_wilds(state, seat, toots)
        self.earn(state, seat)

    def _end_turn(self, state: S) -> None:
        """The next seat's turn; after the last card the seats from the left of its drawer get one more, that one last.

        A seat without cards has nothing to do in a last turn and is passed over.
        """
        seat = state.turn
        if state.pile:
            self._give_turn(state, self.next_seat(state, seat), drawn=False)
            return
        if not state.closing:
            state.closing = True
            order = [(seat + step) % self.seats for step in range(1, self.seats + 1)]
            state.queue = tuple(other for other in order if other not in state.absentees)
            state.say("toot.log.pile_out")
        waiting = [other for other in state.queue if state.hands[other]]
        if waiting:
            self._give_turn(state, waiting[0], drawn=True)
            state.queue = tuple(waiting[1:])
        else:
            state.queue = state.passed_seats = ()
            state.end_reason = "toot.ended.last_turns"
            state.say("toot.log.over")

    @staticmethod
    def _give_turn(state: S, seat: int, *, drawn: bool) -> None:
        """It is the turn of ``seat``; what it did in its last one is over."""
        state.turn, state.drawn = seat, drawn
        state.passed_seats = tuple(other for other in state.passed_seats if other != seat)

    def forced_reason(self, state: S, seat: int, faces: Faces, move: Move) -> str:
        """A pass: no cards of the hand leave one TooT (TO-6, TO-7). Every turn begins with a draw, which needs no reason."""
        return "" if move[0] != "pass" else pass_reason(kinds(faces[card] for card in state.hands[seat]), state.top_face)

    def play_without(self, state: S, seats: tuple[int, ...]) -> None:
        """A turn under way ends with nothing laid."""
        for seat in seats:
            state.hold(seat, ())
        state.queue = tuple(seat for seat in state.queue if seat not in seats)
        if state.turn in seats:
            self._end_turn(state)

    # ---- the end ----

    def outcome(self, state: S) -> Outcome | None:
        """The best score wins, ties share (TO-6, TO-7)."""
        if not state.end_reason:
            return None
        scores = self.standings(state)
        return Outcome(scores, self.best(state, scores), state.end_reason, low_wins=self.low_wins)

    # ---- what a seat may do ----

    def moves(self, state: S, seat: int, faces: Faces) -> Iterator[Move]:
        """Drawing; or passing and a proposal or two for each number of cards that can be laid."""
        if not state.drawn:
            yield (self.draw_verb,)
            return
        yield ("pass",)
        for toots in self.proposals(state, seat, faces, state.top_face):
            yield ("play", toots)

    def random_move(self, state: S, seat: int, faces: Faces, rng: Random) -> Move:
        """Drawing; or passing or one of the plays proposed."""
        if not state.drawn:
            return (self.draw_verb,)
        toots = self.random_laying(state, seat, faces, rng, state.top_face)
        return ("play", toots) if toots else ("pass",)

    def default(self, state: S, seat: int) -> Move | None:
        return ("pass",) if state.drawn else (self.draw_verb,)

    # ---- what readers look at ----

    def zones(self, state: S) -> dict[Zone, tuple[Card, ...]]:
        return {"pile": state.pile, "table": state.table_cards,
                **{("hand", str(seat)): hand for seat, hand in enumerate(state.hands)}}
