"""Iota's grid: lines, their validity, what wilds may stand for, and every play a hand can make on it.

Works on ``bits``: cell → the card's properties one-hot in twelve bits (four colours, four shapes, four numbers), 0 for a
wild. A line is valid when in each property its cards are all the same or all different, so every check is an OR and a table
look-up. It says what may lie where, and why not. It knows one hand at most, and neither turns nor scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from tabletin.kernel.faces import Card, Face
from tabletin.kernel.options import Refusal

Cell: TypeAlias = int
Bits: TypeAlias = dict[Cell, int]

COLOURS: Final = "rgby"
SHAPES: Final = "cstx"
NUMBERS: Final = "1234"
WILD: Final[Face] = "wild"
LONGEST: Final = 4  # cards in a line; a line of four is a lot (IO-3)

SPAN: Final = 256  # cells in a row of the plane; a match never leaves ±70 of the starter
ROW: Final = 1  # the step along a row …
COLUMN: Final = SPAN  # … and along a column
REACH: Final = 100  # the furthest coordinate a move may name


def cell_at(x: int, y: int) -> Cell:
    """The cell ``x`` to the right of the starter and ``y`` below it."""
    return (y + 128) * SPAN + x + 128


def xy(cell: Cell) -> tuple[int, int]:
    return cell % SPAN - 128, cell // SPAN - 128


ORIGIN: Final = cell_at(0, 0)

FACES: Final = tuple(c + s + n for c in COLOURS for s in SHAPES for n in NUMBERS)  # the 64 cards without wilds (IO-1)
WILDS: Final = 2  # … and so many wilds
BITS: Final[dict[Face, int]] = {
    WILD: 0,
    **{face: 1 << COLOURS.index(face[0]) | 16 << SHAPES.index(face[1]) | 256 << NUMBERS.index(face[2]) for face in FACES},
}
PROPERTIES: Final = ((0, "colour"), (4, "shape"), (8, "number"))  # with the place of each among a card's bits
VALUE: Final = (0, 1, 2, 0, 3, 0, 0, 0, 4)  # face value by the number's bit: VALUE[bits >> 8]; a wild is worth 0


def _all_same_or_all_different(count: int) -> bytes:
    """For every OR of ``count`` cards' bits: whether each property has one value or ``count`` values."""
    fits = [nibble.bit_count() in (1, count) for nibble in range(16)]
    return bytes(count == 0 or (fits[m & 15] and fits[m >> 4 & 15] and fits[m >> 8]) for m in range(4096))


VALID: Final = tuple(_all_same_or_all_different(count) for count in range(LONGEST + 1))


class GridLine(NamedTuple):
    """A straight unbroken line: its cells in order, how many are not wild, and the OR of their bits."""

    cells: tuple[Cell, ...]
    plain_count: int
    mask: int


def line_through(bits: Bits, cell: Cell, step: int) -> GridLine:
    """The line through the occupied ``cell`` in the direction ``step``."""
    start = cell
    while start - step in bits:
        start -= step
    cells = []
    known = mask = 0
    while start in bits:
        cells.append(start)
        here = bits[start]
        if here:
            known += 1
            mask |= here
        start += step
    return GridLine(tuple(cells), known, mask)


def line_fits(line: GridLine) -> bool:
    """Whether the cards of ``line`` that are not wild can share it, and it is not too long (IO-3)."""
    return len(line.cells) <= LONGEST and bool(VALID[line.plain_count][line.mask])


def misfit(line: GridLine) -> str:
    """The first property in which the cards of ``line`` are neither all the same nor all different."""
    for shift, name in PROPERTIES:
        if (line.mask >> shift & 15).bit_count() not in (1, line.plain_count):
            return name
    raise ValueError("this line is valid")


def misfit_beside(line: GridLine, own: int) -> str:
    """The first property in which a card of the bits ``own`` does not go with those of the valid ``line``; "" if it does."""
    longer = GridLine(line.cells, line.plain_count + bool(own), line.mask | own)
    return "" if VALID[longer.plain_count][longer.mask] else misfit(longer)


def agreement(line: GridLine) -> tuple[list[str], list[str]]:
    """The properties in which the cards of the valid ``line`` that are not wild are all the same, and those in which they are
    all different; none of either where there are not two such cards."""
    if line.plain_count < 2:
        return [], []
    alike = {name: (line.mask >> shift & 15).bit_count() == 1 for shift, name in PROPERTIES}
    return [name for name, same in alike.items() if same], [name for name, same in alike.items() if not same]


