"""A stand-in for the group that keeps every point as its discrete logarithm. INSECURE: for simulations only.

All equations hold exactly as in ristretto255, so every check passes or fails as it would there, some thirty
times faster; but everybody who sees a point reads its secret. No page may import this.
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletin.peers.sealed.group import L, PrimeGroup, Term


class StandInGroup(PrimeGroup):
    """The integers modulo `L` under addition, "points" being 32 bytes, little-endian."""

    name = "stand-in"
    secure = False
    base = (9).to_bytes(32, "little")

    def combine(self, rows: Sequence[Sequence[Term]]) -> list[bytes]:
        return [
            (sum(scalar * int.from_bytes(point, "little") for scalar, point in row) % L).to_bytes(32, "little")
            for row in rows
        ]

    def from_digests(self, digests: Sequence[bytes]) -> list[bytes]:
        return [(int.from_bytes(data, "little") % (L - 1) + 1).to_bytes(32, "little") for data in digests]

    def are_points(self, points: Sequence[bytes]) -> bool:
        return all(0 < int.from_bytes(point, "little") < L for point in points)
