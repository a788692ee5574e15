"""A deal's secret on its way to another device: whoever made the offer reads it, in one form alone."""

from __future__ import annotations

import pytest

from tabletin.peers.sealed import handover
from tabletin.peers.sealed.group import L, PrimeGroup, Stream, encode_scalar
from tabletin.peers.sealed.handover import WrappedKey, offer, offer_secret, unwrap, wrap
from tabletin.peers.sealed.wire import MalformedMessage


class Zeros(Stream):
    """What a stream gives once in 2^252 times."""

    def scalar(self) -> int:
        return 0


@pytest.mark.parametrize("key", [1, L - 1, 12345])
def test_only_the_device_that_made_the_offer_reads_the_secret(group: PrimeGroup, key: int) -> None:
    secret = offer_secret(b"seed", (b"match", b"author"))
    offered = offer(group, secret)
    assert offered == group.multiples(group.base, [secret])[0]
    wrapped = wrap(group, b"ctx", key, offered, Stream(b"old device"))
    assert 0 <= wrapped.masked_key < L and wrapped.masked_key != key
    assert unwrap(group, b"ctx", secret, wrapped) == key
    assert unwrap(group, b"ctx", secret + 1, wrapped) != key
    assert unwrap(group, b"other", secret, wrapped) != key
    again = wrap(group, b"ctx", key, offered, Stream(b"other device"))
    assert again.point != wrapped.point and again.masked_key != wrapped.masked_key


def test_an_offer_is_of_one_seed_for_one_purpose() -> None:
    purposes = [(b"s", b"a", b"b"), (b"s", b"a", b"c"), (b"s", b"b", b"a"), (b"t", b"a", b"b")]
    secrets = [offer_secret(seed, purpose) for seed, *purpose in purposes]
    assert len(set(secrets)) == 4 and secrets == [offer_secret(seed, purpose) for seed, *purpose in purposes]


def test_no_secret_is_nothing(standin: PrimeGroup, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nought times a point would tell everybody what is behind the mask."""
    wrapped = wrap(standin, b"ctx", 7, offer(standin, 5), Zeros(b"x"))
    assert wrapped.point == standin.base and unwrap(standin, b"ctx", 5, wrapped) == 7
    monkeypatch.setattr(handover, "hash_to_scalar", lambda *fields: 0)
    assert offer_secret(b"seed", ()) == 1


def test_a_wrapped_key_has_one_form(group: PrimeGroup) -> None:
    wrapped = wrap(group, b"ctx", 7, offer(group, 5), Stream(b"x"))
    data = wrapped.to_bytes()
    assert len(data) == 64 and WrappedKey.from_bytes(group, data) == wrapped
    for wrong in (data[:-1], data + b"\0", bytes(32) + data[32:], data[:32] + encode_scalar(L), b"\xff" * 32 + data[32:], b""):
        with pytest.raises(MalformedMessage):
            WrappedKey.from_bytes(group, wrong)
