"""libsodium.js and our own sums behind `JsGroup`, as a worker has them; `check.py --only pyodide` runs this in Pyodide.

What they come to must be what `vectors.json` holds, byte for byte, since replicas of one match have different backends.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from tabletin.peers.sealed.deck import context, open_cards
from tabletin.peers.sealed.group import IDENTITY, L, Stream, Term, hash_to_scalar
from tabletin.peers.sealed.messages import ShuffleTurn, decode, encode
from tabletin.peers.sealed.shuffle import ShuffleClaim, check, shuffle

if TYPE_CHECKING:
    from tabletin.peers.sealed.group_js import JsGroup

SHIM = pytest.importorskip("tabletin_sodium", reason="only where web/crypto/sodium.js was opened: in Pyodide")
VECTORS = json.loads((Path(__file__).parents[1] / "sealed" / "vectors.json").read_text())
RFC = VECTORS["rfc9496"]
OURS = VECTORS["ours"]


@pytest.fixture(scope="module")
def group() -> JsGroup:
    from tabletin.peers.sealed.group_js import JsGroup

    return JsGroup(SHIM)


def test_multiples_of_the_base_are_the_rfcs(group: JsGroup) -> None:
    """RFC 9496, A.1, in all three sorts of sums."""
    rows: list[list[Term]] = [[(scalar, group.base)] for scalar in range(16)]
    for combine in (group.combine, group.combine_ephemeral, group.combine_public):
        assert [point.hex() for point in combine(rows)] == RFC["multiples"]


def test_a_shuffle_message_byte_for_byte(group: JsGroup) -> None:
    key = group.multiples(group.base, [hash_to_scalar("vector", b"x")])[0]
    assert key.hex() == OURS["shuffle"]["key"]
    assert [point.hex() for point in group.generators(4)] == OURS["generators"]
    before = open_cards(group, key, OURS["shuffle"]["faces"])
    ctx = context(b"vector", 1, 2, 3, "shuffle")
    after, proof = shuffle(group, ctx, key, before, Stream(b"vector", ctx))
    assert encode(ShuffleTurn(2, tuple(after), proof)).hex() == OURS["shuffle"]["message"]
    said = decode(group, bytes.fromhex(OURS["shuffle"]["message"]))
    assert isinstance(said, ShuffleTurn)
    assert check(group, [ShuffleClaim(ctx, key, tuple(before), said.output, said.proof)]) == [True]


def test_the_three_sorts_of_sums_agree(group: JsGroup) -> None:
    """Random and awkward scalars, also outside 0 … L − 1, and points that meet their opposites and the identity."""
    rng = Random(9496)
    some = [group.card_point(str(k)) for k in range(4)]
    points = [group.base, IDENTITY, *some, *group.combine([[(-1, point)] for point in some])]
    scalars = [0, 1, -1, 2, 7, 8, 15, 16, L - 2, L + 1, -L, 2**252, 2**252 - 1]
    for size in (0, 1, 2, 3, 9, 40):
        rows = [
            [(rng.choice([*scalars, rng.randrange(L), rng.randrange(L)]), rng.choice(points)) for _ in range(size)]
            for _ in range(12)
        ]
        want = group.combine(rows)
        assert group.combine_ephemeral(rows) == want
        assert group.combine_public(rows) == want


def test_a_card_is_re_encrypted_alike_whatever_else_is_in_the_call(group: JsGroup) -> None:
    """Few multiples of a point go another way than many: both must come to the same."""
    key, card = group.card_point("key"), group.card_point("card")
    scalars = [hash_to_scalar("test", bytes([k])) for k in range(40)]
    rows: list[list[Term]] = [[(1, card), (scalar, key), (scalar + 1, group.base)] for scalar in scalars]
    assert group.combine_ephemeral(rows) == [group.combine_ephemeral([row])[0] for row in rows] == group.combine(rows)
