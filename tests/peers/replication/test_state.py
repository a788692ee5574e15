"""What one replica knows by itself: whom a restarted device still waits for, since when its log rests, what it need not place."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tabletin.kernel.log import Entry
from tabletin.kernel.match import MOST_BEHIND, Match
from tabletin.kernel.options import Refusal
from tabletin.peers.replication import state as states
from tabletin.peers.replication.authority import acknowledgement
from tabletin.peers.replication.evidence import Accusation
from tabletin.peers.replication.state import EMPTY_HANDED, ReplicaState
from tests.support.ballots import end_of, first_entry, subject_gone, vote_of
from tests.support.device_moves import peer_of
from tests.support.forging import put, signed
from tests.support.peer_part import PartOf
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable


@pytest.fixture(scope="module")
def table() -> RestingTable:
    return RestingTable(823)


@pytest.fixture
def restarted(table: RestingTable) -> ReplicaState:
    """Of ``waiting``, restarted: the head of nobody else was heard."""
    peer = peer_of(table.waiting)
    return ReplicaState(table.waiting.identity, peer.state.authority, peer.match, table.waiting.dealer, restarted=True)


def device(node: Node, log: Match, **stored: Any) -> ReplicaState:
    """That of ``node``, as it starts with ``log`` and what was ``stored``."""
    return ReplicaState(node.identity, peer_of(node).state.authority, log, node.dealer, **stored)


def grow(state: ReplicaState, monkeypatch: pytest.MonkeyPatch) -> None:
    last = state.match.entries[-1]
    longer = [*state.match.entries, Entry.create(last.index + 1, last.hash, last.statement, last.signature)]
    monkeypatch.setattr(state.match, "entries", longer)


# ---- whom it waits for ----

def test_who_is_there_and_gives_nothing_out_counts_as_heard_after_a_while(restarted: ReplicaState, table: RestingTable) -> None:
    both, there = {table.orderer.author, table.third.author}, table.third.author
    assert restarted.unheard_authors == both
    for seconds, still in ((100.0, both), (100 + EMPTY_HANDED - 0.1, both), (100 + EMPTY_HANDED, both - {there})):
        restarted.note_presence(there, len(restarted.match.entries), "f" * 64)
        restarted.note_time(seconds)
        assert restarted.unheard_authors == still
    restarted.note_time(200 + EMPTY_HANDED)
    assert restarted.unheard_authors == both - {there}, "who is not there may still be on its way"


def test_that_wait_begins_anew_as_the_log_grows(restarted: ReplicaState, table: RestingTable,
                                                monkeypatch: pytest.MonkeyPatch) -> None:
    there = table.third.author
    restarted.note_time(100)
    grow(restarted, monkeypatch)
    grown = 110.0
    for seconds, is_unheard in ((grown, True), (100 + EMPTY_HANDED, True), (grown + EMPTY_HANDED - 0.1, True),
                                (grown + EMPTY_HANDED, False)):
        restarted.note_presence(there, len(restarted.match.entries), "f" * 64)
        restarted.note_time(seconds)
        assert (there in restarted.unheard_authors) == is_unheard


def test_who_others_heard_holding_the_newest_entry_counts_as_heard_after_a_while(restarted: ReplicaState,
                                                                                 table: RestingTable) -> None:
    """One that holds less is still on its way, or holds more by now."""
    match, both = restarted.match, {table.orderer.author, table.third.author}
    last = len(match.entries) - 1
    for node, index in ((table.orderer, last - 1), (table.third, last)):
        head = match.entries[index].hash
        restarted.acknowledgements.acknowledge(node.author, index, head,
                                               node.identity.sign(acknowledgement(match.id, index, head)))
    for seconds, still in ((100.0, both), (100 + EMPTY_HANDED - 0.1, both), (100 + EMPTY_HANDED, {table.orderer.author})):
        restarted.note_time(seconds)
        assert restarted.unheard_authors == still


def test_an_epoch_in_which_the_hand_goes_on_does_not_begin_that_wait_anew(table: RestingTable) -> None:
    """One voter could have them begin without end. Who holds the entry by which the match went on last holds enough."""
    match, node = table.match, table.waiting
    last, both = len(match.entries) - 1, {table.orderer.author, table.third.author}
    state = device(node, match.branch(last + 1), restarted=True)
    for other, index in ((table.orderer, last - 1), (table.third, last)):
        head = match.entries[index].hash
        state.acknowledgements.acknowledge(other.author, index, head, other.identity.sign(acknowledgement(match.id, index, head)))
    state.note_time(100)
    subject = {"kind": "pass", "against": table.third.author, "order": table.orderer.author}
    votes = [vote_of(voter, 1, subject, end_of(match)) for voter in (node, table.orderer)]
    state.append(first_entry(table.orderer, subject, 1, votes, last + 1))
    for seconds, still in ((110.0, both), (100 + EMPTY_HANDED - 0.1, both), (100 + EMPTY_HANDED, {table.orderer.author})):
        state.note_time(seconds)
        assert state.unheard_authors == still


# ---- since when its log rests ----

def test_the_log_rests_since_it_was_seen_to_have_grown(restarted: ReplicaState, monkeypatch: pytest.MonkeyPatch) -> None:
    restarted.note_time(100)
    assert not restarted.has_rested(3)
    restarted.note_time(102.9)
    assert not restarted.has_rested(3)
    restarted.note_time(103)
    assert restarted.has_rested(3)
    grow(restarted, monkeypatch)
    assert not restarted.has_rested(3) and not restarted.has_rested(0), "nobody has seen since when"
    restarted.note_time(104)
    assert restarted.has_rested(0) and not restarted.has_rested(1)


@pytest.mark.parametrize("length", [1, 2])
def test_a_match_that_just_began_has_not_rested(restarted: ReplicaState, table: RestingTable,
                                                monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    monkeypatch.setattr(restarted.match, "entries", restarted.match.entries[:length])
    restarted.note_time(100)
    assert not restarted.has_rested(3)
    restarted.note_presence(table.third.author, length, "f" * 64)
    assert restarted.is_present(table.third.author), "it may hold what is on its way"


@pytest.mark.parametrize(("kind", "goes_on"), [
    ("move", True), ("deal", True), ("timeout", True), ("gone", True), ("leave", True), ("seat", False), ("consent", False),
    ("order", False), ("undo", False), ("device", False), ("pass", False),
])
def test_a_match_goes_on_by_what_is_played(restarted: ReplicaState, table: RestingTable, monkeypatch: pytest.MonkeyPatch,
                                           kind: str, *, goes_on: bool) -> None:
    """Else who acknowledges nothing would be there as long as one voter has epochs begin: it says that it holds more."""
    author = table.third.author
    restarted.note_time(100)
    last = restarted.match.entries[-1]
    statement = replace(last.statement, kind=kind)
    entry = Entry.create(last.index + 1, last.hash, statement, last.signature)
    monkeypatch.setattr(restarted.match, "entries", [*restarted.match.entries, entry])
    restarted.note_time(120)
    assert not restarted.has_rested(1), "in each case the log has grown"
    for now, is_there in ((100 + EMPTY_HANDED - 0.1, True), (100 + EMPTY_HANDED, goes_on), (120 + EMPTY_HANDED, False)):
        restarted._heard.clear()
        restarted.note_time(now)
        restarted.note_presence(author, entry.index + 1, "f" * 64)
        assert restarted.is_present(author) == is_there


# ---- who pays ----

def test_whoever_plays_or_has_played_pays_alone_and_all_others_together(restarted: ReplicaState, table: RestingTable,
                                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    gone, player = table.third.author, table.orderer.author
    monkeypatch.setattr(restarted.match.snapshot, "former_authors", frozenset({gone}))
    assert gone not in restarted.live and player in restarted.live
    assert [restarted.payer(sender) for sender in (player, gone, "0" * 64, "1" * 64)] == [player, gone, "", ""]


# ---- what it said before ----

@pytest.mark.parametrize(("remembered", "said", "expected"), [(0, 40, 41), (41, 40, 41), (50, 40, 50)])
def test_what_it_said_and_does_not_remember_is_not_signed_again(table: RestingTable, remembered: int, said: int,
                                                                expected: int) -> None:
    """It deleted the match, and its own statement comes from others: two with one counter would convict it."""
    state, seat = PartOf(table, table.waiting).state, table.seat(table.waiting)
    body = {"seat": seat, "to": state.match.setup.seats[seat].to_json()}
    state.count, length = remembered, len(state.match.entries)
    state.append(put(table.orderer, signed(table.waiting, "seat", body, count=said)))
    assert state.count == expected
    state.match.cut(length)


def test_a_device_that_has_said_nothing_has_nothing_to_store(restarted: ReplicaState, table: RestingTable) -> None:
    assert restarted.take() == (None, (), None)
    restarted.set_promise(vote_of(table.waiting, 1, subject_gone(table.third.author, table.orderer.author),
                                  end_of(restarted.match)))
    assert restarted.take() == (None, (), restarted.to_keep)
    assert restarted.take() == (None, (), None)


def test_the_newest_epoch_that_a_device_began_is_kept(table: RestingTable) -> None:
    """Not what it said else, nor what others began; and not forgotten for an older one that a log begins again."""
    match, author = peer_of(table.orderer).match, table.orderer
    subject = subject_gone(table.third.author, author.author)
    votes = [vote_of(node, 2, subject, end_of(match)) for node in (table.waiting, author)]
    begins = first_entry(author, subject, 2, votes, len(match.entries))
    seat = table.seat(author)
    renames = put(author, signed(author, "seat", {"seat": seat, "to": match.setup.seats[seat].to_json()}))

    for node, before, entry, begun, is_stored in (
            (author, 0, begins, 2, True), (author, 1, begins, 2, True), (author, 2, begins, 2, False),
            (author, 3, begins, 3, False), (author, 0, renames, 0, False), (table.waiting, 0, begins, 0, False)):
        state = device(node, match.branch(len(match.entries)), begun_epoch=before)
        assert state.begun_epoch == before
        state.append(entry)
        assert (state.begun_epoch, state.to_keep.begun_epoch, state.take()[2] is not None) == (begun, begun, is_stored)
        assert device(node, state.match).begun_epoch == (2 if node is author and entry is begins else 0)
        assert device(node, state.match, begun_epoch=5).begun_epoch == 5


def test_what_was_stored_is_known_again(table: RestingTable) -> None:
    node, match = table.waiting, table.match
    length, statement = len(match.entries), signed(node, "seat", {})
    dead = device(node, match, dead=[statement] * 4, dead_lengths=(0, 5, 10 ** 6)).dead
    assert [one.length for one in dead] == [1, 5, length, length], "not more than there are, and one that is not known"
    promise, end = vote_of(node, 1, {}, end_of(match, 3)), end_of(match, 5)
    for stored, bound_end in (({}, None), ({"promise": promise}, promise.end), ({"promise": promise, "bound_end": end}, end)):
        assert device(node, match, **stored).bound_end == bound_end
    new = device(node, match.branch(1))
    assert (new.count, new.unheard_authors, new.to_keep.statement) == (0, set(), None)
    assert device(node, match, pending=statement).to_keep.statement == statement.to_json()


def test_an_own_statement_is_pending_until_it_has_a_place(table: RestingTable) -> None:
    match = table.match
    state = device(table.waiting, match.branch(5))
    for index, is_placed in ((5, True), (6, False), (7, True)):
        said = match.entries[index].statement if is_placed else match.entries[5].statement
        state.set_pending(said)
        state.append(match.entries[index])
        assert state.pending == (None if is_placed else said)


# ---- what it notes of each entry ----

def test_who_was_live_is_noted_where_the_log_began_here(table: RestingTable) -> None:
    """Otherwise only once somebody asks: a long log is folded for that."""
    match = table.match
    for length, noted in ((1, 2), (2, 0), (5, 0)):
        state = device(table.waiting, match.branch(length))
        state.append(match.entries[length])
        assert state._lives == [match.snapshot.live] * noted


def test_what_a_deal_answered_is_stored_and_read(table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    match, read = table.match, list[int]()
    state = device(table.waiting, match.branch(1))
    dealer_read = state.dealer.read

    def noted(dealing: Any, knowledge: Any) -> Any:
        read.append(len(state.match.entries) - 1)
        return dealer_read(dealing, knowledge)

    monkeypatch.setattr(state.dealer, "read", noted)
    for entry in match.entries[1:]:
        state.append(entry)
    deals = [entry.index for entry in match.entries[1:] if entry.statement.kind == "deal"]
    assert read == deals and 0 < len(deals) < len(match.entries) - 1
    assert [one.entry.index for one in state.unstored_entries if one.answers is not None] == deals


def test_the_checker_is_told_the_hand_under_way(table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    match = table.match
    checker: Any = SimpleNamespace()
    monkeypatch.setattr(ReplicaState, "deferred_checker", checker)
    state = device(table.waiting, match.branch(1))
    for entry in match.entries[1:]:
        checker.hand = None
        state.append(entry)
        assert checker.hand == state.match.snapshot.deals


# ---- what it need not place ----

@pytest.mark.parametrize(("kind", "holds_up", "of_the_log", "expected"), [
    ("undo", True, None, "kernel.undo.consent"),
    ("undo", False, None, ""),
    ("undo", True, "kernel.over", "kernel.over"),
    ("undo", False, "kernel.over", "kernel.over"),
    ("move", True, None, ""),
    ("move", True, "kernel.over", "kernel.over"),
])
def test_an_undo_that_holds_the_match_up_gets_no_place(table: RestingTable, monkeypatch: pytest.MonkeyPatch, kind: str,
                                                       holds_up: bool, of_the_log: str | None, expected: str) -> None:
    part = PartOf(table, table.waiting)
    monkeypatch.setattr(Match, "refusal", lambda match, statement: None if of_the_log is None else Refusal(of_the_log))
    asked: list[tuple[int, int]] = []

    def answer(prefix: object, seat: int, target: int) -> bool:
        asked.append((seat, target))
        return holds_up

    monkeypatch.setattr(states, "holds_up", answer)
    refusal = part.state.placing_refusal(signed(table.waiting, kind, {"seat": 1, "to": 7}))
    assert ("" if refusal is None else refusal.key) == expected
    assert asked == ([(1, 7)] if kind == "undo" and of_the_log is None else []), "it takes a fold of the log"


def test_what_is_too_much_beside_the_play_gets_no_place_but_what_the_log_refuses_is_named_first(
        table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    part = PartOf(table, table.waiting)
    monkeypatch.setattr(states, "exceeds_quota", lambda entries, statement: True)
    for of_the_log, expected in ((None, "peers.quota"), ("kernel.over", "kernel.over")):
        monkeypatch.setattr(Match, "refusal", lambda match, statement, key=of_the_log: None if key is None else Refusal(key))
        refusal = part.state.placing_refusal(signed(table.waiting, "seat", {"seat": 1}))
        assert refusal is not None and refusal.key == expected


def test_how_late_a_statement_is_counts_all_behind_the_one_that_it_names(table: RestingTable) -> None:
    part = PartOf(table, table.waiting)
    state, entries = part.state, part.state.match.entries
    heads = [entry.hash for entry in entries]
    for behind in (0, 1, 2, len(entries) - 1):
        head = heads[len(heads) - 1 - behind]
        assert state.match.lateness("seat", head) == min(behind, MOST_BEHIND)
        assert state.match.lateness("deal", head) == 0, "messages of the dealing are judged once"
    assert state.match.lateness("seat", "f" * 64) == 0


def test_a_log_of_nothing_but_its_beginning_has_not_rested_when_it_is_seen_first() -> None:
    table = RestingTable(824, entries=3)
    state = PartOf(table, table.waiting).state
    state.match.cut(1)
    for seconds, has_rested in ((100.0, False), (109.0, False), (110.0, True)):
        state.note_time(seconds)
        assert state.has_rested(10) == has_rested


# ---- what stops it ----

def test_what_rests_on_entries_that_are_not_held_stops_nobody(restarted: ReplicaState, table: RestingTable) -> None:
    match, last = restarted.match, restarted.match.entries[-1]
    held = Accusation.of_log(match, table.third.author, "shuffle")
    assert restarted.stops_by(held)
    longer = Entry.create(last.index + 1, last.hash, last.statement, last.signature)
    other = Entry.create(last.index, last.previous, match.entries[1].statement, last.signature)
    vote = vote_of(table.third, 1, subject_gone(table.waiting.author, table.orderer.author), end_of(match))
    for lacking in (longer, other):
        for why in ("shuffle", "vote"):
            assert not restarted.stops_by(replace(held, why=why, prefix=(*held.prefix, lacking), exhibits=(vote.to_json(), {})))


@pytest.mark.parametrize(("goes_on", "was_away", "by_shuffle", "by_statement"), [
    (True, False, True, True), (True, True, False, True), (False, False, False, False), (False, True, False, False)])
def test_a_false_shuffle_stops_nobody_once_its_author_has_been_away(
        restarted: ReplicaState, table: RestingTable, monkeypatch: pytest.MonkeyPatch, *, goes_on: bool, was_away: bool,
        by_shuffle: bool, by_statement: bool) -> None:
    """Though it is back. Everybody finds a shuffle in the log at another time, and some never do."""
    asked: list[Accusation] = []

    def away(state: ReplicaState, accusation: Accusation) -> bool:
        asked.append(accusation)
        return was_away

    monkeypatch.setattr(ReplicaState, "_goes_on", lambda state, author: goes_on)
    monkeypatch.setattr(ReplicaState, "_was_away", away)
    shuffle = Accusation.of_log(restarted.match, table.third.author, "shuffle")
    assert restarted.stops_by(shuffle) == by_shuffle and asked == [shuffle] * goes_on
    assert restarted.stops_by(replace(shuffle, why="statement")) == by_statement


@pytest.mark.parametrize(("index", "is_settled", "expected"), [(5, False, True), (5, True, False), (0, False, True),
                                                               (None, False, False), (None, True, False)])
def test_whoever_plays_no_more_stops_others_only_where_two_logs_may_have_parted_for_good(
        restarted: ReplicaState, table: RestingTable, monkeypatch: pytest.MonkeyPatch, index: int | None, *, is_settled: bool,
        expected: bool) -> None:
    asked: list[int] = []

    def settled_behind(state: ReplicaState, index: int) -> bool:
        asked.append(index)
        return is_settled

    monkeypatch.setattr(ReplicaState, "_goes_on", lambda state, author: False)
    monkeypatch.setattr(ReplicaState, "_parted_at", lambda state, accusation: index)
    monkeypatch.setattr(ReplicaState, "settled_behind", settled_behind)
    accusation = Accusation.of_log(restarted.match, table.third.author, "fork")
    assert restarted.stops_by(accusation) == expected and asked == ([] if index is None else [index])
    monkeypatch.setattr(ReplicaState, "_goes_on", lambda state, author: author == table.third.author)
    assert restarted.stops_by(accusation) and not restarted.stops_by(replace(accusation, why="shuffle", culprit="0" * 64))


def test_a_person_goes_on_from_device_to_device(
    restarted: ReplicaState, table: RestingTable, monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second, third = table.orderer.author, table.waiting.author, table.third.author
    monkeypatch.setattr(restarted.match, "entries", [
        *restarted.match.entries, put(table.orderer, signed(table.orderer, "device", {"seats": [], "to": second}))])
    for live, expected in (((third,), [False, False, True]), ((second,), [True, True, False]), ((first,), [True, False, False])):
        monkeypatch.setattr(ReplicaState, "live", live)
        assert [restarted._goes_on(author) for author in (first, second, third)] == expected
        assert not restarted._goes_on("0" * 64), "nobody else went on to that device"


def test_where_two_logs_part_by_what_is_proven(
    restarted: ReplicaState, table: RestingTable, monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, culprit = restarted.match, table.orderer.author
    length = len(match.entries)
    for index, expected in ((0, None), (1, 1), (length - 1, length - 1), (length, None)):
        fork = Accusation(culprit, "fork", tuple(match.entries[:index]), ())
        assert restarted._parted_at(fork) == expected
    other = (*match.entries[:3], match.entries[1])
    assert restarted._parted_at(Accusation(culprit, "fork", other, ())) is None, "another history"
    vote = vote_of(table.orderer, 1, subject_gone(table.third.author, culprit), end_of(match))
    assert restarted._parted_at(Accusation(culprit, "vote", tuple(match.entries), (vote.to_json(), {"i": 3}))) is None
    begins = [signed(table.orderer, "pass", {"epoch": 1}, head=entry.hash) for entry in match.entries[-2:]]
    begun = Accusation.of_two_beginnings(match, *begins)
    assert restarted._parted_at(begun) is None
    assert restarted._parted_at(Accusation.of_log(match, culprit, "shuffle")) is None
    monkeypatch.setattr(match, "entries", [*match.entries, put(table.orderer, begins[0])])
    assert restarted._parted_at(begun) == length
    assert restarted._parted_at(replace(begun, culprit=table.third.author)) is None, "another one began it here"


@pytest.mark.parametrize(("live", "voters", "expected"), [(2, 2, True), (3, 2, False), (2, 3, False), (3, 3, False)])
def test_two_share_at_once_only_where_there_never_was_a_third(
    restarted: ReplicaState, monkeypatch: pytest.MonkeyPatch, live: int, voters: int, expected: bool,
) -> None:
    monkeypatch.setattr(ReplicaState, "live", tuple("abc")[:live])
    monkeypatch.setattr(restarted.match.snapshot, "voters", frozenset(tuple("abc")[:voters]))
    assert restarted.are_two == expected
