"""Reckons with a card that a seat cannot see: how a column would end, and how probably, from that seat's side of the table.

A card counts as its value and whether it is an ace; a side of a column as the sum of its cards (aces as 1) and how many
aces there are. A column as one side sees it is also one whole number, its code: to place a card adds to it, so that millions of
columns are looked up fast. It knows only what its caller passes in: what one seat knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from tabletin.games.teeth.columns import Values, winner
from tabletin.games.teeth.state import Column
from tabletin.kernel.faces import Card, Face, Faces

Count: TypeAlias = tuple[int, int]  # a card, or the cards of a side: their sum with aces as 1, and how many aces
Code: TypeAlias = int  # a column as one side sees it: its lead in sum, its aces, the other side's, and the middle card
NOTHING: Final[Count] = (0, 0)
NO_LEAD: Final[Code] = 1 << 9  # the code of a lead of 0
OWN_ACE: Final[Code] = 1 << 10
THEIR_ACE: Final[Code] = 1 << 13
MIDDLE_ACE: Final[Code] = 1 << 16
MIDDLE_VALUE: Final[Code] = 1 << 17
LEAST_VALUE: Final = -13  # that a card can count (TE-6)
WITHOUT_MIDDLE: Final[Code] = MIDDLE_ACE - 1


class Look(NamedTuple):
    """A column as one seat sees it: its own side, the middle, and what the other seat added to its closed card."""

    mine: Count
    middle: Count
    theirs: Count


class Chance(NamedTuple):
    """How likely a column is won outright, and how likely neither side is ahead."""

    win: float
    level: float

    @property
    def even(self) -> float:
        """What it is worth while it is open who will call it."""
        return self.win + self.level / 2


def add(one: Count, other: Count) -> Count:
    return one[0] + other[0], one[1] + other[1]


def own_side(card: Count) -> Code:
    """What ``card`` adds to a column's code on one's own side."""
    return card[0] + OWN_ACE * card[1]


def other_side(card: Count) -> Code:
    """What ``card`` adds to a column's code on the other side."""
    return THEIR_ACE * card[1] - card[0]


def in_middle(card: Count) -> Code:
    """What ``card`` is of a column's code as its middle."""
    return MIDDLE_VALUE * (card[0] - LEAST_VALUE) + MIDDLE_ACE * card[1]


def code_of(look: Look) -> Code:
    """``look`` as one number."""
    mine, middle, theirs = look
    return NO_LEAD + own_side(mine) + in_middle(middle) + other_side(theirs)


class Reckoner:
    """Values of cards under a match's options, and what has been reckoned already.

    ``ends``: how columns end of which all is known, by their code from my side. The same for every decision, so that
    ``reckoner_of`` keeps one for each set of values.
    """

    def __init__(self, values: Values) -> None:
        self.values = values
        self.count: dict[Face, Count] = {face: (value, int(face in values.aces)) for face, value in values.values.items()}
        self.ends: dict[Code, int] = {}

    def side(self, faces: Iterable[Face]) -> Count:
        return self.values.sum(faces)

    def end(self, mine: Count, middle: Count, theirs: Count) -> int:
        """1: I win this column whoever calls, -1: the other seat does, 0: whoever calls loses it (TE-1, TE-2)."""
        return self.end_of(code_of(Look(mine, middle, theirs)))

    def end_of(self, code: Code) -> int:
        """The same of a column's code."""
        found = self.ends.get(code)
        if found is None:
            lead, aces, their_aces = (code & OWN_ACE - 1) - NO_LEAD, code // OWN_ACE & 7, code // THEIR_ACE & 7
            ace, value = code // MIDDLE_ACE & 1, code // MIDDLE_VALUE + LEAST_VALUE
            best = self.values.best
            scores = best(value + lead, aces + ace, their_aces), best(value - lead, their_aces + ace, aces)
            first, second = winner(0, scores), winner(1, scores)
            found = self.ends[code] = (1 if first == 0 else -1) if first == second else 0
        return found

    def look(self, column: Column, seat: int, faces: Mapping[Card, Face]) -> Look:
        """``column`` as ``seat`` sees it; ``faces`` know its own card and all that lies open."""
        count = self.count
        mine, theirs = count[faces[column.owns[seat]]], NOTHING
        for card in column.extras[seat]:
            mine = add(mine, count[faces[card]])
        for card in column.extras[1 - seat]:
            theirs = add(theirs, count[faces[card]])
        return Look(mine, count[faces[column.middle]], theirs)


@lru_cache(maxsize=4)
def reckoner_of(court: str, joker: int, limit: int) -> Reckoner:
    """The one for these options; it remembers what earlier decisions reckoned."""
    return Reckoner(Values(court, joker, limit))


class Belief:
    """A guess at one closed card: weights by what it may count. Remembers the chances it has worked out."""

    def __init__(self, reckoner: Reckoner, weights: Mapping[Count, float]) -> None:
        total = sum(weights.values()) or 1.0
        self.reckoner = reckoner
        self.weights = [(count, weight / total) for count, weight in weights.items() if weight > 0]
        self._cards = [(other_side(count), weight) for count, weight in self.weights]
        self.chances: dict[Code, Chance] = {}
        self._gains: dict[Count, dict[Code, tuple[float, float]]] = {}

    def chance(self, look: Look) -> Chance:
        return self.chance_of(code_of(look))

    def chance_of(self, code: Code) -> Chance:
        """The chance of a column by its code."""
        found = self.chances.get(code)
        if found is None:
            win = level = 0.0
            ends, end_of = self.reckoner.ends, self.reckoner.end_of
            for card, weight in self._cards:
                result = ends.get(code + card)
                if result is None:
                    result = end_of(code + card)
                if result > 0:
                    win += weight
                elif result == 0:
                    level += weight
            found = self.chances[code] = Chance(win, level)
        return found

    def gains(self, look: Look, card: Count) -> tuple[float, float]:
        """What ``card`` brings a column, in columns: as its middle, and doubled down."""
        return self.gains_of(code_of(look), card)

    def gains_of(self, code: Code, card: Count) -> tuple[float, float]:
        """The same of a column's code."""
        known = self.known_gains(card)
        found = known.get(code)
        if found is None:
            now = self.chance_of(code).even
            found = known[code] = (self.chance_of((code & WITHOUT_MIDDLE) + in_middle(card)).even - now,
                                   self.chance_of(code + own_side(card)).even - now)
        return found

    def known_gains(self, card: Count) -> dict[Code, tuple[float, float]]:
        """What ``card`` brings the columns that it has been thought of for, by their code."""
        return self._gains.setdefault(card, {})


def count_hidden(reckoner: Reckoner, deck: Iterable[Face], live: Iterable[Card], faces: Faces) -> Counter[Count]:
    """What the cards of ``deck`` count that are not among the ``faces`` known of ``live`` cards."""
    rest = Counter(deck) - Counter(faces[card] for card in live if card in faces)
    counts: Counter[Count] = Counter()
    for face, number in rest.items():
        counts[reckoner.count[face]] += number
    return counts


def place(look: Look, verb: str, card: Count) -> Look:
    """The column after its seat put ``card`` there."""
    mine, middle, theirs = look
    return Look(mine, card, theirs) if verb == "replace" else Look(add(mine, card), middle, theirs)
