"""Two logs of one match that grew apart, because a voter voted for both, for tests."""

from __future__ import annotations

from typing import Any

from tabletin.kernel.log import Entry
from tabletin.peers.replication.authority import acknowledgement
from tabletin.peers.replication.evidence import judge
from tabletin.peers.replication.sync import VERSION
from tabletin.peers.sealed.pending import Checker
from tabletin.registry import rules_of
from tests.support.ballots import end_of, first_entry, subject_gone, vote_of
from tests.support.device_moves import peer_of
from tests.support.forging import FAST, put, signed, tell
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable
from tests.support.standin import StandIn


def entries_told(*entries: Entry) -> dict[str, Any]:
    return {"t": "put", "e": [entry.to_json() for entry in entries]}


def place(node: Node, entry: Entry) -> None:
    """``entry`` stands in the log of ``node``."""
    peer_of(node).state.append(entry)


class TwoLogs:
    """``cheat`` went on with ``ours`` in epoch 1, without ``lone``; and with ``lone``, without ``ours``."""

    def __init__(self, seed: int) -> None:
        table = RestingTable(seed)
        self.net, self.cheat, self.ours, self.lone = table.net, table.orderer, table.waiting, table.third
        self.index = len(table.match.entries)
        self.start = end_of(peer_of(self.ours).match)
        subject = subject_gone(self.lone.author, self.cheat.author)
        votes = [vote_of(node, 1, subject, self.start) for node in (self.ours, self.cheat)]
        self.first = first_entry(self.cheat, subject, 1, votes, self.index)
        self.old = put(self.cheat, signed(self.cheat, "order", {"to": self.cheat.author}))
        peer_of(self.cheat).state.count += 100

    def settle(self) -> None:
        """``ours`` takes its epoch 1 in, and ``cheat`` acknowledges that."""
        peer = peer_of(self.ours)
        place(self.ours, self.first)
        signature = self.cheat.identity.sign(acknowledgement(peer.match.id, self.index, self.first.hash))
        head = {"t": "head", "i": self.index, "h": self.first.hash, "m": peer.match.id, "v": VERSION, "sig": signature}
        tell(self.net, self.cheat, head, self.ours)
        assert peer.state.settled_behind(self.index)

    def branch(self, epoch: int) -> list[Entry]:
        """What ``lone`` holds: one entry more of epoch 0, and the beginning of ``epoch``."""
        for node in (self.cheat, self.lone):
            place(node, self.old)
        subject = subject_gone(self.ours.author, self.cheat.author)
        votes = [vote_of(node, epoch, subject, end_of(peer_of(self.lone).match)) for node in (self.lone, self.cheat)]
        return [self.old, first_entry(self.cheat, subject, epoch, votes, self.index + 1)]


def held_against(node: Node) -> list[tuple[str, str]]:
    """What ``node`` holds against others; each accusation is proven by its file alone."""
    found = peer_of(node).accusations
    for accusation in found:
        assert judge(accusation, rules_of, peer_of(node).state.authority.verifier, Checker(FAST)) is not None
    return [(one.culprit, one.why) for one in found]


class BrokenVote:
    """As ``TwoLogs``: ``ours`` has epoch 1, which is settled, and ``lone`` epoch 2. The cheat is away, and ``far`` follows
    ``lone`` and cannot hear ``ours``."""

    def __init__(self, seed: int) -> None:
        logs = TwoLogs(seed)
        logs.settle()
        self.net, self.cheat, self.ours, self.lone = logs.net, logs.cheat, logs.ours, logs.lone
        self.far = Node(self.net, 3, StandIn(bytes([99]) * 32))
        before = peer_of(self.lone).match.entries[1:]
        branch = logs.branch(2)
        self.far.start(self.net.genesis)
        for entry in (*before, *branch):
            place(self.far, entry)
        place(self.lone, branch[1])
        for node in (self.ours, self.lone):
            peer_of(node).state.count += 100
        self.net.nodes.append(self.far)
        self.net._ticker(self.far)()
        self.net._cut[frozenset((self.ours.author, self.far.author))] = 1e9
        self.cheat.peer = None
        self.net.act = lambda node: None  # type: ignore[method-assign]
        self.head = peer_of(self.lone).match.head

    @property
    def are_stopped(self) -> list[bool]:
        return [peer_of(node).state.is_stopped for node in (self.ours, self.lone, self.far)]

    def blame(self) -> dict[str, Any]:
        (found,) = peer_of(self.ours).accusations
        return {"t": "blame", "why": "vote", "x": list(found.exhibits), "e": [one.to_json() for one in found.prefix[1:]]}
