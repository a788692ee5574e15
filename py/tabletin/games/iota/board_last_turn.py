"""The last turn of a match of Iota, counted on the table: the points of each line at its end, one line after the other, then at
the foot the sum, what doubles it, and what the turn scored.

While that comes, the lines are looked at from near, where cards are small. It stays to be seen then, with the whole grid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from tabletin.board.scene import Label, Rect, Sight, Zone, around_all
from tabletin.games.iota.grid import Cell
from tabletin.games.iota.orientation import Place
from tabletin.games.iota.plane import CARD, card_at, plate_beside
from tabletin.games.iota.turn import TurnSum, scored_lines, turn_sum
from tabletin.words import figure

STEP: Final = 0.5  # seconds after which the next number is seen, …
MOST: Final = 2.0  # … for all of them at most, …
SEEN: Final = 0.35  # … and until what they come to may fly
NUMBER: Final = (1.1875, 0.066)  # how large a number of the sum is written, in rem and in widths of the stage at most, …
WHY: Final = (0.8125, 0.054)  # … and the words under it, as web/styles/table/places.css and enlarged.css have it; …
LETTER: Final = 0.6  # … of which a letter is so wide, …
BETWEEN: Final = 0.95  # … the room between two numbers, …
HIGH: Final = 1.25  # … and each line so high
PADDING: Final = 6.0  # px around the sum


class Term(NamedTuple):
    """A number of the sum, and why it is there."""

    text: str
    why: str
    kind: str = "head"


class CountedTurn:
    """The turn that ended the match seen by ``sight``, in ``window``; ``seen``: where a cell of the grid is seen.

    ``sum``: how its points come about. ``window``: what is left of it for the grid. ``won_at``: where on the stage it stands what
    the turn scored; ``seconds`` until it is seen.
    """

    def __init__(self, sight: Sight, window: Rect, seen: Callable[[Cell], Place]) -> None:
        self._sight = sight
        self._number, self._why = (min(rem * sight.layout.rem, width * sight.layout.width) for rem, width in (NUMBER, WHY))
        self._high = HIGH * (self._number + self._why)
        state = sight.view.state
        self.sum = turn_sum(state.bits, state.last_lays, ends=True)
        self._lines = [([seen(cell) for cell in line.cells], points)
                       for line, points in zip(scored_lines(state.bits, state.last_lays), self.sum.lines, strict=True) if points]
        self._cards = [card_at(seen(cell)) for cell in state.grid]
        self._terms = list(_terms(sight, self.sum))
        self._step = min(STEP, MOST / (len(self._lines) + len(self._terms) - 1))
        self._rows = list(self._in_rows(window.width))
        self._sum_at, self.window = window.foot(len(self._rows) * self._high + 2 * PADDING)
        self.seconds = self._step * (len(self._lines) + len(self._terms) - 1) + SEEN
        self._foot = tuple(self._sum_labels())
        total = self._foot[-1]
        self.won_at = {state.turn: (total.x, total.y)}

    @property
    def close_up(self) -> Rect:
        """The lines that count, with room for their points."""
        cards = [card_at(place) for places, _ in self._lines for place in places]
        return around_all(cards or self._cards).grow(CARD)

    def labels(self, unit: float) -> tuple[Label, ...]:
        """The points of the lines, and the sum. ``unit``: how many units of the plane a rem is."""
        lines = (Label(f"line{index}", *plate.centre, figure(self._lines[index][1], plus=True), "points", plane=True,
                       delay=self._delay(index)) for index, plate in self.plates(unit).items())
        return (*lines, *self._foot)

    def plates(self, unit: float) -> dict[int, Rect]:
        """By line, where its points lie. Where there is time to come near, all of them; later those that cover no card."""
        return {index: plate for index, plate in enumerate(self._plates(unit))
                if self._sight.landing or not any(map(plate.overlaps, self._cards))}

    def zone(self, spoken: str) -> Zone:
        """What the sum stands on; ``spoken``: all of it, for a screen reader."""
        return Zone("sum", self._sum_at, "mat", spoken)

    def _delay(self, number: int) -> float:
        return self._step * (number + 1) if self._sight.landing else 0.0

    def _plates(self, unit: float) -> list[Rect]:
        """Where the points of the lines lie: each beyond an end of its line, where no card lies, and no other points."""
        plates: list[Rect] = []
        for places, points in self._lines:
            text = figure(points, plus=True)
            first, last = sorted((places[0], places[-1]))
            way = (1, 0) if last[0] > first[0] else (0, 1)
            after, before = plate_beside(last, way, text, unit), plate_beside(first, (-way[0], -way[1]), text, unit)
            taken = [*self._cards, *plates]
            plates.append(next((plate for plate in (after, before) if not any(map(plate.overlaps, taken))), after))
        return plates

    def _in_rows(self, width: float) -> list[list[Term]]:
        """The numbers of the sum in as many rows as they need; what it comes to does not stand alone in a row."""
        rows: list[list[Term]] = [[]]
        for term in self._terms:
            if rows[-1] and self._wide([*rows[-1], term]) > width - 2 * PADDING:
                rows.append([])
            rows[-1].append(term)
        if len(rows) > 1 and len(rows[-1]) == 1 and len(rows[-2]) > 1:
            rows[-1].insert(0, rows[-2].pop())
        return rows

    def _wide(self, terms: Sequence[Term]) -> float:
        return sum(map(self._width, terms)) + BETWEEN * self._number * (len(terms) - 1)

    def _width(self, term: Term) -> float:
        return LETTER * max(self._number * len(term.text), self._why * len(term.why))

    def _sum_labels(self) -> list[Label]:
        labels: list[Label] = []
        number = len(self._lines) - 1  # the lines are added up as the last of them is seen
        for index, terms in enumerate(self._rows):
            top = self._sum_at.y + PADDING + index * self._high
            x = self._sum_at.centre[0] - self._wide(terms) / 2
            for term in terms:
                width = self._width(term)
                at = x + width / 2, top + HIGH * self._number / 2
                labels.append(Label(f"sum{number}", *at, term.text, term.kind, delay=self._delay(number)))
                if term.why:
                    labels.append(Label(f"why{number}", at[0], top + self._high - HIGH * self._why / 2, term.why,
                                        delay=self._delay(number)))
                x += width + BETWEEN * self._number
                number += 1
        return labels


def _terms(sight: Sight, found: TurnSum) -> list[Term]:
    """The lines added up, what doubles them, and the points."""
    lines = [figure(points) for points in found.lines if points]
    return [Term(figure(sum(found.lines)), " + ".join(lines) if len(lines) > 1 else ""),
            *(Term(f"× {factor}", why) for factor, why in factors(sight, found)),
            Term(f"= {figure(found.points)}", "", "total")]


def factors(sight: Sight, found: TurnSum) -> list[tuple[int, str]]:
    """What the points of a turn are multiplied by, and why, in words (IO-6)."""
    doublings = (found.lots, "lots"), (found.is_whole_hand, "whole_hand"), (found.is_last, "last")
    return [(1 << count, sight.say(f"iota.board.factor.{key}", n=count)) for count, key in doublings if count]
