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

    def with_extra(self, seat: int, card: Card) -> Column:
        """The same with ``card`` added by ``seat``."""
        first, second = self.extras
        return self._replace(extras=(first, (*second, card)) if seat else ((*first, card), second))


class ColumnScore(NamedTuple):
    """A column as it was scored, for all to see. ``column``: its number. Faces by seat, own card first, then extras."""

    round: int
    column: int
    caller: int
    winner: int
    middle: Face
    sides: tuple[tuple[Face, ...], tuple[Face, ...]]
    totals: tuple[int, int]
    bust: tuple[bool, bool]

    @property
    def sentence(self) -> str:
        """The key of the words that tell who took it and why."""
        if any(self.bust):
            return "teeth.log.both_bust" if all(self.bust) else "teeth.log.one_bust"
        return "teeth.log.equal" if self.totals[0] == self.totals[1] else "teeth.log.higher"

    @property
    def is_lost_by_caller(self) -> bool:
        """Whether the caller loses it though the other has no better sum: both are equal, or both are bust (TE-2)."""
        return self.sentence in ("teeth.log.equal", "teeth.log.both_bust")

    @property
    def facts(self) -> dict[str, int]:
        """What these words tell."""
        own, theirs = self.totals[self.winner], self.totals[1 - self.winner]
        return {"column": self.column + 1, "own": own, "theirs": theirs}


class Act(NamedTuple):
    """What a seat did in a turn, for all to draw conclusions from. ``column``: the column, -1 for a discard.

    ``card``: the card placed or discarded, or the caller's own card; ``columns``: of the table before it. ``replaced_card``: the
    middle card that it replaced, or None.
    """

    seat: int
    verb: str
    column: int
    card: Card
    columns: tuple[Column | None, ...]
    replaced_card: Card | None = None


class TeethState(State):
    """``phase``: see above. ``round``: from 1. ``starter``: who began it. ``turn``: the seat to act, -1 if none.

    ``pile``: next card first. ``discards``: last one last. ``columns``: None where one has been scored. ``drawn_card``: the
    card in the drawer's hand, or None. ``called_column``: the column being scored, or None. ``waiting``: seats not yet
    ready. ``captures``: cards captured by seat, as handles on the table; ``capture_counts``: how many over the match;
    ``column_counts``: columns won by seat. ``last``: the last column scored. ``sheet``: columns by seat of every finished
    round. ``round_column_counts``: columns of this round by seat; ``round_capture_counts``: cards. ``acts``: of this round,
    in order; ``earlier_acts``: of the rounds before it that were played with this deck.
    """

    __slots__ = ("phase", "round", "starter", "turn", "pile", "discards", "columns", "drawn_card", "called_column",
                 "waiting", "captures", "capture_counts", "column_counts", "last", "sheet", "round_column_counts",
                 "round_capture_counts", "acts", "earlier_acts")

    def __init__(self) -> None:
        super().__init__()
        self.phase = DEALING
        self.round = 0
        self.starter = -1
        self.turn = -1
        self.pile: tuple[Card, ...] = ()
        self.discards: tuple[Card, ...] = ()
        self.columns: tuple[Column | None, ...] = ()
        self.drawn_card: Card | None = None
        self.called_column: int | None = None
        self.waiting: tuple[int, ...] = ()
        self.captures: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
        self.capture_counts: tuple[int, int] = (0, 0)
        self.column_counts: tuple[int, int] = (0, 0)
        self.last: ColumnScore | None = None
        self.sheet: tuple[tuple[int, int], ...] = ()
        self.round_column_counts: tuple[int, int] = (0, 0)
        self.round_capture_counts: tuple[int, int] = (0, 0)
        self.acts: tuple[Act, ...] = ()
        self.earlier_acts: tuple[Act, ...] = ()
