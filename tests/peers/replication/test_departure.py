"""One device whose seats change hands: when it words a leave, and what it says of its other device and of a seat given back."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tabletin.kernel.membership import LATER, PLAYS_ON, VOID, live_without
from tabletin.kernel.options import Refused
from tabletin.peers.replication import membership as module
from tabletin.peers.replication.authority import device_agreement, seat_agreement
from tabletin.peers.replication.membership import Membership
from tabletin.peers.replication.offer import Offer
from tabletin.peers.replication.state import DeadStatement
from tests.support.forging import signed
from tests.support.peer_part import PartOf
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable


class Guest(PartOf):
    """The seats of ``node``."""

    def __init__(self, table: RestingTable, node: Node) -> None:
        super().__init__(table, node)
        self.membership = Membership(self.state)

    def refusal(self, act: str) -> str:
        with pytest.raises(Refused) as caught:
            getattr(self.membership, act)()
        return caught.value.refusal.key


@pytest.fixture(scope="module")
def table() -> RestingTable:
    return RestingTable(881, entries=12)


@pytest.fixture
def guest(table: RestingTable) -> Guest:
    return Guest(table, table.waiting)


# ---- leaving ----

def test_who_signed_a_leave_means_to_go_also_after_a_restart(guest: Guest, table: RestingTable) -> None:
    assert not guest.membership.leave_is_signed and not guest.membership.is_leaving
    leave, other = signed(guest.node, "leave", {}), signed(guest.node, "order", {"to": "x"})
    for pending, dead, is_signed in ((leave, (), True), (None, (other, leave), True), (other, (other,), False)):
        guest.state.pending = pending
        guest.state.dead = [DeadStatement(statement, 5) for statement in dead]
        again = Membership(guest.state)
        assert again.leave_is_signed == again.is_leaving == is_signed
    guest.state.pending = leave
    away: Any = SimpleNamespace(takes_part=False, dead=(), pending=leave)
    assert not Membership(away).is_leaving, "it went"


def view(*said: tuple[str, str, dict[str, Any]], deals: int = 3, **changes: Any) -> Any:
    """As much of "me" as knows what it signed: a genesis and ``said`` (kind, author, body), and how often cards were dealt behind
    each entry: twice up to the third, then ``deals`` times."""
    entries = [SimpleNamespace(index=index, statement=SimpleNamespace(kind=kind, author=author, body=body))
               for index, (kind, author, body) in enumerate([("genesis", "me", {}), *said])]
    match = SimpleNamespace(entries=entries, snapshot=SimpleNamespace(deals=deals),
                            index_of=lambda head: int(head) if head.isdigit() else None,
                            snapshot_at=lambda index: SimpleNamespace(deals=2 if index < 3 else deals))
    return SimpleNamespace(**{"match": match, "author": "me", "takes_part": True, "pending": None, "dead": [], **changes})


AGREED: dict[str, Any] = {"seat": 0, "to": {}, "agreed": ""}


@pytest.mark.parametrize(("said", "gone_at"), [
    ([], 0),
    ([("gone", "other", {"peer": "me"})], 1),
    ([("gone", "me", {"peer": "other"})], 0),
    ([("leave", "me", {})], 1),
    ([("leave", "other", {})], 0),
    ([("device", "me", {"to": "other"})], 1),
    ([("device", "other", {"to": "me"})], 0),
    ([("seat", "me", AGREED)], 1),
    ([("seat", "other", AGREED)], 0),
    ([("seat", "me", {"seat": 0, "to": {}})], 0),
    ([("move", "me", AGREED)], 0),
    ([("move", "me", {})] * 2 + [("seat", "me", AGREED)], 0),  # its deck is still played
    ([("leave", "me", {}), ("gone", "other", {"peer": "me"}), ("move", "other", {})], 2),
])
def test_by_which_entry_a_peer_went_last(said: list[tuple[str, str, dict[str, Any]]], gone_at: int) -> None:
    """A leave counts only behind it; one whose entry fell away stood behind as many entries as were left, or more."""
    assert Membership(view(*said))._gone_at() == gone_at

    def leave(head: str) -> Any:
        return SimpleNamespace(kind="leave", head=head)

    for named in range(4):
        counts = named >= gone_at
        died = [SimpleNamespace(statement=leave("x"), length=named)]
        others = [SimpleNamespace(statement=SimpleNamespace(kind="move", head="x"), length=9)]
        assert Membership(view(*said, dead=died + others)).leave_is_signed == counts
        assert Membership(view(*said, pending=leave(str(named)))).leave_is_signed == counts
        assert Membership(view(*said, pending=leave(str(named)), dead=others)).is_leaving == counts
    assert Membership(view(*said, pending=leave("x"))).leave_is_signed, "it names what is not known here yet"
    assert not Membership(view(*said, dead=others)).leave_is_signed
    assert not Membership(view(*said, pending=leave("x"), takes_part=False)).leave_is_signed


def test_who_went_wishes_nothing_more(guest: Guest) -> None:
    guest.membership.leave()
    guest.membership.note_departure()
    assert not guest.membership.is_leaving


def test_whoever_wants_to_leave_may_stay_until_that_is_signed(guest: Guest) -> None:
    wishes = []
    for act in (guest.membership.leave, guest.membership.stay, guest.membership.leave):
        act()
        wishes.append(guest.membership.is_leaving)
    assert wishes == [True, False, True]
    guest.state.pending = signed(guest.node, "leave", {})
    assert guest.refusal("stay") == "peers.leaving" and guest.membership.is_leaving


def test_nobody_leaves_what_is_over_or_is_not_its_own(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(type(guest.match), "outcome", object())
        assert guest.refusal("leave") == "kernel.over"
    with monkeypatch.context() as patch:
        patch.setattr(type(guest.state), "takes_part", False)
        assert guest.refusal("leave") == "kernel.stranger"
    assert not guest.membership.is_leaving


def test_a_leave_says_who_orders_and_gives_its_last_message(guest: Guest, table: RestingTable,
                                                            monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    sealed: list[str | None] = ["AAAA"]

    def leave(dealing: Any, live: Any) -> str | None:
        asked.append((dealing, live))
        return sealed[0]

    monkeypatch.setattr(guest.node.dealer, "leave", leave)
    order = table.orderer.author
    assert guest.membership.leave_body() == {"order": order, "heir": order, "sealed": "AAAA"}
    ((dealing, live),) = asked
    assert dealing == guest.state.current_dealing
    assert live == live_without(guest.match.rules, guest.match.snapshot, guest.node.author)
    own = Guest(table, table.orderer)
    monkeypatch.setattr(own.node.dealer, "leave", leave)
    body = own.membership.leave_body()
    assert body is not None and body["order"] == body["heir"] == own.state.orderer_without(own.node.author) != own.node.author
    sealed[0] = None
    assert guest.membership.leave_body() is None


def test_when_a_leave_has_to_wait(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guest.node.dealer, "leave", lambda dealing, live: "AAAA")
    assert guest.membership.leave_body() is not None
    monkeypatch.setattr(module, "leaving", lambda rules, snapshot, author: LATER)
    assert guest.membership.leave_body() is None, "something is asked for"
    monkeypatch.setattr(module, "leaving", lambda rules, snapshot, author: VOID)
    body = guest.membership.leave_body()
    assert body is not None and body["sealed"] is None
    monkeypatch.setattr(module, "leaving", lambda rules, snapshot, author: PLAYS_ON)
    with monkeypatch.context() as patch:
        patch.setattr(type(guest.state), "other_authors", ())
        assert guest.membership.leave_body() is None, "nobody is left"
    guest.membership.note_refusal()
    assert guest.membership.leave_body() is None, "it was refused at this very head"
    with monkeypatch.context() as patch:
        patch.setattr(type(guest.match), "head", "1" * 64)
        assert guest.membership.leave_body() is not None
    guest.membership.tick()
    assert guest.membership.leave_body() is not None


# ---- another device, and a seat given back ----

def test_an_offer_is_signed_for_the_one_device_that_may_take_it(guest: Guest, table: RestingTable) -> None:
    offer = guest.membership.offer(table.third.author)
    point = guest.node.dealer.offer(guest.state.dealing, table.third.author)
    signature = guest.node.identity.sign(device_agreement(guest.match.id, table.third.author, guest.node.author, point))
    assert offer == Offer(guest.node.author, point, signature)


def test_what_another_device_gets(guest: Guest, table: RestingTable) -> None:
    offer = Guest(table, table.third).membership.offer(guest.node.author)
    deal, key = guest.node.dealer.hand_over(guest.state.current_dealing, offer.point)
    assert guest.membership.device_body(offer) == {**offer.to_json(), "deal": deal, "key": key}
    guest.membership.wants_to_leave = True
    guest.membership.device_body(offer)
    assert not guest.membership.is_leaving, "whoever goes on elsewhere stays"
    guest.state.pending = signed(guest.node, "leave", {})
    with pytest.raises(Refused):
        guest.membership.device_body(offer)


def test_a_seat_given_back_is_agreed_with_who_speaks_for_it(guest: Guest, table: RestingTable) -> None:
    seat = table.seat(table.third)
    player = replace(guest.match.setup.seats[seat], author=guest.node.author)
    agreed = guest.membership.agree_to(seat, player)
    message = seat_agreement(guest.match.snapshot, guest.match.id, seat, table.third.author, player.to_json())
    assert agreed == guest.node.identity.sign(message)
    assert guest.membership.seat_body(seat, player, agreed) == {"seat": seat, "to": player.to_json(), "agreed": agreed}
