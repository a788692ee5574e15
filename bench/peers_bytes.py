"""What a move costs on the wire among 3, 6 and 10 devices: as texts, and packed as links do it (``peers/net/framing.py``).

``python3 bench/peers_bytes.py [--game teeth-time] [--entries 150]`` in our environment: a match on the simulated network, with
real keys, shuffles and signatures, until so many entries stand. Each message goes through a stream of its own link. Bytes a
move are all that everybody sent, the deals included, over the moves made; *without shuffles*: without the long texts, which
are sent before they are needed; *of a device*: divided by the devices. The last column is how often the log was sent, where
each of the others needs it once.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from tabletin.peers.net.framing import LANES, Outgoing
from tabletin.peers.net.transport import MATCH
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tests.support.examples import WIDEST
from tests.support.peer_sim import Network


def packed(sent: list[tuple[str, str, bytes]]) -> int:
    """The bytes of these messages, heads of pieces included."""
    links: defaultdict[tuple[str, str], Outgoing] = defaultdict(lambda: Outgoing(LANES[MATCH]))
    total = 0
    for sender, to, data in sent:
        link = links[sender, to]
        link.packs = True
        assert link.put(MATCH, data.decode())
        total += sum(map(len, iter(link.take, None)))
    return total


def row(net: Network, entries: int) -> str:
    """One row of the table: the match of ``net`` until so many entries stand."""
    def moves() -> int:
        return sum(entry.statement.kind == "move" for entry in net.peers[0].match.entries)

    assert net.run(lambda: moves() > 0)
    deal = packed(net.sent)
    assert net.run(lambda: len(net.peers[0].match.entries) > entries and net.agreed())
    texts, after, count = sum(len(data) for _, _, data in net.sent), packed(net.sent), moves()
    short = packed([message for message in net.sent if json.loads(message[2])["t"] != "load"])
    log = sum(len(entry.line) for entry in net.peers[0].match.entries) * (len(net.peers) - 1)
    return (f"| {len(net.peers)} | {count} | {texts / count / 1000:.1f} kB | {after / count / 1000:.1f} kB | "
            f"{short / count / 1000:.1f} kB | {after / count / len(net.peers) / 1000:.1f} kB | {deal / 1000:.0f} kB | "
            f"{texts / log:.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default=WIDEST)
    parser.add_argument("--entries", type=int, default=150)
    parser.add_argument("--devices", type=int, nargs="+", default=[3, 6, 10])
    wanted = parser.parse_args()
    print("| devices | moves | a move, as texts | packed | without shuffles | of a device, packed | the deal, packed | logs |")
    print("|---|---|---|---|---|---|---|---|")
    for count in wanted.devices:
        print(row(Network(wanted.game, count, 1, group=SodiumGroup(), real_signatures=True), wanted.entries), flush=True)


if __name__ == "__main__":
    main()
