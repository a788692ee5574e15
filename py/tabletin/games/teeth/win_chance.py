"""How likely a match of Teeth is won from a lead in columns and in cards, each column still to come being as good as even.

Near the end of a match a column is worth what it changes of this: a seat that leads plays safe, one that is behind dares. Who has
captured more cards wins where columns are level (TE-5). Pure.
"""

from __future__ import annotations

from functools import cache
from math import erf, sqrt
from typing import Any, Final, NamedTuple

from tabletin.games.teeth.state import TeethState

CARDS_A_COLUMN: Final = 14 / 3  # the three it is dealt and what is drawn meanwhile, between bots
CARDS_CAPTURED: Final = 4.4  # with a column, …
SPREAD: Final = 2.0  # … and the standard deviation of that


class Standing(NamedTuple):
    """Where a match stands for a seat: its lead in columns; the mode, how many columns a round has, and rounds to come by it.

    ``cards``: its lead in captured cards.
    """

    lead: int
    mode: str
    columns: int
    rounds: int
    cards: int = 0

    @classmethod
    def of_state(cls, state: TeethState, seat: int, options: dict[str, Any]) -> Standing:
        own, other = state.column_counts[seat], state.column_counts[1 - seat]
        cards = state.capture_counts[seat] - state.capture_counts[1 - seat]
        return cls(own - other, options["mode"], options["columns"], options["rounds"] - state.round, cards)

    def chance(self, won: int, cards: int, pile: int) -> float:
        """The chance of winning the match after this round, if it leaves ``pile`` cards.

        ``won``: columns that it brings more than it costs; ``cards``: those captured with them, likewise.
        """
        return win_chance(self.lead + won, self.cards + cards, self.columns_to_come(pile))

    def worth(self, pile: int) -> float:
        """What a column is worth in chances of winning, if this round leaves ``pile`` cards."""
        return (self.chance(2, 0, pile) - self.chance(-2, 0, pile)) / 4

    def columns_to_come(self, pile: int) -> int:
        """How many columns are likely dealt after this round (TE-5)."""
        if self.mode == "score_card":
            return self.columns * self.rounds
        if self.mode == "continuous":
            return round(pile / CARDS_A_COLUMN)
        return _columns_of_rounds(self.columns, pile)


@cache
def win_chance(lead: int, cards: float, columns: int) -> float:
    """The chance of winning after ``columns`` even columns, from a ``lead`` in columns and in ``cards`` on."""
    ahead, level = _ahead_and_level(lead, columns)
    if not level:
        return ahead
    captured = cards - CARDS_CAPTURED * lead  # to be level at the end, a seat that leads loses as many columns more
    spread = SPREAD * sqrt(columns)
    most = (1 + erf(captured / spread / sqrt(2))) / 2 if spread else ((captured > 0) + (captured >= 0)) / 2
    return ahead + level * most


@cache
def _ahead_and_level(lead: int, columns: int) -> tuple[float, float]:
    """The chances of leading and of being level after ``columns`` even columns."""
    if not columns:
        return float(lead > 0), float(lead == 0)
    (ahead, level), (more, same) = _ahead_and_level(lead + 1, columns - 1), _ahead_and_level(lead - 1, columns - 1)
    return (ahead + more) / 2, (level + same) / 2


@cache
def _columns_of_rounds(columns: int, pile: int) -> int:
    """How many columns rounds of ``columns`` have that are dealt from ``pile`` one after another."""
    if pile < 3 * columns:
        return 0
    return columns + _columns_of_rounds(columns, max(0, pile - round(columns * CARDS_A_COLUMN)))
