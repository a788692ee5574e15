"""How TooTs lie on a table: stacks of overlapping cards, each in the place that the arrangement's tree gives it.

A stack is drawn undermost card first, every card a strip lower than the one it lies on, so that the top card shows in
full and of all beneath it the edge with its index. What lies further inside stands further to the right. Pure geometry
and drawings; the caller decides whose cards these are and who may see them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from tabletin.board.scene import Drawing, Rect, around_all
from tabletin.board.scene import Piece as BoardPiece
from tabletin.board.svg import fill, group, lettering, num, paint, path, rect
from tabletin.games.toot import art
from tabletin.games.toot.arrangement import FaceNode, Node, Piece
from tabletin.kernel.faces import Card, Face
from tabletin.words import SOURCE

RATIO: Final = 1.4  # a card's height by its width
STRIP: Final = 0.22  # of its height that shows of a covered card: all of its index
LEAST_STRIP: Final = 0.1
NARROWER: Final = (0.16, LEAST_STRIP)
TINY: Final = 72.0  # px of a card's width below which tall stacks are folded, and strips narrow …
LEAST_READ: Final = 44.0  # … if it were less than this: an index has 10 px then
SHRINK: Final = 0.94  # one step smaller
SHRINKS: Final = 28
INDENT: Final = 0.15  # of its width, for each level further inside
WIDER: Final = 2.0  # times as far inside, where there is room for it
MOST_INDENT: Final = 0.9  # of its width, for all levels together
HALF: Final = 0.44  # of its width that shows of the left card of a pair
CAPTION: Final = 1.25  # rem below a stack
LEAST_SIGN: Final = 60.0  # px of height, of the sign between two columns
LEAST_COLUMN: Final = 4  # lines of a stack that is opened in several columns …
COLUMNS: Final = range(1, 7)  # … and how many they may be
PAD: Final = 7.0  # px around a stack
PLACE: Final = 0.6  # of a card's width, an empty place beside stacks …
LEAST_PLACE: Final = 44.0  # … and px at least
BESIDE_IT: Final = 0.8  # of what they could be with that place below, how wide cards are at least with it beside a stack
BETWEEN: Final = 8.0  # px between two stacks …
BESIDE: Final = 26.0  # … and between two columns of one, where a sign tells which comes next
MIDDLE: Final = 0.5  # of what a row leaves free, how much is at its left
LARGEST_SHOWN: Final = 190.0  # px of the width of a card that was shown to all, when a round is over


@cache
def drawing(face: Face | None, stated: Face | None = None, language: str = SOURCE) -> Drawing:
    """A card, or its back; an X with what it was stated as in its corner."""
    if face is None:
        return Drawing(art.back(), *art.VIEWBOX)
    markup = art.front(face, language)
    if face == "X" and stated is not None:
        markup += _statement(stated)
    return Drawing(markup, *art.VIEWBOX, shows=face)


def _statement(stated: Face) -> str:
    plate = rect(84, 14, 154, 62, 12, f'fill="{paint("cream")}" stroke="{paint("ink")}" stroke-width="3"')
    if stated in art.SHAPES:
        shape = group(path(art.SHAPES[stated], 'transform="translate(190 47) scale(.27)" stroke-width="12"'),
                      fill(stated))
    else:
        shape = lettering(stated, 190, 66, 60, "ink", font="display")
    return plate + lettering("=", 122, 64, 54, "ink") + shape


class StackLine(NamedTuple):
    """A card, or the two halves of a pair, that lies on the line before. ``depth``: how far inside."""

    depth: int
    pieces: tuple[Piece, ...]


def lines(node: Node, table: Sequence[StackLine] = (), depth: int = 0) -> list[StackLine]:
    """``node`` undermost first; ``table``: what is drawn where the TooT on the table lies."""
    pieces, children = node
    if not pieces:
        least = min((line.depth for line in table), default=0)
        return [StackLine(depth + line.depth - least, line.pieces) for line in table]
    halves = tuple(sorted(pieces, key=lambda piece: piece[1] is not None))  # what an X stands for stays in sight
    return [*(line for child in children for line in lines(child, table, depth + 1)), StackLine(depth, halves)]


def number_cards(node: FaceNode, first: int = 0) -> tuple[Node, dict[Card, Face]]:
    """``node`` with made-up cards for its faces, counted from ``first``, and the face of each."""
    faces: dict[Card, Face] = {}

    def walk(part: FaceNode) -> Node:
        pieces, children = part
        under = tuple(walk(child) for child in children)
        own = []
        for face, stated in pieces:
            card = first + len(faces)
            faces[card] = face
            own.append((card, stated))
        return tuple(own), under

    return walk(node), faces


class CardPlacement(NamedTuple):
    """One card of a stack: its centre in px, order, and what it was stated as."""

    card: Card
    stated_face: Face | None
    x: float
    y: float
    z: int


@dataclass(frozen=True, slots=True)
class TootStack:
    """A stack to be laid out: its lines, undermost first; without lines it is an empty place. ``is_small``: that is smaller than
    a card then. ``folds``: in how many columns it lies side by side, the undermost lines at the left. ``wider``: how many
    times as far inside its lines lie."""

    lines: tuple[StackLine, ...]
    is_small: bool = False
    folds: int = 1
    wider: float = 1.0

    def stated_face(self, card: Card) -> Face | None:
        """What ``card`` in it was stated as."""
        return next((stated for line in self.lines for other, stated in line.pieces if other == card), None)

    def fold(self, folds: int) -> TootStack:
        """The same in ``folds`` columns, if it is tall enough for so many."""
        return replace(self, folds=folds) if len(self.lines) >= LEAST_COLUMN * folds else self

    def size(self, width: float, strip: float) -> tuple[float, float]:
        """Px that it takes with cards ``width`` wide of which ``strip`` of their height shows."""
        if self.is_small:
            wide = max(LEAST_PLACE, PLACE * width)
            return wide, wide * RATIO
        if self.folds > 1:
            sizes = [column.size(width, strip) for column in columns(self.lines, self.folds)]
            return sum(wide for wide, _ in sizes) + BETWEEN * (len(sizes) - 1), max(high for _, high in sizes)
        widths = [self._left(line, width) + width * (1 + HALF * (len(line.pieces) - 1)) for line in self.lines]
        return max(widths, default=width), width * RATIO * (1 + strip * max(0, len(self.lines) - 1))

    def _left(self, line: StackLine, width: float) -> float:
        deepest = max(line.depth for line in self.lines)
        least = min(line.depth for line in self.lines)
        step = min(INDENT, MOST_INDENT / max(1, deepest - least))
        return (line.depth - least) * step * self.wider * width

    def lies(self, at: Rect, width: float, strip: float, z: int) -> list[CardPlacement]:
        """Its cards with the left top corner of the stack at that of ``at``."""
        height = width * RATIO
        found: list[CardPlacement] = []
        if self.folds > 1:
            left = at.x
            for column in columns(self.lines, self.folds):
                found += column.lies(at._replace(x=left), width, strip, z + len(found))
                left += column.size(width, strip)[0] + BETWEEN
            return found
        for row, line in enumerate(self.lines):
            for index, (card, stated) in enumerate(line.pieces):
                x = at.x + self._left(line, width) + width / 2 + HALF * width * index
                found.append(CardPlacement(card, stated, x, at.y + height / 2 + strip * height * row, z + len(found)))
        return found


class StackPlacement(NamedTuple):
    """Where stacks lie: the width of a card, the share of a strip, and a rectangle for each, its caption included. ``stacks``:
    the same stacks, tall ones folded."""

    width: float
    strip: float
    rects: tuple[Rect, ...]
    stacks: tuple[TootStack, ...] = ()


def arrange(stacks: Sequence[TootStack], room: Rect, most: float, caption: float,
            narrower: Sequence[float] = NARROWER, align: float = MIDDLE) -> StackPlacement:
    """``stacks`` in rows inside ``room``, cards as wide as can be up to ``most``. Before cards are tiny tall stacks are folded,
    so that the index of each card is seen; only where that does not help, strips get ``narrower``. ``align``: of what a row
    leaves free, how much is at its left."""
    stacks = tuple(stacks)
    usual = _arrange(stacks, room, most, caption, narrower, align)
    if usual.strip == STRIP and usual.width >= min(most, TINY):
        return usual
    ways = [usual] if usual.strip == STRIP else [_arrange(stacks, room, most, caption, (), align)]
    for folds in COLUMNS[1:]:
        folded = tuple(stack.fold(folds) for stack in stacks)
        if not any(stack.folds == folds for stack in folded):
            break
        ways.append(_arrange(folded, room, most, caption, (), align))
    best = max(ways, key=lambda way: round(way.width))  # of those alike, the one with fewest columns
    return best if best.width >= LEAST_READ and best.strip == STRIP else usual


def arrange_to_be_read(stacks: Sequence[TootStack], room: Rect, most: float, caption: float) -> StackPlacement:
    """The same, with what lies inside further inside, so that it is seen what lies on what, where that makes no card smaller."""
    usual = arrange(stacks, room, most, caption)
    wider = arrange([replace(stack, wider=WIDER) for stack in stacks], room, most, caption)
    folds = [[stack.folds for stack in way.stacks] for way in (usual, wider)]
    return wider if wider[:2] >= usual[:2] and folds[0] == folds[1] else usual


def _arrange(stacks: tuple[TootStack, ...], room: Rect, most: float, caption: float, narrower: Sequence[float],
             align: float, between: float = BETWEEN) -> StackPlacement:
    """The same with ``stacks`` as they are, ``between`` px apart."""
    found = _try(stacks, room, most, most, caption, narrower, align, between)
    if found is not None:
        return found
    low, high = 0, SHRINKS  # the widest that fits comes after low, and not after high
    while low + 1 < high:
        middle = (low + high) // 2
        trial = _try(stacks, room, most * SHRINK ** middle, most, caption, narrower, align, between)
        if trial is None:
            low = middle
        else:
            high, found = middle, trial
    if found is not None:
        return found
    width = most * SHRINK ** SHRINKS
    rects = _flow(stacks, room, width, LEAST_STRIP, caption, align, between, force=True) or ()
    return StackPlacement(width, LEAST_STRIP, rects, stacks)


def _try(stacks: tuple[TootStack, ...], room: Rect, width: float, most: float, caption: float,
         narrower: Sequence[float], align: float, between: float) -> StackPlacement | None:
    """``stacks`` with cards ``width`` wide, if they fit."""
    for strip in (STRIP, *(narrower if width < min(most * 0.75, TINY) else ())):
        rects = _flow(stacks, room, width, strip, caption, align, between)
        if rects is not None:
            return StackPlacement(width, strip, rects, stacks)
    return None


def _flow(stacks: Sequence[TootStack], room: Rect, width: float, strip: float, caption: float, align: float, between: float, *,
          force: bool = False) -> tuple[Rect, ...] | None:
    sizes = [stack.size(width, strip) for stack in stacks]
    boxes = [(wide + 2 * PAD, high + 2 * PAD + caption) for wide, high in sizes]
    rows: list[list[int]] = []
    used = 0.0
    for index, (wide, _) in enumerate(boxes):
        if not rows or used + between + wide > room.width:
            rows.append([])
            used = -between
        rows[-1].append(index)
        used += between + wide
    heights = [max(boxes[index][1] for index in row) for row in rows]
    total = sum(heights) + BETWEEN * (len(rows) - 1)
    if not force and (total > room.height or any(wide > room.width for wide, _ in boxes)):
        return None
    found: dict[int, Rect] = {}
    y = room.y + (room.height - total) / 2
    for row, height in zip(rows, heights, strict=True):
        x = room.x + (room.width - sum(boxes[index][0] for index in row) - between * (len(row) - 1)) * align
        for index in row:
            wide, high = boxes[index]
            found[index] = Rect(x, y + height - high, wide, high)
            x += wide + between
        y += height + BETWEEN
    return tuple(found[index] for index in range(len(stacks)))


def arrange_with_place(stacks: Sequence[TootStack], room: Rect, most: float, caption: float,
                       align: float = MIDDLE) -> StackPlacement:
    """``stacks`` and, last, an empty place: of a card's shape at every moment, but smaller beside something. It is right of a
    single stack, unless cards were much larger with it below."""
    place = TootStack((), is_small=bool(stacks))
    how = arrange([*stacks, place], room, most, caption, align=align)
    if len(stacks) != 1 or how.rects[1].x >= how.rects[0].right:
        return how
    width = how.width
    while width > BESIDE_IT * how.width:
        width *= SHRINK ** 0.25
        if width_of([*stacks, place], width) <= room.width:
            row = arrange([*stacks, place], room, width, caption, align=align)
            return row if row.rects[1].x >= row.rects[0].right and row.strip == STRIP else how
    return how


def centre_at(how: StackPlacement, room: Rect, x: float | None, y: float | None) -> StackPlacement:
    """The same with its middle at ``x`` and ``y``, or as near to them as ``room`` lets it; None: as it is."""
    if not how.rects:
        return how
    around = around_all(how.rects)
    right = 0.0 if x is None else max(room.x - around.x, min(x - around.centre[0], room.right - around.right))
    down = 0.0 if y is None else max(room.y - around.y, min(y - around.centre[1], room.bottom - around.bottom))
    return how._replace(rects=tuple(rect._replace(x=rect.x + right, y=rect.y + down) for rect in how.rects))


@cache
def next_column(height: int) -> Drawing:
    """Between two columns of a stack, ``height`` px high: from the foot of the left one up to the head of the right one."""
    wide, edge = round(BESIDE), 7
    turn = f"a{edge} {edge} 0 0"
    line = f"M2 {height - edge}h{num(wide / 2 - 2 - edge)}{turn} 0 {edge} {-edge}V{3 * edge}{turn} 1 {edge} {-edge}h3"
    head = f"M{wide - 8} {2 * edge - 5}l6 5-6 5"
    ink = 'fill="none" stroke="currentcolor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"'
    return Drawing(path(line, ink) + path(head, ink), wide, height, corner="sign")


def column_signs(rects: Sequence[Rect]) -> list[BoardPiece]:
    """A sign between each two columns of one stack, ``rects``, that stand beside each other. It lies over the area of the stack,
    also where that comes to the table after it."""
    made = []
    for index, (left, right) in enumerate(pairwise(rects)):
        height = min(left.bottom, right.bottom) - max(left.y, right.y) - 2 * PAD
        if right.x >= left.right and height > LEAST_SIGN:
            x, y = (left.right + right.x) / 2, max(left.y, right.y) + PAD + height / 2
            made.append(BoardPiece(f"column{index}", next_column(round(height)), x, y, BESIDE, z=1))
    return made


def width_of(stacks: Sequence[TootStack], width: float) -> float:
    """Px that ``stacks`` take side by side with cards ``width`` wide."""
    return sum(stack.size(width, STRIP)[0] + 2 * PAD + BETWEEN for stack in stacks) - BETWEEN


def columns(all_lines: Sequence[StackLine], count: int) -> list[TootStack]:
    """A stack too tall to be seen at once, cut into ``count`` stacks at most, the undermost first."""
    each = -(-len(all_lines) // count)
    return [TootStack(tuple(all_lines[start:start + each])) for start in range(0, len(all_lines), each)]


def opening(all_lines: Sequence[StackLine], room: Rect, most: float) -> tuple[list[TootStack], StackPlacement]:
    """A whole stack in as many columns as let the cards be largest, with the index of each covered one to be read."""
    ways = [columns(all_lines, count) for count in COLUMNS if count == 1 or len(all_lines) >= LEAST_COLUMN * count]
    placed = [(stacks, _arrange(tuple(stacks), room, most, 0, (), MIDDLE, BESIDE)) for stacks in ways]
    return max(placed, key=lambda way: (way[1].strip, round(way[1].width)))


def sorted_hand(cards: Iterable[Card], faces: Mapping[Card, Face | None]) -> list[Card]:
    """A hand in the order of the faces: numbers, X, primary and secondary colours; closed cards last."""
    order = {face: index for index, face in enumerate(art.FACES)}
    return sorted(cards, key=lambda card: (order.get(faces[card] or "", len(order)), card))
