"""A match on a device: bots play on, everything is stored before they are told, a closed page resumes, one tab plays."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tabletin.app.session import session as session_module
from tabletin.app.session.local import LocalSession
from tabletin.app.storage.archive import unpack
from tabletin.app.storage.matches import MatchRecord, MemoryMatches, Row, SingleTab, StorageFailed
from tabletin.kernel import envelope
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.log import canonical
from tabletin.kernel.logfile import export, missing_faces
from tabletin.kernel.options import Refused, refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.table import Table
from tabletin.registry import GAMES, rules_of
from tests.support.bots_here import ME, BotsHere, FullShelf, bot, context, settle, short_match, until
from tests.support.torn_match import Tabs


async def play(session: LocalSession, turns: int, rng: Random) -> None:
    """``turns`` turns of people by chance, bots going on between them."""
    for _ in range(turns):
        await until(session, lambda: session.thinking is None)
        if session.match.outcome is not None:
            return
        (seat,) = session.acting
        view = session.match.view((seat,))
        await session.move(seat, view.rules.random_move(view.state, seat, view.faces, rng))
        await asyncio.sleep(0)


async def test_a_whole_match_against_bots_ends_and_is_stored() -> None:
    shelf = MemoryMatches()
    bots = BotsHere(shelf)
    session = await LocalSession.begin(short_match(ME, bot()), context(shelf, bots))
    await play(session, 200, Random(1))
    assert session.match.outcome is not None
    await session.flush()
    record, rows = await shelf.read(session.id)
    assert len(rows) == len(session.match.entries) == record.entries
    assert record.outcome == session.match.outcome
    assert bots.durable and all(bots.durable)  # nothing was told to a bot before it was on disk


async def test_bots_get_new_entries_only_and_no_face_of_another_seat() -> None:
    bots = BotsHere()
    session = await LocalSession.begin(short_match(ME, bot(), bot("medium")), context(bots=bots))
    await play(session, 4, Random(2))
    assert sum(bots.entries_asked()) <= len(session.match.entries)
    for request, _ in map(envelope.unpack, bots.requests):
        bit = 1 << request["seat"]
        shown = {card for _, state, _ in session.match.story() for card, mask in state.viewers.items() if mask & bit}
        assert {int(card) for card in request["faces"]} <= shown


async def test_a_worker_that_lost_its_memory_is_told_again() -> None:
    bots = BotsHere()
    session = await LocalSession.begin(short_match(ME, bot()), context(bots=bots))
    await play(session, 2, Random(3))
    await until(session, lambda: session.thinking is None)
    bots.lose_memory()
    await play(session, 2, Random(3))
    await until(session, lambda: session.thinking is None)
    assert [envelope.unpack(text)[0]["from"] for text in bots.requests].count(0) == 2


async def test_resume_gives_the_same_match() -> None:
    shelf, claims = MemoryMatches(), SingleTab()
    session = await LocalSession.begin(short_match(ME, bot()), context(shelf, claims=claims))
    await play(session, 3, Random(4))
    await until(session, lambda: session.thinking is None)
    session.close()
    await asyncio.sleep(0.01)
    again = await LocalSession.resume(session.id, context(shelf, claims=claims))
    assert again.owner
    assert again.match.state == session.match.state
    assert again.match.knowledge == session.match.knowledge
    assert again.match.head == session.match.head
    await play(again, 1, Random(4))
    assert len(again.match.entries) > len(session.match.entries)


async def test_a_page_closed_while_the_dealer_was_asked_deals_on_resuming() -> None:
    shelf = MemoryMatches()
    session = await LocalSession.begin(short_match(ME, bot()), context(shelf))
    await play(session, 1, Random(4))
    await session.flush()
    record, rows = await shelf.read(session.id)
    moved = next(entry.index for entry in session.match.entries if entry.statement.kind == "move")
    asked = next(entry.index for entry in session.match.entries[moved:]
                 if session.match.snapshot_at(entry.index).state.requests)
    cut = MemoryMatches()
    await cut.append(session.id, 0, rows[:asked + 1], record)
    again = await LocalSession.resume(session.id, context(cut))
    assert not again.match.state.requests
    await again.flush()
    _, rows = await cut.read(session.id)
    assert len(rows) == len(again.match.entries) > asked + 1


async def test_what_is_not_on_disk_when_a_session_is_closed_can_be_waited_for() -> None:
    """The page of the result is opened by the tap that closes the table."""
    shelf = MemoryMatches()
    session = await LocalSession.begin(short_match(ME, bot()), context(shelf))
    await session.persistence.lock.acquire()  # something is being written
    await play(session, 1, Random(4))
    session.close()
    asyncio.get_running_loop().call_later(0.02, session.persistence.lock.release)
    await session.flush()
    _, rows = await shelf.read(session.id)
    assert len(rows) == len(session.match.entries)
    await session.flush()


async def test_a_second_tab_looks_on_and_takes_over_when_the_first_is_closed() -> None:
    shelf, claims = MemoryMatches(), SingleTab()
    first = await LocalSession.begin(short_match(ME, bot()), context(shelf, claims=claims))
    await first.flush()
    second = await LocalSession.resume(first.id, context(shelf, claims=claims))
    assert not second.owner
    (seat,) = second.acting or (0,)
    with pytest.raises(Refused, match=r"shell\.other_tab\.refused"):
        await second.resign(seat)
    await play(first, 1, Random(6))
    await first.flush()
    first.close()
    await until(second, lambda: second.owner)
    assert second.match.head == first.match.head
    await play(second, 1, Random(6))
    assert len(second.match.entries) > len(first.match.entries)


async def test_a_second_tab_that_cannot_read_the_match_gives_it_free_and_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "READ_AGAIN", 0.01)
    shelf, claims, troubles = MemoryMatches(), SingleTab(), list[str]()
    first = await LocalSession.begin(short_match(ME, bot()), context(shelf, claims=claims))
    await first.flush()
    second = await LocalSession.resume(first.id, context(shelf, claims=claims, trouble=troubles.append))
    read = shelf.read

    failures = 2

    async def fails_twice(name: str) -> tuple[MatchRecord, list[Row]]:
        nonlocal failures
        failures -= 1
        if failures >= 0:
            raise StorageFailed("shell.storage.blocked")
        return await read(name)

    shelf.read = fails_twice  # type: ignore[method-assign]
    first.close()
    await until(second, lambda: second.owner)
    assert troubles == ["shell.storage.blocked"]
    await play(second, 1, Random(6))
    assert len(second.match.entries) > len(first.match.entries)


@pytest.mark.parametrize(("failure", "told"), [
    (Malformed("no entry"), "playing.unreadable"), (refused("kernel.log.counter"), "playing.unreadable"),
    (KeyError("gone"), "playing.none"), (StorageFailed("shell.storage.blocked"), "shell.storage.blocked"),
])
async def test_a_second_tab_that_cannot_read_what_the_first_wrote_says_so_once(failure: Exception, told: str) -> None:
    shelf, claims, troubles, lost = MemoryMatches(), Tabs(), list[str](), list[dict[str, Any]]()
    asyncio.get_running_loop().set_exception_handler(lambda loop, about: lost.append(about))
    first = await LocalSession.begin(short_match(ME, bot()), context(shelf, claims=claims))
    await first.flush()
    second = await LocalSession.resume(first.id, context(shelf, claims=claims, trouble=troubles.append))
    read = shelf.read

    async def fails(name: str) -> tuple[MatchRecord, list[Row]]:
        raise failure

    shelf.read = fails  # type: ignore[method-assign]
    for seed in (6, 7):
        await play(first, 1, Random(seed))
        await first.flush()
        await asyncio.sleep(0.02)
    assert troubles == [told] and not second.owner
    shelf.read = read  # type: ignore[method-assign]
    await play(first, 1, Random(8))
    await first.flush()
    await until(second, lambda: second.match.head == first.match.head)
    first.close()
    await until(second, lambda: second.owner)
    second.close()
    gc.collect()
    assert troubles == [told] and not lost


@pytest.mark.parametrize("failure", [Malformed("no entry"), refused("kernel.log.counter"), KeyError("gone")])
async def test_a_second_tab_that_finds_the_match_damaged_gives_it_free_and_says_so(failure: Exception) -> None:
    shelf, claims, troubles = MemoryMatches(), SingleTab(), list[str]()
    first = await LocalSession.begin(short_match(ME, bot()), context(shelf, claims=claims))
    await first.flush()
    second = await LocalSession.resume(first.id, context(shelf, claims=claims, trouble=troubles.append))

    async def fails(name: str) -> tuple[MatchRecord, list[Row]]:
        raise failure

    shelf.read = fails  # type: ignore[method-assign]
    first.close()
    for _ in range(100):
        await asyncio.sleep(0.01)
        if troubles:
            break
    assert troubles == ["playing.none" if isinstance(failure, KeyError) else "playing.unreadable"]
    assert not second.owner and await claims.claim(first.id), "a third tab can have it"
    second.close()


class LateNews(SingleTab):
    """Locks of a browser that tells what another tab wrote last when that one has given the match free already."""

    def __init__(self) -> None:
        super().__init__()
        self.listeners: list[Callable[[], None]] = []

    def on_news(self, name: str, listener: Callable[[], None]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    async def wait(self, name: str) -> bool:
        granted = await super().wait(name)
        for listener in self.listeners:
            listener()
        return granted


async def test_late_news_of_a_tab_that_was_closed_take_nothing_from_the_one_that_goes_on() -> None:
    """It deals what was asked for when the other one was closed, and that is not on the disk at once."""
    shelf, claims = MemoryMatches(), LateNews()
    session = await LocalSession.begin(short_match(ME, bot()), context(shelf))
    await play(session, 1, Random(4))
    await session.flush()
    record, rows = await shelf.read(session.id)
    asked = max(entry.index for entry in session.match.entries if session.match.snapshot_at(entry.index).state.requests)
    cut = MemoryMatches()
    await cut.append(session.id, 0, rows[:asked + 1], record)
    await claims.claim(session.id)
    second = await LocalSession.resume(session.id, context(cut, claims=claims))
    append = cut.append

    async def slow(*what: Any) -> None:
        await asyncio.sleep(0.02)
        await append(*what)

    cut.append = slow  # type: ignore[assignment, method-assign]
    claims.release(session.id)
    await until(second, lambda: second.owner)
    await asyncio.sleep(0.05)
    await second.flush()
    _, rows = await cut.read(session.id)
    assert len(rows) == len(second.match.entries) > asked + 1 and not second.match.state.requests


async def test_however_often_another_tab_writes_its_match_is_read_once_at_a_time() -> None:
    """Reading a long match takes longer than the next move."""
    shelf, claims = MemoryMatches(), LateNews()
    first = await LocalSession.begin(short_match(ME, bot()), context(shelf, claims=claims))
    await first.flush()
    second = await LocalSession.resume(first.id, context(shelf, claims=claims))
    read, times, may_end = shelf.read, list[str](), asyncio.Event()

    async def noted(name: str) -> tuple[MatchRecord, list[Row]]:
        times.append(name)
        await may_end.wait()
        return await read(name)

    shelf.read = noted  # type: ignore[method-assign]
    await settle()
    assert claims.listeners
    for _ in range(20):
        for listener in claims.listeners:
            listener()
        await settle()
    assert len(times) == 1
    may_end.set()
    await settle()
    assert len(times) == 2 and second.match.head == first.match.head  # once more for all that was heard meanwhile


async def test_a_tab_that_wrote_behind_another_ones_back_never_forks_the_match() -> None:
    shelf = MemoryMatches()
    troubles: list[str] = []
    one = await LocalSession.begin(short_match(ME, ME), context(shelf, trouble=troubles.append))
    await one.flush()
    other = await LocalSession.resume(one.id, context(shelf, trouble=troubles.append))  # no locks: both believe they own it
    assert [one.owner, other.owner] == [True, True]
    await play(one, 1, Random(7))
    await one.flush()
    await play(other, 1, Random(8))
    await other.flush()
    assert troubles == ["shell.other_tab.lost"]
    assert [one.owner, other.owner] == [True, False]
    assert other.match.head == one.match.head


async def test_without_room_it_says_so_once_and_writes_everything_when_there_is() -> None:
    shelf = FullShelf()
    troubles: list[str] = []
    session = await LocalSession.begin(short_match(ME, bot()), context(shelf, trouble=troubles.append))
    await play(session, 2, Random(9))
    await until(session, lambda: session.thinking is None)
    await session.flush()
    assert troubles == ["shell.storage.full"]
    assert [session.stored] == [False]
    shelf.room = True
    await session.flush()
    _, rows = await shelf.read(session.id)
    assert (session.stored, len(rows)) == (True, len(session.match.entries))


async def test_a_shared_device_covers_the_hand_when_it_changes_hands() -> None:
    session = await LocalSession.begin(short_match(ME, ME, bot()), context())
    (seat,) = session.acting
    assert len(session.readers) == 0
    session.uncover(seat)
    assert list(session.readers) == [seat]
    while session.acting == (seat,):  # a turn may have several moves
        await play(session, 1, Random(10))
    await until(session, lambda: session.thinking is None)
    assert session.acting != (seat,)
    assert len(session.readers) == 0
    with pytest.raises(Refused):
        session.uncover(2)


async def test_undo_stops_a_thinking_bot() -> None:
    session = await LocalSession.begin(short_match(ME, bot()), context())
    before = len(session.match.entries) - 1
    await play(session, 1, Random(11))
    await session.undo(0, before, practice=True)
    assert session.acting == (0,)
    assert session.match.state.practice
    entries = len(session.match.entries)
    await asyncio.sleep(0.1)
    assert len(session.match.entries) == entries  # the bot's answer to the turn taken back never came


async def test_a_chosen_deal_is_the_same_for_everybody() -> None:
    hands = set()
    for _ in range(2):
        session = await LocalSession.begin(short_match(ME, bot(), seed=77), context())
        hands.add(canonical({str(card): face for card, face in session.match.view((0,)).faces.items()}))
    assert len(hands) == 1


async def test_a_bot_takes_over_for_somebody_who_left() -> None:
    session = await LocalSession.begin(short_match(ME, ME), context())
    await session.play_on(0)
    await until(session, lambda: session.acting == (1,))
    assert session.people == (1,)
    assert session.readers == (1,)


async def test_a_damaged_match_is_refused_and_given_free() -> None:
    shelf, claims = MemoryMatches(), SingleTab()
    session = await LocalSession.begin(short_match(ME, bot()), context(shelf, claims=claims))
    await play(session, 1, Random(1))
    session.close()
    await asyncio.sleep(0.01)
    record, rows = await shelf.read(session.id)
    await shelf.remove(session.id)
    await shelf.append(session.id, 0, rows[:1] + rows[2:], record)
    with pytest.raises((Malformed, Refused)):
        await LocalSession.resume(session.id, context(shelf, claims=claims))
    assert await claims.claim(session.id)
    with pytest.raises(KeyError):
        await LocalSession.resume("nowhere", context(shelf, claims=claims))


async def taken_in(text: str) -> tuple[LocalSession, list[str]]:
    """The match in the file ``text``, opened on a device that has taken it in; what trouble is said."""
    shelf, said = MemoryMatches(), list[str]()
    assert await unpack(shelf, text) == (1, 0)
    (record,) = await shelf.records()
    return await LocalSession.resume(record.id, context(shelf, trouble=said.append)), said


@pytest.mark.parametrize("game", GAMES)
async def test_what_one_seat_saw_of_a_match_is_watched_and_not_played_on(game: str) -> None:
    """Nobody could deal: a file of one seat lacks the faces of the others and of the pile."""
    seats = [ME, *(bot() for _ in range(rules_of(game).seat_counts[0] - 1 or 1))]
    table = Table.begin(rules_of(game), short_match(*seats, game=game), OpenDealer(Random(3)))
    whole, said = await taken_in(export(table.match))
    assert whole.owner and not whole.is_fragment
    whole.close()
    text = export(table.match, 0)
    session, said = await taken_in(text)
    known = len(session.match.knowledge)
    if known == session.match.state.next_card:
        pytest.skip("this game shows everything from the beginning")
    await settle()
    assert session.is_fragment and not session.owner and said == []
    assert session.people == (0,) and missing_faces(session.match, 0) == 0
    assert len(session.match.entries) == len(table.match.entries)
    for act in (session.resign(0), session.time_out(0), session.move(0, ("pass",))):
        with pytest.raises(Refused, match=r"playing\.fragment"):
            await act


@pytest.mark.parametrize("level", ["", "seer", "random"])
async def test_a_bot_whose_level_nobody_can_choose_plays_as_usual(level: str) -> None:
    setup = short_match(ME, bot(level))
    table = Table.begin(rules_of(setup.game), setup, OpenDealer(Random(3)))
    session, said = await taken_in(export(table.match))
    await play(session, 3, Random(1))
    assert said == []
    assert any(entry.statement.kind == "move" and entry.statement.body["seat"] == 1 for entry in session.match.entries)
