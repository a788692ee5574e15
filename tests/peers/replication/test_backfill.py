"""Who is asked for entries that are missing, and what goes over the wire for it."""

from __future__ import annotations

from collections import Counter

import pytest

from tabletin.kernel.log import canonical, parse
from tests.support.examples import MANY_HANDS, game_for, lasting
from tests.support.peer_sim import Faults, Network


def given(net: Network) -> Counter[tuple[str, int]]:
    """How often each entry was sent to each device."""
    times: Counter[tuple[str, int]] = Counter()
    for _, to, data in net.sent:
        message = parse(data)
        if message["t"] == "put":
            times.update((to, entry["i"]) for entry in message["e"])
    return times


def weight(net: Network) -> float:
    """What was sent, in logs for each device but one."""
    log = sum(len(canonical(entry.to_json())) for entry in net.peers[0].match.entries)
    return sum(len(data) for _, _, data in net.sent) / (log * (len(net.peers) - 1))


@pytest.mark.parametrize("peers", [6, 10])
def test_where_nothing_is_lost_nothing_is_sent_twice(peers: int) -> None:
    net = Network(game_for(10), peers, 1)
    assert net.run(lambda: len(net.peers[0].match.entries) > 100 and net.agreed())
    assert set(given(net).values()) == {1}
    assert weight(net) < 1 + 2 / (peers - 1), "the log for each, and what authors say to the peer that orders"


def test_what_is_on_its_way_is_not_asked_for() -> None:
    """Slow lines: that others have more is no sign that anything was lost."""
    net = Network(game_for(10), 6, 1, faults=Faults(latency=0.3, jitter=0.1))
    assert net.run(lambda: len(net.peers[0].match.entries) > 100 and net.agreed())
    times = given(net)
    assert sum(count - 1 for count in times.values()) < len(times) / 10


def test_who_does_not_answer_is_asked_once_and_then_another() -> None:
    net = Network(MANY_HANDS, 3, 20, options=lasting(MANY_HANDS))
    assert net.run(net.finished)
    length = len(net.peers[0].match.entries)
    late = net.nodes[2]
    late.disk.entries.clear()
    net.sent.clear()
    asked: list[str] = []

    def silent(sender: str, to: str, data: bytes) -> bytes | None:
        """The peer that is asked first never answers."""
        kind = parse(data)["t"]
        if sender == late.author and kind == "want":
            asked.append(to)
        return None if kind == "put" and sender == asked[0] else data

    net.meddle = silent
    peer = late.start(net.genesis, restarted=True)
    assert net.run(lambda: len(peer.match.entries) == length, seconds=10)
    first, *others = asked
    assert others and first not in others
    assert given(net)[late.author, length - 1] == 1
