"""What one person does with several devices, or says of ballots, holds no match up."""

from __future__ import annotations

from typing import Any

import pytest

from tabletin.kernel.log import Statement, canonical, parse
from tabletin.kernel.options import Refused
from tabletin.kernel.setup import Seat
from tabletin.peers.replication import backfill, sync
from tabletin.peers.replication import state as states
from tabletin.peers.replication.ballot_numbers import STEP
from tabletin.peers.replication.replica import Replica
from tabletin.peers.replication.statement_quota import QUOTA
from tests.support.ballots import end_of, node_of, vote_of
from tests.support.device_moves import calm, peer_of
from tests.support.examples import MANY_HANDS, ONE_DEAL, WIDEST, unending
from tests.support.forging import put, signed, tell
from tests.support.peer_matches import network
from tests.support.peer_sim import Network, Node
from tests.support.resting_table import RestingTable

MINUTES = 120.0  # seconds in which every delay is over


# ---- the numbers of ballots ----

@pytest.mark.parametrize("led_on", [0, 1])
def test_nobody_leads_one_device_on_to_numbers_that_no_other_one_follows(led_on: int) -> None:
    net = network(MANY_HANDS, 3, 512)
    assert calm(net, net.nodes[0])
    cheat = node_of(net, net.peers[0].match.orderer)
    honest = [node for node in net.nodes if node is not cheat]
    match = net.peers[0].match
    for number in range(1, 5):
        vote = vote_of(cheat, 1000 * number, {"kind": "pass", "against": None, "order": cheat.author}, end_of(match))
        tell(net, cheat, {"t": "ballot", **vote.to_json()}, honest[led_on])
    cheat.peer = None
    for node in honest:
        peer_of(node).choices.removals.add(cheat.author)
    assert net.run(lambda: all(peer_of(node).match.snapshot.epoch for node in honest), MINUTES)


def test_whoever_was_led_on_for_some_time_is_followed() -> None:
    """The third one votes with it in one ballot after another and begins no epoch, while the other one hears nothing."""
    net = network(MANY_HANDS, 3, 512)
    assert calm(net, net.nodes[0])
    net.act = lambda node: None  # type: ignore[method-assign]
    net.run(lambda: False, 3)
    match = net.peers[0].match
    cheat = node_of(net, match.orderer)
    victim, other = (node for node in net.nodes if node is not cheat)
    net.meddle = lambda sender, to, data: None if other.author in (sender, to) or sender == cheat.author else data
    gone = {"kind": "gone", "peer": other.author, "order": cheat.author, "heir": cheat.author, "then": "bot"}
    peer_of(victim).choices.removals.add(other.author)
    net.run(lambda: False, 12)
    for number in range(1, 6):
        tell(net, cheat, {"t": "wish", "what": [gone]}, victim)
        tell(net, cheat, {"t": "ballot", **vote_of(cheat, STEP * number, gone, end_of(match)).to_json()}, victim)
        net.run(lambda: False, 1.1)
    promise = peer_of(victim).state.promise
    assert promise is not None and promise.epoch >= 4 * STEP
    cheat.peer = None
    net.meddle = lambda sender, to, data: data
    for node in (victim, other):
        peer_of(node).choices.removals.clear()
        peer_of(node).choices.removals.add(cheat.author)
    assert net.run(lambda: all(peer_of(node).match.snapshot.epoch for node in (victim, other)), MINUTES)
    assert not any(peer_of(node).accusations or not peer_of(node).ready for node in (victim, other))


# ---- one person, many devices ----

class Waiting:
    """A match in which the seat of the peer that orders keeps the table waiting; its person goes on from another device every
    fifteen seconds, and all else that others say gets no place."""

    def __init__(self) -> None:
        self.net = network(ONE_DEAL, 3, 512, spectators=1)
        self.cheats: list[Node] = []
        self.act, self.net.act = self.net.act, self._act  # type: ignore[method-assign]
        assert self.net.run(lambda: bool(self.cheats) and self.net.agreed() and not self.net.state().requests)
        its_own = [node.author for node in self.cheats]
        self.net.meddle = lambda sender, to, data: None if to in its_own and parse(data)["t"] in ("say", "plea") else data

    def _act(self, node: Node) -> None:
        match = peer_of(node).match
        own = [seat for seat in match.rules.to_act(match.state) if match.setup.seats[seat].author == node.author]
        if not self.cheats and own and peer_of(node).orders and len(match.entries) > 20:
            self.cheats = [node, self.net.nodes[3]]
        if node not in self.cheats:
            self.act(node)

    @property
    def honest(self) -> list[Replica]:
        return [peer_of(node) for node in self.net.nodes if node not in self.cheats]


