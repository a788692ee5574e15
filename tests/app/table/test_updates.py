"""What happened, on its way to the screen: told to its readers alone, once, in order, after it is drawn."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from tabletin.app.session.local import LocalSession
from tabletin.app.table.narration import Narration, Reader
from tabletin.app.table.updates import TableUpdates
from tabletin.board.scene import Scene
from tabletin.bots.arena import play
from tabletin.kernel.match import Match
from tabletin.kernel.requests import ALL
from tabletin.kernel.setup import Seat
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import GAMES, rules_of
from tabletin.words.wording import Wording
from tests.support import board_tables
from tests.support.board_tables import seated
from tests.support.bots_here import BotsHere, context, short_match
from tests.support.examples import lasting

pytestmark = pytest.mark.usefixtures("swap")


def read(match: Match, uncovered: Iterable[int] = ()) -> list[str]:
    """All of ``match`` in words."""
    narration = Narration(match)
    return [line.text for line in narration.lines(narration.events, Wording(board_tables.WORDS, match.setup), uncovered)]


# ---- what is told to whom ----


def test_private_events_are_told_to_their_seat_alone() -> None:
    match = seated("swap", 3, seed=4).match
    public, own = read(match), read(match, (1,))
    assert not any("drew" in line for line in public)
    assert [line for line in own if line not in public] == [line for line in own if line.startswith("Ben drew")] != []
    grown = Narration(seated("swap", 3, seed=4).match)
    grown.add(0, ())
    assert len(grown.events) == len(Narration(match).events)


@pytest.mark.parametrize("game", [game for game in GAMES if rules_of(game).several_hands and 2 in rules_of(game).seat_counts])
def test_what_was_told_of_an_earlier_deal_stays_told(game: str) -> None:
    """The same sentences whether heard as they came or read when there is another deck on the table."""
    narrations: list[Narration] = []
    heard: list[str] = []
    length = 0

    def watch(table: Table) -> None:
        nonlocal length
        match = table.match
        if not narrations:
            narrations.append(Narration(match))
            narrations[0].rewind(Reader.VOICE)
        else:
            for entry in match.entries[length:]:
                narrations[0].add(entry.index, match.events(entry.index))
        length = len(match.entries)
        told = narrations[0].take(Reader.VOICE)
        heard.extend(line.text for line in narrations[0].lines(told, Wording(board_tables.WORDS, match.setup), ()))

    table, _ = play(game, ("easy", "easy"), lasting(game), seed=2, budget=0.01, watch=watch)
    lines = read(table.match)
    assert heard == lines
    wording = Wording(board_tables.WORDS, table.match.setup)
    public = {entry.index: {*snapshot.openings, *snapshot.state.public} for entry, snapshot, _ in table.match.steps()}
    events = [told for told in Narration(table.match).events
              if told.event.cards and told.event.reader == ALL and public[told.index] >= set(told.event.cards)]
    assert len(events) > 3, "cards that everybody saw"
    for told in events:
        assert told.faces.keys() == set(told.event.cards)
        assert wording.event(told.event, told.faces) in lines


def test_what_one_act_did_with_several_cards_alike_is_told_once() -> None:
    table = seated("swap", 3, seed=4)
    passes(table, 1)
    match, narration = table.match, Narration(table.match)
    told = next(one for one in narration.events if one.event.reader == ALL)
    later = replace(told, index=told.index + 1)
    lines = narration.lines((told, told, later), Wording(board_tables.WORDS, match.setup), ())
    assert [line.index for line in lines] == [told.index, later.index]


# ---- one queue, a place in it for every reader ----


def passes(table: Table, times: int) -> None:
    """Whoever is to move exchanges the first card, ``times`` times."""
    for _ in range(times):
        seat = table.match.rules.to_act(table.match.state)[0]
        table.move(seat, ("swap", table.match.state.hands[seat][:1]))


def grow(narration: Narration, since: int) -> None:
    """Add the entries of the match from ``since`` on."""
    for entry in narration.match.entries[since:]:
        narration.add(entry.index, narration.match.events(entry.index))


def test_every_reader_takes_all_that_happened_once_and_in_order_at_its_own_time() -> None:
    table = seated("swap", 3, seed=4)
    narration = Narration(table.match)
    assert not any(narration.pending(reader) for reader in Reader)  # what was before the table was opened is no news
    heard: dict[Reader, list[int]] = {reader: [] for reader in Reader}
    for turn in range(4):
        since = len(table.match.entries)
        passes(table, 1)
        grow(narration, since)
        heard[Reader.PICTURE] += [told.index for told in narration.take(Reader.PICTURE)]
        if turn % 2:
            heard[Reader.VOICE] += [told.index for told in narration.take(Reader.VOICE)]
        assert not narration.pending(Reader.PICTURE)
    heard[Reader.LOG] += [told.index for told in narration.take(Reader.LOG)]
    assert heard[Reader.PICTURE] == heard[Reader.VOICE] == heard[Reader.LOG] == sorted(heard[Reader.LOG])
    assert len(set(heard[Reader.LOG])) == 8  # each pass, and what came from the pile
    narration.rewind(Reader.LOG)
    assert narration.is_rewound(Reader.LOG) and narration.pending(Reader.LOG) == list(narration.events)
    swap = next(told.event.key for told in reversed(narration.events) if told.event.seat is not None)
    taken = narration.take(Reader.LOG, until=swap)
    assert taken and [told.event.key for told in narration.pending(Reader.LOG)].count(swap) == 1, "the last one waits …"
    since = len(table.match.entries)
    passes(table, 1)  # the last of its kind is another one now, and not the first event of its entry
    grow(narration, since)
    pending = narration.pending(Reader.LOG)
    assert narration.pending(Reader.LOG, until=swap) == [one for one in pending if one.index <= since] != pending
    narration.take(Reader.LOG)
    assert narration.pending(Reader.LOG, until=swap) == [] == narration.take(Reader.LOG, until=swap), "what was taken is not news"
    assert taken + pending == list(narration.events), "… and comes later"
    assert {one.index for one in narration.pending(Reader.VOICE)} == {one.index for one in pending if one.index >= since}


def test_a_log_that_is_read_anew_is_told_from_where_its_readers_were() -> None:
    """Another tab has gone on: what it did is news. It wrote in place of ours: that is news too, and the log begins anew."""
    here, there = seated("swap", 3, seed=4), seated("swap", 3, seed=4)
    passes(here, 1)
    passes(there, 2)
    narration = Narration(here.match)
    narration.reread(there.match)
    assert narration.match is there.match
    assert {told.index for told in narration.pending(Reader.VOICE)} == {
        told.index for told in narration.events if told.index >= len(here.match.entries)} != set()
    assert not narration.is_rewound(Reader.LOG)

    other = seated("swap", 3, seed=4)
    start = len(other.match.entries)
    first = other.match.rules.to_act(other.match.state)[0]
    other.move(first, ("swap", ()))
    assert len(other.match.entries) < len(there.match.entries)
    narration.take(Reader.VOICE)
    narration.reread(other.match)
    assert [told.index for told in narration.take(Reader.VOICE)] == [start]
    assert narration.is_rewound(Reader.LOG)


def test_what_takes_the_place_of_entries_that_fell_away_is_told_and_the_log_begins_anew() -> None:
    """Among peers the last entries may fall away while the table lies there; others may be as many."""
    table = seated("swap", 3, seed=4)
    match, since = table.match, len(table.match.entries)
    narration = Narration(match)
    passes(table, 1)
    grow(narration, since)
    for reader in Reader:
        narration.take(reader)
    match.cut(since)
    table.move(match.rules.to_act(match.state)[0], ("swap", ()))
    assert not narration.pending(Reader.VOICE) and narration.is_rewound(Reader.LOG)
    grow(narration, since)
    assert [told.index for told in narration.take(Reader.VOICE)] == [since]
    assert narration.events == Narration(match).events == narration.take(Reader.LOG)


def test_entries_that_were_not_told_take_nothing_from_those_before_and_behind_them() -> None:
    table = seated("swap", 3, seed=4)
    narration, since = Narration(table.match), len(table.match.entries)
    before = list(narration.events)
    passes(table, 2)
    grow(narration, len(table.match.entries) - 1)
    assert narration.events[:len(before)] == before and not narration.drops
    assert [told.index for told in narration.take(Reader.VOICE)] == [len(table.match.entries) - 1] != [since]


# ---- the picture, then the voice, then the log ----


class Host:
    """A table without a page: what it was told to show, say and write, in order."""

    def __init__(self, session: LocalSession) -> None:
        self.session = session
        self.narration = Narration(session.match)
        self.scene = Scene()
        self.done: list[tuple[str, Any]] = []
        self.updates = TableUpdates(self, self, self)

    def show_news(self) -> None:
        self.done.append(("show", len(self.updates.take())))
        self.updates.follow()

    def tell(self, sentences: Iterable[str]) -> None:
        self.done.append(("say", list(sentences)))

    def forget(self) -> None:
        self.done.append(("unsay", None))

    def ask(self, *, anew: bool = False) -> None:
        self.done.append(("ask", anew))

    def write_log(self, *, anew: bool = False) -> None:
        lines = [told.index for told in self.narration.take(Reader.LOG)]
        self.done.append(("log anew" if anew else "log", lines))

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.done]


async def quiet() -> None:
    """Every task that was begun has run."""
    for _ in range(4):
        await asyncio.sleep(0)


def among_people(test: Callable[[LocalSession, Host, TableUpdates], Awaitable[None]], *seats: Seat) -> None:
    """Run ``test`` with a match of ``seats``, two people without any."""
    async def run() -> None:
        people = seats or (Seat("person", AUTHOR, "Ann"), Seat("person", AUTHOR, "Ben"))
        session = await LocalSession.begin(short_match(*people, game="swap"), context(bots=BotsHere()))
        host = Host(session)
        await test(session, host, host.updates)
        session.close()
        await quiet()

    asyncio.run(run())


def test_an_act_of_several_entries_is_drawn_once_then_said_once_then_logged() -> None:
    async def act(session: LocalSession, host: Host, updates: TableUpdates) -> None:
        entries = len(session.match.entries)
        hand = session.match.state.hands[0]
        await session.move(0, ("swap", hand[:2]))
        assert len(session.match.entries) > entries + 1  # the move, and what the dealer answered
        assert host.done == []  # drawing is a task of its own
        await quiet()
        assert host.kinds() == ["show", "say", "ask", "log"]
        (_, shown), (_, said), (_, anew), (_, logged) = host.done
        assert not anew  # nobody else has acted since
        assert shown == len(logged) and said == read(session.match)[-len(said):]
        assert len(said) == len(set(said)) >= 1

    among_people(act)


def test_who_acts_draws_what_came_of_it_at_once_and_no_second_time() -> None:
    async def act(session: LocalSession, host: Host, updates: TableUpdates) -> None:
        await session.move(0, ("swap", ()))
        due = updates.is_due
        host.show_news()
        assert (due, updates.is_due, host.kinds()) == (True, False, ["show"])
        await quiet()
        assert host.kinds() == ["show", "say", "ask", "log"]

    among_people(act)


def test_two_acts_before_the_page_is_drawn_are_said_together_in_order() -> None:
    async def act(session: LocalSession, host: Host, updates: TableUpdates) -> None:
        before = len(read(session.match))
        await session.move(0, ("swap", ()))
        await session.move(1, ("swap", ()))
        await quiet()
        assert host.kinds() == ["show", "say", "ask", "log"]
        assert host.done[1][1] == read(session.match)[before:]

    among_people(act)


def test_what_comes_after_a_result_that_is_looked_at_is_said_when_it_has_been_seen() -> None:
    async def act(session: LocalSession, host: Host, updates: TableUpdates) -> None:
        await session.move(0, ("swap", ()))
        await quiet()
        first = [line for kind, lines in host.done if kind == "say" for line in lines]
        host.done.clear()
        swap = next(one.event.key for one in reversed(host.narration.events) if one.event.seat is not None)
        host.scene = Scene(log_until=swap)
        await session.move(1, ("swap", ()))
        await quiet()
        speaks = [updates.is_speaking]
        held = [line for kind, lines in host.done if kind == "say" for line in lines]
        host.scene = Scene()
        host.done.clear()
        assert [*speaks, updates.is_speaking] == [False, True], "while it is held what is asked about the result can be said"
        updates.follow()
        await quiet()
        assert host.kinds() == ["say", "ask", "log"]
        said = host.done[0][1]
        assert said and first + held + said == read(session.match)[-len(first + held + said):]

    among_people(act)


def test_what_was_said_to_one_person_is_taken_away_before_the_next_one_looks() -> None:
    async def act(session: LocalSession, host: Host, updates: TableUpdates) -> None:
        session.uncover(0)
        await quiet()
        assert host.kinds() == ["show", "unsay", "say", "ask", "log anew"]
        assert host.done[2][1] == []  # nothing new has happened
        host.done.clear()
        await session.move(0, ("swap", ()))  # the hand is covered for Ben
        await quiet()
        assert host.kinds() == ["show", "unsay", "say", "ask", "log anew"]
        assert host.done[2][1] == read(session.match)[-1:]

    among_people(act)


def test_a_new_turn_is_asked_for_anew_and_after_what_others_did() -> None:
    async def act(session: LocalSession, host: Host, updates: TableUpdates) -> None:
        await session.move(0, ("swap", ()))
        await quiet()
        assert host.done[1][0] == "say" and host.done[2] == ("ask", False)  # the reader's own act is no new turn yet
        for _ in range(200):
            if 0 in session.acting:
                break
            await asyncio.sleep(0.01)
        await quiet()
        asked = [anew for kind, anew in host.done if kind == "ask"]
        assert asked[-1] is True and host.kinds()[-3:] == ["say", "ask", "log"]

    among_people(act, Seat("person", AUTHOR, "Ann"), Seat("bot", AUTHOR, "Bo", level="easy"))


def test_a_table_that_is_left_hears_no_more() -> None:
    async def act(session: LocalSession, host: Host, updates: TableUpdates) -> None:
        await session.move(0, ("swap", ()))
        updates.stop()
        await quiet()
        assert host.done == []

    among_people(act)


def test_a_log_whose_last_lines_fell_away_is_written_anew_though_nothing_else_is_to_be_said() -> None:
    async def act(session: LocalSession, host: Host, updates: TableUpdates) -> None:
        for seat in (0, 1):
            await session.move(seat, ("swap", ()))
        await quiet()
        host.done.clear()
        session.match.cut(len(session.match.entries) - 1)
        session.publish()
        await quiet()
        assert host.kinds() == ["show", "say", "ask", "log"]
        assert host.done[-1][1] == [told.index for told in Narration(session.match).events] != []
        host.done.clear()
        session.publish()
        await quiet()
        assert host.kinds() == ["show"], "once"

    among_people(act)
