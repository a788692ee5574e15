"""How likely a match of Teeth is won from a lead in columns, each column still to come being as good as even.

Near the end of a match a column is worth what it changes of this: a seat that leads plays safe, one that is behind dares. Pure.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

from tabletin.games.teeth.state import TeethState

CARDS_A_COLUMN: Final = 14 / 3  # the three it is dealt and what is drawn meanwhile, between bots


class Standing(NamedTuple):
    """Where a match stands for a seat: its lead in columns; the mode, how many columns a round has, and rounds to come by it."""

    lead: int
    mode: str
    columns: int
    rounds: int

    @classmethod
    def of_state(cls, state: TeethState, seat: int, options: dict[str, Any]) -> Standing:
        own, other = state.column_counts[seat], state.column_counts[1 - seat]
        return cls(own - other, options["mode"], options["columns"], options["rounds"] - state.round)

    def chance(self, won: int, pile: int) -> float:
        """The chance of winning the match after this round brought ``won`` columns more than it cost and left ``pile`` cards."""
        return win_chance(self.lead + won, self.columns_to_come(pile))

    def worth(self, pile: int) -> float:
        """What a column is worth in chances of winning, if this round leaves ``pile`` cards."""
        return (self.chance(2, pile) - self.chance(-2, pile)) / 4

    def columns_to_come(self, pile: int) -> int:
        """How many columns are likely dealt after this round (TE-5)."""
        if self.mode == "score_card":
            return self.columns * self.rounds
        if self.mode == "continuous":
            return round(pile / CARDS_A_COLUMN)
        return _columns_of_rounds(self.columns, pile)


@cache
def win_chance(lead: int, columns: int) -> float:
    """The chance of leading after ``columns`` even columns, from ``lead`` on; being level counts half."""
    if not columns:
        return (lead > 0) / 2 + (lead >= 0) / 2
    return (win_chance(lead + 1, columns - 1) + win_chance(lead - 1, columns - 1)) / 2


@cache
def _columns_of_rounds(columns: int, pile: int) -> int:
    """How many columns rounds of ``columns`` have that are dealt from ``pile`` one after another."""
    if pile < 3 * columns:
        return 0
    return columns + _columns_of_rounds(columns, max(0, pile - round(columns * CARDS_A_COLUMN)))