def test_who_goes_on_from_another_device_is_waited_for_no_longer() -> None:
    scene = Waiting()
    net, (old, new) = scene.net, scene.cheats
    match = peer_of(old).match
    for peer in scene.honest:
        peer.choices.timeouts |= set(match.rules.to_act(match.state))
    began = net.now
    while not net.run(lambda: all(peer.match.snapshot.epoch for peer in scene.honest), 15):
        assert net.now < began + MINUTES
        peer_of(old).move_to(peer_of(new).membership.offer(old.author))
        net.flush(old)
        old, new = new, old
    assert not any(peer.accusations for peer in net.peers)


def test_who_gives_its_only_seat_away_orders_no_more() -> None:
    """Behind the next deck nobody could vote against it: it is not at the table."""
    net = Network(MANY_HANDS, 3, 512, spectators=1, options=unending(MANY_HANDS))
    assert calm(net, net.nodes[0])
    giver, taker = node_of(net, net.peers[0].match.orderer), net.nodes[3]
    seat = peer_of(giver).match.snapshot.seats_of(giver.author)[0]
    player = Seat("person", taker.author, "K")
    peer_of(giver).promise(seat, player, peer_of(taker).membership.agree_to(seat, player))
    net.flush(giver)
    honest = [node for node in net.nodes[:3] if node is not giver]
    assert net.run(lambda: all(giver.author not in peer_of(node).live for node in honest))
    match = peer_of(honest[0]).match
    assert match.orderer in match.snapshot.live
    giver.peer = taker.peer = None
    for node in honest:
        peer_of(node).choices.removals.add(taker.author)
    assert net.run(lambda: all(peer_of(node).match.snapshot.epoch for node in honest), MINUTES)


def test_who_gives_one_of_its_seats_to_a_second_key_brings_nobody_more_that_orders() -> None:
    """Nobody could pass that key over without the vote of the person who gave it the seat."""
    net = Network(MANY_HANDS, 3, 512, seats=4, spectators=1, options=unending(MANY_HANDS))
    giver, taker = net.nodes[0], net.nodes[3]
    assert calm(net, giver)
    seat = peer_of(giver).match.snapshot.seats_of(giver.author)[-1]
    player = Seat("person", taker.author, "K")
    peer_of(giver).promise(seat, player, peer_of(taker).membership.agree_to(seat, player))
    net.flush(giver)
    assert net.run(lambda: taker.author in peer_of(giver).live)
    refusal = peer_of(giver).match.refusal
    for kind, body in (("order", {"to": taker.author}), ("leave", {"order": taker.author, "heir": taker.author, "sealed": None})):
        found = refusal(signed(node_of(net, peer_of(giver).match.orderer), kind, body))
        assert found is not None and found.key in ("peers.not_ordering", "kernel.leave_form")
    for node in net.nodes[:3]:
        orderers = {peer_of(node).match.snapshot_at(entry.index).orderer for entry in peer_of(node).match.entries}
        assert taker.author not in orderers
    deals = peer_of(giver).match.snapshot.deals
    assert net.run(lambda: net.agreed() and net.peers[0].match.snapshot.deals > deals + 5)
    match = net.peers[0].match
    orderers = {match.snapshot_at(entry.index).orderer for entry in match.entries}
    assert orderers == {node.author for node in net.nodes[:3]} and taker.author in match.snapshot.live


@pytest.mark.parametrize("while_dealt", [False, True])
def test_a_seat_that_is_given_away_changes_hands_with_a_whole_deal(while_dealt: bool) -> None:
    """Who gets it while a deck is dealt has no key of that deal, and who had it could say nothing more."""
    net = Network(MANY_HANDS, 3, 512, spectators=1, options=unending(MANY_HANDS))
    giver, taker = net.nodes[1], net.nodes[3]

    def may_give() -> bool:
        peer = peer_of(giver)
        is_dealt = bool(peer.match.state.requests) and peer.dealing.deal is not None and not peer.match.snapshot.must_order
        return peer.ready and peer.pending is None and (is_dealt if while_dealt else not peer.match.state.requests)

    assert net.run(may_give)
    seat = peer_of(giver).match.snapshot.seats_of(giver.author)[0]
    player = Seat("person", taker.author, "K")
    deals = peer_of(giver).match.snapshot.deals
    peer_of(giver).promise(seat, player, peer_of(taker).membership.agree_to(seat, player))
    net.flush(giver)
    assert net.run(lambda: net.agreed() and net.peers[0].match.snapshot.deals >= deals + 3, 10 * MINUTES)
    for entry in net.peers[0].match.entries:
        now = net.peers[0].match.snapshot_at(entry.index)
        assert (now.setup.seats[seat].author == taker.author) == (now.deals > deals)
        assert set(now.dealing.authors) <= {giver.author, *now.live}  # type: ignore[attr-defined]


