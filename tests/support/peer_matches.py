"""Matches on the simulated network for tests: quick options for every game, cases over all games, how a match is to end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

import pytest

from tabletin.kernel.log import Statement, canonical, parse
from tabletin.registry import GAMES, rules_of
from tests.support.examples import example_of
from tests.support.peer_sim import Faults, Network

QUICK: dict[str, dict[str, Any]] = {game: dict(example_of(game).quick) for game in GAMES}  # matches of a few hands
DEFAULT_FAULTS = Faults()
HARMLESS = {"peers.not_ordering", "kernel.log.counter", "peers.too_far_ahead", "peers.again", "peers.too_soon",
            "peers.other_history",
            "kernel.log.previous"}  # what faults alone bring about; the last: an entry before those its epoch begins with


def seats_of(game: str) -> range:
    return rules_of(game).seat_counts


def network(game: str, peers: int, seed: int, faults: Faults = DEFAULT_FAULTS, **more: Any) -> Network:
    peers = min(peers, seats_of(game).stop - 1)
    return Network(game, peers, seed, options=QUICK[game], faults=faults, **more)


def seeds(numbers: range) -> Iterator[tuple[str, int, int]]:
    """The cases with these numbers, over all games and 2–10 peers."""
    games = list(GAMES)
    for seed in numbers:
        game = games[seed % len(games)]
        yield game, 2 + (seed * 7 + seed // len(games)) % 9, seed


def play_each(numbers: Iterable[int], play: Callable[[int], object], capsys: pytest.CaptureFixture[str]) -> None:
    """``play`` with each seed; where one fails, say how it is played again."""
    for seed in numbers:
        try:
            play(seed)
        except BaseException:
            with capsys.disabled():
                print(f"\nreplay with --network-seed {seed}")
            raise


def is_altered(seed: int) -> bool:
    """Whether a client is altered in the match with this number: in one of ten, and not always in the same game."""
    return seed % 10 == (9 + seed // 10) % 10


def alter_client(net: Network, seed: int) -> None:
    """One client withholds, says "no" to what is right, repeats what others said, and wishes and pleads without reason. Nothing
    of that is proof of anything, so nobody is convicted; it delays the match and changes nothing else."""
    rng = Random(seed)
    cheat = net.nodes[seed % len(net.nodes)]
    heard: list[bytes] = []

    def meddle(sender: str, to: str, data: bytes) -> bytes | None:
        message = parse(data)
        kind = message["t"]
        if to == cheat.author and kind in ("say", "plea"):
            heard.append(data)
            if rng.random() < 0.2:
                false_no = canonical({"t": "no", "h": Statement.from_json(message["s"]).hash, "k": "kernel.turn"})
                net.later(0.1, lambda: deliver(sender, false_no))
                return None
        if sender == cheat.author and heard and rng.random() < 0.05:
            net.later(0.2, lambda: deliver(to, rng.choice(heard)))
        if sender == cheat.author and kind == "head" and rng.random() < 0.1:
            orderer = net.peers[0].match.orderer
            wish = {"kind": "pass", "against": orderer, "order": cheat.author}
            net.later(0.1, lambda: deliver(to, canonical({"t": "wish", "what": [wish]})))
        return data

    def deliver(to: str, data: bytes) -> None:
        for node in net.nodes:
            if node.author == to and node.peer is not None:
                node.peer.receive(cheat.author, data)
                net.flush(node)

    net.meddle = meddle


def check_finished(net: Network) -> None:
    """All hold the same finished log, which stands on its own; nobody is accused and no honest word is held for wrong."""
    first = net.peers[0].match
    for peer in net.peers:
        assert peer.match.head == first.head
        assert peer.match.state == first.state
        assert peer.match.outcome == first.outcome
        assert not peer.accusations, [(a.why, a.exhibits) for a in peer.accusations]
        assert set(peer.refusal_counts) <= HARMLESS, peer.refusal_counts
    for node in net.nodes:
        assert [entry.hash for entry in node.disk.entries] == [entry.hash for entry in first.entries], "nothing is lost"


def gone_after(net: Network, node: int, entries: int) -> str:
    """Run until ``entries`` entries stand, then switch ``node`` off for good; its author."""
    net.run(lambda: len(net.peers[0].match.entries) >= entries)
    net.nodes[node].peer = None
    return net.nodes[node].author
