"""A round of dominoes in numbers only, for imagining how it may go on: hands and pile as pairs, ends as counts.

Bots play these out by a rule of thumb many hundred times a decision. A sketch needs every domino's face, so it is
made of an imagined world only. Where dominoes branch, only how often each number is open matters, not where.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

Tile: TypeAlias = tuple[int, int]  # (high, low)
Lay: TypeAlias = tuple[Tile, int]  # a domino and the end number it is laid on; Matador: and the half that touches
NUMBERS: Final = 13
NONE: Final = NUMBERS  # a number that no half has
WANTS: Final = {total: [total - end if 0 < end <= total else NONE for end in range(NUMBERS)]
                for total in (10, 13)}  # Matador, by total: the half that a regular match brings to an open end (DO-6)


class Thumb(NamedTuple):
    """A rule of thumb's weights, found by letting them play each other.

    ``pips``: for each dot laid. ``double``: for a double. ``follow``: for each other domino held that goes on the new
    end. ``cover``: against each that goes on the end used up. ``matador``: for (below 0: against) laying a matador.
    """

    pips: float
    double: float
    follow: float
    cover: float
    matador: float = 0.0


# By level and game. Easy and medium mostly get rid of heavy dominoes and doubles; hard's were found by trial.
THUMBS: Final[dict[str, dict[str, Thumb]]] = {
    "easy": {
        "dominoes": Thumb(1.0, 4.0, 0.0, 0.0),
        "matador": Thumb(1.0, 0.0, 0.0, 0.0, -10.0),
        "tiddle-a-wink": Thumb(1.0, 5.0, 0.0, 0.0),
    },
    "medium": {
        "dominoes": Thumb(1.0, 4.0, 0.0, 0.0),
        "matador": Thumb(1.0, 3.0, 1.0, 1.0, -10.0),
        "tiddle-a-wink": Thumb(1.0, 5.0, 0.0, 0.0),
    },
    "hard": {
        "dominoes": Thumb(1.0, 6.0, 3.0, 2.5),
        "matador": Thumb(1.0, 3.0, 1.0, 1.0, -10.0),
        "tiddle-a-wink": Thumb(0.5, 12.0, 1.0, 3.0),
    },
}


class Sketch(ABC):
    """``hands`` by seat, ``pile`` with the next domino last, ``turn``, ``passes`` in a row, ``first_out``: who emptied a hand."""

    def __init__(self, hands: list[list[Tile]], pile: list[Tile], turn: int, passes: int) -> None:
        self.hands = hands
        self.pile = pile
        self.turn = turn
        self.passes = passes
        self.first_out: int | None = None

    @abstractmethod
    def copy(self) -> Sketch: ...

    @abstractmethod
    def best(self, hand: list[Tile], thumb: Thumb) -> tuple[Any, ...] | None:
        """What the rule of thumb lays from ``hand``, as ``lay`` takes it; None if nothing fits."""

    @abstractmethod
    def play_out(self, thumb: Thumb, rng: Random) -> None:
        """Play every seat by ``thumb`` to the end of the round."""

    def pips(self) -> tuple[int, ...]:
        """What is left in each hand."""
        return tuple(sum(high + low for high, low in hand) for hand in self.hands)


class BranchSketch(Sketch):
    """Dominoes and Tiddle-A-Wink. ``open``: how often each number is open. ``replays_doubles``: doubles play again."""

    def __init__(self, hands: list[list[Tile]], pile: list[Tile], turn: int, passes: int, open_: list[int],
                 replays_doubles: bool) -> None:
        super().__init__(hands, pile, turn, passes)
        self.open = open_
        self.replays_doubles = replays_doubles

    def copy(self) -> BranchSketch:
        return BranchSketch([hand[:] for hand in self.hands], self.pile[:], self.turn, self.passes, self.open[:],
                            self.replays_doubles)

    def lay(self, tile: Tile, inner: int) -> None:
        """The seat to move lays ``tile`` with half ``inner`` on an end of that number."""
        hand = self.hands[self.turn]
        hand.remove(tile)
        high, low = tile
        if high == low:
            self.open[high] += 2
        else:
            self.open[inner] -= 1
            self.open[high + low - inner] += 1
        self.passes = 0
        if not hand:
            self.first_out = self.turn
        elif not (self.replays_doubles and high == low):
            self.turn = (self.turn + 1) % len(self.hands)

    def best(self, hand: list[Tile], thumb: Thumb) -> Lay | None:
        return self._best(hand, numbers_held(hand), thumb)

    def _best(self, tiles: Iterable[Tile], held: list[int], thumb: Thumb) -> Lay | None:
        """What the rule of thumb lays of ``tiles``; None if none fits. ``held``: how many of the hand's have each number."""
        ends = self.open
        best: Lay | None = None
        top = -1e9
        w_pips, w_double, w_follow, w_cover, _ = thumb
        for tile in tiles:
            high, low = tile
            if high == low:
                if ends[high]:
                    worth = w_pips * (high + low) + w_double + w_follow * (held[high] - 1)
                    if worth > top:
                        best, top = (tile, high), worth
                continue
            if ends[high]:
                worth = w_pips * (high + low) + w_follow * (held[low] - 1)
                if ends[high] == 1:
                    worth -= w_cover * (held[high] - 1)
                if worth > top:
                    best, top = (tile, high), worth
            if ends[low]:
                worth = w_pips * (high + low) + w_follow * (held[high] - 1)
                if ends[low] == 1:
                    worth -= w_cover * (held[low] - 1)
                if worth > top:
                    best, top = (tile, low), worth
        return best

    def play_out(self, thumb: Thumb, rng: Random) -> None:
        hands, pile, ends, seats = self.hands, self.pile, self.open, len(self.hands)
        counts = [numbers_held(hand) for hand in hands]
        while self.first_out is None and self.passes < seats:
            turn = self.turn
            hand, held = hands[turn], counts[turn]
            choice = self._best(hand, held, thumb)
            while choice is None and pile:
                high, low = tile = pile.pop()
                hand.append(tile)
                held[high] += 1
                held[low] += high != low
                if ends[high] or ends[low]:  # nothing else fits
                    choice = self._best((tile,), held, thumb)
            if choice is None:
                self.passes += 1
                self.turn = (turn + 1) % seats
            else:
                (high, low), _ = choice
                held[high] -= 1
                held[low] -= high != low
                self.lay(*choice)


