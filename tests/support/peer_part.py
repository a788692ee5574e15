"""One part of a replica by itself: the state of a device of a match at rest, an outbox of its own, and a clock for tests."""

from __future__ import annotations

from typing import Any

from tabletin.kernel.log import parse
from tabletin.peers.replication.outbox import Outbox
from tabletin.peers.replication.state import ReplicaState
from tests.support.device_moves import peer_of
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable


class PartOf:
    """``state`` and ``outbox`` of ``node``, one device of ``table``."""

    def __init__(self, table: RestingTable, node: Node) -> None:
        self.table, self.node = table, node
        self.match = peer_of(node).match
        peer = peer_of(node)
        self.state = ReplicaState(node.identity, peer.state.authority, self.match, node.dealer)
        self.outbox = Outbox(node.author)

    def told(self) -> list[tuple[str | None, dict[str, Any]]]:
        """What was sent since this was asked last, and to whom; None is everybody."""
        said = [(to, parse(data)) for to, data in self.outbox.messages]
        self.outbox.messages.clear()
        return said
