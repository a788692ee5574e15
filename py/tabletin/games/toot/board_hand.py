"""How the own hand lies: how large its cards are, in how many lines, and where each of them is.

Equal cards do the same, so of a large hand they cover each other first: what is there to choose from stays to be seen, and a
finger that hits the neighbour has chosen as well. Pure geometry in px of the stage.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final, TypeVar

from tabletin.board.layout import GAP, LEAST_SHOWN, Placement
from tabletin.board.scene import Layout, Rect
from tabletin.games.toot.board_stacks import CAPTION, PAD, RATIO, STRIP
from tabletin.kernel.faces import Face

T = TypeVar("T")

HAND_SHARE: Final = 0.3  # of the stage's height that the hand may take
MOST_HAND: Final = 0.36  # … where one line would show too little of each card
SPREAD_HAND: Final = 0.4  # … where its second line would cover the first
WHOLE: Final = 0.74  # of the size in two lines, at which one line is better: its cards are seen whole
SHOWN: Final = 0.7  # of a card's width, before another line is begun …
EQUAL: Final = 0.38  # … and of one that lies under an equal one: its whole index
MOST_LINES: Final = 3  # … of so many
LARGEST: Final = 112.0  # px of a card's width
LEAST_WHOLE: Final = 60.0  # … that is large enough to prefer one line
FEWEST: Final = 4  # cards that there is room for from the beginning
ABOVE: Final = 14.0  # px kept free over the hand in its tray: a chosen card is raised there
BELOW: Final = 8.0  # … and under it
LINE: Final = 0.55  # of a card's height that a further line of the hand takes at least …
FULL_LINE: Final = 1.05  # … and at most
EDGES: Final = 12.0  # px, left and right of a line together
LINES_A_CARD: Final = 0.7  # lines of a stack for each of its cards, as pairs share one


def depth(count: int, more: int = 0) -> float:
    """Heights of a card that one TooT of ``count`` cards usually takes, on ``more`` lines of another."""
    return 1 + STRIP * (more + math.ceil(LINES_A_CARD * count) - 1)


def hand_size(faces: Sequence[Face | None], layout: Layout, more: int, fewest: int = FEWEST) -> tuple[float, int]:
    """How wide a card is, and in how many lines a hand of ``faces`` lies: as large as a share of the height and the width allow.
    On a phone held sideways as large as in one TooT of them all, on ``more`` lines of the one on the table. ``fewest``: so many
    cards there is room for, however few they are."""
    count = max(fewest, len(faces))
    sizes = []
    for rows in (1,) if layout.low else (1, 2):
        per_line = -(-count // rows)
        across = line_card(per_line, layout)
        upright = (layout.height * HAND_SHARE - ABOVE - BELOW) / (RATIO * (1 + LINE * (rows - 1)))
        if layout.low:
            around = ABOVE + BELOW + CAPTION * layout.rem + 2 * PAD + GAP
            upright = max(upright, (layout.height - around) / (RATIO * (1 + depth(count, more))))
        sizes.append((min(LARGEST, across, upright), -rows))
    card, order = max(sizes)
    if sizes[0][0] >= max(WHOLE * card, LEAST_WHOLE):
        card, order = sizes[0]
    least = max(50.0, min(92.0, layout.width / 6.2, layout.height / 6.6))  # they overlap then
    if card > least:
        return card, -order
    lines = 1
    fits = 1 if layout.low else int(1 + ((layout.height * MOST_HAND - ABOVE - BELOW) / (least * RATIO) - 1) / LINE)
    while lines < min(MOST_LINES, fits) and not _is_shown(faces, layout.width - EDGES, least, lines):
        lines += 1
    return least, lines


def line_card(count: int, layout: Layout) -> float:
    """How wide a card may be so that ``count`` of them lie whole in one line, px."""
    return (layout.width - EDGES - GAP * (count - 1)) / max(1, count)


def spread(card: float, lines: int, layout: Layout) -> float:
    """Of a card's height that a further line of the hand takes: all of it, as far as there is room."""
    if lines < 2:
        return LINE
    room = layout.height * SPREAD_HAND - ABOVE - BELOW
    return max(LINE, min(FULL_LINE, (room / (card * RATIO) - 1) / (lines - 1)))


def closed_up(lines: Sequence[Sequence[T]], left: Collection[T]) -> list[list[T]]:
    """What is ``left`` of a hand that lay in ``lines``: every card in its own line, until one line holds them all."""
    per_line = max(map(len, lines), default=0)
    remaining = [rest for line in lines if (rest := [card for card in line if card in left])]
    if sum(map(len, remaining)) <= per_line:
        remaining = [[card for line in remaining for card in line]]
    return remaining


def hand_places(lines: Sequence[Sequence[Face | None]], room: Rect, card: float) -> list[Placement]:
    """Where each card of a hand in ``lines`` lies in ``room``, around its middle, cards ``card`` px wide."""
    drop = min(card * RATIO + GAP, (room.height - card * RATIO) / (len(lines) - 1)) if len(lines) > 1 else 0.0
    top = room.centre[1] - drop * (len(lines) - 1) / 2
    lies: list[Placement] = []
    for index, line in enumerate(lines):
        steps = _steps(line, room.width, card)
        x = room.centre[0] - sum(steps) / 2
        for step in (0.0, *steps)[:len(line)]:
            x += step
            lies.append(Placement(x, top + drop * index, 0.0, len(lies)))
    return lies


def in_lines(cards: Sequence[T], lines: int, fewest: int = 0) -> list[Sequence[T]]:
    """``cards`` in so many lines, all but the last of as many cards, as if they were ``fewest`` at least."""
    per_line = -(-max(fewest, len(cards)) // max(1, lines))
    return [cards[start:start + per_line] for start in range(0, len(cards), per_line or 1)]


def _are_equal(line: Sequence[Face | None]) -> list[bool]:
    """Whether each card but the first is like the one before it; closed cards are like none."""
    return [before is not None and before == after for before, after in pairwise(line)]


def _is_shown(faces: Sequence[Face | None], width: float, card: float, lines: int) -> bool:
    """Whether enough is seen of each card: before a second line is begun of all alike, before a third of those that are not like
    the one before."""
    near = SHOWN if lines == 1 else EQUAL
    for line in in_lines(faces, lines):
        equal = _are_equal(line)
        if card * (1 + near * sum(equal) + SHOWN * (len(equal) - sum(equal))) > width:
            return False
    return True


def _steps(line: Sequence[Face | None], width: float, card: float) -> list[float]:
    """From each card of a line to the next, px. Where space is short equal cards are nearer to each other, as long as their index
    is seen."""
    equal, room = _are_equal(line), width - card
    even = min(card + GAP, room / max(1, len(equal)))
    same = sum(equal)
    others = len(equal) - same
    if even >= SHOWN * card or not same or not others:
        return [even] * len(equal)
    least = max(LEAST_SHOWN, EQUAL * card)
    apart = max(even, min(SHOWN * card, (room - same * least) / others))
    near = (room - others * apart) / same
    return [near if is_equal else apart for is_equal in equal]