def wilds_fit(bits: Bits, wilds: Sequence[Cell]) -> bool:
    """Whether every wild can stand for one card that satisfies all its lines, jointly (IO-4).

    The three properties are independent, so each is asked alone: which of four values may each wild have, and where two
    wilds share a line, is there a pair of values that makes it all the same or all different? More wilds than the deck has
    (IO-1), as a forged file may say, never fit.
    """
    if not wilds:
        return True
    if len(wilds) > WILDS:
        return False
    shared: GridLine | None = None
    single: list[tuple[int, GridLine]] = []
    for index, wild in enumerate(wilds):
        for step in (ROW, COLUMN):
            line = line_through(bits, wild, step)
            others = len(line.cells) - line.plain_count
            if others > 1:
                shared = line
            elif line.plain_count >= 2:
                single.append((index, line))
    for shift in (0, 4, 8):
        allowed = [15] * len(wilds)
        for index, line in single:
            values = line.mask >> shift & 15
            allowed[index] &= values if values & (values - 1) == 0 else ~values & 15
        if not all(allowed):
            return False
        if shared is not None and shared.plain_count and not _pair_fits(shared, shift, allowed):
            return False
    return True


def _pair_fits(shared: GridLine, shift: int, allowed: list[int]) -> bool:
    """Whether two wilds in one line with one or two known cards find values in one property."""
    first, second = allowed
    values = shared.mask >> shift & 15
    if values & (values - 1) == 0:  # the known cards agree: both wilds may agree with them
        if first & second & values:
            return True
        if shared.plain_count > 1:
            return False
    first, second = first & ~values, second & ~values  # or all differ
    both = first | second
    return bool(first and second and both & (both - 1))


def changed_lines(bits: Bits, cells: Iterable[Cell]) -> list[GridLine]:
    """The lines of two or more through any of ``cells``, each once."""
    if not isinstance(cells, dict):
        cells = dict.fromkeys(cells)
    lines = {}
    for cell in cells:
        for step in (ROW, COLUMN):
            before = cell - step
            if before not in cells and (before in bits or cell + step in bits):  # else it is the line of the one before
                line = line_through(bits, cell, step)
                lines[line.cells[0], step] = line
    return list(lines.values())


def line_points(bits: Bits, lines: Iterable[GridLine]) -> int:
    """The face values of ``lines`` added up (IO-6)."""
    return sum(VALUE[bits[cell] >> 8] for line in lines for cell in line.cells)


