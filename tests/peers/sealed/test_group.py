"""The group: RFC 9496's vectors, our own, strict decoding, hashing, and that the backends agree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.peers.sealed.deck import context, open_cards
from tabletin.peers.sealed.group import (
    IDENTITY,
    L,
    PrimeGroup,
    Stream,
    decode_scalar,
    digest,
    encode_scalar,
    hash_to_scalar,
)
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.sealed.messages import ShuffleTurn, decode, encode
from tabletin.peers.sealed.shuffle import ShuffleClaim, check, shuffle
from tabletin.peers.sealed.wire import MalformedMessage
from tests.support.standin_group import StandInGroup

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text())
RFC = VECTORS["rfc9496"]
OURS = VECTORS["ours"]


def test_multiples_of_the_base_are_the_rfcs(sodium: PrimeGroup) -> None:
    """RFC 9496, A.1; the identity comes out as zeros."""
    points = sodium.multiples(sodium.base, range(16))
    assert [point.hex() for point in points] == RFC["multiples"]
    assert sodium.base.hex() == RFC["multiples"][1]


def test_bad_encodings_of_the_rfc_are_refused(sodium: PrimeGroup) -> None:
    """RFC 9496, A.2, each beside a good point."""
    for encoding in RFC["invalid"]:
        with pytest.raises(MalformedMessage):
            sodium.decode_points([sodium.base, bytes.fromhex(encoding)])


def test_hashing_to_the_group_is_the_rfcs(sodium: PrimeGroup) -> None:
    """RFC 9496, A.3."""
    for vector in RFC["hashes"]:
        assert sodium.from_digests([bytes.fromhex(vector["digest"])])[0].hex() == vector["point"]


def test_a_set_top_bit_is_refused_though_libsodium_takes_it(sodium: PrimeGroup) -> None:
    lenient = bytearray(sodium.base)
    lenient[31] |= 0x80
    with pytest.raises(MalformedMessage):
        sodium.decode_points([bytes(lenient)])


def test_identity_and_wrong_lengths_are_refused(group: PrimeGroup) -> None:
    for bad in (IDENTITY, b"", group.base[:31], group.base + b"\0", b"\xff" * 32):
        with pytest.raises(MalformedMessage):
            group.decode_points([bad])
    group.decode_points([group.base, group.card_point("AS")])


def test_scalars_are_strict() -> None:
    assert decode_scalar(encode_scalar(L - 1)) == L - 1
    assert decode_scalar(bytes(32)) == 0
    for bad in (L, L + 5, 2**256 - 1):
        with pytest.raises(MalformedMessage):
            decode_scalar(encode_scalar(bad))
    with pytest.raises(MalformedMessage):
        decode_scalar(bytes(31))


def test_our_vectors(sodium: PrimeGroup) -> None:
    """What every real backend must come to: hashes, generators, and a shuffle message byte for byte."""
    secret = hash_to_scalar("vector", b"x")
    assert encode_scalar(secret).hex() == OURS["scalar"]
    assert {face: sodium.card_point(face).hex() for face in OURS["card"]} == OURS["card"]
    assert [point.hex() for point in sodium.generators(4)] == OURS["generators"]
    key = sodium.multiples(sodium.base, [secret])[0]
    assert key.hex() == OURS["shuffle"]["key"]
    before = open_cards(sodium, key, OURS["shuffle"]["faces"])
    ctx = context(b"vector", 1, 2, 3, "shuffle")
    after, proof = shuffle(sodium, ctx, key, before, Stream(b"vector", ctx))
    assert encode(ShuffleTurn(2, tuple(after), proof)).hex() == OURS["shuffle"]["message"]
    said = decode(sodium, bytes.fromhex(OURS["shuffle"]["message"]))
    assert isinstance(said, ShuffleTurn)
    assert check(sodium, [ShuffleClaim(ctx, key, tuple(before), said.output, said.proof)]) == [True]


@given(st.lists(st.tuples(st.integers(-L, 2 * L), st.integers(0, 4)), max_size=6))
def test_combining_is_linear_in_both_groups(terms: list[tuple[int, int]]) -> None:
    """Against the sum of the logarithms; multiples 0…4 of the base, so that ±1, 0 and the base itself occur."""
    for group in (SodiumGroup(), StandInGroup()):
        points = group.multiples(group.base, range(5))
        total = group.sum([(scalar, points[which]) for scalar, which in terms])
        assert total == group.multiples(group.base, [sum(s * w for s, w in terms) % L])[0]


def test_hash_fields_cannot_run_into_each_other() -> None:
    assert digest("t", b"ab", b"c") != digest("t", b"a", b"bc") != digest("ta", b"", b"bc")
    assert digest("t", b"") != digest("t")


def test_generators_and_cards_differ(group: PrimeGroup) -> None:
    points = [*group.generators(300), group.base, *(group.card_point(face) for face in ("1", "2", "12"))]
    assert len(set(points)) == len(points)
    assert group.generators(5) == group.generators(300)[:6]


def test_a_stream_is_a_function_of_seed_and_purpose() -> None:
    assert Stream(b"s", b"a").scalars(3) == Stream(b"s", b"a").scalars(3)
    assert Stream(b"s", b"a").scalar() != Stream(b"s", b"b").scalar() != Stream(b"t", b"b").scalar()


def test_permutations_are_uniform() -> None:
    """Chi-square over the 24 orders of 4 things; 99.9 % of fair generators stay under 49.7 (23 degrees)."""
    stream = Stream(b"uniform")
    counts: dict[tuple[int, ...], int] = {}
    rounds = 4800
    for _ in range(rounds):
        order = tuple(stream.permutation(4))
        counts[order] = counts.get(order, 0) + 1
    expected = rounds / 24
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 49.7
    assert len(counts) == 24
