"""Reckons with a card that a seat cannot see: how a column would end, and how probably, from that seat's side of the table.

A card counts as its value and whether it is an ace; a side of a column as the sum of its cards (aces as 1) and how many
aces there are. It knows only what its caller passes in: what one seat knows.
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
NOTHING: Final[Count] = (0, 0)


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


class Reckoner:
    """Values of cards under a match's options, and what has been reckoned already.

    ``ends``: how columns end, by my lead in sum, my aces, the middle and the other seat's aces. The same for every decision, so
    that ``reckoner_of`` keeps one for each set of values.
    """

    def __init__(self, values: Values) -> None:
        self.values = values
        self.count: dict[Face, Count] = {face: (value, int(face in values.aces)) for face, value in values.values.items()}
        self.ends: dict[tuple[int, int, Count, int], int] = {}

    def side(self, faces: Iterable[Face]) -> Count:
        return self.values.sum(faces)

    def end(self, mine: Count, middle: Count, theirs: Count) -> int:
        """1: I win this column whoever calls, -1: the other seat does, 0: whoever calls loses it (TE-1, TE-2)."""
        lead = mine[0] - theirs[0]
        key = (lead, mine[1], middle, theirs[1])
        found = self.ends.get(key)
        if found is None:
            best = self.values.best
            scores = (best(lead + middle[0], mine[1] + middle[1], theirs[1]),
                      best(middle[0] - lead, theirs[1] + middle[1], mine[1]))
            first, second = winner(0, scores), winner(1, scores)
            found = self.ends[key] = (1 if first == 0 else -1) if first == second else 0
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
        self._chances: dict[Look, Chance] = {}
        self._gains: dict[tuple[Look, Count], tuple[float, float]] = {}

    def chance(self, look: Look) -> Chance:
        found = self._chances.get(look)
        if found is None:
            win = level = 0.0
            (sum_mine, aces), middle, (sum_theirs, their_aces) = look
            lead, ends, end = sum_mine - sum_theirs, self.reckoner.ends, self.reckoner.end
            for (value, ace), weight in self.weights:
                result = ends.get((lead - value, aces, middle, their_aces + ace))
                if result is None:
                    result = end(look.mine, middle, (sum_theirs + value, their_aces + ace))
                if result > 0:
                    win += weight
                elif result == 0:
                    level += weight
            found = self._chances[look] = Chance(win, level)
        return found

    def gains(self, look: Look, card: Count) -> tuple[float, float]:
        """What ``card`` brings a column, in columns: as its middle, and doubled down."""
        found = self._gains.get((look, card))
        if found is None:
            now = self.chance(look).even
            found = self._gains[look, card] = (self.chance(place(look, "replace", card)).even - now,
                                               self.chance(place(look, "double", card)).even - now)
        return found


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
