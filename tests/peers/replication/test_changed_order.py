"""Evidence about the entry right behind one that changed who orders, or began an epoch, and about the first entry of all.

Each is judged by the log right before it, and by nothing earlier.
"""

from __future__ import annotations

from contextlib import suppress

import pytest

from tabletin.kernel.log import Entry, Json, Statement
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.acks import Acknowledgement
from tabletin.peers.replication.authority import acknowledgement
from tabletin.peers.replication.evidence import Accusation, convicts_voter, judge
from tabletin.registry import rules_of
from tests.support.ballots import end_of, first_entry, subject_gone, vote_of
from tests.support.device_moves import peer_of
from tests.support.forging import put, signed
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable


class ChangedTable(RestingTable):
    """``orderer`` gave the order to ``third``, who placed the next entry, number ``handed``. Then the others passed it
    over: in the new epoch ``waiting`` orders. It placed the entry ``fresh`` in it, right behind the first."""

    def __init__(self) -> None:
        super().__init__(781)
        self.grow(put(self.orderer, signed(self.orderer, "order", {"to": self.third.author})))
        self.handed = self.grow(put(self.third, self.renames(self.third)))
        self.before = end_of(self.match)
        self.subject = {"kind": "pass", "against": self.third.author, "order": self.waiting.author}
        votes = [vote_of(node, 1, self.subject, self.before) for node in (self.orderer, self.waiting)]
        self.grow(first_entry(self.waiting, self.subject, 1, votes, len(self.match.entries)))
        self.fresh = self.grow(put(self.waiting, self.renames(self.third)))

    def grow(self, entry: Entry) -> int:
        for node in self.net.nodes:
            peer_of(node).match.append(entry)
        return entry.index

    def renames(self, node: Node, behind: int | None = None) -> Statement:
        """A statement that is right at any time. ``behind``: the entry that it names as the newest."""
        seat = self.seat(node)
        head = self.match.entries[-1 if behind is None else behind].hash
        return signed(node, "seat", {"seat": seat, "to": self.match.setup.seats[seat].to_json()}, head=head,
                      count=self.match.count(node.author) + 50)

    def accused(self, why: str, *exhibits: Json) -> list[tuple[str, str, int]]:
        """Of what ``orderer`` accuses whom once it is told of these exhibits, and how many entries that rests on."""
        peer = peer_of(self.orderer)
        with suppress(Malformed):
            peer._accusations.hear(self.waiting.author, {"t": "blame", "why": why, "x": list(exhibits)})
        found = list(peer.accusations)
        peer.accusations.clear()
        for accusation in found:
            assert judge(accusation, rules_of, self.net.verifier, self.net.checker) is not None
        return [(one.culprit, one.why, len(one.prefix)) for one in found]


@pytest.fixture(scope="module")
def table() -> ChangedTable:
    return ChangedTable()


def test_a_place_is_that_of_who_orders_right_before_it(table: ChangedTable) -> None:
    third, at = table.third, table.handed
    mine = table.match.entries[at]
    other = put(third, table.renames(table.waiting, at - 1), at)
    assert table.accused("fork", mine.to_json(), other.to_json()) == [(third.author, "fork", at)]
    wrong = put(third, signed(table.waiting, "order", {"to": table.waiting.author}, head=table.match.entries[at - 1].hash), at)
    assert table.accused("place", wrong.to_json()) == [(third.author, "place", at)]
    of_former = put(table.orderer, wrong.statement, at)
    assert table.accused("place", of_former.to_json()) == []
    vote = vote_of(third, 1, subject_gone(table.waiting.author, third.author), end_of(table.match, len(table.match.entries) - at))
    assert table.accused("vote", vote.to_json(), {"i": at}) == [(third.author, "vote", at + 1)]
    of_former_orderer = vote_of(table.orderer, 1, vote.subject, vote.end)
    assert table.accused("vote", of_former_orderer.to_json(), {"i": at}) == []


def test_who_finds_a_fork_itself_names_who_orders_there(table: ChangedTable) -> None:
    at = table.handed
    other = put(table.third, table.renames(table.waiting, at - 1), at)
    found = Accusation.of_fork(table.match, table.match.entries[at], other)
    assert (found.culprit, len(found.prefix)) == (table.third.author, at)


