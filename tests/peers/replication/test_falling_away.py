"""What falls away with the end of a log and what is kept of it, and whose misdeeds stop a device while it does."""

from __future__ import annotations

import pytest

from tabletin.kernel.log import Entry, Statement
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refusal, Refused
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.dealing.deferred_checker import DeferredChecker
from tabletin.peers.replication.evidence import Accusation
from tabletin.peers.replication.state import DeadStatement, ReplicaState
from tests.support.ballots import end_of, first_entry, subject_gone, vote_of
from tests.support.device_moves import peer_of
from tests.support.forging import put, signed
from tests.support.peer_part import PartOf
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable
from tests.support.standin_group import StandInGroup


class Parting:
    """A match behind whose entry ``index - 1`` ``third`` was voted gone. ``state`` is another device's, which saw that."""

    def __init__(self, seed: int) -> None:
        self.table = table = RestingTable(seed, entries=3)
        self.state = PartOf(table, table.orderer).state
        self.third, self.index = table.third.author, len(table.match.entries)
        gone = subject_gone(self.third, table.orderer.author)
        votes = [vote_of(node, 1, gone, end_of(table.match)) for node in (table.orderer, table.waiting)]
        self.state._note_lives()
        self.state.append(first_entry(table.orderer, gone, 1, votes, self.index))
        assert self.third in self.state.match.former_authors

    def accused(self, why: str, length: int, culprit: str = "") -> Accusation:
        """What is held against the one who is gone, resting on so many entries."""
        return Accusation(culprit or self.third, why, tuple(self.state.match.entries[:length]), ())

    def plays(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let the one who was gone be back."""
        monkeypatch.setattr(ReplicaState, "live", tuple(node.author for node in self.table.net.nodes))


@pytest.fixture
def parting() -> Parting:
    return Parting(901)


@pytest.fixture(scope="module")
def resting() -> RestingTable:
    return RestingTable(902)


def renamed(table: RestingTable, count: int, name: str, node: Node | None = None) -> Statement:
    """What ``node``, the one that orders if none is named, says of its own seat."""
    author = node or table.orderer
    seat = table.seat(author)
    to = table.match.setup.seats[seat].to_json() | {"name": name}
    return signed(author, "seat", {"seat": seat, "to": to}, count=count)


def order(table: RestingTable) -> Entry:
    """What is due where a hand ended because somebody was voted gone."""
    return put(table.orderer, signed(table.orderer, "order", {"to": table.match.snapshot.must_order}, count=90))


# ---- behind which entries others are live ----

def test_an_entry_is_settled_by_itself_or_by_one_behind_which_others_are_live(parting: Parting) -> None:
    state, index = parting.state, parting.index
    loaded = ReplicaState(parting.table.orderer.identity, state.authority, state.match, parting.table.orderer.dealer)
    for known in (state, loaded):
        assert [known._ends_to_try(at) for at in (1, index - 1, index)] == [[1, index], [index - 1, index], [index]]
        assert known._note_lives() == [known.match.snapshot_at(at).live for at in range(index + 1)]
    entry = order(parting.table)
    loaded.append(entry)
    assert loaded._ends_to_try(index) == [index] and len(loaded._note_lives()) == index + 2


def test_a_log_that_was_there_is_folded_where_somebody_asks_and_not_before(parting: Parting) -> None:
    state, length = parting.state, parting.index + 1
    loaded = ReplicaState(parting.table.orderer.identity, state.authority, state.match, parting.table.orderer.dealer)
    loaded.append(order(parting.table))
    assert loaded._lives == []
    loaded.cut(length)
    assert loaded._note_lives() == [loaded.match.snapshot_at(at).live for at in range(length)]
    loaded.cut(parting.index)
    assert loaded._lives == [loaded.match.snapshot_at(at).live for at in range(parting.index)]
    assert loaded._ends_to_try(1) == [1]


def test_a_log_that_grew_here_from_its_beginning_is_never_folded_for_that(monkeypatch: pytest.MonkeyPatch) -> None:
    table = RestingTable(909, entries=3)
    other = PartOf(table, table.waiting).state
    other.match.cut(1)
    grown = ReplicaState(table.waiting.identity, other.authority, other.match, table.waiting.dealer)
    for entry in table.match.entries[1:]:
        grown.append(entry)
    monkeypatch.setattr(Match, "steps", None)
    assert grown._note_lives() == [table.match.snapshot_at(at).live for at in range(len(table.match.entries))]


# ---- whose misdeeds stop a device ----

def test_who_is_back_is_stopped_for_by_a_shuffle_behind_its_absence_alone(parting: Parting,
                                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody finds one of before in the same log at another time. What else it did stops everybody again."""
    state, index = parting.state, parting.index
    for why in ("shuffle", "statement"):
        assert not any(state.stops_by(parting.accused(why, length)) for length in (index, index + 1)), "it plays no more"
    parting.plays(monkeypatch)
    for length in (1, index - 1, index):
        assert not state.stops_by(parting.accused("shuffle", length))
        assert state.stops_by(parting.accused("statement", length))
    for why in ("shuffle", "statement"):
        assert state.stops_by(parting.accused(why, index + 1)), "it has not been away since"


def test_what_stops_nobody_is_kept_of_players_alone_and_of_a_log_that_is_held(parting: Parting,
                                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    state, index = parting.state, parting.index
    last = state.match.entries[-1]
    longer = Entry.create(last.index + 1, last.hash, last.statement, last.signature)
    state.set_aside(parting.accused("statement", index, "0" * 64))
    state.set_aside(Accusation(parting.third, "statement", (*state.match.entries, longer), ()))
    assert state.idle_accusations == []
    monkeypatch.setattr(state.match.snapshot, "former_authors", frozenset({"0" * 64}))
    kept = [parting.accused("statement", index, culprit) for culprit in ("0" * 64, parting.third)]
    for one in kept:
        state.set_aside(one)
    assert state.idle_accusations == kept, "who came later has played as well, and so has who was there at the beginning"


def test_who_went_on_elsewhere_with_the_first_entry_has_played() -> None:
    table = RestingTable(907, entries=3)
    state = PartOf(table, table.orderer).state
    state.cut(1)
    body = {"to": "f" * 64, "offer": "", "agreed": "", "deal": None, "key": None}
    state.append_judged(put(table.orderer, signed(table.orderer, "device", body)))
    found = Accusation(table.orderer.author, "statement", tuple(state.match.entries), ())
    assert table.orderer.author not in {*state.live, *state.match.former_authors}
    state.set_aside(found)
    assert state.idle_accusations == [found]


def test_of_what_stops_nobody_the_shortest_proof_is_kept_of_shuffles_one_for_each_absence(parting: Parting) -> None:
    state, index = parting.state, parting.index
    one, same, shorter, behind = (parting.accused("shuffle", length) for length in (index, index, index - 1, index + 1))
    for accusation, kept in ((one, [one]), (same, [one]), (shorter, [shorter]), (one, [shorter]), (behind, [shorter, behind])):
        state.set_aside(accusation)
        assert state.idle_accusations == kept
        assert [id(held) for held in state.idle_accusations] == [id(held) for held in kept]
    state.idle_accusations.clear()
    long, short = (parting.accused("counter", length) for length in (index + 1, index))
    for accusation in (long, short, long):
        state.set_aside(accusation)
    assert state.idle_accusations == [short]


# ---- what is kept when entries fall away ----

def test_accusations_fall_away_with_what_they_rest_on_and_stop_again_where_their_culprit_plays_again(parting: Parting) -> None:
    state, index, other = parting.state, parting.index, parting.table.waiting.author
    back, lost = parting.accused("statement", index), parting.accused("counter", index + 1)
    held, gone = parting.accused("counter", index, other), parting.accused("statement", index + 1, other)
    state.idle_accusations = [back, lost]
    state.accusations[:] = [held, gone]
    state.cut(index)
    assert state.accusations == [held, back] and state.idle_accusations == [back]


def test_of_two_alike_that_stop_again_one_is_held(parting: Parting) -> None:
    state, index = parting.state, parting.index
    longer, shorter = (parting.accused("statement", length) for length in (index, index - 1))
    state.idle_accusations = [longer, shorter]
    state.cut(index)
    assert state.accusations == [longer]
    already = parting.accused("statement", 2)
    state.accusations[:], state.idle_accusations = [already], [longer]
    state._let_go([], [longer])
    assert state.accusations == [already]


def test_who_was_back_before_is_not_accused_again_where_something_else_falls_away(parting: Parting,
                                                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    state, index = parting.state, parting.index
    back = parting.accused("statement", index)
    state.idle_accusations = [back]
    parting.plays(monkeypatch)
    state.append(order(parting.table))
    state.cut(index + 1)
    assert state.accusations == [] and state.idle_accusations == [back]


def test_what_this_device_said_in_entries_that_fall_away_stands_after_all_or_is_refused() -> None:
    """The first that can stand waits for a place. Of what is refused, its author is told; of the dealing nobody waits for it, and
    what was refused before was told before."""
    table = RestingTable(903, entries=3)
    state, length = PartOf(table, table.orderer).state, len(table.match.entries)
    one = renamed(table, 90, "one")
    state.append(put(table.orderer, one))
    two = renamed(table, 91, "two")
    state.append(put(table.orderer, two))
    old = [DeadStatement(signed(table.orderer, kind, {}, count=count, head=str(count) * 32), at)
           for kind, count, at in (("leave", 10, 3), ("seat", 11, length + 2))]
    waiting = signed(table.orderer, "deal", {}, count=92, head="3" * 64)
    state.dead, state.pending, state.has_signed = list(old), waiting, False
    state.cut(length)
    assert state.pending == one and state.has_signed and state.match.refusal(one) is None
    assert state.dead == [DeadStatement(old[0].statement, 3), DeadStatement(old[1].statement, length),
                          DeadStatement(two, length), DeadStatement(waiting, length)]
    refusal = state.match.refusal(two)
    assert refusal is not None and state.rejections == [(two, refusal.key)]
    assert state.to_keep.dead_lengths == (3, length, length, length)


def test_of_two_statements_that_can_stand_again_the_older_one_waits_for_a_place() -> None:
    table = RestingTable(904, entries=3)
    state, length = PartOf(table, table.orderer).state, len(table.match.entries)
    older, newer = renamed(table, 80, "older"), renamed(table, 90, "newer")
    state.append(put(table.orderer, newer))
    state.dead = [DeadStatement(older, 2)]
    state.cut(length)
    assert state.pending == older and state.dead == [DeadStatement(newer, length)] and state.rejections == []


def test_where_nothing_of_this_device_falls_away_nothing_waits() -> None:
    table = RestingTable(905, entries=3)
    state, length = PartOf(table, table.orderer).state, len(table.match.entries)
    to = table.match.setup.seats[table.seat(table.third)].to_json() | {"name": "K"}
    state.append(put(table.orderer, signed(table.third, "seat", {"seat": table.seat(table.third), "to": to})))
    cuts = state.cuts
    state.cut(length)
    assert (state.pending, state.dead, state.rejections, state.cuts) == (None, [], [], cuts + 1)


@pytest.mark.parametrize(("stored", "lengths"), [((), (12, 12)), ((3,), (3, 12)), ((10**9, 7), (12, 7)), ((0, -5), (1, 1)),
                                                 ((4, 5, 6), (4, 5))])
def test_when_its_statements_died_is_known_after_a_restart_or_taken_to_be_now(resting: RestingTable, stored: tuple[int, ...],
                                                                              lengths: tuple[int, ...]) -> None:
    """An older program did not store it. What was stored is not believed to lie outside the log."""
    state = PartOf(resting, resting.waiting).state
    twelve = state.match.branch(12)
    dead = [signed(resting.waiting, kind, {}) for kind in ("leave", "seat")]
    again = ReplicaState(resting.waiting.identity, state.authority, twelve, resting.waiting.dealer, dead=dead,
                         dead_lengths=stored)
    assert again.dead == [DeadStatement(statement, length) for statement, length in zip(dead, lengths, strict=True)]


def test_what_the_dealing_answered_is_stored_with_the_entries_that_said_it() -> None:
    """So that a page need not verify its own log again."""
    table = RestingTable(910, entries=12)
    state = PartOf(table, table.waiting).state
    entries = list(state.match.entries)
    state.cut(1)
    state.take()
    for entry in entries[1:]:
        state.append(entry)
    _, unstored, _ = state.take()
    assert [new.entry for new in unstored] == entries[1:]
    dealt = [new for new in unstored if new.entry.statement.kind == "deal"]
    assert {new.answers is None for new in unstored if new not in dealt} == {True}
    for new in dealt:
        dealing = state.match.snapshot_at(new.entry.index).dealing
        assert isinstance(dealing, SealedDealing) and new.answers == tuple(dealing.last_results)
    assert () in [new.answers for new in dealt] and any(new.answers for new in dealt)


# ---- what stands behind a false shuffle ----

class TakenForGood:
    """The log of ``waiting``, who puts shuffles off: behind entry ``length - 1`` ``third``, itself and ``orderer`` have said
    something. Whoever checks at once finds the entry at ``wrong_at`` wrong."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, wrong_at: int = 0) -> None:
        self.table = table = RestingTable(908, entries=3)
        self.checker = DeferredChecker(StandInGroup())
        monkeypatch.setattr(ReplicaState, "deferred_checker", self.checker)
        self.state = state = PartOf(table, table.waiting).state
        self.length = len(table.match.entries)
        for node in (table.third, table.waiting, table.orderer):
            entry = put(table.orderer, renamed(table, 90, "K", node))
            for one in (state, peer_of(table.orderer).state):
                one.append(entry)
        state._note_lives()
        state.take()
        append = Match.append

        def judged(match: Match, entry: Entry) -> None:
            if match is not state.match and entry.index == self.length + wrong_at:
                raise Refused(Refusal("kernel.over"))
            append(match, entry)

        monkeypatch.setattr(Match, "append", judged)
        self.entries, self.cuts = list(state.match.entries), state.cuts


def test_a_log_in_which_nothing_is_wrong_by_a_false_shuffle_is_folded_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = TakenForGood(monkeypatch, 99)
    state, length = taken.state, taken.length
    folded, grow = list[int](), Match.append_judged

    def noted(match: Match, entry: Entry) -> None:
        folded.append(entry.index)
        grow(match, entry)

    monkeypatch.setattr(Match, "append_judged", noted)
    assert state.fold_again(length - 1) is None
    assert folded == [length - 1, length, length + 1, length + 2] and state.match.head == taken.entries[-1].hash
    assert state.cuts == taken.cuts + 1
    assert (state.pending, state.dead, state.rejections, state.has_signed) == (None, [], [], False)


@pytest.mark.parametrize("stops_before", [False, True])
def test_what_is_wrong_by_a_false_shuffle_falls_away_with_all_behind_it(monkeypatch: pytest.MonkeyPatch, *,
                                                                        stops_before: bool) -> None:
    taken = TakenForGood(monkeypatch)
    state, length = taken.state, taken.length
    own = taken.entries[length + 1].statement
    idle = Accusation(taken.table.third.author, "statement", tuple(taken.entries[:2]), ())
    state.idle_accusations = [idle]
    monkeypatch.setattr(ReplicaState, "stops_by", lambda state, one: stops_before or len(state.match.entries) == length)
    wrong = state.fold_again(length - 1)
    assert wrong is not None and wrong.hash == taken.entries[length].hash
    assert [one.hash for one in state.match.entries] == [one.hash for one in taken.entries[:length]]
    assert state.cuts == taken.cuts + 1
    assert state.dead == [DeadStatement(own, length)] and [said for said, _ in state.rejections] == [own]
    stored_length, unstored, kept = state.take()
    assert stored_length == length - 1 and [new.entry.index for new in unstored] == [length - 1] and kept is not None
    assert state.accusations == ([] if stops_before else [idle])


# ---- what waits for shuffles that were put off ----

def test_the_checker_is_told_which_hand_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    table = RestingTable(906, entries=3)
    state, checker = PartOf(table, table.orderer).state, DeferredChecker(StandInGroup())
    deals = state.match.snapshot.deals
    monkeypatch.setattr(state.dealing, "checker", checker)
    length, checker.hand = len(table.match.entries), 99
    state.append(put(table.orderer, renamed(table, 90, "K")))
    assert checker.hand == deals > 0
    checker.hand = 99
    state.cut(length)
    assert checker.hand == deals
    checker.hand = 99
    PartOf(table, table.orderer)
    assert checker.hand == deals


def test_nothing_is_signed_until_what_failed_was_looked_for(resting: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    state, checker = PartOf(resting, resting.waiting).state, DeferredChecker(StandInGroup())
    assert state.ready and state.is_checked
    monkeypatch.setattr(state.dealing, "checker", checker)
    for urgent, failed in ((0, False), (1, False), (0, True), (2, True)):
        monkeypatch.setattr(DeferredChecker, "urgent", urgent)
        checker.failed = failed
        assert state.ready == state.is_checked == (not urgent and not failed)
