"""Whom one device asks for entries that it lacks, and what it serves: neither twice, nor too early, nor too much at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tabletin.kernel.log import Entry, canonical
from tabletin.peers.replication import backfill as module
from tabletin.peers.replication.backfill import BATCH, GRACE, MOST_GRACE, TRACED, TRANSIT, Backfill
from tabletin.peers.replication.payloads import Payloads
from tests.support.peer_part import PartOf
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable


class Desk(PartOf):
    """The backfill of ``node``. ``length`` is how long its log is."""

    def __init__(self, table: RestingTable, node: Node) -> None:
        super().__init__(table, node)
        self.backfill = Backfill(self.state, self.outbox, Payloads(self.state, self.outbox))
        self.length = len(self.match.entries)

    def at(self, seconds: float) -> Desk:
        self.backfill.tick(seconds)
        return self

    def asked(self) -> list[tuple[str | None, int, int | None]]:
        """Who was asked for what since this was asked last."""
        return [(to, message["i"], message.get("to")) for to, message in self.told() if message["t"] == "want"]

    def sent(self) -> list[tuple[str | None, list[int]]]:
        """To whom which entries were sent."""
        return [(to, [entry["i"] for entry in message["e"]]) for to, message in self.told() if message["t"] == "put"]

    def hears(self, sender: Node, index: int) -> None:
        self.backfill.note_head(sender.author, index)

    def takes(self, sender: Node, more: int, *, repeated: bool = False, gap: int | None = None) -> None:
        """``more`` entries came from ``sender``; the log is a list of the same ones over and over."""
        self.match.entries.extend(self.match.entries[-1:] * more)
        self.backfill.note_entries(sender.author, len(self.match.entries) - more, repeated, gap)


@pytest.fixture(scope="module")
def table() -> RestingTable:
    return RestingTable(835)


@pytest.fixture
def desk(table: RestingTable) -> Iterator[Desk]:
    """That of ``waiting``, at ten seconds."""
    entries: list[Entry] = list(table.match.entries)
    made = Desk(table, table.waiting)
    own = list(made.match.entries)
    yield made.at(10)
    made.match.entries[:] = own
    table.match.entries[:] = entries


# ---- asking ----

def test_who_orders_is_asked_at_once_and_another_after_a_moment(desk: Desk, table: RestingTable) -> None:
    desk.hears(table.orderer, desk.length - 1)
    assert desk.asked() == [] and desk.backfill.missing(table.orderer.author) == 0
    desk.hears(table.third, desk.length + 1)
    assert desk.asked() == [] and desk.backfill.missing(table.third.author) == 2
    desk.at(10 + GRACE - 0.1)
    assert desk.asked() == []
    desk.at(10 + GRACE)
    assert desk.asked() == [(table.third.author, desk.length, None)]
    desk.hears(table.orderer, desk.length)
    assert desk.asked() == [], "one at a time"
    other = Desk(table, table.waiting).at(10)
    other.hears(table.orderer, other.length)
    assert other.asked() == [(table.orderer.author, other.length, None)]


def test_who_plays_is_asked_before_those_who_say_that_they_hold_much_more(desk: Desk, table: RestingTable) -> None:
    """One person may come with many keys, and each that does not answer takes its time."""
    for number in range(5):
        desk.backfill.note_head(f"{number:064x}", desk.length + 1000 + number)
    desk.hears(table.third, desk.length)
    desk.at(10 + GRACE)
    assert desk.asked() == [(table.third.author, desk.length, None)]
    desk.at(10 + GRACE + 2 * GRACE)
    assert desk.asked() == [(f"{4:064x}", desk.length, None)]


def test_after_a_restart_and_among_two_nobody_waits(desk: Desk, table: RestingTable) -> None:
    desk.state.unheard_authors = {table.orderer.author}
    desk.hears(table.third, desk.length)
    assert desk.asked() == [(table.third.author, desk.length, None)]
    two = RestingTable(832, peers=2)
    for node, other in ((two.orderer, two.waiting), (two.waiting, two.orderer)):
        lone = Desk(two, node).at(10)
        lone.hears(other, lone.length)
        assert len(lone.asked()) == 1


def test_who_does_not_answer_is_asked_once_then_the_others_then_again(desk: Desk, table: RestingTable) -> None:
    desk.hears(table.third, desk.length)
    desk.hears(table.orderer, desk.length + 1)
    assert desk.asked() == [(table.orderer.author, desk.length, None)]
    desk.at(10 + 2 * GRACE - 0.1)
    assert desk.asked() == []
    desk.at(10 + 2 * GRACE)
    assert desk.asked() == [(table.third.author, desk.length, None)]
    desk.at(10 + 4 * GRACE)
    assert desk.asked() == [(table.orderer.author, desk.length, None)]


def test_of_several_who_orders_is_asked_first_and_then_who_holds_most(desk: Desk, table: RestingTable) -> None:
    desk.backfill._ends = {table.third.author: desk.length + 1, "x": desk.length + 3, "y": desk.length + 5,
                           table.orderer.author: desk.length}
    asked = []
    for number in range(1, 5):
        desk.at(10 + number * 2 * GRACE)
        asked += [to for to, _, _ in desk.asked()]
    assert asked == [table.orderer.author, table.third.author, "y", "x"], "those who play before others"


def test_what_is_held_already_is_not_asked_for(desk: Desk, table: RestingTable) -> None:
    desk.hears(table.third, desk.length + 1)
    desk.at(10 + GRACE)
    desk.asked()
    desk.takes(table.third, 1, gap=desk.length + 3)
    assert desk.asked() == [(table.third.author, desk.length + 1, desk.length + 3)]
    desk.takes(table.third, 5)
    assert desk.asked() == [] and desk.backfill.missing(table.third.author) == 0
    desk.at(100)
    assert desk.asked() == [], "nothing is missing"


def test_while_entries_come_nobody_else_is_asked(desk: Desk, table: RestingTable) -> None:
    desk.hears(table.orderer, desk.length + 9)
    desk.hears(table.third, desk.length + 1)
    desk.asked()
    desk.at(10 + 2 * GRACE - 0.1)
    desk.takes(table.third, 1)
    desk.at(10 + 4 * GRACE - 0.2)
    assert desk.asked() == [], "the log went on just now"
    desk.at(10 + 4 * GRACE - 0.1)
    assert [to for to, _, _ in desk.asked()] == [table.orderer.author], "it was not asked since"
    desk.takes(table.orderer, 2)
    assert [to for to, _, _ in desk.asked()] == [table.orderer.author], "there is more of it"


def test_who_brings_all_it_has_is_asked_no_more_and_another_one_may_be(desk: Desk, table: RestingTable) -> None:
    desk.hears(table.orderer, desk.length)
    desk.hears(table.third, desk.length + 4)
    desk.asked()
    desk.takes(table.orderer, 1)
    assert desk.asked() == []
    desk.at(10 + GRACE)
    assert [to for to, _, _ in desk.asked()] == [table.third.author]


def test_nothing_new_changes_nothing(desk: Desk, table: RestingTable) -> None:
    desk.hears(table.orderer, desk.length)
    desk.asked()
    desk.takes(table.orderer, 0)
    desk.at(10 + 2 * GRACE - 0.1)
    assert desk.asked() == []
    desk.at(10 + 2 * GRACE)
    assert len(desk.asked()) == 1


def test_what_comes_twice_makes_one_wait_longer(desk: Desk, table: RestingTable) -> None:
    for grace in (2 * GRACE, 4 * GRACE, MOST_GRACE, MOST_GRACE):
        desk.takes(table.third, 0, repeated=True)
        assert desk.backfill._grace == grace
    desk.takes(table.third, 1, repeated=True)
    assert desk.backfill._grace == MOST_GRACE
    desk.takes(table.third, 1)
    assert desk.backfill._grace == pytest.approx(0.9 * MOST_GRACE)
    for _ in range(40):
        desk.takes(table.third, 1)
    assert desk.backfill._grace == GRACE


def test_where_two_logs_part_is_asked_for_half_a_batch_back(desk: Desk, table: RestingTable) -> None:
    for now, index, asked in ((10.0, 100, [(100 - BATCH // 2, 101)]), (10.4, 100, []), (10.5, 5, [(1, 6)])):
        desk.at(now)
        desk.backfill.trace(table.third.author, index)
        assert [(start, end) for _, start, end in desk.asked()] == asked
    desk.backfill.trace(table.orderer.author, 50)
    assert len(desk.asked()) == 1


def test_what_is_found_further_back_leads_on_at_once_and_is_remembered(desk: Desk, table: RestingTable) -> None:
    """Another head comes each second, and would begin it anew."""
    half = BATCH // 2
    for now, index, asked in ((10.0, 300, 300), (10.0, 300 - half, 300 - half), (10.1, 299, None), (10.1, 300 - half, None),
                              (10.2, 300 - 2 * half, 300 - 2 * half), (10.7, 300, 300 - 2 * half), (11.0, 301, None),
                              (10.2 + TRACED - 0.1, 300, 300 - 2 * half), (10.2 + TRACED, 300, None),
                              (10.9 + TRACED, 301, 300), (11.0 + TRACED, 301, None), (11.0 + TRACED, 298, 298)):
        desk.at(now)
        desk.backfill.trace(table.third.author, index)
        assert desk.asked() == ([] if asked is None else [(table.third.author, asked - half, asked + 1)]), (now, index)


def test_how_far_back_another_log_was_found_different_is_forgotten_where_the_own_one_is_cut(desk: Desk,
                                                                                            table: RestingTable) -> None:
    for cuts, index in ((0, 100), (1, 300)):
        desk.state.cuts = cuts
        desk.backfill.trace(table.third.author, index)
        assert desk.asked() == [(table.third.author, index - BATCH // 2, index + 1)]


def test_what_comes_where_a_log_parts_is_asked_for_now_and_then(desk: Desk, table: RestingTable) -> None:
    early = Desk(table, table.waiting)
    early.backfill.ask_ahead(table.third.author, 7)
    assert early.asked() == [(table.third.author, 7, 7 + BATCH)], "also in the very first moment"
    for now, is_asked in ((10.0, True), (10.0 + GRACE - 0.1, False), (10.0 + GRACE, True)):
        desk.at(now)
        desk.backfill.trace(table.third.author, 40)
        desk.asked()
        desk.backfill.ask_ahead(table.third.author, 50)
        assert desk.asked() == [(table.third.author, 50, 50 + BATCH)] * is_asked
    desk.backfill.ask_ahead(table.orderer.author, 50)
    assert len(desk.asked()) == 1


def test_where_the_log_was_cut_all_is_asked_and_served_anew(desk: Desk, table: RestingTable) -> None:
    desk.hears(table.orderer, desk.length + 3)
    desk.backfill.serve(table.third.author, 1, 5)
    desk.backfill.announce(desk.match.entries[-1])
    desk.told()
    desk.state.cuts += 1
    desk.at(100)
    assert desk.asked() == [] and desk.backfill.missing(table.orderer.author) == 0
    desk.state.cuts += 1
    desk.backfill.serve(table.third.author, 1, 5)
    assert desk.sent() == [(table.third.author, [1, 2, 3, 4])]
    desk.hears(table.orderer, desk.length)
    assert len(desk.asked()) == 1


def test_where_the_log_was_cut_just_now_nothing_of_before_counts(desk: Desk, table: RestingTable) -> None:
    to, stranger, last = table.third.author, "d" * 64, desk.length - 1
    desk.hears(table.third, desk.length)
    desk.at(10 + GRACE)
    assert [to for to, _, _ in desk.asked()] == [to]
    desk.backfill.serve(to, 1, 5)
    desk.backfill.announce(desk.match.entries[last])
    desk.told()
    desk.state.cuts += 1
    desk.backfill.serve(to, 1, 5)
    desk.backfill.serve(stranger, last)
    assert desk.sent() == [(to, [1, 2, 3, 4]), (stranger, [last])], "nothing is on its way any more"
    desk.backfill.serve(to, 1, 5)
    desk.backfill.note_head(stranger, desk.length + 4)
    desk.hears(table.third, desk.length)
    desk.at(10 + 2 * GRACE)
    assert desk.told() == [(to, {"t": "want", "i": desk.length})], "nobody was asked since; what was noted since counts"


def test_nobody_is_asked_while_a_text_of_the_next_entry_is_on_its_way(desk: Desk, table: RestingTable,
                                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    awaited: list[int] = []

    def is_awaited(index: int) -> bool:
        awaited.append(index)
        return True

    with monkeypatch.context() as patch:
        patch.setattr(desk.backfill._payloads, "is_awaited", is_awaited)
        desk.hears(table.orderer, desk.length)
        desk.at(10 + GRACE)
        assert desk.asked() == [] and set(awaited) == {desk.length}
    desk.at(10 + GRACE)
    assert desk.asked() == [(table.orderer.author, desk.length, None)]


# ---- serving ----

def test_what_is_asked_for_is_sent_in_bounded_parts(desk: Desk, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    to = table.third.author
    desk.backfill.serve(to, 3, 6)
    assert desk.sent() == [(to, [3, 4, 5])]
    for start, end in ((desk.length, None), (5, 5), (7, 3)):
        desk.backfill.serve(to, start, end)
    assert desk.sent() == []
    monkeypatch.setattr(module, "BATCH", 4)
    other = Desk(table, table.waiting).at(10)
    other.backfill.serve(to, 0)
    assert other.sent() == [(to, [0, 1, 2, 3])]
    other = Desk(table, table.waiting).at(10)
    sizes = [len(entry.statement.canonical_bytes) for entry in desk.match.entries]
    monkeypatch.setattr(module, "BATCH_BYTES", sum(sizes[:2]))
    other.backfill.serve(to, 0)
    assert other.sent() == [(to, [0, 1, 2])], "the first that is too much still goes"


def test_what_is_on_its_way_is_not_sent_again(desk: Desk, table: RestingTable) -> None:
    to = table.third.author
    desk.backfill.serve(to, 3, 6)
    desk.backfill.serve(to, 4, 9)
    desk.backfill.serve(to, 3, 6)
    assert desk.sent() == [(to, [3, 4, 5]), (to, [6, 7, 8])]
    desk.backfill.serve(to, 8, 10)
    assert desk.sent() == [(to, [9])], "all since the first count as one delivery"
    desk.backfill.serve(to, 12, 13)
    assert desk.sent() == [(to, [12])]
    desk.backfill.serve(table.orderer.author, 3, 5)
    assert desk.sent() == [(table.orderer.author, [3, 4])]
    desk.backfill.serve(to, 2, 4)
    assert desk.sent() == [(to, [2, 3])]
    desk.at(10 + TRANSIT)
    desk.backfill.serve(to, 2, 4)
    assert desk.sent() == [(to, [2, 3])], "it may have been lost"


def test_what_was_sent_to_everybody_just_now_is_not_sent_to_one(desk: Desk, table: RestingTable) -> None:
    last = desk.length - 1
    for index in (last - 1, last):
        desk.backfill.announce(desk.match.entries[index])
    assert desk.sent() == [(None, [last - 1]), (None, [last])]
    desk.backfill.serve(table.third.author, last - 3)
    assert desk.sent() == [(table.third.author, [last - 3, last - 2])]
    desk.at(10 + TRANSIT)
    desk.backfill.serve(table.third.author, last - 3)
    assert desk.sent() == [(table.third.author, [last - 3, last - 2, last - 1, last])]
    desk.backfill.announce(desk.match.entries[last])
    announced: Any = desk.backfill._announced
    assert announced.keys() == {last}


def test_one_peer_is_served_so_many_bytes_in_a_second(desk: Desk, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = [len(entry.statement.canonical_bytes) for entry in desk.match.entries]
    monkeypatch.setattr(module, "MOST_SERVED", sizes[3] + sizes[4])
    to, other = table.third.author, table.orderer.author

    def serve(index: int, peer: str = to) -> list[int]:
        desk.backfill.serve(peer, index, index + 1)
        return [entry for _, entries in desk.sent() for entry in entries]

    assert [serve(index) for index in (3, 4, 5)] == [[3], [4], []]
    assert serve(5, other) == [5], "each peer has its own bound"
    desk.at(10.9)
    assert serve(5) == [], "still the same second"
    desk.at(11)
    assert serve(5) == [5], "the bytes count anew"
    desk.at(11.9)
    desk.backfill._bytes_served[to] = module.MOST_SERVED - 1
    assert serve(6) == [6] and serve(7) == [], "one more as long as there is room"
    desk.at(12)
    assert serve(7) == [7]


def test_a_proof_is_sent_once_there_is_one_and_counts_as_what_it_costs(desk: Desk, table: RestingTable,
                                                                       monkeypatch: pytest.MonkeyPatch) -> None:
    to, other = table.third.author, table.orderer.author
    proof = {"t": "blame", "why": "vote", "x": [], "e": ["x" * 100]}
    size = len(canonical(proof))
    monkeypatch.setattr(module, "MOST_SERVED", 2 * size)
    desk.backfill.show(to, None)
    assert desk.told() == []
    for sent in ([(to, proof)], [(to, proof)], []):
        desk.backfill.show(to, proof)
        assert desk.told() == sent
    desk.backfill.serve(to, 3, 4)
    assert desk.told() == [], "entries count along with it"
    desk.backfill.show(other, proof)
    desk.at(11)
    desk.backfill.show(to, proof)
    assert desk.told() == [(other, proof), (to, proof)]
    for stranger, is_sent in (("d" * 64, True), ("e" * 64, True), ("d" * 64, False)):
        desk.backfill.show(stranger, proof)
        assert desk.told() == [(stranger, proof)] * is_sent, "all who do not play have one allowance together"
