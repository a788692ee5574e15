"""What a peer proves about single values: its key (Schnorr), its shares and its remasks (Chaum–Pedersen).

Each proof is a challenge and a response, 64 bytes; the checker rebuilds the commitments and hashes again. Many
shares or remasks are proven at once by a random combination whose weights hash the whole statement.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tabletin.peers.sealed.deck import Cipher, pack
from tabletin.peers.sealed.group import L, PrimeGroup, Stream, Term, hash_to_scalar, hash_to_scalars


class Proof(NamedTuple):
    """χ and s = ω + χ·secret."""

    challenge: int
    response: int


def prove_key(group: PrimeGroup, ctx: bytes, secret: int, public: bytes, stream: Stream) -> Proof:
    """Knowledge of x behind X = x·G, so that no key can be made out of the others' keys."""
    nonce = stream.scalar()
    commitment = group.sum([(nonce, group.base)])
    challenge = hash_to_scalar("key", ctx, public, commitment)
    return Proof(challenge, (nonce + challenge * secret) % L)


def check_key(group: PrimeGroup, ctx: bytes, public: bytes, proof: Proof) -> bool:
    (commitment,) = group.combine_public([[(proof.response, group.base), (-proof.challenge, public)]])
    return proof.challenge == hash_to_scalar("key", ctx, public, commitment)


def make_shares(group: PrimeGroup, secret: int, points: Sequence[bytes]) -> list[bytes]:
    """D = x·a for each point a."""
    return group.combine([[(secret, point)] for point in points])


def prove_shares(
    group: PrimeGroup,
    ctx: bytes,
    secret: int,
    public: bytes,
    points: Sequence[bytes],
    shares: Sequence[bytes],
    stream: Stream,
) -> Proof:
    """That every share is its point times the secret behind the public key."""
    weights = _share_weights(ctx, public, points, shares)
    (combined,) = group.combine_public([list(zip(weights, points, strict=True))])
    nonce = stream.scalar()
    commitments = group.combine([[(nonce, group.base)], [(nonce, combined)]])
    challenge = _share_challenge(ctx, public, points, shares, commitments)
    return Proof(challenge, (nonce + challenge * secret) % L)


def check_shares(
    group: PrimeGroup,
    ctx: bytes,
    public: bytes,
    points: Sequence[bytes],
    shares: Sequence[bytes],
    proof: Proof,
) -> bool:
    weights = _share_weights(ctx, public, points, shares)
    second: list[Term] = []
    for weight, point, share in zip(weights, points, shares, strict=True):
        second.append((proof.response * weight % L, point))
        second.append((-proof.challenge * weight % L, share))
    commitments = group.combine_public([[(proof.response, group.base), (-proof.challenge, public)], second])
    return proof.challenge == _share_challenge(ctx, public, points, shares, commitments)


def prove_remask(
    group: PrimeGroup,
    ctx: bytes,
    key: bytes,
    before: Sequence[Cipher],
    after: Sequence[Cipher],
    factors: Sequence[int],
    stream: Stream,
) -> Proof:
    """That each pair differs from the one before by (r·G, r·H) for some r."""
    weights = _remask_weights(ctx, key, before, after)
    secret = sum(weight * factor for weight, factor in zip(weights, factors, strict=True)) % L
    nonce = stream.scalar()
    commitments = group.combine([[(nonce, group.base)], [(nonce, key)]])
    challenge = _remask_challenge(ctx, key, before, after, commitments)
    return Proof(challenge, (nonce + challenge * secret) % L)


def check_remask(
    group: PrimeGroup,
    ctx: bytes,
    key: bytes,
    before: Sequence[Cipher],
    after: Sequence[Cipher],
    proof: Proof,
) -> bool:
    weights = _remask_weights(ctx, key, before, after)
    first: list[Term] = [(proof.response, group.base)]
    second: list[Term] = [(proof.response, key)]
    for weight, old, new in zip(weights, before, after, strict=True):
        scalar = proof.challenge * weight % L
        first += [(-scalar, new.a), (scalar, old.a)]
        second += [(-scalar, new.b), (scalar, old.b)]
    commitments = group.combine_public([first, second])
    return proof.challenge == _remask_challenge(ctx, key, before, after, commitments)


def _share_weights(ctx: bytes, public: bytes, points: Sequence[bytes], shares: Sequence[bytes]) -> list[int]:
    """The first weight may be 1: the others are random relative to it."""
    fields = (ctx, public, b"".join(points), b"".join(shares))
    return [1, *hash_to_scalars(len(points) - 1, "share weights", *fields)]


def _share_challenge(
    ctx: bytes, public: bytes, points: Sequence[bytes], shares: Sequence[bytes], commitments: Sequence[bytes]
) -> int:
    return hash_to_scalar("share", ctx, public, b"".join(points), b"".join(shares), *commitments)


def _remask_weights(ctx: bytes, key: bytes, before: Sequence[Cipher], after: Sequence[Cipher]) -> list[int]:
    fields = (ctx, key, pack(before), pack(after))
    return [1, *hash_to_scalars(len(before) - 1, "remask weights", *fields)]


def _remask_challenge(
    ctx: bytes, key: bytes, before: Sequence[Cipher], after: Sequence[Cipher], commitments: Sequence[bytes]
) -> int:
    return hash_to_scalar("remask", ctx, key, pack(before), pack(after), *commitments)
