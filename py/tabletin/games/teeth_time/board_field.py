"""Where things lie: on the field each seat's block of strips, in columns as large as the window allows; in the hand the cards,
with space between its groups.

Plain geometry; the field's in units of the plane (a card is 100 wide). It knows no state; a strip is so many cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from tabletin.board.layout import LEAST_SHOWN, Placement
from tabletin.board.scene import Rect

CARD: Final = 100.0
STEP: Final = 43.0  # from one card of a strip to the next: its index stays to be seen
SIDE: Final = 30.0  # kept free at both ends of a run, for its next card
EDGE: Final = 14.0  # … of any other strip …
LEAD: Final = 22.0  # … but at the left end of a line, so that all begin at one edge
BETWEEN: Final = 16.0  # from one line of strips to the next
APART: Final = 26.0  # between columns
READABLE: Final = 60.0  # px that are seen of a whole card on average; where others cover more, cards cut short say more
SMALLEST: Final = 0.6  # below this zoom whole cards are too small to be read: cards cut short lie there then …
LOOSEST: Final = 0.52  # … unless they lie so loosely that more of each is seen
LEAST_ZOOM: Final = 0.2
FINER: Final = 0.98
ALIKE: Final = 0.85  # of the widest step: strips that have as much take one step
UNCOVERED: Final = 1.2  # times as large as it is: what a card that no other covers is worth
GROUP_GAP: Final = 16.0  # px between groups of a hand, …
NARROW_GAP: Final = 8.0  # … of small cards
WIDE_CARD: Final = 70.0  # px
SHOWN: Final = 0.78  # of a card in a hand, before another line is begun
ALL_SEEN: Final = 0.95  # … where there is room for all words
LEAST_LINE: Final = 0.58  # of a card's height that a line takes at least
ROUNDING: Final = 0.01  # px


class CardForm(NamedTuple):
    """What a card on the field looks like. ``steps`` from one to the next in a strip that are tried: fewer in a line, a little
    smaller, may show more; ``least_step`` where a strip is longer than the field. ``size_counts``: what its width counts beside
    what is seen of it, where a large corner says more than a small picture."""

    width: float
    height: float
    steps: tuple[float, ...]
    least_step: float
    size_counts: float

    @property
    def open_step(self) -> float:
        """The step at which no card covers another."""
        return self.width + 4


WHOLE: Final = CardForm(CARD, 140.0, (STEP, 62.0, 82.0, CARD + 4), 36.0, 0.0)
CUT: Final = CardForm(CARD, 108.0, (48.0, 64.0, 82.0, CARD + 4), 44.0, 1.0)


class Strip(NamedTuple):
    """Where a strip lies: the centre of its first card, and the step to the next."""

    x: float
    y: float
    step: float

    def point_at(self, place: float) -> tuple[float, float]:
        return self.x + self.step * place, self.y


class Block(NamedTuple):
    """Where a seat's things lie: where its heading begins, its strips, how many cards each has, and the rectangle
    around them."""

    title: tuple[float, float]
    strips: tuple[Strip, ...]
    counts: tuple[int, ...]
    x: float
    y: float
    width: float
    height: float


class FieldPlan(NamedTuple):
    """A whole field. ``form``: of the cards on it."""

    zoom: float
    form: CardForm
    blocks: tuple[Block, ...]
    width: float
    height: float


class Lines(NamedTuple):
    """How the strips of a block lie in its lines. ``rows``: of each line the count of every strip, negative where it is a run,
    and the step in it. ``width`` and ``height`` are without what leads to the block: its heading."""

    rows: tuple[tuple[tuple[int, float], ...], ...]
    width: float
    height: float
    views: tuple[tuple[int, float], ...]
    """Of every strip how many cards it has and how much is to be seen of each."""


class Arrangement(NamedTuple):
    """Where blocks would lie: what it takes to choose among many. ``title``: how high a heading is."""

    zoom: float
    form: CardForm
    title: float
    lies: tuple[tuple[float, float, Lines], ...]
    width: float
    height: float

    def visible_width(self) -> float:
        """How much is to be seen of a card, about in px of its width: the mean of all cards and of the strip that shows least;
        where no card of a strip covers another, that counts more."""
        strips = [strip for _, _, lines in self.lies for strip in lines.views]
        mean = sum(count * seen for count, seen in strips) / max(1, sum(count for count, _ in strips))
        least = min((seen for _, seen in strips), default=0.0)
        return self.zoom * ((mean + least) / 2 + self.form.size_counts * self.form.width)

    def fits(self, width: float, height: float) -> bool:
        """Whether it lies within a window of so many px. Lines that are filled up are as wide as it, but for a rounding."""
        return self.width * self.zoom <= width + ROUNDING and self.height * self.zoom <= height + ROUNDING

    def plan(self) -> FieldPlan:
        """The same with the place of every strip."""
        return FieldPlan(self.zoom, self.form, tuple(self._block(*lie) for lie in self.lies), self.width, self.height)

    def _block(self, x: float, y: float, lines: Lines) -> Block:
        strips: list[Strip] = []
        line_y = y + self.title + self.form.height / 2
        for row in lines.rows:
            at = x
            for place, (entry, step) in enumerate(row):
                before, behind = _sides(entry, place)
                strips.append(Strip(at + before + self.form.width / 2, line_y, step))
                at += before + self.form.width + step * (abs(entry) - 1) + behind
            line_y += self.form.height + BETWEEN
        counts = tuple(abs(entry) for row in lines.rows for entry, _ in row)
        title = (x + LEAD, y + 0.4 * self.title)
        return Block(title, tuple(strips), counts, x, y, lines.width, self.title + lines.height)


@lru_cache(maxsize=64)
def plan(shapes: tuple[tuple[int, ...], ...], width: float, height: float, most: float, head: float,
         columns: int = 0) -> FieldPlan:
    """Blocks with strips of so many cards each, in a window of ``width`` × ``height`` px; a run's count is negative.

    ``most``: px a unit at most; ``head``: px that a heading takes. Of the plans that fit, the one that shows most of the cards;
    with so many ``columns``, in which blocks take turns, each stays in its own whatever comes after it.
    """
    for form, least, loosest in ((WHOLE, SMALLEST, LOOSEST), (CUT, LEAST_ZOOM, 0.0)):
        best: Arrangement | None = None
        shown, zoom = 0.0, most
        # until no smaller one can show more
        while zoom > (least if best is None else loosest) and zoom * (UNCOVERED + form.size_counts) * form.width > shown:
            for step in form.steps if _most_shown(shapes, width / zoom, height / zoom, zoom, form) > shown else ():
                for made in _fitting(shapes, width, height, zoom, head, form, step, columns):
                    if (seen := made.visible_width()) > shown:
                        best, shown = made, seen
                if best is None:  # wider steps need more room
                    break
            zoom *= FINER
        if best is not None and (form is CUT or shown >= READABLE):
            return best.plan()
    return _flowed(shapes, width / zoom, height / zoom, zoom, head, columns or 2, CUT, CUT.steps[0],
                   takes_turns=columns > 0).plan()


def _most_shown(shapes: tuple[tuple[int, ...], ...], wide: float, high: float, zoom: float, form: CardForm) -> float:
    """No plan at ``zoom`` can show more, because the lines of strips lie one below the other; 0 where none can fit."""
    counts = [abs(entry) for shape in shapes for entry in shape]
    line = wide * (high + BETWEEN) / (form.height + BETWEEN)  # of all that would fit
    if line < sum(form.width + form.least_step * (count - 1) for count in counts):
        return 0.0
    each = line / max(1, sum(counts))
    seen = UNCOVERED * form.width if each >= form.width else (UNCOVERED + 1) / 2 * each  # one strip has less than the mean then
    return zoom * (seen + form.size_counts * form.width)


def _fitting(shapes: tuple[tuple[int, ...], ...], width: float, height: float, zoom: float, head: float, form: CardForm,
             step: float, fixed_columns: int) -> Iterator[Arrangement]:
    """What fits at ``zoom``: rows of blocks with more and more lines, and more and more columns; or ``fixed_columns`` alone."""
    if fixed_columns:
        made = _flowed(shapes, width / zoom, height / zoom, zoom, head, fixed_columns, form, step, takes_turns=True)
        if made.fits(width, height):
            yield made
        return
    widths: list[float] = []
    for lines in range(1, max(map(len, shapes), default=1) + 1):
        before, widths = widths, [min(width / zoom, _least_width(shape, form, step, lines)) for shape in shapes]
        if widths == before:
            continue
        made = _in_rows(shapes, widths, width / zoom, height / zoom, zoom, head, form, step)
        if made.fits(width, height):
            yield made
    for columns in range(1, 6):
        if (width / zoom - APART * (columns - 1)) / columns < form.width + 2 * SIDE + 2 * form.least_step:
            return
        made = _flowed(shapes, width / zoom, height / zoom, zoom, head, columns, form, step)
        if made.fits(width, height):
            yield made


def _flowed(shapes: tuple[tuple[int, ...], ...], wide: float, high: float, zoom: float, head: float, columns: int, form: CardForm,
            step: float, *, takes_turns: bool = False) -> Arrangement:
    """The blocks in so many columns, each put where there is least yet, or in turn; centred in ``wide`` × ``high``."""
    title = head / zoom
    column = (wide - APART * (columns - 1)) / columns
    ends = [0.0] * columns
    widest = [0.0] * columns
    placed: list[tuple[int, float, Lines]] = []
    for number, shape in enumerate(shapes):
        where = number % columns if takes_turns else min(range(columns), key=lambda at: (ends[at], at))
        lines = _lines(shape, column, form, step)
        placed.append((where, ends[where], lines))
        ends[where] += title + lines.height + BETWEEN
        widest[where] = max(widest[where], lines.width)
    total = max(ends, default=BETWEEN) - BETWEEN
    used = [at for at in range(columns) if widest[at]]
    lefts, left = [0.0] * columns, max(0.0, (wide - sum(widest) - APART * max(0, len(used) - 1)) / 2)
    for at in used:  # columns no wider than they need be, all together in the middle
        lefts[at] = left
        left += widest[at] + APART
    if takes_turns and columns > 1:
        lefts = [at * (column + APART) for at in range(columns)]
    down = max(0.0, (high - total) / 2)
    lies = tuple((lefts[where], y + down, lines) for where, y, lines in placed)
    return Arrangement(zoom, form, title, lies, max([wide, *(x + lines.width for x, _, lines in lies)]), max(total, 0.0))


def _in_rows(shapes: tuple[tuple[int, ...], ...], widths: Sequence[float], wide: float, high: float, zoom: float, head: float,
             form: CardForm, step: float) -> Arrangement:
    """The blocks side by side, each no wider than ``widths``, but for the last of a row, which may have what is left; centred in
    ``wide`` × ``high``."""
    title = head / zoom
    placed: list[tuple[float, float, Lines]] = []
    x = y = bottom = right = 0.0
    for at, shape in enumerate(shapes):
        if x and x + widths[at] > wide:
            x, y = 0.0, bottom + BETWEEN
        behind = x + widths[at] + APART
        is_last = at + 1 == len(shapes) or behind + widths[at + 1] > wide
        lines = _lines(shape, wide - x if is_last else widths[at], form, step)
        placed.append((x, y, lines))
        bottom = max(bottom, y + title + lines.height)
        right = max(right, x + lines.width)
        x = behind
    dx, dy = max(0.0, (wide - right) / 2), max(0.0, (high - bottom) / 2)
    return Arrangement(zoom, form, title, tuple((x + dx, y + dy, lines) for x, y, lines in placed), max(wide, right), bottom)


@lru_cache(maxsize=2048)
def _least_width(shape: tuple[int, ...], form: CardForm, step: float, lines: int) -> float:
    """How wide a block must be for its strips to lie in no more than so many ``lines``."""
    def width(line: tuple[int, ...]) -> float:
        return sum(sum(_sides(entry, place)) + form.width + step * (abs(entry) - 1) for place, entry in enumerate(line))

    widths = sorted(width(shape[begin:end]) + 0.01 for begin in range(len(shape)) for end in range(begin + 1, len(shape) + 1))
    widest = max(width((entry,)) for entry in shape)
    return next(wide for wide in widths if wide > widest and len(_broken_lines(shape, wide, form, step)) <= lines)


@lru_cache(maxsize=2048)
def _lines(shape: tuple[int, ...], wide: float, form: CardForm, most: float) -> Lines:
    """The strips of a block that is no more than ``wide``, with steps of ``most`` or what is left of a line."""
    rows = _even(_spread(_broken_lines(shape, wide, form, most), wide, form))
    width = max(sum(sum(_sides(entry, place)) + form.width + step * (abs(entry) - 1) for place, (entry, step) in enumerate(row))
                for row in rows)
    strips = [(abs(entry), step) for row in rows for entry, step in row]
    seen = tuple((count, UNCOVERED * form.width if step >= form.width or count == 1 else
                  (form.width + step * (count - 1)) / count) for count, step in strips)
    height = len(rows) * (form.height + BETWEEN) - BETWEEN
    return Lines(tuple(map(tuple, rows)), width, height, seen)


def _sides(entry: int, place: int) -> tuple[float, float]:
    """What is kept free before and behind a strip that is at ``place`` in its line."""
    side = SIDE if entry < 0 else EDGE
    return side if place else LEAD, side


def _spread(lines: list[list[tuple[int, float, float]]], wide: float, form: CardForm) -> list[list[tuple[int, float]]]:
    """The count and the step of every strip: what is left of a line shows more of every card."""
    spread: list[list[tuple[int, float]]] = []
    for line in lines:
        spare = (wide - sum(width for _, _, width in line)) / max(1, sum(abs(entry) - 1 for entry, _, _ in line))
        spread.append([(entry, step + max(0.0, min(spare, form.open_step - step))) for entry, step, _ in line])
    return spread


def _even(lines: list[list[tuple[int, float]]]) -> list[list[tuple[int, float]]]:
    """The same with one step for all strips that have about as much room."""
    steps = [step for line in lines for entry, step in line if abs(entry) > 1]
    like = [step for step in steps if step >= ALIKE * max(steps)]
    return [[(entry, min([step, *like])) for entry, step in line] for line in lines]


def _broken_lines(shape: tuple[int, ...], wide: float, form: CardForm, most: float) -> list[list[tuple[int, float, float]]]:
    """The strips of a block in lines: of each its count, the step from card to card, and its width."""
    lines: list[list[tuple[int, float, float]]] = [[]]
    at = 0.0
    for entry in shape:
        count = abs(entry)
        if at and at + sum(_sides(entry, 1)) + form.width + most * (count - 1) > wide:
            lines.append([])
            at = 0.0
        sides = sum(_sides(entry, len(lines[-1])))
        step = most if count == 1 else max(form.least_step, min(most, (wide - sides - form.width) / (count - 1)))
        width = sides + form.width + step * (count - 1)
        lines[-1].append((entry, step, width))
        at += width
    return lines


def in_hand(counts: Sequence[int], room: Rect, width: float, height: float, *, enough: float = SHOWN) -> list[list[Placement]]:
    """Groups of so many cards in ``room``, px, in as few lines as show ``enough`` of every card, else in those that show most;
    gaps between groups.

    A group may go on in the next line where none ends in time. Returns one list of lies a group.
    """
    total = sum(counts)
    starts = {sum(counts[:at]) for at in range(1, len(counts))}
    gap = GROUP_GAP if width > WIDE_CARD else NARROW_GAP
    most = -1.0
    for lines in range(1, max(1, total) + 1):
        drop = min(height + 6, (room.height - height) / max(1, lines - 1))
        if lines > 1 and drop + 1 < height * LEAST_LINE:
            break
        broken = _broken(total, lines, starts)
        tightest = min(((room.width - width - gap * sum(begin < start < end for start in starts)) / max(1, end - begin - 1)
                        for begin, end in broken), default=width)
        shown = min(tightest / width, 1.0) * (1.0 if lines == 1 else min(drop / height, 1.0))
        if shown > most:
            most, ends, step, down = shown, broken, max(LEAST_SHOWN, min(width + 6, tightest)), drop if lines > 1 else 0.0
        if shown >= enough:
            break
    top = room.y + (room.height - height - down * (len(ends) - 1)) / 2 + height / 2
    flat: list[Placement] = []
    for line, (begin, end) in enumerate(ends):
        inner = [start for start in starts if begin < start < end]
        x = room.x + (room.width - width - step * (end - begin - 1) - gap * len(inner)) / 2 + width / 2
        for at in range(begin, end):
            x += gap if at in inner else 0
            flat.append(Placement(x, top + down * line, 0.0, at))
            x += step
    found, at = [], 0
    for count in counts:
        found.append(flat[at:at + count])
        at += count
    return found


def _broken(total: int, lines: int, starts: set[int]) -> list[tuple[int, int]]:
    """Lines of about as many cards each, broken where a group begins if one does nearby."""
    ends: list[tuple[int, int]] = []
    begin = 0
    for line in range(lines, 0, -1):
        end = begin + -(-(total - begin) // line)
        if line > 1:
            near = [start for start in starts if abs(start - end) <= 1 and start > begin]
            end = min(near, key=lambda start: abs(start - end)) if near else end
        ends.append((begin, end))
        begin = end
    return ends