def test_who_orders_and_places_the_undo_of_a_second_key_is_passed_over() -> None:
    """Of an undo that takes a timeout back; that key is another device of the same person."""
    net = network(ONE_DEAL, 4, 513)
    assert calm(net, net.nodes[0], 40)
    net.act = lambda node: None  # type: ignore[method-assign]
    net.run(lambda: False, 4)
    match = net.peers[0].match
    seat = match.rules.to_act(match.state)[0]
    slow, orderer = node_of(net, match.setup.seats[seat].author), node_of(net, match.orderer)
    if slow is orderer:
        pytest.fail("this match was chosen so that they are two")
    honest = [node for node in net.nodes if node not in (slow, orderer)]
    before = len(match.entries) - 1
    for node in [*honest, orderer]:
        peer_of(node).choices.timeouts.add(seat)
    assert net.run(lambda: all(len(peer_of(node).match.entries) > before + 1 for node in net.nodes), 30)
    assert match.entries[before + 1].statement.kind == "timeout"
    undo = signed(slow, "undo", {"seat": seat, "to": before})
    tell(net, orderer, {"t": "put", "e": [put(orderer, undo).to_json()]}, *honest)
    assert net.run(lambda: all(peer_of(node)._ballots._is_withheld() for node in honest), 5)


# ---- what is said beside the play ----

class Crowd:
    """A match in which one that does not order is to move. ``cheat`` orders, and does not play any more."""

    def __init__(self, seed: int) -> None:
        self.net = net = network(ONE_DEAL, 3, seed)
        assert net.run(self._is_waiting)
        self.cheat = node_of(net, net.peers[0].match.orderer)
        self.honest = [node for node in net.nodes if node is not self.cheat]
        act, net.act = net.act, lambda node: act(node) if node is not self.cheat else None  # type: ignore[method-assign]

    def _is_waiting(self) -> bool:
        match = self.net.peers[0].match
        authors = [match.setup.seats[seat].author for seat in match.acting]
        return len(match.entries) >= 20 and self.net.agreed() and authors != [] and match.orderer not in authors

    def name(self, node: Node) -> Statement:
        seat = peer_of(node).match.snapshot.seats_of(node.author)[0]
        return signed(node, "seat", {"seat": seat, "to": peer_of(node).match.setup.seats[seat].to_json()})


@pytest.mark.parametrize("seed", [1, 2])
def test_nobody_lets_moves_die_by_what_is_said_beside_the_play(seed: int) -> None:
    """Who orders withholds a move and places so much else before it that it names an entry too far back, again and again."""
    scene = Crowd(seed)
    net, cheat = scene.net, scene.cheat

    def keeps_from(kind: str, message: Any) -> bool:
        return kind in ("say", "plea") and message["s"]["kind"] != "deal"

    net.meddle = lambda sender, to, data: None if to == cheat.author and keeps_from(parse(data)["t"], parse(data)) else data

    def crowd() -> None:
        for _ in range(5):
            if peer_of(cheat).orders:
                assert peer_of(cheat)._sequencer.place(scene.name(cheat)) is None
        net.flush(cheat)
        net.later(0.5, crowd)

    crowd()
    assert net.run(lambda: all(peer_of(node).match.snapshot.epoch for node in scene.honest), MINUTES / 2)
    assert not any(peer_of(node).accusations for node in scene.honest)


