"""The end of a match of Iota, when the pile is empty: searched for two, who know both hands by counting; played on for more.

Two seats play for the difference of points. At every turn the search tries the plays with most points and passing, first
few plays and then more, as long as there is time; once it has tried them all its answer is exact, but that it recycles no wilds
after the first turn. Among more seats all take the turn with most points, in hands that the caller imagines. It knows the hands
that its caller counted or imagined, and never asks a view.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from tabletin.games.iota.grid import COLUMN, ROW, Bits, Cell, HandCard, Play, Plays, frontier, line_through, starts
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


class TracedPlays(Plays):
    """Plays that note which empty cells they looked at: as long as these stay empty, the same plays can be made."""

    def __init__(self, bits: Bits, wilds: Sequence[Cell], hand: Sequence[HandCard]) -> None:
        super().__init__(bits, wilds, hand)
        self.empty: set[Cell] = set()
        self._ends: dict[tuple[Cell, int], frozenset[Cell]] = {}
        lines = [(line_through(bits, wild, step).cells, step) for wild in wilds for step in (ROW, COLUMN)]
        self._wild_ends = {end for cells, step in lines for end in (cells[0] - step, cells[-1] + step)}

    def trace(self, start: Cell, step: int) -> tuple[list[Play], set[Cell]]:
        """The plays from one place, and the cells that were looked at."""
        self.empty = {start}
        return self.plays_from(start, step), self.empty

    def _run(self, cell: Cell, step: int) -> tuple[int, int, int]:
        found = super()._run(cell, step)
        self.empty.add(cell + (found[0] + 1) * step)
        return found

    def _crossing(self, cell: Cell, step: int) -> tuple[int, int, int]:
        key = cell, step
        if key not in self._ends:
            outer, self.empty = self.empty, set()
            super()._crossing(cell, step)
            self._ends[key], self.empty = frozenset(self.empty), outer
        self.empty |= self._ends[key]
        return super()._crossing(cell, step)

    def _wilds_fit(self, play: Play) -> bool:
        self.empty |= self._wild_ends
        return super()._wilds_fit(play)


class HandPlays:
    """The plays of one hand on one grid with their points, and quickly those of its parts on grids that grew out of it."""

    def __init__(self, bits: Bits, wilds: tuple[Cell, ...], hand: tuple[HandCard, ...]) -> None:
        self.bits = bits
        self._edge = frontier(bits)
        self._own = dict(hand)
        traced = TracedPlays(bits, wilds, hand)
        self._by_start: dict[tuple[Cell, int], list[tuple[int, Play]]] = {}
        self._by_cell: dict[Cell, set[tuple[Cell, int]]] = {}
        for start in starts(bits, self._edge):
            plays, empty = traced.trace(*start)
            self._by_start[start] = [(play_points(bits, play, self._own, ends=False), play) for play in plays]
            for cell in empty:
                self._by_cell.setdefault(cell, set()).add(start)

    def find(self, bits: Bits, wilds: tuple[Cell, ...], hand: tuple[HandCard, ...]) -> list[tuple[int, Play]]:
        """Every play of ``hand`` on ``bits``, most points first; laying the last card of all counts double."""
        found = [(points << (len(play) == len(hand)), play) for points, play in self._all(bits, wilds, hand)]
        return sorted(found, key=lambda pair: pair[0], reverse=True)

    def best_points(self, bits: Bits, wilds: tuple[Cell, ...], hand: tuple[HandCard, ...], *, ends: bool) -> int:
        """The points of the best of them; ``ends``: laying the last card ends the match and counts double."""
        return max((points << (ends and len(play) == len(hand)) for points, play in self._all(bits, wilds, hand)), default=0)

    def best(self, bits: Bits, wilds: tuple[Cell, ...], hand: tuple[HandCard, ...]) -> tuple[int, Play] | None:
        """The play with most points and these, laying the last card of all counting double; None where there is no play."""
        found = [(points << (len(play) == len(hand)), play) for points, play in self._all(bits, wilds, hand)]
        return max(found, key=lambda pair: pair[0], default=None)

    def _all(self, bits: Bits, wilds: tuple[Cell, ...], hand: tuple[HandCard, ...]) -> list[tuple[int, Play]]:
        """Every play of ``hand`` on ``bits`` with its points."""
        held = {card for card, _ in hand}
        laid = [cell for cell in bits if cell not in self.bits]
        edge = self._edge.difference(laid) | frontier(dict.fromkeys(laid, 0)).difference(bits)
        changed = set(starts(bits, edge - self._edge))
        for cell in laid:
            changed |= self._by_cell.get(cell, set())
        found = [pair for start, pairs in self._by_start.items() if start not in changed
                 for pair in pairs if all(card in held for card, _ in pair[1])]
        plays = Plays(bits, wilds, hand, edge)
        for start, step in changed:
            if start not in bits:
                found += [(play_points(bits, play, self._own, ends=False), play) for play in plays.plays_from(start, step)]
        return found


class EndSearch:
    """One search of ``ending`` and what may become of it. ``out_of_time``: asked at every turn in thought."""

    def __init__(self, ending: Ending, out_of_time: Callable[[], bool]) -> None:
        self.out_of_time = out_of_time
        self.is_whole = True  # no play was left out at the present width
        self._hands = [(frozenset(hand), HandPlays(ending.bits, ending.wilds, hand)) for hand in (ending.mine, ending.theirs)]
        self._plays: dict[tuple[frozenset[tuple[Cell, int]], tuple[HandCard, ...]], list[tuple[int, Play]]] = {}

    def lead(self, ending: Ending, width: int, least: int = -INFINITE, most: int = INFINITE) -> int:
        """By how many points the seat to play will outdo the other from here, as far as that is between ``least`` and ``most``.

        Raises ``OutOfTime``.
        """
        if self.out_of_time():
            raise OutOfTime
        if not ending.mine or not ending.theirs:
            return 0
        plays = self.plays(ending)
        self.is_whole = self.is_whole and len(plays) <= width
        best = -INFINITE
        for points, play in plays[:width]:
            best = max(best, points - self.lead(ending_after(ending, play), width, points - most, points - max(least, best)))
            if best >= most:
                return best
        passing = 0 if ending.has_passed else -self.lead(
            Ending(ending.bits, ending.wilds, ending.theirs, ending.mine, True), width, -most, -max(least, best))
        return max(best, passing)

    def plays(self, ending: Ending) -> list[tuple[int, Play]]:
        """Every play of the seat to play with its points, most first."""
        bits, wilds, hand = ending.bits, ending.wilds, ending.mine
        key = frozenset(bits.items()), hand
        found = self._plays.get(key)
        if found is None:
            whole = next((plays for cards, plays in self._hands if cards.issuperset(hand)), None)
            if whole is None or any(bits.get(cell) != own for cell, own in whole.bits.items()):
                whole = HandPlays(bits, wilds, hand)  # a wild was recycled
            found = self._plays[key] = whole.find(bits, wilds, hand)
        return found


def play_to_the_end(bits: Bits, wilds: tuple[Cell, ...], hands: Sequence[tuple[HandCard, ...]],
                    plays: Sequence[HandPlays]) -> list[int]:
    """What each of ``hands`` makes to the end, the first one to play, if all take the turn with most points.

    ``plays``: of each hand, or of a larger one that it is a part of, on this grid or an earlier one.
    """
    held, made, passes, at = list(hands), [0] * len(hands), 0, 0
    while all(held) and passes < len(held):
        found = plays[at].best(bits, wilds, held[at])
        if found is None:
            passes += 1
        else:
            passes = 0
            points, play = found
            bits, wilds, held[at] = _lay(bits, wilds, held[at], play)
            made[at] += points
        at = (at + 1) % len(held)
    return made


def _lay(bits: Bits, wilds: tuple[Cell, ...], hand: tuple[HandCard, ...],
          play: Play) -> tuple[Bits, tuple[Cell, ...], tuple[HandCard, ...]]:
    """Grid, wilds and hand after ``play``."""
    own = dict(hand)
    laid = {card for card, _ in play}
    return (bits | {cell: own[card] for card, cell in play}, (*wilds, *(cell for card, cell in play if not own[card])),
            tuple(held for held in hand if held[0] not in laid))


def ending_after(ending: Ending, play: Play) -> Ending:
    """What the other seat finds after ``play``."""
    bits, wilds, rest = _lay(ending.bits, ending.wilds, ending.mine, play)
    return Ending(bits, wilds, ending.theirs, rest)


def play_points(bits: Bits, play: Play, own: dict[Card, int], *, ends: bool) -> int:
    """The points of ``play`` with cards of the bits ``own``. ``ends``: it lays the last card of all."""
    for card, cell in play:
        bits[cell] = own[card]
    points, _ = turn_score(bits, [cell for _, cell in play], ends=ends)
    for _, cell in play:
        del bits[cell]
    return points
