"""What is settled: the entries that every live peer has acknowledged behind some entry, found without looking at each of them."""

from __future__ import annotations

import pytest

from tabletin.kernel.log import Statement
from tabletin.kernel.match import Match
from tabletin.kernel.prefix import Prefix
from tabletin.kernel.setup import Seat
from tabletin.kernel.snapshot import Snapshot
from tabletin.peers.replication import state as states
from tabletin.peers.replication.authority import acknowledgement
from tabletin.peers.replication.outbox import Pending
from tabletin.peers.replication.replica import Replica
from tabletin.peers.worker import calls
from tabletin.peers.worker.answer import WorkerAnswer
from tabletin.peers.worker.service import ReplicaService
from tests.support.ballots import end_of, first_entry, subject_gone, vote_of
from tests.support.device_moves import calm, peer_of
from tests.support.examples import MANY_HANDS, unending
from tests.support.forging import tell
from tests.support.peer_sim import Network, Node
from tests.support.resting_table import RestingTable
from tests.support.standin_group import StandInGroup


def is_settled(peer: Replica, index: int) -> bool:
    """The definition, entry by entry."""
    for end in range(index, len(peer.match.entries)):
        if not peer.state.has_acknowledged(end):
            return False
        others = [author for author in peer.match.snapshot_at(end).live if author != peer.author]
        if not peer.state.acknowledgements.lacking(others, end):
            return True
    return False


@pytest.mark.parametrize("seed", range(4))
def test_the_quick_way_and_the_definition_agree(seed: int) -> None:
    net = Network(MANY_HANDS, 3, seed, options={"target": 100})
    net.run(lambda: False, 6 + seed)
    if seed % 2:
        net.peers[seed % 3].leave()
        net.run(lambda: False, 6)
    seen = set()
    for peer in net.peers:
        count = len(peer.match.entries)
        for index in range(max(1, count - 24), count):
            settled = is_settled(peer, index)
            assert peer.state.settled_behind(index) == settled
            seen.add(settled)
    assert True in seen


def test_nothing_is_settled_that_this_device_has_to_check_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has acknowledged nothing of that, and by a false shuffle an entry falls away."""
    table = RestingTable(860)
    state = peer_of(table.waiting).state
    index = len(table.match.entries) - 1
    for node in (table.orderer, table.third):
        signature = node.identity.sign(acknowledgement(state.match.id, index, state.match.head))
        state.acknowledgements.acknowledge(node.author, index, state.match.head, signature)
    assert state.settled_behind(index)
    monkeypatch.setattr(type(state), "is_checked", False)
    assert not state.settled_behind(index)


def test_whoever_was_restarted_lets_nothing_fall_away_that_all_showed_to_hold() -> None:
    """Nobody's head was heard since; but what all others said stands in the log, and names what they had seen."""
    table = RestingTable(861)
    victim, both = table.waiting, (table.orderer, table.third)
    end = end_of(table.match, 20)
    assert table.match.snapshot_at(end[1]).orderer == table.orderer.author
    subject = {"kind": "pass", "against": victim.author, "order": table.orderer.author}
    votes = [vote_of(node, 1, subject, end) for node in both]
    first = first_entry(table.orderer, subject, 1, votes, end[1] + 1)
    log = [entry.hash for entry in table.match.entries]
    peer = victim.start(table.net.genesis, restarted=True)
    tell(table.net, table.orderer, {"t": "put", "e": [first.to_json()]}, victim)
    assert [entry.hash for entry in peer.match.entries] == log and peer.refusal_counts["peers.settled"] == 1
    assert {(one.culprit, one.why) for one in peer.accusations} == {(node.author, "vote") for node in both}


def second_deck() -> tuple[Network, Node, int, dict[int, str]]:
    """A match in its second hand. Somebody who has read cards of that, the entry with which the deck was there, and the cards."""
    net = Network(MANY_HANDS, 3, 792, options=unending(MANY_HANDS))
    node = net.nodes[1]
    match = peer_of(node).match
    assert net.run(lambda: match.snapshot.deals == 2 and not match.state.requests and peer_of(node).pending is None)
    begun = next(entry.index for entry in match.entries if match.snapshot_at(entry.index).deals == 2)
    free = match.snapshot_at(begun).state.next_card
    dealt = next(index for index in range(begun, len(match.entries)) if match.snapshot_at(index).state.next_card > free)
    own = {card: face for card, face in match.knowledge.items() if card >= free}
    assert own
    return net, node, dealt, own


def test_faces_of_a_deck_that_fell_away_are_forgotten() -> None:
    """All others may give a device its shares, let the deck fall away, and deal another one under the same numbers."""
    _, node, dealt, own = second_deck()
    state = peer_of(node).state
    truth, entries = dict(state.match.knowledge), state.match.entries[dealt:]
    faces = sorted({*state.match.rules.deck()})
    other = {card: next(one for one in faces if one != face) for card, face in own.items()}
    state.match.knowledge.update(other)
    state.cut(dealt)
    assert state.match.knowledge == {card: face for card, face in truth.items() if card not in own}
    for entry in entries:
        state.append(entry)
    assert state.match.knowledge == truth


