"""Scoring a round (DO-4, DO-10): who wins it, what each seat scores, what a false claim costs.

Pure functions over the pips left in each hand. They never see a face.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias

Balance: TypeAlias = Callable[[int, list[int]], int]  # (winner's own pips, pips of each opponent) → points


def every_difference(own: int, others: list[int]) -> int:
    """The winner's pips come off each opponent's (Dominoes, blocked Matador; DO-4).

    >>> every_difference(5, [19, 12])
    21
    """
    return sum(other - own for other in others)


def one_difference(own: int, others: list[int]) -> int:
    """The winner's pips come off once from all that the others hold (blocked Tiddle-A-Wink; DO-4)."""
    return sum(others) - own


def score(pips: tuple[int, ...], out: int | None, liars: Collection[int], blocked: Balance,
          departed: Collection[int] = ()) -> tuple[int | None, tuple[int, ...]]:
    """The winner of a round (None: nobody) and every seat's points.

    Seats found out lose as many points as the most pips in any one hand, cannot win, and what they hold counts for
    nobody (DO-10). If the seat that went out is one of them, the others are scored as in a blocked round. Seats that
    left score nothing, which is the worst that an honest one can.
    """
    honest = [seat for seat in range(len(pips)) if seat not in liars and seat not in departed]
    points = [-max(pips) if seat in liars else 0 for seat in range(len(pips))]
    winner: int | None = None
    if out in honest:
        winner = out
    elif honest:
        lowest = [seat for seat in honest if pips[seat] == min(pips[other] for other in honest)]
        winner = lowest[0] if len(lowest) == 1 else None
    if winner is not None:
        others = [pips[seat] for seat in honest if seat != winner]
        points[winner] = sum(others) if winner == out else blocked(pips[winner], others) if others else 0
    return winner, tuple(points)