def test_a_device_says_so_much_beside_the_play_until_somebody_plays() -> None:
    scene = Crowd(1)
    net, orderer, other = scene.net, scene.cheat, scene.honest[0]
    net.act = lambda node: None  # type: ignore[method-assign]
    net.run(lambda: False, 5)
    peer, seat = peer_of(orderer), peer_of(other).match.snapshot.seats_of(other.author)[0]
    length = len(peer.match.entries)
    body = {"seat": seat, "to": peer.match.setup.seats[seat].to_json()}
    for _ in range(QUOTA + 5):
        tell(net, other, {"t": "say", "s": scene.name(other).to_json()}, orderer)
        net.run(net.agreed, 5)
    assert len(peer.match.entries) == length + QUOTA
    with pytest.raises(Refused, match=r"peers\.quota"):
        peer_of(other).say("seat", body)
    assert not any(peer_of(node)._ballots._is_withheld() for node in net.nodes), "nobody has to place it"
    peer.say("consent", {"seat": peer.match.snapshot.seats_of(orderer.author)[0], "to": length - 1})
    net.flush(orderer)
    assert net.run(lambda: net.agreed() and len(peer.match.entries) == length + QUOTA + 1, 5)
    actor = node_of(net, peer.match.setup.seats[peer.match.acting[0]].author)
    Network.act(net, actor)
    net.flush(actor)
    assert net.run(lambda: net.agreed() and peer_of(other).pending is None and peer.match.entries[-1].statement.kind
                   in ("move", "deal"), 10)
    assert peer_of(other).say("seat", body)
    assert not any(one.accusations for one in net.peers)


# ---- an undo that nobody has to place any more ----

def test_whoever_was_timed_out_while_its_undo_was_on_its_way_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """In some games the same seat is to act again. The log would take that undo, so nothing else would be said before it."""
    net = network(WIDEST, 3, 512)
    author = ""

    def act(node: Node) -> None:
        nonlocal author
        match = peer_of(node).match
        last = match.entries[-1]
        said = last.statement
        is_free = not peer_of(node).orders and peer_of(node).pending is None and peer_of(node).ready
        if not author and said.kind == "move" and said.author == node.author and is_free \
                and match.undo_refusal(said.body["seat"], last.index - 1) is None:
            author = node.author
            monkeypatch.setattr(states, "holds_up", lambda prefix, seat, target: True)  # as after a timeout of that seat
            peer_of(node).say("undo", {"seat": said.body["seat"], "to": last.index - 1})
        elif not author:
            play(node)

    play, net.act = net.act, act  # type: ignore[method-assign]
    assert net.run(lambda: bool(author))
    node = node_of(net, author)
    assert net.run(lambda: peer_of(node).pending is None and net.agreed(), 10)
    said = [entry.statement for entry in peer_of(node).match.entries]
    assert (said[-1].kind, said[-1].author) == ("consent", author)
    assert said[-1].body["to"] == len(said) - 2, "to where the log stands: it takes nothing back"
    assert not any(one.kind == "undo" for one in said)
    assert [statement.kind for statement, _ in peer_of(node).rejections] == ["undo"]
    net.act = play  # type: ignore[method-assign]
    assert net.run(net.finished, 20 * MINUTES)
    assert not any(peer.accusations for peer in net.peers)


# ---- one person, many keys ----

def test_who_does_not_play_has_one_allowance_together() -> None:
    net = Network(MANY_HANDS, 3, 512, options=unending(MANY_HANDS))
    assert net.run(lambda: len(net.peers[0].match.entries) >= 70)
    peer, player, gone = net.peers[0], net.nodes[1].author, net.nodes[2].author
    again = canonical({"t": "put", "e": [entry.to_json() for entry in peer.match.entries[1:65]]})

    def read(*senders: str) -> int:
        """How many entries of what each of ``senders`` says, over and over, are read in a second."""
        peer.tick(peer.state.time + 1.1)
        before = peer.refusal_counts["peers.again"]
        for sender in senders:
            for _ in range(150):
                peer.receive(sender, again)
        return peer.refusal_counts["peers.again"] - before

    of_one = read(player)
    assert 0 < of_one < 150 * 64
    assert read(*(f"{number:064x}" for number in range(20))) == of_one
    assert read(player, gone, "0" * 64) == 3 * of_one
    peer.match.snapshot.former_authors = frozenset((gone,))
    assert read(player, gone, "0" * 64) == 3 * of_one, "who has played may come back"


