"""Looks for a layout in which no end of a table is walled in: it lays the same dominoes out in other ways, a few at a time.

It knows places and laid numbers, never a hand, and does not say when to look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import Final

from tabletin.games.dominoes.layout import TableLayout
from tabletin.games.dominoes.table import LaidTile

AT_A_TIME: Final = 6  # dominoes laid out in one step: so few that a tap is answered at once


class LayoutSearch:
    """A search. ``layouts``: the empty layouts to try, in this order."""

    def __init__(self, layouts: Callable[[], Iterable[TableLayout]]) -> None:
        self._layouts = layouts
        self._left = iter(layouts())
        self._tried = next(self._left, None)
        self._fruitless: tuple[LaidTile, ...] = ()  # the table for which none would do

    def step(self, tiles: Sequence[LaidTile], most: float = inf) -> TableLayout | None:
        """Go on looking for a layout of ``tiles`` with an extent of no more than ``most``; it as soon as it is found."""
        tried = self._tried
        if tried is None or self._fruitless == tuple(tiles):
            return None
        tried.show(tiles[:len(tried.tiles) + AT_A_TIME])
        if len(tried.tiles) < len(tiles) and not tried.is_walled_in:
            return None
        self._tried = next(self._left, None)
        if self._tried is None:
            self._left = iter(self._layouts())
            self._tried, self._fruitless = next(self._left, None), tuple(tiles)
        return None if tried.is_walled_in or tried.extent() > most else tried
