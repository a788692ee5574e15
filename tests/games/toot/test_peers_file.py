"""The file of a match among peers that a person played on two devices. Here hands end with cards that nobody opens."""

from __future__ import annotations

import pytest

from tabletin.kernel.faces import Card
from tabletin.kernel.logfile import BadLog, export
from tabletin.peers.worker.verify import verify_log
from tests.support.device_moves import calm, move_device, peer_of
from tests.support.peer_sim import Network, Node
from tests.support.rigged_logs import altered
from tests.support.standin_group import StandInGroup


def test_a_device_that_goes_on_for_another_may_hold_what_both_saw() -> None:
    """It may have begun with a file of the old one. It cannot hold what third ones saw."""
    net = Network("toot-progressive", 2, 5, spectators=1)
    other, old, new = net.nodes
    assert net.run(lambda: peer_of(old).match.snapshot.deals > 1, 900) and calm(net, old)
    move_device(net, old, new)
    assert calm(net, new, len(peer_of(old).match.entries) + 6)
    match = peer_of(new).match
    opened = {card for _, snapshot, _ in match.steps() for card in snapshot.openings}

    def seen_by(node: Node) -> dict[Card, str]:
        return {card: face for card, face in peer_of(node).match.knowledge.items() if card not in opened}

    before, after, others = seen_by(old), seen_by(new), seen_by(other)
    assert before.keys() - after.keys() and after.keys() - before.keys() and others

    def with_faces(more: dict[Card, str]) -> str:
        return altered(export(match), faces=lambda faces: faces.update({str(card): face for card, face in more.items()}))

    assert verify_log(with_faces(before), net.verifier, StandInGroup()).findings == ()
    with pytest.raises(BadLog, match="unseen"):
        verify_log(with_faces(before | others), net.verifier, StandInGroup())
