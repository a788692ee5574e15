"""What the peer that orders is passed over for: what it owes, a seat of its own that does nothing, an undo without consent."""

from __future__ import annotations

from typing import Any

import pytest

from tabletin.kernel.log import Entry
from tabletin.kernel.match import Match
from tabletin.peers.replication import ballots
from tabletin.peers.replication.ballots import PATIENCE, Ballots
from tests.support.ballot_booth import Booth
from tests.support.forging import signed
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable

WAIT = 2 * PATIENCE


@pytest.fixture(scope="module")
def table() -> RestingTable:
    return RestingTable(821)


@pytest.fixture
def booth(table: RestingTable) -> Booth:
    return Booth(table, table.waiting)


class Growth:
    """The log of ``booth`` grows by whatever the test says, as if it had been taken in."""

    def __init__(self, booth: Booth, monkeypatch: pytest.MonkeyPatch) -> None:
        self.booth = booth
        self.entries = [*booth.match.entries]
        monkeypatch.setattr(booth.match, "entries", self.entries)

    def grow(self, kind: str, body: dict[str, Any] | None = None, author: Node | None = None) -> Entry:
        author = author or self.booth.node
        entry = Entry.create(len(self.entries), self.entries[-1].hash, signed(author, kind, body or {}), "0" * 128)
        self.entries.append(entry)
        return entry

    def is_withheld(self, seconds: float) -> bool:
        """Whether the peer that orders is passed over, a tick after ``seconds``."""
        self.booth.at(seconds).ballots.tick()
        self.booth.outbox.messages.clear()
        return bool(self.booth.ballots.subjects())


# ---- what it owes ----

@pytest.fixture
def debt(booth: Booth, monkeypatch: pytest.MonkeyPatch) -> Growth:
    """The peer that orders owes what nobody else may say."""
    monkeypatch.setattr(type(booth.state), "orderer_owes", True)
    return Growth(booth, monkeypatch)


def test_who_orders_is_passed_over_for_what_it_has_owed_for_twenty_seconds(debt: Growth) -> None:
    found = [debt.is_withheld(seconds) for seconds in (100, 101, 100 + WAIT - 0.1, 100 + WAIT)]
    assert found == [False, False, False, True]


def test_what_is_said_of_seats_and_a_new_epoch_make_no_other_debt_and_anything_else_does(debt: Growth) -> None:
    """Who orders could have an epoch begin again and again."""
    assert not debt.is_withheld(100)
    for kind in ("seat", "consent", "device", "leave", "pass"):
        debt.grow(kind)
        assert not debt.is_withheld(105), kind
    assert debt.is_withheld(100 + WAIT)
    debt.grow("deal")
    debt.grow("seat")
    assert not debt.is_withheld(100 + WAIT) and not debt.is_withheld(100 + 2 * WAIT - 1)
    assert debt.is_withheld(100 + 2 * WAIT)


