"""What a page is told of a deal under way: which step, how far, and who is waited for."""

from __future__ import annotations

from typing import Any

from tabletin.peers.progress import progress_of
from tests.peers.network import Network


def test_a_deal_is_told_step_by_step() -> None:
    net = Network("iota", 4, 51)
    told: list[dict[str, Any]] = []

    def look() -> bool:
        told.append(progress_of(net.peers[3]))
        return not net.state().requests

    assert net.run(look)
    steps = list(dict.fromkeys(progress["what"] for progress in told))
    assert [step for step in steps if step in ("keys", "shuffle", "shares")] == ["keys", "shuffle", "shares"]
    shuffles = [progress for progress in told if progress["what"] == "shuffle"]
    assert {progress["done"] for progress in shuffles} == {0, 1, 2, 3} and {progress["of"] for progress in shuffles} == {4}
    for progress in shuffles:
        assert progress["waiting"] == [net.nodes[progress["done"]].author]
        assert progress["seats"] == [progress["done"]]
    for progress in told:
        assert 0 <= progress["done"] <= progress["of"]
        assert progress["what"] == "" or progress["waiting"]
    assert any(progress["cards"] for progress in told)
    assert progress_of(net.peers[0])["what"] == "" and progress_of(net.peers[0])["waiting"] == []


def test_whose_acknowledgement_is_missing_is_told() -> None:
    net = Network("iota", 3, 52)
    net.run(lambda: len(net.peers[0].match.entries) > 40 and net.agreed() and not net.state().requests)
    number = 1 if net.state().turn == 2 else 2
    silent = net.nodes[number]
    silent.peer = None
    found: dict[str, Any] = {}

    def look() -> bool:
        found.update(progress_of(net.peers[0]))
        return found["what"] == "seen"

    assert net.run(look, 60)
    assert found["waiting"] == [silent.author] and found["seats"] == [number]
    net.run(lambda: False, 20)
    assert progress_of(net.peers[0])["what"] == "seen"
