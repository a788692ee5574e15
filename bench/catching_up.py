"""How long a device takes to catch up on a long log of a sealed match, with real signatures and the real group.

A match of three peers is played on the simulated network until its log has 2,000 entries; then a replica that has nothing
takes it in, in messages of the size they have on the wire, verifying every entry before it is applied. Shuffles of finished
hands are put off, as in play; what checking them costs is timed apart. Processor time.

    python3 bench/catching_up.py [entries] [game]
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import pstats
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from bench.dealing_costs import one_multiplication
from tabletin.kernel.log import Entry, Json, canonical
from tabletin.peers.dealing.deferred_checker import DeferredChecker
from tabletin.peers.replication.authority import SignedAuthority, acknowledgement
from tabletin.peers.replication.backfill import BATCH
from tabletin.peers.replication.evidence import peer_match
from tabletin.peers.replication.replica import Replica
from tabletin.peers.replication.sync import VERSION
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.registry import GAMES, rules_of
from tests.support.peer_sim import Network

OPTIONS: dict[str, dict[str, Any]] = {"dominoes": {"target": 500}, "tiddle-a-wink": {"target": 500}, "matador": {"target": 500}}


def played(entries: int, game: str) -> Network:
    """A match of three, so many entries long or over before."""
    net = Network(game, 3, 1, options=OPTIONS.get(game, {}), group=SodiumGroup(), real_signatures=True)
    net.run(lambda: len(net.peers[0].match.entries) >= entries or net.finished(), 10**6)
    return net


def signed_head(source: Replica, last: Entry) -> dict[str, Json]:
    """What ``source`` says its newest entry is: only signed, it counts as what is missing."""
    match = source.match.id
    signature = source.identity.sign(acknowledgement(match, last.index, last.hash))
    return {"t": "head", "i": last.index, "h": last.hash, "m": match, "v": VERSION, "sig": signature}


def main(entries: int, game: str, profile: bool) -> None:
    net = played(entries, game)
    source = net.peers[0]
    log = source.match.entries[:entries]
    batches = [[entry.to_json() for entry in log[start:start + BATCH]] for start in range(1, len(log), BATCH)]
    messages = [canonical(signed_head(source, log[-1])), *(canonical({"t": "put", "e": batch}) for batch in batches)]
    print(f"{game}: {len(log)} entries of {source.dealing.deals} deals, {sum(map(len, messages)) / 1e6:.2f} MB")
    for _ in range(3):
        one(net, messages, profile)


def one(net: Network, messages: list[bytes], profile: bool) -> None:
    group = SodiumGroup()
    group.generators(256)
    node, game = net.nodes[1], net.setup.game
    match = peer_match(net.genesis, rules_of(game), net.verifier, DeferredChecker(group))
    peer = Replica(node.identity, SignedAuthority(net.setup, net.verifier), match, node.dealer, restarted=True)
    gc.collect()
    gc.freeze()  # the simulated network with all it ever sent is nothing that a device has
    profiler = cProfile.Profile()
    if profile:
        profiler.enable()
    before = one_multiplication(group, time.process_time)
    start = time.process_time()
    for message in messages:
        peer.receive(net.nodes[0].author, message)
    took = time.process_time() - start
    unit = (before + one_multiplication(group, time.process_time)) / 2
    if profile:
        profiler.disable()
        pstats.Stats(profiler).sort_stats("tottime").print_stats(40)
    late = peer.unchecked_count
    start = time.process_time()
    now = 0.0
    while peer.unchecked_count:
        now += 2.0
        peer.tick(now)
    checking = time.process_time() - start
    print(f"  {len(match.entries)} entries taken in: {took:.2f} s, {took / unit:.0f} multiplications of {unit * 1e6:.0f} µs; "
          f"{late} shuffles afterwards: {checking:.2f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("entries", nargs="?", type=int, default=2000)
    parser.add_argument("game", nargs="?", choices=GAMES, default="teeth-time")
    parser.add_argument("--profile", action="store_true", help="and where the time goes")
    chosen = parser.parse_args()
    main(chosen.entries, chosen.game, chosen.profile)