def test_nothing_is_owed_behind_the_end(debt: Growth, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an older log an undo may take the end back: only then a debt begins."""
    with monkeypatch.context() as patch:
        patch.setattr(Match, "outcome", object())
        assert not debt.is_withheld(100)
    assert not debt.is_withheld(100 + WAIT) and debt.is_withheld(100 + 2 * WAIT)


@pytest.mark.parametrize(("kind", "to_itself", "is_another"), [
    ("order", True, False), ("order", False, True), ("deal", True, True),
])
def test_only_an_order_that_changes_nothing_makes_no_other_debt(debt: Growth, table: RestingTable, kind: str, to_itself: bool,
                                                                 is_another: bool) -> None:
    assert not debt.is_withheld(100)
    debt.grow(kind, {"to": (table.orderer if to_itself else table.third).author}, table.orderer)
    assert not debt.is_withheld(105)
    assert debt.is_withheld(100 + WAIT) == (not is_another)
    assert debt.is_withheld(105 + WAIT)


# ---- a seat of its own that does nothing ----

def wait_for(booth: Booth, node: Node, monkeypatch: pytest.MonkeyPatch) -> Growth:
    """The table waits for a seat of ``node``, and the people of ``booth`` want it timed out."""
    seat = booth.table.seat(node)
    monkeypatch.setattr(type(booth.match.rules), "to_act", lambda rules, state: (seat,))
    booth.choices.timeouts.add(seat)
    return Growth(booth, monkeypatch)


@pytest.fixture
def idle(booth: Booth, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> Growth:
    """The table waits for the device that orders."""
    return wait_for(booth, table.orderer, monkeypatch)


def test_who_orders_is_passed_over_for_its_own_idle_seat(idle: Growth) -> None:
    assert [idle.is_withheld(seconds) for seconds in (100, 101, 99.9 + WAIT, 100 + WAIT)] == [False, False, False, True]


def test_who_orders_is_not_passed_over_for_anothers_seat(booth: Booth, table: RestingTable,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    other = wait_for(booth, table.third, monkeypatch)
    assert not other.is_withheld(100) and not other.is_withheld(100 + 3 * WAIT)


@pytest.mark.parametrize(("kind", "body", "begins_anew"), [
    ("move", {"seat": 0}, True), ("deal", {"ahead": []}, False), ("deal", {"ahead": [], "x": 0}, True), ("consent", {}, False),
    ("timeout", {"seat": 0}, False), ("pass", {}, False), ("gone", {}, True), ("leave", {}, True),
])
def test_only_what_plays_begins_the_wait_anew(idle: Growth, kind: str, body: dict[str, Any], begins_anew: bool) -> None:
    assert not idle.is_withheld(100)
    idle.grow(kind, body)
    assert not idle.is_withheld(105)
    assert idle.is_withheld(100 + WAIT) == (not begins_anew)
    assert idle.is_withheld(105 + WAIT)


def test_nobody_is_waited_for_behind_the_end(idle: Growth, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an older log an undo may take the end back: only then the wait begins."""
    with monkeypatch.context() as patch:
        patch.setattr(Match, "outcome", object())
        assert not idle.is_withheld(100)
    assert not idle.is_withheld(100 + WAIT) and idle.is_withheld(100 + 2 * WAIT)


# ---- an undo that holds the match up ----

class Undo(Growth):
    """``holds_up`` says what the test says of every undo; it is asked of the log behind the entry before it."""

    def __init__(self, booth: Booth, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(booth, monkeypatch)
        self.is_without_consent = True
        self.asked: list[tuple[int, int, int]] = []
        monkeypatch.setattr(Match, "prefix", lambda match, index=None: index)
        monkeypatch.setattr(ballots, "holds_up", self.holds_up)
        self.grow("deal")
        self.start = len(self.entries)
        self.seat = booth.table.seat(booth.table.orderer)

    def holds_up(self, index: Any, seat: int, target: int) -> bool:
        self.asked.append((index, seat, target))
        return self.is_without_consent

    def go_back(self, target: int, author: Node) -> bool:
        """Whether the peer that orders is passed over for an undo of ``author`` to entry ``target``."""
        self.grow("undo", {"seat": self.seat, "to": target}, author)
        return self.is_withheld(100)


@pytest.fixture
def undo(booth: Booth, monkeypatch: pytest.MonkeyPatch) -> Undo:
    return Undo(booth, monkeypatch)


def test_who_orders_and_takes_a_timeout_back_is_passed_over_at_once(undo: Undo, table: RestingTable) -> None:
    for kind in ("move", "timeout", "move"):
        undo.grow(kind, {"seat": undo.seat})
    assert undo.go_back(undo.start, table.orderer)
    assert undo.asked == [(undo.start + 2, undo.seat, undo.start)]


def test_a_timeout_that_stays_in_the_log_is_not_taken_back(undo: Undo, table: RestingTable) -> None:
    undo.grow("timeout", {"seat": undo.seat})
    undo.grow("move", {"seat": undo.seat})
    assert not undo.go_back(undo.start, table.orderer)


def test_whose_undo_it_is_makes_no_difference(undo: Undo, table: RestingTable) -> None:
    """Else who orders would place the undo of a second key of its own, or go on from another device after its own."""
    undo.grow("timeout", {"seat": undo.seat})
    assert undo.go_back(undo.start - 1, table.third)


@pytest.mark.parametrize("kind", ["gone", "pass", "leave"])
def test_who_did_not_get_the_order_from_whoever_placed_it_is_not_passed_over(undo: Undo, table: RestingTable, kind: str) -> None:
    undo.grow("timeout", {"seat": undo.seat})
    undo.grow("undo", {"seat": undo.seat, "to": undo.start - 1}, table.orderer)
    undo.grow("order", {"to": table.third.author})
    assert undo.is_withheld(100)
    undo.grow(kind, {})
    assert not undo.is_withheld(101)


def test_an_undo_with_consent_is_fair(undo: Undo, table: RestingTable) -> None:
    undo.is_without_consent = False
    undo.grow("timeout", {"seat": undo.seat})
    assert not undo.go_back(undo.start - 1, table.orderer) and undo.asked


def test_a_first_undo_is_fair_and_one_too_many_is_not(undo: Undo, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ballots, "MOST_UNDOS", 2)
    for is_unfair in (False, False, True):
        undo.grow("move", {"seat": undo.seat})
        assert undo.go_back(len(undo.entries) - 2, table.orderer) == is_unfair


def test_undos_are_looked_at_once_behind_each_entry_and_back_to_the_deal(undo: Undo, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes a fold of the log."""
    seen: list[int] = []

    def look(part: Ballots, entry: Entry) -> bool:
        seen.append(entry.index)
        return False

    monkeypatch.setattr(Ballots, "_is_unfair_undo", look)
    undo.grow("move", {"seat": undo.seat})
    undo.grow("deal", {"ahead": []})
    for _ in range(2):
        undo.is_withheld(100)
    assert seen == [undo.start + 1, undo.start], "the newest first, and no more than those behind the deal"
    seen.clear()
    del undo.entries[1:]
    undo.grow("move", {"seat": undo.seat})
    undo.is_withheld(101)
    assert seen == [1], "the first entry of all is none that plays"


# ---- what is remembered ----

def test_verdicts_are_remembered_for_so_many_statements_behind_one_entry(booth: Booth, table: RestingTable,
                                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ballots, "MOST_VERDICTS", 3)
    statements = [signed(table.third, "consent", {"seat": table.seat(table.third), "to": number}) for number in range(4)]
    kept = []
    for statement in statements:
        booth.ballots._is_usable(statement)
        kept.append(len(booth.ballots._usable[1]))
    assert kept == [1, 2, 3, 1]


def test_a_plea_that_the_log_refuses_since_is_forgotten(booth: Booth, table: RestingTable,
                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    growth = Growth(booth, monkeypatch)
    statement = signed(table.third, "seat", {"seat": table.seat(table.third),
                                             "to": table.match.setup.seats[table.seat(table.third)].to_json()})
    assert booth.at(100).ballots.hear_plea(statement)
    growth.is_withheld(100)
    assert booth.ballots._pleas
    monkeypatch.setattr(Match, "refusal", lambda match, statement: object())
    growth.grow("move", {"seat": 0})
    growth.is_withheld(101)
    assert not booth.ballots._pleas


def test_pleas_of_one_author_are_handed_on_and_judged_once_a_pause(booth: Booth, table: RestingTable) -> None:
    seat = table.seat(table.third)
    one, other = (signed(table.third, "consent", {"seat": seat, "to": 1}, count=count) for count in (80, 81))
    said = [(0.0, one), (0.5, one), (0.5, other), (0.9, other), (1.7, one), (1.8, one)]
    assert [booth.at(seconds).ballots.hear_plea(statement) for seconds, statement in said] == [
        True, False, False, True, False, True]
