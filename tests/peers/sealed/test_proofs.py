"""Proofs of keys, shares and remasks: the true ones pass, every other fails."""

from __future__ import annotations

import pytest

from tabletin.peers.sealed.deck import Cipher, context, joint_key, open_cards, reencrypt
from tabletin.peers.sealed.group import L, PrimeGroup, Stream
from tabletin.peers.sealed.proofs import (
    Proof,
    check_key,
    check_remask,
    check_shares,
    make_shares,
    prove_key,
    prove_remask,
    prove_shares,
)

CTX = context(b"m", 1, 0, 0, "test")
ELSEWHERE = [
    context(b"n", 1, 0, 0, "test"),
    context(b"m", 2, 0, 0, "test"),
    context(b"m", 1, 1, 0, "test"),
    context(b"m", 1, 0, 1, "test"),
    context(b"m", 1, 0, 0, "tests"),
]
STREAM = Stream(b"proofs")


def mutations(proof: Proof) -> list[Proof]:
    challenge, response = proof
    return [
        Proof((challenge + 1) % L, response),
        Proof(challenge, (response + 1) % L),
        Proof(response, challenge),
        Proof(0, response),
        Proof(challenge, 0),
        Proof(L - challenge, L - response),
        Proof(0, 0),
    ]


def keypair(group: PrimeGroup, secret: int) -> tuple[int, bytes]:
    return secret, group.multiples(group.base, [secret])[0]


def test_key_proof(group: PrimeGroup) -> None:
    secret, public = keypair(group, STREAM.scalar())
    proof = prove_key(group, CTX, secret, public, STREAM)
    assert check_key(group, CTX, public, proof)
    assert not any(check_key(group, ctx, public, proof) for ctx in ELSEWHERE)
    assert not any(check_key(group, CTX, public, bad) for bad in mutations(proof))
    assert not check_key(group, CTX, keypair(group, secret + 1)[1], proof)


def test_a_rogue_key_cannot_be_proven(group: PrimeGroup) -> None:
    """z·G minus the others' keys would make H = z·G. Its author knows z, but not the logarithm of its key."""
    others = [keypair(group, STREAM.scalar())[1] for _ in range(3)]
    z, z_public = keypair(group, STREAM.scalar())
    rogue = group.sum([(1, z_public), *((-1, key) for key in others)])
    assert joint_key(group, [rogue, *others]) == z_public
    assert not check_key(group, CTX, rogue, prove_key(group, CTX, z, rogue, STREAM))
    assert not check_key(group, CTX, rogue, prove_key(group, CTX, z, z_public, STREAM))


@pytest.mark.parametrize("count", [1, 2, 7])
def test_share_proof(group: PrimeGroup, count: int) -> None:
    secret, public = keypair(group, STREAM.scalar())
    points = group.multiples(group.base, STREAM.scalars(count))
    shares = make_shares(group, secret, points)
    proof = prove_shares(group, CTX, secret, public, points, shares, STREAM)
    assert check_shares(group, CTX, public, points, shares, proof)
    assert not any(check_shares(group, ctx, public, points, shares, proof) for ctx in ELSEWHERE)
    assert not any(check_shares(group, CTX, public, points, shares, bad) for bad in mutations(proof))
    other = keypair(group, secret + 1)[1]
    assert not check_shares(group, CTX, other, points, shares, proof)


def test_each_single_wrong_share_is_found(group: PrimeGroup) -> None:
    """Even if its author proves it with its true secret."""
    secret, public = keypair(group, STREAM.scalar())
    points = group.multiples(group.base, STREAM.scalars(4))
    for wrong in range(4):
        shares = make_shares(group, secret, points)
        shares[wrong] = group.multiples(points[wrong], [secret + 1])[0]
        proof = prove_shares(group, CTX, secret, public, points, shares, STREAM)
        assert not check_shares(group, CTX, public, points, shares, proof)


def test_shares_that_cancel_out_are_found(group: PrimeGroup) -> None:
    """Two wrong shares whose errors sum to nothing: the weights catch them."""
    secret, public = keypair(group, STREAM.scalar())
    points = group.multiples(group.base, STREAM.scalars(3))
    shares = make_shares(group, secret, points)
    shares[1] = group.sum([(1, shares[1]), (1, group.base)])
    shares[2] = group.sum([(1, shares[2]), (-1, group.base)])
    proof = prove_shares(group, CTX, secret, public, points, shares, STREAM)
    assert not check_shares(group, CTX, public, points, shares, proof)


def test_a_share_of_another_card_is_found(group: PrimeGroup) -> None:
    secret, public = keypair(group, STREAM.scalar())
    points = group.multiples(group.base, STREAM.scalars(3))
    shares = make_shares(group, secret, [points[1], points[0], points[2]])
    proof = prove_shares(group, CTX, secret, public, points, shares, STREAM)
    assert not check_shares(group, CTX, public, points, shares, proof)
    honest = make_shares(group, secret, points)
    proof = prove_shares(group, CTX, secret, public, points, honest, STREAM)
    assert not check_shares(group, CTX, public, points[::-1], honest[::-1], proof)


@pytest.mark.parametrize("count", [1, 3])
def test_remask_proof(group: PrimeGroup, count: int) -> None:
    key = keypair(group, STREAM.scalar())[1]
    before = open_cards(group, key, ["a", "b", "c"][:count])
    factors = STREAM.scalars(count)
    after = reencrypt(group, key, before, factors)
    proof = prove_remask(group, CTX, key, before, after, factors, STREAM)
    assert check_remask(group, CTX, key, before, after, proof)
    assert not any(check_remask(group, ctx, key, before, after, proof) for ctx in ELSEWHERE)
    assert not any(check_remask(group, CTX, key, before, after, bad) for bad in mutations(proof))
    assert not check_remask(group, CTX, group.base, before, after, proof)
    assert not check_remask(group, CTX, key, after, before, proof)
    assert not check_remask(group, CTX, key, open_cards(group, key, ["c", "a", "b"][:count]), after, proof)


def test_a_remask_into_another_card_is_found(group: PrimeGroup) -> None:
    """Each half of each pair, moved by a point the author knows, and re-proven."""
    key = keypair(group, STREAM.scalar())[1]
    before = open_cards(group, key, ["a", "b"])
    factors = STREAM.scalars(2)
    after = reencrypt(group, key, before, factors)
    for which in range(2):
        for half in range(2):
            halves = list(after[which])
            halves[half] = group.sum([(1, halves[half]), (1, group.card_point("c")), (-1, group.card_point("a"))])
            forged = [*after[:which], Cipher(*halves), *after[which + 1 :]]
            proof = prove_remask(group, CTX, key, before, forged, factors, STREAM)
            assert not check_remask(group, CTX, key, before, forged, proof)


def test_remasks_that_cancel_out_are_found(group: PrimeGroup) -> None:
    """Two cards changed into each other: the differences sum to nothing, the weights catch them."""
    key = keypair(group, STREAM.scalar())[1]
    before = open_cards(group, key, ["a", "b", "c"])
    factors = STREAM.scalars(3)
    after = reencrypt(group, key, [before[0], before[2], before[1]], factors)
    proof = prove_remask(group, CTX, key, before, after, factors, STREAM)
    assert not check_remask(group, CTX, key, before, after, proof)
