"""A few kilobytes on a link can spell a million values: what a sender may cost is bounded by values, too, in time and memory."""

from __future__ import annotations

import pytest

from tabletin.kernel import log
from tabletin.kernel.log import canonical, value_count
from tabletin.peers.replication import replica
from tabletin.peers.replication.replica import Replica
from tabletin.peers.replication.sync import MOST_EARLY_BYTES, VALUE_BYTES
from tests.support.device_moves import peer_of
from tests.support.resting_table import RestingTable

STRANGER = "b" * 64
SHORTEST = ("[]", "0", "{}", '""')


@pytest.fixture
def peer() -> Replica:
    found = peer_of(RestingTable(871).waiting)
    found.tick(found.state.time + 100)
    found.take()
    return found


def early_entry(peer: Replica, value: str, count: int, ahead: int = 1) -> bytes:
    """A message with an entry that comes too early, unsigned, with ``count`` values in it."""
    said, index = ",".join([value] * count), len(peer.match.entries) + ahead
    return (f'{{"e":[{{"i":{index},"prev":"{"0" * 64}","say":{{"body":{{"x":[{said}]}},"by":"{"aa" * 32}","head":'
            f'"{"0" * 64}","kind":"move","match":"{peer.match.id}","n":9}},"sig":""}}],"t":"put"}}').encode()


@pytest.mark.parametrize("value", SHORTEST)
def test_many_short_values_are_not_even_parsed(peer: Replica, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []

    def parse(data: bytes) -> log.Json:
        parsed.append(value_count(data))
        return log.parse(data)

    monkeypatch.setattr(replica, "parse", parse)
    for _ in range(40):
        peer.receive(STRANGER, early_entry(peer, value, 20_000))
    assert 0 < sum(parsed) < 150_000
    assert peer.refusal_counts["peers.flood"] > 30


def test_one_false_place_ends_the_reading_of_a_message(peer: Replica) -> None:
    entries, match = [], peer.match
    for index in range(2, 20):
        said = {"match": match.id, "by": "a", "n": index, "head": match.id, "kind": "pass", "body": {}}
        entries.append({"i": index, "prev": match.entries[index - 1].hash, "say": said, "sig": "00" * 64})
    peer.receive(STRANGER, canonical({"t": "put", "e": entries}))
    assert peer.refusal_counts["peers.place_unsigned"] == 1, "to judge each would take a fold of the log"


def test_what_is_held_of_one_sender_is_bounded_by_values(peer: Replica) -> None:
    for second in range(40):
        peer.tick(peer.state.time + 1)
        peer.receive(STRANGER, early_entry(peer, "[]", 9_000, 1 + second))
    held = [one for senders in peer._sync._early.values() for one in senders.values()]
    values = sum(value_count(one.statement.canonical_bytes) for one in held)
    assert 0 < values * VALUE_BYTES <= MOST_EARLY_BYTES
    assert peer.refusal_counts["peers.too_far_ahead"] > 30
