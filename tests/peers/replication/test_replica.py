"""One replica of a match at rest: when it says something, sends it again or gives it up, and what it makes of each message."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tabletin.kernel.dealing import prepares_next_hand
from tabletin.kernel.log import Json, Statement, canonical, parse
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.requests import Open
from tabletin.peers.replication import evidence
from tabletin.peers.replication import replica as replicas
from tabletin.peers.replication.evidence import Accusation
from tabletin.peers.replication.membership import Membership
from tabletin.peers.replication.rate_limit import MOST
from tabletin.peers.replication.replica import MOST_MESSAGE, MOST_TRIES, TICK, Replica
from tabletin.peers.replication.state import ReplicaState
from tabletin.peers.sealed.requests import ShareDuty
from tests.support.ballots import end_of, node_of, subject_gone, vote_of
from tests.support.device_moves import peer_of
from tests.support.examples import one_a_family
from tests.support.forging import put, signed
from tests.support.highcard import HighCard
from tests.support.peer_matches import network
from tests.support.peer_sim import Network, Node
from tests.support.resting_table import RestingTable
from tests.support.standin import StandIn

Told = list[tuple[str | None, dict[str, Any]]]


class Room:
    """A match at rest in which nobody moves by itself. ``actor`` has a seat that is to act, and does not order."""

    def __init__(self, seed: int) -> None:
        self.table = table = RestingTable(seed, entries=12)
        self.net = table.net
        self.net.act = lambda node: None  # type: ignore[method-assign]
        assert self.net.run(lambda: self.net.agreed() and all(peer.pending is None for peer in self.net.peers), 20)
        self.net.run(lambda: False, 3)
        self.match, self.orderer = table.match, table.orderer
        acting = {self.match.setup.seats[seat].author for seat in self.match.rules.to_act(self.match.state)}
        left = [node for node in self.net.nodes if node is not table.orderer]
        self.actor, self.other = sorted(left, key=lambda node: node.author not in acting)
        self.now = self.net.now + 2
        for peer in self.net.peers:
            peer.tick(self.now)
            peer.take()
            assert peer.ready and peer.pending is None

    def own_move(self, node: Node) -> tuple[int, Any]:
        match = peer_of(node).match
        seat = next(seat for seat in match.rules.to_act(match.state) if match.setup.seats[seat].author == node.author)
        return seat, match.rules.random_move(match.state, seat, match.view((seat,)).faces, self.net.rng)

    def renames(self, node: Node, **changes: Any) -> Statement:
        """A statement of ``node`` that its own replica has not said; anybody may place it now."""
        return signed(node, "seat", self.name_body(node), **{"count": peer_of(node).state.count, **changes})

    def name_body(self, node: Node) -> dict[str, Any]:
        seat = self.table.seat(node)
        return {"seat": seat, "to": self.match.setup.seats[seat].to_json()}

    def hear(self, node: Node, sender: Node, **message: Any) -> Told:
        """``node`` hears a message; what it says to that."""
        peer_of(node).receive(sender.author, canonical(message))
        return told(node)


def told(node: Node) -> Told:
    return [(to, parse(data)) for to, data in peer_of(node).take().messages]


def pending_of(peer: Replica) -> Statement | None:
    return peer.pending


def kinds(said: Told) -> list[str]:
    return [message["t"] for _, message in said]


@pytest.fixture
def room() -> Room:
    return Room(879)


@pytest.fixture(scope="module")
def still_room() -> Room:
    """One in which no test changes anything for good."""
    return Room(879)


def noted(calls: list[Any], what: Any, answer: Any) -> Any:
    """What a stand-in for a method gives, which notes its calls."""
    calls.append(what)
    return answer


# ---- what it is ----

def test_what_was_stored_is_taken_up_again(still_room: Room) -> None:
    node, match = still_room.actor, still_room.match
    pending, dead = still_room.renames(node), still_room.renames(node, count=99)
    promise = vote_of(node, 1, {"kind": "pass"}, end_of(match))
    old = peer_of(node)

    def started(**changes: Any) -> Replica:
        return Replica(node.identity, old.state.authority, old.match, node.dealer, **changes)

    peer = started(pending=pending, count=200, dead=(dead,), promise=promise, begun_epoch=7, restarted=True)
    state = peer.state
    assert state.begun_epoch == 7 and started().state.begun_epoch == 0
    assert (peer.pending, state.count, [one.statement for one in state.dead], state.promise) == (pending, 200, [dead], promise)
    assert state.unheard_authors == set(peer.other_authors) != set() and not peer.ready and peer.take().messages == ()
    fresh = started(count=3)
    assert fresh.state.count == match.count(node.author) and fresh.state.unheard_authors == set() and fresh.ready
    assert (fresh.pending, fresh.state.dead, fresh.state.promise, fresh.rejections) == (None, [], None, [])
    assert fresh.author == node.author and fresh.live == match.snapshot.live and not fresh.orders and fresh.takes_part
    assert set(fresh.other_authors) == set(match.snapshot.live) - {node.author}
    assert fresh.dealing is old.match.dealing
    fresh.take()
    fresh.tick(0.0)
    assert [parse(data)["t"] for _, data in fresh.take().messages] == ["head"], "at once"
    assert fresh.unchecked_count == 0 and fresh.deferred_checker is None
    stranger = Replica(StandIn(b"a stranger"), old.state.authority, old.match, node.dealer)
    assert stranger.state.count == 0 and not stranger.takes_part
    assert started(pending=signed(node, "leave", {})).membership.is_leaving and not fresh.membership.is_leaving
    assert started(dead=(signed(node, "leave", {}),)).membership.leave_is_signed


def test_a_replica_that_defers_shuffles_tells_its_checker_who_it_is(still_room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    checker = SimpleNamespace(author="", remaining=5, urgent=0, failed=False)
    monkeypatch.setattr("tabletin.peers.replication.state.ReplicaState.deferred_checker", checker)
    node = still_room.actor
    old = peer_of(node)
    peer = Replica(node.identity, old.state.authority, old.match, node.dealer)
    assert checker.author == node.author and peer.unchecked_count == 5


# ---- saying ----

def test_another_device_goes_on_only_where_its_word_can_get_a_place(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not while the peer that orders is silent; of two peers nobody goes on without the other one anyway."""
    silent: list[str] = []
    monkeypatch.setattr(ReplicaState, "is_silent", lambda state, author: author in silent)
    monkeypatch.setattr(Membership, "device_body", lambda membership, offer: {"offer": offer})
    monkeypatch.setattr(Replica, "say", lambda peer, kind, body: (kind, body))
    offer: Any = "an offer"
    said: Any = ("device", {"offer": offer})
    assert peer_of(room.actor).move_to(offer) == said
    silent += [room.other.author]
    assert peer_of(room.actor).move_to(offer) == said
    silent += [room.orderer.author]
    with pytest.raises(Refused, match=r"peers\.device_wait"):
        peer_of(room.actor).move_to(offer)
    assert peer_of(room.orderer).move_to(offer) == said
    monkeypatch.setattr(Replica, "live", (room.actor.author, room.orderer.author))
    assert peer_of(room.actor).move_to(offer) == said


