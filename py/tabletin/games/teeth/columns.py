"""What a column is worth to either player: card values, the choice of aces, and who wins it. Pure functions over faces.

Source: rulebook ``teeth``, rulings TE-1, TE-2, TE-6, TE-7. Nothing here knows who holds or has seen what.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tabletin.kernel.deck52 import FACES, SUITS
from tabletin.kernel.faces import Face
from tabletin.kernel.schema import Malformed

JOKER: Final[Face] = "joker"
DECK: Final[tuple[Face, ...]] = (*FACES, JOKER, JOKER)  # 54 (TE-1)
ACE_LOW, ACE_STEP = 1, 10  # an ace counts 1, or 1 + 10


@dataclass(frozen=True, slots=True)
class Score:
    """One player's score of a column: the best total not above the limit, or the lowest there is and ``bust``."""

    total: int
    bust: bool


class Values:
    """What cards count under the options of a match: court cards 11/12/13 or 10, jokers, the limit (TE-6)."""

    def __init__(self, court: str, joker: int, limit: int) -> None:
        courts = {"J": 11, "Q": 12, "K": 13} if court == "rank" else dict.fromkeys("JQK", 10)
        self.limit = limit
        self.values: dict[Face, int] = {JOKER: joker}  # an ace as 1
        self.aces: frozenset[Face] = frozenset("A" + suit for suit in SUITS)
        for face in DECK:
            rank = face[:-1]
            if face != JOKER:
                self.values[face] = courts.get(rank) or (ACE_LOW if rank == "A" else int(rank))

    def sum(self, faces: Iterable[Face]) -> tuple[int, int]:
        """What ``faces`` add up to with every ace as 1, and how many aces there are. Raises ``Malformed``."""
        total = aces = 0
        for face in faces:
            if face not in self.values:
                raise Malformed("a face that is no playing card")
            total += self.values[face]
            aces += face in self.aces
        return total, aces

    def score(self, own: Iterable[Face], middle: Face, other: Iterable[Face]) -> Score:
        """Own cards + middle − the other's, each ace as this player likes (TE-1).

        >>> Values("rank", -4, 18).score(["3S"], "AS", ["KH"])
        Score(total=1, bust=False)
        """
        plus, plus_aces = self.sum((*own, middle))
        minus, minus_aces = self.sum(other)
        return self.best(plus - minus, plus_aces, minus_aces)

    def parts(self, own: Iterable[Face], middle: Face, other: Iterable[Face]) -> tuple[int, int, int]:
        """What own cards, the middle one and the other's come to in ``score``, each ace as it counts there: own + middle − other
        is the total (TE-1). An ace of the other is 1 before one's own is 11.

        >>> Values("rank", -4, 18).parts(["3S"], "AS", ["KH"])
        (3, 11, 13)
        """
        (left, left_aces), (centre, centre_aces), (right, right_aces) = self.sum(own), self.sum([middle]), self.sum(other)
        lowest = left + centre - right - ACE_STEP * right_aces
        steps = (self.best(left + centre - right, left_aces + centre_aces, right_aces).total - lowest) // ACE_STEP
        low = min(steps, right_aces)
        high = min(steps - low, left_aces)
        return left + ACE_STEP * high, centre + ACE_STEP * (steps - low - high), right + ACE_STEP * (right_aces - low)

    def best(self, base: int, plus_aces: int, minus_aces: int) -> Score:
        """The best that ``base`` (aces as 1) comes to, with aces added and aces taken off still to choose."""
        lowest = base - ACE_STEP * minus_aces
        if lowest > self.limit:
            return Score(lowest, True)
        steps = min((self.limit - lowest) // ACE_STEP, plus_aces + minus_aces)
        return Score(lowest + ACE_STEP * steps, False)


def winner(caller: int, scores: tuple[Score, Score]) -> int:
    """Who wins a column that ``caller`` called, scores by seat: equal or both bust, the caller loses it (TE-2)."""
    mine, theirs = scores[caller], scores[1 - caller]
    if mine.bust or theirs.bust:
        won = theirs.bust and not mine.bust
    else:
        won = mine.total > theirs.total
    return caller if won else 1 - caller
