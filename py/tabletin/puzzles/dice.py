"""Numbers that follow from a text, the same in every version of Python and in every browser. Whole numbers only.

A puzzle must be the same everywhere, and Python promises that of ``random`` for fractions alone. This is SplitMix64.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

MASK: Final = (1 << 64) - 1


class Dice:
    """A stream of numbers that follows from ``seed``.

    >>> Dice("2026-11-23").shuffle("abcdef")
    ['c', 'd', 'e', 'a', 'b', 'f']
    """

    def __init__(self, seed: str) -> None:
        state = 0xCBF29CE484222325  # FNV-1a of the text
        for byte in seed.encode():
            state = (state ^ byte) * 0x100000001B3 & MASK
        self._state = state

    def _next(self) -> int:
        self._state = mixed = self._state + 0x9E3779B97F4A7C15 & MASK
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & MASK
        return mixed ^ mixed >> 31

    def roll(self, count: int) -> int:
        """A number from 0 up to ``count``, without it. (For counts this small all are as good as equally likely.)"""
        return self._next() * count >> 64

    def choice(self, items: Sequence[T]) -> T:
        """One of ``items``."""
        return items[self.roll(len(items))]

    def shuffle(self, items: Iterable[T]) -> list[T]:
        """``items`` in another order."""
        found = list(items)
        for at in range(len(found) - 1, 0, -1):
            other = self.roll(at + 1)
            found[at], found[other] = found[other], found[at]
        return found
