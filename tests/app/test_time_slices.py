"""Work in steps: a long match is read and judged while the page lives on."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from tabletin.app import time_slices
from tabletin.app.storage.persistence import match_steps, row_of
from tabletin.app.time_slices import in_slices
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.faces import Faces
from tabletin.kernel.logfile import audit, audit_steps, export, load, load_steps, refold_steps
from tabletin.kernel.options import Refused
from tabletin.kernel.stepwise import Steps, result_of
from tabletin.registry import rules_of
from tests.support.rigged_logs import played

pytestmark = pytest.mark.usefixtures("swap")


def counted(steps: Steps[object]) -> int:
    """How many steps there are."""
    return sum(1 for _ in steps)


def test_nothing_about_a_match_takes_longer_than_an_entry() -> None:
    match = played("swap", OpenDealer(Random(1)))
    text, length = export(match), len(match.entries)
    assert counted(load_steps(text, rules_of)) >= length - 1
    assert counted(load_steps(export(match, 0), rules_of)) >= 2 * (length - 1), "what the seat was shown is looked up, too"
    assert counted(refold_steps(match.entries, rules_of)) >= length - 1
    assert counted(audit_steps(match)) >= 2 * (length - 1), "its openings, then its decks"
    rows = [row_of(entry, match.knowledge if entry.index == 0 else Faces()) for entry in match.entries]
    assert counted(match_steps(rows)) >= length - 1


async def test_it_comes_to_the_same_and_others_have_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    text = export(played("swap", OpenDealer(Random(1))))
    ticks, done = 0, False

    async def beside() -> None:
        nonlocal ticks
        while not done:
            ticks += 1
            await asyncio.sleep(0)

    monkeypatch.setattr(time_slices, "SLICE", 0.0)
    task = asyncio.create_task(beside())
    match = await in_slices(load_steps(text, rules_of))
    found = await in_slices(audit_steps(match))
    done = True
    await task
    assert match.head == load(text, rules_of).head and found == audit(match)
    assert ticks > 2 * len(match.entries)


async def test_what_is_short_is_done_at_once() -> None:
    """A pause costs a browser milliseconds."""
    def steps() -> Steps[int]:
        yield
        return 7

    work = in_slices(steps())
    with pytest.raises(StopIteration) as end:
        work.send(None)
    assert end.value.value == 7


async def test_what_is_refused_is_refused() -> None:
    with pytest.raises(Refused, match=r"kernel\.file\.not_ours"):
        await in_slices(load_steps("no log", rules_of))
    with pytest.raises(Refused, match=r"kernel\.file\.not_ours"):
        result_of(load_steps("no log", rules_of))