def lay_refusal(bits: Bits, wilds: tuple[Cell, ...], cells: Bits, count: int) -> Refusal | None:
    """Why ``count`` cards cannot be laid as ``cells`` (IO-3, IO-4), or None. Leaves ``bits`` as they were."""
    if len(cells) != count or not cells.keys().isdisjoint(bits):
        return Refusal("iota.refuse.occupied", rule="IO-3")
    first, last = min(cells), max(cells)
    step = ROW if last - first < SPAN // 2 else COLUMN
    if any((cell - first) % step or cell > last for cell in cells) or (step == ROW and first // SPAN != last // SPAN):
        return Refusal("iota.refuse.not_straight", rule="IO-3")
    if not any(near in bits for cell in cells for near in (cell - ROW, cell + ROW, cell - COLUMN, cell + COLUMN)):
        return Refusal("iota.refuse.not_touching", rule="IO-3")
    bits.update(cells)
    refusal = None
    if any(cell not in bits for cell in range(first, last + 1, step)):
        refusal = Refusal("iota.refuse.gap", rule="IO-3")
    else:
        refusal = lines_refusal(bits, (*wilds, *(cell for cell, own in cells.items() if not own)), cells)
    for cell in cells:
        del bits[cell]
    return refusal


def lines_refusal(bits: Bits, wilds: tuple[Cell, ...], cells: Iterable[Cell]) -> Refusal | None:
    """What is wrong with the lines through ``cells``, which lie on ``bits`` already (IO-3, IO-4), or None."""
    lines = changed_lines(bits, cells)
    for line in lines:
        if len(line.cells) > LONGEST:
            return Refusal("iota.refuse.too_long", rule="IO-3")
        if not line_fits(line):
            return Refusal(f"iota.refuse.misfit_{misfit(line)}", rule="IO-3")
    if all(line.plain_count == len(line.cells) for line in lines):  # what the wilds may stand for is as it was
        return None
    return None if wilds_fit(bits, wilds) else Refusal("iota.refuse.wild_misfit", rule="IO-4")


def frontier(bits: Bits) -> set[Cell]:
    """The empty cells that touch the grid."""
    return {near for cell in bits for near in (cell - ROW, cell + ROW, cell - COLUMN, cell + COLUMN)} - bits.keys()


Play: TypeAlias = tuple[tuple[Card, Cell], ...]
HandCard: TypeAlias = tuple[Card, int]  # a card in hand with its bits


def starts(bits: Bits, edge: set[Cell]) -> list[tuple[Cell, int]]:
    """Every (first empty cell, step) from which a line of plays may begin that reaches a cell of ``edge``."""
    found: dict[tuple[Cell, int], None] = {}
    for step in (ROW, COLUMN):
        for cell in edge:
            for back in range(LONGEST):
                start = cell - back * step
                if start in bits:
                    break
                found[start, step] = None
    return list(found)


class Plays:
    """The plays that a hand can make on a grid: ``plays_from`` one place, or by iteration all of them."""

    def __init__(self, bits: Bits, wilds: Sequence[Cell], hand: Sequence[HandCard], edge: set[Cell] | None = None) -> None:
        """``edge``: the frontier of ``bits``, where it is known."""
        self.bits = bits
        self.wilds = tuple(wilds)
        self.hand = tuple(hand)
        self._edge = frontier(bits) if edge is None else edge
        self._across: dict[tuple[Cell, int], tuple[int, int, int]] = {}

    def __iter__(self) -> Iterator[Play]:
        for start, step in starts(self.bits, self._edge):
            yield from self.plays_from(start, step)

    def plays_from(self, start: Cell, step: int) -> list[Play]:
        """Plays whose first cell is ``start`` and which go on along ``step``; single cards only along rows."""
        count, known, mask = self._run(start, -step)
        found: list[Play] = []
        self._extend(found, start, step, (), self.hand, count, known, mask, count > known, False)
        return found

    def _extend(self, found: list[Play], cell: Cell, step: int, placed: Play, hand: tuple[HandCard, ...], count: int, known: int,
                mask: int, wildish: bool, touching: bool) -> None:
        """Put each card of ``hand`` on the empty ``cell``, and the plays into ``found``; the line so far has ``count`` cards,
        ``known`` not wild."""
        behind, behind_known, behind_mask = self._run(cell, step)
        count += 1 + behind
        if count > LONGEST:
            return
        across, across_known, across_mask = self._crossing(cell, step)
        if across >= LONGEST:
            return
        wildish = wildish or behind > behind_known or across > across_known
        touching = touching or cell in self._edge
        for index, (card, own) in enumerate(hand):
            if own:
                now_known, now_mask = known + behind_known + 1, mask | behind_mask | own
                if not VALID[across_known + 1][across_mask | own]:
                    continue
                now_wildish = wildish
            else:
                now_known, now_mask = known + behind_known, mask | behind_mask
                if not VALID[across_known][across_mask]:
                    continue
                now_wildish = True
            if not VALID[now_known][now_mask]:
                continue
            play = (*placed, (card, cell))
            if touching and (len(play) > 1 or step == ROW) and (not now_wildish or self._wilds_fit(play)):
                found.append(play)
            if count < LONGEST and len(hand) > 1:
                rest = hand[:index] + hand[index + 1:]
                self._extend(found, cell + (behind + 1) * step, step, play, rest, count, now_known, now_mask, now_wildish,
                             touching)

    def _run(self, cell: Cell, step: int) -> tuple[int, int, int]:
        """Count, known and mask of the cards that follow ``cell`` along ``step``."""
        find = self.bits.get
        count = known = mask = 0
        cell += step
        while (here := find(cell)) is not None:
            count += 1
            if here:
                known += 1
                mask |= here
            cell += step
        return count, known, mask

    def _crossing(self, cell: Cell, step: int) -> tuple[int, int, int]:
        """Count, known and mask of the cards that a card on ``cell`` would join across ``step``."""
        key = cell, step
        found = self._across.get(key)
        if found is None:
            across = ROW + COLUMN - step
            one, two = self._run(cell, across), self._run(cell, -across)
            found = self._across[key] = one[0] + two[0], one[1] + two[1], one[2] | two[2]
        return found

    def _wilds_fit(self, play: Play) -> bool:
        bits = self.bits
        own = dict(self.hand)
        for card, cell in play:
            bits[cell] = own[card]
        fits = wilds_fit(bits, (*self.wilds, *(cell for card, cell in play if not own[card])))
        for _, cell in play:
            del bits[cell]
        return fits
