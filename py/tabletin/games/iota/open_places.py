"""The empty places beside Iota's grid and the cards that each of them takes, kept up to date; random plays drawn from them.

Every play lays a card on such a place that fits there by itself: fewer cards in a line never fit worse (IO-3, IO-4). So a
random play is one fitting card, and then perhaps more beside it along one line. Nothing is listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Final, TypeAlias

from tabletin.games.iota.grid import (
    BITS,
    COLUMN,
    FACES,
    LONGEST,
    ROW,
    SPAN,
    VALID,
    Bits,
    Cell,
    HandCard,
    Play,
    wilds_fit,
)
from tabletin.kernel.faces import Card

FaceSet: TypeAlias = int  # a bit for each of FACES, and the highest for a wild
OpenPlaces: TypeAlias = dict[Cell, FaceSet]  # empty cell beside the grid → faces that fit its two lines, wilds in them apart

FACE_BIT: Final[dict[int, FaceSet]] = {0: 1 << len(FACES), **{BITS[face]: 1 << index for index, face in enumerate(FACES)}}
WILD_FITS: Final = FACE_BIT[0]
DIRECTIONS: Final = (ROW, -ROW, COLUMN, -COLUMN)
DRAWS: Final = 48  # places drawn at random before each is tried


@cache
def fitting_faces(count: int, plain_count: int, mask: int) -> FaceSet:
    """The faces that may join ``count`` cards in a line, of which ``plain_count`` are not wild and whose bits are ``mask``."""
    if count >= LONGEST:
        return 0
    found = WILD_FITS if VALID[plain_count][mask] else 0
    valid = VALID[plain_count + 1]
    return found | sum(bit for own, bit in FACE_BIT.items() if own and valid[mask | own])


def fitting_at(bits: Bits, cell: Cell) -> FaceSet:
    """The faces that fit both lines through the empty ``cell``. What wilds in them stand for is not looked at."""
    fitting = -1
    find = bits.get
    for step in (ROW, COLUMN):
        count = plain_count = mask = 0
        for way in (step, -step):
            near = cell + way
            while (own := find(near)) is not None:
                count += 1
                if own:
                    plain_count += 1
                    mask |= own
                near += way
        if count:
            fitting &= fitting_faces(count, plain_count, mask)
    return fitting


def note_card(places: OpenPlaces, bits: Bits, cell: Cell) -> None:
    """Bring ``places`` up to date after ``bits`` got a card on ``cell``: the ends of its two lines changed, and nothing else."""
    places.pop(cell, None)
    for way in DIRECTIONS:
        end = cell + way
        while end in bits:
            end += way
        places[end] = fitting_at(bits, end)


def open_places(bits: Bits) -> OpenPlaces:
    """Those of the whole grid ``bits``."""
    places: OpenPlaces = {}
    for cell in bits:
        note_card(places, bits, cell)
    return places


def draw_play(bits: Bits, wilds: Sequence[Cell], places: OpenPlaces, hand: Sequence[HandCard], rng: Random) -> Play:
    """A random play of ``hand``; every play can come. () if there is none. Leaves ``bits`` as they were."""
    cards = [(card, own, FACE_BIT[own]) for card, own in hand]
    wanted = 0
    for _, _, bit in cards:
        wanted |= bit
    cells = list(places)
    tries = DRAWS
    while cells:
        index = int(rng.random() * len(cells))
        cell = cells[index]
        if places[cell] & wanted:
            found = _draw_at(bits, wilds, cell, places[cell], cards, rng)
            if found:
                return found
        if tries:
            tries -= 1
        else:  # few places take a card: none is tried twice any more
            cells[index] = cells[-1]
            cells.pop()
    return ()


def _draw_at(bits: Bits, wilds: Sequence[Cell], cell: Cell, fitting: FaceSet, cards: list[tuple[Card, int, FaceSet]],
             rng: Random) -> Play:
    """A random play that lays a card on ``cell``, of those that ``fitting`` holds; () if what wilds stand for forbids each."""
    laid: dict[Cell, Card] = {}
    left = list(cards)
    more = int(rng.random() * len(cards))
    step = ROW if rng.random() < 0.5 else COLUMN
    while True:
        index = _draw_card(bits, wilds, cell, fitting, left, rng)
        if index is not None:
            card, own, _ = left.pop(index)
            laid[cell], bits[cell] = card, own
            if not own:
                wilds = (*wilds, cell)
        if index is None or more < len(laid):
            break
        way = step if rng.random() < 0.5 else -step
        while cell in bits:
            cell += way
        fitting = fitting_at(bits, cell)
    for cell in laid:
        del bits[cell]
    return tuple((laid[cell], cell) for cell in sorted(laid))


def _draw_card(bits: Bits, wilds: Sequence[Cell], cell: Cell, fitting: FaceSet, cards: list[tuple[Card, int, FaceSet]],
               rng: Random) -> int | None:
    """The index of a random one of ``cards`` that may lie on ``cell``; None if there is none."""
    first = int(rng.random() * len(cards))
    for turned in range(len(cards)):
        index = (first + turned) % len(cards)
        _, own, bit = cards[index]
        if fitting & bit and _fits_with(bits, wilds if own else (*wilds, cell), cell, own):
            return index
    return None


def _fits_with(bits: Bits, wilds: Sequence[Cell], cell: Cell, own: int) -> bool:
    """Whether the wilds can still stand for one card each, jointly, with a card on ``cell`` (IO-4)."""
    if all((cell - wild) % SPAN and not -LONGEST < cell - wild < LONGEST for wild in wilds):
        return True  # in no line with any
    bits[cell] = own
    fits = wilds_fit(bits, wilds)
    del bits[cell]
    return fits
