"""What the bots' worker knows of a match is what its page knows, also where the last entries of the log fell away."""

from __future__ import annotations

from random import Random

import pytest

from tabletin.kernel.match import Match
from tests.support.bots_here import BotsHere, played
from tests.support.examples import MANY_HANDS, short
from tests.support.peer_tables import tables


async def think(bots: BotsHere, match: Match) -> str:
    """Which entry the worker has as the last one, after it has thought for who is to act."""
    await bots.think(match, match.acting[0], "easy", 0.05)
    return bots.worker._followed[match.id].match.head


@pytest.mark.parametrize("shorter", [1, 2, 3])
async def test_bots_think_about_no_entry_that_fell_away(shorter: int) -> None:
    bots, match = BotsHere(), played(turns=6)[0].match
    resting = [entry.index for entry in match.entries[1:] if not match.snapshot_at(entry.index).state.requests]
    assert await think(bots, match) == match.head
    match.cut(resting[-1 - shorter] + 1)
    assert await think(bots, match) == match.head
    other = played(turns=6, seed=2)[0].match
    assert await think(bots, other) == other.head, "another match has a memory of its own"


async def test_neither_do_they_where_as_many_others_stand_in_their_places() -> None:
    async with tables(MANY_HANDS, [1, 2], options=short(MANY_HANDS), secure=False) as match:
        await match.play(3, Random(1))
        await match.until(match.dealt)
        session = next(one for one in match.sessions if set(one.acting) & set(one.seats_here))
        bots, log = BotsHere(), session.match
        for _ in range(2):
            assert await think(bots, log) == log.head
            bots.synced[log.id].head = "0" * 64  # other entries stood there, as many
