"""The rules of Teeth: dealing columns, drawing and placing, calling a column, three ways to end a match.

Source: rulebook ``teeth`` and rulings TE-1…TE-7. Judges public faces only; a column is scored once both its closed cards
are open: the caller's with the call, the other's because the score depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tabletin.games.teeth.columns import DECK, Score, Values, winner
from tabletin.games.teeth.state import (
    COUNTED,
    DEALING,
    OVER,
    PLACING,
    SCORING,
    TURN,
    Act,
    Column,
    ColumnScore,
    TeethState,
)
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.options import Choice, Number, Refusal
from tabletin.kernel.requests import ALL, Open, Request, Result, Roll, Show, Shuffle
from tabletin.kernel.rules import Outcome, Rules, SheetRow, Zone
from tabletin.kernel.schema import Int, Move

COLUMN = Int(0, 5)
PLACE_VERBS = ("replace", "double", "discard")


class Teeth(Rules[TeethState]):
    """Teeth for two seats; modes, values, limit and number of columns as TE-5 and TE-6 list them."""

    id = "teeth"
    seat_counts = range(2, 3)
    several_hands = True
    options = (
        Choice("mode", ("whole_deck", "continuous", "score_card"), "whole_deck"),
        Number("rounds", 1, 20, 5),
        Number("columns", 1, 6, 3),
        Choice("court", ("rank", "ten"), "rank", advanced=True),
        Number("joker", -13, 13, -4, advanced=True),
        Number("limit", 5, 60, 18, advanced=True),
    )
    forced_verbs = frozenset(("call",))  # the last column once the pile is empty, as everybody sees (TE-4)
    verbs = {"call": (COLUMN,), "draw": (), "replace": (COLUMN,), "double": (COLUMN,), "discard": (), "ready": ()}

    def check(self) -> Refusal | None:
        self.values = Values(self.option_values["court"], self.option_values["joker"], self.option_values["limit"])
        return None

    def deck(self) -> tuple[Face, ...]:
        return DECK

    # ---- setting up ----

    def start(self) -> TeethState:
        state = TeethState()
        state.new_deck(DECK)
        state.ask(Roll(2, "first"))  # TE-4
        return state

    def take_answer(self, state: TeethState, request: Request, cards: tuple[Card, ...], result: Result) -> None:
        if isinstance(request, Roll):
            assert isinstance(result, int)
            state.starter = 2 - result  # the deal turns it round
            self._deal_round(state)
        elif isinstance(request, Open):
            self._score(state)
        elif isinstance(request, Show):
            reader = request.reader
            state.say(f"teeth.log.{request.purpose}", None if reader == ALL else reader, cards=cards, to=reader)
        elif isinstance(request, Shuffle):
            state.pile = cards
            if request.purpose == "deck" and state.starter >= 0:
                self._deal_round(state)

    def _deal_round(self, state: TeethState) -> None:
        """Begun by the seat that did not begin the last one (TE-4)."""
        state.round += 1
        state.starter = 1 - state.starter
        state.round_column_counts = state.round_capture_counts = (0, 0)
        state.earlier_acts, state.acts = state.earlier_acts + state.acts, ()
        state.columns = (None,) * self.option_values["columns"]
        state.say("teeth.log.round", state.starter, n=state.round)
        self._deal_columns(state, range(len(state.columns)))
        state.phase, state.turn = TURN, state.starter

    def _deal_columns(self, state: TeethState, places: range) -> None:
        """Three cards a column; each seat is shown its own row, the middle row is turned up (TE-3)."""
        columns = list(state.columns)
        for at in places:
            top, middle, bottom = state.pile[:3]
            state.pile = state.pile[3:]
            columns[at] = Column((top, bottom), middle)
        state.columns = tuple(columns)
        dealt = [column for at in places if (column := columns[at]) is not None]
        for seat in range(2):
            state.ask(Show(tuple(column.owns[seat] for column in dealt), seat, "row"))
        state.ask(Show(tuple(column.middle for column in dealt), ALL, "middle"))

    def redeal(self, state: TeethState) -> None:
        """With a score card a void round is dealt again; otherwise the deck is gone, and the match with it."""
        if self.option_values["mode"] != "score_card":
            state.broken_off = state.phase != OVER
        elif state.phase == COUNTED:
            state.waiting = ()
            self._next_round(state)
        elif state.phase != OVER:
            if state.round:
                state.column_counts = _less(state.column_counts, state.round_column_counts)
                state.capture_counts = _less(state.capture_counts, state.round_capture_counts)
                state.round, state.starter = state.round - 1, 1 - state.starter
            state.drawn_card = state.called_column = None
            state.turn = -1
            self._sweep(state)
            if state.starter < 0:
                state.ask(Roll(2, "first"))

    def remix(self, state: TeethState) -> None:
        if state.pile:
            state.ask(Shuffle(state.pile, purpose="pile"))

    # ---- judging ----

    def actors(self, state: TeethState) -> tuple[int, ...]:
        return (state.turn,) if state.phase in (TURN, PLACING) else state.waiting

    def opens(self, state: TeethState, seat: int, move: Move) -> tuple[Card, ...]:
        """A call opens the caller's own card of the column; placing or discarding opens the drawn card."""
        if move[0] == "call":
            column = self._column(state, move[1])
            return (column.owns[seat],) if column is not None and seat in (0, 1) else ()
        return (state.drawn_card,) if move[0] in PLACE_VERBS and state.drawn_card is not None else ()

    def verdict(self, state: TeethState, seat: int, move: Move) -> Refusal | None:
        verb = move[0]
        if state.phase == COUNTED:
            return None if verb == "ready" else Refusal("teeth.refuse.while_counted")
        if verb == "ready":
            return Refusal("teeth.refuse.round_goes_on")
        if state.phase == TURN:
            if verb in PLACE_VERBS:
                return Refusal("teeth.refuse.draw_first", rule="TE-3") if state.pile else \
                    Refusal("teeth.refuse.pile_empty", rule="TE-4")
            if verb == "draw":
                return None if state.pile else Refusal("teeth.refuse.pile_empty", rule="TE-4")
        elif verb in ("call", "draw"):
            return Refusal("teeth.refuse.place_first", rule="TE-3")
        if verb != "discard" and self._column(state, move[1]) is None:
            return Refusal("teeth.refuse.no_column", {"column": move[1] + 1}, "TE-3")
        if any(state.public[card] not in self.values.values for card in self.opens(state, seat, move)):
            return Refusal("teeth.refuse.no_card")
        return None

    @staticmethod
    def _column(state: TeethState, at: int) -> Column | None:
        return state.columns[at] if at < len(state.columns) else None

    # ---- playing ----

    def apply(self, state: TeethState, seat: int, move: Move) -> None:
        verb = move[0]
        if verb == "draw":
            state.drawn_card, state.pile = state.pile[0], state.pile[1:]
            state.ask(Show((state.drawn_card,), seat, "drawn"))
            state.say("teeth.log.drew", seat, n=len(state.pile))
            state.phase = PLACING
        elif verb == "call":
            column = state.columns[move[1]]
            assert column is not None
            state.say("teeth.log.called", seat, cards=(column.owns[seat],), column=move[1] + 1)
            state.acts += (Act(seat, verb, move[1], column.owns[seat], state.columns),)
            state.called_column, state.phase = move[1], SCORING
            if column.owns[1 - seat] in state.public:  # seen before a move was taken back
                self._score(state)
            else:
                state.ask(Open((column.owns[1 - seat],)))
        elif verb == "ready":
            state.waiting = tuple(other for other in state.waiting if other != seat)
            if not state.waiting:
                self._next_round(state)
        else:
            self._place(state, seat, move)
            state.phase, state.turn = TURN, 1 - seat

    def _place(self, state: TeethState, seat: int, move: Move) -> None:
        card, state.drawn_card = state.drawn_card, None
        assert card is not None
        if move[0] == "discard":
            state.discards += (card,)
            state.acts += (Act(seat, move[0], -1, card, state.columns),)
            state.say("teeth.log.discarded", seat, cards=(card,))
            return
        column = state.columns[move[1]]
        assert column is not None
        state.acts += (Act(seat, move[0], move[1], card, state.columns, column.middle if move[0] == "replace" else None),)
        if move[0] == "replace":
            state.discards += (column.middle,)
            column = column._replace(middle=card)
            state.say("teeth.log.replaced", seat, cards=(card,), column=move[1] + 1)
        else:
            mine, other = column.extras[seat] + (card,), column.extras[1 - seat]
            column = column._replace(extras=(other, mine) if seat else (mine, other))
            state.say("teeth.log.doubled", seat, cards=(card,), column=move[1] + 1)
        state.columns = (*state.columns[:move[1]], column, *state.columns[move[1] + 1:])

    # ---- scoring ----

    def scores(self, sides: tuple[tuple[Face, ...], tuple[Face, ...]], middle: Face) -> tuple[Score, Score]:
        """Both seats' scores of a column with these cards on either side (TE-1)."""
        return self.values.score(sides[0], middle, sides[1]), self.values.score(sides[1], middle, sides[0])

    def column_score(self, public: Faces, number: int, at: int, caller: int, column: Column) -> ColumnScore:
        """What the open ``column`` at the place ``at``, called by ``caller`` in the round ``number``, came to (TE-1, TE-2)."""
        sides = (tuple(public[card] for card in (column.owns[0], *column.extras[0])),
                 tuple(public[card] for card in (column.owns[1], *column.extras[1])))
        scores = self.scores(sides, public[column.middle])
        return ColumnScore(number, at, caller, winner(caller, scores), public[column.middle], sides,
                           (scores[0].total, scores[1].total), (scores[0].bust, scores[1].bust))

    def _score(self, state: TeethState) -> None:
        """The called column goes to its winner, cards and all (TE-2, TE-3); then the other seat's turn, or the end."""
        at, caller = state.called_column, state.turn
        assert at is not None
        column = state.columns[at]
        assert column is not None
        state.last = self.column_score(state.public, state.round, at, caller, column)
        won = state.last.winner
        state.say(state.last.sentence, won, cards=column.cards, **state.last.facts)
        mine = state.captures[won] + column.cards
        state.captures = (state.captures[0], mine) if won else (mine, state.captures[1])
        state.capture_counts = _added(state.capture_counts, won, len(column.cards))
        state.round_capture_counts = _added(state.round_capture_counts, won, len(column.cards))
        state.column_counts = _added(state.column_counts, won, 1)
        state.round_column_counts = _added(state.round_column_counts, won, 1)
        state.columns = (*state.columns[:at], None, *state.columns[at + 1:])
        state.called_column, state.phase, state.turn = None, TURN, 1 - caller
        if self.option_values["mode"] == "continuous" and len(state.pile) >= 3:  # TE-5
            state.say("teeth.log.column", column=at + 1)
            self._deal_columns(state, range(at, at + 1))
        elif not any(state.columns):
            self._end_round(state)

    def _end_round(self, state: TeethState) -> None:
        """On to another round while the mode has one (TE-5)."""
        state.sheet += (state.round_column_counts,)
        state.turn = -1
        mode = self.option_values["mode"]
        more = (len(state.pile) >= 3 * self.option_values["columns"] if mode == "whole_deck"
                else mode == "score_card" and state.round < self.option_values["rounds"])
        if more:
            state.phase, state.waiting = COUNTED, (0, 1)
        else:
            state.phase = OVER

    def _next_round(self, state: TeethState) -> None:
        if self.option_values["mode"] == "whole_deck":
            self._deal_round(state)
        else:
            self._sweep(state)

    def _sweep(self, state: TeethState) -> None:
        """All cards are shuffled for the next round."""
        state.phase = DEALING
        state.acts = state.earlier_acts = ()
        state.pile, state.discards, state.columns, state.captures = (), (), (), ((), ())
        state.new_deck(DECK)

    def forced_reason(self, state: TeethState, seat: int, faces: Faces, move: Move) -> str:
        """The call of the last column (TE-4)."""
        return "teeth.forced.call"

    # ---- the end ----

    def standings(self, state: TeethState) -> tuple[int, ...]:
        return state.column_counts

    def outcome(self, state: TeethState) -> Outcome | None:
        """Most columns, then most cards captured, then a draw (TE-5)."""
        if state.phase != OVER:
            return None
        columns = state.column_counts
        for reason, counts in (("columns", columns), ("cards", state.capture_counts)):
            if counts[0] != counts[1]:
                winner = int(counts[1] > counts[0])
                facts = {"seat": winner, "n": max(columns), "most": max(counts), "least": min(counts)}
                return Outcome(columns, (winner,), f"teeth.ended.{reason}", params=facts)
        return Outcome(state.column_counts, (0, 1), "teeth.ended.draw")

    def sheet(self, state: TeethState) -> list[SheetRow]:
        """Columns won, a line a round; all columns; cards captured, which break a tie."""
        rounds = [SheetRow("teeth.sheet.round", cells, {"n": n}) for n, cells in enumerate(state.sheet, 1)]
        return [*rounds, SheetRow("teeth.sheet.columns", state.column_counts, total=True),
                SheetRow("teeth.sheet.cards", state.capture_counts)]

    # ---- what a seat may do ----

    def moves(self, state: TeethState, seat: int, faces: Faces) -> Iterator[Move]:
        if seat not in self.actors(state):
            return
        places = [at for at, column in enumerate(state.columns) if column is not None]
        if state.phase == TURN:
            if state.pile:
                yield ("draw",)
            for at in places:
                yield ("call", at)
        elif state.phase == PLACING:
            yield ("discard",)
            for at in places:
                yield ("replace", at)
                yield ("double", at)
        else:
            yield ("ready",)

    def default(self, state: TeethState, seat: int) -> Move | None:
        """Only "ready": any other move is a choice."""
        return ("ready",) if state.phase == COUNTED else None

    # ---- what readers look at ----

    def zones(self, state: TeethState) -> dict[Zone, tuple[Card, ...]]:
        zones: dict[Zone, tuple[Card, ...]] = {"pile": state.pile, "discards": state.discards}
        for at, column in enumerate(state.columns):
            if column is not None:
                zones["middle", str(at)] = (column.middle,)
                for seat in range(2):
                    zones["own", str(seat), str(at)] = (column.owns[seat],)
                    zones["extras", str(seat), str(at)] = column.extras[seat]
        for seat in range(2):
            zones["won", str(seat)] = state.captures[seat]
        if state.drawn_card is not None:
            zones["drawn", str(state.turn)] = (state.drawn_card,)
        return zones


def _added(pair: tuple[int, int], seat: int, count: int) -> tuple[int, int]:
    return (pair[0], pair[1] + count) if seat else (pair[0] + count, pair[1])


def _less(pair: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return pair[0] - other[0], pair[1] - other[1]
