"""How a table lies on a screen from one scene to the next: as it is seen, and as it goes on looking for room meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tabletin.board.scene import Point, Rect
from tabletin.games.dominoes.base import DominoRules
from tabletin.games.dominoes.draft import CELL
from tabletin.games.dominoes.layout import TableLayout
from tabletin.games.dominoes.layout_branching import BranchingLayout
from tabletin.games.dominoes.layout_line import LineLayout
from tabletin.games.dominoes.matador import Matador
from tabletin.games.dominoes.table import LaidTile

WIDE: Final = 2 * CELL  # a domino's width on the plane
SAME_SHAPE: Final = 1.65  # a window may become so much wider or narrower for its height before the table is laid out anew
KEPT: Final = 4  # layouts: of this round and of others, for windows of different shapes
CLOSEST: Final = 0.8  # px a unit at most …
SHARE: Final = 0.125  # … or, on a large screen, so that a domino takes so much of its shorter side


@dataclass(slots=True)
class ScreenLayout:
    """How a ``table`` is seen, and its ``search``: the same as it goes on looking for room, a little with each scene."""

    table: TableLayout
    search: TableLayout

    def show(self, tiles: Sequence[LaidTile]) -> None:
        self.table.show(tiles)
        self.search.show(tiles)

    def settle(self) -> bool:
        """Show what was found; whether dominoes move for it."""
        before, self.table = self.table.lies, self.search.snapshot()
        return before != self.table.lies


class ScreenLayouts:
    """Those of this round and of others, for windows of different shapes."""

    def __init__(self) -> None:
        self._layouts: list[ScreenLayout] = []  # the last used first

    def find(self, rules: DominoRules, window: Rect, tiles: Sequence[LaidTile]) -> ScreenLayout:
        """The one for ``window``, with ``tiles`` in it. What was laid moves when a screen is turned, and else rarely."""
        shape = max(1.0, window.width) / max(1.0, window.height)
        one = next((one for one in self._layouts if max(shape / one.table.shape, one.table.shape / shape) < SAME_SHAPE), None)
        if one is None:
            layout = laid_out(rules, window, tiles)
            one = ScreenLayout(layout.snapshot(), layout)
        self._layouts = [one, *(other for other in self._layouts if other is not one)][:KEPT]
        one.show(tiles)
        return one


def laid_out(rules: DominoRules, window: Rect, tiles: Sequence[LaidTile]) -> TableLayout:
    """A layout for ``window``. Where ``tiles`` lie already, as in a puzzle, it is made for all of them."""
    if isinstance(rules, Matador):
        line = LineLayout(rules.new_places, in_cells(window))
        line.show(tiles)
        line.improve()
        return line
    layout = BranchingLayout(rules.new_places, in_cells(window), alike=rules.option_values["set"] + 1)
    if tiles:
        layout.arrange(tiles)
    return layout


def in_cells(window: Rect) -> Point:
    """How wide and how high ``window`` is, in cells as large as they get."""
    cell = closest(window) * CELL
    return max(1.0, window.width) / cell, max(1.0, window.height) / cell


def closest(window: Rect) -> float:
    """How many px a unit of the table is at most."""
    return max(CLOSEST, min(window.width, window.height) * SHARE / WIDE)
