"""Plays a round of Teeth to its end in an imagined world, both seats by the rule of thumb, to see what a move leads to.

A world says what the opponent's closed cards are and how the pile lies. The opponent reckons with its own cards and with plain
odds for those across. I reckon with mine and with what I believe of its cards. It knows what one seat knows, and imagines the
rest.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from tabletin.games.teeth.reading import CALLS_AT
from tabletin.games.teeth.reckon import (
    WITHOUT_MIDDLE,
    Belief,
    Code,
    Count,
    Look,
    Reckoner,
    add,
    code_of,
    in_middle,
    other_side,
    own_side,
)

Option: TypeAlias = tuple[str, int]  # a verb and a column, -1 where there is none


class ColumnCodes(NamedTuple):
    """A column as I see it and as the opponent does, in codes; what its closed card adds to mine once it is open; and how many
    cards it has."""

    mine: Code
    theirs: Code
    hidden_card: Code
    size: int

    @classmethod
    def of_counts(cls, mine: Count, extra: Count, middle: Count, their_extra: Count, theirs: Count, size: int) -> ColumnCodes:
        """A column with everything in it: own closed card and extras on either side of the middle."""
        return cls(code_of(Look(add(mine, extra), middle, their_extra)), code_of(Look(add(theirs, their_extra), middle, extra)),
                   other_side(theirs), size)


class Lookahead:
    """Plays rounds on. ``belief``: mine, by column; ``ignorant``: the opponent's, of any card across."""

    def __init__(self, reckoner: Reckoner, belief: dict[int, Belief], ignorant: Belief) -> None:
        self.reckoner = reckoner
        self.belief = belief
        self.ignorant = ignorant

    def play_out(self, columns: dict[int, ColumnCodes], pile: list[Count], option: Option) -> tuple[int, int]:
        """My columns less the opponent's, and my cards, from here to the end of the round, if I take ``option`` now.

        ``pile``: the next card last; when placing, the drawn card is the last. Both arguments are used up.
        """
        me, won, cards = True, 0, 0
        verb, at = option
        while True:
            if verb == "call":
                column = columns.pop(at)
                brought = self.score(column, me)
                won += brought
                cards += brought * column.size
                if not columns:
                    return won, cards
                me = not me
                verb, at = self.turn(columns, pile, me)
            elif verb == "draw":
                verb, at = self.best_place(columns, pile[-1], me)
            else:
                card = pile.pop()
                if at >= 0:
                    columns[at] = put(columns[at], verb, card, me)
                me = not me
                verb, at = self.turn(columns, pile, me)

    def score(self, column: ColumnCodes, caller: bool) -> int:
        """1 if I win ``column``, -1 if the opponent does."""
        return self.reckoner.end_of(column.mine + column.hidden_card) or (-1 if caller else 1)

    def turn(self, columns: dict[int, ColumnCodes], pile: list[Count], me: bool) -> Option:
        best, top = -1, -1.0
        for at, (mine, theirs, _, _) in columns.items():
            belief, code = (self.belief[at], mine) if me else (self.ignorant, theirs)
            chance = belief.chances.get(code) or belief.chance_of(code)
            if chance[0] > top:
                best, top = at, chance[0]
        return ("call", best) if top >= CALLS_AT or not pile else ("draw", -1)

    def best_place(self, columns: dict[int, ColumnCodes], card: Count, me: bool) -> Option:
        most, best = 0.0, ("discard", -1)
        for at, (mine, theirs, _, _) in columns.items():
            belief, code = (self.belief[at], mine) if me else (self.ignorant, theirs)
            middle, double = belief.known_gains(card).get(code) or belief.gains_of(code, card)
            if middle > most:
                most, best = middle, ("replace", at)
            if double > most:
                most, best = double, ("double", at)
        return best


def put(column: ColumnCodes, verb: str, card: Count, me: bool) -> ColumnCodes:
    """``column`` after one side replaced its middle or doubled down."""
    mine, theirs, hidden_card, size = column
    if verb == "replace":
        middle = in_middle(card)
        return ColumnCodes((mine & WITHOUT_MIDDLE) + middle, (theirs & WITHOUT_MIDDLE) + middle, hidden_card, size)
    if me:
        return ColumnCodes(mine + own_side(card), theirs + other_side(card), hidden_card, size + 1)
    return ColumnCodes(mine + other_side(card), theirs + own_side(card), hidden_card, size + 1)
