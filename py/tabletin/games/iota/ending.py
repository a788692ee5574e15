"""The end of a match of Iota for two, searched: the pile is empty, so that a seat that counts knows the other hand.

Both seats play for the difference of points. At every turn the search tries the plays with most points and passing, first few
plays and then more, as long as there is time; once it has tried them all its answer is exact, but that it recycles no wilds
after the first turn. It knows both hands because its caller counted them, and never asks a view.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from tabletin.games.iota.grid import Bits, Cell, HandCard, Play, Plays
from tabletin.games.iota.rules import turn_score
from tabletin.kernel.faces import Card

WIDTHS: Final = (1, 2, 4, 8, 16, 32, 10_000)  # plays tried at every turn, most points first
INFINITE: Final = 10_000


class OutOfTime(Exception):
    """The search has to be broken off."""


class Ending(NamedTuple):
    """What lies, and what is held by the seat to play and by the other. ``has_passed``: whether the other has just passed."""

    bits: Bits
    wilds: tuple[Cell, ...]
    mine: tuple[HandCard, ...]
    theirs: tuple[HandCard, ...]
    has_passed: bool = False


class EndSearch:
    """One search. ``out_of_time``: asked at every turn in thought."""

    def __init__(self, out_of_time: Callable[[], bool]) -> None:
        self.out_of_time = out_of_time
        self.is_whole = True  # no play was left out at the present width
        self._plays: dict[tuple[frozenset[tuple[Cell, int]], tuple[HandCard, ...]], list[tuple[int, Play]]] = {}

    def lead(self, ending: Ending, width: int, least: int = -INFINITE, most: int = INFINITE) -> int:
        """By how many points the seat to play will outdo the other from here, as far as that is between ``least`` and ``most``.

        Raises ``OutOfTime``.
        """
        if self.out_of_time():
            raise OutOfTime
        if not ending.mine or not ending.theirs:
            return 0
        plays = self.plays(ending.bits, ending.wilds, ending.mine)
        self.is_whole = self.is_whole and len(plays) <= width
        best = -INFINITE
        for points, play in plays[:width]:
            best = max(best, points - self.lead(after(ending, play), width, points - most, points - max(least, best)))
            if best >= most:
                return best
        passing = 0 if ending.has_passed else -self.lead(
            Ending(ending.bits, ending.wilds, ending.theirs, ending.mine, True), width, -most, -max(least, best))
        return max(best, passing)

    def plays(self, bits: Bits, wilds: tuple[Cell, ...], hand: tuple[HandCard, ...]) -> list[tuple[int, Play]]:
        """Every play of ``hand`` with its points, most first."""
        key = frozenset(bits.items()), hand
        found = self._plays.get(key)
        if found is None:
            own = dict(hand)
            found = [(play_points(bits, play, own, ends=len(play) == len(hand)), play) for play in Plays(bits, wilds, hand)]
            found.sort(key=lambda pair: pair[0], reverse=True)
            self._plays[key] = found
        return found


def after(ending: Ending, play: Play) -> Ending:
    """What the other seat finds after ``play``."""
    own = dict(ending.mine)
    laid = {card for card, _ in play}
    return Ending(ending.bits | {cell: own[card] for card, cell in play},
                  (*ending.wilds, *(cell for card, cell in play if not own[card])),
                  ending.theirs, tuple(held for held in ending.mine if held[0] not in laid))


def play_points(bits: Bits, play: Play, own: dict[Card, int], *, ends: bool) -> int:
    """The points of ``play`` with cards of the bits ``own``. ``ends``: it lays the last card of all."""
    for card, cell in play:
        bits[cell] = own[card]
    points, _ = turn_score(bits, [cell for _, cell in play], ends=ends)
    for _, cell in play:
        del bits[cell]
    return points
