"""Nobody is stopped alone: what is held against somebody rests on entries that stand, so that everybody can be shown it.

A device that stops signs nothing more. If the others go on, they can have it gone though it is there.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletin.kernel.log import Entry, Json, Statement, canonical, place
from tests.support.ballots import end_of, first_entry, node_of, vote_of
from tests.support.device_moves import calm, peer_of
from tests.support.examples import MANY_HANDS, unending
from tests.support.forging import put, signed, tell
from tests.support.peer_sim import Network, Node

SEEDS = pytest.mark.parametrize("seed", [7, 8])


class Scene:
    """A match of four at rest. ``cheat`` orders; ``victim`` is shown what the others are not."""

    def __init__(self, seed: int) -> None:
        self.net = net = Network(MANY_HANDS, 4, seed, options=unending(MANY_HANDS))
        assert calm(net, net.nodes[0])
        self._act, net.act = net.act, lambda node: None  # type: ignore[method-assign]
        net.run(lambda: False, 4)
        self.cheat = node_of(net, net.peers[0].match.orderer)
        self.honest = [node for node in net.nodes if node is not self.cheat]
        self.victim, self.next = self.honest[:2]
        self.start = end_of(peer_of(self.cheat).match)
        self.at = self.start[1] + 1

    def own_branch(self) -> list[Entry]:
        """How the cheat goes on by itself: an entry that is right, and one that is not."""
        own = peer_of(self.cheat).match.branch(self.at)
        seat = own.snapshot.seats_of(self.cheat.author)[0]
        found: list[Entry] = []
        said: list[tuple[str, dict[str, Json]]] = [("seat", {"seat": seat, "to": own.setup.seats[seat].to_json()}),
                                                   ("consent", {"seat": seat, "to": 10**6})]
        for kind, body in said:
            statement = Statement(own.id, self.cheat.author, own.count(self.cheat.author), own.head, kind, body)
            statement = replace(statement, signature=self.cheat.identity.sign(statement.canonical_bytes))
            at, head = len(own.entries), own.head
            found.append(Entry.create(at, head, statement, self.cheat.identity.sign(canonical(place(at, head, statement.hash)))))
            if kind == "seat":
                own.append(found[-1])
        return found

    def epoch(self, against: Node | None, order: Node, voters: list[Node]) -> Entry:
        """What begins epoch 1, by votes that all name what everybody holds."""
        subject = {"kind": "pass", "against": None if against is None else against.author, "order": order.author}
        return first_entry(order, subject, 1, [vote_of(node, 1, subject, self.start) for node in voters], self.at)

    def show(self, entries: list[Entry], *nodes: Node, sender: Node | None = None) -> None:
        tell(self.net, sender or self.cheat, {"t": "put", "e": [entry.to_json() for entry in entries]}, *nodes)

    def check(self, *nodes: Node) -> None:
        """None of ``nodes`` holds anything against anybody, and the match goes on."""
        self.net.run(lambda: False, 5)
        assert [peer_of(node).accusations for node in self.honest] == [[]] * 3
        self.net.act = self._act  # type: ignore[method-assign]
        length = len(peer_of(self.next).match.entries)
        assert self.net.run(lambda: all(len(peer_of(node).match.entries) > length + 20 for node in nodes), 120)
        assert {peer_of(node).match.snapshot.epoch for node in nodes} == {1}


@SEEDS
def test_what_is_wrong_in_a_branch_that_nobody_takes_stops_nobody(seed: int) -> None:
    """Who was passed over goes on by itself, wrongly, and claims that a newer epoch comes of that."""
    scene = Scene(seed)
    right, wrong = scene.own_branch()
    scene.show([scene.epoch(scene.cheat, scene.next, scene.honest)], *scene.net.nodes, sender=scene.next)
    body: dict[str, Json] = {"against": None, "order": scene.cheat.author, "epoch": 99, "votes": {}}
    claim = Entry.create(scene.at + 2, wrong.hash, replace(wrong.statement, kind="pass", body=body), "0" * 128)
    scene.show([right, wrong, claim], scene.victim)
    scene.check(*scene.net.nodes)


@SEEDS
def test_what_rests_on_entries_that_fell_away_stops_nobody_any_more(seed: int) -> None:
    """A wrong place behind an entry that one device got after it had voted."""
    scene = Scene(seed)
    net, first = scene.net, scene.epoch(scene.cheat, scene.next, scene.honest)
    heard, net.meddle = net.meddle, lambda sender, to, data: None
    scene.show(scene.own_branch(), scene.victim)
    assert [one.why for one in peer_of(scene.victim).accusations] == ["place"]
    scene.show([first], *net.nodes, sender=scene.next)
    net.meddle = heard
    scene.check(*net.nodes)


@SEEDS
def test_whoever_shows_one_device_alone_what_its_vote_hides_stops_nobody(seed: int) -> None:
    """It places an entry behind the end for which all voted, itself too, and one device gets it that has voted already."""
    scene = Scene(seed)
    net, cheat, victim = scene.net, scene.cheat, scene.victim
    first = scene.epoch(None, cheat, net.nodes)
    seat = peer_of(cheat).match.snapshot.seats_of(cheat.author)[0]
    hidden = put(cheat, signed(cheat, "seat", {"seat": seat, "to": peer_of(cheat).match.setup.seats[seat].to_json()}))
    subject = {"kind": "pass", "against": None, "order": cheat.author}
    peer_of(victim).state.set_promise(vote_of(victim, 1, subject, scene.start))
    scene.show([hidden], victim)
    assert len(peer_of(victim).match.entries) == scene.at + 1 and peer_of(victim).state.is_bound
    scene.show([first], *net.nodes)
    peer_of(cheat).state.count += 100
    scene.check(*net.nodes)


@SEEDS
def test_who_broke_its_vote_for_one_device_alone_stops_it_no_longer_than_what_shows_that_stands(seed: int) -> None:
    """It tells that device itself what convicts it, while the others have begun the newer epoch already: what would show it to
    them falls away there."""
    scene = Scene(seed)
    net, cheat, victim = scene.net, scene.cheat, scene.victim
    first = scene.epoch(None, cheat, net.nodes)
    seat = peer_of(cheat).match.snapshot.seats_of(cheat.author)[0]
    hidden = put(cheat, signed(cheat, "seat", {"seat": seat, "to": peer_of(cheat).match.setup.seats[seat].to_json()}))
    subject = {"kind": "pass", "against": None, "order": cheat.author}
    votes = {node: vote_of(node, 1, subject, scene.start) for node in (cheat, victim)}
    peer_of(victim).state.set_promise(votes[victim])
    scene.show([first], *(node for node in scene.honest if node is not victim))
    scene.show([hidden], victim)
    heard, net.meddle = net.meddle, lambda sender, to, data: None
    tell(net, cheat, {"t": "blame", "why": "vote", "x": [votes[cheat].to_json(), {"i": scene.at}]}, victim)
    assert [one.why for one in peer_of(victim).accusations] == ["vote"]
    net.meddle = heard
    scene.show([first], *net.nodes)
    peer_of(cheat).state.count += 100
    scene.check(*net.nodes)
