"""Who may say what: each check of the authority, with the right statement beside all that differ from it in one thing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tabletin.kernel.log import Statement, canonical
from tabletin.kernel.options import Refused
from tabletin.kernel.prefix import Prefix
from tabletin.peers.replication.authority import device_agreement, seat_agreement, timeout_vote
from tests.support.ballots import end_of, first_body, first_entry, node_of, subject_gone, vote_of
from tests.support.device_moves import calm, peer_of
from tests.support.examples import MANY_HANDS, lasting
from tests.support.forging import signed
from tests.support.peer_matches import network
from tests.support.peer_sim import Network, Node

Body = dict[str, Any]


class Table:
    """A match of three at rest: who orders, and two others, ``waiting`` with a seat that is to act if one of them has it."""

    def __init__(self, seed: int, peers: int = 3) -> None:
        self.net = network(MANY_HANDS, peers, seed)
        assert calm(self.net, self.net.nodes[0])
        self.match = peer_of(self.net.nodes[0]).match
        self.orderer = node_of(self.net, self.match.orderer)
        acting = {self.match.setup.seats[seat].author for seat in self.match.rules.to_act(self.match.state)}
        others = sorted((node for node in self.net.nodes if node is not self.orderer), key=lambda node: node.author not in acting)
        self.waiting, self.third = others[0], others[-1]

    def judge(self, statement: Statement) -> str:
        """Why the authority refuses ``statement`` right behind this log, "" if it does not. The rules are not asked."""
        prefix = Prefix(len(self.match.entries) - 1, self.match.snapshot, self.match)
        try:
            peer_of(self.orderer).state.authority.check(prefix, statement)
        except Refused as error:
            return error.refusal.key
        return ""

    def refusal(self, node: Node, kind: str, body: Body) -> str:
        return self.judge(signed(node, kind, body))

    def seat(self, node: Node) -> int:
        return self.match.snapshot.seats_of(node.author)[0]


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(601)


def all_refused(refusal: Callable[[Body], str], right: Body, wrong: dict[str, tuple[Body, str]]) -> None:
    """``right`` is taken, and each of ``wrong``, given as what differs, is refused for its reason."""
    assert refusal(right) == ""
    for what, (change, key) in wrong.items():
        assert refusal({**right, **change}) == key, what


# ---- everything ----

def test_only_who_plays_speaks_and_only_with_a_signature(table: Table) -> None:
    node = table.third
    body = {"seat": table.seat(node), "to": table.match.setup.seats[table.seat(node)].to_json()}
    assert table.refusal(node, "seat", body) == ""
    statement = signed(node, "seat", body)
    stranger = Network(MANY_HANDS, 3, 602).nodes[0]
    foreign = replace(statement, author=stranger.author)
    foreign = replace(foreign, signature=stranger.identity.sign(canonical(foreign.signed_fields())))
    for wrong, key in ((foreign, "kernel.stranger"), (replace(statement, signature="0" * 128), "peers.unsigned")):
        assert table.judge(wrong) == key


def test_for_a_seat_speaks_who_has_it(table: Table) -> None:
    node, seats = table.third, table.match.setup.seats
    mine, others = table.seat(node), table.seat(table.orderer)
    right = {"seat": mine, "to": seats[mine].to_json()}
    all_refused(lambda body: table.refusal(node, "seat", body), right, {
        "another's": ({"seat": others}, "kernel.not_your_seat"),
        "none": ({"seat": None}, "kernel.no_seat"),
        "below": ({"seat": -1}, "kernel.no_seat"),
        "beyond": ({"seat": len(seats)}, "kernel.no_seat"),
        "a truth value": ({"seat": bool(mine)}, "kernel.no_seat"),
        "to nobody": ({"to": None}, "peers.seat_stays"),
        "to a number": ({"to": {**seats[mine].to_json(), "by": 3}}, "peers.seat_stays"),
        "to who did not agree": ({"to": seats[others].to_json()}, "peers.seat_stays"),
        "with no true agreement": ({"agreed": "0" * 128}, "peers.seat_not_agreed"),
        "with a number for an agreement": ({"agreed": 1}, "peers.seat_not_agreed"),
    })
    agreed = seat_agreement(table.match.id, mine, node.author, table.orderer.author)
    given = {"seat": mine, "to": {**seats[mine].to_json(), "by": table.orderer.author}}
    assert table.refusal(node, "seat", {**given, "agreed": node.identity.sign(agreed)}) == "peers.seat_not_agreed"
    other_seat = seat_agreement(table.match.id, others, node.author, table.orderer.author)
    assert table.refusal(node, "seat", {**given, "agreed": table.orderer.identity.sign(other_seat)}) == "peers.seat_not_agreed"


def test_practice_is_for_one_person_alone(table: Table) -> None:
    node = table.third
    assert table.refusal(node, "undo", {"seat": table.seat(node), "to": 3, "practice": True}) == "kernel.undo.practice"
    assert table.refusal(node, "undo", {"seat": table.seat(node), "to": 3}) != "kernel.undo.practice"


# ---- a timeout ----

def votes(table: Table, seat: int, *nodes: Node, head: str = "") -> Body:
    message = timeout_vote(table.match.id, head or table.match.head, seat)
    return {node.author: node.identity.sign(message) for node in nodes}


def test_a_timeout_needs_the_vote_of_everybody_else_at_this_very_head(table: Table) -> None:
    seat = next(iter(table.match.rules.to_act(table.match.state)))
    owner = node_of(table.net, table.match.setup.seats[seat].author)
    one, other = (node for node in table.net.nodes if node is not owner)
    both = votes(table, seat, one, other)
    right = {"seat": seat, "agreed": both}
    older = table.match.entries[-2].hash
    wrong_seat = (seat + 1) % len(table.match.setup.seats)
    all_refused(lambda body: table.refusal(one, "timeout", body), right, {
        "one vote": ({"agreed": votes(table, seat, one)}, "peers.votes_missing"),
        "nobody's": ({"agreed": {}}, "peers.votes_missing"),
        "no votes": ({"agreed": None}, "peers.votes_missing"),
        "the seat's own as well": ({"agreed": votes(table, seat, one, other, owner)}, "peers.votes_missing"),
        "the seat's own instead": ({"agreed": votes(table, seat, one, owner)}, "peers.votes_missing"),
        "unsigned": ({"agreed": {**both, other.author: "0" * 128}}, "peers.vote_unsigned"),
        "a number": ({"agreed": {**both, other.author: 1}}, "peers.vote_unsigned"),
        "one signs for both": ({"agreed": {**both, other.author: both[one.author]}}, "peers.vote_unsigned"),
        "at an older head": ({"agreed": votes(table, seat, one, other, head=older)}, "peers.vote_unsigned"),
        "for another seat": ({"agreed": votes(table, wrong_seat, one, other)}, "peers.vote_unsigned"),
        "no seat": ({"seat": None}, "kernel.no_seat"),
        "below": ({"seat": -1}, "kernel.no_seat"),
        "beyond": ({"seat": len(table.match.setup.seats)}, "kernel.no_seat"),
        "a truth value": ({"seat": True}, "kernel.no_seat"),
    })


def test_two_devices_time_nobody_out() -> None:
    two = Table(603, peers=2)
    seat = two.seat(two.waiting)
    assert two.refusal(two.orderer, "timeout", {"seat": seat, "agreed": votes(two, seat, two.orderer)}) == "peers.two_wait"


# ---- the order ----

def test_only_who_orders_hands_the_order_on_and_to_somebody_who_plays(table: Table) -> None:
    right = {"to": table.third.author}
    all_refused(lambda body: table.refusal(table.orderer, "order", body), right, {
        "to a stranger": ({"to": "0" * 64}, "peers.not_ordering"),
        "and more": ({"why": ""}, "peers.not_ordering"),
    })
    assert table.refusal(table.orderer, "order", {}) == "peers.not_ordering"
    assert table.refusal(table.third, "order", {"to": table.third.author}) == "peers.not_ordering"


# ---- ballots ----

def test_who_is_gone_who_orders_then_and_who_says_so(table: Table) -> None:
    match, orderer, lost, third = table.match, table.orderer, table.waiting, table.third

    def refusal(author: Node, left_out: tuple[str, ...] = (), voters: tuple[Node, ...] = (orderer, third), epoch: Any = 1,
                **change: Any) -> str:
        subject = {**subject_gone(lost.author, orderer.author), **change}
        cast = [vote_of(node, epoch, subject, end_of(match)) for node in voters]
        body = first_body(subject, epoch, cast)
        return table.refusal(author, "gone", {name: value for name, value in body.items() if name not in left_out})

    assert refusal(orderer) == refusal(orderer, then="without") == refusal(orderer, heir=third.author) == ""
    for change in ({"then": "ghost"}, {"more": 1}, {"peer": "0" * 64}, {"order": lost.author}, {"heir": lost.author},
                   {"order": "0" * 64}, {"heir": "0" * 64}):
        assert refusal(orderer, **change) == "peers.gone_form", change
    for name in ("heir", "then", "votes", "epoch"):
        assert refusal(orderer, (name,)) == "peers.gone_form", name
    assert refusal(third, order=third.author) == "peers.not_ordering", "the one that orders is not gone"
    assert refusal(third) == "peers.not_ordering", "said by another than it makes order"
    assert refusal(lost) == "peers.not_ordering"
    for epoch in (0, -1, True, "1", None):
        assert refusal(orderer, epoch=epoch) == "peers.epoch_over", epoch

    for successor in (lost, third):  # it is the one that orders who is gone: either may, if it says so itself
        subject = subject_gone(orderer.author, successor.author)
        cast = [vote_of(node, 3, subject, end_of(match)) for node in (lost, third)]
        assert table.judge(first_entry(successor, subject, 3, cast, len(match.entries)).statement) == ""


def test_who_is_passed_over_and_who_orders_then(table: Table) -> None:
    match, orderer, one, other = table.match, table.orderer, table.waiting, table.third

    def refusal(author: Node, against: Any, order: Any, *voters: Node, more: Body | None = None) -> str:
        subject = {"kind": "pass", "against": against, "order": order, **(more or {})}
        cast = [vote_of(node, 2, subject, end_of(match)) for node in voters]
        return table.refusal(author, "pass", first_body(subject, 2, cast))

    assert refusal(one, orderer.author, one.author, one, other) == ""
    assert refusal(orderer, None, orderer.author, orderer, one, other) == ""
    assert refusal(orderer, other.author, orderer.author, orderer, one) == ""
    assert refusal(one, orderer.author, one.author, one) == "peers.votes_missing"
    assert refusal(orderer, None, orderer.author, orderer, one) == "peers.votes_missing", "without one, that one is named"
    assert refusal(one, orderer.author, one.author, one, other, more={"why": 1}) == "peers.pass_form"
    assert refusal(one, orderer.author, orderer.author, one, other) == "peers.pass_form"
    assert refusal(one, orderer.author, "0" * 64, one, other) == "peers.pass_form"
    assert refusal(one, "0" * 64, one.author, one, other) == "peers.pass_form"
    assert refusal(other, orderer.author, one.author, one, other) == "peers.not_ordering", "said by another"
    assert refusal(one, other.author, one.author, orderer, one) == "peers.not_ordering", "who orders is not the one against"
    assert refusal(one, None, one.author, orderer, one, other) == "peers.not_ordering"


@pytest.mark.parametrize("vote", [None, [], "x", [[0, 0, ""]], [["0", 1, "x"], "sig"], [[0, "1", "x"], "sig"], [[0, 1, 2], "sig"],
                                  [[0, 1], "sig"], [[0, 1, "x"], 3], [[0, 1, "x"], "sig", 1]])
def test_a_vote_of_another_form_is_none(table: Table, vote: Any) -> None:
    subject = subject_gone(table.waiting.author, table.orderer.author)
    body = first_body(subject, 1, [vote_of(node, 1, subject, end_of(table.match)) for node in (table.orderer, table.third)])
    assert table.refusal(table.orderer, "gone", body) == ""
    body["votes"][table.third.author] = vote
    assert table.refusal(table.orderer, "gone", body) == "peers.vote_unsigned"
    assert table.refusal(table.orderer, "gone", {**body, "votes": [vote]}) == "peers.votes_missing"


def test_two_of_four_are_no_majority() -> None:
    four = Table(604, peers=4)
    gone = next(node for node in four.net.nodes if node is not four.orderer)
    rest = [node for node in four.net.nodes if node is not gone]
    snapshot = four.match.snapshot
    subject = subject_gone(gone.author, four.orderer.author)

    def refusal(voters: list[Node]) -> str:
        body = first_body(subject, 1, [vote_of(node, 1, subject, end_of(four.match)) for node in voters])
        return four.refusal(four.orderer, "gone", body)

    assert refusal(rest) == ""
    snapshot.former_authors = frozenset({rest[-1].author if rest[-1] is not four.orderer else rest[0].author})
    left = [node for node in rest if node.author not in snapshot.former_authors]
    assert len(left) == 2 and refusal(left) == "peers.no_majority"


# ---- leaving, another device ----

def test_who_leaves_names_others_to_order_and_to_run_its_seats(table: Table) -> None:
    orderer, node, other = table.orderer, table.waiting, table.third
    right = {"order": orderer.author, "heir": other.author, "sealed": None}

    def refusal(author: Node, **change: Any) -> str:
        return table.refusal(author, "leave", {**right, **change})

    for change in ({"order": node.author}, {"heir": node.author}, {"order": "0" * 64}, {"heir": "0" * 64}, {"sealed": 3},
                   {"more": 1}, {"heir": None}):
        assert refusal(node, **change) == "kernel.leave_form", change
    assert refusal(node, order=other.author) == "peers.not_ordering"
    assert refusal(node) not in ("kernel.leave_form", "peers.not_ordering")
    assert refusal(orderer, order=node.author) not in ("kernel.leave_form", "peers.not_ordering")
    assert table.refusal(node, "leave", {"order": orderer.author, "heir": other.author}) == "kernel.leave_form"


def test_another_device_agrees_itself_and_is_not_at_the_table(table: Table) -> None:
    node = table.third
    new = Network(MANY_HANDS, 3, 605, options=lasting(MANY_HANDS)).nodes[0]

    def refusal(**change: Any) -> str:
        body = {"to": new.author, "offer": "x", "agreed": "", "deal": "", "key": "", **change}
        return table.refusal(node, "device", body)

    def agreed(author: Node, to: str = new.author, offer: str = "x", of: str = node.author) -> str:
        return author.identity.sign(device_agreement(table.match.id, of, to, offer))

    formal = ("peers.device_form", "peers.device_taken", "peers.seat_not_agreed")
    assert refusal(agreed=agreed(new)) not in formal
    for change in ({"more": 1}, {"to": 3}, {"offer": None}):
        assert refusal(**change) == "peers.device_form", change
    for live in (node, table.orderer):
        assert refusal(to=live.author, agreed=agreed(live, to=live.author)) == "peers.device_taken"
    for wrong in ("0" * 128, 3, None, agreed(node), agreed(new, offer="y"), agreed(new, of=table.orderer.author)):
        assert refusal(agreed=wrong) == "peers.seat_not_agreed", wrong


def test_who_was_at_the_table_does_not_come_back_as_a_device() -> None:
    own = Table(606)
    snapshot = own.match.snapshot
    snapshot.former_authors = frozenset({own.waiting.author})
    agreement = device_agreement(own.match.id, own.third.author, own.waiting.author, "x")
    body = {"to": own.waiting.author, "offer": "x", "agreed": own.waiting.identity.sign(agreement), "deal": "", "key": ""}
    assert own.refusal(own.third, "device", body) == "peers.device_taken"


# ---- the order is due elsewhere ----

def test_while_the_order_is_due_elsewhere_only_that_and_answers_are_said() -> None:
    own = Table(607)
    snapshot = own.match.snapshot
    snapshot.must_order = own.third.author
    seat = own.seat(own.orderer)
    said: dict[str, Body] = {
        "seat": {"seat": seat, "to": own.match.setup.seats[seat].to_json()},
        "deal": {"sealed": ""},
        "order": {"to": own.waiting.author},
        "move": {"seat": seat, "do": ["x"], "open": []},
    }
    for kind, body in said.items():
        assert own.refusal(own.orderer, kind, body) == "peers.order_due", kind
    assert own.refusal(own.orderer, "order", {"to": own.third.author}) == ""
    for kind in ("gone", "pass", "leave", "device", "deal"):
        assert own.refusal(own.orderer, kind, {}) != "peers.order_due", kind
    assert own.refusal(own.third, "move", {**said["order"], "to": own.third.author}) == "peers.order_due"


def test_who_was_gone_speaks_no_more() -> None:
    own = Table(608)
    own.match.snapshot.former_authors = frozenset({own.third.author})
    body = {"seat": own.seat(own.third), "to": own.match.setup.seats[own.seat(own.third)].to_json()}
    assert own.refusal(own.third, "seat", body) == "kernel.stranger"
