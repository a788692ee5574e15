"""What somebody signed who then went on from another device, or left: it stops everybody or nobody, and parts no logs unseen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletin.kernel.log import Entry, Statement, canonical, place
from tabletin.peers.identity import Verifier
from tabletin.peers.replication.evidence import judge
from tabletin.registry import GAMES, rules_of
from tests.support.ballots import end_of, first_entry, node_of, vote_of
from tests.support.device_moves import calm, peer_of
from tests.support.examples import MANY_HANDS
from tests.support.forging import signed, tell
from tests.support.peer_matches import seats_of
from tests.support.peer_sim import Network, Node
from tests.support.sent import shares_said

GOES = pytest.mark.parametrize("goes", ["device", "leave"])


class Table:
    """A match at rest. ``cheat``: who orders, or who does not; ``spare``: a device that follows."""

    def __init__(self, *, game: str = MANY_HANDS, peers: int = 3, seed: int = 7, is_orderer: bool) -> None:
        self.net = net = Network(game, peers, seed, spectators=1)
        assert calm(net, net.nodes[0])
        self.act, net.act = net.act, lambda node: None  # type: ignore[method-assign]
        net.run(lambda: False, 4)
        *players, self.spare = net.nodes
        orderer = net.peers[0].match.orderer
        self.cheat = next(node for node in players if (node.author == orderer) == is_orderer)
        self.honest = [node for node in players if node is not self.cheat]

    def going(self, goes: str) -> dict[str, Any]:
        """The body with which the cheat goes on from another device, or leaves."""
        membership = peer_of(self.cheat).membership
        if goes == "device":
            return membership.device_body(peer_of(self.spare).membership.offer(self.cheat.author))
        body = membership.leave_body()
        assert body is not None
        return body

    def named(self, name: str) -> dict[str, Any]:
        match = peer_of(self.cheat).match
        seat = match.snapshot.seats_of(self.cheat.author)[0]
        return {"seat": seat, "to": {**match.setup.seats[seat].to_json(), "name": name}}

    def held(self) -> list[list[str]]:
        """Of what each honest device accuses the cheat."""
        assert all(one.culprit == self.cheat.author for node in self.honest for one in peer_of(node).accusations)
        return [[one.why for one in peer_of(node).accusations] for node in self.honest]


def branch(node: Node, *said: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries with which ``node``, which orders, goes on in a history of its own."""
    match = peer_of(node).match.branch(len(peer_of(node).match.entries))
    found: list[dict[str, Any]] = []
    for kind, body in said:
        statement = Statement(match.id, node.author, match.count(node.author), match.head, kind, body)
        statement = replace(statement, signature=node.identity.sign(statement.canonical_bytes))
        at, head = len(match.entries), match.head
        entry = Entry.create(at, head, statement, node.identity.sign(canonical(place(at, head, statement.hash))))
        match.append(entry)
        found.append(entry.to_json())
    return found


@GOES
def test_whoever_shows_two_histories_and_goes_is_accused_by_all(goes: str) -> None:
    """The two logs have parted for good, and who did that is at neither table any more."""
    table = Table(is_orderer=True)
    net, going = table.net, table.going(goes)
    for number, node in enumerate(table.honest):
        tell(net, table.cheat, {"t": "put", "e": branch(table.cheat, ("seat", table.named(f"K{number}")), (goes, going))}, node)
        assert table.cheat.author not in peer_of(node).live
    table.cheat.peer = None
    assert net.run(lambda: table.held() == [["fork"], ["fork"]], 30)
    verifier: Verifier = net.verifier
    for node in table.honest:
        assert not peer_of(node).ready
        assert judge(peer_of(node).accusations[0], rules_of, verifier, net.checker) is not None


@pytest.mark.parametrize("game", [game for game in GAMES if 3 in seats_of(game)])
@pytest.mark.parametrize("seed", [1, 2])
def test_of_two_histories_nobody_shares_in_either_though_whoever_showed_them_left(game: str, seed: int) -> None:
    """Only two are left, and each could be asked for a share of the card that the other one's log gives to somebody else."""
    table = Table(game=game, seed=seed, is_orderer=True)
    net, cheat, (left, right), going = table.net, table.cheat, table.honest, table.going("leave")
    sent, net._cut[frozenset((left.author, right.author))] = len(net.sent), net.now + 60
    for node in (left, right):
        away = {**going, "order": node.author, "heir": node.author}
        tell(net, cheat, {"t": "put", "e": branch(cheat, ("seat", table.named(node.author[:4])), ("leave", away))}, node)
    cheat.peer = table.spare.peer = None
    net.act = table.act  # type: ignore[method-assign]
    net.run(lambda: False, 30)
    for node, other in ((left, right), (right, left)):
        last = len(peer_of(node).match.entries) - 1
        assert peer_of(node).live == (node.author, other.author) or peer_of(node).live == (other.author, node.author)
        assert peer_of(node).state.missing_acknowledgers(last) == (other.author,)
        assert shares_said(net, node, sent) == 0
    assert net.run(lambda: table.held() == [["fork"], ["fork"]], 60)


