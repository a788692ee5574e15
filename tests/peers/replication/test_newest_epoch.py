"""The newest epoch decides, however old a certificate is that somebody shows; and nobody can hold up the ballots for ever.

Each scene is one in which a changed program once split a log for good, convicted an honest device or kept a match waiting.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletin.kernel.log import Entry, Statement, canonical, parse
from tabletin.kernel.log import place as spelled
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.peers.replication import sync
from tabletin.peers.replication.accusations import Accusations
from tabletin.peers.replication.authority import acknowledgement, ballot_vote
from tabletin.peers.replication.backfill import BATCH
from tabletin.peers.replication.epoch_vote import EpochVote
from tabletin.peers.replication.sync import VERSION
from tests.support.ballots import end_of, first_entry, node_of, subject_gone, vote_of
from tests.support.device_moves import calm, move_device, peer_of
from tests.support.examples import MANY_HANDS, lasting
from tests.support.forging import put, signed, tell
from tests.support.peer_matches import network
from tests.support.peer_sim import Network, Node
from tests.support.resting_table import RestingTable
from tests.support.two_logs import TwoLogs, entries_told, held_against, place

# ---- three branches, all of honest devices ----

class Branches:
    """``lone`` begins epoch 1 where ``orderer`` and ``third`` have one more entry of epoch 0 and then epoch 2. Nothing is
    settled: ``third`` voted in both ballots and has acknowledged neither."""

    def __init__(self, seed: int) -> None:
        table = RestingTable(seed)
        self.orderer, self.third, self.lone = table.orderer, table.third, table.waiting
        self.net = table.net
        self.index = len(table.match.entries)
        start = end_of(peer_of(self.orderer).match)
        one = {"kind": "pass", "against": self.orderer.author, "order": self.lone.author}
        votes = [vote_of(node, 1, one, start) for node in (self.lone, self.third)]
        self.first = first_entry(self.lone, one, 1, votes, self.index)
        self.old = put(self.orderer, signed(self.orderer, "order", {"to": self.orderer.author}))
        for node in (self.orderer, self.third):
            place(node, self.old)
        peer_of(self.orderer).state.count += 100
        end = end_of(peer_of(self.orderer).match)
        two = {"kind": "pass", "against": self.lone.author, "order": self.orderer.author}
        votes = [vote_of(node, 2, two, end) for node in (self.orderer, self.third)]
        self.second = first_entry(self.orderer, two, 2, votes, self.index + 1)
        for node in (self.orderer, self.third):
            place(node, self.second)
        place(self.lone, self.first)


@pytest.fixture
def branches() -> Branches:
    return Branches(871)


def test_nobody_falls_back_to_an_older_epoch_that_began_further_back(branches: Branches) -> None:
    for node in (branches.orderer, branches.third):
        peer = peer_of(node)
        peer.receive(branches.lone.author, canonical(entries_told(branches.first)))
        assert peer.match.snapshot.epoch == 2 and peer.match.head == branches.second.hash and not peer.accusations


def test_whoever_is_alone_in_an_older_epoch_goes_over_by_all_entries_up_to_the_newest(branches: Branches) -> None:
    peer = peer_of(branches.lone)
    peer.receive(branches.orderer.author, canonical(entries_told(branches.old)))
    assert peer.match.snapshot.epoch == 1, "that alone is no newer epoch"
    peer.receive(branches.orderer.author, canonical(entries_told(branches.old, branches.second)))
    assert peer.match.snapshot.epoch == 2 and not peer.accusations
    assert [entry.hash for entry in peer.match.entries[branches.index:]] == [branches.old.hash, branches.second.hash]


def places_judged(node: Node, monkeypatch: pytest.MonkeyPatch) -> list[Entry]:
    """The places whose signatures ``node`` checks from now on."""
    authority, checked = peer_of(node).state.authority, []
    check = authority.place_signed

    def place_signed(entry: Entry, signer: str) -> bool:
        checked.append(entry)
        return check(entry, signer)

    monkeypatch.setattr(authority, "place_signed", place_signed)
    return checked


def test_a_branch_of_no_newer_epoch_is_judged_once_a_second_for_each_sender(branches: Branches,
                                                                           monkeypatch: pytest.MonkeyPatch) -> None:
    """Each judgement takes a fold of the log, and what is sent for it is short: a branch of honest devices, or one unsigned."""
    peer, now = peer_of(branches.lone), branches.net.now
    forged = replace(branches.old, signature="0" * 128)
    for entry in (branches.old, forged):
        now += 1
        peer.tick(now)
        checked = places_judged(branches.lone, monkeypatch)
        for _ in range(20):
            for sender in (branches.orderer, branches.third):
                peer.receive(sender.author, canonical(entries_told(entry)))
        assert checked == [entry] * 2
        monkeypatch.undo()
    assert not peer.accusations


def test_branches_of_all_who_do_not_play_are_judged_once_a_second(branches: Branches, monkeypatch: pytest.MonkeyPatch) -> None:
    peer, strangers = peer_of(branches.lone), [f"{number:064x}" for number in range(20)]
    newer = replace(branches.second, signature="0" * 128)
    for told in ((branches.old,), (branches.old, newer)):
        checked = places_judged(branches.lone, monkeypatch)
        for stranger in strangers:
            peer.receive(stranger, canonical(entries_told(*told)))
        assert checked.count(branches.old) == 1
        monkeypatch.undo()
    assert peer.match.snapshot.epoch == 1 and not peer.accusations


def test_who_showed_a_branch_of_no_newer_epoch_shows_the_newer_one_at_once(branches: Branches) -> None:
    peer = peer_of(branches.lone)
    for told in ((branches.old,), (replace(branches.old, signature="0" * 128),), (branches.old, branches.second)):
        assert peer.match.snapshot.epoch == 1
        peer.receive(branches.orderer.author, canonical(entries_told(*told)))
    assert peer.match.snapshot.epoch == 2


class LongBranch:
    """``lone`` alone saw epoch 1 begin. ``orderer`` went on in epoch 0 by ``entries``, each of which names one ``late`` entries
    back; ``third`` took them in and began epoch 2 with it."""

    def __init__(self, seed: int, count: int, late: int = 0) -> None:
        table = RestingTable(seed)
        self.net, self.orderer, self.third, self.lone = table.net, table.orderer, table.third, table.waiting
        table.net.act = lambda node: None  # type: ignore[method-assign]
        index, both = len(table.match.entries), (self.orderer, self.third)
        start = end_of(peer_of(self.orderer).match)
        one = {"kind": "pass", "against": self.orderer.author, "order": self.lone.author}
        first = first_entry(self.lone, one, 1, [vote_of(node, 1, one, start) for node in (self.lone, self.third)], index)
        self.entries: list[Entry] = []
        for number in range(count):
            match = peer_of(self.orderer).match
            seat = match.snapshot.seats_of(self.orderer.author)[0]
            named = {"head": match.entries[-1 - min(late, number)].hash}
            body = {"seat": seat, "to": match.setup.seats[seat].to_json()}
            self.entries.append(put(self.orderer, signed(self.orderer, "seat", body, **named)))
            for node in both:
                place(node, self.entries[-1])
        two = {"kind": "pass", "against": self.lone.author, "order": self.orderer.author}
        votes = [vote_of(self.orderer, 2, two, end_of(peer_of(self.orderer).match)), vote_of(self.third, 2, two, start)]
        self.entries.append(first_entry(self.orderer, two, 2, votes, index + count))
        for node in both:
            place(node, self.entries[-1])
        place(self.lone, first)
        for peer in table.net.peers:
            peer.state.count += 200


@pytest.mark.parametrize("seed", [871, 872])
def test_whoever_is_alone_in_an_older_epoch_goes_over_however_long_the_others_went_on_before_the_newer_one(seed: int) -> None:
    """No single message holds the way there."""
    scene = LongBranch(seed, 2 * BATCH + 10)
    assert scene.net.run(scene.net.agreed, 60)
    assert {peer.match.snapshot.epoch for peer in scene.net.peers} == {2}
    assert not any(peer.accusations for peer in scene.net.peers)


@pytest.mark.parametrize(("seed", "alone"), [(883, BATCH), (887, 3 * BATCH)])
def test_whoever_went_on_alone_for_long_goes_over_to_the_newer_epoch(seed: int, alone: int) -> None:
    """So did the others: the logs part further back than one answer reaches, and another head comes each second."""
    scene = LongBranch(seed, alone)
    for _ in range(alone):
        match = peer_of(scene.lone).match
        seat = match.snapshot.seats_of(scene.lone.author)[0]
        body = {"seat": seat, "to": match.setup.seats[seat].to_json()}
        place(scene.lone, put(scene.lone, signed(scene.lone, "seat", body)))
    peer_of(scene.lone).state.count += 200
    assert scene.net.run(scene.net.agreed, 60)
    assert {peer.match.snapshot.epoch for peer in scene.net.peers} == {2}
    assert not any(peer.accusations for peer in scene.net.peers)


def test_a_branch_that_takes_long_to_judge_is_judged_little_by_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its statements names one of long ago, and is judged behind all since."""
    monkeypatch.setattr(sync, "MOST_TRIED", 20)
    scene = LongBranch(873, 30, late=10)
    lone, judged = peer_of(scene.lone), []
    append = Match.append

    def noted(match: Match, entry: Entry) -> Any:
        judged.append(entry.index)
        return append(match, entry)

    monkeypatch.setattr(Match, "append", noted)
    now = scene.net.now
    for _ in range(30):
        now += 1
        lone.tick(now)
        judged.clear()
        for _ in range(3):
            lone.receive(scene.orderer.author, canonical(entries_told(*scene.entries)))
        assert len(judged) <= 8, "as many as are judged behind some twenty others, once a second"
        if lone.match.snapshot.epoch == 2:
            break
    assert lone.match.head == scene.entries[-1].hash and not lone.accusations


