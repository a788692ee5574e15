"""The one interface to the prime-order group, and the hashes into it.

Points and scalars travel as 32 bytes; scalars are Python ints modulo `L` while they are worked with. The work is
asked for in batches (`combine`), so that a backend behind a costly boundary is crossed once for many points.
Nothing here draws randomness or knows what the points mean.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from hashlib import sha512
from typing import Any

from tabletin.peers.sealed.wire import MalformedMessage

L = 2**252 + 27742317777372353535851937790883648493
"""Order of ristretto255 (RFC 9496), and of every stand-in for it."""

IDENTITY = bytes(32)
"""Encoding of the neutral element; no message may contain it."""

DOMAIN = "tabletin sealed 1 "
"""In front of every hash's tag, so that no other use of SHA-512 in the project can collide with these."""

Term = tuple[int, bytes]
"""A scalar times a point."""


class PrimeGroup(ABC):
    """A group of prime order `L` with points encoded canonically in 32 bytes.

    Operations expect points that passed `decode_points` or came out of an operation; the identity is allowed
    between operations, never from outside.
    """

    name: str
    secure: bool
    base: bytes

    def __init__(self) -> None:
        self._generators: list[bytes] = []
        self._card_points: dict[str, bytes] = {}

    @abstractmethod
    def combine(self, rows: Sequence[Sequence[Term]]) -> list[bytes]:
        """One point per row: the sum of its terms. The scalars 0, 1 and -1 and the base are cheaper."""

    @abstractmethod
    def from_digests(self, digests: Sequence[bytes]) -> list[bytes]:
        """The one-way map of RFC 9496 from 64 uniform bytes each to a point."""

    @abstractmethod
    def are_points(self, points: Sequence[bytes]) -> bool:
        """Whether all decode, each 32 bytes with the top bit clear."""

    def combine_public(self, rows: Sequence[Sequence[Term]]) -> list[bytes]:
        """As `combine`, where every scalar is public: a backend may be faster at the price of telling them."""
        return self.combine(rows)

    def combine_ephemeral(self, rows: Sequence[Sequence[Term]]) -> list[bytes]:
        """As `combine`, where every scalar is randomness of one shuffle, forgotten after it; never a key.

        A backend may be faster than libsodium here; its time still must not depend on the scalars, but for 1, which is
        taken for a public constant.
        """
        return self.combine(rows)

    def sum(self, terms: Sequence[Term]) -> bytes:
        """One row of `combine`."""
        return self.combine([terms])[0]

    def multiples(self, point: bytes, scalars: Iterable[int]) -> list[bytes]:
        """The same point times each scalar."""
        return self.combine([[(scalar, point)] for scalar in scalars])

    def decode_points(self, points: Sequence[bytes]) -> None:
        """Refuse (`MalformedMessage`) unless each is a canonical encoding of a point other than the identity.

        The top bit is looked at here because libsodium up to 1.0.18 ignores it.
        """
        for point in points:
            if len(point) != 32 or point[31] & 0x80 or point == IDENTITY:
                raise MalformedMessage("point")
        if not self.are_points(points):
            raise MalformedMessage("point")

    def generators(self, count: int) -> list[bytes]:
        """h_0 … h_count: points of which nobody knows how one is a multiple of another or of the base."""
        have = len(self._generators)
        if have <= count:
            more = [digest("gen", number(k)) for k in range(have, count + 1)]
            self._generators.extend(self.from_digests(more))
        return self._generators[: count + 1]

    def card_point(self, face: str) -> bytes:
        """M_f: the point that stands for a face. Equal faces share it."""
        point = self._card_points.get(face)
        if point is None:
            point = self.hash_to_point("card", face.encode())
            self._card_points[face] = point
        return point

    def hash_to_point(self, tag: str, *fields: bytes) -> bytes:
        return self.from_digests([digest(tag, *fields)])[0]


def number(value: int) -> bytes:
    """An index or a counter as a hash field: 8 bytes, big-endian."""
    return value.to_bytes(8, "big")


def digest(tag: str, *fields: bytes) -> bytes:
    """SHA-512 over the tag and the fields, each with its length in front. 64 bytes."""
    return sha512(_framed((DOMAIN + tag).encode(), *fields)).digest()


def _framed(*fields: bytes) -> bytes:
    return b"".join([part for field in fields for part in (len(field).to_bytes(4, "big"), field)])


def hash_to_scalar(tag: str, *fields: bytes) -> int:
    """Uniform modulo `L` but for a bias under 2^-259."""
    return int.from_bytes(digest(tag, *fields), "little") % L


def hash_to_scalars(count: int, tag: str, *fields: bytes) -> list[int]:
    """`hash_to_scalar(tag, *fields, number(k))` for k = 1 … count; what they share is hashed once."""
    common = sha512(_framed((DOMAIN + tag).encode(), *fields))
    return [_numbered(common, k) for k in range(1, count + 1)]


_INDEX = (8).to_bytes(4, "big")  # in front of an index: how long it is


def _numbered(common: Any, index: int) -> int:
    """The scalar of a hash with one more field, an index."""
    hashed = common.copy()
    hashed.update(_INDEX + number(index))
    return int.from_bytes(hashed.digest(), "little") % L


def encode_scalar(value: int) -> bytes:
    return value.to_bytes(32, "little")


def decode_scalar(data: bytes) -> int:
    """Little-endian and below `L`; `MalformedMessage` otherwise (so s + L is refused)."""
    value = int.from_bytes(data, "little")
    if len(data) != 32 or value >= L:
        raise MalformedMessage("scalar")
    return value


class Stream:
    """Secret scalars and permutations, a pure function of a seed and of what they are used for.

    A peer that crashes and makes the same message again makes the same bytes, so it never signs two; a
    different statement gives unrelated randomness, so no nonce is used twice (as RFC 6979 does for ECDSA).
    """

    def __init__(self, seed: bytes, *purpose: bytes) -> None:
        self._common = sha512(_framed(digest("stream", seed, *purpose)))
        self._next = 0

    def scalar(self) -> int:
        self._next += 1
        return _numbered(self._common, self._next)

    def scalars(self, count: int) -> list[int]:
        return [self.scalar() for _ in range(count)]

    def number_below(self, bound: int) -> int:
        """Uniform in range(bound), by rejection."""
        limit = L - L % bound
        while True:
            value = self.scalar()
            if value < limit:
                return value % bound

    def permutation(self, count: int) -> list[int]:
        """Uniform: Fisher–Yates from the end."""
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self.number_below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