def test_a_statement_is_kept_and_sent_to_who_orders(room: Room) -> None:
    node, peer = room.actor, peer_of(room.actor)
    count = peer.state.count
    said = peer.say("seat", room.name_body(node))
    statement = peer.pending
    assert statement is not None and (statement.hash, statement.count, peer.state.count) == (said, count, count + 1)
    assert peer.state.authority.statement_signed(statement) and statement.head == room.match.head
    output = peer.take()
    assert output.pending is not None and output.pending.statement == statement.to_json()
    assert [(to, parse(data)) for to, data in output.messages] == [(room.orderer.author, {"t": "say", "s": statement.to_json()})]
    assert peer.take().messages == () and peer.outbox == []
    with pytest.raises(RuntimeError):
        peer.say("seat", room.name_body(node))
    with pytest.raises(RuntimeError):
        peer.move(*room.own_move(node))
    assert not peer.membership.leave_is_signed
    (_, told_all), = room.hear(room.orderer, node, t="say", s=statement.to_json())
    assert told_all["t"] == "put"
    room.hear(node, room.orderer, **told_all)
    assert peer.pending is None and peer.match.entries[-1].statement == statement
    stored = peer_of(room.orderer)
    assert stored.match.entries[-1].statement == statement


def test_what_is_wrong_is_not_said(room: Room) -> None:
    peer = peer_of(room.actor)
    count = peer.state.count
    with pytest.raises(Refused):
        peer.say("order", {"to": room.actor.author})
    assert (peer.pending, peer.state.count, peer.take().messages) == (None, count, ())
    seat, move = room.own_move(room.actor)
    with pytest.raises(Refused):
        peer.move(seat, ("no such move",))
    with pytest.raises(Refused):
        peer.move((seat + 1) % 3, move)
    peer.state.unheard_authors = {room.other.author}
    with pytest.raises(RuntimeError):
        peer.say("seat", room.name_body(room.actor))
    peer.state.unheard_authors = set()
    said = peer.move(seat, move)
    assert peer.pending is not None and peer.pending.hash == said


@pytest.mark.parametrize("game", one_a_family(3))
def test_a_device_moves_for_its_own_seats_alone(game: str) -> None:
    """It is told so: whether the move is right depends on cards that it cannot read."""
    net = network(game, 3, 1)
    assert net.run(lambda: len(net.peers[0].match.entries) >= 40 and net.agreed() and not net.state().requests)
    match = net.peers[0].match
    for seat in match.rules.to_act(match.state):
        owner = node_of(net, match.setup.seats[seat].author)
        for move in peer_of(owner).match.view((seat,)).moves(seat):
            for node in net.nodes:
                if node is not owner:
                    with pytest.raises(Refused, match=r"kernel\.not_your_seat"):
                        peer_of(node).move(seat, move)
            for nowhere in (-1, match.rules.seats):
                with pytest.raises(Refused):
                    peer_of(owner).move(nowhere, move)


@pytest.mark.parametrize("seed", [8, 12, 18])
def test_rules_that_ask_for_one_card_twice_hold_nothing_up(seed: int) -> None:
    """This toy opens a card twice that two claims rest on; dealt openly it always did."""
    net = Network("highcard", 3, seed, options={"turns": 6}, rules=HighCard)
    assert net.run(net.finished)
    asked = [request.cards for entry in net.peers[0].match.entries
             for request in net.peers[0].match.snapshot_at(entry.index).state.requests if isinstance(request, Open)]
    assert any(len(set(cards)) < len(cards) for cards in asked)


def test_whatever_is_said_may_be_followed_by_what_is_owed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = peer_of(room.actor)
    done: list[str] = []
    monkeypatch.setattr(peer, "work", lambda: done.append("work"))
    monkeypatch.setattr(peer, "_say", lambda kind, body: done.append(kind))
    peer.move(*room.own_move(room.actor))
    peer.say("seat", {})
    peer.leave()
    assert done == ["move", "work", "seat", "work", "work"]


