"""A person who goes on from another device, on the simulated network."""

from __future__ import annotations

from tabletin.peers.replication.replica import Replica
from tests.support.peer_sim import Network, Node


def peer_of(node: Node) -> Replica:
    assert node.peer is not None
    return node.peer


def calm(net: Network, node: Node, entries: int = 30) -> bool:
    """Run until ``node`` can say something, in the middle of a hand and with everybody in step."""

    def is_calm() -> bool:
        peer = node.peer
        return (peer is not None and len(peer.match.entries) >= entries and net.agreed() and not net.state().requests
                and peer.ready and peer.pending is None)

    return net.run(is_calm)


def move_device(net: Network, old: Node, new: Node) -> None:
    """Let ``new`` go on for ``old``, and run until everybody knows."""
    peer_of(old).move_to(peer_of(new).membership.offer(old.author))
    net.flush(old)
    assert net.run(lambda: all(new.author in peer.live and old.author not in peer.live for peer in net.peers))
