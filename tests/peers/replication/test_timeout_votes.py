"""Votes for a timeout: who signs what, when the one that orders has enough of them, and what is no vote."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tabletin.kernel.log import parse
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.authority import timeout_vote, timeout_voters
from tabletin.peers.replication.choices import Choices
from tabletin.peers.replication.outbox import Outbox
from tabletin.peers.replication.timeout_votes import TimeoutVotes
from tests.support.ballots import node_of
from tests.support.device_moves import peer_of
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable


class Device:
    """The votes of one device whose people want ``seats`` timed out."""

    def __init__(self, table: RestingTable, node: Node, *seats: int) -> None:
        self.view: Any = SimpleNamespace(match=table.match, identity=node.identity, author=node.author, ready=True, pending=None,
                                         authority=peer_of(node).state.authority)
        self.outbox = Outbox(node.author)
        self.choices = Choices(timeouts=set(seats))
        self.votes = TimeoutVotes(self.view, self.outbox, self.choices)

    def said(self) -> list[dict[str, Any]]:
        return [parse(data) for _, data in self.outbox.messages]


@pytest.fixture
def table() -> RestingTable:
    return RestingTable(621, peers=4)


def acting(table: RestingTable) -> tuple[int, list[Node]]:
    """A seat that keeps the table waiting, and the devices that may vote, the one that orders first."""
    seat = next(seat for seat in sorted(table.match.rules.to_act(table.match.state)))
    owner = node_of(table.net, table.match.setup.seats[seat].author)
    if owner is table.orderer:
        other = next(node for node in table.net.nodes if node is not owner)
        table.match.snapshot.orderer, table.orderer = other.author, other
    return seat, sorted((node for node in table.net.nodes if node is not owner), key=lambda node: node is not table.orderer)


def vote(table: RestingTable, node: Node, seat: int, **change: Any) -> dict[str, Any]:
    signature = node.identity.sign(timeout_vote(table.match.id, table.match.head, seat))
    return {"t": "vote", "q": ["timeout", seat], "h": table.match.head, "sig": signature, **change}


def test_who_does_not_order_signs_and_sends_it_to_who_does(table: RestingTable) -> None:
    seat, (orderer, one, _) = acting(table)
    device = Device(table, one, seat, (seat + 1) % 4)
    assert list(device.votes.vote()) == []
    assert device.said() == [vote(table, one, seat)], "a seat that is not to act keeps nobody waiting"
    assert [to for to, _ in device.outbox.messages] == [orderer.author]


def test_the_last_vote_that_is_needed_makes_the_timeout(table: RestingTable) -> None:
    seat, (orderer, one, other) = acting(table)
    device = Device(table, orderer, seat)
    assert list(device.votes.vote()) == [] and not device.outbox.messages
    assert device.votes.hear(one.author, vote(table, one, seat)) is None
    body = device.votes.hear(other.author, vote(table, other, seat))
    assert body == {"seat": seat, "agreed": {node.author: vote(table, node, seat)["sig"] for node in (orderer, one, other)}}
    assert table.refusal(orderer, "timeout", body) == ""
    assert device.votes.hear(other.author, vote(table, other, seat)) is None, "said once"
    assert device.votes.hear(one.author, vote(table, one, seat)) is None
    assert list(device.votes.vote()) == [body], "and again where it was lost: everybody says its vote again"


def test_the_own_vote_may_be_the_last(table: RestingTable) -> None:
    seat, (orderer, one, other) = acting(table)
    device = Device(table, orderer, seat)
    for node in (one, other):
        assert device.votes.hear(node.author, vote(table, node, seat)) is None
    (body,) = device.votes.vote()
    assert body["seat"] == seat


def test_a_vote_that_is_not_signed_by_its_sender_for_this_is_none(table: RestingTable) -> None:
    seat, (orderer, one, other) = acting(table)
    device = Device(table, orderer, seat)
    older = timeout_vote(table.match.id, table.match.entries[-2].hash, seat)
    for signature in (None, 1, "", vote(table, other, seat)["sig"], one.identity.sign(older)):
        with pytest.raises(Malformed, match="not signed"):
            device.votes.hear(one.author, vote(table, one, seat, sig=signature))
    list(device.votes.vote())
    assert device.votes.hear(other.author, vote(table, other, seat)) is None, "the first one did not vote"


def test_what_is_said_of_another_head_or_seat_or_to_another_is_not_counted(table: RestingTable) -> None:
    seat, (orderer, one, other) = acting(table)
    device = Device(table, orderer, seat)
    list(device.votes.vote())
    for message in (vote(table, one, seat, h="0" * 64), vote(table, one, (seat + 1) % 4), vote(table, one, seat, q=None)):
        assert device.votes.hear(one.author, message) is None
    assert device.votes.hear(other.author, vote(table, other, seat)) is None, "the first one did not vote"
    device.choices.timeouts.clear()
    assert device.votes.hear(one.author, vote(table, one, seat)) is None, "the people here do not want it"
    not_ordering = Device(table, one, seat)
    for node in (orderer, other):
        assert not_ordering.votes.hear(node.author, vote(table, node, seat, sig="")) is None, "it does not order"


def test_true_is_no_seat(table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(table.match.rules), "to_act", lambda rules, state: (1,))
    seat, (orderer, one, other) = acting(table)
    device = Device(table, orderer, seat)
    list(device.votes.vote())
    assert device.votes.hear(one.author, vote(table, one, seat, q=["timeout", True])) is None
    assert device.votes.hear(other.author, vote(table, other, seat)) is None, "that vote did not count"
    assert device.votes.hear(one.author, vote(table, one, seat)) is not None


def test_who_orders_gathers_the_votes_unless_the_seat_is_its_own(table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    seat, _ = acting(table)
    snapshot = table.match.snapshot
    voters = [node_of(table.net, voter) for voter in timeout_voters(snapshot, seat)]
    for orderer, gatherer in ((snapshot.setup.seats[seat].author, voters[0]), (voters[-1].author, voters[-1])):
        monkeypatch.setattr(snapshot, "orderer", orderer)
        for node in voters:
            device = Device(table, node, seat)
            assert list(device.votes.vote()) == []
            assert [to for to, _ in device.outbox.messages] == ([] if node is gatherer else [gatherer.author])


def test_votes_at_an_older_head_are_void(table: RestingTable) -> None:
    seat, (orderer, one, other) = acting(table)
    device = Device(table, orderer, seat)
    list(device.votes.vote())
    device.votes.hear(one.author, vote(table, one, seat))
    entry = table.match.entries.pop()  # as if the log had another head now
    try:
        assert device.votes.hear(other.author, vote(table, other, seat)) is None
        assert list(device.votes.vote()) == []
        assert device.votes.hear(one.author, vote(table, one, seat)) is not None
    finally:
        table.match.entries.append(entry)


@pytest.mark.parametrize("busy", [{"ready": False}, {"pending": object()}])
def test_who_may_not_sign_now_keeps_the_votes(table: RestingTable, busy: dict[str, Any]) -> None:
    seat, (orderer, one, other) = acting(table)
    device = Device(table, orderer, seat)
    usual = {name: getattr(device.view, name) for name in busy}
    vars(device.view).update(busy)
    assert list(device.votes.vote()) == []
    for node in (one, other):
        assert device.votes.hear(node.author, vote(table, node, seat)) is None
    vars(device.view).update(usual)
    assert len(list(device.votes.vote())) == 1


def test_two_are_enough_against_a_third() -> None:
    table = RestingTable(623)
    seat, (orderer, one) = acting(table)
    device = Device(table, orderer, seat)
    assert list(device.votes.vote()) == []
    assert device.votes.hear(one.author, vote(table, one, seat)) is not None


def test_of_two_one_waits() -> None:
    table = RestingTable(622, peers=2)
    seat, voters = acting(table)
    assert len(voters) == 1
    assert list(Device(table, voters[0], seat).votes.vote()) == []
