"""Cards as ElGamal pairs under the sum of all keys: open cards, re-encrypted cards, and the context of a proof.

Pure arithmetic over a `PrimeGroup`. It proves nothing and checks nothing; `proofs` and `shuffle` do.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from tabletin.peers.sealed.group import PrimeGroup, Term, digest, number


class Cipher(NamedTuple):
    """A sealed card: a = r·G, b = M + r·H."""

    a: bytes
    b: bytes


def joint_key(group: PrimeGroup, keys: Sequence[bytes]) -> bytes:
    """H, the sum of the peers' keys."""
    return group.sum([(1, key) for key in keys])


def open_cards(group: PrimeGroup, key: bytes, faces: Sequence[str]) -> list[Cipher]:
    """Open cards as anyone can write them down: r = 1, so (G, M + H)."""
    kinds = list(dict.fromkeys(faces))
    points = group.combine([[(1, group.card_point(face)), (1, key)] for face in kinds])
    ciphers = {face: Cipher(group.base, point) for face, point in zip(kinds, points, strict=True)}
    return [ciphers[face] for face in faces]


def reencrypt(group: PrimeGroup, key: bytes, cards: Sequence[Cipher], factors: Sequence[int]) -> list[Cipher]:
    """(a + r·G, b + r·H) for each card and its r: the same card, but nobody recognises it."""
    return _pairs(group.combine(_reencryptions(group, key, cards, factors)))


def reencrypt_deck(group: PrimeGroup, key: bytes, cards: Sequence[Cipher], factors: Sequence[int]) -> list[Cipher]:
    """The same for a shuffle. Its r tell where each card went, and nothing else."""
    return _pairs(group.combine_ephemeral(_reencryptions(group, key, cards, factors)))


def _reencryptions(group: PrimeGroup, key: bytes, cards: Sequence[Cipher], factors: Sequence[int]) -> list[list[Term]]:
    rows: list[list[Term]] = []
    for card, factor in zip(cards, factors, strict=True):
        rows.append([(1, card.a), (factor, group.base)])
        rows.append([(1, card.b), (factor, key)])
    return rows


def _pairs(points: Sequence[bytes]) -> list[Cipher]:
    return [Cipher(*points[at : at + 2]) for at in range(0, len(points), 2)]


def unmask(group: PrimeGroup, cards: Sequence[Cipher], shares: Sequence[Sequence[bytes]]) -> list[bytes]:
    """b − ΣD for each card: the card's point, once the shares of all keys are among them."""
    return group.combine(
        [[(1, card.b), *((-1, share) for share in those)] for card, those in zip(cards, shares, strict=True)]
    )


@lru_cache(maxsize=256)
def context(match: bytes, deal: int, step: int, author: int, purpose: str) -> bytes:
    """ctx: enters every challenge, so that a proof is worth nothing anywhere else.

    `step` is the shuffle's or roll's number within the deal (0 where there is none), `author` the peer's number.
    """
    return digest("ctx", match, number(deal), number(step), number(author), purpose.encode())


def pack(cards: Sequence[Cipher]) -> bytes:
    """All points in a row, as a hash field or for the wire."""
    return b"".join(point for card in cards for point in card)
