"""Whatever a page remembers of its match agrees with its log, though the last entries fall away while much else happens."""

from __future__ import annotations

from tests.support.examples import MANY_HANDS, unending
from tests.support.jumping_loop import run
from tests.support.torn_match import tear_apart


def test_what_a_page_remembers_agrees_with_its_log_whatever_falls_away(network_matches: range) -> None:
    """Its replica's log, the disk, the bots' worker, the words, a moment looked back at and what can be taken back."""
    fell = 0

    async def play(seed: int) -> None:
        nonlocal fell
        fell += (await tear_apart(MANY_HANDS, seed, unending(MANY_HANDS))).total()

    for seed in network_matches[::10]:
        run(play(seed))
    assert fell or len(network_matches) < 20, "nothing fell away"
