"""Where dominoes lie on the plane: one at a time, on a grid. What all layouts have in common.

Every open place has a slot, where its next domino will lie: the place that lights up. What was laid stays, or moves rarely. A
layout knows places and laid numbers, never a hand. Where doubles branch it is a ``layout_branching``, where they do not a
``layout_line``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from math import atan2, degrees, hypot, sqrt
from typing import NamedTuple, Self, TypeAlias

from tabletin.games.dominoes.table import LaidTile

Way: TypeAlias = tuple[int, int]  # a direction: right, down
Point: TypeAlias = tuple[float, float]  # in cells: a domino is 2 by 4
Box: TypeAlias = tuple[float, float, float, float]  # left, top, right, bottom
Opens: TypeAlias = Callable[[int, LaidTile], Mapping[int, int]]


class TilePlacement(NamedTuple):
    """Where a domino lies: its middle, and the direction from its inner half to its outer half."""

    x: float
    y: float
    way: Way

    @property
    def box(self) -> Box:
        across, down = (2, 1) if self.way[0] else (1, 2)
        return self.x - across, self.y - down, self.x + across, self.y + down


class Slot(NamedTuple):
    """What an open place keeps free: where a double would lie, where any other domino would.

    ``direction``: where the far long side of a double looks. ``bent``: the arm turns off. ``joint``: where the domino touches;
    ``start``: the end that it belongs to, ``apart`` from it only if there was no space left there.
    """

    double: TilePlacement
    plain: TilePlacement
    direction: Way
    bent: bool
    start: Point
    joint: Point

    apart: bool = False

    @property
    def span(self) -> tuple[int, int]:
        """From ``start`` to ``joint``: how many cells, and the direction in degrees."""
        x, y = self.joint[0] - self.start[0], self.joint[1] - self.start[1]
        return max(1, round(hypot(x, y))), round(degrees(atan2(y, x)))

    def lie(self, *, double: bool) -> TilePlacement:
        return self.double if double else self.plain

    def without_double(self) -> Slot:
        """The same where the double is laid already."""
        return self._replace(double=self.plain)


def turned_left(way: Way) -> Way:
    """Anticlockwise, as the screen shows it (y runs down)."""
    return way[1], -way[0]


def turned_right(way: Way) -> Way:
    return -way[1], way[0]


def reverse(way: Way) -> Way:
    return -way[0], -way[1]


def step(at: Point, *moves: tuple[Way, float]) -> Point:
    x, y = at
    for way, far in moves:
        x, y = x + way[0] * far, y + way[1] * far
    return x, y


def box_around(boxes: Iterable[Box]) -> Box:
    """The box around all ``boxes``, of which there is one at least."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


class TableLayout(ABC):
    """The lies of the dominoes on one table. ``show`` the table again whenever it has changed."""

    def __init__(self, opens: Opens, window: Point) -> None:
        """``opens``: the rules' own ``opened``. ``window``: its width and height, in cells as large as they get."""
        self._opens = opens
        self.shape = window[0] / window[1]
        self._wide, self._high = sqrt(self.shape), 1 / sqrt(self.shape)
        self._start()

    def _start(self) -> None:
        self.tiles: list[LaidTile] = []
        self.lies: list[TilePlacement] = []
        self.slots: dict[int, Slot] = {}  # of all places; of those that are open no more, as they were last
        self.open: dict[int, Slot] = {}  # of what is shown: what the places keep free on which something may still come
        self._open_after: list[dict[int, Slot] | None] = []  # … after each domino; None: to be found again
        self._shown = 0

    def show(self, laid: Sequence[LaidTile]) -> list[TilePlacement]:
        """Where the dominoes of ``tiles`` lie. A beginning of what was shown before costs nothing."""
        same = 0
        for one, other in zip(laid, self.tiles, strict=False):
            if one != other:
                break
            same += 1
        if same < len(self.tiles) and same < len(laid):
            self._forget(same)
        for one in laid[len(self.tiles):]:
            self._add(one)
            self._open_after.append(self._open_slots())
        self.open = self._open_at(len(laid)) if laid else {}
        self._shown = len(laid)
        return self.lies[:len(laid)]

    @abstractmethod
    def _add(self, laid: LaidTile) -> None:
        """Lay ``laid``: into ``tiles``, ``lies`` and, for what it opens, ``slots``."""

    @abstractmethod
    def _open_slots(self) -> dict[int, Slot]:
        """What the places of the newest table keep free on which something may still come."""

    def _open_at(self, count: int) -> dict[int, Slot]:
        """The same after the first ``count`` dominoes, of which there is one at least."""
        return self._open_after[count - 1] or {}

    def _forget(self, count: int) -> None:
        """Take everything after the first ``count`` dominoes away."""
        kept = self.tiles[:count]
        self._start()
        self.show(kept)

    def slot(self, place: int) -> Slot:
        """What the open place ``place`` keeps free. Raises ``KeyError`` where nothing comes any more."""
        return self.open[place]

    def improve(self) -> bool:
        """Go on looking for a better layout, as long as a tap may take; whether any domino moved."""
        return False

    def snapshot(self) -> Self:
        """A layout that goes on from here by itself, where nothing moves."""
        found = copy(self)
        vars(found).update((name, copy(value)) for name, value in vars(self).items() if isinstance(value, list | dict))
        return found

    def box(self, others: Iterable[TilePlacement] = ()) -> Box | None:
        """The box around all that is shown, and ``others``; None around nothing."""
        return box_around(lie.box for lie in (*self.lies[:self._shown], *others)) if self._shown else None

    def extent(self, *others: TilePlacement) -> float:
        """How large a window of this shape must be to show all that lies, and ``others``: the smaller, the larger dominoes
        look."""
        left, top, right, bottom = self.box(others) or (0, 0, 0, 0)
        return max((right - left) / self._wide, (bottom - top) / self._high)
