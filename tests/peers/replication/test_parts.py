"""The parts of a replica, each by itself: acknowledgements, the order, what a device holds, entries and heads that come."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tabletin.kernel.log import Entry, Json, Statement, canonical, place
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.rules import Outcome
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import PROTOCOL, Seat
from tabletin.peers.dealing.deferred_checker import DeferredChecker
from tabletin.peers.replication import evidence
from tabletin.peers.replication import sync as sync_module
from tabletin.peers.replication.accusations import Accusations
from tabletin.peers.replication.acks import Acknowledgements
from tabletin.peers.replication.authority import acknowledgement
from tabletin.peers.replication.backfill import BATCH, Backfill
from tabletin.peers.replication.ballots import Certificate
from tabletin.peers.replication.choices import Choices
from tabletin.peers.replication.evidence import Accusation
from tabletin.peers.replication.payloads import Payloads
from tabletin.peers.replication.sequencer import Sequencer
from tabletin.peers.replication.state import EMPTY_HANDED, SILENT_AFTER, DeadStatement, ReplicaState
from tabletin.peers.replication.successor import successor_setup
from tabletin.peers.replication.sync import MOST_EARLY, SETTLED_PAUSE, TRIAL_PATIENCE, VERSION, LogSync, Trial
from tabletin.peers.sealed.requests import RemaskDuty, RollDuty, ShareDuty
from tests.support.ballots import end_of, first_body, first_entry, subject_gone, vote_of
from tests.support.device_moves import peer_of
from tests.support.forging import put, signed
from tests.support.peer_part import PartOf
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable


class Parts(PartOf):
    """The parts of ``node`` that take the log in and order it."""

    def __init__(self, table: RestingTable, node: Node) -> None:
        super().__init__(table, node)
        self.backfill = Backfill(self.state, self.outbox, Payloads(self.state, self.outbox))
        self.accusations = Accusations(self.state, self.outbox)
        self.sync = LogSync(self.state, self.outbox, self.backfill, self.accusations)
        self.choices = Choices()
        self.sequencer = Sequencer(self.state, self.outbox, self.backfill, self.accusations, self.choices)

    @property
    def counts(self) -> dict[str, int]:
        found = dict(self.state.refusal_counts)
        self.state.refusal_counts.clear()
        return found

    def put(self, sender: Node, *entries: Entry) -> None:
        self.sync.hear_entries(sender.author, {"t": "put", "e": [entry.to_json() for entry in entries]})

    def head(self, sender: Node, **changes: Any) -> None:
        last = len(self.match.entries) - 1
        message = {"t": "head", "i": last, "h": self.match.head, "m": self.match.id, "v": VERSION, **changes}
        self.sync.hear_head(sender.author, {name: value for name, value in message.items() if value != "none"})


@pytest.fixture
def table() -> RestingTable:
    return RestingTable(841, entries=12)


@pytest.fixture
def waiting(table: RestingTable) -> Parts:
    return Parts(table, table.waiting)


@pytest.fixture
def orderer(table: RestingTable) -> Parts:
    return Parts(table, table.orderer)


def renames(table: RestingTable, node: Node, **changes: Any) -> Statement:
    seat = table.seat(node)
    body = {"seat": seat, "to": table.match.setup.seats[seat].to_json()}
    return signed(node, "seat", body, **{"count": table.match.count(node.author), "head": table.match.head, **changes})


def chain(table: RestingTable, count: int, **changes: Any) -> list[Entry]:
    """The next ``count`` entries, placed by who orders; ``changes``: of what their statements say."""
    copy = Parts(table, table.orderer)
    entries = []
    for _ in range(count):
        entries.append(put(table.orderer, renames(table, table.third, count=copy.match.count(table.third.author), **changes)))
        copy.match.append(entries[-1])
    copy.match.cut(len(copy.match.entries) - count)
    return entries


def placed(node: Node, statement: Statement, index: int, previous: str) -> Entry:
    """``statement`` behind the entry with hash ``previous``, signed by ``node``."""
    return Entry.create(index, previous, statement, node.identity.sign(canonical(place(index, previous, statement.hash))))


# ---- acknowledgements ----

def signed_head(node: Node, match: Any, index: int, head: str) -> tuple[int, str, str]:
    return index, head, node.identity.sign(acknowledgement(match.id, index, head))


def test_the_newest_head_that_an_author_signed_counts(waiting: Parts, table: RestingTable) -> None:
    acks, match, author = Acknowledgements(waiting.match, waiting.state.authority), waiting.match, table.third.author
    last = len(match.entries) - 1
    assert acks.newest(author) is None and acks.lacking([author], 1) == (author,) and acks.lacking([author], 0) == ()
    acks.acknowledge(author, *signed_head(table.third, match, 5, match.entries[5].hash))
    assert acks.lacking([author], 5) == () and acks.lacking([author, "x"], 6) == (author, "x")
    acks.acknowledge(author, 4, "1" * 64, "")  # an older one is not even looked at
    acks.acknowledge(author, 5, "1" * 64, "")
    newest = acks.newest(author)
    assert newest is not None and newest.index == 5
    for index, head in ((6, match.entries[6].hash), (last + 1, "1" * 64)):
        with pytest.raises(Malformed):
            acks.acknowledge(author, index, head, "0" * 128)
    acks.acknowledge(author, *signed_head(table.third, match, last, "1" * 64))
    assert acks.lacking([author], 6) == (author,), "it holds another entry there"
    acks.acknowledge(author, *signed_head(table.third, match, 7, match.entries[7].hash))
    assert acks.lacking([author], 7) == (), "what fell away does not stand in the way of less"
    acks.acknowledge(author, *signed_head(table.third, match, last + 1, "2" * 64))
    acks.acknowledge(author, last + 1, "2" * 64, "")
    assert acks.lacking([author], 8) == (author,), "it is not here yet"


def test_what_shows_that_an_author_holds_an_entry_is_kept(waiting: Parts, table: RestingTable) -> None:
    acks, match, author = Acknowledgements(waiting.match, waiting.state.authority), waiting.match, table.third.author
    last = len(match.entries) - 1
    assert acks.newest_held(author) is None
    for index, head in ((5, match.entries[5].hash), (7, match.entries[7].hash), (last + 1, "1" * 64), (6, match.entries[6].hash)):
        acks.acknowledge(author, *signed_head(table.third, match, index, head))
        held, newest = acks.newest_held(author), acks.newest(author)
        assert held is not None and held.index == min(index + (index == 6), 7)
        assert newest is not None and newest.index == index
    (entry,) = chain(table, 1)
    acks.acknowledge(author, *signed_head(table.third, match, entry.index, entry.hash))
    match.append(entry)
    acks.note_entry(entry, table.orderer.author)
    held = acks.newest_held(author)
    assert held is not None and held.head == entry.hash, "it came later"
    match.cut(entry.index)
    assert acks.newest_held(author) is None, "it fell away"
    acks.acknowledge(author, *signed_head(table.third, match, 4, match.entries[4].hash))
    held = acks.newest_held(author)
    assert held is not None and held.index == 4


def test_an_entry_tells_what_its_author_and_who_placed_it_hold(waiting: Parts, table: RestingTable) -> None:
    acks, match = Acknowledgements(waiting.match, waiting.state.authority), waiting.match
    (entry,) = chain(table, 1)
    acks.acknowledge(table.waiting.author, *signed_head(table.waiting, match, entry.index, entry.hash))
    assert acks.lacking([table.waiting.author], 1) == (table.waiting.author,)
    match.append(entry)
    acks.note_entry(entry, table.orderer.author)
    assert acks.lacking([table.orderer.author, table.waiting.author], entry.index) == ()
    assert acks.lacking([table.third.author], entry.index) == (table.third.author,)
    assert acks.lacking([table.third.author], entry.index - 1) == ()
    acks.cut(entry.index)
    assert acks.lacking([table.orderer.author], entry.index) == (table.orderer.author,)
    assert acks.lacking([table.orderer.author], entry.index - 1) == ()
    acks.cut(5)
    assert acks.lacking([table.third.author], 4) == () and acks.lacking([table.third.author], 5) != ()


def test_who_names_the_genesis_is_known_to_hold_no_more(waiting: Parts, table: RestingTable) -> None:
    acks, entry = Acknowledgements(waiting.match, waiting.state.authority), waiting.match.entries[2]
    author = entry.statement.author
    assert waiting.match.index_of(entry.statement.head) == 0 and author != table.orderer.author
    acks.note_entry(entry, table.orderer.author)
    assert acks.lacking([author], 1) == (author,)


def test_of_a_log_that_was_there_everybody_holds_the_newest_entry_that_it_named(waiting: Parts) -> None:
    match, authority = waiting.match, waiting.state.authority
    acks = Acknowledgements(match, authority)
    acks.note_log()
    for author in match.snapshot.live:
        held = max(match.index_of(entry.statement.head) or 0 for entry in match.entries if entry.statement.author == author)
        assert held > 0 and acks.lacking([author], held) == () and acks.lacking([author], held + 1) == (author,)
    begun = Acknowledgements(match.branch(2), authority)
    begun.note_log()
    assert begun.lacking(match.snapshot.live, 1) == match.snapshot.live


def test_what_was_heard_is_passed_on_once_and_all_of_it_now_and_then(waiting: Parts, table: RestingTable) -> None:
    acks, match = Acknowledgements(waiting.match, waiting.state.authority), waiting.match
    heads = {node.author: signed_head(node, match, 5, match.entries[5].hash) for node in (table.third, table.orderer)}
    for author, head in heads.items():
        acks.acknowledge(author, *head)
    all_of_it = {author: list(head) for author, head in heads.items()}
    newer = signed_head(table.third, match, 6, match.entries[6].hash)
    assert [acks.report(), acks.report()] == [all_of_it, {}]
    acks.acknowledge(table.third.author, *newer)
    assert [acks.report(), acks.report()] == [{table.third.author: list(newer)}, {}]
    assert [acks.report(), acks.report()] == [{**all_of_it, table.third.author: list(newer)}, {}]


def test_a_share_is_wanted_since_the_entry_that_asked_for_it(waiting: Parts, table: RestingTable) -> None:
    acks = Acknowledgements(waiting.match, waiting.state.authority)
    wanted: dict[tuple[str, int], Any] = {("card", 3): ("a", 1), ("card", 4): ("b", None)}
    deal: Any = SimpleNamespace(wanted_shares=lambda: wanted)
    last = len(waiting.match.entries) - 1
    found = [acks.is_share_wanted, acks.note_wanted(None), acks.note_wanted(deal), acks.is_share_wanted, acks.note_wanted(deal)]
    assert found == [False, False, True, True, False]
    (entry,) = chain(table, 1)
    waiting.match.append(entry)
    wanted["card", 4] = ("c", None)
    wanted["roll", 7] = "h"
    assert acks.note_wanted(deal) and not acks.note_wanted(deal)
    for duty, since in ((ShareDuty((3,)), last), (ShareDuty((3, 4)), last + 1), (ShareDuty((4,)), last + 1),
                        (RollDuty(7), last + 1), (ShareDuty((9,)), last + 1), (RollDuty(8), last + 1), (RemaskDuty((3,)), 0)):
        assert acks.wanted_since(duty) == since
    acks.cut(last + 1)
    assert acks.wanted_since(ShareDuty((3,))) == last, "what asked for that stands"
    assert acks.note_wanted(deal), "what asked for the others fell away"
    assert not acks.note_wanted(None) and not acks.is_share_wanted


# ---- the order ----

def test_a_statement_gets_its_place_from_who_orders_alone(orderer: Parts, waiting: Parts, table: RestingTable) -> None:
    statement = renames(table, table.third)
    message: dict[str, Json] = {"t": "say", "s": statement.to_json()}
    for _ in range(2):
        waiting.sequencer.hear_statement(table.third.author, message)
    assert waiting.counts == {"peers.not_ordering": 2} and waiting.told() == []
    orderer.state.unheard_authors = set(orderer.state.other_authors)
    orderer.sequencer.hear_statement(table.third.author, message)
    assert orderer.counts == {"peers.not_ordering": 1}
    orderer.state.unheard_authors = set()
    with pytest.raises(Malformed):
        orderer.sequencer.hear_statement(table.third.author, {"s": renames(table, table.third, match="1" * 64).to_json()})
    for _ in range(2):
        orderer.sequencer.hear_statement(table.third.author, {"s": replace(statement, signature="0" * 128).to_json()})
    assert orderer.counts == {"peers.unsigned": 2}
    length = len(orderer.match.entries)
    orderer.sequencer.hear_statement(table.third.author, message)
    assert len(orderer.match.entries) == length + 1 and orderer.match.entries[-1].statement == statement
    ((to, told),) = orderer.told()
    assert (to, told["t"], [entry["i"] for entry in told["e"]]) == (None, "put", [length])


def test_who_says_the_same_again_gets_the_entry_and_who_says_another_is_accused(orderer: Parts, table: RestingTable) -> None:
    placed = next(entry for entry in reversed(orderer.match.entries) if entry.statement.author == table.third.author)
    orderer.sequencer.hear_statement(table.waiting.author, {"s": placed.statement.to_json()})
    ((to, told),) = orderer.told()
    assert to == table.waiting.author and [entry["i"] for entry in told["e"]] == [placed.index]
    other = renames(table, table.third, count=placed.statement.count)
    orderer.sequencer.hear_statement(table.third.author, {"s": other.to_json()})
    (accusation,) = orderer.state.accusations
    assert (accusation.culprit, accusation.why) == (table.third.author, "counter")
    orderer.state.accusations.clear()
    orderer.told()
    gap = renames(table, table.third, count=orderer.match.count(table.third.author) + 3)
    orderer.sequencer.hear_statement(table.third.author, {"s": gap.to_json()})
    skipped = renames(table, table.third, count=gap.count - 1)
    orderer.told()
    for _ in range(2):
        orderer.sequencer.hear_statement(table.third.author, {"s": skipped.to_json()})
    assert orderer.told() == [(table.third.author, {"t": "no", "h": skipped.hash, "k": "kernel.log.counter"})] * 2
    assert orderer.counts == {"kernel.log.counter": 2} and not orderer.state.accusations


def complete_false_chain(monkeypatch: pytest.MonkeyPatch, parts: Parts, cheat: Node) -> None:
    """With the next entry of ``parts`` a chain will be complete in which a shuffle of ``cheat`` is false."""
    grow = parts.state.append

    def completes(entry: Entry) -> None:
        grow(entry)
        dealing = parts.state.dealing
        dealing.guilty, dealing.spoiled_decks = cheat.author, dealing.spoiled_decks + 1

    monkeypatch.setattr(parts.state, "append", completes)


def test_who_orders_accuses_as_soon_as_its_own_log_shows_a_false_shuffle(orderer: Parts, table: RestingTable,
                                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    complete_false_chain(monkeypatch, orderer, table.third)
    assert orderer.sequencer.place(renames(table, table.orderer)) is None
    assert [(one.culprit, one.why) for one in orderer.state.accusations] == [(table.third.author, "shuffle")]


def test_a_refused_statement_is_answered_and_its_author_suspected(orderer: Parts, table: RestingTable) -> None:
    wrong = signed(table.third, "order", {"to": table.third.author})
    orderer.sequencer.hear_statement(table.third.author, {"s": wrong.to_json()})
    assert (table.third.author, {"t": "no", "h": wrong.hash, "k": "peers.not_ordering"}) in orderer.told()
    assert [(one.culprit, one.why) for one in orderer.state.accusations] == [(table.third.author, "statement")]
    asked = Parts(table, table.orderer)
    asked.sequencer.hear_statement(table.waiting.author, {"s": wrong.to_json()})
    assert asked.state.accusations and "no" not in [message["t"] for _, message in asked.told()], "nobody else is answered"
    own = Parts(table, table.orderer)
    wrong = signed(table.orderer, "order", {"to": "x"})
    own.sequencer.hear_statement(table.orderer.author, {"s": wrong.to_json()})
    assert own.told() == [] and not own.state.accusations
    refusal = own.sequencer.place(wrong)
    assert refusal is not None and refusal.key == "peers.not_ordering"
    assert own.sequencer.place(renames(table, table.orderer)) is None


def test_a_statement_that_says_too_much_is_malformed(orderer: Parts, table: RestingTable,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    statement, length = renames(table, table.third), len(orderer.match.entries)
    with monkeypatch.context() as patch:
        patch.setattr(evidence, "MOST_SAID_BYTES", 10)
        with pytest.raises(Malformed):
            orderer.sequencer.hear_statement(table.third.author, {"s": statement.to_json()})
    assert len(orderer.match.entries) == length
    orderer.sequencer.hear_statement(table.third.author, {"s": statement.to_json()})
    assert len(orderer.match.entries) == length + 1


@pytest.mark.parametrize(("has_rested", "is_wanted", "is_placed"), [(False, True, False), (True, True, True),
                                                                    (False, False, True)])
def test_what_would_void_votes_for_a_timeout_gets_its_place_once_the_log_has_rested(
    orderer: Parts, table: RestingTable, monkeypatch: pytest.MonkeyPatch, has_rested: bool, is_wanted: bool, is_placed: bool,
) -> None:
    """Whoever keeps the table waiting could say such things without end. A move is none of these things."""
    acting = orderer.match.rules.to_act(orderer.match.state)
    orderer.choices.timeouts |= set(acting) if is_wanted else set(range(3)) - set(acting)
    monkeypatch.setattr(orderer.state, "has_rested", lambda seconds: has_rested)
    statement, length = renames(table, table.third), len(orderer.match.entries)
    move = signed(table.third, "move", {"seat": 9, "do": [], "open": []})
    assert not orderer.sequencer._voids_votes(move)
    for number in (1, 2):
        orderer.sequencer.hear_statement(table.third.author, {"s": statement.to_json()})
        assert len(orderer.match.entries) == length + is_placed
        assert is_placed or orderer.state.refusal_counts["peers.not_yet"] == number


def test_what_is_said_beside_the_play_gets_a_place_only_where_it_is_due_one(orderer: Parts, table: RestingTable,
                                                                            monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orderer.state, "placing_refusal", lambda statement: Refusal("peers.quota"))
    length = len(orderer.match.entries)
    for statement, key in ((renames(table, table.third), "peers.quota"),
                           (signed(table.third, "move", {"seat": 9, "do": [], "open": []}), "kernel.no_seat")):
        refusal = orderer.sequencer.place_due(statement)
        assert refusal is not None and refusal.key == key and len(orderer.match.entries) == length
    monkeypatch.setattr(orderer.state, "placing_refusal", lambda statement: None)
    assert orderer.sequencer.place_due(renames(table, table.third)) is None and len(orderer.match.entries) == length + 1


# ---- what a device holds ----

def test_who_was_heard_lately_is_there(waiting: Parts, table: RestingTable) -> None:
    state, author, last = waiting.state, table.third.author, len(waiting.match.entries) - 1
    assert not state.is_present(author)
    state.note_time(5)
    state.note_presence(author, last, waiting.match.head)
    for now, there in ((5 + SILENT_AFTER - 0.1, True), (5 + SILENT_AFTER, False)):
        state.note_time(now)
        assert state.is_present(author) == there
    for now in (100, 105, 100 + SILENT_AFTER, 101 + SILENT_AFTER):
        state.note_time(now)
    state.note_presence(author, last, waiting.match.head)
    assert state.is_present(author)


def test_what_everybody_passed_ten_seconds_ago_shows_that_somebody_is_there_for_a_while_only(waiting: Parts,
                                                                                          table: RestingTable) -> None:
    """A vote may bind who signs it. It is there again once it goes on, and not by heads of what nobody holds."""
    state, author, last = waiting.state, table.third.author, len(waiting.match.entries) - 1
    old, newest = (last - 1, waiting.match.entries[last - 1].hash), (last, waiting.match.head)

    def shows(now: float, index: int, head: str) -> bool:
        state._heard.clear()
        state.note_time(now)
        state.note_presence(author, index, head)
        return state.is_present(author)

    for now in (80, 90, 100):
        assert shows(now, *newest)
    assert shows(110, *old) and shows(110 + EMPTY_HANDED - 0.1, *old) and not shows(110 + EMPTY_HANDED, *old)
    state._went_on_at = 200.0, last
    assert shows(200, last + 1, "f" * 64) and not shows(201, *old)
    assert shows(202, *newest) and shows(203, *old) and not shows(204, last - 1, "f" * 64)
    assert not shows(203 + EMPTY_HANDED, *old)


def test_what_is_old_is_what_everybody_passed_ten_seconds_ago(waiting: Parts, table: RestingTable) -> None:
    state, author, length = waiting.state, table.third.author, len(waiting.match.entries)
    last = waiting.match.entries[-1]

    def shows(index: int) -> bool:
        state._heard.clear()
        state._behind_since[author] = -EMPTY_HANDED
        state.note_presence(author, index, waiting.match.entries[index].hash)
        return state.is_present(author)

    state.note_time(100)
    waiting.match.entries.extend([last] * 5)
    state.note_time(104)
    waiting.match.entries.extend([last] * 5)
    for now, oldest in ((109.9, 0), (110, length - 1), (113.9, length - 1), (114, length + 4), (200, length + 9)):
        state.note_time(now)
        assert not shows(oldest - 1) or not oldest
        assert shows(oldest)


def test_who_says_that_it_holds_what_nobody_gets_to_see_is_there_for_a_while_only(waiting: Parts, table: RestingTable) -> None:
    """It signs heads and acknowledges nothing, so that no share is given: the others can go on without it."""
    state, author, last = waiting.state, table.third.author, len(waiting.match.entries) - 1
    state.note_time(0.5)
    for index in (last, last + 1, last + 100):
        for now, counts in ((EMPTY_HANDED - 0.1, True), (EMPTY_HANDED, False)):
            state._heard.clear()
            state.note_time(now)
            state.note_presence(author, index, "f" * 64)
            assert state.is_present(author) == counts
            state._went_on_at = 0.0, last
    state.note_presence(author, last, waiting.match.head)
    assert state.is_present(author)


def test_who_never_was_heard_is_silent_once_there_was_time_to_hear_it(waiting: Parts, table: RestingTable) -> None:
    state, author = waiting.state, table.third.author
    for now, is_silent in ((5, False), (5 + SILENT_AFTER - 0.1, False), (5 + SILENT_AFTER, True)):
        state.note_time(now)
        assert state.is_silent(author) == is_silent
    state.note_presence(author, len(waiting.match.entries) - 1, waiting.match.head)
    assert not state.is_silent(author)
    state.note_time(5 + 2 * SILENT_AFTER)
    assert state.is_silent(author)


def test_after_a_restart_all_others_are_to_be_heard_first(waiting: Parts) -> None:
    state = waiting.state
    again = ReplicaState(state.identity, state.authority, state.match, state.dealer, restarted=True)
    assert again.unheard_authors == set(state.other_authors) != state.unheard_authors == set()


def test_who_takes_part_is_known_anew_where_seats_change_hands(waiting: Parts, table: RestingTable,
                                                               monkeypatch: pytest.MonkeyPatch) -> None:
    state, snapshot = waiting.state, waiting.match.snapshot
    before = state.live
    seat = table.seat(table.third)
    with monkeypatch.context() as patch:
        patch.setattr(snapshot, "setup", snapshot.setup.with_seat(seat, Seat("person", "f" * 64)))
        assert set(state.live) == set(before) - {table.third.author} | {"f" * 64}
        assert set(state.other_authors) == set(state.live) - {state.author}
    assert state.live == before
    monkeypatch.setattr(snapshot, "former_authors", frozenset({table.third.author}))
    assert table.third.author not in state.live


def test_a_device_signs_only_when_nothing_stands_against_it(waiting: Parts, table: RestingTable, monkeypatch: pytest.MonkeyPatch,
                                                           ) -> None:
    state = waiting.state

    def ready() -> bool:
        return state.ready

    assert ready() and state.takes_part and not state.orders
    state.unheard_authors = {"0" * 64}
    assert ready(), "nobody waits for a stranger's head"
    state.unheard_authors = {table.third.author}
    assert not ready()
    state.unheard_authors = set()
    state.promise = vote_of(table.waiting, 1, {}, (0, 0, ""))
    assert state.is_bound and not ready()
    with monkeypatch.context() as patch:
        patch.setattr(state.match.snapshot, "epoch", 1)
        assert ready()
    state.promise = None
    state.accusations.append(Accusation.of_log(waiting.match, table.third.author, "fork"))
    assert not ready()
    state.accusations.clear()
    with monkeypatch.context() as patch:
        patch.setattr(type(state), "takes_part", False)
        assert not ready()
    with monkeypatch.context() as patch:
        for urgent, failed, is_ready in ((1, False, False), (0, True, False), (0, False, True)):
            patch.setattr(type(state), "deferred_checker", SimpleNamespace(urgent=urgent, failed=failed))
            assert ready() == is_ready
    assert {state.orderer_without(node.author) for node in (table.waiting, table.third)} == {table.orderer.author}
    live = state.live
    assert state.orderer_without(table.orderer.author) == live[(live.index(table.orderer.author) + 1) % 3]


def test_what_was_not_taken_to_the_disk_yet_is_taken_once(waiting: Parts, table: RestingTable) -> None:
    state = waiting.state
    length = len(state.match.entries)
    assert state.take() == (None, (), None)
    first, second = chain(table, 2)
    state.append(first)
    statement = renames(table, table.waiting)
    state.set_pending(statement)
    cut, entries, pending = state.take()
    assert cut is None and [new.entry for new in entries] == [first] and pending is not None
    assert pending.statement == statement.to_json() and state.take() == (None, (), None)
    state.append(second)
    assert state.acknowledgements.lacking([table.orderer.author], second.index) == (), "who places an entry holds it"
    state.cut(length + 1)
    assert state.take()[:2] == (None, ()), "what fell away was never stored"
    state.cut(length)
    assert state.cuts == 2
    cut, entries, pending = state.take()
    assert (cut, entries) == (length, ()) and pending is not None and pending.statement == statement.to_json()
    state.append(put(table.orderer, statement))
    assert state.pending is None and state.take()[2] is not None


def test_what_fell_away_unstored_is_never_stored(waiting: Parts, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    state, length = waiting.state, len(waiting.match.entries)
    first, second = chain(table, 2)
    for entry in (first, second):
        state.append(entry)
    forgotten: list[int] = []
    monkeypatch.setattr(state.acknowledgements, "cut", forgotten.append)
    state.cut(length + 1)
    assert forgotten == [length + 1] and [new.entry for new in state.take()[1]] == [first]


def test_own_statements_that_fell_away_are_pending_again_one_by_one(waiting: Parts, table: RestingTable) -> None:
    state, length = waiting.state, len(waiting.match.entries)
    count = waiting.match.count(table.waiting.author)
    lost, dead, pending = (renames(table, table.waiting, count=count + more) for more in (2, 0, 4))
    wrong = renames(table, table.waiting, count=count + 1, head="1" * 64)
    state.append(put(table.orderer, lost))
    others = put(table.orderer, renames(table, table.third))
    state.append(placed(table.orderer, others.statement, length + 1, waiting.match.head))
    state.pending = pending
    state.dead = [DeadStatement(one, length + 1) for one in (dead, wrong)]
    state.take()
    state.cut(length)
    assert state.pending == dead, "the one with the lowest counter that can stand"
    assert state.dead == [DeadStatement(one, length) for one in (wrong, lost, pending)]
    kept = state.take()[2]
    assert kept is not None and kept.statement == dead.to_json() and len(kept.dead) == 3
    state.pending, state.dead = None, [DeadStatement(wrong, 5)]
    state.cut(length)
    assert state.pending is None and [one.statement for one in state.dead] == [wrong]


def test_a_statement_that_dies_with_the_entry_that_it_names_is_told_as_refused(waiting: Parts, table: RestingTable) -> None:
    """Somebody waits for it, and could do nothing more. Nobody waits for messages of the dealing."""
    state, length = waiting.state, len(waiting.match.entries)
    first, = chain(table, 1)
    state.append(first)
    statement = renames(table, table.waiting, head=first.hash)
    state.set_pending(statement)
    state.cut(length)
    assert state.pending is None and state.rejections == [(statement, "kernel.log.unknown_head")]
    state.append(first)
    state.set_pending(replace(statement, kind="deal"))
    state.cut(length)
    assert state.pending is None and len(state.rejections) == 1, "what was dead before is told no second time"


def test_a_promise_is_to_be_stored(waiting: Parts, table: RestingTable) -> None:
    promise = vote_of(table.waiting, 1, {"kind": "pass"}, (0, 3, "1" * 64))
    waiting.state.set_promise(promise)
    kept = waiting.state.take()[2]
    assert kept is not None and kept.promise == promise.to_json() and kept.bound_end == list(promise.end)


def test_all_votes_whose_epochs_have_not_begun_bind_a_device_to_the_oldest_end(waiting: Parts, table: RestingTable,
                                                                               monkeypatch: pytest.MonkeyPatch) -> None:
    state, last = waiting.state, len(waiting.match.entries) - 1
    subject = {"kind": "pass"}
    ends = [end_of(waiting.match, back) for back in (3, 1, 4)]
    for epoch, (end, bound_by) in enumerate(zip(ends, (ends[0], ends[0], ends[2]), strict=True), 1):
        state.set_promise(vote_of(table.waiting, epoch, subject, end))
        assert state.bound_end == bound_by and state.promise is not None and state.promise.end == end
    for digit in "f0f":  # which one it was cannot be known any more
        state.set_promise(vote_of(table.waiting, 4, subject, (*ends[2][:2], digit * 64)))
        assert state.bound_end == (*ends[2][:2], digit * 64)
    assert not state.has_acknowledged(last)
    monkeypatch.setattr(state.match.snapshot, "epoch", 4)
    assert state.has_acknowledged(last), "the last of these epochs began"
    state.set_promise(vote_of(table.waiting, 5, subject, ends[1]))
    assert state.bound_end == ends[1]


def test_a_device_that_starts_again_is_bound_as_it_was(waiting: Parts, table: RestingTable) -> None:
    promise, older = vote_of(table.waiting, 2, {"kind": "pass"}, end_of(waiting.match)), end_of(waiting.match, 5)

    def bound_end(**stored: Any) -> Any:
        state = waiting.state
        return ReplicaState(state.identity, state.authority, state.match, state.dealer, **stored).bound_end

    assert bound_end() is None and bound_end(promise=promise) == promise.end
    assert bound_end(promise=promise, bound_end=older) == bound_end(bound_end=older) == older


def test_whoever_signed_that_another_device_goes_on_has_given_its_vote_away(waiting: Parts, table: RestingTable) -> None:
    """Also where its own log refuses that."""
    state = waiting.state
    handover, other = (signed(table.waiting, kind, {}) for kind in ("device", "leave"))
    for pending, dead, is_away in ((None, [], False), (other, [other], False), (handover, [], True), (handover, [other], True),
                                   (None, [handover], True), (other, [other, handover], True)):
        state.pending, state.dead = pending, [DeadStatement(one, 5) for one in dead]
        assert state.has_given_vote_away is is_away


def test_who_orders_owes_the_order_and_what_answers_need_no_message_for(waiting: Parts, table: RestingTable,
                                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    state = waiting.state

    def owes(is_idle: bool) -> bool:
        def idle(*seen: Any) -> bool:
            assert seen == (state.match.state, state.current_dealing)
            return is_idle

        monkeypatch.setattr(state, "dealer", SimpleNamespace(idle=idle))
        return state.orderer_owes

    assert [owes(is_idle) for is_idle in (False, True)] == [False, True]
    monkeypatch.setattr(state.match.snapshot, "must_order", table.third.author)
    assert [owes(is_idle) for is_idle in (False, True)] == [True, True]


def test_who_has_said_nothing_begins_to_count_at_nought(waiting: Parts, table: RestingTable) -> None:
    state = waiting.state
    state.cut(1)
    counts = {node.author: ReplicaState(node.identity, state.authority, state.match, state.dealer).count
              for node in table.net.nodes}
    assert sorted(counts.values()) == [0, 0, 1], "one of them said the genesis"


def test_messages_of_the_dealing_alone_make_cards_readable(waiting: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    state, entries = waiting.state, list(waiting.match.entries)
    checker = Deferred()
    monkeypatch.setattr(type(state), "deferred_checker", checker)
    state.cut(1)
    learnt: list[int] = []
    monkeypatch.setattr(state.match, "learn", lambda faces: learnt.append(len(state.match.entries) - 1))
    for entry in entries[1:]:
        state.append(entry)
    deals = [entry.index for entry in entries if entry.statement.kind == "deal"]
    assert learnt == deals and len(deals) < len(entries) - 1
    stored = state.take()[1]
    assert [new.answers is not None for new in stored] == [new.entry.index in deals for new in stored]
    assert checker.hand == 1 == state.match.snapshot.deals
    checker.hand = 2
    state.cut(1)
    assert checker.hand == 1 == state.match.snapshot.deals, "a hand that began may fall away"


def test_a_checker_that_defers_nothing_is_none(waiting: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    state = waiting.state
    assert state.deferred_checker is None
    checker = DeferredChecker(state.dealing.checker.group)
    monkeypatch.setattr(state.dealing, "checker", checker)
    assert state.deferred_checker is checker


def test_where_others_have_to_hold_an_entry_is_known_by_who_is_live(waiting: Parts) -> None:
    state = waiting.state

    def tried(*lives: str) -> list[int]:
        steps: list[Any] = [(None, SimpleNamespace(live=tuple(live)), []) for live in lives]
        match: Any = SimpleNamespace(entries=steps, steps=lambda: steps)
        state.match, state._lives = match, []
        return state._ends_to_try(1)

    assert tried("abc", "abc", "abc", "abc") == [1]
    assert tried("abc", "abc", "ab", "ab", "a") == [1, 2, 4]
    assert tried("abc", "ab", "ab", "abc", "abc") == [1, 3]
    assert tried("abc", "a", "a", "a") == [1], "what stands before says nothing"


def test_a_dead_statement_is_kept_while_the_entry_that_killed_it_may_fall_away(waiting: Parts, table: RestingTable,
                                                                               monkeypatch: pytest.MonkeyPatch) -> None:
    state = waiting.state
    wrong = signed(table.waiting, "order", {"to": table.waiting.author})
    state.set_pending(wrong)
    state.bury_pending()
    assert state.pending is None and [one.statement for one in state.dead] == [wrong]
    state.take()
    state.acknowledgements._up_to.clear()
    state.forget_dead()
    assert [one.statement for one in state.dead] == [wrong] and not state.has_signed
    leave = signed(table.waiting, "leave", {})
    state.set_pending(leave)
    state.bury_pending()
    for author in state.other_authors:
        state.acknowledgements._up_to[author] = len(state.match.entries) - 2
    state.forget_dead()
    assert len(state.dead) == 2, "not all hold the entry that killed them"
    for author in state.other_authors:
        state.acknowledgements._up_to[author] = len(state.match.entries) - 1
    state.take()
    state.forget_dead()
    assert [one.statement for one in state.dead] == [leave] and state.take()[2] is not None, "who said that has to go"
    monkeypatch.setattr(type(state), "takes_part", False)
    state.forget_dead()
    assert state.dead == [], "it went"


def test_a_bound_device_acknowledges_nothing_behind_the_end_that_it_named(waiting: Parts, table: RestingTable) -> None:
    state, last = waiting.state, len(waiting.match.entries) - 1
    assert state.has_acknowledged(last) and not state.is_bound
    subject = {"kind": "pass", "against": table.orderer.author, "order": table.third.author}
    state.set_promise(vote_of(table.waiting, 1, subject, end_of(waiting.match, 1)))
    assert state.has_acknowledged(last - 1) and not state.has_acknowledged(last)
    for author in state.other_authors:
        state.acknowledgements._up_to[author] = last
    assert state.settled_behind(last - 1) and not state.settled_behind(last)
    state.dead = [DeadStatement(renames(table, table.waiting), length) for length in (last, last + 1)]
    state.forget_dead()
    assert [one.length for one in state.dead] == [last + 1], "what killed it may fall away"


def test_an_entry_is_settled_once_all_who_were_live_acknowledged_it(waiting: Parts, table: RestingTable) -> None:
    state, last = waiting.state, len(waiting.match.entries) - 1
    acknowledged = state.acknowledgements._up_to
    acknowledged.clear()
    acknowledged.update({table.orderer.author: last, table.third.author: last - 1})
    assert state.settled_behind(last - 1) and not state.settled_behind(last)
    assert state.missing_acknowledgers(last) == (table.third.author,) and state.missing_acknowledgers(last - 1) == ()
    assert state._ends_to_try(5) == [5]
    seat = put(table.orderer, renames(table, table.third))
    state.match.append(seat)
    assert state._ends_to_try(last) == [last] and state._ends_to_try(last + 1) == [last + 1]
    two = RestingTable(842, peers=2)
    lone = Parts(two, two.waiting)
    assert lone.state.missing_acknowledgers(len(lone.match.entries) - 1) == ()


# ---- entries ----

def test_entries_are_taken_in_order_whatever_order_they_come_in(waiting: Parts, table: RestingTable) -> None:
    entries = chain(table, 4)
    length = len(waiting.match.entries)
    waiting.put(table.orderer, entries[2], entries[1])
    assert len(waiting.match.entries) == length
    waiting.put(table.third, entries[3], entries[0])
    assert [entry.hash for entry in waiting.match.entries[length:]] == [entry.hash for entry in entries]
    assert waiting.counts == {} and not waiting.sync._early and not +waiting.sync._early_bytes
    waiting.put(table.third, *entries[:2])
    assert waiting.counts == {"peers.again": 2}


def test_too_much_too_early_is_not_held(waiting: Parts, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    (entry,) = chain(table, 1)
    length = len(waiting.match.entries)
    for index, counted in ((length + MOST_EARLY - 1, {}), (length + MOST_EARLY, {"peers.too_far_ahead": 1})):
        waiting.put(table.third, replace(entry, index=index))
        assert waiting.counts == counted
    size = sync_module._size_held(entry)
    assert size > len(entry.statement.canonical_bytes), "each value counts, however short it is spelled"
    monkeypatch.setattr(sync_module, "MOST_EARLY_BYTES", 3 * size)
    for index, counted in ((2, {}), (2, {}), (3, {}), (4, {"peers.too_far_ahead": 1})):
        waiting.put(table.third, replace(entry, index=length + index))
        assert waiting.counts == counted
    waiting.put(table.orderer, replace(entry, index=length + 4))
    assert waiting.counts == {}, "each sender has room of its own"


@pytest.mark.parametrize(("most", "taken"), [(1, [2, 3, 4, 5, 6, 6]), (3, [3, 4, 5, 6, 6, 6])])
def test_what_is_dear_to_judge_is_taken_in_over_several_seconds(
    waiting: Parts, table: RestingTable, monkeypatch: pytest.MonkeyPatch, most: int, taken: list[int],
) -> None:
    monkeypatch.setattr(sync_module, "MOST_LATENESS", most)
    length, found = len(waiting.match.entries), []
    waiting.put(table.orderer, *chain(table, 6, head=table.match.head))  # each is judged behind one entry more
    for _ in taken:
        found.append(len(waiting.match.entries) - length)
        waiting.sync.tick()
    assert found == taken


def test_an_entry_that_says_too_much_is_malformed(waiting: Parts, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    (entry,) = chain(table, 1)
    monkeypatch.setattr(evidence, "MOST_SAID_BYTES", len(entry.statement.canonical_bytes) - 1)
    with pytest.raises(Malformed, match="too much for one statement"):
        waiting.put(table.orderer, entry)
    assert waiting.match.head == entry.previous


def test_an_entry_costs_its_bytes_and_something_for_each_value(table: RestingTable) -> None:
    for body in ({"x": "y" * 2000}, {"x": [0] * 1000}):
        entry = put(table.orderer, signed(table.third, "move", body))
        values = len(body["x"]) if type(body["x"]) is list else 1
        least = len(entry.statement.canonical_bytes) + sync_module.VALUE_BYTES * values
        assert least <= sync_module._size_held(entry) <= least + 20 * sync_module.VALUE_BYTES


def test_what_stands_before_a_false_place_in_a_message_is_taken(waiting: Parts, table: RestingTable) -> None:
    (entry,), at = chain(table, 1), len(waiting.match.entries) - 2
    false = put(table.third, renames(table, table.third, head=waiting.match.entries[at - 1].hash), at)
    waiting.put(table.third, entry, false, false)
    assert waiting.match.head == entry.hash and waiting.counts == {"peers.place_unsigned": 1}


@pytest.mark.parametrize("message", [{}, {"e": None}, {"e": {}}, {"e": [1]}, {"e": [None] * (BATCH + 1)}])
def test_what_is_no_list_of_entries_is_malformed(waiting: Parts, table: RestingTable, message: dict[str, Json]) -> None:
    with pytest.raises(Malformed):
        waiting.sync.hear_entries(table.third.author, message)
    entry = put(table.orderer, renames(table, table.third, match="1" * 64))
    with pytest.raises(Malformed):
        waiting.put(table.third, entry)


def test_a_forgery_beside_the_true_entry_keeps_nothing_out(waiting: Parts, table: RestingTable) -> None:
    (entry,) = chain(table, 1)
    waiting.put(table.third, replace(entry, index=entry.index + 1))  # held, and wrong there
    forged = replace(entry, signature="0" * 128)
    waiting.put(table.third, forged)
    assert waiting.counts == {"peers.place_unsigned": 1} and not waiting.state.accusations
    waiting.put(table.orderer, entry)
    assert waiting.match.entries[-1].hash == entry.hash
    assert not waiting.state.accusations


def test_an_entry_that_cannot_stand_convicts_who_signed_its_place(waiting: Parts, table: RestingTable) -> None:
    wrong = signed(table.third, "order", {"to": table.third.author})
    waiting.put(table.third, put(table.third, wrong))
    assert waiting.counts == {"peers.place_unsigned": 1} and not waiting.state.accusations
    waiting.put(table.third, put(table.orderer, wrong))
    assert [(one.culprit, one.why) for one in waiting.state.accusations] == [(table.orderer.author, "place")]


def test_who_is_not_shown_to_have_placed_an_entry_is_not_accused_of_it(waiting: Parts, table: RestingTable) -> None:
    entry = put(table.orderer, renames(table, table.third, count=0))
    for one, is_shown in ((replace(entry, signature="0" * 128), False), (entry, True)):
        assert waiting.sync._accuse_placer(one, waiting.match) == is_shown
        assert [found.culprit for found in waiting.state.accusations] == [table.orderer.author] * is_shown
        waiting.state.accusations.clear()
        waiting.put(table.orderer, one)
        assert waiting.counts == ({} if is_shown else {"peers.place_unsigned": 1})
    assert len(waiting.state.accusations) == 1


def test_an_entry_with_another_history_is_traced(waiting: Parts, table: RestingTable) -> None:
    first, second = chain(table, 2)
    twin = put(table.orderer, renames(table, table.waiting))
    waiting.put(table.orderer, twin)
    waiting.told()
    waiting.put(table.third, second)
    assert waiting.counts == {"peers.other_history": 1}
    ((to, told),) = waiting.told()
    assert (to, told["t"], told["to"]) == (table.third.author, "want", second.index + 1)
    waiting.put(table.third, first)
    assert [(one.culprit, one.why) for one in waiting.state.accusations] == [(table.orderer.author, "fork")]


def test_another_entry_at_a_place_is_compared(waiting: Parts, table: RestingTable) -> None:
    match, at = waiting.match, len(waiting.match.entries) - 2
    other = put(table.orderer, renames(table, table.third, head=match.entries[at - 1].hash), at)
    waiting.put(table.third, replace(other, signature="0" * 128))
    assert waiting.counts == {"peers.place_unsigned": 1} and not waiting.state.accusations
    waiting.told()
    waiting.put(table.third, replace(other, previous="1" * 64))
    assert waiting.counts == {"peers.other_history": 1}
    assert [(message["t"], message.get("to")) for _, message in waiting.told()] == [("want", at + 1)], "it parted further back"
    waiting.state.time += 1
    waiting.put(table.third, other)
    assert [(one.culprit, one.why) for one in waiting.state.accusations] == [(table.orderer.author, "fork")]
    assert [message["t"] for _, message in waiting.told()] == ["blame"], "that is proof, and nothing is compared any more"


def test_what_comes_twice_counts_twice(waiting: Parts, table: RestingTable) -> None:
    length = len(waiting.match.entries)
    (entry,) = chain(table, 1)
    far = replace(entry, index=length + MOST_EARLY)
    unsigned = replace(entry, signature="0" * 128)
    apart = placed(table.orderer, entry.statement, length, "1" * 64)
    old = put(table.orderer, renames(table, table.third, head=waiting.match.entries[length - 3].hash), length - 2)
    for wrong, key in ((far, "peers.too_far_ahead"), (unsigned, "peers.place_unsigned"), (apart, "peers.other_history"),
                       (replace(old, previous="1" * 64), "peers.other_history"),
                       (replace(old, signature="0" * 128), "peers.place_unsigned")):
        for _ in range(2):
            waiting.state.time += 1
            waiting.put(table.third, wrong)
        assert waiting.counts == {key: 2}
    waiting.put(table.third, replace(apart, signature="0" * 128))
    assert waiting.counts == {"kernel.log.previous": 1}, "nobody signed that"


def test_so_many_entries_go_into_one_message(waiting: Parts, table: RestingTable) -> None:
    entry = waiting.match.entries[3]
    waiting.put(table.third, *[entry] * BATCH)
    assert waiting.counts == {"peers.again": BATCH}
    with pytest.raises(Malformed):
        waiting.put(table.third, *[entry] * (BATCH + 1))


def test_what_came_is_told_to_who_asks_for_the_rest(waiting: Parts, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[Any] = []
    monkeypatch.setattr(waiting.backfill, "note_entries", lambda *what: noted.append(what))
    length, author = len(waiting.match.entries), table.third.author
    entries = chain(table, 5)
    waiting.put(table.third, entries[0])
    waiting.put(table.third, entries[4], entries[2])
    waiting.put(table.third, entries[0], entries[1])
    assert noted == [(author, length, False, None), (author, length + 1, False, length + 2),
                     (author, length + 1, True, length + 4)]


def test_what_stands_behind_a_difference_is_a_branch(waiting: Parts, table: RestingTable,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not compared with what stands here, and what does not follow on it is no part of it."""
    compared: list[int] = []
    branches: list[list[int]] = []

    def differs(sender: str, entry: Entry) -> bool:
        compared.append(entry.index)
        return entry.index == 4

    monkeypatch.setattr(waiting.sync, "_differs", differs)
    monkeypatch.setattr(waiting.sync, "_go_over", lambda sender, branch: branches.append([entry.index for entry in branch]))
    entries = waiting.match.entries
    waiting.put(table.third, *entries[3:7], entries[9], *chain(table, 1))
    assert compared == [3, 4] and branches == [[4, 5, 6]] and len(waiting.match.entries) == len(entries)


