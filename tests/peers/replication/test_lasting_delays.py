"""What one peer says over and over holds nobody up for long, and what one peer signs can always be shown to all."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from tabletin.kernel.log import Statement, canonical, parse, value_count
from tabletin.kernel.options import Refusal, Refused, refused
from tabletin.kernel.schema import Malformed, read_move
from tabletin.kernel.undo import MOST_UNDOS
from tabletin.peers.replication.authority import acknowledgement, ballot_vote
from tabletin.peers.replication.backfill import MOST_SERVED
from tabletin.peers.replication.ballots import MOST_BALLOTS
from tabletin.peers.replication.epoch_vote import EpochVote
from tabletin.peers.replication.evidence import MOST_SAID_BYTES, MOST_SAID_VALUES, check_size
from tabletin.peers.replication.rate_limit import MOST, UNITS, RateLimit
from tabletin.peers.replication.replica import Replica
from tabletin.peers.replication.state import ReplicaState
from tabletin.peers.replication.sync import VERSION
from tests.support.ballots import end_of, node_of, vote_of
from tests.support.device_moves import calm, peer_of
from tests.support.examples import MANY_HANDS, ONE_DEAL, WIDEST, unending
from tests.support.forging import put, signed, tell
from tests.support.peer_matches import network
from tests.support.peer_sim import Network, Node

MINUTES = 120.0  # seconds in which every delay is over


def at_rest(peers: int = 3) -> Network:
    """A match in which nobody makes a move any more."""
    net = network(MANY_HANDS, peers, 512)
    assert calm(net, net.nodes[0])
    net.act = lambda node: None  # type: ignore[method-assign]
    net.run(lambda: False, 3)
    return net


def act_of(net: Network) -> Callable[[Node], None]:
    """How devices act where nobody keeps them from it."""
    return partial(Network.act, net)


def orderer_of(net: Network) -> Node:
    return node_of(net, net.peers[0].match.orderer)


# ---- a statement that nobody could be shown ----

def wordy(net: Network, cheat: Node, values: int) -> Statement:
    """A wrong move with so many values in it."""
    seat = peer_of(cheat).match.snapshot.seats_of(cheat.author)[0]
    return signed(cheat, "move", {"seat": seat, "do": ["x", *[0] * values], "open": []})


@pytest.mark.parametrize("kind", ["say", "plea", "put"])
def test_what_could_not_be_held_against_its_author_is_not_read(kind: str) -> None:
    net = at_rest()
    orderer = orderer_of(net)
    cheat = orderer if kind == "put" else next(node for node in net.nodes if node is not orderer)
    statement = wordy(net, cheat, MOST_SAID_VALUES + 1)
    said: dict[str, Any] = {"e": [put(cheat, statement).to_json()]} if kind == "put" else {"s": statement.to_json()}
    honest = [node for node in net.nodes if node is not cheat]
    cheat.peer = None
    tell(net, cheat, {"t": kind, **said}, *honest)
    assert all(peer_of(node).refusal_counts["malformed"] == 1 for node in honest)
    assert not any(peer_of(node).accusations for node in honest)


def test_the_most_that_is_read_convicts_at_every_table() -> None:
    net = at_rest()
    orderer = orderer_of(net)
    cheat = next(node for node in net.nodes if node is not orderer)
    statement = wordy(net, cheat, MOST_SAID_VALUES - 20)
    cheat.peer = None
    tell(net, cheat, {"t": "say", "s": statement.to_json()}, orderer)
    assert net.run(lambda: all(peer.accusations for peer in net.peers), 10)


def test_two_of_the_largest_statements_are_read_in_one_second() -> None:
    limit = RateLimit()
    size, values = 2 * MOST_SAID_BYTES + 10_000, 2 * MOST_SAID_VALUES + 100
    assert limit.takes("one", size) and limit.parses("one", values) and limit.works("one", "blame")
    assert all(limit.works("one", "head") for _ in range(20)), "beside what it says otherwise"


@pytest.mark.parametrize(("text", "values"), [(MOST_SAID_BYTES, 0), (0, MOST_SAID_VALUES)])
def test_a_statement_is_bounded_in_bytes_and_in_values(text: int, values: int) -> None:
    def of(text: int, values: int) -> Statement:
        return Statement("0" * 64, "a" * 64, 0, "0" * 64, "move", {"x": "y" * text, "v": [0] * values})

    bare = of(0, 0).canonical_bytes
    largest = of(max(0, text - len(bare)), max(0, values - value_count(bare) + 1))
    assert len(largest.canonical_bytes) == text or value_count(largest.canonical_bytes) == values
    check_size(largest)
    with pytest.raises(Malformed):
        check_size(of(text, values))


# ---- ballots ----

def test_nobodys_votes_crowd_out_those_of_others() -> None:
    """A voter may sign as many votes for epochs ahead as it likes."""
    net = at_rest()
    orderer = orderer_of(net)
    one, other = (node for node in net.nodes if node is not orderer)
    end = end_of(peer_of(one).match)
    subject = {"kind": "pass", "against": orderer.author, "order": other.author}
    tell(net, one, {"t": "ballot", **vote_of(one, 1, subject, end).to_json()}, other)
    lift = {"kind": "pass", "against": None, "order": orderer.author}
    for epoch in range(2, MOST_BALLOTS + 12):
        tell(net, orderer, {"t": "ballot", **vote_of(orderer, epoch, lift, end).to_json()}, other)
    votes = peer_of(other)._ballots._votes
    assert one.author in votes[1], "what it needs for a certificate"
    assert sum(orderer.author in given for given in votes.values()) == MOST_BALLOTS


# ---- a restart ----

def test_nobody_keeps_a_device_that_was_restarted_from_playing() -> None:
    """It may sign once it has caught up with everybody; one that says it holds more and gives out nothing counts as heard."""
    net = network(MANY_HANDS, 3, 512)
    assert calm(net, net.nodes[0])
    act = net.act
    net.act = lambda node: None  # type: ignore[method-assign]
    net.run(lambda: False, 3)
    match = net.peers[0].match
    cheat, victim = (node for node in net.nodes if node.author != match.orderer)

    def meddle(sender: str, to: str, data: bytes) -> bytes | None:
        message = parse(data)
        if (sender, to) != (cheat.author, victim.author):
            return data
        if message["t"] != "head":
            return data if message["t"] != "put" else None
        index = message["i"] + 1
        signature = cheat.identity.sign(acknowledgement(match.id, index, "f" * 64))
        return canonical({"t": "head", "i": index, "h": "f" * 64, "m": match.id, "v": VERSION, "sig": signature})

    net.meddle = meddle
    net.run(lambda: False, 0.2)  # what was on its way arrives
    victim.start(net.genesis, restarted=True)
    net.run(lambda: False, 20)
    assert not peer_of(victim).ready, "it may be on its way"
    assert net.run(lambda: peer_of(victim).ready, MINUTES)
    net.act = act  # type: ignore[method-assign]
    before = len(match.entries)
    assert net.run(lambda: any(entry.statement.author == victim.author for entry in match.entries[before:]), MINUTES)
    assert not any(peer.accusations for peer in net.peers)


@pytest.mark.parametrize("tells", [True, False])
def test_a_device_that_was_restarted_plays_on_though_it_cannot_hear_one_of_the_others(tells: bool) -> None:
    """The others pass on what that one has signed. Where nobody does, it may hold what this device has lost."""
    net = at_rest()
    silent, victim = (node for node in net.nodes if node.author != net.peers[0].match.orderer)

    def meddle(sender: str, to: str, data: bytes) -> bytes | None:
        message = parse(data)
        if {sender, to} == {silent.author, victim.author}:
            return None
        return data if tells else canonical({name: value for name, value in message.items() if name != "seen"})

    net.meddle = meddle
    net.run(lambda: False, 0.2)  # what was on its way arrives
    victim.start(net.genesis, restarted=True)
    net.run(lambda: False, 20)
    assert not peer_of(victim).ready, "a moment is given"
    assert net.run(lambda: peer_of(victim).ready, MINUTES) is tells
    if tells:
        net.act = act_of(net)  # type: ignore[method-assign, assignment]
        assert net.run(net.finished, 10 * MINUTES)
        assert not any(peer.accusations for peer in net.peers)


def vote_alone_again_and_again(net: Network, cheat: Node, head_for: Callable[[Replica], tuple[int, str] | None]) -> None:
    """``cheat`` has an epoch begin every few seconds, and signs ``head_for`` each of the others, if there is one."""
    cheat.peer = None
    start = end_of(net.peers[0].match)

    def send(to: Node, message: dict[str, Any]) -> None:
        net.later(0.02, lambda: net._deliver(cheat.author, to, canonical(message)))

    def tick() -> None:
        others = {node: peer_of(node) for node in net.nodes if node.peer is not None}
        for node, peer in others.items():
            match, newest = peer.match, max(other.match.snapshot.epoch for other in others.values())
            lift, head = {"kind": "pass", "against": None, "order": match.orderer}, head_for(peer)
            if head is not None:
                signature = cheat.identity.sign(acknowledgement(match.id, *head))
                send(node, {"t": "head", "i": head[0], "h": head[1], "m": match.id, "v": VERSION, "sig": signature})
            send(node, {"t": "wish", "what": [lift]})
            message = ballot_vote(match.id, newest + 1, lift, list(start))
            vote = EpochVote(cheat.author, newest + 1, lift, start, cheat.identity.sign(message))
            if not any(other.state.is_bound for other in others.values()):
                send(node, {"t": "ballot", **vote.to_json()})
        net.later(1.0, tick)

    tick()


def test_nobody_keeps_a_device_that_was_restarted_from_playing_by_ever_new_epochs() -> None:
    """That device is told no heads, and its log never rests. The others are told of one that everybody holds."""
    net = at_rest()
    cheat, victim = (node for node in net.nodes if node.author != net.peers[0].match.orderer)
    victim.peer = None
    net.run(lambda: False, 0.2)  # what was on its way arrives
    vote_alone_again_and_again(net, cheat, lambda peer: None if peer.author == victim.author else
                               (len(peer.match.entries) - 1, peer.match.head))
    victim.start(net.genesis, restarted=True)
    assert net.run(lambda: peer_of(victim).ready, MINUTES)
    assert peer_of(victim).match.snapshot.epoch and not any(peer.accusations for peer in net.peers)


def test_nobody_counts_as_there_for_good_by_ever_new_epochs() -> None:
    """It says that it holds what nobody gets to see, and acknowledges nothing: no share is given, and its log never rests."""
    net = at_rest()
    cheat = next(node for node in net.nodes if node.author != net.peers[0].match.orderer)
    vote_alone_again_and_again(net, cheat, lambda peer: (len(peer.match.entries) + 3, "f" * 64))
    for peer in net.peers:
        peer.choices.removals.add(cheat.author)
    assert net.run(lambda: all(cheat.author not in peer.live for peer in net.peers), MINUTES)
    assert all(peer.match.snapshot.epoch > 2 for peer in net.peers) and not any(peer.accusations for peer in net.peers)


# ---- floods ----

def test_heads_that_differ_are_not_answered_without_end() -> None:
    """Each asks for a batch of entries, and takes next to nothing to send."""
    net = Network(MANY_HANDS, 3, 11, options=unending(MANY_HANDS))
    assert net.run(lambda: len(net.peers[0].match.entries) >= 300)
    peer, hostile = net.peers[0], net.nodes[1]
    peer.tick(net.now + 10)
    peer.outbox.clear()
    answered = 0
    for number in range(300):
        head = {"t": "head", "i": 100 * (number % 3), "h": "0" * 64, "m": peer.match.id, "v": VERSION}
        peer.receive(hostile.author, canonical(head))
        answered += sum(len(data) for _, data in peer.outbox)
        peer.outbox.clear()
    assert 0 < answered < 2 * MOST_SERVED
    peer.tick(net.now + 12)
    peer.outbox.clear()
    peer.receive(hostile.author, canonical({"t": "want", "i": 1}))
    assert any(parse(data)["t"] == "put" for _, data in peer.outbox), "a second later it is served again"


def test_a_plea_is_judged_once_behind_each_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    net = at_rest()
    orderer = orderer_of(net)
    author, witness = (node for node in net.nodes if node is not orderer)
    seat = peer_of(author).match.snapshot.seats_of(author.author)[0]
    peer = peer_of(witness)
    judged: list[str] = []
    judge = ReplicaState.placing_refusal

    def counted(state: ReplicaState, statement: Statement) -> Refusal | None:
        judged.append(statement.hash)
        return judge(state, statement)

    monkeypatch.setattr(ReplicaState, "placing_refusal", counted)
    net.meddle = lambda sender, to, data: None if parse(data)["t"] in ("say", "plea", "wish") else data
    statements = [signed(author, "resign", {"seat": seat}, count=peer_of(author).state.count + number) for number in range(9)]
    for statement in statements:
        tell(net, author, {"t": "plea", "s": statement.to_json()}, witness)
    assert judged == [statements[0].hash], "another one of the same author only a second later"
    for _ in range(50):
        tell(net, author, {"t": "wish", "what": []}, witness)
    peer.tick(net.now + 15)
    assert set(judged) == {statements[0].hash} and len(judged) == 1
    assert peer._ballots.subjects(), "it is held back all the same"


def test_nobody_pleads_for_another_one() -> None:
    """Who did would have old statements of it judged in place of its new one."""
    net = at_rest()
    orderer = orderer_of(net)
    author, witness = (node for node in net.nodes if node is not orderer)
    seat = peer_of(author).match.snapshot.seats_of(author.author)[0]
    statement = signed(author, "resign", {"seat": seat})
    tell(net, orderer, {"t": "plea", "s": statement.to_json()}, witness)
    assert not peer_of(witness)._ballots._pleas
    tell(net, author, {"t": "plea", "s": statement.to_json()}, witness)
    assert peer_of(witness)._ballots._pleas


# ---- timeouts ----

class Silent:
    """A match of one deal in which one device lets the table wait; the people at all others want its seat timed out."""

    def __init__(self, *, orders: bool) -> None:
        self.net = net = network(ONE_DEAL, 3, 512)
        act = net.act
        found: list[Node] = []

        def act_or_wait(node: Node) -> None:
            match = peer_of(node).match
            acting = match.rules.to_act(match.state)
            is_its_turn = bool(acting) and all(match.setup.seats[seat].author == node.author for seat in acting)
            if not found and is_its_turn and peer_of(node).orders == orders and len(match.entries) > 20:
                found.append(node)
            if node not in found:
                act(node)

        net.act = act_or_wait  # type: ignore[method-assign]
        assert net.run(lambda: bool(found) and net.agreed())
        self.cheat = found[0]
        match = peer_of(self.cheat).match
        (self.seat,) = match.rules.to_act(match.state)
        self.start = len(match.entries)

    @property
    def honest(self) -> list[Replica]:
        return [peer for peer in self.net.peers if peer.author != self.cheat.author]

    def want_timeout(self) -> None:
        for peer in self.honest:
            peer.choices.timeouts.add(self.seat)

    def kinds(self) -> list[str]:
        return [entry.statement.kind for entry in self.honest[0].match.entries[self.start:]]


def test_a_peer_that_orders_and_keeps_the_table_waiting_is_passed_over_whatever_it_says_meanwhile() -> None:
    """Votes are for one head: who places statements of its own could make them void again and again."""
    scene = Silent(orders=True)
    peer = peer_of(scene.cheat)

    def chatter() -> None:
        if peer.orders and peer.ready and peer.pending is None:
            peer.say("order", {"to": peer.author})
            scene.net.flush(scene.cheat)
        scene.net.later(2.0, chatter)  # not so often that it were passed over for that alone

    scene.want_timeout()
    scene.net.meddle = lambda sender, to, data: None if parse(data)["t"] == "vote" else data  # none ever fits the head
    chatter()
    assert scene.net.run(lambda: all(one.match.snapshot.epoch for one in scene.honest), 40)
    assert not any(one.accusations or one.match.former_authors for one in scene.honest)


def place_all(peer: Replica) -> None:
    """From now on ``peer``, a changed program, gives a place to whatever it says itself and the rules allow."""
    peer._sequencer.place_due = peer._sequencer.place  # type: ignore[method-assign]


@pytest.mark.parametrize("orders", [False, True])
def test_a_timeout_is_not_taken_back_without_consent(orders: bool) -> None:
    scene = Silent(orders=orders)
    peer, taken_back = peer_of(scene.cheat), 0
    place_all(peer)

    def take_back(node: Node) -> None:
        nonlocal taken_back
        last = peer.match.entries[-1]
        if node is scene.cheat and last.statement.kind == "timeout" and peer.ready and peer.pending is None:
            taken_back += 1
            assert peer.match.undo_refusal(scene.seat, last.index - 1) is not None
            peer.say("undo", {"seat": scene.seat, "to": last.index - 1})  # as a changed program would

    scene.net.act = take_back  # type: ignore[method-assign]
    scene.want_timeout()
    net = scene.net
    net.run(lambda: False, 60)
    if orders:
        assert all(one.match.snapshot.epoch for one in scene.honest), "it is passed over"
        assert taken_back <= 3
    else:
        assert scene.kinds()[:1] == ["timeout"] and "undo" not in scene.kinds()
    assert all(scene.seat not in one.match.rules.to_act(one.match.state) for one in scene.honest)
    assert not any(one.accusations or one.match.former_authors for one in scene.honest)


@pytest.mark.parametrize("orders", [False, True])
def test_a_move_is_not_made_and_taken_back_without_end(orders: bool) -> None:
    net = network(WIDEST, 3, 520)
    act = net.act
    found: list[tuple[Node, int, Any]] = []
    made = 0

    def waver(node: Node) -> None:
        nonlocal made
        peer = peer_of(node)
        match, last = peer.match, peer.match.entries[-1]
        if found:
            cheat, seat, move = found[0]
            if node is not cheat or not peer.ready or peer.pending is not None:
                return
            last = next(entry for entry in reversed(match.entries) if entry.statement.kind in ("move", "undo"))
            if last.statement.kind == "move":
                made += 1
                with suppress(Refused):  # once that was said so often that nobody has to place it
                    peer.say("undo", {"seat": seat, "to": last.index - 1})  # as a changed program would
            elif seat in match.rules.to_act(match.state):
                peer.move(seat, move)
        elif last.statement.kind == "move" and last.statement.author == node.author and peer.orders == orders \
                and net.agreed() and all(one.pending is None for one in net.peers) \
                and match.undo_refusal(last.statement.body["seat"], last.index - 1) is None:
            found.append((node, last.statement.body["seat"], read_move(match.rules.verbs, last.statement.body["do"])))
            place_all(peer)
        else:
            act(node)

    net.act = waver  # type: ignore[method-assign]
    assert net.run(lambda: bool(found))
    net.run(lambda: False, 60)
    cheat, seat, _ = found[0]
    honest = [peer for peer in net.peers if peer.author != cheat.author]
    said = [entry.statement for entry in honest[0].match.entries]
    undone = [one for one in said if one.kind == "undo" and one.body["seat"] == seat]
    assert made > MOST_UNDOS
    assert orders or len(undone) == MOST_UNDOS, "whoever else orders gives the next one no place"
    assert all(bool(peer.match.snapshot.epoch) == orders for peer in honest), "who orders and does that is passed over"
    assert not any(peer.accusations or peer.match.former_authors for peer in honest)


def test_a_timeout_that_the_rules_refuse_is_not_said() -> None:
    """People vote for what they see; the match may be further on, where that seat has no move that a timer could make."""
    net = network(MANY_HANDS, 3, 512)
    match, is_quiet = net.peers[0].match, False

    def act(node: Node) -> None:
        nonlocal is_quiet
        is_quiet = is_quiet or (has_no_default() and not any(peer.pending for peer in net.peers))
        if not is_quiet:
            play(node)

    def has_no_default() -> bool:
        acting = tuple(match.rules.to_act(match.state))
        return len(acting) == 1 and match.rules.default(match.state, acting[0]) is None and net.agreed()

    play, net.act = net.act, act  # type: ignore[method-assign]
    assert net.run(lambda: is_quiet)
    (seat,) = match.rules.to_act(match.state)
    for peer in net.peers:
        if peer.author != match.setup.seats[seat].author:
            peer.choices.timeouts.add(seat)
    before = len(match.entries)
    net.run(lambda: False, 20)
    assert {entry.statement.kind for entry in match.entries[before:]} <= {"deal"}, "the next hand is prepared"
    assert any(peer.refusal_counts["kernel.no_timeout"] for peer in net.peers)


def test_timeouts_that_the_rules_refuse_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    peer = at_rest().peers[0]

    def refuse(kind: str, body: dict[str, Any]) -> None:
        raise refused("kernel.no_timeout")

    monkeypatch.setattr(peer, "_say", refuse)
    before = peer.refusal_counts["kernel.no_timeout"]
    for count in (1, 2):
        peer._time_out({"seat": 0})
        assert peer.refusal_counts["kernel.no_timeout"] == before + count


@pytest.mark.parametrize("every", [0.02, 0.2])
def test_who_is_waited_for_and_does_not_order_is_timed_out_whatever_it_says_meanwhile(every: float) -> None:
    """A changed program waits for no place before it says the next thing."""
    scene = Silent(orders=False)
    net, count = scene.net, 10 + peer_of(scene.cheat).state.count

    def chatter() -> None:
        nonlocal count
        count += 1
        orderer = orderer_of(net)
        said = signed(scene.cheat, "consent", {"seat": scene.seat, "to": 1}, count=count)
        net.later(0.15, lambda: tell(net, scene.cheat, {"t": "say", "s": said.to_json()}, orderer))
        net.later(every, chatter)

    send = net._send
    net._send = lambda *what: net.later(0.12, lambda: send(*what))  # type: ignore[method-assign]
    chatter()
    scene.want_timeout()
    assert net.run(lambda: "timeout" in scene.kinds(), 10)
    assert not any(one.accusations or one.match.former_authors for one in scene.honest)


def test_what_is_said_beside_the_play_has_its_place_a_moment_later() -> None:
    scene = Silent(orders=False)
    scene.want_timeout()
    net = scene.net
    net.meddle = lambda sender, to, data: None if parse(data)["t"] == "vote" else data
    peer = peer_of(scene.cheat)
    peer.say("consent", {"seat": scene.seat, "to": 1})
    net.flush(scene.cheat)
    assert net.run(lambda: scene.kinds() == ["consent"] and net.agreed(), 6)
    peer.say("consent", {"seat": scene.seat, "to": 1})
    net.flush(scene.cheat)
    placing = peer_of(orderer_of(net))
    net.run(lambda: False, 2)
    assert scene.kinds() == ["consent"], "votes come together"
    told = placing.refusal_counts["peers.not_yet"]
    for count in (1, 2):
        tell(net, scene.cheat, {"t": "say", "s": peer.pending.to_json()}, orderer_of(net))  # type: ignore[union-attr]
        assert placing.refusal_counts["peers.not_yet"] == told + count
    assert net.run(lambda: scene.kinds() == ["consent"] * 2 and net.agreed(), 6)
    for other in scene.honest:
        other.choices.timeouts.clear()
    peer.say("consent", {"seat": scene.seat, "to": 1})
    net.flush(scene.cheat)
    assert net.run(lambda: len(scene.kinds()) == 3, 1), "nobody wants a timeout"


def test_a_move_has_its_place_at_once_whoever_wants_a_timeout() -> None:
    scene = Silent(orders=False)
    scene.want_timeout()
    net, peer = scene.net, peer_of(scene.cheat)
    net.meddle = lambda sender, to, data: None if parse(data)["t"] == "vote" else data
    peer.say("consent", {"seat": scene.seat, "to": 1})
    net.flush(scene.cheat)
    assert net.run(lambda: scene.kinds() == ["consent"] and net.agreed(), 6)
    match = peer.match
    peer.move(scene.seat, match.rules.random_move(match.state, scene.seat, match.view((scene.seat,)).faces, net.rng))
    net.flush(scene.cheat)
    assert net.run(lambda: "move" in scene.kinds(), 1)


# ---- what others make an honest device send ----

def test_nobody_has_another_one_say_no_until_its_author_hears_nothing_more() -> None:
    """A third one knows a statement that is dead, and sends it to the peer that orders over and over."""
    net = at_rest()
    orderer = orderer_of(net)
    author, cheat = (node for node in net.nodes if node is not orderer)
    match = peer_of(orderer).match
    dead = signed(author, "consent", {"seat": match.snapshot.seats_of(author.author)[0], "to": 1})
    seat = match.snapshot.seats_of(orderer.author)[0]
    peer_of(orderer).say("seat", {"seat": seat, "to": match.setup.seats[seat].to_json()})
    net.flush(orderer)
    assert net.run(net.agreed, 5)
    answers: list[str] = []

    def meddle(sender: str, to: str, data: bytes) -> bytes:
        if parse(data)["t"] == "no":
            answers.append(to)
        return data

    net.meddle = meddle
    for _ in range(60):
        tell(net, cheat, {"t": "say", "s": dead.to_json()}, orderer)
    assert answers == []
    tell(net, author, {"t": "say", "s": dead.to_json()}, orderer)
    assert answers == [author.author]


def test_a_plea_is_handed_on_once_a_second() -> None:
    """What this device hands on is counted as its own there."""
    net = at_rest()
    orderer = orderer_of(net)
    author, witness = (node for node in net.nodes if node is not orderer)
    seat = peer_of(author).match.snapshot.seats_of(author.author)[0]
    statement = signed(author, "resign", {"seat": seat})
    sent: list[str] = []

    def meddle(sender: str, to: str, data: bytes) -> bytes | None:
        message = parse(data)
        if message["t"] == "say" and sender == witness.author:
            sent.append(to)
            return None
        return data

    net.meddle = meddle
    for second in range(1, 3):
        for _ in range(20):
            tell(net, author, {"t": "plea", "s": statement.to_json()}, witness)
        assert sent == [orderer.author] * second
        peer_of(witness).tick(net.now + second)


# ---- what is judged again and again ----

def test_a_no_is_looked_into_once_behind_each_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    net = at_rest()
    orderer = orderer_of(net)
    author = next(node for node in net.nodes if node is not orderer)
    peer = peer_of(author)
    net.meddle = lambda sender, to, data: None
    peer.say("resign", {"seat": peer.match.snapshot.seats_of(author.author)[0]})
    assert peer.pending is not None
    judged: list[str] = []
    monkeypatch.setattr(peer, "_judge_pending", lambda: judged.append(peer.match.head))
    for _ in range(20):
        tell(net, orderer, {"t": "no", "h": peer.pending.hash, "k": "kernel.turn"}, author)
    assert judged == [peer.match.head]


@pytest.mark.parametrize("kind", ["say", "plea"])
def test_a_statement_that_names_an_entry_long_ago_costs_its_sender_more(kind: str) -> None:
    """It is judged behind each entry since then."""
    net = at_rest()
    orderer = orderer_of(net)
    cheat, witness = (node for node in net.nodes if node is not orderer)
    match = peer_of(witness).match

    def read(head: str) -> int:
        """How many such messages are read in a second."""
        peer = peer_of(witness)
        peer.tick(peer.state.time + 2)
        before, flood = peer.refusal_counts["peers.flood"], 0
        statement = signed(cheat, "timeout", {"seat": 0}, head=head)
        while peer.refusal_counts["peers.flood"] == before:
            peer.receive(cheat.author, canonical({"t": kind, "s": statement.to_json()}))
            flood += 1
        return flood

    assert read(match.head) == read("f" * 64) > 30
    assert len(match.entries) > 24 and read(match.entries[-25].hash) <= 16


def test_what_names_no_entry_is_not_late() -> None:
    net = at_rest()
    peer, sender = peer_of(net.nodes[0]), net.nodes[1].author
    peer.tick(peer.state.time + 2)
    want = canonical({"t": "want", "i": 1})
    dearest = UNITS["want"] + 2  # its bytes and values cost next to nothing
    for _ in range(MOST // dearest):
        peer.receive(sender, want)
    assert peer.refusal_counts["peers.flood"] == 0


def test_who_hands_the_order_to_itself_owes_as_long_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    net = at_rest()
    orderer = orderer_of(net)
    ballots = peer_of(next(node for node in net.nodes if node is not orderer))._ballots
    monkeypatch.setattr(ReplicaState, "orderer_owes", True)
    before = ballots._due()
    peer_of(orderer).say("order", {"to": orderer.author})
    net.flush(orderer)
    assert net.run(net.agreed, 5)
    assert ballots._state.match.entries[-1].statement.kind == "order"
    assert ballots._due() == before