@pytest.mark.parametrize(("goes", "peers"), [("device", 3), ("device", 5), ("leave", 3), ("leave", 5)])
def test_what_is_shown_to_one_device_alone_by_who_goes_stops_all_or_nobody(goes: str, peers: int) -> None:
    """It would say nothing more, and the others could have it gone."""
    table = Table(peers=peers, is_orderer=False)
    net, cheat = table.net, table.cheat
    victim = next(node for node in table.honest if node is not node_of(net, peer_of(node).match.orderer))
    two = [signed(cheat, "seat", table.named(f"K{number}"), count=1000) for number in range(2)]
    net.meddle = lambda sender, to, data: None if to == victim.author and sender != cheat.author else data
    if goes == "device":
        peer_of(cheat).move_to(peer_of(table.spare).membership.offer(cheat.author))
    else:
        peer_of(cheat).leave()
    net.flush(cheat)
    others = [node for node in table.honest if node is not victim]
    assert net.run(lambda: all(cheat.author not in peer_of(node).live for node in others), 30)
    tell(net, cheat, {"t": "blame", "why": "counter", "x": [statement.to_json() for statement in two]}, victim)
    assert [one.why for one in peer_of(victim).accusations] == ["counter"]
    net.meddle = lambda sender, to, data: data
    net.run(lambda: False, 10)
    if goes == "device":
        assert table.held() == [["counter"]] * len(table.honest), "the person still plays"
        return
    length = len(peer_of(victim).match.entries)
    net.act = table.act  # type: ignore[method-assign]
    assert net.run(lambda: all(len(peer_of(node).match.entries) > length + 5 for node in table.honest), 60)
    assert not any(table.held()), "who left stops nobody"


def test_who_left_long_ago_stops_nobody_by_another_history() -> None:
    table = Table(peers=4, is_orderer=True)
    net, cheat = table.net, table.cheat
    other = branch(cheat, ("seat", table.named("K")))
    at = len(peer_of(cheat).match.entries)
    peer_of(cheat).leave()
    net.flush(cheat)
    net.act = table.act  # type: ignore[method-assign]
    assert net.run(lambda: all(len(peer_of(node).match.entries) > at + 5 for node in table.honest), 60)
    for node in table.honest:
        tell(net, cheat, {"t": "put", "e": other}, node)
        assert peer_of(node).refusal_counts["kernel.stranger"] == 1
    assert not any(table.held())
    length = len(peer_of(table.honest[0]).match.entries)
    assert net.run(lambda: all(len(peer_of(node).match.entries) > length + 5 for node in table.honest), 60)


@GOES
def test_whoever_votes_for_two_beginnings_of_one_epoch_and_goes_is_accused_by_both(goes: str) -> None:
    table = Table(is_orderer=False)
    net, cheat, going = table.net, table.cheat, table.going(goes)
    match = peer_of(cheat).match
    end, index = end_of(match), len(match.entries)
    firsts = []
    for node, other in (table.honest, table.honest[::-1]):
        subject = {"kind": "pass", "against": other.author, "order": node.author}
        votes = [vote_of(one, 1, subject, end) for one in (node, cheat)]
        firsts.append(first_entry(node, subject, 1, votes, index))
    net.meddle = lambda sender, to, data: None
    for node, first in zip(table.honest, firsts, strict=True):
        tell(net, node, {"t": "put", "e": [first.to_json()]}, node)
        body = going if goes == "device" else {**going, "order": node.author, "heir": node.author}
        said = signed(cheat, goes, body, head=first.hash)
        tell(net, cheat, {"t": "say", "s": said.to_json()}, node)
        assert cheat.author not in peer_of(node).live and peer_of(node).match.snapshot.epoch == 1
    cheat.peer = None
    net.meddle = lambda sender, to, data: data
    assert net.run(lambda: table.held() == [["vote"], ["vote"]], 60)
    assert not any(peer_of(node).ready for node in table.honest)


def test_two_votes_of_a_stranger_stop_nobody() -> None:
    table = Table(is_orderer=False)
    net, stranger = table.net, table.spare
    for node in table.honest:
        peer_of(node).choices.removals.add(table.cheat.author)
    table.cheat.peer = None
    assert net.run(lambda: peer_of(table.honest[0]).match.snapshot.epoch > 0, 60)
    end, epoch = end_of(peer_of(table.honest[0]).match), peer_of(table.honest[0]).match.snapshot.epoch
    two = [vote_of(stranger, epoch, {"kind": "pass", "against": None, "order": order}, end).to_json() for order in ("a", "b")]
    for node in table.honest:
        tell(net, stranger, {"t": "blame", "why": "vote", "x": two}, node)
    assert not any(table.held())