def numbers_held(hand: Iterable[Tile]) -> list[int]:
    """How many of the dominoes in ``hand`` have each number."""
    held = [0] * NUMBERS
    for high, low in hand:
        held[high] += 1
        if high != low:
            held[low] += 1
    return held


class LineSketch(Sketch):
    """Matador. ``ends``: the numbers at both ends. ``total``: what touching halves make. ``matadors`` go anywhere."""

    def __init__(self, hands: list[list[Tile]], pile: list[Tile], turn: int, passes: int, ends: list[int], total: int,
                 matadors: frozenset[Tile]) -> None:
        super().__init__(hands, pile, turn, passes)
        self.ends = ends
        self.total = total
        self.matadors = matadors
        self.wants = WANTS[total]

    def copy(self) -> LineSketch:
        return LineSketch([hand[:] for hand in self.hands], self.pile[:], self.turn, self.passes, self.ends[:], self.total,
                    self.matadors)

    def lay(self, tile: Tile, end: int, inner: int) -> None:
        """The seat to move lays ``tile`` at ``end`` (0 or 1), half ``inner`` touching."""
        hand = self.hands[self.turn]
        hand.remove(tile)
        self.ends[end] = tile[0] + tile[1] - inner
        self.passes = 0
        if not hand:
            self.first_out = self.turn
        else:
            self.turn = (self.turn + 1) % len(self.hands)

    def draw(self) -> None:
        """The seat to move draws one domino."""
        self.hands[self.turn].append(self.pile.pop())

    def _draw_on(self) -> Tile | None:
        """The seat to move draws until it has something that fits, and gives that; None when the pile runs out."""
        hand, pile, matadors = self.hands[self.turn], self.pile, self.matadors
        first, second = self.wants[self.ends[0]], self.wants[self.ends[1]]
        while pile:
            high, low = tile = pile.pop()
            hand.append(tile)
            if high == first or low == first or high == second or low == second or tile in matadors:
                return tile
        return None

    def best(self, hand: list[Tile], thumb: Thumb) -> tuple[Tile, int, int] | None:
        """What the rule of thumb lays from ``hand``; None if nothing fits."""
        best: tuple[Tile, int, int] | None = None
        top = -1e9
        wants, matadors = self.wants, self.matadors
        first, second = wants[self.ends[0]], wants[self.ends[1]]
        ends = ((0, first),) if self.ends[0] == self.ends[1] else ((0, first), (1, second))
        held = [0] * (NUMBERS + 1)  # how many dominoes have that number; none has ``NONE``
        for high, low in hand:
            held[high] += 1
            if high != low:
                held[low] += 1
        w_pips, _, w_follow, w_cover, w_matador = thumb
        for tile in hand:
            high, low = tile
            anywhere = tile in matadors
            if not (anywhere or high == first or low == first or high == second or low == second):
                continue
            plain = w_pips * (high + low) + (w_matador if anywhere else 0)
            for at, need in ends:
                covered = plain - w_cover * (held[need] - (need == high or need == low))
                for inner, outer in ((high, low), (low, high)) if high != low else ((high, low),):
                    if anywhere or inner == need:
                        follows = wants[outer]
                        worth = covered + w_follow * (held[follows] - (follows == high or follows == low))
                        if worth > top:
                            best, top = (tile, at, inner), worth
        return best

    def play_out(self, thumb: Thumb, rng: Random) -> None:
        hands, pile, seats = self.hands, self.pile, len(self.hands)
        while self.first_out is None and self.passes < seats:
            choice = self.best(hands[self.turn], thumb)
            if choice is None and pile:
                drawn = self._draw_on()
                choice = None if drawn is None else self.best([drawn], thumb)
            if choice is not None:
                self.lay(*choice)
            else:
                self.passes += 1
                self.turn = (self.turn + 1) % seats