def test_what_another_one_shows_is_no_part_of_a_branch_that_is_judged_little_by_little(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = LongBranch(874, 6)
    lone = peer_of(scene.lone)
    lone.receive(scene.orderer.author, canonical(entries_told(*scene.entries[:4])))
    for told in (scene.entries[4:], [replace(scene.entries[4], previous="1" * 64)], scene.entries[5:]):
        lone.receive(scene.third.author, canonical(entries_told(*told)))
    assert lone.match.snapshot.epoch == 1
    lone.state.cut(len(lone.match.entries) - 1)
    lone.tick(scene.net.now + 1)
    lone.receive(scene.orderer.author, canonical(entries_told(*scene.entries[4:])))
    assert lone.match.snapshot.epoch == 0, "the log was cut, and what was judged beside it is forgotten"
    lone.receive(scene.orderer.author, canonical(entries_told(*scene.entries)))
    assert lone.match.snapshot.epoch == 2 and not lone.accusations


@pytest.mark.parametrize(("most", "epoch"), [(3, 1), (100, 2)])
def test_of_a_branch_no_more_is_held_than_so_many_entries(monkeypatch: pytest.MonkeyPatch, most: int, epoch: int) -> None:
    """Whoever shows it could fill the memory with a log that nobody goes over to."""
    monkeypatch.setattr(sync, "MOST_BRANCH", most)
    scene = LongBranch(875, 6)
    lone = peer_of(scene.lone)
    for seconds in range(1, 6):
        lone.tick(scene.net.now + seconds)
        lone.receive(scene.orderer.author, canonical(entries_told(*scene.entries)))
    assert lone.match.snapshot.epoch == epoch


@pytest.mark.parametrize(("seconds", "epoch"), [(9.5, 2), (10, 1)])
def test_a_branch_of_which_nothing_more_comes_is_held_for_ten_seconds(seconds: float, epoch: int) -> None:
    scene = LongBranch(876, 6)
    lone, now = peer_of(scene.lone), scene.net.now + 1
    lone.tick(now)
    lone.receive(scene.orderer.author, canonical(entries_told(*scene.entries[:4])))
    lone.tick(now + seconds)
    lone.receive(scene.orderer.author, canonical(entries_told(*scene.entries[4:])))
    assert lone.match.snapshot.epoch == epoch


def test_a_branch_of_which_more_comes_is_held_on() -> None:
    """One entry after the other: nothing is asked for again, and no log is served, as long as it goes on."""
    scene = LongBranch(876, 3)
    lone, now, told = peer_of(scene.lone), scene.net.now + 1, list[Any]()
    lone.receive(scene.orderer.author, canonical(entries_told(*scene.entries[:2])))
    for number, entry in enumerate(scene.entries[2:], 1):
        lone.tick(now + 6 * number)
        lone.outbox.clear()
        lone.receive(scene.orderer.author, canonical(entries_told(entry)))
        told += [parse(data) for _, data in lone.outbox if parse(data)["t"] == "put"]
    assert lone.match.snapshot.epoch == 2 and not told


def test_each_entry_of_a_branch_that_is_taken_may_show_a_false_shuffle(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, seen = LongBranch(879, 2), list[int]()
    lone = peer_of(scene.lone)
    monkeypatch.setattr(Accusations, "check_log", lambda accusations: seen.append(len(lone.match.entries)))
    start = len(lone.match.entries) - 1
    lone.receive(scene.orderer.author, canonical(entries_told(*scene.entries)))
    assert lone.match.head == scene.entries[-1].hash and seen == [start + 1, start + 2, start + 3]


def test_another_branch_of_the_same_sender_takes_the_place_of_the_one_that_is_held() -> None:
    """It is looked at like any other: its first place has to be signed by who ordered there."""
    scene = LongBranch(877, 6)
    lone, now = peer_of(scene.lone), scene.net.now + 1
    lone.tick(now)
    lone.receive(scene.orderer.author, canonical(entries_told(*scene.entries[:4])))
    assert [len(trial) for trial in lone._sync._trials.values()] == [4]
    forged = replace(scene.entries[0], signature="0" * 128)
    other = replace(scene.entries[1], previous=forged.hash)
    lone.tick(now + 2)
    lone.receive(scene.orderer.author, canonical(entries_told(replace(forged, statement=scene.entries[5].statement), other)))
    assert lone.refusal_counts["peers.place_unsigned"] == 1 and not lone._sync._trials
    lone.tick(now + 4)
    lone.receive(scene.orderer.author, canonical(entries_told(*scene.entries[:4])))
    index = len(lone.match.entries) - 2
    subject = {"kind": "pass", "against": scene.lone.author, "order": scene.orderer.author}
    end = end_of(lone.match, 2)
    votes = [vote_of(node, 3, subject, end) for node in (scene.orderer, scene.third)]
    lone.tick(now + 6)
    lone.receive(scene.orderer.author, canonical(entries_told(first_entry(scene.orderer, subject, 3, votes, index))))
    assert lone.match.snapshot.epoch == 3 and len(lone.match.entries) == index + 1 and not lone._sync._trials


def test_a_fork_convicts_though_another_branch_of_its_sender_is_held() -> None:
    scene = LongBranch(877, 6)
    lone, orderer, now = peer_of(scene.lone), scene.orderer, scene.net.now + 1
    lone.receive(orderer.author, canonical(entries_told(*scene.entries[:4])))
    assert lone._sync._trials
    index, said = len(lone.match.entries) - 2, scene.entries[0].statement
    assert lone.match.snapshot_at(index - 1).orderer == orderer.author
    forked = put(orderer, said, index)
    behind = Entry.create(index + 1, forked.hash, said, "0" * 128)
    lone.tick(now + 2)
    lone.receive(orderer.author, canonical(entries_told(forked, behind)))
    assert [(one.culprit, one.why) for one in lone.accusations] == [(orderer.author, "fork")]


def test_a_branch_with_an_epoch_of_the_same_number_is_not_gone_over_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """However it goes on: two devices would go over to each other's log for ever."""
    scene = LongBranch(878, 2)
    lone, orderer = peer_of(scene.lone), peer_of(scene.orderer)
    index = len(lone.match.entries) - 1
    subject = {"kind": "pass", "against": scene.lone.author, "order": scene.orderer.author}
    votes = [vote_of(node, 1, subject, end_of(lone.match, 1)) for node in (scene.orderer, scene.third)]
    rival = first_entry(scene.orderer, subject, 1, votes, index)
    monkeypatch.setattr(Accusations, "suspect_rivals", lambda accusations, branch: False)
    orderer.state.cut(index)
    orderer.state.append(rival)
    orderer.state.count += 500
    seat = orderer.match.snapshot.seats_of(scene.orderer.author)[0]
    body = {"seat": seat, "to": orderer.match.setup.seats[seat].to_json()}
    behind = put(scene.orderer, signed(scene.orderer, "seat", body))
    before = lone.match.head
    lone.receive(scene.orderer.author, canonical(entries_told(rival, behind)))
    assert lone.match.head == before and [len(trial) for trial in lone._sync._trials.values()] == [2]


def test_a_branch_that_is_wrong_leaves_the_log_as_it_was_and_convicts_where_it_stands(branches: Branches) -> None:
    """Who placed it is held to it by whoever holds the entries before it, and by nobody else."""
    lone, orderer, told = peer_of(branches.lone), branches.orderer, (branches.old, branches.second)
    before, subject = list(lone.match.entries), {"kind": "pass", "against": branches.lone.author, "order": orderer.author}
    few = [vote_of(orderer, 3, subject, end_of(peer_of(orderer).match, 1))]
    false = first_entry(orderer, subject, 3, few, branches.index + 1)
    pending, cuts = signed(branches.lone, "order", {"to": branches.lone.author}), lone.state.cuts
    lone.state.pending = pending
    lone.receive(orderer.author, canonical(entries_told(branches.old, false)))
    assert lone.match.entries == before and lone.pending == pending and not lone.state.dead and lone.state.cuts == cuts
    blame = canonical({"t": "blame", "why": "place", "x": [false.to_json()]})
    for peer in (lone, peer_of(branches.third)):
        peer.receive(orderer.author, blame)
    assert not lone.accusations
    lone.tick(branches.net.now + 2)
    lone.receive(orderer.author, canonical(entries_told(*told)))
    lone.receive(branches.third.author, blame)
    for peer in (lone, peer_of(branches.third)):
        assert [(one.culprit, one.why) for one in peer.accusations] == [(orderer.author, "place")]


def test_the_three_agree_once_they_hear_each_other(branches: Branches) -> None:
    branches.net.act = lambda node: None  # type: ignore[method-assign]
    assert branches.net.run(branches.net.agreed, 60)
    assert min(peer.match.snapshot.epoch for peer in branches.net.peers) >= 2
    assert not any(peer.accusations for peer in branches.net.peers)


# ---- two logs that grew apart, and a voter for both ----

@pytest.fixture
def logs() -> TwoLogs:
    return TwoLogs(873)


def test_a_branch_of_several_entries_convicts_who_vouched_for_less_than_it_acknowledged(logs: TwoLogs) -> None:
    logs.settle()
    tell(logs.net, logs.lone, entries_told(*logs.branch(2)), logs.ours)
    assert held_against(logs.ours) == [(logs.cheat.author, "vote")]
    assert peer_of(logs.ours).match.head == logs.first.hash, "what is settled stays"


def test_a_branch_in_which_somebody_voted_again_in_the_same_ballot_convicts_it(logs: TwoLogs) -> None:
    """Neither log is the newer one, so none is taken; each holds one of the two votes. It began that epoch in both, too."""
    logs.settle()
    branch = logs.branch(1)
    for entry in branch[1:]:
        place(logs.lone, entry)
    tell(logs.net, logs.lone, entries_told(*branch), logs.ours)
    tell(logs.net, logs.ours, entries_told(logs.first), logs.lone)
    for node in (logs.ours, logs.lone):
        assert held_against(node) == [(logs.cheat.author, "epoch"), (logs.cheat.author, "vote")]


class OneVoteInTwoLogs:
    """The two ``honest`` ones cannot hear each other, and each went on with ``cheat`` and without the other. Both then gave the
    order to ``cheat``, as the turn wants it, which began epoch 3 in either log: with one vote, of before the logs parted. It has
    acknowledged nothing of the two epochs before, but ``longer`` entries of each that it placed."""

    def __init__(self, seed: int, longer: int = 0) -> None:
        table = RestingTable(seed)
        self.net, self.cheat, self.honest = table.net, table.waiting, (table.orderer, table.third)
        self.index = len(table.match.entries)
        self.beginnings: list[Entry] = []
        start, cheats = end_of(table.match), peer_of(self.cheat).state
        everybody = {"kind": "pass", "against": None, "order": self.cheat.author}
        vote = vote_of(self.cheat, 3, everybody, start)
        for epoch, (node, other) in enumerate((self.honest, self.honest[::-1]), 1):
            cheats.cut(self.index)
            subject = subject_gone(other.author, node.author)
            votes = [vote_of(one, epoch, subject, start) for one in (node, self.cheat)]
            self._place(node, first_entry(node, subject, epoch, votes, self.index))
            match = peer_of(node).match
            assert match.snapshot.must_order == self.cheat.author
            self._place(node, put(node, signed(node, "order", {"to": self.cheat.author})))
            seat = match.snapshot.seats_of(node.author)[0]
            for _ in range(longer):
                said = signed(node, "seat", {"seat": seat, "to": match.setup.seats[seat].to_json()})
                self._place(node, put(self.cheat, said))
            own = vote_of(node, 3, everybody, end_of(match))
            self.beginnings.append(first_entry(self.cheat, everybody, 3, [own, vote], len(cheats.match.entries)))
            self._place(node, self.beginnings[-1])
            for state in (peer_of(node).state, cheats):
                state.count += 1000
        self.cheat.peer = None

    def _place(self, node: Node, entry: Entry) -> None:
        place(node, entry)
        place(self.cheat, entry)


@pytest.mark.parametrize(("seed", "longer"), [(873, 0), (874, 0), (875, 2 * BATCH + 10)])
def test_who_begins_one_epoch_in_two_logs_by_one_vote_is_convicted_where_they_meet(seed: int, longer: int) -> None:
    """Both are settled, no newer epoch decides between them, and neither of the cheat's votes gives the lie to the other."""
    scene = OneVoteInTwoLogs(seed, longer)
    scene.net.act = lambda node: None  # type: ignore[method-assign]
    assert all(peer_of(node).state.settled_behind(scene.index) for node in scene.honest)
    assert scene.net.run(lambda: all(peer_of(node).accusations for node in scene.honest), 60)
    for node in scene.honest:
        assert held_against(node) == [(scene.cheat.author, "epoch")] and peer_of(node).state.is_stopped


@pytest.mark.parametrize("teller", [0, 1])
def test_whoever_is_told_of_an_epoch_that_began_twice_is_convinced(teller: int) -> None:
    scene = OneVoteInTwoLogs(876)
    node = scene.honest[1 - teller]
    blame = {"t": "blame", "why": "epoch", "x": [entry.statement.to_json() for entry in scene.beginnings]}
    tell(scene.net, scene.honest[teller], blame, node)
    assert held_against(node) == [(scene.cheat.author, "epoch")]


def test_two_logs_that_both_went_on_for_long_meet() -> None:
    """Neither shows the other where they part with the first answer, nor with the second."""
    scene = OneVoteInTwoLogs(877)
    scene.net.act = lambda node: None  # type: ignore[method-assign]
    for node in scene.honest:
        for _ in range(2 * BATCH):
            match = peer_of(node).match
            seat = match.snapshot.seats_of(scene.cheat.author)[0]
            said = Statement(match.id, scene.cheat.author, match.count(scene.cheat.author), match.head, "seat",
                             {"seat": seat, "to": match.setup.seats[seat].to_json()})
            said = replace(said, signature=scene.cheat.identity.sign(said.canonical_bytes))
            at, head = len(match.entries), match.head
            place(node, Entry.create(at, head, said, scene.cheat.identity.sign(canonical(spelled(at, head, said.hash)))))
    assert scene.net.run(lambda: all(peer_of(node).accusations for node in scene.honest), 60)


# ---- what a bound device acknowledges ----

def test_a_device_that_votes_twice_acknowledges_nothing_that_its_first_vote_forbids() -> None:
    table = RestingTable(872)
    peer, match = peer_of(table.waiting), peer_of(table.waiting).match
    subject = {"kind": "pass", "against": None, "order": table.orderer.author}
    first = end_of(match)
    peer.state.set_promise(vote_of(table.waiting, 1, subject, first))
    place(table.waiting, put(table.orderer, signed(table.orderer, "order", {"to": table.orderer.author})))
    peer.state.set_promise(vote_of(table.waiting, 2, subject, end_of(match)))
    kept = peer.take().pending
    assert kept is not None and kept.bound_end == list(first), "also after a restart"
    peer.tick(5)
    (head,) = [parse(data) for _, data in peer.take().messages if parse(data)["t"] == "head"]
    signature = table.waiting.identity.sign(acknowledgement(match.id, first[1], first[2]))
    assert (head["i"], head["h"], head["sig"]) == (first[1], first[2], signature)


# ---- a device that has handed its vote over ----

def test_whoever_handed_the_seat_to_another_device_votes_no_more() -> None:
    """One person must not vote twice under two keys, where lines are broken and the two devices see two logs."""
    net = Network(MANY_HANDS, 3, 511, options=lasting(MANY_HANDS), spectators=1)
    assert calm(net, net.nodes[0])
    net.act = lambda node: None  # type: ignore[method-assign]
    net.run(lambda: False, 3)
    orderer = node_of(net, net.peers[0].match.orderer)
    old, new = next(node for node in net.nodes[:3] if node is not orderer), net.nodes[3]
    peer = peer_of(old)
    peer.choices.removals.add(orderer.author)
    orderer.peer = None
    net.run(lambda: False, 5)
    peer.move_to(peer_of(new).membership.offer(old.author))
    net.run(lambda: False, 12)
    assert not peer.state.is_present(orderer.author)
    assert peer.pending is not None and peer.state.has_given_vote_away and peer._ballots.subjects() == []
    peer.state.bury_pending()
    peer.state.acknowledgements._up_to.clear()
    peer.tick(net.now + 20)
    assert peer.state.has_given_vote_away, "what its own log refuses may stand in another one"


def late_handover(net: Network, old: Node, new: Node) -> None:
    """``old`` said that ``new`` goes on, and every log refuses it for good: the next deal began before that got its place."""
    assert calm(net, old)
    peer = peer_of(old)
    body = peer.membership.device_body(peer_of(new).membership.offer(old.author))
    peer.state.set_pending(signed(old, "device", {**body, "deal": body["deal"] - 1}, count=peer.state.count))
    peer.state.count += 1
    assert net.run(lambda: peer.pending is None, 10)
    assert peer.rejections[-1][1] == "peers.device_late" and peer.state.has_given_vote_away


def test_a_handover_that_came_too_late_gives_the_vote_back() -> None:
    """Else who votes with that person could never go on without somebody else."""
    net = Network(MANY_HANDS, 3, 511, options=lasting(MANY_HANDS), spectators=1)
    old = net.nodes[1]
    late_handover(net, old, net.nodes[3])
    length = len(net.peers[0].match.entries)
    assert net.run(lambda: len(net.peers[0].match.entries) > length + 4), "it plays on"
    lost, *others = [node for node in net.nodes[:3] if node is not old]
    lost.peer = None
    for node in (old, *others):
        peer_of(node).choices.removals.add(lost.author)
    assert net.run(lambda: all(lost.author in peer_of(node).match.former_authors for node in (old, *others)), 120)


def test_nobody_goes_on_elsewhere_while_the_one_that_orders_is_silent() -> None:
    """The handover would get no place, and its author would vote no more: nobody could ever go on without that peer."""
    net = Network(MANY_HANDS, 3, 511, options=lasting(MANY_HANDS), spectators=1)
    assert calm(net, net.nodes[0])
    net.act = lambda node: None  # type: ignore[method-assign]
    net.run(lambda: False, 3)
    orderer = node_of(net, net.peers[0].match.orderer)
    old, other = (node for node in net.nodes[:3] if node is not orderer)
    orderer.peer = None
    net.run(lambda: False, 12)
    offer = peer_of(net.nodes[3]).membership.offer(old.author)
    with pytest.raises(Refused, match=r"peers\.device_wait"):
        peer_of(old).move_to(offer)
    for node in (old, other):
        peer_of(node).choices.removals.add(orderer.author)
    assert net.run(lambda: all(orderer.author in peer_of(node).match.former_authors for node in (old, other)), 60)


def test_an_older_handover_does_not_bind_when_the_seat_comes_back() -> None:
    """Another one succeeded before all had acknowledged what killed the first. So a device forgets while it watches, too."""
    net = Network(MANY_HANDS, 3, 511, options=lasting(MANY_HANDS), spectators=1)
    old, new = net.nodes[1], net.nodes[3]
    late_handover(net, old, new)
    peer = peer_of(old)
    (dead,) = peer.state.dead
    move_device(net, old, new)
    peer.state.dead = [dead]
    net.run(lambda: False, 3)
    assert not peer.state.dead
    assert calm(net, new)
    move_device(net, new, old)
    assert old.author in peer.live and not peer.state.has_given_vote_away


# ---- nobody holds up a match for ever ----

def test_a_plea_is_not_displaced_by_what_its_author_said_before() -> None:
    net = network(MANY_HANDS, 3, 511)
    assert calm(net, net.nodes[0])
    match = net.peers[0].match
    orderer = node_of(net, match.orderer)
    author, other = (node for node in net.nodes if node is not orderer)
    old = next(entry.statement for entry in reversed(match.entries) if entry.statement.author == author.author)
    net.act = lambda node: None  # type: ignore[method-assign]
    net.run(lambda: False, 3)

    def withhold(sender: str, to: str, data: bytes) -> bytes | None:
        """Who orders ignores what others say, and says what they said long ago."""
        kind = parse(data)["t"]
        if kind == "plea" and to == other.author:
            net.later(0.3, lambda: tell(net, orderer, {"t": "plea", "s": old.to_json()}, other))
        return None if to == orderer.author and kind in ("say", "plea") else data

    net.meddle = withhold
    seat = peer_of(author).match.snapshot.seats_of(author.author)[0]
    peer_of(author).say("seat", {"seat": seat, "to": match.setup.seats[seat].to_json()})
    net.flush(author)
    assert net.run(lambda: peer_of(other).match.orderer != orderer.author and peer_of(author).pending is None, 60)


def test_whoever_votes_along_and_begins_no_epoch_is_passed_over() -> None:
    net = network(MANY_HANDS, 3, 512)
    assert calm(net, net.nodes[0])
    net.act = lambda node: None  # type: ignore[method-assign]
    net.run(lambda: False, 3)
    match = net.peers[0].match
    cheat = node_of(net, match.orderer)
    honest = [node for node in net.nodes if node is not cheat]
    end = end_of(match)
    subject = {"kind": "pass", "against": None, "order": cheat.author}
    signature = cheat.identity.sign(acknowledgement(match.id, end[1], end[2]))
    ballots = {1}

    def watch(sender: str, to: str, data: bytes) -> bytes:
        message = parse(data)
        if message["t"] == "ballot" and message["what"] == subject:
            ballots.add(message["e"])
        return data

    def promise() -> None:
        """It wishes and votes as the others do, shows that it is there, and places nothing."""
        tell(net, cheat, {"t": "head", "i": end[1], "h": end[2], "m": match.id, "v": VERSION, "sig": signature}, *honest)
        tell(net, cheat, {"t": "wish", "what": [subject]}, *honest)
        for epoch in ballots:
            signed_vote = cheat.identity.sign(ballot_vote(match.id, epoch, subject, list(end)))
            vote = EpochVote(cheat.author, epoch, subject, end, signed_vote)
            tell(net, cheat, {"t": "ballot", **vote.to_json()}, *honest)
        net.later(1, promise)

    cheat.peer = None
    net.meddle = watch
    promise()
    assert net.run(lambda: all(peer_of(node).match.snapshot.epoch and not peer_of(node).state.is_bound for node in honest), 120)
    assert {peer_of(node).match.orderer for node in honest} == {match.snapshot.next_to_order(cheat.author)}
    assert not any(peer_of(node).match.former_authors for node in honest), "nobody is put out for it"


# ---- a place with a counter that was used ----

def test_a_place_for_a_statement_with_a_used_counter_convinces_everybody() -> None:
    net = network(MANY_HANDS, 3, 511)
    assert calm(net, net.nodes[0])
    net.act = lambda node: None  # type: ignore[method-assign]
    cheat = node_of(net, net.peers[0].match.orderer)
    one, other = (node for node in net.nodes if node is not cheat)
    used = next(entry.statement.count for entry in peer_of(cheat).match.entries[1:] if entry.statement.author == cheat.author)
    tell(net, cheat, entries_told(put(cheat, signed(cheat, "order", {"to": cheat.author}, count=used))), one)
    assert [(found.culprit, found.why) for found in peer_of(one).accusations] == [(cheat.author, "place")]
    assert net.run(lambda: bool(peer_of(other).accusations), 10)
    assert [(found.culprit, found.why) for found in peer_of(other).accusations] == [(cheat.author, "place")]


# ---- what a bound device holds and has not acknowledged ----

@pytest.mark.parametrize("hides", [False, True])
def test_who_denies_an_entry_that_nobody_can_have_settled_stops_nobody(hides: bool) -> None:
    """It told one device alone that it holds the entry, and then signed a head of nothing. Who lets the entry fall away could not
    show the others what it rested on."""
    table = RestingTable(871)
    net, orderer, bound, liar = table.net, table.orderer, table.waiting, table.third
    net.act = lambda node: None  # type: ignore[method-assign]
    match = peer_of(bound).match
    count, end = len(match.entries), end_of(match)
    subject = {"kind": "pass", "against": orderer.author, "order": liar.author}
    promise = vote_of(bound, 1, subject, end)
    peer_of(bound).state.set_promise(promise)
    net.flush(bound)
    entry = put(orderer, signed(orderer, "order", {"to": orderer.author}))
    place(orderer, entry)
    peer_of(orderer).state.count += 100
    tell(net, orderer, entries_told(entry), bound)
    heads = [(count, entry.hash), *([(count + 1, "f" * 64)] if hides else [])]
    for index, head in heads:
        signature = liar.identity.sign(acknowledgement(match.id, index, head))
        tell(net, liar, {"t": "head", "i": index, "h": head, "m": match.id, "v": VERSION, "sig": signature}, bound)
    state = peer_of(bound).state
    assert len(match.entries) == count + 1 and state.is_bound
    assert state.settled_behind(count - 1) and not state.settled_behind(count), "this device has not acknowledged it itself"
    first = first_entry(liar, subject, 1, [promise, vote_of(liar, 1, subject, end)], count)
    tell(net, liar, entries_told(first), bound)
    tell(net, liar, entries_told(first), orderer)
    net.run(lambda: False, 5)
    for node in (bound, orderer):
        assert peer_of(node).match.entries[count].hash == first.hash and not peer_of(node).accusations


def test_a_bound_device_goes_over_to_the_epoch_that_it_voted_for_without_an_entry_that_it_has_not_acknowledged() -> None:
    table = RestingTable(871)
    net, orderer, bound, third = table.net, table.orderer, table.waiting, table.third
    net.act = lambda node: None  # type: ignore[method-assign]
    match = peer_of(bound).match
    count, end = len(match.entries), end_of(match)
    subject = {"kind": "pass", "against": orderer.author, "order": third.author}
    promise = vote_of(bound, 1, subject, end)
    peer_of(bound).state.set_promise(promise)
    entry = put(orderer, signed(orderer, "order", {"to": orderer.author}))
    tell(net, orderer, entries_told(entry), bound)
    acknowledgements = peer_of(bound).state.acknowledgements
    acknowledgements._raise(third.author, count)  # known from what nobody can show any more
    tell(net, third, entries_told(first_entry(third, subject, 1, [promise, vote_of(third, 1, subject, end)], count)), bound)
    assert match.snapshot.epoch == 1 and len(match.entries) == count + 1
