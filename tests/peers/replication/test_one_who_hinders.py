"""A voter who tells two others different things hinders every ballot that needs its vote. The others find out who it is."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tabletin.kernel.log import canonical
from tabletin.peers.replication.authority import acknowledgement, ballot_vote
from tabletin.peers.replication.ballot_numbers import STEP
from tabletin.peers.replication.epoch_vote import EpochVote
from tabletin.peers.replication.sync import VERSION
from tests.support.ballots import end_of, subject_gone, vote_of
from tests.support.device_moves import peer_of
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable


class Hindering:
    """``cheat`` votes for what nobody wants, and goes on each second as ``way`` says; it is there all the time. ``honest`` are
    the others. The second one of them orders, and the first one has voted in a ballot that came to nothing.

    "wishes to one": it wishes along what needs its own vote, but tells the first one alone, and does not vote; "votes to one": it
    votes along, too, and tells the same one alone; "votes to one, wishes to all"; "wishes something else": to both; "wishes with
    one": it wishes along what the first one wants against the second one, and never votes; "wishes with all": whatever anybody
    wants."""

    def __init__(self, way: str) -> None:
        table = RestingTable(891)
        self.way, self.net, self.cheat, self.honest = way, table.net, table.waiting, (table.third, table.orderer)
        self.net.act = lambda node: None  # type: ignore[method-assign]
        self.match, self.end = table.match, end_of(table.match)
        one, other = self.honest
        self.unwanted = subject_gone(one.author, other.author)
        self.votes = {1: vote_of(self.cheat, 1, self.unwanted, self.end)}
        self.cheat.peer = None
        peer_of(one)._ballots._sign(1, {"kind": "pass", "against": None, "order": other.author})
        if way.startswith("wishes with"):
            peer_of(one)._ballots._is_withheld = lambda: peer_of(one).match.snapshot.epoch == 0  # type: ignore[method-assign]
        self.tick()

    def send(self, to: Node, message: dict[str, Any]) -> None:
        self.net.later(0.05, lambda: self.net._deliver(self.cheat.author, to, canonical(message)))

    def sign(self, message: bytes) -> str:
        return self.cheat.identity.sign(message)

    def wishes_for(self, node: Node) -> list[dict[str, Any]]:
        one, other = self.honest
        wished = [wish for honest in self.honest for wish in peer_of(honest)._ballots.subjects()]
        if self.way == "wishes with all":
            return [wish for wish in wished if wish.get("against") != self.cheat.author]
        if self.way == "wishes with one" and node is one:
            return [wish for wish in wished if wish.get("against") == other.author][:1]
        if "wishes to all" not in self.way and (node is not one or self.way == "wishes something else"):
            return [self.unwanted]
        return [wish for wish in wished if wish["kind"] == "pass" and wish["against"] is None][:1]

    def vote_along(self) -> None:
        one, promise = self.honest[0], peer_of(self.honest[0]).state.promise
        if promise is not None and promise.subject.get("against", "") is None and promise.epoch not in self.votes:
            message = ballot_vote(self.match.id, promise.epoch, promise.subject, list(self.end))
            self.votes[promise.epoch] = EpochVote(self.cheat.author, promise.epoch, promise.subject, self.end, self.sign(message))
        for vote in self.votes.values():
            self.send(one, {"t": "ballot", **vote.to_json()})

    def lead_on(self) -> None:
        one, other = self.honest
        for node in {"leads one": [one], "leads the other": [other], "leads each": [one, other]}[self.way.split(",")[0]]:
            promise, epoch = peer_of(node).state.promise, max(self.votes) + 1
            epoch = epoch if promise is None else max(epoch, promise.epoch + 1)
            if self.way.endswith("far"):
                numbers = peer_of(node)._ballots._numbers
                epoch = max(peer_of(node)._ballots._newest_ballot, numbers._believed_before.get(self.cheat.author, 0)) + STEP
            lift = {"kind": "pass", "against": None, "order": peer_of(node).match.orderer}
            message = ballot_vote(self.match.id, epoch, lift, list(self.end))
            self.votes[epoch] = EpochVote(self.cheat.author, epoch, lift, self.end, self.sign(message))
            self.send(node, {"t": "ballot", **self.votes[epoch].to_json()})

    def tick(self) -> None:
        _, index, head = self.end
        signature = self.sign(acknowledgement(self.match.id, index, head))
        for node in self.honest:
            self.send(node, {"t": "head", "i": index, "h": head, "m": self.match.id, "v": VERSION, "sig": signature})
            self.send(node, {"t": "ballot", **self.votes[1].to_json()})
            self.send(node, {"t": "wish", "what": self.wishes_for(node)})
        if self.way.startswith("votes to one"):
            self.vote_along()
        if self.way.startswith("leads"):
            self.lead_on()
        self.net.later(1.0, self.tick)


class PushesOut:
    """``cheat`` leads each of the others on, whenever that one has voted for a while, and has it forget before by 64 votes for
    nothing that ``cheat`` votes along where it is. It wishes what they wish."""

    def __init__(self, peers: int) -> None:
        table = RestingTable(891, peers=peers)
        self.net, self.cheat, self.match = table.net, table.waiting, table.match
        self.net.act = lambda node: None  # type: ignore[method-assign]
        self.honest = [node for node in self.net.nodes if node is not self.cheat]
        self.end, self.number = end_of(self.match), 0
        self.led: dict[Node, tuple[float, float]] = {}  # when each was led on last, and when it had voted then
        self.cheat.peer = None
        self.tick()
        for number, node in enumerate(self.honest):
            self.net.later(0.9 * number / len(self.honest), partial(self.lead, node, votes_for_nothing=0))

    def send(self, to: Node, message: dict[str, Any]) -> None:
        self.net.later(0.01, lambda: self.net._deliver(self.cheat.author, to, canonical(message)))

    def vote(self, to: Node, subject: dict[str, Any]) -> None:
        self.number = max(self.number, *(peer_of(node)._ballots._newest_ballot for node in self.honest)) + 1
        signature = self.cheat.identity.sign(ballot_vote(self.match.id, self.number, subject, list(self.end)))
        self.send(to, {"t": "ballot", **EpochVote(self.cheat.author, self.number, subject, self.end, signature).to_json()})

    @staticmethod
    def lift(node: Node) -> dict[str, Any]:
        return {"kind": "pass", "against": None, "order": peer_of(node).match.orderer}

    def tick(self) -> None:
        _, index, head = self.end
        signature = self.cheat.identity.sign(acknowledgement(self.match.id, index, head))
        for node in self.honest:
            self.send(node, {"t": "head", "i": index, "h": head, "m": self.match.id, "v": VERSION, "sig": signature})
            self.send(node, {"t": "wish", "what": [self.lift(node)]})
        self.net.later(1.0, self.tick)

    def lead(self, node: Node, votes_for_nothing: int = 64) -> None:
        for _ in range(votes_for_nothing):
            self.vote(node, {"kind": "pass", "j": 1})
        self.vote(node, self.lift(node))
        self.led[node] = self.net.now, peer_of(node)._ballots._voted_at
        self.wait(node)

    def wait(self, node: Node) -> None:
        """For its next vote; who is not bound is led on as long as another one is."""
        ballots, now, (led_at, voted_at) = peer_of(node)._ballots, self.net.now, self.led[node]
        if peer_of(node).state.is_bound:
            is_due = ballots._voted_at != voted_at and now - ballots._voted_at >= 0.75
        else:
            is_due = now - led_at > 0.25 and any(peer_of(other).state.is_bound for other in self.honest)
            if not is_due and not any(self.cheat.author in votes for votes in ballots._votes.values()):
                self.vote(node, self.lift(node))
        self.net.later(0.05, lambda: self.lead(node) if is_due else self.wait(node))


@pytest.mark.parametrize("peers", [3, 4])
def test_nobody_leads_others_on_by_votes_that_push_out_its_older_ones(peers: int) -> None:
    scene = PushesOut(peers)
    seconds = ready = 0
    while seconds < 60:
        scene.net.run(lambda: False, 1)
        seconds, ready = seconds + 1, ready + all(peer_of(node).ready for node in scene.honest)
    assert ready > 30 and not any(peer_of(node).accusations for node in scene.honest)


@pytest.mark.parametrize("way", ["wishes to one", "votes to one", "votes to one, wishes to all", "wishes something else",
                                 "wishes with one", "wishes with all"])
def test_nobody_hinders_every_ballot_by_telling_others_different_things(way: str) -> None:
    scene = Hindering(way)
    peers = [peer_of(node) for node in scene.honest]
    assert scene.net.run(lambda: all(peer.ready and peer.match.snapshot.epoch > 0 for peer in peers), 100)
    assert len({peer.match.head for peer in peers}) == 1 and not any(peer.accusations for peer in peers)
    scene.net.run(lambda: False, 100)
    assert scene.net.run(lambda: all(peer.ready for peer in peers), 60), "nor later on"


@pytest.mark.parametrize("how", ["", ", far"])
@pytest.mark.parametrize("who", ["one", "the other", "each"])
def test_nobody_leads_others_on_from_ballot_to_ballot_so_that_none_ends(who: str, how: str) -> None:
    """Far: each ballot has the highest number that is believed."""
    scene = Hindering(f"leads {who}, wishes to all{how}")
    peers = [peer_of(node) for node in scene.honest]
    for _ in range(4):
        assert scene.net.run(lambda: all(peer.ready and peer.match.snapshot.epoch > 0 for peer in peers)
                             and len({peer.match.head for peer in peers}) == 1, 60)
        assert not any(peer.accusations for peer in peers)
        scene.net.run(lambda: False, 30)
    assert len(scene.match.entries) < 30 + 60, "nor does it have them begin an epoch each second"


@pytest.mark.parametrize("peers", [4, 5])
def test_who_is_one_ballot_ahead_finds_out_who_hinders(peers: int) -> None:
    """``cheat`` wishes along whatever all wish that needs it, and votes for none of it. One of the others has voted alone before,
    and is the first in each ballot: when those who follow it come, it is in the next one."""
    table = RestingTable(891, peers=peers)
    net, cheat = table.net, table.waiting
    net.act = lambda node: None  # type: ignore[method-assign]
    honest = [node for node in net.nodes if node is not cheat]
    end, first = end_of(table.match), peer_of(honest[-1])
    against, lift = honest[0].author, {"kind": "pass", "against": None, "order": table.match.orderer}
    vote = canonical({"t": "ballot", **vote_of(cheat, 1, lift, end).to_json()})
    cheat.peer = None
    first._ballots._sign(2, {"kind": "pass", "against": against, "order": first.state.orderer_without(against)})
    net.flush(honest[-1])

    def tick() -> None:
        _, index, head = end
        signature = cheat.identity.sign(acknowledgement(table.match.id, index, head))
        for node in honest:
            wishes = [wish for wish in peer_of(node)._ballots.subjects() if wish.get("against") != cheat.author]
            for message in ({"t": "head", "i": index, "h": head, "m": table.match.id, "v": VERSION, "sig": signature},
                            {"t": "wish", "what": wishes}):
                net.later(0.02, partial(net._deliver, cheat.author, node, canonical(message)))
        net.later(1.0, tick)

    for node in honest:
        net.later(0.02, partial(net._deliver, cheat.author, node, vote))
    net.later(0.6, tick)
    peers_of = [peer_of(node) for node in honest]
    assert net.run(lambda: all(peer.ready and peer.match.snapshot.epoch > 0 for peer in peers_of), 100)
    assert not any(peer.accusations for peer in peers_of)
