"""What is settled: the entries that every live peer has acknowledged behind some entry, found without looking at each of them."""

from __future__ import annotations

import pytest

from tabletin.peers.replication.replica import Replica
from tests.support.examples import MANY_HANDS
from tests.support.peer_sim import Network


def is_settled(peer: Replica, index: int) -> bool:
    """The definition, entry by entry."""
    for end in range(index, len(peer.match.entries)):
        if not peer.state.has_acknowledged(end):
            return False
        others = [author for author in peer.match.snapshot_at(end).live if author != peer.author]
        if not peer.state.acknowledgements.lacking(others, end):
            return True
    return False


@pytest.mark.parametrize("seed", range(4))
def test_the_quick_way_and_the_definition_agree(seed: int) -> None:
    net = Network(MANY_HANDS, 3, seed, options={"target": 100})
    net.run(lambda: False, 6 + seed)
    if seed % 2:
        net.peers[seed % 3].leave()
        net.run(lambda: False, 6)
    seen = set()
    for peer in net.peers:
        count = len(peer.match.entries)
        for index in range(max(1, count - 24), count):
            settled = is_settled(peer, index)
            assert peer.state.settled_behind(index) == settled
            seen.add(settled)
    assert True in seen
