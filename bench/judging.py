"""How much processor time a peer can take from another one in a second by having it judge whatever it sends.

``python3 bench/judging.py`` in our environment: Teeth Time among three, with real signatures and the real group. One peer sends
each kind of message, made so that the other has to look at it for long, until that one reads no more of it in this second.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from tabletin.kernel.log import canonical
from tabletin.peers.replication.authority import named_epoch
from tabletin.peers.replication.epoch_vote import votes_of
from tabletin.peers.replication.sync import VERSION
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tests.support.peer_matches import network
from tests.support.peer_sim import Network, Node

Message = dict[str, Any]


def at_a_match(entries: int) -> Network:
    """Three peers at a match of ``entries`` entries or more, which has gone on by a vote right before the end."""
    net = network("teeth-time", 3, 11, group=SodiumGroup(), real_signatures=True)
    net.run(lambda: len(net.peers[0].match.entries) >= entries or net.finished())
    subject: Message = {"kind": "pass", "against": None, "order": net.peers[0].match.orderer}
    for node in net.nodes:
        assert node.peer is not None
        node.peer._ballots._sign(1, subject)
        net.flush(node)
    net.run(lambda: all(peer.match.snapshot.epoch for peer in net.peers), 60)
    return net


def kinds(net: Network, hostile: Node) -> dict[str, Callable[[int], Message]]:
    """What ``hostile`` sends, by kind: the message of each number."""
    match = net.peers[0].match
    own = [entry for entry in match.entries if entry.statement.author == hostile.author]
    late = [entry.statement for entry in own if entry.statement.kind == "move"][-8:]
    head = {"t": "head", "i": 3, "h": match.entries[3].hash, "m": match.id, "v": VERSION}
    seen = {peer.author: [3, match.entries[3].hash, "0" * 128] for peer in net.peers}

    def signed(number: int) -> Any:
        unsigned = replace(late[number % len(late)], count=10_000 + number, signature="")
        return replace(unsigned, signature=hostile.identity.sign(unsigned.canonical_bytes)).to_json()

    def of(number: int) -> Any:
        return own[number % len(own)]

    begun = next(entry for entry in match.entries if named_epoch(entry.statement))
    vote = next(vote for vote in votes_of(begun) if vote.voter != hostile.author)
    blame = {"t": "blame", "why": "vote", "x": [vote.to_json(), [begun.index - 1, begun.previous, "0" * 128]]}
    shown = [entry.to_json() for entry in match.entries[1:begun.index]]

    return {
        "statements that come too late": lambda number: {"t": "say", "s": signed(number)},
        "pleas for such": lambda number: {"t": "plea", "s": signed(number)},
        "accusations of a statement": lambda number: {"t": "blame", "why": "statement", "x": [of(number).statement.to_json()]},
        "accusations of a place": lambda number: {"t": "blame", "why": "place", "x": [of(number).to_json()]},
        "heads with false acknowledgements": lambda number: {**head, "seen": seen},
        "entries again": lambda number: {"t": "put", "e": [entry.to_json() for entry in match.entries[1:65]]},
        "wants": lambda number: {"t": "want", "i": 0},
        "entries of the log, shown as breaking a vote": lambda number: {**blame, "e": shown} if number else blame,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--entries", type=int, default=150)
    net = at_a_match(parser.parse_args().entries)
    victim = next(peer for peer in net.peers if peer.orders)
    hostile = next(node for node in net.nodes if node.peer is not victim)
    print(f"a log of {len(victim.match.entries)} entries\n\n| message | read in a second | processor time, ms |\n|---|---|---|")
    for second, (what, make) in enumerate(kinds(net, hostile).items()):
        messages = [canonical(make(number)) for number in range(600)]
        victim.tick(1000.0 + 2 * second)
        victim.outbox.clear()
        before, number, start = victim.refusal_counts["peers.flood"], 0, time.process_time()
        while victim.refusal_counts["peers.flood"] == before and number < 5000:
            victim.receive(hostile.author, messages[number % len(messages)])
            number += 1
        print(f"| {what} | {number - 1} | {1000 * (time.process_time() - start):.0f} |")
        victim.outbox.clear()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
