"""A match among peers in which everybody has the same log and nothing is under way, for tests of single checks."""

from __future__ import annotations

from typing import Any

from tabletin.kernel.log import Statement
from tabletin.kernel.options import Refused
from tabletin.kernel.prefix import Prefix
from tests.support.ballots import node_of
from tests.support.device_moves import calm, peer_of
from tests.support.examples import MANY_HANDS
from tests.support.forging import signed
from tests.support.peer_matches import network
from tests.support.peer_sim import Node


class RestingTable:
    """``orderer`` orders; ``waiting`` is another one, with a seat that is to act if any other has it; ``third`` is the last."""

    def __init__(self, seed: int, peers: int = 3, entries: int = 30) -> None:
        self.net = network(MANY_HANDS, peers, seed)
        assert calm(self.net, self.net.nodes[0], entries)
        self.match = peer_of(self.net.nodes[0]).match
        self.orderer = node_of(self.net, self.match.orderer)
        acting = {self.match.setup.seats[seat].author for seat in self.match.rules.to_act(self.match.state)}
        others = sorted((node for node in self.net.nodes if node is not self.orderer), key=lambda node: node.author not in acting)
        self.waiting, self.third = others[0], others[-1]

    def judge(self, statement: Statement) -> str:
        """Why the authority refuses ``statement`` right behind this log, "" if it does not. The rules are not asked."""
        try:
            peer_of(self.orderer).state.authority.check(self.prefix, statement)
        except Refused as error:
            return error.refusal.key
        return ""

    def refusal(self, node: Node, kind: str, body: dict[str, Any]) -> str:
        return self.judge(signed(node, kind, body))

    @property
    def prefix(self) -> Prefix:
        return Prefix(len(self.match.entries) - 1, self.match.snapshot, self.match)

    def seat(self, node: Node) -> int:
        return self.match.snapshot.seats_of(node.author)[0]