def test_a_word_of_the_epoch_that_was_voted_for_breaks_no_vote(table: ChangedTable) -> None:
    """Who voted for it goes on in it: it says, places and acknowledges what stands behind its first entry."""
    match, voter = table.match, table.waiting
    vote = vote_of(voter, 1, table.subject, table.before)
    at = table.fresh
    entry = match.entries[at]
    head: list[Json] = [at, entry.hash, voter.identity.sign(acknowledgement(match.id, at, entry.hash))]
    for word in ({"i": at}, head, table.renames(voter, at).to_json()):
        assert table.accused("vote", vote.to_json(), word) == []
    accusations = peer_of(table.orderer)._accusations
    assert {"i": at} in [word for _, word in accusations._words_of(voter.author)]
    assert not accusations.suspect_votes([vote])
    broken = vote_of(voter, 2, table.subject, table.before)
    assert accusations.suspect_votes([broken])
    (found,) = peer_of(table.orderer).accusations
    peer_of(table.orderer).accusations.clear()
    assert (found.culprit, len(found.prefix)) == (voter.author, table.before[1] + 2), "the first word behind the vote"


def test_the_first_entry_behind_the_genesis_is_evidence_as_any_other() -> None:
    table = ChangedTable()
    match, host = table.match, next(node for node in table.net.nodes if node.author == table.match.entries[0].statement.author)
    first = match.entries[1]
    head = match.entries[0].hash
    other = put(host, signed(host, "seat", {"seat": table.seat(host), "to": match.setup.seats[table.seat(host)].to_json()},
                             head=head), 1)
    assert table.accused("fork", first.to_json(), other.to_json()) == [(host.author, "fork", 1)]
    wrong = put(host, signed(host, "order", {"to": "0" * 64}, head=head), 1)
    assert table.accused("place", wrong.to_json()) == [(host.author, "place", 1)]
    vote = vote_of(host, 1, subject_gone(table.third.author, host.author), (0, 0, head))
    for word in ({"i": 1}, [1, first.hash, host.identity.sign(acknowledgement(match.id, 1, first.hash))]):
        assert table.accused("vote", vote.to_json(), word) == [(host.author, "vote", 2)]


def test_two_places_at_the_next_index_are_a_fork_before_either_is_taken_in(table: ChangedTable) -> None:
    at = len(table.match.entries)
    one, two = (put(table.waiting, table.renames(node)) for node in (table.third, table.orderer))
    assert table.accused("fork", one.to_json(), two.to_json()) == [(table.waiting.author, "fork", at)]
    assert table.accused("place", one.to_json(), two.to_json()) == [], "each may stand there"


def test_no_place_at_the_genesis_is_evidence(table: ChangedTable) -> None:
    statement = signed(table.third, "order", {"to": table.third.author})
    genesis = put(table.waiting, statement, 0)
    assert genesis.previous == table.match.head
    assert table.accused("place", genesis.to_json()) == []


def test_an_acknowledgement_of_another_log_breaks_no_vote(table: ChangedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """What fell away may have been acknowledged."""
    voter = table.third
    state = peer_of(table.orderer).state
    elsewhere = Acknowledgement(table.fresh, "1" * 64, "x")
    monkeypatch.setitem(state.acknowledgements._newest_held, voter.author, elsewhere)
    words = list(state_words(table, voter))
    assert words and not any(isinstance(word, list) for word in words)


def state_words(table: ChangedTable, node: Node) -> list[Json]:
    return [word for _, word in peer_of(table.orderer)._accusations._words_of(node.author)]


def test_a_vote_is_held_against_the_very_entry_that_is_shown(table: ChangedTable) -> None:
    match, voter = table.match, table.third
    vote = vote_of(voter, 1, subject_gone(table.waiting.author, voter.author), (0, 0, match.entries[0].hash))
    authority = peer_of(table.orderer).state.authority
    exhibits = (vote.to_json(), {"i": table.handed})
    assert convicts_voter(voter.author, exhibits, match, table.handed, authority)
    for index in (0, table.handed - 1, table.handed + 1, len(match.entries)):
        assert not convicts_voter(voter.author, exhibits, match, index, authority)


def test_a_word_that_shows_nothing_hides_none_behind_it(table: ChangedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A statement may come late, and name the genesis."""
    accusations = peer_of(table.orderer)._accusations
    late = table.renames(table.third, 0).to_json()
    monkeypatch.setattr(accusations, "_first_words_of", lambda vote: iter(()))
    monkeypatch.setattr(accusations, "_words_of", lambda author: iter([(0, late), (table.handed, {"i": table.handed})]))
    vote = vote_of(table.third, 1, subject_gone(table.waiting.author, table.third.author), end_of(table.match, 10))
    assert accusations.suspect_votes([vote])
    (found,) = peer_of(table.orderer).accusations
    peer_of(table.orderer).accusations.clear()
    assert found.exhibits == (vote.to_json(), {"i": table.handed})
