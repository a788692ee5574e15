"""What is settled: the entries that every live peer has acknowledged behind some entry, found without looking at each of them."""

from __future__ import annotations

import pytest

from tabletin.peers.replication.replica import Replica
from tests.support.ballots import end_of, first_entry, vote_of
from tests.support.examples import MANY_HANDS
from tests.support.forging import tell
from tests.support.peer_sim import Network
from tests.support.resting_table import RestingTable


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


def test_whoever_was_restarted_lets_nothing_fall_away_that_all_showed_to_hold() -> None:
    """Nobody's head was heard since; but what all others said stands in the log, and names what they had seen."""
    table = RestingTable(861)
    victim, both = table.waiting, (table.orderer, table.third)
    end = end_of(table.match, 20)
    assert table.match.snapshot_at(end[1]).orderer == table.orderer.author
    subject = {"kind": "pass", "against": victim.author, "order": table.orderer.author}
    votes = [vote_of(node, 1, subject, end) for node in both]
    first = first_entry(table.orderer, subject, 1, votes, end[1] + 1)
    log = [entry.hash for entry in table.match.entries]
    peer = victim.start(table.net.genesis, restarted=True)
    tell(table.net, table.orderer, {"t": "put", "e": [first.to_json()]}, victim)
    assert [entry.hash for entry in peer.match.entries] == log and peer.refusal_counts["peers.settled"] == 1
    assert {(one.culprit, one.why) for one in peer.accusations} == {(node.author, "vote") for node in both}