def test_all_that_was_held_for_a_place_is_looked_at(waiting: Parts, table: RestingTable) -> None:
    first, second = chain(table, 2)
    other = renames(table, table.waiting)
    twin = placed(table.orderer, other, second.index, second.previous)
    stranger: Any = SimpleNamespace(author="0" * 64)
    for sender, entry in ((table.orderer, second), (table.third, second), (stranger, twin)):
        waiting.put(sender, entry)
    waiting.put(table.orderer, first)
    assert waiting.match.entries[-1].hash == second.hash and waiting.counts == {"peers.again": 1}
    assert [(one.culprit, one.why) for one in waiting.state.accusations] == [(table.orderer.author, "fork")]


def test_who_takes_in_what_completes_a_false_chain_accuses(waiting: Parts, table: RestingTable,
                                                           monkeypatch: pytest.MonkeyPatch) -> None:
    complete_false_chain(monkeypatch, waiting, table.third)
    waiting.put(table.orderer, *chain(table, 1))
    assert [(one.culprit, one.why) for one in waiting.state.accusations] == [(table.third.author, "shuffle")]


def test_what_is_held_for_a_place_that_this_device_gave_is_let_go(orderer: Parts, table: RestingTable) -> None:
    (entry,) = chain(table, 1)
    orderer.put(table.third, replace(entry, index=entry.index + 1))
    assert orderer.sync._early and orderer.sync._early_bytes[table.third.author]
    for _ in range(2):
        count = orderer.match.count(table.orderer.author)
        assert orderer.sequencer.place(renames(table, table.orderer, count=count, head=orderer.match.head)) is None
    orderer.put(table.third)
    assert not orderer.sync._early and not orderer.sync._early_bytes[table.third.author]


