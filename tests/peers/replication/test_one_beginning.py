"""An honest device begins one epoch once, whatever becomes of the log in which it did: two beginnings convict who signed them."""

from __future__ import annotations

import pytest

from tabletin.kernel.log import Entry
from tabletin.peers.replication.evidence import are_two_beginnings
from tests.support.ballots import end_of, first_entry, vote_of
from tests.support.device_moves import peer_of
from tests.support.forging import tell
from tests.support.peer_sim import Disk, Node
from tests.support.resting_table import RestingTable


class Rebegun:
    """``honest`` begins epoch 2 with a vote of ``cheat``. Then a shuffle further back is found to be false: its log falls back,
    the others begin epoch 1 in what is left, and ``cheat`` votes for epoch 2 a second time. It also tells ``honest`` its own
    vote."""

    def __init__(self) -> None:
        table = RestingTable(871)
        self.net, self.honest, self.cheat, self.third = table.net, table.orderer, table.waiting, table.third
        table.net.act = lambda node: None  # type: ignore[method-assign]
        self.subject = {"kind": "pass", "against": self.third.author, "order": self.honest.author}

    def vote(self) -> None:
        peer = peer_of(self.honest)
        peer._ballots._sign(2, self.subject)
        self.net.flush(self.honest)
        tell(self.net, self.cheat, {"t": "ballot", **vote_of(self.cheat, 2, self.subject, end_of(peer.match)).to_json()},
             self.honest)

    def fall_back(self, restarts: bool) -> None:
        """What was false is five entries back."""
        peer = peer_of(self.honest)
        promise = peer.state.promise
        assert promise is not None
        index = len(peer.match.entries) - 6
        subject = {"kind": "pass", "against": self.honest.author, "order": self.third.author}
        peer.state.cut(index)
        peer_of(self.third).state.cut(index)
        votes = [vote_of(node, 1, subject, end_of(peer.match)) for node in (self.cheat, self.third)]
        peer.state.append(first_entry(self.third, subject, 1, votes, index))
        self.net.flush(self.honest)
        if restarts:
            self.honest.start(self.net.genesis)
            peer_of(self.honest).state.unheard_authors.clear()
        peer = peer_of(self.honest)
        peer.tick(self.net.now + 2)
        tell(self.net, self.cheat, {"t": "ballot", **promise.to_json()}, self.honest)
        again = vote_of(self.cheat, 2, self.subject, end_of(peer.match))
        tell(self.net, self.cheat, {"t": "ballot", **again.to_json()}, self.honest)


def beginnings_of(node: Node) -> list[Entry]:
    return [entry for entry in peer_of(node).match.entries
            if entry.statement.author == node.author and entry.statement.kind == "pass"]


@pytest.mark.parametrize("restarts", [False, True])
def test_nobody_begins_an_epoch_again_that_it_began_in_a_log_that_fell_away(restarts: bool) -> None:
    scene = Rebegun()
    scene.vote()
    (first,) = beginnings_of(scene.honest)
    scene.fall_back(restarts)
    for other in beginnings_of(scene.honest):
        assert not are_two_beginnings(first.statement, other.statement)
    assert peer_of(scene.honest).match.snapshot.epoch == 1


def test_who_forgot_what_it_began_learns_it_from_the_log() -> None:
    """Its disk was lost, and others gave it the log again, which falls back after that."""
    scene = Rebegun()
    scene.vote()
    first, log = beginnings_of(scene.honest), peer_of(scene.honest).match.entries[1:]
    scene.honest.disk = Disk()
    scene.honest.start(scene.net.genesis, restarted=True)
    peer = peer_of(scene.honest)
    assert peer.state.begun_epoch == 0
    for entry in log:
        peer.state.append(entry)
    assert peer.state.begun_epoch == 2 and beginnings_of(scene.honest) == first
    peer.state.cut(len(log) - 3)
    kept = peer.take().pending
    assert kept is not None and kept.begun_epoch == 2
