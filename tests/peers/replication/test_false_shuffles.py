"""Whose shuffle fails in a log that was believed: found by checking all of it again, and proven by its file alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletin.peers.replication.authority import SignedAuthority
from tabletin.peers.replication.evidence import Accusation, guilty_of_shuffle, judge
from tabletin.peers.sealed.pending import Checker
from tabletin.registry import rules_of
from tests.support.examples import MANY_HANDS
from tests.support.false_shuffles import let_cheat
from tests.support.forging import put, signed
from tests.support.peer_matches import network
from tests.support.peer_sim import Network
from tests.support.resting_table import RestingTable
from tests.support.standin_group import StandInGroup


def believed(number: int) -> Network:
    """The first deal of a match, in which peer ``number`` shuffled falsely."""
    net = network(MANY_HANDS, 3, 771)
    let_cheat(net, number)
    assert net.run(lambda: len(net.peers[0].match.entries) > 9)
    return net


def is_proven(net: Network, accusation: Accusation) -> bool:
    return judge(accusation, rules_of, net.verifier, Checker(StandInGroup())) is not None


@pytest.mark.parametrize("number", range(3))
def test_who_made_a_false_shuffle_is_found_and_nobody_else(number: int) -> None:
    """First, in the middle of the chain or last; whatever stands behind it in the log."""
    net = believed(number)
    match = net.peers[0].match
    authority = SignedAuthority(net.setup, net.verifier)
    assert guilty_of_shuffle(match, authority, StandInGroup()) == net.nodes[number].author
    for node in net.nodes:
        accusation = Accusation.of_log(match, node.author, "shuffle")
        assert is_proven(net, accusation) == (node is net.nodes[number])
        begun = replace(accusation, prefix=accusation.prefix[:5])  # one shuffle of three
        assert is_proven(net, begun) == (number == 0 and node is net.nodes[0])


def test_a_log_without_a_false_shuffle_finds_nobody_guilty() -> None:
    table = RestingTable(772)
    authority = SignedAuthority(table.net.setup, table.net.verifier)
    assert guilty_of_shuffle(table.match, authority, StandInGroup()) is None


def test_another_wrong_entry_is_no_false_shuffle() -> None:
    table = RestingTable(773)
    wrong = put(table.orderer, signed(table.third, "order", {"to": table.third.author}))
    for node in table.net.nodes:
        assert not is_proven(table.net, Accusation(node.author, "shuffle", (*table.match.entries, wrong), ()))