def takes(parts: Parts, sender: Node, entry: Entry) -> bool:
    """Whether ``entry`` stands in its place once ``sender`` has sent it."""
    parts.put(sender, entry)
    return parts.match.entries[entry.index].hash == entry.hash


def test_the_genesis_is_never_disputed_and_the_first_entry_is(waiting: Parts, table: RestingTable) -> None:
    genesis = waiting.match.entries[0]
    other = Entry.create(0, genesis.previous, replace(genesis.statement, body={}), genesis.signature)
    assert not any(waiting.sync._differs(table.third.author, one) for one in (genesis, other))
    assert waiting.counts == {"peers.again": 2} and not waiting.state.accusations
    first = put(table.orderer, renames(table, table.third, head=genesis.hash), 1)
    assert takes(waiting, table.third, waiting.match.entries[1])
    for wrong in (replace(first, signature="0" * 128), replace(first, previous="1" * 64), first):
        waiting.state.time += 1
        assert not takes(waiting, table.third, wrong)
    assert [one.why for one in waiting.state.accusations] == ["fork"]


def test_whoever_ordered_at_a_place_signs_for_it(waiting: Parts, table: RestingTable) -> None:
    count = waiting.match.count(table.orderer.author)
    handover = put(table.orderer, signed(table.orderer, "order", {"to": table.third.author}, count=count))
    waiting.put(table.orderer, handover)
    statement = renames(table, table.third, head=handover.hash)
    waiting.put(table.third, placed(table.third, statement, handover.index + 1, handover.hash))
    assert waiting.match.entries[-1].statement == statement
    other = renames(table, table.waiting, head=handover.hash)
    waiting.put(table.orderer, placed(table.orderer, other, handover.index + 1, handover.hash))
    assert waiting.counts == {"peers.place_unsigned": 1} and not waiting.state.accusations


