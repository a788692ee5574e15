"""Plays a round of Teeth to its end in an imagined world, both seats by the rule of thumb, to see what a move leads to.

A world says what the opponent's closed cards are and how the pile lies. The opponent reckons with its own cards and with plain
odds for those across. I reckon with mine and with what I believe of its cards. It knows what one seat knows, and imagines the
rest.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from tabletin.games.teeth.reading import CALLS_AT
from tabletin.games.teeth.reckon import Belief, Count, Look, Reckoner, add

Option: TypeAlias = tuple[str, int]  # a verb and a column, -1 where there is none


class ColumnCounts(NamedTuple):
    """A column with everything in it: own closed card and extras on either side of the middle."""

    mine: Count
    extra: Count
    middle: Count
    their_extra: Count
    theirs: Count

    def look(self, me: bool) -> Look:
        """What one side sees of it."""
        if me:
            own, extra = self.mine, self.extra
            return Look((own[0] + extra[0], own[1] + extra[1]), self.middle, self.their_extra)
        own, extra = self.theirs, self.their_extra
        return Look((own[0] + extra[0], own[1] + extra[1]), self.middle, self.extra)


class Lookahead:
    """Plays rounds on. ``belief``: mine, by column; ``ignorant``: the opponent's, of any card across."""

    def __init__(self, reckoner: Reckoner, belief: dict[int, Belief], ignorant: Belief) -> None:
        self.reckoner = reckoner
        self.beliefs = (dict.fromkeys(belief, ignorant), belief)

    def play_out(self, columns: dict[int, ColumnCounts], pile: list[Count], option: Option) -> int:
        """My columns less the opponent's, from here to the end of the round, if I take ``option`` now.

        ``pile``: the next card last; when placing, the drawn card is the last. Both arguments are used up.
        """
        me, won = True, 0
        verb, at = option
        while True:
            if verb == "call":
                won += self.score(columns.pop(at), me)
                if not columns:
                    return won
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

    def score(self, stack: ColumnCounts, caller: bool) -> int:
        """1 if I win ``stack``, -1 if the opponent does."""
        result = self.reckoner.end(add(stack.mine, stack.extra), stack.middle, add(stack.theirs, stack.their_extra))
        return result or (-1 if caller else 1)

    def turn(self, columns: dict[int, ColumnCounts], pile: list[Count], me: bool) -> Option:
        beliefs, best, chance = self.beliefs[me], -1, -1.0
        for at, stack in columns.items():
            win = beliefs[at].chance(stack.look(me)).win
            if win > chance:
                best, chance = at, win
        return ("call", best) if chance >= CALLS_AT or not pile else ("draw", -1)

    def best_place(self, columns: dict[int, ColumnCounts], card: Count, me: bool) -> Option:
        beliefs, most, best = self.beliefs[me], 0.0, ("discard", -1)
        for at, stack in columns.items():
            middle, double = beliefs[at].gains(stack.look(me), card)
            if middle > most:
                most, best = middle, ("replace", at)
            if double > most:
                most, best = double, ("double", at)
        return best


def put(stack: ColumnCounts, verb: str, card: Count, me: bool) -> ColumnCounts:
    """``stack`` after one side replaced its middle or doubled down."""
    if verb == "replace":
        return ColumnCounts(stack.mine, stack.extra, card, stack.their_extra, stack.theirs)
    if me:
        return ColumnCounts(stack.mine, add(stack.extra, card), stack.middle, stack.their_extra, stack.theirs)
    return ColumnCounts(stack.mine, stack.extra, stack.middle, add(stack.their_extra, card), stack.theirs)
