"""What a page is told of a deal under way: which step, how far, and who is waited for."""

from __future__ import annotations

from tabletin.peers.worker.progress import progress_of
from tabletin.peers.worker.status import DealProgress
from tests.support.examples import DEALT
from tests.support.peer_sim import Network


def test_a_deal_is_told_step_by_step() -> None:
    net = Network(DEALT, 4, 51)
    heard: list[list[DealProgress]] = [[] for _ in net.nodes]

    def look() -> bool:
        for node, told in enumerate(heard):
            told.append(progress_of(net.peers[node]))
        return not net.state().requests

    assert net.run(look)
    for told in heard:  # a step is skipped where two entries come at once, and none is told after a later one
        steps = [(("keys", "shuffle", "shares").index(progress.what), progress.done_count if progress.what != "shares" else 0)
                 for progress in told if progress.what in ("keys", "shuffle", "shares")]
        assert steps == sorted(steps) and {step for step, _ in steps} == {0, 1, 2}
    told = [progress for told in heard for progress in told]
    shuffles = [progress for progress in told if progress.what == "shuffle"]
    assert {progress.done_count for progress in shuffles} == {0, 1, 2, 3} and {progress.total for progress in shuffles} == {4}
    for progress in shuffles:
        assert progress.waiting == (net.nodes[progress.done_count].author,)
        assert progress.seats == (progress.done_count,)
    for progress in told:
        assert 0 <= progress.done_count <= progress.total
        assert progress.what == "" or progress.waiting
    assert any(progress.cards for progress in told)
    assert progress_of(net.peers[0]).what == "" and progress_of(net.peers[0]).waiting == ()


def test_whose_acknowledgement_is_missing_is_told() -> None:
    net = Network(DEALT, 3, 52)
    assert net.run(lambda: bool(progress_of(net.peers[0]).what == "seen"))
    silent = net.nodes[1 if net.nodes[1].author in progress_of(net.peers[0]).waiting else 2]
    silent.peer = None
    net.run(lambda: False, 20)
    progress = progress_of(net.peers[0])
    assert (progress.what, progress.waiting) == ("seen", (silent.author,))
    assert progress.seats == (net.nodes.index(silent),) and progress.done_count == 1