def test_strangers_have_room_for_early_entries_together_and_players_alone(waiting: Parts, table: RestingTable,
                                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    (entry,) = chain(table, 1)
    monkeypatch.setattr(sync_module, "MOST_EARLY_BYTES", 2 * sync_module._size_held(entry))
    strangers: list[Any] = [SimpleNamespace(author=str(number) * 64) for number in range(3)]
    far = [replace(entry, index=len(waiting.match.entries) + ahead) for ahead in (2, 3, 4)]
    for sender, one, refused in ((strangers[0], far[0], 0), (strangers[1], far[0], 0), (strangers[2], far[0], 1),
                                 (table.third, far[0], 0), (table.third, far[1], 0), (table.third, far[2], 1),
                                 (table.orderer, far[0], 0), (strangers[0], far[1], 1)):
        waiting.put(sender, one)
        assert waiting.counts == ({"peers.too_far_ahead": 1} if refused else {})


# ---- another epoch ----

def epoch_entry(table: RestingTable, parts: Parts, index: int, **changes: Any) -> Entry:
    """The first entry of epoch 1 at ``index``: who ordered is gone, the two others voted so behind the entry before it."""
    match, author = parts.match, table.third
    before = match.entries[index - 1].hash
    subject = subject_gone(table.orderer.author, author.author)
    votes = [vote_of(node, 1, subject, (0, index - 1, before)) for node in (table.waiting, author)]
    body = {**first_body(subject, 1, votes), **changes.pop("body", {})}
    statement = signed(author, "gone", body, **{"head": before, "count": match.count(author.author) + 5, **changes})
    return placed(author, statement, index, before)


def test_the_first_entry_of_a_newer_epoch_makes_ours_fall_away(waiting: Parts, table: RestingTable) -> None:
    waiting.put(table.orderer, put(table.orderer, renames(table, table.waiting, count=900)))
    index, before = len(waiting.match.entries), waiting.match.head
    ours = [placed(table.orderer, renames(table, table.waiting, count=901, head=before), index, before)]
    first = epoch_entry(table, waiting, index)
    waiting.put(table.orderer, *ours)
    assert takes(waiting, table.third, first)
    assert [entry.hash for entry in waiting.match.entries[index:]] == [first.hash]
    assert waiting.match.snapshot.epoch == 1 and waiting.state.cuts == 1 and not waiting.state.accusations
    waiting.told()
    assert not takes(waiting, table.third, ours[0])
    ((to, told), asked) = waiting.told()
    assert (to, told["t"], [entry["i"] for entry in told["e"]]) == (table.third.author, "put", [index])
    assert asked == (table.third.author, {"t": "want", "i": index, "to": index + BATCH}), "it may go on with a newer one"
    assert waiting.match.entries[index].hash == first.hash and not waiting.state.accusations


def test_what_was_held_for_a_place_may_begin_a_newer_epoch(waiting: Parts, table: RestingTable) -> None:
    first, second = chain(table, 2)
    waiting.put(table.orderer, first)
    newer = epoch_entry(table, waiting, second.index)
    waiting.state.cut(first.index)
    waiting.put(table.orderer, second)
    waiting.put(table.third, newer)
    waiting.put(table.orderer, first)
    assert waiting.match.entries[-1].hash == newer.hash and waiting.state.cuts == 2 and not waiting.state.accusations


def test_an_epoch_of_the_same_number_is_no_newer_one(waiting: Parts, table: RestingTable,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    """Two devices would go over to each other's log for ever, where nobody who voted for both can be accused any more."""
    index, end = len(waiting.match.entries), end_of(waiting.match)
    ours = epoch_entry(table, waiting, index)
    subject = {"kind": "pass", "against": table.orderer.author, "order": table.waiting.author}
    votes = [vote_of(node, 1, subject, end) for node in (table.waiting, table.third)]
    rival = first_entry(table.waiting, subject, 1, votes, index)
    monkeypatch.setattr(waiting.accusations, "suspect_rivals", lambda branch: False)
    waiting.put(table.third, ours)
    waiting.told()
    assert not takes(waiting, table.orderer, rival)
    assert [told["t"] for _, told in waiting.told()] == ["put", "want"] and waiting.match.head == ours.hash


def test_what_is_wrong_behind_the_beginning_of_an_epoch_does_not_keep_it_out(waiting: Parts, table: RestingTable) -> None:
    index, before = len(waiting.match.entries), waiting.match.head
    first = epoch_entry(table, waiting, index)
    waiting.put(table.orderer, placed(table.orderer, renames(table, table.waiting, head=before), index, before))
    wrong = placed(table.third, renames(table, table.waiting), index + 1, first.hash)
    waiting.put(table.third, first, replace(wrong, signature="0" * 128))
    assert waiting.match.head == first.hash and not waiting.counts and not waiting.state.accusations


def test_an_epoch_may_begin_right_behind_the_genesis(waiting: Parts, table: RestingTable) -> None:
    older = waiting.match.entries[1]
    waiting.state.cut(1)
    first = epoch_entry(table, waiting, 1, count=0)
    waiting.put(table.third, first)
    assert [entry.hash for entry in waiting.match.entries[1:]] == [first.hash] and waiting.match.snapshot.epoch == 1
    waiting.told()
    assert not takes(waiting, table.orderer, older)
    assert [[entry["i"] for entry in told["e"]] for _, told in waiting.told() if told["t"] == "put"] == [[1]]
    assert waiting.match.entries[1].hash == first.hash and not waiting.counts and not waiting.state.accusations


def test_a_first_entry_that_cannot_stand_convicts_its_author(waiting: Parts, table: RestingTable) -> None:
    ours = chain(table, 2)
    index = ours[0].index
    few = epoch_entry(table, waiting, index, body={"votes": {}})
    said = max(one.statement.count for one in waiting.match.entries if one.statement.author == table.third.author)
    again = epoch_entry(table, waiting, index, count=said)
    waiting.put(table.orderer, *ours)
    for wrong in (few, again):
        waiting.state.time += 1
        assert not takes(waiting, table.third, wrong)
        (accusation,) = waiting.state.accusations
        assert (accusation.culprit, accusation.why, accusation.exhibits) == (table.third.author, "place", (wrong.to_json(),))
        assert [entry.hash for entry in accusation.prefix] == [entry.hash for entry in waiting.match.entries[:index]]
        waiting.state.accusations.clear()
    assert waiting.match.entries[-1].hash == ours[1].hash


def test_what_is_settled_does_not_fall_away(waiting: Parts, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only then the votes are held against what their voters signed."""
    ours = chain(table, 2)
    index = ours[0].index
    first = epoch_entry(table, waiting, index)
    waiting.put(table.orderer, *ours)
    asked: list[set[str]] = []
    checked: list[str] = []
    monkeypatch.setattr(waiting.accusations, "suspect_votes", lambda votes: asked.append({vote.voter for vote in votes}))
    monkeypatch.setattr(waiting.accusations, "check_log", lambda: checked.append(waiting.match.head))
    for is_settled in (True, False):
        monkeypatch.setattr(waiting.state, "settled_behind", lambda index, settled=is_settled: settled)
        waiting.state.time += SETTLED_PAUSE
        assert takes(waiting, table.orderer, first) != is_settled
        assert asked == [{table.third.author, table.waiting.author}]
        assert waiting.counts == ({"peers.settled": 1} if is_settled else {})
        assert is_settled == (waiting.match.entries[-1].hash == ours[1].hash)
        assert checked == ([] if is_settled else [first.hash])


def test_of_a_branch_by_which_something_settled_would_fall_away_a_few_votes_are_looked_at(
        waiting: Parts, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """To look for what gives one of them the lie takes long. Whoever is in league with most could show thousands."""
    ours = chain(table, 2)
    first = epoch_entry(table, waiting, ours[0].index)
    waiting.put(table.orderer, *ours)
    asked: list[list[str]] = []
    monkeypatch.setattr(waiting.accusations, "suspect_votes", lambda votes: asked.append([vote.voter for vote in votes]))
    monkeypatch.setattr(waiting.state, "settled_behind", lambda index: True)
    monkeypatch.setattr(sync_module, "MOST_VOTES", 1)
    waiting.state.time += 1
    waiting.put(table.orderer, first)
    assert len(asked) == 1 and len(asked[0]) == 1
    waiting.state.time += SETTLED_PAUSE - 0.1
    waiting.put(table.orderer, first)
    assert len(asked) == 1 and waiting.counts == {"peers.settled": 1, "peers.too_soon": 1}
    waiting.put(table.third, first)
    assert len(asked) == 2
    waiting.state.time += 0.1
    waiting.put(table.orderer, first)
    assert len(asked) == 3 and waiting.counts == {"peers.settled": 2}


def test_of_such_a_branch_the_votes_for_newer_epochs_than_ours_are_looked_at(waiting: Parts, table: RestingTable,
                                                                            monkeypatch: pytest.MonkeyPatch) -> None:
    """Than that in which this log goes on where the two part."""
    asked: list[list[int]] = []
    monkeypatch.setattr(waiting.accusations, "suspect_votes", lambda votes: asked.append([vote.epoch for vote in votes]))
    monkeypatch.setattr(waiting.state, "settled_behind", lambda index: True)
    common = list(waiting.match.entries)
    branch = [epoch_entry(table, waiting, len(common), body={"epoch": epoch}) for epoch in (1, 2)]
    trial: Any = SimpleNamespace(match=SimpleNamespace(entries=[*common, *branch]), start=len(common), sender=table.third.author)
    for ours, epochs in ((chain(table, 1)[0], [1, 1, 2, 2]), (epoch_entry(table, waiting, len(common)), [2, 2])):
        waiting.state.append(ours)
        waiting.sync._take(trial)
        assert asked.pop() == epochs and not asked
        waiting.state.cut(len(common))


def test_a_branch_that_was_not_taken_is_judged_again_only_after_a_second(waiting: Parts, table: RestingTable,
                                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sender has a second of its own."""
    ours = chain(table, 2)
    first = epoch_entry(table, waiting, ours[0].index)
    wrong = replace(epoch_entry(table, waiting, ours[0].index, body={"votes": {}}), signature="0" * 128)
    waiting.put(table.orderer, *ours)
    monkeypatch.setattr(waiting.sync, "_is_branch", lambda entry: True)
    monkeypatch.setattr(waiting.sync, "_take", lambda trial: waiting.state.refusal_counts.update(["judged"]))
    for branch, reason in ((first, "judged"), (wrong, "peers.place_unsigned")):
        waiting.state.time += 1
        for _ in range(2):
            for sender in (table.orderer, table.third):
                waiting.put(sender, branch)
        waiting.state.time += 0.9
        waiting.put(table.third, branch)
        assert waiting.counts == {reason: 2, "peers.too_soon": 3}
        waiting.state.time += 0.1
    assert not waiting.state.accusations


# ---- shuffles that are checked later ----

class Deferred:
    """A checker that defers, and notes what it is told to do."""

    def __init__(self) -> None:
        self.author, self.catching_up, self.group = "", False, None
        self.remaining, self.urgent, self.failed = 5, 0, False
        self.done: list[int] = []
        self.hand = 0

    def work(self, count: int) -> None:
        self.done.append(count)


@pytest.fixture
def deferred(waiting: Parts, monkeypatch: pytest.MonkeyPatch) -> Deferred:
    found = Deferred()
    monkeypatch.setattr(type(waiting.state), "deferred_checker", found)
    return found


@pytest.mark.parametrize(("count", "missing", "is_catching_up"), [(8, 0, False), (9, 0, True), (1, 9, True), (1, 8, False)])
def test_much_at_once_is_catching_up(waiting: Parts, table: RestingTable, deferred: Deferred, monkeypatch: pytest.MonkeyPatch,
                                     count: int, missing: int, is_catching_up: bool) -> None:
    """``missing``: how many entries its sender has signed to hold, beside what is here."""
    entries, length = chain(table, count), len(waiting.match.entries)
    seen: list[bool] = []
    append = waiting.state.append

    def noted(entry: Entry) -> None:
        seen.append(deferred.catching_up)
        append(entry)

    monkeypatch.setattr(waiting.state, "append", noted)
    if missing:
        head = signed_head(table.third, waiting.match, length + missing - 1, "1" * 64)
        waiting.state.acknowledgements.acknowledge(table.third.author, *head)
    waiting.put(table.third, *entries)
    assert seen == [is_catching_up] * count and not deferred.catching_up


def test_of_each_sender_the_last_entry_that_it_gave_out_for_a_place_is_held(waiting: Parts, table: RestingTable) -> None:
    """Its log has gone on otherwise since: what it gave out before follows on nothing."""
    first, second = chain(table, 2)
    waiting.put(table.third, Entry.create(second.index, "1" * 64, second.statement, second.signature))
    waiting.put(table.third, second)
    waiting.put(table.third, second)
    waiting.put(table.third, first)
    assert waiting.match.head == second.hash and not sum(waiting.sync._early_bytes.values())


def test_what_is_urgent_is_checked_once_no_more_is_to_come(waiting: Parts, table: RestingTable, deferred: Deferred,
                                                           monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[int] = []
    monkeypatch.setattr(waiting.sync, "check_deferred", lambda: checked.append(len(waiting.match.entries)))
    length = len(waiting.match.entries)
    entries = chain(table, 4)
    waiting.put(table.third, entries[0])
    assert checked == []
    deferred.urgent = 1
    waiting.put(table.third, entries[1])
    assert checked == [length + 2], "its sender has signed no more"
    head = signed_head(table.third, waiting.match, length + 3, "1" * 64)
    waiting.state.acknowledgements.acknowledge(table.third.author, *head)
    waiting.put(table.third, entries[2])
    assert checked == [length + 2], "one more is to come"
    waiting.put(table.third, entries[2])
    assert checked == [length + 2, length + 3], "it brought nothing new"
    waiting.put(table.third, entries[3])
    assert checked == [length + 2, length + 3, length + 4], "that was the last"


def test_the_hand_under_way_is_checked_whole_and_others_bit_by_bit(waiting: Parts, table: RestingTable, deferred: Deferred,
                                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    for remaining, urgent, done in ((0, 0, []), (5, 0, [2]), (1, 0, [1]), (5, 3, [3]), (5, 1, [1])):
        deferred.remaining, deferred.urgent = remaining, urgent
        deferred.done.clear()
        waiting.sync.check_deferred()
        assert deferred.done == done
    guilty = [[Accusation.of_log(waiting.match, table.third.author, "shuffle")], []]
    monkeypatch.setattr(sync_module, "false_shuffles", lambda match, authority, group: guilty.pop(0))
    assert not waiting.state.accusations and len(guilty) == 2
    deferred.failed = True
    waiting.sync.check_deferred()
    assert [(one.culprit, one.why) for one in waiting.state.accusations] == [(table.third.author, "shuffle")]
    waiting.state.accusations.clear()
    deferred.failed = True
    waiting.sync.check_deferred()
    assert not waiting.state.accusations and not guilty


def test_what_was_found_false_before_is_looked_into_though_nothing_is_put_off(
    waiting: Parts, table: RestingTable, deferred: Deferred, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A stored log is checked where it opens only so; who made the shuffle stops this device then."""
    found = [Accusation.of_log(waiting.match, table.third.author, "shuffle")]
    monkeypatch.setattr(sync_module, "false_shuffles", lambda match, authority, group: found)
    deferred.remaining, deferred.failed = 0, True
    waiting.sync.check_deferred()
    assert [(one.culprit, one.why) for one in waiting.state.accusations] == [(table.third.author, "shuffle")]


@pytest.mark.parametrize("cuts", [False, True])
def test_what_is_urgent_is_checked_before_a_branch_is_judged(
    waiting: Parts, table: RestingTable, deferred: Deferred, monkeypatch: pytest.MonkeyPatch, *, cuts: bool,
) -> None:
    """Behind a false shuffle that is taken for good it would look wrong. Where the log is cut by that, the branch comes again."""
    seen: list[str] = []

    def check() -> None:
        seen.append("checked")
        deferred.urgent = 0
        waiting.state.cuts += cuts

    def is_right(trial: Any, rest: list[Entry]) -> bool:
        seen.append("judged")
        return False

    monkeypatch.setattr(waiting.sync, "check_deferred", check)
    monkeypatch.setattr(waiting.sync, "_is_right", is_right)
    deferred.urgent = 1
    subject = subject_gone(table.third.author, table.orderer.author)
    votes = [vote_of(node, 1, subject, end_of(waiting.match, 2)) for node in (table.orderer, table.waiting)]
    waiting.put(table.orderer, first_entry(table.orderer, subject, 1, votes, len(waiting.match.entries) - 2))
    assert seen == (["checked"] if cuts else ["checked", "judged"])


def test_what_is_urgent_is_checked_before_an_epoch_is_begun(table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    peer, seen = peer_of(table.orderer), list[str]()
    body = {"against": table.third.author, "order": table.orderer.author, "epoch": 1, "votes": {}}
    length = len(peer.match.entries)

    def refusal_at(index: int, statement: Statement) -> Refusal:
        seen.append("judged")
        return Refusal("peers.votes_missing")

    monkeypatch.setattr(peer._sync, "check_urgent", lambda: seen.append("checked"))
    monkeypatch.setattr(peer.match, "refusal_at", refusal_at)
    for index in (length - 1, length):  # the entry may have fallen away by that
        monkeypatch.setattr(peer._ballots, "certificate", lambda index=index: Certificate("pass", body, index))
        peer._begin_epoch()
    assert seen == ["checked", "judged", "checked"]
    monkeypatch.setattr(peer._ballots, "certificate", lambda: Certificate("pass", body, length - 1))
    monkeypatch.setattr(peer.state, "accusations", [Accusation.of_log(peer.match, table.third.author, "shuffle")])
    peer._begin_epoch()
    assert seen[3:] == ["checked"], "by that somebody was proven to break the rules"


def test_what_of_a_branch_is_new_stands_behind_what_is_known_of_it(waiting: Parts, table: RestingTable) -> None:
    *known, first, second = [*waiting.match.entries, *chain(table, 2)]
    length = len(known)
    trial = Trial(waiting.match, 5, table.third.author, 0.0, 0)
    assert len(trial) == length - 5
    for branch, rest in (([first], [first]), ([first, second], [first, second]), (known[5:7], []), (known[5:], []),
                         ([known[-1], first, second], [first, second]), ([*known[5:], first], [first])):
        assert trial.rest_of(branch) == rest
    other = Entry.create(5, known[4].hash, first.statement, first.signature)
    last = Entry.create(length - 1, known[-2].hash, first.statement, first.signature)
    behind_another = Entry.create(length, "1" * 64, first.statement, first.signature)
    for strange in (known[4:7], [second], [other], [last], [behind_another], [*known[7:-1], last, first]):
        assert trial.rest_of(strange) is None


def trials(parts: Parts, **by_sender: tuple[float, int]) -> None:
    """Branches that part from the log at entry 5, of which ``parts`` has as much as it holds itself: their times and cuts."""
    parts.sync._trials = {sender: Trial(parts.match, 5, sender, time, cuts) for sender, (time, cuts) in by_sender.items()}


def test_more_of_a_branch_is_asked_for_each_second_as_long_as_some_of_it_comes(waiting: Parts,
                                                                               monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []
    monkeypatch.setattr(waiting.backfill, "ask_ahead", lambda sender, index: asked.append((sender, index)))
    waiting.state.time, waiting.state.cuts = 50.0, 3
    trials(waiting, new=(50.0, 3), late=(50.1 - TRIAL_PATIENCE, 3), old=(50.0 - TRIAL_PATIENCE, 3), cut=(50.0, 2))
    waiting.sync.tick()
    assert list(waiting.sync._trials) == ["new", "late"]
    assert asked == [(sender, len(waiting.match.entries)) for sender in ("new", "late")]


def test_where_a_log_parts_is_not_looked_for_while_its_branch_is_judged(waiting: Parts, table: RestingTable,
                                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    """It is known, and to judge it again would take the time of what comes behind it."""
    traced: list[str] = []
    monkeypatch.setattr(waiting.backfill, "trace", lambda sender, index: traced.append(sender))
    one, other = table.third.author, table.orderer.author
    trials(waiting, **{one: (0.0, 0)})
    for sender in (one, other):
        waiting.sync._trace(sender, 3)
    assert traced == [other]
    waiting.sync._trials = {"": Trial(waiting.match, 5, "d" * 64, 0.0, 0)}
    for stranger in ("d" * 64, "e" * 64):
        waiting.sync._trace(stranger, 3)
    assert traced == [other, "e" * 64]
    waiting.state.cuts += 1
    waiting.sync._trace("d" * 64, 3)
    assert traced[2:] == ["d" * 64], "the log was cut since"


def test_a_branch_goes_on_behind_its_last_entry_for_who_pays_for_it(waiting: Parts, table: RestingTable) -> None:
    first, second = chain(table, 2)
    player, other = table.third.author, table.orderer.author
    trials(waiting, **{player: (0.0, 0), "": (0.0, 0)})
    for sender, goes_on in ((player, True), ("e" * 64, True), (other, False)):
        assert waiting.sync._goes_on_with(sender, first) == goes_on
        assert not waiting.sync._goes_on_with(sender, second)
        assert not waiting.sync._goes_on_with(sender, Entry.create(first.index, "1" * 64, first.statement, first.signature))
        assert (waiting.sync._trial(waiting.state.payer(sender)) is not None) == goes_on
    waiting.state.cuts += 1
    assert not waiting.sync._goes_on_with(player, first) and waiting.sync._trial(player) is None, "the log was cut since"


@pytest.mark.parametrize(("cuts", "shorter", "taken"), [(0, 0, False), (1, 0, True), (1, 1, False)])
def test_what_looks_wrong_behind_a_shuffle_that_was_put_off_is_judged_again_once_that_is_checked(
    waiting: Parts, table: RestingTable, monkeypatch: pytest.MonkeyPatch, cuts: int, shorter: int, *, taken: bool,
) -> None:
    """If the log was folded anew by that, and goes on from the same place."""
    (entry,) = chain(table, 1)
    append, tried = waiting.state.append, list[str]()

    def refused_first(entry: Entry) -> None:
        tried.append("appended")
        if len(tried) == 1:
            raise Refused(Refusal("kernel.over"))
        append(entry)

    def check() -> None:
        tried.append("checked")
        waiting.state.cuts += cuts
        waiting.match.cut(len(waiting.match.entries) - shorter)

    monkeypatch.setattr(waiting.state, "append", refused_first)
    monkeypatch.setattr(waiting.sync, "check_urgent", check)
    waiting.sync._hold(table.third.author, entry)
    waiting.sync._advance()
    assert tried == ["appended", "checked", *["appended"] * taken] and (waiting.match.head == entry.hash) == taken


def test_what_falls_away_by_a_false_shuffle_is_held_against_who_said_and_placed_it(
    waiting: Parts, table: RestingTable, deferred: Deferred, monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [Accusation(table.third.author, "shuffle", tuple(waiting.match.entries[:length]), ()) for length in (5, 9)]
    (wrong,) = chain(table, 1)
    seen: list[Any] = []
    monkeypatch.setattr(sync_module, "false_shuffles", lambda match, authority, group: found)
    monkeypatch.setattr(waiting.accusations, "accuse", lambda accusation: seen.append(accusation))
    monkeypatch.setattr(waiting.accusations, "suspect", lambda statement: seen.append(statement))
    monkeypatch.setattr(waiting.sync, "_accuse_placer", lambda entry, match: seen.append((entry, match)))
    falls_away: list[Entry | None] = [wrong, None]

    def fold_again(length: int) -> Entry | None:
        seen.append(length)
        return falls_away[0]

    monkeypatch.setattr(waiting.state, "fold_again", fold_again)
    while falls_away:
        entry, deferred.failed = falls_away[0], True
        waiting.sync.check_deferred()
        assert seen == [4, *found, *([wrong.statement, (wrong, waiting.match)] if entry else [])]
        assert not vars(deferred)["failed"]
        seen.clear()
        falls_away.pop(0)


def test_only_what_is_urgent_or_has_failed_is_checked_at_once(waiting: Parts, deferred: Deferred,
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[bool] = []
    monkeypatch.setattr(waiting.sync, "check_deferred", lambda: checked.append(True))
    for urgent, failed, expected in ((0, False, []), (1, False, [True]), (0, True, [True]), (2, True, [True])):
        deferred.urgent, deferred.failed = urgent, failed
        waiting.sync.check_urgent()
        assert checked == expected
        checked.clear()


def test_who_defers_nothing_checks_nothing(waiting: Parts) -> None:
    assert waiting.state.deferred_checker is None
    waiting.sync.check_deferred()
    waiting.sync.check_urgent()


# ---- heads ----

def test_a_head_has_one_form(waiting: Parts, table: RestingTable) -> None:
    true = signed_head(table.orderer, waiting.match, True, waiting.match.entries[1].hash)
    wrong: list[dict[str, Any]] = [
        {"m": "1" * 64}, {"v": VERSION + 1}, {"v": None}, {"i": "1"}, {"i": -1}, {"i": None}, {"h": 1}, {"seen": []},
                    {"sig": "0" * 128}, {"sig": 1}, {"seen": {table.orderer.author: [1, 2]}},
                    {"seen": {table.orderer.author: [-1, "x", "y"]}}, {"seen": {table.orderer.author: [1, "x", "y"]}},
                    {"i": True}, {"seen": {table.orderer.author: list(true)}},
                    {"has": 7}, {"has": []}, {"has": [1]}, {"has": [True, "x"]}, {"has": [-1, "x"]}, {"has": [1, 1]},
                    {"seen": {table.orderer.author: list(signed_head(table.orderer, waiting.match, -1, waiting.match.head))}}]
    for changes in wrong:
        with pytest.raises(Malformed):
            waiting.head(table.third, **changes)
    waiting.head(table.third, seen={"0" * 64: "anything"})
    genesis = signed_head(table.orderer, waiting.match, 0, waiting.match.entries[0].hash)
    waiting.head(table.third, i=0, h=waiting.match.entries[0].hash, seen={table.orderer.author: list(genesis)})


def test_who_speaks_another_version_is_named_until_it_speaks_ours(waiting: Parts, table: RestingTable) -> None:
    stranger: Any = SimpleNamespace(author="0" * 64)
    for sender in (table.third, stranger):
        with pytest.raises(Malformed):
            waiting.head(sender, v=VERSION - 1)
    assert waiting.state.other_versions == {table.third.author}
    waiting.head(table.third)
    assert waiting.state.other_versions == set()


def test_a_signed_head_acknowledges_and_shows_that_its_author_is_there(waiting: Parts, table: RestingTable) -> None:
    match, author = waiting.match, table.third.author
    last, head, signature = signed_head(table.third, match, len(match.entries) - 1, match.head)
    waiting.state.unheard_authors = {author, table.orderer.author}
    waiting.head(table.third)
    assert not waiting.state.is_present(author) and waiting.state.acknowledgements.newest(author) is None
    assert waiting.state.unheard_authors == {table.orderer.author}
    waiting.head(table.third, sig=signature)
    newest = waiting.state.acknowledgements.newest(author)
    assert waiting.state.is_present(author) and newest is not None and newest.index == last
    other = signed_head(table.orderer, match, 5, match.entries[5].hash)
    waiting.head(table.third, seen={table.orderer.author: list(other), table.waiting.author: "not looked at"})
    newest = waiting.state.acknowledgements.newest(table.orderer.author)
    assert newest is not None and newest.index == 5 and head == match.head


def test_a_head_is_answered_where_that_helps(waiting: Parts, table: RestingTable) -> None:
    match, last = waiting.match, len(waiting.match.entries) - 1
    waiting.head(table.third)
    assert waiting.told() == [], "it is the same"
    waiting.head(table.third, i=5, h=match.entries[5].hash)
    ((to, told),) = waiting.told()
    assert (to, told["t"], told["i"], told["h"]) == (table.third.author, "head", last, match.head)
    waiting.head(table.third, i=5, h=match.entries[5].hash, sig=signed_head(table.third, match, 5, match.entries[5].hash)[2])
    assert waiting.told() == [], "it may sign, and goes on by itself"
    waiting.head(table.third, i=5, h="1" * 64)
    (first, second) = waiting.told()
    assert (first[1]["t"], first[1]["e"][0]["i"]) == ("put", 5) and second == (table.third.author, {"t": "want", "i": 5})
    waiting.state.unheard_authors = {table.orderer.author}
    waiting.head(table.orderer, i=last + 1, h="1" * 64)
    assert waiting.told() == [(table.orderer.author, {"t": "want", "i": last + 1})]
    assert waiting.state.unheard_authors == {table.orderer.author}, "until this log has caught up"


def test_who_is_bound_is_asked_for_what_it_holds(waiting: Parts, table: RestingTable) -> None:
    """It acknowledges no more than what it signs."""
    match, last = waiting.match, len(waiting.match.entries) - 1
    index, head, signature = signed_head(table.orderer, match, 5, match.entries[5].hash)
    bound: dict[str, Any] = {"i": index, "h": head, "sig": signature}
    waiting.state.unheard_authors = {table.orderer.author}
    waiting.head(table.orderer, **bound, has=[last + 1, "1" * 64])
    assert waiting.told() == [(table.orderer.author, {"t": "want", "i": last + 1})]
    assert waiting.state.unheard_authors == {table.orderer.author} and waiting.state.is_present(table.orderer.author)
    newest = waiting.state.acknowledgements.newest(table.orderer.author)
    assert newest is not None and newest.index == 5
    waiting.head(table.orderer, **bound, has=[last, "1" * 64])
    assert (table.orderer.author, {"t": "want", "i": last}) in waiting.told() and not waiting.state.unheard_authors
    waiting.head(table.orderer, **bound, has=[last, match.head])
    assert waiting.told() == [], "it is the same"


def test_the_own_head_is_signed_where_it_may_be(waiting: Parts, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    match = waiting.match
    last = len(match.entries) - 1

    def told(*, gossip: bool = False) -> dict[str, Any]:
        waiting.sync.tell_head(gossip=gossip)
        ((to, message),) = waiting.told()
        assert to is None and (message["t"], message["m"], message["v"]) == ("head", match.id, VERSION)
        return message

    good = signed_head(table.waiting, match, last, match.head)
    assert (told()["i"], told()["h"], told()["sig"]) == good and "seen" not in told(gossip=True)
    waiting.state.acknowledgements._wanted["card", 1] = object()  # type: ignore[assignment]
    assert told(gossip=True)["seen"] == {} and "seen" not in told()
    waiting.state.acknowledgements._wanted.clear()
    stranger: Any = SimpleNamespace(author="0" * 64)
    for sender, is_told in ((stranger, False), (table.third, True)):
        waiting.head(sender)
        assert ("seen" in told(gossip=True)) is bool(waiting.sync._unready) is is_told, "who signs none waits for what others do"
    waiting.head(table.third, sig=signed_head(table.third, match, last, match.head)[2])
    assert "seen" not in told(gossip=True)
    waiting.state.acknowledgements._wanted["card", 1] = object()  # type: ignore[assignment]
    waiting.sync.tell_head()
    assert "seen" not in waiting.told()[0][1]
    waiting.state.unheard_authors = {table.third.author}
    assert "sig" not in told()
    waiting.state.unheard_authors = set()
    earlier = (0, last - 3, match.entries[last - 3].hash)
    waiting.state.set_promise(vote_of(table.waiting, 1, {}, earlier))
    message = told()
    assert (message["i"], message["h"], message["sig"]) == signed_head(table.waiting, match, *earlier[1:])
    assert message["has"] == [last, match.head], "without a signature"
    with monkeypatch.context() as patch:
        patch.setattr(match.snapshot, "epoch", 1)
        assert told()["i"] == last and "has" not in told(), "that epoch began"
    waiting.state.accusations.append(Accusation.of_log(match, table.third.author, "fork"))
    message = told()
    assert (message["i"], message["h"]) == (last, match.head) and "sig" not in message


def test_entries_are_asked_for_by_index(waiting: Parts, table: RestingTable) -> None:
    for message in ({}, {"i": "1"}, {"i": -1}, {"i": None}, {"i": 1, "to": "x"}):
        with pytest.raises(Malformed):
            waiting.sync.hear_want(table.third.author, message)
    last = len(waiting.match.entries) - 1
    for message, indices in (({"i": 0, "to": 2}, [0, 1]), ({"i": last}, [last])):
        waiting.sync.hear_want(table.third.author, message)
        ((to, told),) = waiting.told()
        assert to == table.third.author and [entry["i"] for entry in told["e"]] == indices


def test_whoever_asks_for_what_a_vote_is_broken_by_gets_that_and_no_entries(waiting: Parts, table: RestingTable,
                                                                            monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, Json]] = []
    proof = {"t": "blame", "why": "vote"}

    def show(start: int, signature: Json) -> dict[str, Json] | None:
        asked.append((start, signature))
        return proof if signature == "known" else None

    monkeypatch.setattr(waiting.accusations, "show", show)
    for signature, told in (("known", [(table.third.author, proof)]), ("unknown", []), (None, [])):
        waiting.sync.hear_want(table.third.author, {"i": 3, "vote": signature})
        assert waiting.told() == told
    assert asked == [(3, "known"), (3, "unknown"), (3, None)]


# ---- the match that follows ----

def test_those_who_are_left_go_on_in_a_new_match() -> None:
    table = RestingTable(843, peers=4)
    match = table.match
    setup = replace(match.setup, seats=(*match.setup.seats[:-1], Seat("bot", match.setup.seats[0].author)))
    ended: Any = SimpleNamespace(outcome=Outcome((1, 2, 3, 4), (0,), "x"), setup=setup, end=match.entries[-1], rules=match.rules,
                                 state=SimpleNamespace(broken_off=True), former_authors=frozenset({setup.seats[1].author}))
    found = successor_setup(ended)
    assert found is not None
    assert found.seats == (setup.seats[0], setup.seats[2], setup.seats[3]) and found.nonce == match.head
    assert found.extra == {"after": match.head, "stood": [1, 3, 4], "protocol": PROTOCOL} and found.options == setup.options

    def without(**changes: Any) -> Any:
        return successor_setup(SimpleNamespace(**{**vars(ended), **changes}))  # type: ignore[arg-type]

    assert without() == found
    assert without(outcome=None) is without(former_authors=frozenset()) is None
    assert without(state=SimpleNamespace(broken_off=False)) is None
    assert without(rules=SimpleNamespace(seat_counts=range(4, 7))) is None
    assert without(former_authors=frozenset({setup.seats[1].author, setup.seats[2].author})) is None, "one person and its bot"


def test_a_wrong_entry_is_not_taken_in(waiting: Parts, table: RestingTable) -> None:
    with pytest.raises(Refused):
        waiting.state.append(put(table.third, renames(table, table.third)))
    assert not waiting.state.unstored_entries
