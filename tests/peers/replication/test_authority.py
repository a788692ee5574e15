"""Who may say what: each check of the authority, with the right statement beside all that differ from it in one thing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tabletin.kernel.log import Entry, Statement, canonical
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.prefix import Prefix
from tabletin.peers.replication.authority import (
    device_agreement,
    epoch_of,
    gone_vote,
    is_end,
    seat_agreement,
    signer_of,
    timeout_vote,
)
from tabletin.peers.replication.statement_quota import QUOTA
from tests.support.ballots import end_of, first_body, first_entry, node_of, subject_gone, vote_of
from tests.support.device_moves import peer_of
from tests.support.examples import MANY_HANDS, lasting
from tests.support.forging import put, signed
from tests.support.peer_sim import Network, Node
from tests.support.resting_table import RestingTable

Body = dict[str, Any]


@pytest.fixture(scope="module")
def table() -> RestingTable:
    return RestingTable(601)


def all_refused(refusal: Callable[[Body], str], right: Body, wrong: dict[str, tuple[Body, str]]) -> None:
    """``right`` is taken, and each of ``wrong``, given as what differs, is refused for its reason."""
    assert refusal(right) == ""
    for what, (change, key) in wrong.items():
        assert refusal({**right, **change}) == key, what


# ---- everything ----

def test_only_who_plays_speaks_and_only_with_a_signature(table: RestingTable) -> None:
    node = table.third
    body = {"seat": table.seat(node), "to": table.match.setup.seats[table.seat(node)].to_json()}
    assert table.refusal(node, "seat", body) == ""
    statement = signed(node, "seat", body)
    stranger = Network(MANY_HANDS, 3, 602).nodes[0]
    foreign = replace(statement, author=stranger.author)
    foreign = replace(foreign, signature=stranger.identity.sign(canonical(foreign.signed_fields())))
    for wrong, key in ((foreign, "kernel.stranger"), (replace(statement, signature="0" * 128), "peers.unsigned")):
        assert table.judge(wrong) == key


def test_for_a_seat_speaks_who_has_it(table: RestingTable) -> None:
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
    for change, key in (({"kind": "bot", "level": "x"}, "kernel.seat_level"), ({"colour": "x"}, "kernel.seat_colour"),
                        ({"name": "\u202ename"}, "kernel.seat_name")):
        assert table.refusal(node, "seat", {"seat": mine, "to": {**seats[mine].to_json(), **change}}) == key
    now, to = table.match.snapshot, {**seats[mine].to_json(), "by": table.orderer.author}
    agreed = seat_agreement(now, table.match.id, mine, node.author, to)
    given = {"seat": mine, "to": to}
    assert table.refusal(node, "seat", {**given, "agreed": node.identity.sign(agreed)}) == "peers.seat_not_agreed"
    assert table.refusal(node, "seat", {**given, "agreed": table.orderer.identity.sign(agreed)}) == ""
    other_seat = seat_agreement(now, table.match.id, others, node.author, to)
    assert table.refusal(node, "seat", {**given, "agreed": table.orderer.identity.sign(other_seat)}) == "peers.seat_not_agreed"


def test_who_agrees_to_play_a_seat_signs_all_of_it_until_a_seat_is_lost_again(table: RestingTable,
                                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    node, other, now = table.third, table.orderer, table.match.snapshot
    seat = table.seat(node)
    to = {**now.setup.seats[seat].to_json(), "by": other.author}

    def refusal(said: Body, signed_to: Body) -> str:
        agreed = other.identity.sign(seat_agreement(now, table.match.id, seat, node.author, signed_to))
        return table.refusal(node, "seat", {"seat": seat, "to": said, "agreed": agreed})

    changes: list[Body] = [{"name": "Loser"}, {"colour": "brass"}, {"kind": "bot", "level": "easy"}]
    assert refusal(to, to) == ""
    for change in changes:
        assert refusal({**to, **change}, to) == "peers.seat_not_agreed"
    bot = {**to, **changes[-1]}
    assert refusal(bot, bot) == "peers.seat_not_agreed", "a bot stays with its peer"
    before = other.identity.sign(seat_agreement(now, table.match.id, seat, node.author, to))
    for lost_by, key in ((other, "peers.seat_not_agreed"), (node, "")):
        monkeypatch.setattr(now, "departures", {lost_by.author: "ab" * 32})
        assert table.refusal(node, "seat", {"seat": seat, "to": to, "agreed": before}) == key
        assert refusal(to, to) == ""


def test_in_an_older_log_who_agrees_to_play_a_seat_names_the_seat_alone(table: RestingTable,
                                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    """It is judged as it was when it was said."""
    node, other, now = table.third, table.orderer, table.match.snapshot
    monkeypatch.setattr(now, "setup", replace(now.setup, extra={"protocol": 2}))
    seat = table.seat(node)
    said = {"agreed": "seat", "match": table.match.id, "seat": seat, "from": node.author, "to": other.author}
    agreed = other.identity.sign(canonical(said))
    for change in ({}, {"name": "Another"}, {"kind": "bot", "level": "easy"}):
        to = {**now.setup.seats[seat].to_json(), "by": other.author, **change}
        assert table.refusal(node, "seat", {"seat": seat, "to": to, "agreed": agreed}) == ""
    assert table.refusal(node, "seat", {"seat": seat, "to": to, "agreed": node.identity.sign(canonical(said))}) != ""


def test_practice_is_for_one_person_alone(table: RestingTable) -> None:
    node = table.third
    assert table.refusal(node, "undo", {"seat": table.seat(node), "to": 3, "practice": True}) == "kernel.undo.practice"
    assert table.refusal(node, "undo", {"seat": table.seat(node), "to": 3}) != "kernel.undo.practice"
    assert table.refusal(table.orderer, "order", {"to": node.author, "practice": True}) == "peers.not_ordering"


# ---- a timeout ----

def votes(table: RestingTable, seat: int, *nodes: Node, head: str = "") -> Body:
    message = timeout_vote(table.match.id, head or table.match.head, seat)
    return {node.author: node.identity.sign(message) for node in nodes}


def test_a_timeout_needs_the_vote_of_everybody_else_at_this_very_head(table: RestingTable) -> None:
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
    two = RestingTable(603, peers=2)
    seat = two.seat(two.waiting)
    assert two.refusal(two.orderer, "timeout", {"seat": seat, "agreed": votes(two, seat, two.orderer)}) == "peers.two_wait"


# ---- the order ----

def test_only_who_orders_hands_the_order_on_and_to_somebody_who_plays(table: RestingTable) -> None:
    right = {"to": table.third.author}
    all_refused(lambda body: table.refusal(table.orderer, "order", body), right, {
        "to a stranger": ({"to": "0" * 64}, "peers.not_ordering"),
        "and more": ({"why": ""}, "peers.not_ordering"),
    })
    assert table.refusal(table.orderer, "order", {}) == "peers.not_ordering"
    assert table.refusal(table.third, "order", {"to": table.third.author}) == "peers.not_ordering"


# ---- ballots ----

def test_who_is_gone_who_orders_then_and_who_says_so(table: RestingTable) -> None:
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


def test_who_is_passed_over_and_who_orders_then(table: RestingTable) -> None:
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


def test_an_epoch_begins_right_behind_the_newest_entry_that_its_voters_held(table: RestingTable) -> None:
    match, orderer, lost, third = table.match, table.orderer, table.waiting, table.third
    subject = subject_gone(lost.author, orderer.author)
    end, last = end_of(match), len(match.entries) - 1

    def refusal(one: tuple[int, int, str], other: tuple[int, int, str], epoch: int = 1, **signed_as: Any) -> str:
        cast = [vote_of(orderer, epoch, subject, one), vote_of(third, epoch, {**subject, **signed_as}, other)]
        return table.refusal(orderer, "gone", first_body(subject, epoch, cast))

    assert refusal(end, end) == refusal(end, end_of(match, 3)) == refusal(end_of(match, 3), end) == ""
    assert refusal(end, end, then="without") == "peers.vote_unsigned"
    for other in (end_of(match, 1), (0, last, "1" * 64), (0, last + 1, match.head), (1, last, match.head), (1, 0, "1" * 64)):
        assert refusal(other, other) == "peers.votes_behind", other
        assert refusal(end, other) == ("" if other == end_of(match, 1) else "peers.votes_behind"), other
    for malformed in ((False, last, match.head), (0, True, "1" * 64), (0, -1, "1" * 64), (-1, last, match.head),
                      (0, 3, "1" * 63)):
        assert refusal(end, malformed) == "peers.vote_unsigned", malformed
    for elsewhere in ((0, last - 2, "1" * 64), (0, 0, match.head), (0, last + 5, "1" * 64)):
        assert refusal(end, elsewhere) == refusal(elsewhere, end) == "peers.votes_behind", elsewhere
    match.snapshot.epoch = 2
    try:
        newest = (2, last, match.head)
        assert refusal(newest, (1, last - 2, "1" * 64), 3) == "", "what it held of an older epoch fell away"
        assert refusal(newest, (1, last + 9, "1" * 64), 3) == ""
        assert refusal(newest, newest, 2) == "peers.epoch_over"
    finally:
        match.snapshot.epoch = 0


@pytest.mark.parametrize("vote", [None, [], "x", [[0, 0, ""]], [["0", 1, "x"], "sig"], [[0, "1", "x"], "sig"], [[0, 1, 2], "sig"],
                                  [[0, 1], "sig"], [[0, 1, "x"], 3], [[0, 1, "x"], "sig", 1]])
def test_a_vote_of_another_form_is_none(table: RestingTable, vote: Any) -> None:
    subject = subject_gone(table.waiting.author, table.orderer.author)
    body = first_body(subject, 1, [vote_of(node, 1, subject, end_of(table.match)) for node in (table.orderer, table.third)])
    assert table.refusal(table.orderer, "gone", body) == ""
    body["votes"][table.third.author] = vote
    assert table.refusal(table.orderer, "gone", body) == "peers.vote_unsigned"
    assert table.refusal(table.orderer, "gone", {**body, "votes": [vote]}) == "peers.votes_missing"


def test_two_of_four_are_no_majority() -> None:
    four = RestingTable(604, peers=4)
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

def test_who_leaves_names_others_to_order_and_to_run_its_seats(table: RestingTable) -> None:
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


def test_another_device_agrees_itself_and_is_not_at_the_table(table: RestingTable) -> None:
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


@pytest.mark.parametrize(("protocol", "said", "refused"), [(6, QUOTA, True), (6, QUOTA - 1, False), (5, QUOTA, False)])
def test_nobody_goes_on_from_other_devices_without_end(protocol: int, said: int, refused: bool) -> None:
    """A ballot against one device would come too late, again and again."""
    own = RestingTable(606)
    node, match = own.waiting, own.match
    new = Network(MANY_HANDS, 3, 605, options=lasting(MANY_HANDS)).nodes[0]
    match.snapshot.setup = replace(match.setup, extra={**match.setup.extra, "protocol": protocol})
    before = [signed(node, "consent", {"seat": own.seat(node), "to": 1})] * said
    entries = [*match.entries, *(Entry.create(len(match.entries) + index, "", one) for index, one in enumerate(before))]
    prefix = Prefix(len(entries) - 1, match.snapshot, SimpleNamespace(id=match.id, entries=entries))
    agreed = new.identity.sign(device_agreement(match.id, node.author, new.author, "x"))
    body = {"to": new.author, "offer": "x", "agreed": agreed, "deal": "", "key": ""}
    found = None
    try:
        peer_of(own.orderer).state.authority.check(prefix, signed(node, "device", body))
    except Refused as error:
        found = error.refusal.key
    assert found == ("peers.quota" if refused else None)


def test_who_was_at_the_table_does_not_come_back_as_a_device() -> None:
    own = RestingTable(606)
    snapshot = own.match.snapshot
    snapshot.former_authors = frozenset({own.waiting.author})
    agreement = device_agreement(own.match.id, own.third.author, own.waiting.author, "x")
    body = {"to": own.waiting.author, "offer": "x", "agreed": own.waiting.identity.sign(agreement), "deal": "", "key": ""}
    assert own.refusal(own.third, "device", body) == "peers.device_taken"


# ---- the order is due elsewhere ----

def test_while_the_order_is_due_elsewhere_only_that_and_answers_are_said() -> None:
    own = RestingTable(607)
    snapshot = own.match.snapshot
    snapshot.must_order = own.third.author
    seat = own.seat(own.orderer)
    said: dict[str, Body] = {
        "seat": {"seat": seat, "to": own.match.setup.seats[seat].to_json()},
        "deal": {"sealed": ""},
        "order": {"to": own.waiting.author},
        "move": {"seat": seat, "do": ["x"], "open": []},
        "resign": {},
    }
    for kind, body in said.items():
        assert own.refusal(own.orderer, kind, body) == "peers.order_due", kind
    assert own.refusal(own.orderer, "order", {"to": own.third.author}) == ""
    for kind in ("gone", "pass", "leave", "device", "deal"):
        assert own.refusal(own.orderer, kind, {}) != "peers.order_due", kind
    assert own.refusal(own.third, "move", {**said["order"], "to": own.third.author}) == "peers.order_due"


def test_who_was_gone_speaks_no_more() -> None:
    own = RestingTable(608)
    own.match.snapshot.former_authors = frozenset({own.third.author})
    body = {"seat": own.seat(own.third), "to": own.match.setup.seats[own.seat(own.third)].to_json()}
    assert own.refusal(own.third, "seat", body) == "kernel.stranger"


# ---- who signs a place ----

def test_a_place_is_signed_by_who_orders_and_the_first_of_an_epoch_by_who_begins_it(table: RestingTable,
                                                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot, orderer, other = table.match.snapshot, table.orderer, table.third

    def statement(kind: str, author: Node, order: Node, epoch: Any = 5) -> Statement:
        return signed(author, kind, {"order": order.author, "epoch": epoch})

    monkeypatch.setattr(snapshot, "epoch", 3)
    for kind in ("gone", "pass"):
        assert signer_of(snapshot, statement(kind, other, other)) == other.author
        assert signer_of(snapshot, statement(kind, other, orderer)) == orderer.author
        assert epoch_of(snapshot, statement(kind, other, other)) == 5
        for odd in (None, "5", True):
            assert epoch_of(snapshot, statement(kind, other, other, odd)) == 3
    assert signer_of(snapshot, statement("leave", other, other)) == orderer.author
    assert epoch_of(snapshot, statement("leave", other, other)) == 3


@pytest.mark.parametrize("data", [None, 7, True, "abc", {}, {"0": 0, "1": 1, "2": "0" * 64}, (0, 1, "0" * 64), [], [0, 1]])
def test_what_is_no_list_of_three_is_no_end_of_a_log(data: Any) -> None:
    assert is_end([0, 1, "0" * 64]) and not is_end(data)


def test_an_entry_that_another_placed_is_refused(table: RestingTable) -> None:
    statement = signed(table.third, "order", {})

    def place(entry: Entry) -> None:
        peer_of(table.orderer).state.authority.place(table.prefix, entry)

    place(put(table.orderer, statement))
    for wrong in (put(table.third, statement), replace(put(table.orderer, statement), signature="")):
        with pytest.raises(Refused, match=r"peers\.place_unsigned"):
            place(wrong)


# ---- logs of the first protocol ----

def first_protocol(seed: int, peers: int = 3) -> RestingTable:
    """A table whose log goes on under the rules before there were epochs."""
    own = RestingTable(seed, peers)
    own.match.snapshot.setup = replace(own.match.snapshot.setup, extra={})
    assert own.match.snapshot.setup.protocol == 1
    return own


def test_a_timeout_of_an_older_log_needs_everybody_who_is_live() -> None:
    own = first_protocol(609)
    seat, waiting = own.seat(own.waiting), own.waiting
    own.match.snapshot.voters = frozenset({own.orderer.author, waiting.author})
    both = votes(own, seat, own.orderer, own.third)
    assert own.refusal(own.orderer, "timeout", {"seat": seat, "agreed": both}) == ""
    del both[own.third.author]
    assert own.refusal(own.orderer, "timeout", {"seat": seat, "agreed": both}) == "peers.votes_missing"
    new = RestingTable(609)
    new.match.snapshot.voters = frozenset({new.orderer.author, new.waiting.author})
    assert new.refusal(new.orderer, "timeout", {"seat": seat, "agreed": both}) == "peers.two_wait"


def test_somebody_gone_in_an_older_log_needs_everybody_left_and_a_majority() -> None:
    own = first_protocol(610)
    match, order, lost, third = own.match, own.orderer, own.waiting, own.third
    message = gone_vote(match.id, match.head, lost.author, order.author, order.author, "bot")
    cast = {node.author: node.identity.sign(message) for node in (order, third)}
    right = {"peer": lost.author, "order": order.author, "heir": order.author, "then": "bot", "votes": cast}
    older = gone_vote(match.id, match.entries[-2].hash, lost.author, order.author, order.author, "bot")
    all_refused(lambda body: own.refusal(order, "gone", body), right, {
        "one is missing": ({"votes": {order.author: cast[order.author]}}, "peers.votes_missing"),
        "the lost one's as well": ({"votes": {**cast, lost.author: ""}}, "peers.votes_missing"),
        "one is unsigned": ({"votes": {**cast, third.author: ""}}, "peers.vote_unsigned"),
        "one is older": ({"votes": {**cast, third.author: third.identity.sign(older)}}, "peers.vote_unsigned"),
        "for something else": ({"then": "without"}, "peers.vote_unsigned"),
        "with an epoch": ({"epoch": 0}, "peers.epoch_over"),
    })
    two = first_protocol(611, 2)
    body = {**right, "peer": two.waiting.author, "order": two.orderer.author, "heir": two.orderer.author}
    assert two.refusal(two.orderer, "gone", body) == "peers.no_majority"


def test_in_an_older_log_a_majority_is_one_of_those_who_began(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever came with the first entry behind the genesis does not count."""
    own = first_protocol(613)
    match, order, lost = own.match, own.orderer, own.waiting
    message = gone_vote(match.id, match.head, lost.author, order.author, order.author, "bot")
    body = {"peer": lost.author, "order": order.author, "heir": order.author, "then": "bot",
            "votes": {node.author: node.identity.sign(message) for node in (order, own.third)}}
    began = match.setup.authors

    def snapshot_at(match: Match, index: int) -> Any:
        return SimpleNamespace(setup=SimpleNamespace(authors=(*began, "0" * 64) if index else began))

    monkeypatch.setattr(Match, "snapshot_at", snapshot_at)
    assert own.refusal(order, "gone", body) == ""
    monkeypatch.setattr(Match, "snapshot_at", lambda match, index: snapshot_at(match, 1))
    assert own.refusal(order, "gone", body) == "peers.no_majority"


def test_an_older_log_tells_nobody_that_the_order_is_due() -> None:
    own = first_protocol(612)
    own.match.snapshot.must_order = own.third.author
    body = {"seat": own.seat(own.orderer), "to": own.match.setup.seats[own.seat(own.orderer)].to_json()}
    assert own.refusal(own.orderer, "seat", body) == ""
