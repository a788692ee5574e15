"""What an open column is worth to a seat once its turn is over: how likely it will win it in the end.

The chance as the cards lie now says little of that: both seats add cards, and who calls loses a tie. So the worth is fitted to
matches that the bot played with itself. ``python3 bench/games/teeth/evaluation.py`` plays them and prints ``WEIGHTS`` anew. Pure.
"""

from __future__ import annotations

from collections import Counter
from math import exp
from operator import mul
from typing import Final, NamedTuple, TypeAlias

from tabletin.games.teeth.reckon import (
    LEAST_VALUE,
    MIDDLE_VALUE,
    NO_LEAD,
    OWN_ACE,
    WITHOUT_MIDDLE,
    Belief,
    Chance,
    Code,
    Count,
    in_middle,
    own_side,
)

Option: TypeAlias = tuple[str, int]  # a verb and a column, -1 where there is none

LAST_CARDS: Final = 6  # cards in the pile over which its end makes itself felt
FINE: Final = 8  # a pile smaller than this is taken as it is, a larger one in steps of …
STEP: Final = 4  # … so many cards
PILES: Final = 64  # more than a pile has cards
TIMES: Final = PILES * 8  # more than there are times of a round: columns that are open, by cards of the pile

WEIGHTS: Final[tuple[float, ...]] = (  # of 70,808 columns in 1,500 matches
    -0.654, 0.933, -0.419, 1.358, 2.544, -3.057, 0.277, -0.061, -0.500, 0.320, -0.616, 0.736, -1.870, 1.779, 0.047, 0.139,
    -0.322, 0.055, -0.217, 0.187, 0.296, -0.725, 0.503, -0.158, 0.406, -0.244, -1.680, 1.223, 1.074, -0.945, 1.142, -1.037,
    -0.173, 0.217, 1.732, 0.670, 0.509, 0.652)


def features(chance: Chance, own: int, lead: int, middle: int, columns: int, pile: int) -> tuple[float, ...]:
    """What the worth of a column is reckoned from; ``WEIGHTS`` has a number for each.

    ``chance``: of winning it as it lies; ``own``: what the seat's closed card counts; ``lead``: what it added beyond the other
    seat; ``middle``: what the middle card counts; ``columns``: how many are open; ``pile``: how many cards it has.
    """
    win, level = chance
    ours, added, between, twice = own / 10, lead / 10, middle / 10, win * win
    apart = abs(added)
    return (1.0, win, twice, win * twice, level, win * level,
            added, added * added, apart, win * added, twice * added, win * apart,
            ours, ours * ours, between, between * between, win * ours, win * between, added * ours, added * between,
            *[feature for clock in _clocks(columns, pile) for feature in (clock, win * clock, twice * clock)])


def _clocks(columns: int, pile: int) -> tuple[float, ...]:
    """How far the round is, in ways that matter: who has to call when the pile is empty depends on its last few cards."""
    near = exp(-pile / LAST_CARDS)
    return columns - 2, pile / 40, 1 / (pile + 1), near, float(not pile), 0.0 if pile % 2 else near


class SeenColumn(NamedTuple):
    """A column as one seat sees it: what its closed card there counts, and the column's code."""

    own: int
    code: Code

    def features(self, belief: Belief, columns: int, pile: int) -> tuple[float, ...]:
        """Those of this column if the seat believes so of the closed card across."""
        lead = (self.code & OWN_ACE - 1) - NO_LEAD - self.own
        return features(belief.chance_of(self.code), self.own, lead, self.code // MIDDLE_VALUE + LEAST_VALUE, columns, pile)


def worth_of(said: tuple[float, ...]) -> float:
    """The worth of a column with these ``features``, from 0 to 1."""
    return 1 / (1 + exp(-sum(map(mul, WEIGHTS, said))))


class Evaluator:
    """What open columns are worth to one seat, and so what its moves are; remembers what it has worked out.

    ``beliefs``: the seat's, of the closed card across in each column; ``pool``: what it may draw.
    """

    def __init__(self, beliefs: dict[int, Belief], pool: Counter[Count]) -> None:
        self.beliefs = beliefs
        size = sum(pool.values()) or 1
        self.draws = [(card, number / size) for card, number in pool.items()]
        self._worths: dict[tuple[int, int], dict[int, float]] = {}  # by column and own card, then by code and time
        self._turns: dict[tuple[int, tuple[tuple[int, SeenColumn], ...]], Option] = {}

    def worth(self, at: int, column: SeenColumn, columns: int, pile: int) -> float:
        """What column ``at`` is worth after the seat's turn, with so many columns open and so many cards in the pile."""
        pile = rough(pile)
        known = self._worths.setdefault((at, column.own), {})
        key = column.code * TIMES + columns * PILES + pile
        found = known.get(key)
        if found is None:
            found = known[key] = worth_of(column.features(self.beliefs[at], columns, pile))
        return found

    def placings(self, table: dict[int, SeenColumn], card: Count, pile: int) -> list[tuple[float, str, int]]:
        """What each way to place ``card`` brings, in columns: discarding first, then by column."""
        found = [(0.0, "discard", -1)]
        columns = len(table)
        time = columns * PILES + rough(pile)
        middle, side = in_middle(card), own_side(card)
        for at, column in table.items():
            own, code = column
            known = self._worths.setdefault((at, own), {})
            replaced, doubled = (code & WITHOUT_MIDDLE) + middle, code + side
            now = known.get(code * TIMES + time) or self.worth(at, column, columns, pile)
            for verb, after in (("replace", replaced), ("double", doubled)):
                worth = known.get(after * TIMES + time) or self.worth(at, SeenColumn(own, after), columns, pile)
                found.append((worth - now, verb, at))
        return found

    def turns(self, table: dict[int, SeenColumn], pile: int) -> dict[Option, float]:
        """How many columns the seat may hope for after each thing that a turn may begin with: calling one, drawing."""
        rest = {at: self.worth(at, column, len(table) - 1, pile) for at, column in table.items()} if len(table) > 1 else {}
        total = sum(rest.values())
        found: dict[Option, float] = {("call", at): self.beliefs[at].chance_of(column.code).win + total - rest.get(at, 0.0)
                                      for at, column in table.items()}
        if pile:
            gain = sum(share * max(self.placings(table, card, pile - 1))[0] for card, share in self.draws)
            found["draw", -1] = gain + sum(self.worth(at, column, len(table), pile - 1) for at, column in table.items())
        return found

    def turn(self, table: dict[int, SeenColumn], pile: int) -> Option:
        """The best of these."""
        key = rough(pile), tuple(table.items())
        found = self._turns.get(key)
        if found is None:
            hopes = self.turns(table, pile)
            found = self._turns[key] = max(hopes, key=hopes.__getitem__)
        return found


def rough(pile: int) -> int:
    """How many cards a pile has, as exactly as it matters."""
    return pile if pile < FINE else pile // STEP * STEP
