"""TooTs by trying everything: the rule as the rulebook words it, without a thought about counts. Slow, and sure."""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement

from tabletin.games.toot.cards import NUMBERS, PRIMARIES, SECONDARIES, STATED

TABLE = "table"
Cards = tuple[str, ...]  # sorted faces, and TABLE for the TooT that lies there


@cache
def tops(cards: Cards, shown: str) -> frozenset[str]:
    """Everything that all of ``cards`` made into one TooT may show on top; empty if they cannot be (TO-2, TO-3)."""
    if cards == (TABLE,):
        return frozenset({shown})
    found: set[str] = set()
    for root in set(cards) - {TABLE}:
        rest = _less(cards, (root,))
        for own in STATED if root == "X" else (root,):
            alone = own in SECONDARIES and not rest
            paired = own in PRIMARIES and len(rest) == 1 and rest[0] in (*PRIMARIES, "X")
            if alone or paired or (own in NUMBERS and _fits_under(rest, int(own), own, shown, False)):
                found.add(own)
    return frozenset(found)


@cache
def _fits_under(cards: Cards, count: int, number: str, shown: str, touched: bool) -> bool:
    """Whether ``cards`` make exactly ``count`` TooTs, one of them fit to touch ``number`` unless that is settled."""
    if count == 0:
        return not cards and touched
    if len(cards) < count:
        return False
    if count == 1:
        return any(touched or top != number for top in tops(cards, shown))
    first, others = cards[0], cards[1:]
    for size in range(len(others) - count + 2):
        for chosen in set(combinations(others, size)):
            group = (first, *chosen)
            for top in tops(tuple(sorted(group)), shown):
                if _fits_under(_less(cards, group), count - 1, number, shown, touched or top != number):
                    return True
    return False


def _less(cards: Cards, gone: Cards) -> Cards:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


def most(hand: Cards, shown: str | None = None) -> int:
    """The most cards of ``hand`` that make one TooT, together with the one on the table if one is ``shown``."""
    for size in range(len(hand), 0, -1):
        for chosen in set(combinations(sorted(hand), size)):
            cards = tuple(sorted((*chosen, TABLE))) if shown is not None else chosen
            if tops(cards, shown or ""):
                return size
    return 0


def hands(deck: dict[str, int], size: int) -> list[Cards]:
    """Every hand of ``size`` cards of ``deck``."""
    return [hand for hand in combinations_with_replacement(sorted(deck), size)
            if all(hand.count(face) <= held for face, held in deck.items())]
