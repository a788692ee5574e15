"""Whatever honest devices signed, held against all else that they signed, in matches in which much happens at once.

``--network-matches N`` plays one match for each ten of N (2 in CI, 100 for a night's run)."""

from __future__ import annotations

from bisect import bisect

import pytest

from tabletin.kernel.log import Hash
from tests.support.all_pairs import Words
from tests.support.busy_match import BusyMatch
from tests.support.examples import MANY_HANDS, game_for, unending

BUSY = 150.0  # seconds in which things happen
LATER = 300.0  # seconds in which the match has to have gone on once they do no more


def check(match: BusyMatch, settled: dict[int, Hash]) -> None:
    """Nobody honest is accused, no two honest devices hold different settled entries, and who orders can be passed over."""
    cheats = [node.author for node in match.cheat]
    for node in match.honest:
        if node.peer is None:
            continue
        state, entries = node.peer.state, node.peer.match.entries
        assert node.peer.match.orderer in node.peer.match.snapshot.may_order()
        assert all(one.culprit in cheats for one in state.accusations), [one.why for one in state.accusations]
        last = bisect(range(1, len(entries)), False, key=lambda index: not state.settled_behind(index))
        for index in range(max(0, last - 10), last + 1):
            assert settled.setdefault(index, entries[index].hash) == entries[index].hash


def test_nothing_that_honest_devices_signed_convicts_one_of_them(network_matches: range,
                                                                capsys: pytest.CaptureFixture[str]) -> None:
    """Behind no prefix of any log, alone or in pairs; and unless somebody else is convicted, all go on together in the end."""
    for seed in network_matches[::10]:
        game = (MANY_HANDS, game_for(3))[seed // 10 % 2]
        match = BusyMatch(game, seed, unending(game), is_altered=seed % 70 != 0)
        words = Words(match.net, match.honest)
        settled: dict[int, Hash] = {}
        try:
            for _ in range(5):
                match.go_on(BUSY / 5)
                check(match, settled)
            assert words.convictions() == []
            if not match.is_proven:
                length = max(len(peer.match.entries) for peer in match.net.peers)
                match.quieten()
                assert match.net.run(lambda: match.is_proven or match.has_gone_on(length), LATER)  # noqa: B023
                check(match, settled)
        except BaseException:
            with capsys.disabled():
                print(f"\nreplay with --network-seed {seed}")
            raise
