"""A deal's secret key goes from one device of a person to another through the log; only that device can read it.

The new device offers a point of its own, E = e·G. The old one picks k and posts K = k·G and c = x + H2S(ctx, K, E, k·E). Only
a device that knows e (or k) can take the mask off, and X = x·G tells it whether the key is right. This is hashed ElGamal, a
hash mask over a Diffie–Hellman secret, in the group that the cards are sealed in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tabletin.peers.sealed.group import L, PrimeGroup, Stream, decode_scalar, encode_scalar, hash_to_scalar


class WrappedKey(NamedTuple):
    """K and c."""

    point: bytes
    masked_key: int

    def to_bytes(self) -> bytes:
        return self.point + encode_scalar(self.masked_key)

    @classmethod
    def from_bytes(cls, group: PrimeGroup, data: bytes) -> WrappedKey:
        """Raises ``MalformedMessage``."""
        group.decode_points([data[:32]])
        return cls(data[:32], decode_scalar(data[32:]))


def offer_secret(seed: bytes, purpose: Sequence[bytes]) -> int:
    """e, always the same for one purpose, so that nothing needs to be stored."""
    return hash_to_scalar("handover offer", seed, *purpose) or 1


def offer(group: PrimeGroup, secret: int) -> bytes:
    """E."""
    return group.sum([(secret, group.base)])


def wrap(group: PrimeGroup, ctx: bytes, key: int, offered: bytes, stream: Stream) -> WrappedKey:
    """``key`` for the device that offered ``offered``."""
    once = stream.scalar() or 1
    point, shared = group.combine([[(once, group.base)], [(once, offered)]])
    return WrappedKey(point, (key + _mask(ctx, point, offered, shared)) % L)


def unwrap(group: PrimeGroup, ctx: bytes, secret: int, wrapped: WrappedKey) -> int:
    """The key, for the device that made the offer with ``secret``."""
    shared, offered = group.combine([[(secret, wrapped.point)], [(secret, group.base)]])
    return (wrapped.masked_key - _mask(ctx, wrapped.point, offered, shared)) % L


def _mask(ctx: bytes, point: bytes, offered: bytes, shared: bytes) -> int:
    return hash_to_scalar("handover", ctx, point, offered, shared)
