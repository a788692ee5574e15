"""The group: RFC 9496's vectors, our own, strict decoding, hashing, and that the backends agree."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.peers.sealed.deck import Cipher, context, open_cards
from tabletin.peers.sealed.group import (
    IDENTITY,
    L,
    PrimeGroup,
    Stream,
    Term,
    decode_scalar,
    digest,
    encode_scalar,
    hash_to_scalar,
)
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.sealed.messages import ShuffleTurn, decode, encode
from tabletin.peers.sealed.requests import Roll, RollResult, Show, Shuffle, TakeBack
from tabletin.peers.sealed.shuffle import ShuffleClaim, check, shuffle
from tabletin.peers.sealed.wire import MalformedMessage
from tests.support.sealed_tables import Table
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


def test_what_is_said_in_a_hand_stays_the_same(sodium: PrimeGroup) -> None:
    """Every message, byte for byte: devices of one match have different versions, and logs are kept for years."""
    table = Table(sodium, (0, 1, 2)).ask(Shuffle(tuple("ABCDEF"), tuple(range(6))), Show((0, 1), 0), Show((2,), None))
    table.settle().ask(TakeBack((0, 1)), Show((0, 1), 2), Roll(6, b"head"), Roll(1000, b"head"))
    table.settle().say(2, table.parties[2].play(table.deal, (0,)))
    table.say(1, table.parties[1].leave(table.deal))
    said = sha256(b"".join(bytes([author]) + message for author, message in table.said)).hexdigest()
    rolled = [effect.value for effect in table.effects if isinstance(effect, RollResult)]
    assert {"said": said, "rolled": rolled, "faces": [card.face for card in table.deal.cards.values()]} == OURS["hand"]


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


class Told(Stream):
    """Scalars that a test chose."""

    def __init__(self, *scalars: int) -> None:
        super().__init__(b"")
        self._told = iter(scalars)

    def scalar(self) -> int:
        return next(self._told)


@pytest.mark.parametrize("bound", [3, 10, 2**200])
def test_a_number_below_a_bound_comes_from_a_whole_number_of_rounds(bound: int) -> None:
    """What lies behind the last whole round would make small numbers likelier."""
    limit = L // bound * bound
    assert Told(limit, L - 1, limit - 1).number_below(bound) == bound - 1
    assert Told(limit - bound).number_below(bound) == 0


def test_a_permutation_of_little(standin: PrimeGroup) -> None:
    assert Stream(b"x").permutation(0) == [] and Stream(b"x").permutation(1) == [0]
    assert Told(1).permutation(2) == [0, 1] and Told(0).permutation(2) == [1, 0]
    assert Told(0, 0).permutation(3) == [1, 2, 0]


def test_no_two_scalars_of_a_stream_are_one() -> None:
    stream = Stream(b"seed", b"purpose")
    one, *more = stream.scalar(), *stream.scalars(2)
    assert len({one, *more}) == 3 and [one, *more] == Stream(b"seed", b"purpose").scalars(3)


class Counting(StandInGroup):
    """Writes down how many points it was asked to make of hashes, each time."""

    def __init__(self) -> None:
        super().__init__()
        self.hashed: list[int] = []

    def from_digests(self, digests: Sequence[bytes]) -> list[bytes]:
        self.hashed.append(len(digests))
        return super().from_digests(digests)


def test_generators_and_card_points_are_made_once() -> None:
    group = Counting()
    lengths = [len(group.generators(count)) for count in (3, 3, 2, 4, 0)]
    assert lengths == [4, 4, 3, 5, 1] and group.hashed == [4, 1]
    assert group.card_point("A") == group.card_point("A") != group.card_point("B")
    assert group.hashed == [4, 1, 1, 1]


def test_the_real_group_says_that_it_is_and_the_stand_in_does_not() -> None:
    assert SodiumGroup().secure and not StandInGroup().secure


def test_many_terms_of_one_point_are_one_sum(group: PrimeGroup) -> None:
    """However large their scalars are together; the neutral element adds nothing, before, between and behind others."""
    (point,) = group.multiples(group.base, [7])
    for one in (group.base, point):
        assert group.sum([(L - 1, one)] * 40) == group.multiples(one, [L - 40])[0]
        assert group.sum([(5, IDENTITY), (2, one), (3, IDENTITY), (3, one), (1, IDENTITY)]) == group.multiples(one, [5])[0]
        assert group.sum([(0, one)]) == group.sum([(2, one), (-2, one)]) == group.sum([]) == IDENTITY
    assert group.sum([(2, point), (L - 2, point), (1, point)]) == point


def test_equal_faces_are_sealed_once(monkeypatch: pytest.MonkeyPatch, standin: PrimeGroup) -> None:
    rows: list[int] = []
    combine = standin.combine

    def count_rows(asked: Sequence[Sequence[Term]]) -> list[bytes]:
        rows.append(len(asked))
        return combine(asked)

    monkeypatch.setattr(standin, "combine", count_rows)
    key = standin.card_point("key")
    cards = open_cards(standin, key, "ABAAB")
    one, other = (Cipher(standin.base, combine([[(1, standin.card_point(face)), (1, key)]])[0]) for face in "AB")
    assert (cards, rows) == ([one, other, one, one, other], [2]) and open_cards(standin, key, []) == []
