"""Dice that nobody throws: everybody's share of a point that nobody could foresee, hashed into a number.

The point depends on the log, the shares on keys that were fixed before it, so nobody knows the sum before the last share is
out. A peer that withholds its share stops the roll, but cannot choose it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletin.peers.sealed.group import PrimeGroup, digest, number

MOST_SIDES = 2**32


def roll_point(group: PrimeGroup, match: bytes, deal: int, head: bytes, tag: int) -> bytes:
    """Q, from the match, the deal, the log's head when the roll was asked for, and the roll's number."""
    return group.hash_to_point("roll", match, number(deal), head, number(tag))


def roll_result(group: PrimeGroup, point: bytes, shares: Sequence[bytes], sides: int) -> int:
    """1 … sides, each equally likely, from the sum of all shares of the point."""
    total = group.sum([(1, share) for share in shares])
    limit = 2**64 - 2**64 % sides
    attempt = 0
    while True:
        value = int.from_bytes(digest("roll result", point, total, number(attempt))[:8], "big")
        if value < limit:
            return value % sides + 1
        attempt += 1
