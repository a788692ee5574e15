"""Who led in a match, as a drawing: everybody's points from the deal to the end, the best on top.

Pure: SVG that the page's style sheet colours by seat, and the same told in numbers for those who do not see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import Final

from tabletin.board.svg import Markup

WIDTH: Final = 640
HEIGHT: Final = 260
LEFT, RIGHT, TOP, BOTTOM = 54.0, 26.0, 20.0, 20.0  # of the drawing's edges: letters are larger on a small screen
DASHES: Final = ("", "9 5", "2 4", "14 4 3 4", "5 3", "1 6", "18 6", "8 3 2 3 2 3", "3 8", "12 2")
"""How each seat's line is broken: colour is not the only sign."""
TICKS: Final = (1, 2, 5)
TAIL: Final = 24.0  # of a line, before its disc
DISC: Final = 35.0  # as wide as a disc is on a small screen (web/styles/screens/review.css), and its edge


@dataclass(frozen=True, slots=True)
class Course:
    """A match's points in order: ``standings`` after each entry at which they changed, from the first to the last.
    ``moments``: how far the match was then, 0…1. ``low_wins``: whether fewest points lead."""

    moments: Sequence[float]
    standings: Sequence[Sequence[int]]
    low_wins: bool = False

    def leaders(self, moment: int) -> tuple[int, ...]:
        """The seats that led after the change ``moment``; none while all have the same."""
        scores = self.standings[moment]
        best = min(scores) if self.low_wins else max(scores)
        found = tuple(seat for seat, score in enumerate(scores) if score == best)
        return found if len(found) < len(scores) else ()

    def shares(self) -> list[float]:
        """For how much of the match each seat led alone, 0…1."""
        found = [0.0] * len(self.standings[0])
        ends = [*self.moments[1:], 1.0]
        for moment, (begin, end) in enumerate(zip(self.moments, ends, strict=True)):
            leaders = self.leaders(moment)
            if len(leaders) == 1:
                found[leaders[0]] += end - begin
        return found

    @property
    def changes_of_lead(self) -> int:
        """How often somebody else came to lead alone."""
        alone = [found[0] for moment in range(len(self.moments)) if len(found := self.leaders(moment)) == 1]
        return sum(one != other for one, other in pairwise(alone))


def course_of(standings: Sequence[Sequence[int]], *, low_wins: bool) -> Course:
    """The course of a match from the points after each of its entries."""
    last = max(1, len(standings) - 1)
    kept = [index for index, scores in enumerate(standings) if index == 0 or tuple(scores) != tuple(standings[index - 1])]
    return Course([index / last for index in kept], [tuple(standings[index]) for index in kept], low_wins)


def lead_graph(course: Course, marks: Sequence[float] = ()) -> Markup:
    """The inner SVG, ``WIDTH`` by ``HEIGHT``. ``marks``: moments, 0…1, that are marked below."""
    scores = [score for row in course.standings for score in row]
    low, high = min(scores), max(scores)
    step = _step(max(1, high - low))
    low, high = low // step * step, -(-high // step) * step
    if low == high:
        high = low + step

    def y(score: float) -> float:
        share = (score - low) / (high - low)
        share = share if course.low_wins else 1 - share
        return TOP + share * (HEIGHT - TOP - BOTTOM)

    ends = _ends([y(score) for score in course.standings[-1]], WIDTH - RIGHT)
    last = min(at for at, _ in ends) - TAIL  # from here on nothing changes: the lines lead to their discs

    def x(at: float) -> float:
        return LEFT + at * (last - LEFT)

    parts = []
    for score in range(low, high + 1, step):
        parts.append(f'<path class="grid" d="M{LEFT:g} {y(score):.1f}H{WIDTH - RIGHT:g}"/>'
                     f'<text class="tick" x="{LEFT - 8:g}" y="{y(score):.1f}">{_figure(score)}</text>')
    parts += [f'<path class="mark" d="M{x(at):.1f} {HEIGHT - BOTTOM + 2:g}l5 9h-10z"/>' for at in marks]
    for seat in reversed(range(len(course.standings[0]))):
        path = f"M{x(0):.1f} {y(course.standings[0][seat]):.1f}"
        for at, row in zip(course.moments[1:], course.standings[1:], strict=True):
            path += f"H{x(at):.1f}V{y(row[seat]):.1f}"
        path += f"H{ends[seat][0]:.1f}"
        dashes = f' stroke-dasharray="{DASHES[seat % len(DASHES)]}"' if DASHES[seat % len(DASHES)] else ""
        parts.append(f'<path class="line seat-{seat}" d="{path}"{dashes}/>')
    for seat, (at, end) in enumerate(ends):  # above all lines
        parts.append(f'<circle class="end seat-{seat}" cx="{at:.1f}" cy="{end:.1f}" r="11"/>'
                     f'<text class="who" x="{at:.1f}" y="{end:.1f}">{seat + 1}</text>')
    return "".join(parts)


def _ends(heights: Sequence[float], x: float) -> list[tuple[float, float]]:
    """Where the discs at the ends of the lines stand: each on its own line, before one that it would cover."""
    ends: list[tuple[float, float]] = []
    for y in heights:
        at = x
        while any(hypot(at - other, y - high) < DISC for other, high in ends):
            at -= DISC
        ends.append((at, y))
    return ends


def _step(span: int) -> int:
    """A round number of points between two lines, so that there are about five."""
    size = 1
    while True:
        for tick in TICKS:
            if span / (tick * size) <= 5:
                return tick * size
        size *= 10


def _figure(score: int) -> str:
    return str(score).replace("-", "−")
