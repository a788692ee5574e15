"""One after another: what nobody taps waits for what happened before, several act together only where all are asked at once,
and a tap ends the waiting."""

from __future__ import annotations

import asyncio

from tabletin.app.session.pacing import BRIEF, READING, Pacing

PACE = 0.02


async def quiet() -> None:
    """Every task that need not wait has run."""
    for _ in range(8):
        await asyncio.sleep(0)


def waiting(pacing: Pacing, count: int, *, together: bool = False) -> tuple[list[int], list[asyncio.Future[None]]]:
    """``count`` that wait for their turn, and who of them has acted by now."""
    acted: list[int] = []

    async def act(number: int) -> None:
        await pacing.turn(together=together)
        acted.append(number)

    return acted, [asyncio.ensure_future(act(number)) for number in range(count)]


async def test_acts_follow_each_other_by_the_pace() -> None:
    pacing, loop = Pacing(lambda: PACE), asyncio.get_running_loop()
    start = loop.time()
    pacing.note_act()
    for act in range(1, 4):
        await pacing.turn()
        assert loop.time() >= start + act * PACE * 0.99


async def test_what_is_seen_at_a_glance_is_followed_sooner() -> None:
    pacing, loop = Pacing(lambda: 60.0), asyncio.get_running_loop()
    pacing.note_act(is_brief=True)
    assert pacing.due - loop.time() <= 60 * BRIEF
    pacing.hurry()
    await pacing.turn(is_brief=True)
    assert pacing.due - loop.time() <= 60 * BRIEF
    pacing.note_act()
    assert pacing.due - loop.time() > 60 * BRIEF, "what has to be looked at is, whatever came before"


async def test_a_sentence_stays_until_it_can_have_been_read() -> None:
    pacing, loop = Pacing(lambda: 60.0), asyncio.get_running_loop()
    pacing.note_act(is_brief=True)
    start = loop.time()
    pacing.note_words()
    assert 60 * READING <= pacing.due - start < 61 * READING
    assert READING > 1 > BRIEF
    known = Pacing(lambda: 60.0)
    known.note_act(is_brief=True)
    known.note_words(is_new=False)
    assert known.due - loop.time() > 59, "what was done before it is seen, though the sentence is known"


async def test_what_is_looked_at_stays_longer_than_the_pace() -> None:
    pacing, loop = Pacing(lambda: PACE), asyncio.get_running_loop()
    start = loop.time()
    pacing.note_act()
    pacing.pause(3 * PACE)
    await pacing.turn()
    assert loop.time() >= start + 3 * PACE * 0.99


async def test_a_tap_lets_one_act_and_the_others_wait_again() -> None:
    pacing = Pacing(lambda: 60.0)
    pacing.note_act()
    acted, tasks = waiting(pacing, 3)
    for count in range(3):
        await quiet()
        assert len(acted) == count
        pacing.hurry()
    await asyncio.gather(*tasks)


async def test_those_who_are_asked_together_act_together() -> None:
    pacing = Pacing(lambda: 60.0)
    pacing.note_act()
    acted, tasks = waiting(pacing, 3, together=True)
    await quiet()
    assert not acted
    pacing.hurry()
    await asyncio.gather(*tasks)
    assert sorted(acted) == [0, 1, 2]


async def test_without_a_pace_nothing_waits() -> None:
    pacing = Pacing(lambda: 0.0)
    acted, _ = waiting(pacing, 3)
    await quiet()
    assert len(acted) == 3
