"""What each side of a column comes to, as far as one reader knows it (TE-1): in figures, and in the words of a screen reader.

It knows no place on the table. Faces come from the reader's own knowledge and nowhere else.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from tabletin.board.scene import Sight
from tabletin.games.teeth.columns import ACE_STEP, DECK
from tabletin.games.teeth.rules import Teeth
from tabletin.games.teeth.state import Column, ColumnScore, TeethState
from tabletin.words import figure


class Sum(NamedTuple):
    """What a side comes to. ``short``: the same where there is little room. ``hides``: the other's closed card is still to be
    taken off."""

    text: str
    speech: str
    short: str
    hides: bool = False


NONE = Sum("", "", "")


class Sums:
    """The sums of one reader, who sits at the seat ``low``; a spectator's eyes are nobody's."""

    def __init__(self, sight: Sight, rules: Teeth, low: int) -> None:
        self.sight, self.rules, self.low = sight, rules, low

    def say(self, key: str, **params: object) -> str:
        return self.sight.say(f"teeth.board.{key}", **params)

    def own(self, column: Column) -> Sum:
        """What the reader has in ``column``, as far as the other's closed card leaves it open; NONE for who may not know it."""
        if not self._is_known(column):
            return NONE
        own, theirs, middle, is_open = self._sides(column)
        base, aces = own[0] + middle[0] - theirs[0], own[1] + middle[1]
        if is_open:
            return _plain(self.rules.values.best(base, aces, theirs[1]).total)
        least, most = base - ACE_STEP * theirs[1], base + ACE_STEP * aces  # the closed card settles which way the aces count
        total, top, name = figure(least), figure(most), self.sight.words.seat(1 - self.low)
        if least == most:
            return Sum(total, self.say("less_spoken", total=total, name=name), total, hides=True)
        spoken = self.say("less_either_spoken", total=total, most=top, name=name)
        return Sum(self.say("either", total=total, most=top), spoken, f"{total}/{top}", hides=True)

    def theirs(self, column: Column) -> Sum:
        """What the other may have there, from least to most."""
        if not self._is_known(column):
            return NONE
        own, theirs, middle, is_open = self._sides(column)
        ends = [self.rules.values.best(theirs[0] + value + middle[0] - own[0], theirs[1] + ace + middle[1], own[1]).total
                for value, ace in ([(0, 0)] if is_open else self._unknown())]
        low, high = min(ends), max(ends)
        if low == high:
            return _plain(low)
        shown, spoken = (self.say(key, low=figure(low), high=figure(high)) for key in ("range", "range_spoken"))
        return Sum(shown, spoken, shown)

    def of_scored(self, score: ColumnScore, seat: int) -> Sum:
        """What ``seat`` had in a column that was scored, and whether that was too much."""
        found = _plain(score.totals[seat])
        if not score.bust[seat]:
            return found
        said = self.say("bust", total=found.text)
        return Sum(said, said, found.text)

    def _is_known(self, column: Column) -> bool:
        """Whether the reader knows its own card and the middle one."""
        return self.sight.seat is not None and None not in map(self.sight.face, (column.owns[self.low], column.middle))

    def _sides(self, column: Column) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int], bool]:
        """What lies on the reader's side, on the other's and in the middle: values with aces as 1, and how many aces; and whether
        the other's own card is among it, because the reader knows it."""
        face, values = self.sight.face, self.rules.values
        sides = [values.sum([known for card in (column.owns[seat], *column.extras[seat]) if (known := face(card))])
                 for seat in (self.low, 1 - self.low)]
        middle = face(column.middle)
        return sides[0], sides[1], values.sum([middle] if middle else []), face(column.owns[1 - self.low]) is not None

    def _unknown(self) -> list[tuple[int, int]]:
        """What a card that this reader does not know may count: its value (aces as 1), and whether it is an ace."""
        faces, state = self.sight.view.faces, self.sight.view.state
        assert isinstance(state, TeethState)
        live = [card for cards in self.rules.zones(state).values() for card in cards]
        rest = Counter(DECK) - Counter(faces[card] for card in live if card in faces)
        return sorted({self.rules.values.sum([face]) for face in rest})


def _plain(total: int) -> Sum:
    return Sum(figure(total), figure(total), figure(total))