def test_a_page_is_told_the_faces_of_a_deck_again_that_fell_away() -> None:
    net, node, dealt, own = second_deck()
    device = ReplicaService(StandInGroup(), net.verifier, lambda seed: node.identity)
    device.call(calls.encode(calls.Identify("02" * 32)))
    lines = tuple(entry.line for entry in node.disk.entries)
    told = WorkerAnswer.decode(device.call(calls.encode(calls.Join(lines, Pending(), True)))).news.faces
    assert own.items() <= told.items() and device._replica is not None
    state = device._replica.state
    entries = state.match.entries[dealt:]
    state.cut(dealt)
    for entry in entries:
        state.append(entry)
    news = WorkerAnswer.decode(device.call(calls.encode(calls.Tick(1.0)))).news
    assert news.length == dealt and news.faces == own


def test_a_long_log_is_folded_once_to_see_what_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a seat changed hands anywhere in it, others may be live behind each entry."""
    net = Network(MANY_HANDS, 3, 793, options=unending(MANY_HANDS))
    node = net.nodes[0]
    assert calm(net, node)
    peer_of(node).say("seat", {"seat": 0, "to": Seat("person", node.author, "K").to_json()})
    net.flush(node)
    assert net.run(lambda: len(peer_of(node).match.entries) > 200)
    peer = node.start(net.genesis, restarted=True)
    match, folds, fold = peer.match, list[str](), Match._fold
    peer.state.acknowledgements._up_to.clear()

    def noted(log: Match, snapshot: Snapshot, statement: Statement, judged: Prefix | None) -> None:
        folds.append(statement.kind)
        fold(log, snapshot, statement, judged)

    monkeypatch.setattr(Match, "_fold", noted)
    assert not peer.state.settled_behind(1)
    assert len(folds) <= len(match.entries)
    folds.clear()
    assert not any(peer.state.settled_behind(index) for index in range(1, len(match.entries)))
    assert not folds


@pytest.mark.parametrize("has_acknowledged", [False, True])
def test_what_one_alone_acknowledged_is_not_settled_where_the_others_may_have_voted(has_acknowledged: bool) -> None:
    """``alone`` began epoch 1 with ``leaver``, whose leave stood there next. It had been signed before; perhaps its author never
    saw that epoch, and is honest, and began another one with ``lost``."""
    table = RestingTable(880)
    alone, leaver, lost = table.waiting, table.third, table.orderer
    state, start = peer_of(alone).state, end_of(table.match)
    index = len(state.match.entries)
    entries = []
    for epoch, (node, gone) in enumerate(((alone, lost), (lost, alone)), 1):
        subject = subject_gone(gone.author, node.author)
        votes = [vote_of(one, epoch, subject, start) for one in (node, leaver)]
        entries.append(first_entry(node, subject, epoch, votes, index))
    state.append(entries[0])
    state._lives[index] = (alone.author,)
    state.acknowledgements._up_to |= {lost.author: index - 1, leaver.author: index - 1}
    if has_acknowledged:
        signature = leaver.identity.sign(acknowledgement(state.match.id, index, entries[0].hash))
        state.acknowledgements.acknowledge(leaver.author, index, entries[0].hash, signature)
    assert state.settled_behind(index - 1) and state.settled_behind(index) == has_acknowledged
    tell(table.net, lost, {"t": "put", "e": [entries[1].to_json()]}, alone)
    assert state.match.head == entries[0 if has_acknowledged else 1].hash
    assert [one.why for one in state.accusations] == (["vote"] if has_acknowledged else [])


def test_what_two_voters_hold_no_ballot_goes_past() -> None:
    """Of three, one of whom is this device, with a log of ten entries."""
    table = RestingTable(881, entries=12)
    state = peer_of(table.waiting).state
    state.match.cut(11)
    state.acknowledgements._up_to.pop(table.waiting.author, None)
    for held, behind, expected in (((5, 4), 5, False), ((5, 4), 6, True), ((9, 4), 9, False), ((4, 9), 9, False),
                                   ((8, 9), 10, True), ((4, 9), 10, True), ((10, 4), 10, False)):
        state.acknowledgements._up_to.update(zip((table.orderer.author, table.third.author), held, strict=True))
        assert state._is_for_one_voter(behind) == expected, (held, behind)


def test_where_one_voter_is_left_out_the_others_have_to_be_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    table = RestingTable(881, entries=12)
    state = peer_of(table.waiting).state
    last, voters = len(state.match.entries) - 1, state.match.snapshot.voters
    state.acknowledgements._up_to.update(dict.fromkeys(voters, last - 2))
    asked: list[tuple[object, dict[str, object]]] = []

    def required(snapshot: Snapshot, subject: dict[str, object]) -> tuple[str, ...]:
        asked.append((snapshot, subject))
        return ()

    monkeypatch.setattr(states, "required_voters", required)
    assert not state._is_for_one_voter(last)
    ((snapshot, subject),) = asked
    assert snapshot is state.match.snapshot_at(last - 2) and subject == {"kind": "pass", "against": table.waiting.author}
    for few in (voters - {table.third.author, table.orderer.author}, frozenset[str]()):
        monkeypatch.setattr(state.match.snapshot, "voters", few)
        assert not state._is_for_one_voter(last), "a single voter, or none, holds no ballot"
    assert len(asked) == 1
