"""The most cards of a hand in one TooT, exactly, with an arrangement to show it; and every way to use some of a hand.

Whether cards make one TooT depends on counts alone. Call a TooT without a number a *leaf*. A 2, 3 or 4 turns that many
TooTs into one, a 1 leaves their number as it is, so one TooT with n2, n3, n4 of them has ``1 + n2 + 2·n3 + 3·n4``
leaves, the TooT on the table among them. A 1 lies on a TooT that does not show a 1, and each of these carries at most
one, so there are at most as many 1s as other TooTs. Touching costs nothing more: piled one on another, each 2, 3 or 4
has a leaf besides to touch, and the TooT on the table is never alone under one of them (TO-3, TO-4). Conversely any
counts that fit can be built so. The search is therefore over a few numbers, and every natural card is used before an X
is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from tabletin.games.toot.arrangement import TABLE, Node, Piece, pair, single, stack
from tabletin.games.toot.cards import KIND_OF, NUMBERS, PRIMARIES, SECONDARIES, Kinds, kinds
from tabletin.kernel.faces import Card, Face


class Use(NamedTuple):
    """A TooT by what is in it, X counted as what they stand for: each number, pairs, and secondary colours alone."""

    ones: int
    twos: int
    threes: int
    fours: int
    pairs: int
    singles: int

    @property
    def size(self) -> int:
        """Cards from the hand."""
        return self.ones + self.twos + self.threes + self.fours + 2 * self.pairs + self.singles

    def cost(self, hand: Kinds) -> Kinds:
        """The cards it takes out of ``hand``: X only where the kind itself runs short."""
        needs = (self.ones, self.twos, self.threes, self.fours, 2 * self.pairs, self.singles)
        have = (*hand[:4], hand.primaries, hand.secondaries)
        own = [min(need, held) for need, held in zip(needs, have, strict=True)]
        return Kinds._make((*own[:4], sum(needs) - sum(own), *own[4:]))

    def rest(self, hand: Kinds) -> Kinds:
        """What is left of ``hand``."""
        return Kinds._make(held - used for held, used in zip(hand, self.cost(hand), strict=True))

    def places_for_ones(self, shown: Face | None) -> int:
        """How many TooTs in it may carry a 1."""
        bare = self.twos + self.threes + self.fours + self.pairs + self.singles
        return bare + (shown is not None and shown != "1")

    def may_show_other(self, shown: Face | None) -> bool:
        """Whether it can be laid so that no 1 is on top."""
        return self.ones < self.places_for_ones(shown)


def best_use(hand: Kinds, shown: Face | None = None) -> Use | None:
    """A use of the most cards of ``hand`` in one TooT; None if there is none.

    ``shown``: what the TooT on the table, which must be part of it, has on top; None without one.
    """
    return _best(hand, 0 if shown is None else 1 if shown == "1" else 2)


@lru_cache(maxsize=4096)
def _best(hand: Kinds, base: int) -> Use | None:
    """``base``: 0 no TooT on the table, 1 one that shows a 1, 2 another."""
    best, most, everything = None, 0, sum(hand)
    for twos, threes, fours, left in _numbers(hand):
        leaves = twos + 2 * threes + 3 * fours + (not base)
        stacks = twos + threes + fours
        places = leaves + stacks + (base == 2)
        for pairs in range(min(leaves, (hand.primaries + left) // 2), -1, -1):
            lacking = max(0, leaves - pairs - hand.secondaries) + max(0, 2 * pairs - hand.primaries)
            if lacking > left:
                continue
            ones = min(places, hand.ones + left - lacking)
            size = ones + stacks + pairs + leaves
            if size > most:
                best, most = Use(ones, twos, threes, fours, pairs, leaves - pairs), size
                if most == everything:
                    return best
    return best


def fitting_faces(hand: Kinds, shown: Face | None = None) -> tuple[Face, ...]:
    """The faces of which one more card would let some of ``hand`` be laid, or itself; an X, which nearly always would, left out.

    Empty where some of ``hand`` can be laid already, and where no single card is enough. ``shown`` as in ``best_use``.
    """
    if best_use(hand, shown) is not None:
        return ()
    more = {kind: hand._replace(**{kind: getattr(hand, kind) + 1}) for kind in Kinds._fields}
    return tuple(face for face in (*NUMBERS, *SECONDARIES, *PRIMARIES)
                 if best_use(more[Kinds._fields[KIND_OF[face]]], shown) is not None)


def _numbers(hand: Kinds) -> Iterator[tuple[int, int, int, int]]:
    """Every choice of 2s, 3s and 4s that leaves might be found for, and how many X it leaves."""
    wilds = hand.wilds
    for fours in range(hand.fours + wilds + 1):
        after_fours = wilds - max(0, fours - hand.fours)
        for threes in range(hand.threes + after_fours + 1):
            after_threes = after_fours - max(0, threes - hand.threes)
            for twos in range(hand.twos + after_threes + 1):
                left = after_threes - max(0, twos - hand.twos)
                if twos + 2 * threes + 3 * fours > hand.secondaries + hand.primaries // 2 + left:
                    break
                yield twos, threes, fours, left


def uses(hand: Kinds, shown: Face | None = None) -> Iterator[Use]:
    """Every use of cards of ``hand`` in one TooT that adds at least one card; fewer and lower numbers first."""
    base = 0 if shown is None else 1 if shown == "1" else 2
    for twos, threes, fours, left in _numbers(hand):
        leaves = twos + 2 * threes + 3 * fours + (not base)
        places = leaves + twos + threes + fours + (base == 2)
        for pairs in range(min(leaves, (hand.primaries + left) // 2) + 1):
            lacking = max(0, leaves - pairs - hand.secondaries) + max(0, 2 * pairs - hand.primaries)
            if lacking > left:
                continue
            for ones in range(min(places, hand.ones + left - lacking) + 1):
                if ones or leaves:
                    yield Use(ones, twos, threes, fours, pairs, leaves - pairs)


def solve(hand: Iterable[tuple[Card, Face]], shown: Face | None = None) -> Node | None:
    """One TooT of as many cards of ``hand`` as can be, or None if there is none."""
    hand = tuple(hand)
    use = best_use(kinds(face for _, face in hand), shown)
    return None if use is None else build(use, hand, shown)


def build(use: Use, hand: Iterable[tuple[Card, Face]], shown: Face | None = None, *,
          one_on_top: bool = False) -> Node:
    """An arrangement of ``use`` from ``hand``; a 1 on top if ``one_on_top`` and there is one, else none if possible."""
    supply = _Supply(hand)
    halves = [supply.take(PRIMARIES) for _ in range(2 * use.pairs)]
    leaves = [single(*supply.take(SECONDARIES)) for _ in range(use.singles)]
    leaves += [pair(first, second) for first, second in zip(halves[::2], halves[1::2], strict=True)]
    plan = [4] * use.fours + [3] * use.threes + [2] * use.twos
    numbers = [(number, supply.take((NUMBERS[number - 1],))) for number in plan]
    ones = [supply.take(("1",)) for _ in range(use.ones)]
    if ones and (one_on_top or not use.may_show_other(shown)):
        return stack(ones.pop(), _piled(leaves, numbers, ones, shown))
    return _piled(leaves, numbers, ones, shown)


def _piled(leaves: list[Node], numbers: list[tuple[int, Piece]], ones: list[Piece], shown: Face | None) -> Node:
    """One pile: each number on the pile so far and, uppermost, leaves; 1s on what may carry one, but not on top."""
    capped = [stack(ones.pop(), leaf) if ones and numbers else leaf for leaf in leaves]
    pile = TABLE if shown is not None else capped.pop(0)
    if shown is not None and shown != "1" and ones and numbers:
        pile = stack(ones.pop(), pile)
    for index, (number, piece) in enumerate(numbers):
        pile = stack(piece, pile, *(capped.pop(0) for _ in range(number - 1)))
        if ones and index < len(numbers) - 1:
            pile = stack(ones.pop(), pile)
    assert not ones and not capped
    return pile


class _Supply:
    """Cards of a hand given out by kind, an X where the kind has run out."""

    def __init__(self, hand: Iterable[tuple[Card, Face]]) -> None:
        self._by_kind: list[list[Card]] = [[] for _ in Kinds._fields]
        for card, face in hand:
            self._by_kind[KIND_OF[face]].append(card)
        for cards in self._by_kind:
            cards.reverse()

    def take(self, faces: tuple[Face, ...]) -> Piece:
        """A card that is one of ``faces``, all of a kind, or an X that stands for the first."""
        cards = self._by_kind[KIND_OF[faces[0]]]
        return (cards.pop(), None) if cards else (self._by_kind[4].pop(), faces[0])
