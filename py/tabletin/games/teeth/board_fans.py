"""How the cards of one side of a column lie: below each other, so that the corner of each is seen; where many lie there, in
several fans beside each other.

It measures cards and knows no faces.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import ceil
from typing import Final, NamedTuple

STRIP: Final = 0.28  # of a card's height that shows under the next card of its fan, …
LEAST_STRIP: Final = 0.2  # … and at least, so that its rank is read
FEW: Final = 3  # cards of a fan under the next, up to which each shows so much
CORNER: Final = 0.4  # of a card's width that shows beside the next fan at least, as wide as "10" is in the corner
MOST_FANS: Final = 3
ENOUGH: Final = 0.88  # of the largest size that cards can have: for less than that fans do not stand beside each other
BETWEEN: Final = 4.0  # px between two fans that do not cover each other


class Size(NamedTuple):
    """How large the cards of all columns may be: ``height``, px. ``rooms``: px that a side's cards reach below its first card, by
    seat. ``fans``: how many fans a side has at most."""

    height: float
    rooms: tuple[float, float]
    fans: int


class Fan(NamedTuple):
    """The cards of one side. ``offsets``: px of each from the first, to the right and down; ``wide``: px from the left edge of
    the first to the right edge of the last. ``first_seen``: px of the first card that are seen, to the right and down."""

    offsets: tuple[tuple[float, float], ...]
    wide: float
    first_seen: tuple[float, float]


def card_size(deepest: Sequence[int], high: float, wide: float, most: float, tall: float) -> Size:
    """The largest size with which ``deepest`` cards by seat, besides the first one of each side, have room: three cards and what
    the fans reach below them in ``high`` px, the fans of a side in ``wide`` px, a card ``most`` px high. ``tall``: its height to
    its width. Among sizes that differ little the one with the fewest fans."""
    sizes = []
    for fans in product(range(1, MOST_FANS + 1), repeat=2):
        shares = [_share(number, count) for number, count in zip(deepest, fans, strict=True)]
        height = min(high / (3 + sum(shares)), wide * tall / (1 + CORNER * (max(fans) - 1)), most)
        sizes.append((sum(fans), Size(height, (shares[0] * height, shares[1] * height), max(fans))))
    largest = max(size.height for _, size in sizes)
    return min(sizes, key=lambda one: (one[1].height < ENOUGH * largest, one[0], -one[1].height))[1]


def fan(count: int, width: float, height: float, room: float, wide: float) -> Fan:
    """``count`` cards besides the first one, in as few fans as ``room`` px below the first card allow, within ``wide`` px."""
    fans = next((number for number in range(1, MOST_FANS) if _share(count, number) * height <= room + 0.1), MOST_FANS)
    each = ceil((count + 1) / fans)
    down = min(STRIP * height, room / max(1, each - 1))
    right = min(width + BETWEEN, (wide - width) / (fans - 1)) if fans > 1 else 0.0
    offsets = tuple((number // each * right, number % each * down) for number in range(count + 1))
    first_seen = min(right, width) if fans > 1 else width, down if each > 1 and count else height
    return Fan(offsets, offsets[-1][0] + width, first_seen)


def _share(count: int, fans: int) -> float:
    """Of a card's height: how far ``count`` cards besides the first reach below it, in so many fans. A few lie in one."""
    below = ceil((count + 1) / fans) - 1
    return max(min(count, FEW) * STRIP, below * LEAST_STRIP)
