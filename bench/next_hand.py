"""What preparing the next hand saves: simulated time from "the hand is over" to the first hand of cards.

Matches on the simulated network with 50 ms between any two devices, once as they are and once with the preparing switched off.
Each device's own arithmetic, real group, is added to the clock at the pace of this machine.

    python3 bench/next_hand.py [factor]

``factor``: how much slower than this machine the devices are (a browser's WebAssembly about 2.5).
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from tabletin.kernel.requests import Shuffle
from tabletin.peers.replication.replica import Replica
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tests.support.peer_sim import Faults, Network, Node


class Slow(Network):
    """A network whose devices take as long for their work as it takes here, and answer no sooner."""

    factor = 1.0

    def flush(self, node: Node) -> None:
        out = list(node.peer.take().messages) if node.peer else []
        took = getattr(node, "took", 0.0) * self.factor
        node.took = 0.0  # type: ignore[attr-defined]
        if out:
            self.later(took, lambda: self._let_go(node, out))

    def _let_go(self, node: Node, out: list[tuple[str | None, bytes]]) -> None:
        for to, data in out:
            for other in self.nodes:
                if other is not node and to in (None, other.author):
                    self._send(node.author, other, data)

    def _deliver(self, sender: str, to: Node, data: bytes) -> None:
        start = time.process_time()
        peer = to.peer
        assert peer is not None
        peer.receive(sender, data)
        to.took = time.process_time() - start  # type: ignore[attr-defined]
        self.act(to)
        self.flush(to)


def waits(game: str, peers: int, factor: float, options: dict[str, Any], hands: int = 3) -> list[float]:
    """Simulated seconds from each new deck's asking to the end of its dealing, the first deal apart."""
    net = Slow(game, peers, 3, options=options, faults=Faults(latency=0.05, jitter=0.0), group=SodiumGroup())
    net.factor = factor
    found: list[float] = []
    asked: list[float] = []

    def look() -> bool:
        match = net.peers[0].match
        requests = match.state.requests
        if any(isinstance(request, Shuffle) and not request.cards for request in requests) and len(match.entries) > 1:
            asked[:] = asked or [net.now]
        elif not requests and asked:
            found.append(net.now - asked[0])
            asked.clear()
        return len(found) > hands or match.outcome is not None

    net.run(look, 10**5)
    return found[1:] or found


def main(factor: float) -> None:
    print("| game, peers | as it is | without preparing |\n|---|---|---|")
    for game, peers, options in (("dominoes", 3, {"target": 500}), ("teeth-time", 4, {}), ("teeth-time", 6, {})):
        prepared = waits(game, peers, factor, options)
        with patch.object(Replica, "_may_prepare", return_value=False):
            plain = waits(game, peers, factor, options)
        print(f"| {game}, {peers} | {median(prepared):.2f} s | {median(plain):.2f} s |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("factor", nargs="?", type=float, default=1.0)
    main(parser.parse_args().factor)
