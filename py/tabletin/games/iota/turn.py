"""A turn of Iota being composed: recycle, lay and take back one card at a time, with verdict and score at each step.

A page needs this while a player tries things out. It works on a copy and never touches the match. The rules judge the whole
turn again when it is confirmed. A legal play can always be laid card by card with every step legal, because part of
a valid line is valid.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from tabletin.games.iota.grid import (
    BITS,
    COLUMN,
    LONGEST,
    ROW,
    Bits,
    Cell,
    GridLine,
    cell_at,
    changed_lines,
    frontier,
    lay_refusal,
    line_points,
    line_through,
    lines_refusal,
    misfit_beside,
    xy,
)
from tabletin.games.iota.rules import HAND, IotaState, turn_score
from tabletin.kernel.faces import Card, Faces
from tabletin.kernel.options import Refusal
from tabletin.kernel.schema import Move


class TurnSum(NamedTuple):
    """How the points of a turn come about (IO-6): the points of each of its ``lines``, together doubled once a lot, once for all
    four cards of a hand, and once as the turn that ends the match."""

    lines: tuple[int, ...]
    lots: int
    is_whole_hand: bool
    is_last: bool

    @property
    def doublings(self) -> int:
        return self.lots + self.is_whole_hand + self.is_last

    @property
    def points(self) -> int:
        return sum(self.lines) << self.doublings


def scored_lines(bits: Bits, cells: Collection[Cell]) -> list[GridLine]:
    """The lines that cards on ``cells`` of ``bits`` make or make longer, the one with most of these cards first."""
    laid = set(cells)
    return sorted(changed_lines(bits, list(cells)), key=lambda line: (-len(laid.intersection(line.cells)), -len(line.cells)))


def turn_sum(bits: Bits, cells: Collection[Cell], *, ends: bool) -> TurnSum:
    """How the points of cards on ``cells`` of ``bits`` come about. ``ends``: with them the last card of all was laid."""
    lines = scored_lines(bits, cells)
    return TurnSum(tuple(line_points(bits, [line]) for line in lines), sum(len(line.cells) == LONGEST for line in lines),
                   len(cells) == HAND, ends)


class IotaTurn:
    """``seat``'s turn on ``state`` with the ``faces`` it knows. ``lays``: card → cell; ``recycles``: (wild, card)."""

    def __init__(self, state: IotaState, seat: int, faces: Faces) -> None:
        self.hand = list(state.hands[seat])
        self.lays: dict[Card, Cell] = {}
        self.recycles: list[tuple[Card, Card]] = []
        self._faces = faces
        self._bits = dict(state.bits)
        self._wild_at = {state.grid[cell]: cell for cell in state.wilds}
        self._ends_if_out = not state.pile

    @property
    def hand_left(self) -> list[Card]:
        """What is still in hand, wilds recycled this turn included."""
        return [card for card in self.hand if card not in self.lays]

    def _wilds(self) -> tuple[Cell, ...]:
        return tuple(self._wild_at.values())

    def _tentative(self) -> dict[Cell, int]:
        return {cell: BITS[self._faces[card]] for card, cell in self.lays.items()}

    def lay_refusal(self, card: Card, cell: Cell) -> Refusal | None:
        """Why ``card`` cannot join the play on ``cell``, or None."""
        lays = {other: where for other, where in self.lays.items() if other != card} | {card: cell}
        cells = {where: BITS[self._faces[other]] for other, where in lays.items()}
        return lay_refusal(self._bits, self._wilds(), cells, len(lays))

    def places(self, card: Card) -> list[tuple[int, int]]:
        """Every (x, y) where ``card`` could be laid now."""
        laid = {cell for other, cell in self.lays.items() if other != card}
        cells = frontier(dict.fromkeys((*self._bits, *laid), 0))
        return [xy(cell) for cell in sorted(cells) if self.lay_refusal(card, cell) is None]

    def fits(self, card: Card) -> bool:
        """Whether ``card`` could be laid anywhere now."""
        laid = {cell for other, cell in self.lays.items() if other != card}
        return any(self.lay_refusal(card, cell) is None for cell in frontier(dict.fromkeys((*self._bits, *laid), 0)))

    def join_refusal(self, card: Card) -> tuple[Refusal, tuple[Cell, ...]]:
        """Why ``card`` goes nowhere with the cards laid, and the cells of the line that forbids it; none where several do.

        At least one card is laid, and there is no place for this one."""
        first, *more = self.lays.values()
        if more:
            step = ROW if abs(more[0] - first) < LONGEST else COLUMN
            line = line_through(self._bits | self._tentative(), first, step)
            if len(line.cells) == LONGEST:
                return Refusal("iota.refuse.turn_full", rule="IO-3"), line.cells
            fault = misfit_beside(line, BITS[self._faces[card]])
            if fault:
                return Refusal(f"iota.refuse.turn_{fault}", rule="IO-3"), line.cells
        return Refusal("iota.refuse.turn_nowhere", rule="IO-3"), ()

    def lay(self, card: Card, x: int, y: int) -> Refusal | None:
        """Lay or move ``card``; does nothing and says why if it may not lie there."""
        if card not in self.hand:
            return Refusal("iota.refuse.not_in_hand")
        refusal = self.lay_refusal(card, cell_at(x, y))
        if refusal is None:
            self.lays[card] = cell_at(x, y)
        return refusal

    def take_back(self, card: Card) -> None:
        """Return ``card``, and those that no longer hold together without it, to the hand."""
        self.lays.pop(card, None)
        kept: dict[Card, Cell] = {}
        left = dict(self.lays)
        self.lays = kept
        joined = True
        while joined:
            joined = False
            for other, cell in list(left.items()):
                if self.lay_refusal(other, cell) is None:
                    kept[other] = left.pop(other)
                    joined = True

    def recyclable(self, card: Card) -> list[Card]:
        """The wilds on the grid that ``card`` could replace now; none once a card has been laid (IO-5)."""
        return [wild for wild in self._wild_at if self.recycle_refusal(wild, card) is None]

    def recycle_refusal(self, wild: Card, card: Card) -> Refusal | None:
        """Why ``card`` cannot replace ``wild``, or None (IO-5)."""
        if self.lays:
            return Refusal("iota.refuse.recycle_first", rule="IO-5")
        own = BITS[self._faces[card]]
        if not own:
            return Refusal("iota.refuse.wild_for_wild", rule="IO-5")
        cell = self._wild_at[wild]
        bits = self._bits | {cell: own}
        left = tuple(other for other in self._wilds() if other != cell)
        return None if lines_refusal(bits, left, (cell,)) is None else Refusal("iota.refuse.recycle_misfit", rule="IO-5")

    def recycle(self, wild: Card, card: Card) -> Refusal | None:
        """Swap ``card`` for ``wild``; does nothing and says why if it may not."""
        refusal = self.recycle_refusal(wild, card)
        if refusal is None:
            self._bits[self._wild_at.pop(wild)] = BITS[self._faces[card]]
            self.recycles.append((wild, card))
            self.hand[self.hand.index(card)] = wild
        return refusal

    def score(self) -> tuple[int, int]:
        """Points of the play as it lies and the lots it completes; (0, 0) with nothing laid."""
        if not self.lays:
            return 0, 0
        bits = self._bits | self._tentative()
        return turn_score(bits, list(self.lays.values()), ends=self._ends_if_out and not self.hand_left)

    def sum(self) -> TurnSum:
        """How the points of ``score`` come about."""
        return turn_sum(self._bits | self._tentative(), self.lays.values(), ends=self._ends_if_out and not self.hand_left)

    def lines(self) -> list[GridLine]:
        """The lines that the play makes or makes longer, the one with most of its cards first."""
        return scored_lines(self._bits | self._tentative(), self.lays.values())

    def play(self) -> Move:
        """The move that confirms what lies."""
        return ("play", tuple(self.recycles), tuple((card, *xy(cell)) for card, cell in self.lays.items()))

    def trade(self, cards: tuple[Card, ...]) -> Move:
        """The move that passes and puts ``cards`` under the pile in this order."""
        return ("pass", tuple(self.recycles), cards)