def test_at_work_it_looks_at_all_that_may_be_due(still_room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it may sign nothing."""
    peer, calls = peer_of(still_room.actor), list[str]()
    steps = ("_suspect_votes", "_begin_epoch", "_note_departure", "_note_wanted_shares", "_judge_doubted", "_say_postponed")
    for step in steps:
        monkeypatch.setattr(peer, step, lambda name=step: calls.append(name))
    monkeypatch.setattr(peer.state, "unheard_authors", {still_room.other.author})
    peer.work()
    assert calls == [*steps]


def test_at_work_it_looks_whether_shares_are_wanted(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = peer_of(room.actor)
    done: list[str] = []
    monkeypatch.setattr(peer, "_note_wanted_shares", lambda: done.append("noted"))
    peer.work()
    assert done == ["noted"]


def test_who_orders_gives_up_what_its_own_log_refuses(room: Room) -> None:
    peer = peer_of(room.orderer)
    wrong = room.renames(room.orderer, head="1" * 64)
    peer.state.set_pending(wrong)
    peer._send_pending()
    assert pending_of(peer) is None and [statement for statement, _ in peer.rejections] == [wrong]


def test_who_leaves_moves_no_more(room: Room) -> None:
    peer = peer_of(room.actor)
    seat, move = room.own_move(room.actor)
    peer.membership.wants_to_leave = True
    with pytest.raises(Refused) as caught:
        peer.move(seat, move)
    assert caught.value.refusal.key == "peers.leaving"
    peer.membership.wants_to_leave = False
    peer.leave()
    assert peer.pending is not None and peer.pending.kind == "leave" and peer.membership.leave_is_signed
    with pytest.raises(Refused):
        peer.membership.stay()


@pytest.mark.parametrize("takes_part", [True, False])
def test_who_went_wishes_nothing_more_and_gives_up_what_gets_no_place(room: Room, monkeypatch: pytest.MonkeyPatch, *,
                                                                      takes_part: bool) -> None:
    peer, calls = peer_of(room.actor), list[str]()
    peer.membership.wants_to_leave = True
    monkeypatch.setattr(peer, "_judge_pending", lambda: calls.append("judged"))
    monkeypatch.setattr(Replica, "takes_part", takes_part)
    peer._note_departure()
    assert peer.membership.wants_to_leave == takes_part and calls == ([] if takes_part else ["judged"])


def test_before_anybody_is_blamed_or_whoever_asks_for_it_what_is_urgent_is_checked(room: Room,
                                                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    peer, calls = peer_of(room.actor), list[str]()
    monkeypatch.setattr(peer._sync, "check_urgent", lambda: calls.append("checked"))
    monkeypatch.setattr(peer._accusations, "hear", lambda sender, message: calls.append(f"heard {message['why']}"))
    peer.check_urgent()
    peer.check_all()
    assert calls == ["checked"], "nothing was put off here"
    room.hear(room.actor, room.other, t="blame", why="fork", x=[])
    assert calls == ["checked", "checked", "heard fork"]


def test_a_leave_that_comes_too_late_is_said_again(room: Room) -> None:
    peer = peer_of(room.actor)
    peer.leave()
    first = peer.pending
    assert first is not None
    entry = put(room.orderer, room.renames(room.other))
    wrong = replace(first, body={**first.body, "sealed": "AAAA"})
    peer.state.set_pending(replace(wrong, signature=room.actor.identity.sign(wrong.canonical_bytes)))
    peer.take()
    room.hear(room.actor, room.orderer, t="no", h=peer.pending.hash if peer.pending else "")
    assert [why for _, why in peer.rejections] != [] and pending_of(peer) is None, "refused at this very head: it waits"
    room.hear(room.actor, room.orderer, t="put", e=[entry.to_json()])
    assert peer.pending is not None and peer.pending.kind == "leave" and peer.pending.head == entry.hash


def test_a_move_waits_for_what_prepares_the_next_hand(room: Room) -> None:
    peer = peer_of(room.actor)
    seat, move = room.own_move(room.actor)
    preparing = signed(room.actor, "deal", {"ahead": "AAAA"})
    assert prepares_next_hand(preparing)
    peer.state.set_pending(preparing)
    with pytest.raises(Refused):
        peer.move(seat, ("no such move",))
    assert peer.move(seat, move) is None and pending_of(peer) == preparing
    peer.work()
    assert pending_of(peer) == preparing
    peer.state.set_pending(None)
    peer.state.unheard_authors = {room.other.author}
    peer.work()
    assert pending_of(peer) is None
    peer.state.unheard_authors = set()
    peer.state.set_pending(room.renames(room.actor))
    peer.work()
    peer.state.set_pending(None)
    peer.work()
    said = peer.pending
    assert said is not None and (said.kind, said.body["seat"]) == ("move", seat)
    peer.state.set_pending(None)
    peer.work()
    assert pending_of(peer) is None, "once"


def test_a_move_that_waited_and_is_wrong_then_counts_as_refused(room: Room) -> None:
    peer = peer_of(room.actor)
    seat = room.table.seat(room.actor)
    peer._postponed = seat, ("no such move",)
    peer.work()
    ((statement, why),) = peer.rejections
    assert (statement.author, statement.kind, statement.body) == (room.actor.author, "move",
                                                                  {"seat": seat, "do": ("no such move",), "open": []})
    assert why and peer.pending is None and peer._postponed is None


def test_another_device_and_a_promise_are_worded_and_said(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = peer_of(room.actor)
    said: list[tuple[str, Any]] = []
    monkeypatch.setattr(peer, "_say", lambda kind, body: noted(said, (kind, body), "hash"))
    monkeypatch.setattr(peer.membership, "device_body", lambda offer: {"offered": offer})
    player = room.match.setup.seats[0]
    assert peer.move_to("an offer") == "hash" == peer.promise(1, player, "agreed")  # type: ignore[arg-type]
    assert said == [("device", {"offered": "an offer"}), ("seat", {"seat": 1, "to": player.to_json(), "agreed": "agreed"})]
    peer.accuse(Accusation.of_log(peer.match, room.other.author, "shuffle"))
    assert [one.culprit for one in peer.accusations] == [room.other.author] and not peer.ready


def test_what_does_not_stand_is_sent_again_ever_more_seldom(room: Room) -> None:
    """And whole, for what went apart may be lost."""
    node, peer = room.actor, peer_of(room.actor)
    peer.say("seat", room.name_body(node))
    statement = peer.pending
    assert statement is not None
    peer.take()
    times, now = [], room.now
    while now < room.now + 22:
        now += 0.5
        peer.tick(now)
        if (room.orderer.author, {"t": "say", "s": statement.to_json()}) in told(node):
            times.append(round(now - room.now, 6))  # half seconds, whatever the clock began with
    waits = [later - earlier for earlier, later in zip([0.0, *times], times, strict=False)]
    assert waits[:5] == [TICK, 2 * TICK, 3 * TICK, MOST_TRIES * TICK, MOST_TRIES * TICK]


def test_who_orders_now_gets_it_at_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    node, peer = room.actor, peer_of(room.actor)
    peer.say("seat", room.name_body(node))
    for seconds in (1, 2, 3):
        peer.tick(room.now + seconds)
    peer.take()
    monkeypatch.setattr(peer.match.snapshot, "orderer", room.other.author)
    peer.tick(room.now + 4)
    assert [to for to, message in told(node) if message["t"] == "say"] == [room.other.author]
    assert (peer._sending.tries, peer._sending.orderer) == (1, room.other.author)


def test_a_long_statement_has_time_to_arrive(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    node, peer = room.actor, peer_of(room.actor)
    long = signed(node, "deal", {"sealed": "A" * 20_000})
    peer.state.set_pending(long)
    peer._send_pending()
    assert kinds(told(node)) == ["load", "say"]
    assert room.now + TICK + 2.5 <= peer._sending.due <= room.now + TICK + 2.7
    peer._send_pending()
    assert told(node) == [(room.orderer.author, {"t": "say", "s": long.to_json()})]


def test_a_statement_is_told_with_the_head_unless_that_was_long_ago(room: Room) -> None:
    node, peer = room.actor, peer_of(room.actor)
    told_at = peer._told_at
    assert told_at == room.now
    peer.tick(room.now + 0.5)
    peer.say("seat", room.name_body(node))
    assert kinds(told(node)) == ["say"]
    peer.tick(room.now + 1.0)
    assert told(node) == [], "a second has not passed since it said something"
    peer.tick(room.now + 1.5)
    assert kinds(told(node)) == ["head", "say"]
    peer._told_at, peer._last_tick, peer._now = room.now - 3 * TICK, room.now - 9, room.now
    peer._send_pending()
    assert peer._last_tick == room.now - 9
    peer._told_at = room.now - 3 * TICK + 0.1
    peer._send_pending()
    assert peer._last_tick == room.now


# ---- "no" ----

def test_only_its_own_log_makes_a_device_give_up(room: Room) -> None:
    node, peer = room.actor, peer_of(room.actor)
    peer.say("seat", room.name_body(node))
    good = peer.pending
    assert good is not None
    peer.take()
    assert room.hear(node, room.other, t="no", h=good.hash) == [], "it does not order"
    assert room.hear(node, room.orderer, t="no", h="0" * 64) == [], "that is another one"
    want = [(room.orderer.author, {"t": "want", "i": len(room.match.entries)})]
    assert room.hear(node, room.orderer, t="no", h=good.hash) == want
    assert pending_of(peer) == good and peer.rejections == []
    wrong = signed(node, "order", {"to": node.author})
    peer.state.set_pending(wrong)
    assert room.hear(node, room.orderer, t="no", h=wrong.hash) == []
    assert pending_of(peer) is None and peer.rejections == [(wrong, "peers.not_ordering")]
    assert [one.statement for one in peer.state.dead] == [wrong]
    assert room.hear(node, room.orderer, t="no", h=wrong.hash) == []
    peer.leave()
    pending = pending_of(peer)
    assert pending is not None and pending.kind == "leave", "only a leave that was refused waits for the next entry"


def test_what_was_doubted_is_judged_again_where_the_log_goes_on(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    node, peer = room.actor, peer_of(room.actor)
    peer.say("seat", room.name_body(node))
    judged: list[str] = []
    monkeypatch.setattr(peer, "_judge_pending", lambda: judged.append(peer.match.head))
    peer.work()
    assert judged == []
    assert peer.pending is not None
    for _ in range(2):
        room.hear(node, room.orderer, t="no", h=peer.pending.hash)
    peer.work()
    assert judged == [room.match.head], "once at each head"
    entry = put(room.orderer, room.renames(room.other))
    room.hear(node, room.orderer, t="put", e=[entry.to_json()])
    assert judged[1:] == [entry.hash]
    peer.state.set_pending(room.renames(node, count=99))
    second = put(room.orderer, room.renames(room.other, count=peer.match.count(room.other.author), head=entry.hash), entry.index)
    assert second.index == entry.index
    peer.work()
    assert judged[2:] == [] and peer._doubted is None, "it is another statement"


# ---- a new epoch ----

def decided(room: Room, index: int | None = None) -> tuple[dict[str, Any], list[Any]]:
    """What all but ``other`` vote for: that it is gone, in the ballot for epoch 1, and their votes."""
    subject = subject_gone(room.other.author, room.orderer.author)
    match = room.match
    end = end_of(match) if index is None else (0, index, match.entries[index].hash)
    return subject, [vote_of(node, 1, subject, end) for node in (room.orderer, room.actor)]


def test_an_epoch_begins_right_behind_what_any_voter_held(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = peer_of(room.orderer)
    monkeypatch.setattr(peer, "_owed", lambda: None)
    index, count = len(room.match.entries) - 1, peer.state.count
    _, votes = decided(room)
    first = room.hear(room.orderer, room.actor, t="ballot", **votes[0].to_json())
    assert "put" not in kinds(first)
    peer.receive(room.actor.author, canonical({"t": "ballot", **votes[1].to_json()}))
    output = peer.take()
    entry = peer.match.entries[index + 1]
    assert (entry.statement.kind, entry.statement.count, entry.statement.author) == ("gone", count, room.orderer.author)
    assert entry.statement.body["epoch"] == 1 == peer.match.snapshot.epoch
    assert entry.statement.head == room.match.entries[index].hash
    assert output.pending is not None and output.pending.count == peer.state.count == count + 1
    assert "put" in [parse(data)["t"] for _, data in output.messages]
    assert output.length is None


def test_an_own_statement_may_be_dead_by_that(room: Room) -> None:
    peer = peer_of(room.orderer)
    pending = room.renames(room.orderer)
    peer.state.set_pending(pending)
    peer.state.count += 1
    for vote in decided(room)[1]:
        room.hear(room.orderer, room.actor, t="ballot", **vote.to_json())
    assert peer.match.snapshot.epoch == 1 and [statement for statement, _ in peer.rejections] == [pending]


def test_votes_for_what_the_log_refuses_begin_nothing(room: Room) -> None:
    peer = peer_of(room.orderer)
    index, count = len(room.match.entries) - 1, peer.state.count
    subject = {**subject_gone(room.other.author, room.orderer.author), "heir": room.other.author}
    votes = [vote_of(node, 1, subject, end_of(room.match)) for node in (room.orderer, room.actor)]
    extra = put(room.orderer, room.renames(room.orderer))
    peer.state.append(extra)
    peer.state.acknowledgements._up_to.clear()
    for vote in votes:
        room.hear(room.orderer, room.actor, t="ballot", **vote.to_json())
    assert peer.match.entries[index + 1:] == [extra] and peer.state.count == extra.statement.count + 1 == count + 1


def test_what_stands_behind_that_falls_away(room: Room) -> None:
    peer = peer_of(room.orderer)
    index = len(room.match.entries) - 1
    _, votes = decided(room)
    extra = put(room.orderer, room.renames(room.orderer))
    peer.state.append(extra)
    for author in peer.other_authors:
        peer.state.acknowledgements._up_to[author] = index
    for vote in votes:
        room.hear(room.orderer, room.actor, t="ballot", **vote.to_json())
    assert peer.match.entries[index + 1].statement.kind == "gone" and peer.state.cuts == 1


def test_but_not_what_is_settled(room: Room) -> None:
    peer = peer_of(room.orderer)
    index = len(room.match.entries) - 1
    _, votes = decided(room)
    extra = put(room.orderer, room.renames(room.orderer))
    peer.state.append(extra)
    for author in peer.other_authors:
        peer.state.acknowledgements._up_to[author] = index + 1
    for vote in votes:
        room.hear(room.orderer, room.actor, t="ballot", **vote.to_json())
    assert peer.match.entries[index + 1:] == [extra] and peer.state.cuts == 0 and peer.match.snapshot.epoch == 0


def test_two_votes_of_one_voter_convict_it(room: Room) -> None:
    node, peer = room.actor, peer_of(room.actor)
    end = end_of(room.match)
    for then in ("bot", "without"):
        vote = vote_of(room.other, 1, {**subject_gone(room.orderer.author, room.other.author), "then": then}, end)
        room.hear(node, room.other, t="ballot", **vote.to_json())
    assert [(one.culprit, one.why) for one in peer.accusations] == [(room.other.author, "vote")]


def test_a_vote_that_contradicts_the_log_convicts_its_voter(still_room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    peer, voter = peer_of(still_room.actor), still_room.other
    subject = subject_gone(still_room.orderer.author, voter.author)
    heard, cast = (vote_of(voter, 1, {**subject, "then": then}, end_of(still_room.match)) for then in ("bot", "without"))
    monkeypatch.setattr(peer._ballots, "contradictions", lambda: [(heard, cast)])
    peer._suspect_votes()
    assert [(one.culprit, one.exhibits) for one in peer.accusations] == [(voter.author, (heard.to_json(), cast.to_json()))]
    peer.state.accusations.clear()
    peer.take()


# ---- what it owes ----

def test_what_is_owed_in_which_order(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = peer_of(room.orderer)
    duty = ShareDuty((3,))
    idle, due, duties, lacking = [True], ["x"], [duty], [("y",)]
    monkeypatch.setattr(peer.dealer, "idle", lambda state, dealing: idle[0])
    monkeypatch.setattr(peer.dealer, "duties", lambda state, dealing: duties)
    monkeypatch.setattr(peer.dealer, "fulfil", lambda state, dealing, wanted: {"fulfils": wanted})
    monkeypatch.setattr(type(peer.match.snapshot), "must_order", property(lambda snapshot: due[0]))
    monkeypatch.setattr(peer.state, "missing_acknowledgers", lambda index: lacking[0])
    monkeypatch.setattr(peer, "_may_prepare", lambda: False)
    assert peer._owed() == ("deal", {})
    idle[0] = False
    assert peer._owed() == ("order", {"to": "x"})
    with monkeypatch.context() as patch:
        patch.setattr(type(peer.state), "orders", False)
        assert peer._owed() is None, "who orders hands it on"
        idle[0] = True
        assert peer._owed() is None
        idle[0] = False
    due[0] = ""
    assert peer._owed() is None, "not all hold what asked for it"
    lacking[0] = ()  # type: ignore[assignment]
    assert peer._owed() == ("deal", {"fulfils": duty})
    peer.membership.wants_to_leave = True
    monkeypatch.setattr(peer.membership, "leave_body", lambda: {"leaves": 1})
    assert peer._owed() == ("leave", {"leaves": 1})
    monkeypatch.setattr(peer.membership, "leave_body", lambda: None)
    assert peer._owed() == ("deal", {"fulfils": duty})
    peer.membership.wants_to_leave = False
    assert peer._owed() == ("deal", {"fulfils": duty})
    duties.clear()
    monkeypatch.setattr(peer, "_may_prepare", lambda: True)
    monkeypatch.setattr(peer, "_next_hand", lambda: {"ahead": "A"})
    offers = [True]
    monkeypatch.setattr(peer._payloads, "offer", lambda body: offers[0] and body == {"ahead": "A"})
    assert peer._owed() == ("deal", {"ahead": "A"})
    offers[0] = False
    assert peer._owed() is None
    monkeypatch.setattr(peer, "_next_hand", lambda: None)
    assert peer._owed() is None
    monkeypatch.setattr(peer, "_may_prepare", lambda: False)
    assert peer._owed() is None


def test_what_is_owed_is_said_until_something_is_on_its_way(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = peer_of(room.orderer)
    owed: list[Any] = [("seat", room.name_body(room.orderer))] * 2 + [None]
    asked: list[Any] = []

    def next_owed() -> Any:
        asked.append(len(peer.match.entries))
        return owed[len(asked) - 1]

    monkeypatch.setattr(peer, "_owed", next_owed)
    length = len(peer.match.entries)
    peer.work()
    assert asked == [length, length + 1, length + 2], "who orders places it at once, and goes on"
    actor = peer_of(room.actor)
    asked.clear()
    monkeypatch.setattr(actor, "_owed", lambda: noted(asked, 0, ("seat", room.name_body(room.actor))))
    actor.work()
    assert len(asked) == 1 and actor.pending is not None
    actor.work()
    assert len(asked) == 1
    actor.state.set_pending(None)
    actor.state.unheard_authors = {room.other.author}
    actor.work()
    assert len(asked) == 1
    actor.state.unheard_authors = set()
    monkeypatch.setattr(Match, "outcome", object())
    actor.work()
    assert len(asked) == 1 and actor.pending is None


def test_the_next_hand_is_prepared_while_nobody_waits(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = peer_of(room.other)
    state, rules = peer.match.state, type(peer.match.rules)

    def may() -> bool:
        return peer._may_prepare()

    assert may()
    peer.membership.wants_to_leave = True
    assert not may()
    peer.membership.wants_to_leave = False
    with monkeypatch.context() as patch:
        patch.setattr(state, "requests", (object(),))
        assert not may()
    with monkeypatch.context() as patch:
        patch.setattr(peer.match.snapshot, "promises", {0: object()})
        assert not may()
    with monkeypatch.context() as patch:
        patch.setattr(rules, "several_hands", False)
        assert not may()
    with monkeypatch.context() as patch:
        patch.setattr(peer.state.current_dealing, "deal", None)
        assert not may()
    with monkeypatch.context() as patch:
        patch.setattr(rules, "to_act", lambda self, state: range(3))
        assert not may()
        patch.setattr(rules, "to_act", lambda self, state: ())
        assert may()


def test_what_prepares_the_next_hand_is_made_once_between_moves(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = peer_of(room.actor)
    made: list[Any] = []
    monkeypatch.setattr(peer.dealer, "prepare", lambda dealing: noted(made, dealing, {"ahead": str(len(made) + 1)}))
    monkeypatch.setattr(peer, "_may_prepare", lambda: False)
    peer._prepared = None
    assert [peer._next_hand(), peer._next_hand()] == [{"ahead": "1"}] * 2 and made == [peer.current_dealing]
    seat, move = room.own_move(room.actor)
    peer.move(seat, move)
    assert peer.pending is not None
    statement = peer.pending
    (_, message), = [one for one in room.hear(room.orderer, room.actor, t="say", s=statement.to_json()) if one[1]["t"] == "put"]
    room.hear(room.actor, room.orderer, **message)
    assert peer.match.entries[-1].statement.hash == statement.hash
    assert peer._next_hand() == {"ahead": "1"}, "a move changes nothing about it"
    entry = put(room.orderer, room.renames(room.other))
    room.hear(room.actor, room.orderer, t="put", e=[entry.to_json()])
    assert peer.match.entries[-1].hash == entry.hash and peer._next_hand() == {"ahead": "2"}


def test_an_entry_that_asks_for_shares_is_acknowledged_at_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    node, peer = room.actor, peer_of(room.actor)
    seen: list[Any] = []
    is_wanted = [True]
    monkeypatch.setattr(peer.state.acknowledgements, "note_wanted", lambda deal: noted(seen, deal, is_wanted[0]))

    def heads(*, at: str = "") -> int:
        peer._noted_head = at
        peer._note_wanted_shares()
        return kinds(told(node)).count("head")

    assert heads() == 1 and seen == [peer.current_dealing.deal] and peer._noted_head == peer.match.head
    assert heads(at=peer.match.head) == 0 and len(seen) == 1
    is_wanted[0] = False
    assert heads() == 0 and len(seen) == 2
    is_wanted[0] = True
    with monkeypatch.context() as patch:
        patch.setattr(type(peer.state), "live", (node.author, "b"))
        assert heads() == 1, "who is away may have shown the other one another log"
        patch.setattr(peer.match.snapshot, "voters", frozenset((node.author, "b")))
        assert heads() == 0, "with two nobody could be shown another log"
    with monkeypatch.context() as patch:
        patch.setattr(peer.match.snapshot, "voters", frozenset((node.author, "b")))
        assert heads() == 1, "a key that got a seat"
    with monkeypatch.context() as patch:
        patch.setattr(Match, "outcome", object())
        assert heads() == 0 and peer._noted_head == ""
    peer.state.unheard_authors = {room.other.author}
    assert heads() == 0 and peer._noted_head == ""


# ---- hearing ----

@pytest.fixture
def count(still_room: Room) -> Iterator[Any]:
    """Counts what one device refuses."""
    peer = peer_of(still_room.actor)
    peer.refusal_counts.clear()
    peer._rate_limit._spent.clear()

    def counts(data: bytes, times: int = 1) -> dict[str, int]:
        for _ in range(times):
            peer.receive(still_room.other.author, data)
        found = dict(peer.refusal_counts)
        peer.refusal_counts.clear()
        return found

    yield counts
    peer.refusal_counts.clear()


@pytest.mark.parametrize("data", [b"", b"7", b"[]", b"null", b"{", b"{}", b'{"t":"x"}', b'{"t":["say"]}', b'{"t":"say"}',
                                  b'{"t":"no","t":"no"}'])
def test_what_is_no_message_is_counted(count: Any, data: bytes) -> None:
    assert count(data, 2) == {"malformed": 2}


def test_how_long_a_message_may_be(still_room: Room, count: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    monkeypatch.setattr("tabletin.peers.replication.replica.parse", lambda data: noted(read, len(data), {"t": "x"}))
    assert count(b" " * (MOST_MESSAGE + 1)) == {"malformed": 1} and read == []
    count(b" " * MOST_MESSAGE)
    assert read == [MOST_MESSAGE] and MOST_MESSAGE == 8_000_000


def test_a_flood_is_not_read_and_nothing_is_worked_on(still_room: Room, count: Any) -> None:
    peer = peer_of(still_room.actor)
    match = peer.match
    sender = still_room.other.author
    head = canonical({"t": "head", "i": 0, "h": match.entries[0].hash, "m": match.id, "v": 0})
    assert count(head) == {"malformed": 1}
    while peer._rate_limit._spend(sender, 1):
        pass
    assert count(head) == {"peers.flood": 1} and count(b"", 2) == {"peers.flood": 2}
    peer._rate_limit._spent[sender] = MOST
    assert count(b"") == {"peers.flood": 1}, "not even one byte more is read"
    peer._rate_limit._spent[sender] = MOST - 1
    assert count(head) == {"peers.flood": 1}, "it was read, but nothing more"
    peer.refusal_counts["peers.flood"] = 5
    peer._rate_limit._spent[sender] = MOST - 1
    assert count(head) == {"peers.flood": 6}
    peer.tick(peer._now + 3)
    peer.take()
    assert count(head) == {"malformed": 1}


def test_what_is_dear_to_parse_or_to_put_together_is_flood(
    count: Any, still_room: Room, monkeypatch: pytest.MonkeyPatch,
) -> None:
    peer = peer_of(still_room.actor)
    message = canonical({"t": "say", "s": {"body": {}}, "apart": {"sealed": ["0" * 64, 3000]}})
    assert count(message) == {}, "it waits for its text"
    takes = peer._rate_limit.takes
    limits = {"parses": lambda payer, values: False, "takes": lambda payer, size: size < 3000 and takes(payer, size)}
    for name, allows in limits.items():
        with monkeypatch.context() as patch:
            patch.setattr(peer._rate_limit, name, allows)
            assert count(message) == {"peers.flood": 1}, name
    assert peer._lateness({"t": "head"}) == 0 and peer._lateness({"t": "say", "s": 7}) == 0


def test_what_takes_long_to_check_is_flood(count: Any, still_room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each character of the dealing in a statement that is judged at once; entries are judged in the order of the log."""
    peer, asked = peer_of(still_room.actor), list[int]()

    def deals(payer: str, size: int) -> bool:
        assert payer == still_room.other.author
        asked.append(size)
        return size != 6

    monkeypatch.setattr(peer._rate_limit, "deals", deals)
    body: dict[str, Json] = {"sealed": "abcd", "ahead": "ef", "n": 7}
    for kind, told, size in (("deal", "say", 6), ("leave", "plea", 6), ("move", "say", 0), ("deal", "put", 0),
                             ("deal", "say", 0)):
        said: dict[str, Json] = {"kind": kind, "body": body if size or kind == "move" or told == "put" else 5}
        assert count(canonical({"t": told, "s": said})) == ({"peers.flood": 1} if size else {"malformed": 1})
        assert asked.pop() == size and not asked


def test_what_nobody_would_have_to_place_is_not_said(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    peer, said = peer_of(room.actor), room.name_body(room.actor)
    before = peer.state.count
    monkeypatch.setattr(replicas, "exceeds_quota", lambda entries, statement: next(entries) is peer.match.entries[-1])
    with pytest.raises(Refused, match=r"peers\.quota"):
        peer.say("seat", said)
    assert peer.pending is None and peer.state.count == before and told(room.actor) == []


def test_at_work_who_went_wishes_nothing_more(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = peer_of(room.actor)
    peer.membership.wants_to_leave = True
    monkeypatch.setattr(Replica, "takes_part", False)
    peer.work()
    assert not peer.membership.wants_to_leave


def test_a_plea_goes_to_who_orders(room: Room) -> None:
    statement = room.renames(room.other)
    for wrong in (replace(statement, signature="0" * 128), room.renames(room.other, match="1" * 64)):
        assert room.hear(room.actor, room.other, t="plea", s=wrong.to_json()) == []
        assert peer_of(room.actor).refusal_counts.pop("malformed") == 1
    said = room.hear(room.actor, room.other, t="plea", s=statement.to_json())
    assert said == [(room.orderer.author, {"t": "say", "s": statement.to_json()})]
    assert room.hear(room.actor, room.other, t="plea", s=statement.to_json()) == [], "and once only"
    peer_of(room.actor).tick(room.now + 2)
    told(room.actor)
    assert room.hear(room.actor, room.orderer, t="plea", s=statement.to_json()) == [], "nobody pleads for another one"
    assert room.hear(room.actor, room.other, t="plea", s=statement.to_json()) == said
    identity = StandIn(b"a stranger")
    stranger = replace(statement, author=identity.author)
    stranger = replace(stranger, signature=identity.sign(stranger.canonical_bytes))
    assert peer_of(room.actor).state.authority.statement_signed(stranger)
    assert room.hear(room.actor, room.other, t="plea", s=stranger.to_json()) == []
    assert kinds(room.hear(room.orderer, room.other, t="plea", s=statement.to_json())) == ["put"]
    assert peer_of(room.orderer).match.entries[-1].statement == statement


def test_a_plea_that_says_too_much_is_malformed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    statement = room.renames(room.other)
    monkeypatch.setattr(evidence, "MOST_SAID_BYTES", len(statement.canonical_bytes) - 1)
    assert room.hear(room.actor, room.other, t="plea", s=statement.to_json()) == []
    assert peer_of(room.actor).refusal_counts.pop("malformed") == 1


def test_a_timeout_that_the_rules_refuse_is_counted_and_not_said(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = peer_of(room.orderer)
    monkeypatch.setattr(peer._timeout_votes, "hear", lambda sender, message: {"seat": peer.match.rules.seats, "head": ""})
    for _ in range(2):
        assert room.hear(room.orderer, room.other, t="vote") == []
    assert [number for key, number in peer.refusal_counts.items() if key.startswith("kernel.")] == [2] and peer.pending is None
    peer.refusal_counts.clear()


def test_votes_that_a_seat_kept_the_table_waiting_are_said_by_who_orders(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = peer_of(room.orderer)
    said: list[Any] = []
    bodies: list[Json] = [None, {"seat": 1}]
    monkeypatch.setattr(peer, "_say", lambda kind, body: said.append((kind, body)))
    monkeypatch.setattr(peer._timeout_votes, "hear", lambda sender, message: bodies.pop(0))
    monkeypatch.setattr(peer, "work", lambda: None)
    for _ in range(2):
        room.hear(room.orderer, room.other, t="vote")
    assert said == [("timeout", {"seat": 1})]


def test_a_text_completes_what_waited_for_it(room: Room) -> None:
    node, peer = room.orderer, peer_of(room.orderer)
    text = "A" * 3000
    statement = signed(room.actor, "deal", {"sealed": text})
    message = peer_of(room.actor)._payloads.say(statement)
    assert room.hear(node, room.actor, **message) == []
    before = peer.refusal_counts.copy()
    said = room.hear(node, room.actor, t="load", x=text)
    assert said[0] == (room.actor.author, {"t": "have", "h": message["apart"]["sealed"][0]})
    assert [one["h"] for to, one in said[1:] if one["t"] == "no" and to == room.actor.author] == [statement.hash]
    assert peer.refusal_counts == before
    assert [(one.culprit, one.why) for one in peer.accusations] == [(room.actor.author, "statement")], "it was judged"
    room.hear(node, room.actor, **message)
    assert (peer.refusal_counts - before) == {"peers.not_ordering": 1}, "it is whole at once, and who accuses places nothing"
    del peer.refusal_counts["peers.not_ordering"]


def test_an_entry_whose_text_is_lacking_shows_what_its_sender_has(room: Room) -> None:
    node, peer = room.actor, peer_of(room.actor)
    length = len(peer.match.entries)
    said = signed(room.other, "deal", {"sealed": "A" * 3000})
    entry = put(room.orderer, said).to_json()
    entry["say"]["body"] = {}
    message = {"t": "put", "e": [entry], "apart": {"sealed": ["0" * 64, 3000]}}
    assert room.hear(node, room.other, **message) == []
    assert peer._backfill.missing(room.other.author) == 1
    assert room.hear(node, room.orderer, **message) == [] and peer._payloads.is_awaited(length)
    peer._backfill._ends.clear()
    say = {"t": "say", "s": entry["say"], "apart": {"sealed": ["0" * 64, 3000]}}
    room.hear(node, room.other, **say)
    assert peer._backfill.missing(room.other.author) == 0


# ---- time ----

def test_once_a_second_it_tells_its_head_and_whatever_is_due(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    node, peer = room.actor, peer_of(room.actor)
    calls: list[str] = []
    due: list[tuple[Any, str]] = [
        (peer._sync, "tick"), (peer._sync, "check_deferred"), (peer._accusations, "tick"), (peer.membership, "tick"),
        (peer, "_suspect_votes"), (peer._ballots, "tick"), (peer.state, "forget_dead"), (peer, "work"), (peer._backfill, "tick")]
    for part, act in due:
        def call(*_: Any, name: str = f"{type(part).__name__}.{act}") -> None:
            calls.append(name)

        monkeypatch.setattr(part, act, call)
    monkeypatch.setattr(peer._timeout_votes, "vote", list)
    peer.tick(room.now + TICK - 0.1)
    assert calls == ["Backfill.tick"] and told(node) == [] and peer.state.time == room.now + TICK - 0.1
    calls.clear()
    peer.tick(room.now + TICK)
    assert calls == ["Backfill.tick", "LogSync.tick", "LogSync.check_deferred", "Accusations.tick", "Membership.tick",
                     "Replica._suspect_votes", "Ballots.tick", "ReplicaState.forget_dead", "Replica.work"]
    assert kinds(told(node)) == ["head"] and peer._told_at == peer._last_tick == room.now + TICK
    calls.clear()
    peer.state.unheard_authors = {room.other.author}
    peer.tick(room.now + 2 * TICK)
    assert {"ReplicaState.forget_dead", "Replica.work"} <= set(calls), "also where it may sign nothing"


def test_while_shares_are_wanted_the_head_tells_what_others_hold(room: Room) -> None:
    node, peer = room.actor, peer_of(room.actor)
    peer.tick(room.now + 1)
    assert "seen" not in told(node)[0][1]
    peer.state.acknowledgements._wanted["card", 1] = object()  # type: ignore[assignment]
    peer.tick(room.now + 2)
    assert "seen" in told(node)[0][1]


def test_what_its_own_log_refuses_is_not_sent_again(room: Room) -> None:
    node, peer = room.actor, peer_of(room.actor)
    wrong = signed(node, "order", {"to": node.author})
    peer.state.set_pending(wrong)
    peer.tick(room.now + 5)
    assert peer.pending is None and peer.rejections == [(wrong, "peers.not_ordering")] and "say" not in kinds(told(node))
    peer.state.set_pending(room.renames(node))
    peer.state.unheard_authors = {room.other.author}
    peer.tick(room.now + 10)
    assert "say" not in kinds(told(node)), "it may sign nothing"


@pytest.mark.parametrize(("kind", "refused", "is_taken_back"), [
    ("undo", {"undo"}, True), ("undo", set(), False), ("undo", {"undo", "consent"}, False), ("seat", {"seat"}, False),
])
def test_an_undo_that_nobody_has_to_place_is_taken_back(
    room: Room, monkeypatch: pytest.MonkeyPatch, kind: str, refused: set[str], is_taken_back: bool,
) -> None:
    node, peer = room.actor, peer_of(room.actor)
    said: list[Any] = []
    monkeypatch.setattr(peer.state, "placing_refusal", lambda one: Refusal("peers.quota") if one.kind in refused else None)
    monkeypatch.setattr(peer, "_say", lambda *what: said.append(what))
    monkeypatch.setattr(peer, "_judge_pending", lambda: None)
    seat = room.table.seat(node)
    peer.state.set_pending(signed(node, kind, {"seat": seat, "to": 3}))
    peer.tick(room.now + TICK)
    assert (peer.pending is None) == is_taken_back
    assert said == ([("consent", {"seat": seat, "to": len(peer.match.entries) - 1})] if is_taken_back else [])


def test_who_kept_the_table_waiting_is_timed_out(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = peer_of(room.actor)
    said: list[Any] = []
    monkeypatch.setattr(peer, "_say", lambda kind, body: said.append((kind, body)))
    monkeypatch.setattr(peer, "work", lambda: None)
    monkeypatch.setattr(peer._timeout_votes, "vote", lambda: [{"seat": 1}, {"seat": 2}])
    peer.tick(room.now + 1)
    assert said == [("timeout", {"seat": 1}), ("timeout", {"seat": 2})]
