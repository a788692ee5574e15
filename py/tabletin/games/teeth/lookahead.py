"""Plays a few turns of Teeth on in an imagined world, to see what a move leads to.

A world says what the opponent's closed cards are and how the pile lies. Each seat does what is worth most to it, by what it
knows: its own closed cards, and what it believes of those across. After a few turns each open column counts what it is worth.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tabletin.games.teeth.evaluation import LAST_CARDS, Evaluator, Option, SeenColumn
from tabletin.games.teeth.reckon import (
    WITHOUT_MIDDLE,
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

TURNS: Final = 2  # played on after a move, the opponent's and the next one's own; …
ALL_TURNS: Final = 100  # … or to the end of the round, where it is near


class ColumnCodes(NamedTuple):
    """A column as I see it and as the opponent does, in codes; what its closed card adds to mine once it is open; how many
    cards it has; and what both closed cards count."""

    mine: Code
    theirs: Code
    hidden_card: Code
    size: int
    owns: tuple[int, int]

    @classmethod
    def of_counts(cls, mine: Count, extra: Count, middle: Count, their_extra: Count, theirs: Count, size: int) -> ColumnCodes:
        """A column with everything in it: own closed card and extras on either side of the middle."""
        return cls(code_of(Look(add(mine, extra), middle, their_extra)), code_of(Look(add(theirs, their_extra), middle, extra)),
                   other_side(theirs), size, (mine[0], theirs[0]))

    def side(self, me: bool) -> SeenColumn:
        """What one side sees of it."""
        return SeenColumn(self.owns[0], self.mine) if me else SeenColumn(self.owns[1], self.theirs)


class RoundSoFar(NamedTuple):
    """Where imagined turns led: columns and cards that I took beyond the opponent's, what I may hope for of the columns still
    open, likewise, and how many cards the pile has."""

    lead: int
    cards: int
    hope: float
    pile: int


class Lookahead:
    """Plays turns on. ``me``, ``other``: what columns are worth to either seat."""

    def __init__(self, reckoner: Reckoner, me: Evaluator, other: Evaluator) -> None:
        self.reckoner = reckoner
        self.me = me
        self.other = other

    def play_on(self, columns: dict[int, ColumnCodes], pile: list[Count], option: Option) -> RoundSoFar:
        """Where the round stands some turns after I take ``option``, when the opponent is to move or the round is over.

        ``pile``: the next card last; when placing, the drawn card is the last. Both arguments are used up.
        """
        left = TURNS if len(pile) > LAST_CARDS else ALL_TURNS
        me, won, cards = True, 0, 0
        verb, at = option
        while True:
            if verb == "draw":
                verb, at = self.best_place(columns, pile, me)
            if verb == "call":
                column = columns.pop(at)
                brought = self.score(column, me)
                won += brought
                cards += brought * column.size
            else:
                card = pile.pop()
                if at >= 0:
                    columns[at] = put(columns[at], verb, card, me)
            me = not me
            if not columns or (left <= 0 and not me):
                worths = [self.me.worth(at, column.side(True), len(columns), len(pile)) for at, column in columns.items()]
                return RoundSoFar(won, cards, 2 * sum(worths) - len(columns), len(pile))
            left -= 1
            verb, at = self.turn(columns, pile, me)

    def score(self, column: ColumnCodes, caller: bool) -> int:
        """1 if I win ``column``, -1 if the opponent does."""
        return self.reckoner.end_of(column.mine + column.hidden_card) or (-1 if caller else 1)

    def turn(self, columns: dict[int, ColumnCodes], pile: list[Count], me: bool) -> Option:
        """What the seat begins its turn with."""
        return (self.me if me else self.other).turn({at: column.side(me) for at, column in columns.items()}, len(pile))

    def best_place(self, columns: dict[int, ColumnCodes], pile: list[Count], me: bool) -> Option:
        """Where the seat puts the card it drew, the last one of ``pile``."""
        table = {at: column.side(me) for at, column in columns.items()}
        _, verb, at = max((self.me if me else self.other).placings(table, pile[-1], len(pile) - 1), key=lambda way: way[0])
        return verb, at


def put(column: ColumnCodes, verb: str, card: Count, me: bool) -> ColumnCodes:
    """``column`` after one side replaced its middle or doubled down."""
    mine, theirs, hidden_card, size, owns = column
    if verb == "replace":
        middle = in_middle(card)
        return ColumnCodes((mine & WITHOUT_MIDDLE) + middle, (theirs & WITHOUT_MIDDLE) + middle, hidden_card, size, owns)
    if me:
        return ColumnCodes(mine + own_side(card), theirs + other_side(card), hidden_card, size + 1, owns)
    return ColumnCodes(mine + other_side(card), theirs + own_side(card), hidden_card, size + 1, owns)
