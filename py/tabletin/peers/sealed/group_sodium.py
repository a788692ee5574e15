"""ristretto255 under CPython, by libsodium through `rbcl`.

`rbcl` brings its own libsodium and was measured a little faster than `pysodium`, which needs the system's. Its
additions ignore libsodium's error codes, so points must have passed `PrimeGroup.decode_points` before they come here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import rbcl

from tabletin.peers.sealed.group import IDENTITY, L, PrimeGroup, Term, encode_scalar


class SodiumGroup(PrimeGroup):
    """The real group. Multiplications run in constant time; Python's integers do not."""

    name = "sodium"
    secure = True

    def __init__(self) -> None:
        super().__init__()
        self.base = cast(bytes, rbcl.crypto_scalarmult_ristretto255_base(encode_scalar(1)))

    def combine(self, rows: Sequence[Sequence[Term]]) -> list[bytes]:
        return [self._row(row) for row in rows]

    def from_digests(self, digests: Sequence[bytes]) -> list[bytes]:
        return [rbcl.crypto_core_ristretto255_from_hash(data) for data in digests]

    def are_points(self, points: Sequence[bytes]) -> bool:
        return all(map(rbcl.crypto_core_ristretto255_is_valid_point, points))

    def _row(self, row: Sequence[Term]) -> bytes:
        total = IDENTITY
        base_scalar = 0
        for scalar, point in row:
            scalar %= L
            if point == self.base:
                base_scalar += scalar
            elif scalar and point != IDENTITY:
                if scalar == 1:
                    total = _add(total, point)
                elif scalar == L - 1:
                    total = cast(bytes, rbcl.crypto_core_ristretto255_sub(total, point))
                else:
                    product = rbcl.crypto_scalarmult_ristretto255(encode_scalar(scalar), point)
                    total = _add(total, product)
        base_scalar %= L
        if base_scalar:
            total = _add(total, rbcl.crypto_scalarmult_ristretto255_base(encode_scalar(base_scalar)))
        return total


def _add(total: bytes, point: bytes) -> bytes:
    if total == IDENTITY:
        return point
    return cast(bytes, rbcl.crypto_core_ristretto255_add(total, point))
