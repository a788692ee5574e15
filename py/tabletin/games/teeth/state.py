"""What is public of a match of Teeth: columns as handles, whose turn, a drawn card not yet placed, what has been won."""

from __future__ import annotations

from typing import Final, NamedTuple

from tabletin.kernel.faces import Card, Face
from tabletin.kernel.state import State

DEALING: Final = "dealing"
TURN: Final = "turn"  # ``turn`` calls a column or draws
PLACING: Final = "placing"  # ``turn`` holds the drawn card
SCORING: Final = "scoring"  # the other side of the called column is being turned up
COUNTED: Final = "counted"  # the round is over; every seat in ``waiting`` is asked whether it is ready
OVER: Final = "over"


class Column(NamedTuple):
    """``owns``: each seat's face-down card. ``middle``. ``extras``: what each seat added by doubling down, in order."""

    owns: tuple[Card, Card]
    middle: Card
    extras: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())

    @property
    def cards(self) -> tuple[Card, ...]:
        return (*self.owns, self.middle, *self.extras[0], *self.extras[1])


class Scored(NamedTuple):
    """A column as it was scored, for all to see. ``at``: its number. Faces by seat, own card first, then extras."""

    round: int
    at: int
    caller: int
    winner: int
    middle: Face
    sides: tuple[tuple[Face, ...], tuple[Face, ...]]
    totals: tuple[int, int]
    bust: tuple[bool, bool]


class Act(NamedTuple):
    """What a seat did in a turn, for all to draw conclusions from. ``at``: the column, -1 for a discard.

    ``card``: the card placed or discarded, or the caller's own card; ``before``: the middle card it replaced, or None.
    """

    seat: int
    verb: str
    at: int
    card: Card
    before: Card | None = None


class TeethState(State):
    """``phase``: see above. ``round``: from 1. ``first``: who began it. ``turn``: the seat to act, -1 if none.

    ``pile``: next card first. ``discards``: last one last. ``columns``: None where one has been scored.
    ``drawn``: the card in the drawer's hand, or None. ``called``: the column being scored, or None. ``waiting``: seats not
    yet ready. ``won``: cards captured by seat, as handles on the table; ``captured``: how many over the match;
    ``taken``: columns won by seat. ``last``: the last column scored. ``sheet``: columns by seat of every finished round.
    ``round_taken``: columns of this round by seat; ``round_captured``: cards. ``acts``: of this round, in order.
    """

    __slots__ = ("phase", "round", "first", "turn", "pile", "discards", "columns", "drawn", "called", "waiting", "won",
                 "captured", "taken", "last", "sheet", "round_taken", "round_captured", "acts")

    def __init__(self) -> None:
        super().__init__()
        self.phase = DEALING
        self.round = 0
        self.first = -1
        self.turn = -1
        self.pile: tuple[Card, ...] = ()
        self.discards: tuple[Card, ...] = ()
        self.columns: tuple[Column | None, ...] = ()
        self.drawn: Card | None = None
        self.called: int | None = None
        self.waiting: tuple[int, ...] = ()
        self.won: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
        self.captured: tuple[int, int] = (0, 0)
        self.taken: tuple[int, int] = (0, 0)
        self.last: Scored | None = None
        self.sheet: tuple[tuple[int, int], ...] = ()
        self.round_taken: tuple[int, int] = (0, 0)
        self.round_captured: tuple[int, int] = (0, 0)
        self.acts: tuple[Act, ...] = ()
