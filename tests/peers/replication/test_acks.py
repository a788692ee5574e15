"""Acknowledgements: nothing is shared because of an entry that not everybody has seen, so a fork opens no card."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tabletin.kernel.log import Entry, Statement, canonical, parse, place
from tabletin.peers.replication.authority import acknowledgement
from tabletin.peers.replication.sync import VERSION
from tests.support.examples import ONE_DEAL, one_a_family
from tests.support.peer_matches import check_finished
from tests.support.peer_sim import Network, Node
from tests.support.sent import shares_said


def cut(net: Network, one: Node, two: Node, seconds: float) -> None:
    net._cut[frozenset((one.author, two.author))] = net.now + seconds


def two_histories() -> tuple[Network, Entry, Entry]:
    """A match of three whose first peer orders and is to move, and two next entries it might place, both asking for draws."""
    for game in (ONE_DEAL, *one_a_family(3)):
        net, found = entries_that_draw(game)
        if len(found) > 1:
            return net, found[0], found[1]
    pytest.skip("in no game of the tin two moves ask for draws at the same moment")


def entries_that_draw(game: str, seed: int = 41) -> tuple[Network, list[Entry]]:
    """A match of ``game`` among three at rest, and entries its first peer might place next, each asking for a draw."""
    net = Network(game, 3, seed)
    act = net.act
    net.act = lambda node: None if node is net.nodes[0] and node.peer and playing(node) else act(node)  # type: ignore[method-assign]

    def playing(node: Node) -> bool:
        assert node.peer is not None
        return len(node.peer.match.entries) > 40

    def at_rest() -> bool:
        first = net.peers[0]
        return net.agreed() and playing(net.nodes[0]) and not net.state().requests and first.match.acting == (0,) and first.orders

    if not net.run(at_rest):
        return net, []
    peer = net.nodes[0].peer
    assert peer is not None and peer.orders
    match, found = peer.match, {}
    for number in range(200):
        move = match.rules.random_move(match.state, 0, match.view((0,)).faces, Random(number))
        openings = match.rules.openings(match.state, 0, move, match.view((0,)).faces)
        body = {"seat": 0, "do": list(move), "open": peer.dealer.open(match.state, peer.current_dealing, openings)}
        statement = Statement(match.id, peer.author, peer.state.count, match.head, "move", parse(canonical(body)))
        statement = replace(statement, signature=peer.identity.sign(canonical(statement.signed_fields())))
        if match.judge(statement).state.requests:
            signature = peer.identity.sign(canonical(place(len(match.entries), match.head, statement.hash)))
            found[statement.hash] = Entry.create(len(match.entries), match.head, statement, signature)
    return net, list(found.values())


def test_two_histories_get_no_share_of_any_card() -> None:
    net, one, two = two_histories()
    cheat, left, right = net.nodes
    cheat.peer = None  # from here on it does as it likes
    cut(net, left, right, 30)
    sent = len(net.sent)
    for node, entry in ((left, one), (right, two)):
        assert node.peer is not None
        node.peer.receive(cheat.author, canonical({"t": "put", "e": [entry.to_json()]}))
        net.flush(node)
        assert node.peer.match.entries[-1].hash == entry.hash, "each believes its own history"
    net.run(lambda: False, seconds=20)
    assert shares_said(net, left, sent) == shares_said(net, right, sent) == 0
    net.run(lambda: False, seconds=30)  # the two hear each other again
    for node in (left, right):
        assert node.peer is not None
        assert [(a.why, a.culprit) for a in node.peer.accusations] == [("fork", cheat.author)]
    assert shares_said(net, left, sent) == shares_said(net, right, sent) == 0


def test_a_false_acknowledgement_moves_nobody() -> None:
    """The peer that orders cannot acknowledge an entry for another."""
    net, one, _ = two_histories()
    cheat, left, right = net.nodes
    assert left.peer is not None
    cheat.peer = right.peer = None
    left.peer.receive(cheat.author, canonical({"t": "put", "e": [one.to_json()]}))
    forged = cheat.identity.sign(acknowledgement(left.peer.match.id, one.index, one.hash))
    head = {"t": "head", "i": one.index, "h": one.hash, "m": left.peer.match.id, "v": VERSION, "sig": forged}
    wrong: list[Any] = [{right.author: [one.index, one.hash, forged]}, {right.author: [one.index, one.hash, ""]},
                        {right.author: []}, 3]
    for told in wrong:
        before = left.peer.refusal_counts["malformed"]
        left.peer.receive(cheat.author, canonical({**head, "seen": told}))
        assert left.peer.refusal_counts["malformed"] == before + 1
    left.peer.tick(net.now + 5)
    assert left.peer.state.missing_acknowledgers(one.index) == (right.author,)


def test_with_one_history_everybody_shares() -> None:
    net, one, _ = two_histories()
    cheat, left, right = net.nodes
    cheat.peer = None
    sent = len(net.sent)
    for node in (left, right):
        assert node.peer is not None
        node.peer.receive(cheat.author, canonical({"t": "put", "e": [one.to_json()]}))
        net.flush(node)
    net.run(lambda: False, seconds=20)
    assert shares_said(net, left, sent) > 0 and shares_said(net, right, sent) > 0


def test_two_that_cannot_hear_each_other_acknowledge_through_the_third() -> None:
    net = Network(ONE_DEAL, 3, 42)
    cut(net, net.nodes[1], net.nodes[2], 10**6)
    assert net.run(net.finished, seconds=10**5)
    check_finished(net)


def test_with_two_peers_nothing_is_waited_for() -> None:
    net = Network(ONE_DEAL, 2, 43)
    assert net.run(net.finished)
    assert not any(peer.state.missing_acknowledgers(len(peer.match.entries)) for peer in net.peers)
