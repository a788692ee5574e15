"""Taking back among peers: what was asked of chance stays asked, and nobody who is gone comes back by it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletin.app.table.undo import available_undo
from tabletin.kernel.log import canonical
from tabletin.kernel.match import Match
from tests.support.ballots import node_of
from tests.support.device_moves import peer_of
from tests.support.examples import MANY_HANDS, ONE_DEAL, WIDEST, one_a_family
from tests.support.forging import put, signed
from tests.support.peer_matches import gone_after, network
from tests.support.peer_sim import Network


def asked_by_a_move(net: Network) -> bool:
    """Whether the newest entry everybody has is a move that asked for a card."""
    match = net.peers[0].match
    if not net.agreed() or match.entries[-1].statement.kind != "move" or not match.state.requests:
        return False
    return not match.snapshot_at(len(match.entries) - 2).state.requests


@pytest.mark.parametrize("game", dict.fromkeys([ONE_DEAL, MANY_HANDS, WIDEST]))
def test_a_draw_that_is_waited_for_is_not_taken_back(game: str) -> None:
    """The peer that orders already has the others' shares when the card is not in the log yet: an undo would be a free look."""
    net = network(game, 3, 31)
    assert net.run(lambda: asked_by_a_move(net))
    match = net.peers[0].match
    seat = match.entries[-1].statement.body["seat"]
    before = len(match.entries) - 2
    refusal = match.undo_refusal(seat, before)
    assert refusal is not None and refusal.key == "kernel.undo.chance"
    author = next(node.identity for node in net.nodes if node.author == match.setup.seats[seat].author)
    statement = match.propose(author.author, "undo", {"seat": seat, "to": before})
    statement = replace(statement, signature=author.sign(canonical(statement.signed_fields())))
    for peer in net.peers:
        said = peer.match.refusal_at(len(match.entries) - 1, statement)
        assert said is not None and said.key == "kernel.undo.chance"


def test_a_match_that_ended_without_somebody_is_not_taken_up_by_an_undo() -> None:
    net = network(ONE_DEAL, 3, 32)
    author = gone_after(net, 2, 30)
    del net.nodes[2]
    for peer in net.peers:
        peer.choices.removals.add(author)
        peer.choices.ending_removals.add(author)
    assert net.run(net.finished)
    match: Match = net.peers[0].match
    ended = next(entry.index for entry in match.entries if entry.statement.kind == "gone")
    for seat in range(2):
        refusal = match.undo_refusal(seat, ended - 1)
        assert refusal is not None and refusal.key == "kernel.over"


@pytest.mark.parametrize("game", one_a_family(2))
def test_a_match_that_is_over_is_not_taken_back(game: str) -> None:
    """Its result is signed by then, and other devices may have closed it. The page offers nothing; who places it is convicted."""
    net = network(game, 2, 33)
    assert net.run(net.finished)
    match: Match = net.peers[0].match
    for seat in range(match.rules.seats):
        assert available_undo(match, seat) is None
        for target in range(len(match.entries) - 4, len(match.entries) - 1):
            refusal = match.undo_refusal(seat, target)
            assert refusal is not None and refusal.key == "kernel.over"
    cheat = node_of(net, match.orderer)
    other = next(node for node in net.nodes if node is not cheat)
    seat = match.snapshot.seats_of(cheat.author)[0]
    entry = put(cheat, signed(cheat, "undo", {"seat": seat, "to": len(match.entries) - 2}))
    peer_of(other).receive(cheat.author, canonical({"t": "put", "e": [entry.to_json()]}))
    assert peer_of(other).match.outcome is not None
    assert [(one.culprit, one.why) for one in peer_of(other).accusations] == [(cheat.author, "place")]
