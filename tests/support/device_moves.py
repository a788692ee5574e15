"""A person who goes on from another device, on the simulated network."""

from __future__ import annotations

from tabletin.peers.replication.replica import Replica
from tests.support.peer_sim import Network, Node


def peer_of(node: Node) -> Replica:
    assert node.peer is not None
    return node.peer


def calm(net: Network, node: Node, entries: int = 30) -> bool:
    """Run until ``node`` can say something, in the middle of a hand and with everybody in step."""
    def here() -> bool:
        peer = node.peer
        return (peer is not None and len(peer.match.entries) >= entries and net.agreed() and not net.state().requests
                and peer.ready and peer.saying is None)
    return net.run(here)


def moved(net: Network, old: Node, new: Node) -> None:
    peer_of(old).seats.move_to(peer_of(new).seats.offer(old.author))
    net.flush(old)
    assert net.run(lambda: all(new.author in peer.live and old.author not in peer.live for peer in net.peers))