def test_what_is_sent_to_all_who_do_not_play_is_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    net = network(MANY_HANDS, 3, 512)
    assert calm(net, net.nodes[0])
    peer = net.peers[0]
    monkeypatch.setattr(backfill, "MOST_SERVED", 1)

    def served(*keys: str) -> int:
        """How many batches go out in a second where each of ``keys`` asks for all there is."""
        peer.tick(peer.state.time + 10)
        peer.outbox.clear()
        for key in keys:
            peer.receive(key, canonical({"t": "want", "i": 0}))
        return len(peer.outbox)

    strangers = [f"{number:064x}" for number in range(20)]
    assert served(*strangers) == served(strangers[0]) == 1
    assert served(*strangers, *(node.author for node in net.nodes[1:])) == 3


def test_what_is_held_of_all_who_do_not_play_is_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    net = network(MANY_HANDS, 3, 512)
    assert calm(net, net.nodes[0])
    peer, author = net.peers[0], net.nodes[1]
    early = canonical({"t": "put", "e": [put(author, signed(author, "resign", {"seat": 0})).to_json() | {"i": 400}]})
    monkeypatch.setattr(sync, "MOST_EARLY_BYTES", 5_000)
    for number in range(40):
        peer.receive(f"{number:064x}", early)
    held = len(peer._sync._early[400])
    assert 0 < held < 10
    peer.receive(author.author, early)
    assert len(peer._sync._early[400]) == held + 1, "a player's own allowance is untouched"


# ---- who is bound and there ----

@pytest.mark.parametrize("seed", [1, 2])
def test_whoever_is_bound_by_a_vote_and_there_is_not_voted_gone(seed: int) -> None:
    """The line of two was broken, and both wanted each other gone. Who orders had one of them vote, gave no vote itself and went
    on: so that one signs old heads. The line is there again, and the other one is told to vote."""
    net = Network(MANY_HANDS, 3, seed, options=unending(MANY_HANDS))
    assert calm(net, net.nodes[0])
    play, net.act = net.act, lambda node: None  # type: ignore[method-assign]
    net.run(lambda: False, 4)
    cheat = node_of(net, net.peers[0].match.orderer)
    bound, other = honest = [node for node in net.nodes if node is not cheat]
    net._cut[frozenset((bound.author, other.author))] = net.now + 13
    peer_of(bound).choices.removals.add(other.author)
    peer_of(other).choices.removals.add(bound.author)
    net.meddle = lambda sender, to, data: \
        None if cheat.author in (sender, to) and parse(data)["t"] in ("wish", "ballot") else data

    def wish(to: Node, gone: Node) -> None:
        subject = {"kind": "gone", "peer": gone.author, "order": cheat.author, "heir": cheat.author, "then": "bot"}
        tell(net, cheat, {"t": "wish", "what": [subject]}, to)

    assert net.run(lambda: wish(bound, other) or peer_of(bound).state.is_bound, 30)  # type: ignore[func-returns-value]
    peer, healed = peer_of(cheat), net.now + 4
    seat = peer.match.snapshot.seats_of(cheat.author)[0]
    while net.now < healed + 40 and not peer_of(other).match.snapshot.epoch:
        if peer.ready and peer.pending is None and peer.orders and net.now < healed + 8:
            peer.say("seat", {"seat": seat, "to": peer.match.setup.seats[seat].to_json()})
            net.flush(cheat)
        if net.now > healed:
            wish(other, bound)
        net.run(lambda: False, 1)
        promise = peer_of(other).state.promise
        assert promise is None or promise.subject["kind"] != "gone"
    assert net.run(lambda: all(peer_of(node).match.snapshot.epoch and not peer_of(node).state.is_bound for node in honest), 30)
    net.act, length = play, len(peer_of(other).match.entries)  # type: ignore[method-assign]
    assert net.run(lambda: all(len(peer_of(node).match.entries) > length + 20 for node in honest), 60)


# ---- what one comes to place itself ----

def test_who_comes_to_order_gives_no_place_to_an_own_statement_that_is_due_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was due one when it was signed. Who places it all the same is passed over."""
    table = RestingTable(841)
    peer, seat = peer_of(table.orderer), table.seat(table.orderer)
    table.net.act = lambda node: None  # type: ignore[method-assign]
    said = signed(table.orderer, "seat", {"seat": seat, "to": table.match.setup.seats[seat].to_json()})
    length = len(peer.match.entries)
    peer.state.set_pending(said)
    with monkeypatch.context() as patch:
        patch.setattr(states, "exceeds_quota", lambda entries, statement: True)
        peer.tick(table.net.now + 5)
        assert (peer.pending, len(peer.match.entries)) == (said, length)
    peer.tick(table.net.now + 20)
    assert (peer.pending, peer.match.entries[length].statement) == (None, said)
