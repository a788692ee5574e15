"""Where the results of a round of Progressive TooT stand: a place for each seat, with the TooT that it showed and the cards that
it has left over.

Cards are as large as the room allows: first those that were shown, then those left over. Pure geometry in px of the stage.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from tabletin.board.layout import Placement, column, row
from tabletin.board.scene import Layout, Piece, Point, Rect
from tabletin.games.toot.board_stacks import LARGEST_SHOWN, RATIO, STRIP, TootStack

WIDEST: Final = 15.0  # rem for one result, unless its cards are larger in a wider one …
NARROWEST: Final = 7.5  # … and the least …
TIGHTEST: Final = 5.5  # … where TooTs would be tiny, or there would be only room for words
BETWEEN_RESULTS: Final = 3.0  # px around one
AROUND: Final = 18.0 + 2 * BETWEEN_RESULTS  # px around the cards that were shown, in a place and around it
EDGE: Final = 8.0  # px left and right of cards left over
LEAST_RESULT: Final = 36.0  # px of a card's width that was shown, from which what is left over is drawn, too
LEFT_SHARE: Final = 0.28  # of a place's height for what is left over, at most as long as the TooT needs the room …
BESIDE_SHARE: Final = 0.24  # … or of its width …
ASKED: Final = 0.62  # … for a card so much smaller than those of the hand, at most
LARGER: Final = 1.1  # times as large cards that were shown are at least, for what is left over to lie beside them
LEAST_LEFT: Final = 34.0  # px of height from which cards left over are drawn …
LEAST_APART: Final = 46.0  # … and from which none of them covers another
LEFT_OVER: Final = 0.75  # of the width of a card that was shown, one left over, at most
GAP: Final = 3.0  # px between two cards left over
LOOSE: Final = 0.15  # of its width and height that a place has more than it needs, at most
BESIDE_INDEX: Final = 1.8  # how wide a card is, in heights of a number, that has room for one beside its index …
BETWEEN_SIGNS: Final = 3.1  # … or between its index and its sign, so that its name is seen …
LOW_NUMBER: Final = 0.85  # … and how high what is seen of it
CLEAR: Final = 1.6  # how far apart two numbers are that do not touch


class ResultPlaces(NamedTuple):
    """``card``: how wide a card that was shown may be, px. ``rects``: a place for each seat; those in a row are alike. ``line``:
    px of a line of words in one. ``strip_size``: how high or, where it ``is_beside`` the TooT, how wide the room for what is left
    over is, 0 where that is not drawn, and ``strip_card`` how wide a card there is where it covers others."""

    card: float
    rects: list[Rect]
    line: float
    strip_size: float
    strip_card: float
    is_beside: bool

    def strip(self, at: Rect) -> Rect:
        """Where in the place ``at`` lies what is left over: of no size where that is not drawn."""
        if not self.strip_size:
            return Rect(*at.centre, 0, 0)
        if self.is_beside:
            return Rect(at.right - EDGE - self.strip_size, at.y + self.line, self.strip_size, at.height - 2 * self.line)
        return Rect(at.x + EDGE, at.bottom - self.line - self.strip_size, at.width - 2 * EDGE, self.strip_size)

    def left_lies(self, count: int, room: Rect) -> tuple[float, list[Placement]]:
        """How wide ``count`` cards left over are, and where they lie in ``room``: apart if they are large enough then."""
        width, lies = in_lines(count, room, LEFT_OVER * self.card)
        if width * RATIO >= LEAST_APART or not self.strip_size:
            return width, lies
        width = self.strip_card
        return width, column(count, room, width * RATIO, GAP) if self.is_beside else row(count, room, width, GAP)


def least_high(line: float) -> float:
    """Px of height from which a place shows its TooT, with lines of words of ``line`` px."""
    return 4 * line - 16 + 2 * BETWEEN_RESULTS


def result_places(stacks: Sequence[TootStack | None], counts: Sequence[int], room: Rect, layout: Layout, *, line: float,
                  held: float) -> ResultPlaces:
    """As many results side by side in ``room`` as make the cards of ``stacks``, by seat, largest. ``counts``: by seat, the cards
    left over: to show these places may be narrower, but no TooT tiny. ``line``: px of a line of words; ``held``: how wide a card
    in the hand is."""
    def placed(narrowest: float, share: float, *, is_beside: bool = False) -> ResultPlaces:
        return _placed(stacks, counts, room, layout, line, held, narrowest, share, is_beside=is_beside)

    large = []
    for narrowest in (NARROWEST, TIGHTEST):
        below, beside = placed(narrowest, LEFT_SHARE), placed(narrowest, BESIDE_SHARE, is_beside=True)
        best = beside if beside.card > LARGER * below.card else below
        large += [best] if best.card >= LEAST_RESULT else []
    return next((one for one in large if one.strip_size), large[0] if large else placed(TIGHTEST, 0.0))


def _placed(stacks: Sequence[TootStack | None], counts: Sequence[int], room: Rect, layout: Layout, line: float, held: float,
            narrowest: float, share: float, *, is_beside: bool) -> ResultPlaces:
    """The same in places that are ``narrowest`` rem wide at least, with ``share`` of their height, or of their width, for what is
    left over, and with the room that makes no TooT larger. A row of places is as high as its tallest TooT needs; none is larger
    than what may lie in it."""
    count = len(counts)
    sizes = [(1.0, RATIO) if stack is None else stack.size(1, STRIP) for stack in stacks]
    wide = max(size[0] for size in sizes)
    fits = min(count, max(1, int(room.width / (narrowest * layout.rem))))
    ways = []
    for per_row in {-(-count // rows) for rows in range(-(-count // fits), count + 1)}:
        highs = [max(size[1] for size in sizes[first:first + per_row]) for first in range(0, count, per_row)]
        width, height = room.width / per_row, room.height / len(highs) - 2 * line  # of a place, and of one row on average
        asked = min(held * ASKED * (1 if is_beside else RATIO), share * (width if is_beside else height))
        if asked * (RATIO if is_beside else 1) < LEAST_LEFT:
            asked = 0.0
        across, down = (asked, 0.0) if is_beside else (0.0, asked)
        card = min(LARGEST_SHOWN, (width - across - AROUND) / wide, (height - down - AROUND) * len(highs) / sum(highs))
        free = height - card * sum(highs) / len(highs) - AROUND
        ways.append((asked > 0 and card >= LEAST_RESULT, card, -per_row, width, free, asked, highs))
    _, card, fewer, width, free, asked, highs = max(ways)
    is_tiny = card < LEAST_RESULT  # then perhaps there are only words
    heights = [room.height / len(highs) - 2 * line if is_tiny else card * high + AROUND for high in highs]
    needed = card * wide + AROUND
    most_left = max((left for left, stack in zip(counts, stacks, strict=True) if stack is not None), default=0)
    if is_beside:
        left, deep = _left_size(most_left, Rect(0, 0, width - needed - EDGE, min(heights) + free), card, asked)
        heights, needed = [max(height, deep) for height in heights], needed + left + EDGE
    else:
        _, left = _left_size(most_left, Rect(0, 0, width - 2 * EDGE - 2 * BETWEEN_RESULTS, free), card, asked)
        heights = [height + left for height in heights]
    heights = [height + 2 * line for height in heights]
    loose = min(LOOSE, max(0.0, room.height / sum(heights) - 1))
    top = room.centre[1] - sum(heights) * (1 + loose) / 2
    places = []
    for index, height in enumerate(heights):
        in_row = min(-fewer, count + index * fewer)
        width = min(room.width / in_row, max(WIDEST * layout.rem, needed * (1 + LOOSE)))
        edge = room.centre[0] - width * in_row / 2
        places += [Rect(edge + width * at, top, width, height * (1 + loose)).grow(-BETWEEN_RESULTS) for at in range(in_row)]
        top += height * (1 + loose)
    return ResultPlaces(card, places, line, left if share else 0.0, asked / (1 if is_beside else RATIO), is_beside)


def _left_size(count: int, room: Rect, shown: float, asked: float) -> tuple[float, float]:
    """How wide and how high the room for ``count`` cards left over is, within ``room``, cards that were shown being ``shown`` px
    wide: ``asked`` px at least, and what they take apart from each other if they are large enough then."""
    if not count:
        return 0.0, 0.0
    card, lies = in_lines(count, room, LEFT_OVER * shown)
    if card * RATIO < LEAST_APART:
        return asked, asked
    return (max(asked, max(lie.x for lie in lies) - lies[0].x + card + GAP),
            max(asked, lies[-1].y - lies[0].y + card * RATIO + GAP))


def in_lines(count: int, room: Rect, most: float) -> tuple[float, list[Placement]]:
    """How wide ``count`` cards may be, up to ``most`` px, side by side in lines in the middle of ``room``; and where they lie."""
    across = max(range(1, count + 1), key=lambda each: (_fits(count, each, room, most), each), default=1)
    width = _fits(max(1, count), across, room, most)
    wide, high = width + GAP, width * RATIO + GAP
    top = room.centre[1] - high * (-(-count // across) - 1) / 2
    lies = []
    for index in range(count):
        line, place = divmod(index, across)
        left = room.centre[0] - wide * (min(across, count - line * across) - 1) / 2
        lies.append(Placement(left + wide * place, top + high * line, 0.0, index))
    return width, lies


def _fits(count: int, across: int, room: Rect, most: float) -> float:
    """How wide cards are, ``across`` in a line."""
    down = -(-count // across)
    return max(1.0, min(most, room.width / across - GAP, (room.height / down - GAP) / RATIO))


def number_places(pieces: Sequence[Piece], size: float, *, has_index: bool) -> list[Point]:
    """Where numbers of ``size`` px stand on ``pieces`` that may lie over each other, clear of the index of each if it has one;
    none where they would cover it. At the head of cards that lie open and free, as far as they have room there, else at the foot
    of what is seen of each; where that is low, at its right. Where they would lie over each other they all have one place, at the
    foot of the last card."""
    if not pieces:
        return []
    width, high = pieces[0].width, pieces[0].width * RATIO
    step = (pieces[1].x - pieces[0].x, pieces[1].y - pieces[0].y) if len(pieces) > 1 else (2 * width, 0.0)
    shown = min(width, step[0]) if step[0] > 0 else width
    seen = min(high, step[1]) if step[1] > 0 else high
    least = 2 * size if has_index else LOW_NUMBER * size
    if has_index and shown == width >= BETWEEN_SIGNS * size and seen == high:
        return [(each.x, each.y - (high - size) / 2) for each in pieces]
    if seen < least and width >= BESIDE_INDEX * size and seen >= LOW_NUMBER * size:
        return [(each.x + width / 2 - size * BESIDE_INDEX / 3, each.y - (high - seen) / 2) for each in pieces]
    if step[0] > 0 and step[0] < CLEAR * size:
        last = pieces[-1]
        middle = (pieces[0].x + last.x) / 2 if last.y == pieces[0].y else last.x
        return [(middle, last.y + (high - size) / 2)] * len(pieces) if high >= least else []
    if seen < least:
        return []
    feet = [each.y + high / 2 if index == len(pieces) - 1 else each.y - high / 2 + seen for index, each in enumerate(pieces)]
    return [(each.x, foot - min(size, seen) / 2) for each, foot in zip(pieces, feet, strict=True)]
