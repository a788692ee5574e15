"""Nobody who is there holds a match up by not saying what it alone may say, or by votes behind which no epoch can begin."""

from __future__ import annotations

from typing import Any

import pytest

from tabletin.kernel.log import parse
from tabletin.peers.replication.authority import acknowledgement, ballot_vote
from tabletin.peers.replication.epoch_vote import EpochVote
from tabletin.peers.replication.replica import Replica
from tabletin.peers.replication.sync import VERSION
from tests.support.ballots import end_of, node_of
from tests.support.device_moves import calm, peer_of
from tests.support.examples import MANY_HANDS, ONE_DEAL, unending
from tests.support.forging import tell
from tests.support.peer_matches import network
from tests.support.peer_sim import Network, Node

MINUTES = 120.0  # seconds in which every delay is over


class Withheld:
    """A match among three whose peer that orders says nothing more of one kind. It does everything else as it should."""

    def __init__(self, kind: str, game: str, monkeypatch: pytest.MonkeyPatch, **more: Any) -> None:
        self.net = Network(game, 3, 512, **more)
        self.cheat = ""
        said = Replica._owed

        def owed(replica: Replica) -> Any:
            found = said(replica)
            if found is None or found[0] != kind or not replica.orders or (kind == "deal" and found[1]):
                return found
            self.cheat = self.cheat or replica.author
            return None if replica.author == self.cheat else found

        monkeypatch.setattr(Replica, "_owed", owed)
        assert self.net.run(lambda: bool(self.cheat))

    @property
    def honest(self) -> list[Replica]:
        return [peer for peer in self.net.peers if peer.author != self.cheat]


@pytest.mark.parametrize("kind", ["order", "deal"])
def test_who_does_not_say_what_only_the_peer_that_orders_may_say_is_passed_over(
    kind: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = Withheld(kind, MANY_HANDS, monkeypatch, options=unending(MANY_HANDS))
    before = max(len(peer.match.entries) for peer in scene.honest)
    assert scene.net.run(lambda: all(len(peer.match.entries) > before + 5 for peer in scene.honest), MINUTES)
    for peer in scene.honest:
        assert peer.match.snapshot.epoch and not peer.accusations
        assert not peer.match.former_authors, "nobody is put out for it"


def test_a_seat_of_the_peer_that_orders_is_timed_out_though_that_peer_places_nothing() -> None:
    net = network(ONE_DEAL, 3, 512)
    act, cheat = net.act, ""

    def act_or_wait(node: Node) -> None:
        nonlocal cheat
        match = peer_of(node).match
        acting = match.rules.to_act(match.state)
        its_turn = bool(acting) and all(match.setup.seats[seat].author == node.author for seat in acting)
        if not cheat and its_turn and peer_of(node).orders and len(match.entries) > 20:
            cheat = node.author
        if node.author != cheat:
            act(node)

    net.act = act_or_wait  # type: ignore[method-assign]
    assert net.run(lambda: bool(cheat) and net.agreed())
    match = net.peers[0].match
    seats, before = set(match.rules.to_act(match.state)), len(match.entries)
    net.meddle = lambda sender, to, data: None if to == cheat and parse(data)["t"] in ("say", "plea") else data
    honest = [peer for peer in net.peers if peer.author != cheat]
    for peer in honest:
        peer.choices.timeouts |= seats
    assert net.run(lambda: all(entry_of(peer, "timeout") > before for peer in honest), MINUTES)
    assert not any(peer.accusations or peer.match.former_authors for peer in honest)


def entry_of(peer: Replica, kind: str) -> int:
    """The index of the last entry of ``kind``; 0 where there is none."""
    return max((entry.index for entry in peer.match.entries if entry.statement.kind == kind), default=0)


# ---- votes behind which no epoch can begin ----

@pytest.mark.parametrize(("ahead", "back"), [(900, 0), (0, 3)], ids=["an entry that nobody has", "another entry than all have"])
def test_who_votes_for_an_end_that_nobody_gives_out_is_passed_over(ahead: int, back: int) -> None:
    net = network(MANY_HANDS, 3, 512)
    assert calm(net, net.nodes[0])
    net.act = lambda node: None  # type: ignore[method-assign]
    net.run(lambda: False, 3)
    match = net.peers[0].match
    orderer = node_of(net, match.orderer)
    cheat = next(node for node in net.nodes if node is not orderer)
    honest = [node for node in net.nodes if node is not cheat]
    end = end_of(match)
    false_end = end[0], end[1] + ahead - back, "f" * 64
    signature = cheat.identity.sign(acknowledgement(match.id, end[1], end[2]))
    ballots: dict[int, dict[str, Any]] = {1: {"kind": "pass", "against": None, "order": orderer.author}}

    def watch(sender: str, to: str, data: bytes) -> bytes:
        message = parse(data)
        if message["t"] == "ballot" and message["what"].get("against") != cheat.author:
            ballots.setdefault(message["e"], message["what"])
        return data

    def promise() -> None:
        """It wishes and votes along, and shows that it is there."""
        tell(net, cheat, {"t": "head", "i": end[1], "h": end[2], "m": match.id, "v": VERSION, "sig": signature}, *honest)
        tell(net, cheat, {"t": "wish", "what": [ballots[max(ballots)]]}, *honest)
        for epoch, subject in list(ballots.items()):
            signed_vote = cheat.identity.sign(ballot_vote(match.id, epoch, subject, list(false_end)))
            vote = EpochVote(cheat.author, epoch, subject, false_end, signed_vote)
            tell(net, cheat, {"t": "ballot", **vote.to_json()}, *honest)
        net.later(1, promise)

    cheat.peer = None
    net.meddle = watch
    promise()
    states = [peer_of(node).state for node in honest]
    assert net.run(lambda: all(state.match.snapshot.epoch and not state.is_bound for state in states), MINUTES)
    assert not any(peer_of(node).match.former_authors for node in honest), "nobody is put out for it"
