"""One commitment at a time: what was refused once never stands, a consent binds what its author saw, and no false "no" gets a
second statement signed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletin.kernel.log import Entry, Statement, canonical, parse
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tests.support.device_moves import calm, peer_of
from tests.support.examples import MANY_HANDS, ONE_DEAL, lasting
from tests.support.forging import put, signed
from tests.support.peer_matches import check_finished, network
from tests.support.peer_sim import Network, Node


def node_of(net: Network, author: str) -> Node:
    return next(node for node in net.nodes if node.author == author)


def quiet(net: Network) -> None:
    """Nobody moves by itself any more."""
    net.act = lambda node: None  # type: ignore[method-assign]


def own_move(net: Network, node: Node) -> tuple[int, Any]:
    """The seat of ``node`` that is to act, and a move of it."""
    match = peer_of(node).match
    seat = next(seat for seat in match.rules.to_act(match.state) if match.setup.seats[seat].author == node.author)
    return seat, match.rules.random_move(match.state, seat, match.view((seat,)).faces, net.rng)


def agreed_undo(seed: int) -> tuple[Network, Node, Statement, int]:
    """A match in which somebody signed an undo that needs consent, with the consents that make it right."""
    net = network(MANY_HANDS, 3, seed)
    assert calm(net, net.nodes[0])
    quiet(net)
    net.run(lambda: False, 3)
    match = net.peers[0].match
    target = match.entries[-1].index
    mover = node_of(net, match.setup.seats[next(iter(match.rules.to_act(match.state)))].author)
    seat, move = own_move(net, mover)
    peer_of(mover).move(seat, move)
    net.flush(mover)
    assert net.run(lambda: net.agreed() and peer_of(mover).pending is None and not net.state().requests)
    for node in net.nodes:
        if node is not mover:
            mine = net.nodes.index(node)
            peer_of(node).say("consent", {"seat": mine, "to": target})
            net.flush(node)
            assert net.run(lambda: net.agreed() and all(peer.pending is None for peer in net.peers))
    undo = signed(mover, "undo", {"seat": seat, "to": target})
    assert peer_of(mover).match.refusal(undo) is None
    return net, mover, undo, target


def test_an_agreed_undo_that_comes_just_after_the_next_move_convicts_nobody() -> None:
    net, mover, undo, _ = agreed_undo(411)
    match = net.peers[0].match
    following = node_of(net, match.setup.seats[next(iter(match.rules.to_act(match.state)))].author)
    seat, move = own_move(net, following)
    peer_of(following).move(seat, move)
    net.flush(following)
    assert net.run(lambda: net.agreed() and peer_of(following).pending is None)
    orderer = peer_of(node_of(net, match.orderer))
    orderer.receive(mover.author, canonical({"t": "say", "s": undo.to_json()}))
    for peer in net.peers:
        peer.receive(mover.author, canonical({"t": "blame", "why": "statement", "x": [undo.to_json()]}))
    net.run(lambda: False, 5)
    assert not any(peer.accusations for peer in net.peers)
    assert all(entry.statement.hash != undo.hash for entry in match.entries)


def test_an_undo_that_stands_frames_nobody() -> None:
    """Whatever the log says later, author and orderer are judged by what stood before it."""
    net, mover, undo, _ = agreed_undo(412)
    orderer = peer_of(node_of(net, net.peers[0].match.orderer))
    orderer.receive(mover.author, canonical({"t": "say", "s": undo.to_json()}))
    net.flush(node_of(net, orderer.author))
    assert net.run(lambda: net.agreed() and net.peers[0].match.entries[-1].statement.hash == undo.hash)
    entry = net.peers[0].match.entries[-1]
    for peer in net.peers:
        for message in ({"why": "statement", "x": [undo.to_json()]}, {"why": "place", "x": [entry.to_json()]}):
            peer.receive(mover.author, canonical({"t": "blame", **message}))
    assert not any(peer.accusations for peer in net.peers)


def test_a_consent_binds_what_its_author_saw() -> None:
    net = network(MANY_HANDS, 3, 413)
    assert calm(net, net.nodes[0])
    quiet(net)
    net.run(lambda: False, 3)
    match = net.peers[0].match
    mover = node_of(net, match.setup.seats[next(iter(match.rules.to_act(match.state)))].author)
    other = next(node for node in net.nodes if node is not mover)
    consent = signed(other, "consent", {"seat": net.nodes.index(other), "to": match.entries[-1].index})
    seat, move = own_move(net, mover)
    peer_of(mover).move(seat, move)
    net.flush(mover)
    assert net.run(lambda: net.agreed() and peer_of(mover).pending is None)
    refusal = match.refusal(consent)
    assert refusal is not None and refusal.key == "kernel.undo.late_consent"
    entry = put(node_of(net, match.orderer), consent)
    for node in net.nodes:
        if node.author != match.orderer:
            peer_of(node).receive(match.orderer, canonical({"t": "put", "e": [entry.to_json()]}))
            (accusation,) = peer_of(node).accusations
            assert (accusation.why, accusation.culprit) == ("place", match.orderer)


def move_that_dies(net: Network) -> tuple[Match, Node, Statement, int]:
    """A log in which a move was refused once, by an entry that an undo then took back: its state is the one the move fits."""
    assert calm(net, net.nodes[0])
    quiet(net)
    net.run(lambda: False, 3)
    match = net.peers[0].match
    target = match.entries[-1].index
    mover = node_of(net, match.setup.seats[next(iter(match.rules.to_act(match.state)))].author)
    seat, move = own_move(net, mover)[0], ("swap", ())
    late = signed(mover, "move", {"seat": seat, "do": move, "open": []})
    assert match.refusal(late) is None
    peer_of(mover).move(seat, move)
    net.flush(mover)
    assert net.run(lambda: net.agreed() and peer_of(mover).pending is None and not net.state().requests)
    return match, mover, late, target


@pytest.mark.usefixtures("swap")
def test_what_was_refused_once_never_stands_not_even_after_an_undo() -> None:
    net = Network("swap", 3, 414)
    match, mover, late, target = move_that_dies(net)
    assert match.refusal(late) is not None
    for node in net.nodes:
        if node is not mover:
            peer_of(node).say("consent", {"seat": net.nodes.index(node), "to": target})
            net.flush(node)
            assert net.run(lambda: net.agreed() and all(peer.pending is None for peer in net.peers))
    peer_of(mover).say("undo", {"seat": late.body["seat"], "to": target})
    net.flush(mover)
    assert net.run(lambda: net.agreed() and net.peers[0].match.entries[-1].statement.kind == "undo")
    assert match.refusal_at(target, late) is None, "where it was said it was right"
    assert match.refusal(late) is not None, "it was refused in between, and so it is dead"
    again = signed(mover, "move", late.body)
    assert match.refusal(again) is None, "said again it stands"


def says_no(net: Network, liar: str, held: list[Statement]) -> None:
    """``liar``'s program answers every move of another with a "no" and holds it back."""
    def meddle(sender: str, to: str, data: bytes) -> bytes | None:
        message = parse(data)
        if to == liar and message.get("t") == "say":
            statement = Statement.from_json(message["s"])
            if statement.kind == "move":
                held.append(statement)
                node = node_of(net, sender)
                answer = canonical({"t": "no", "h": statement.hash, "k": "kernel.turn"})
                net.later(0.1, lambda: peer_of(node).receive(liar, answer))
                return None
        return data

    net.meddle = meddle


def test_a_false_no_gets_no_second_signature() -> None:
    net = network(MANY_HANDS, 3, 415)
    match = net.peers[0].match

    def other_is_due() -> bool:
        acting = [match.setup.seats[seat].author for seat in match.rules.to_act(match.state)]
        return net.agreed() and len(match.entries) > 30 and bool(acting) and match.orderer not in acting

    act = net.act
    net.act = lambda node: act(node) if node.author == match.orderer or len(match.entries) <= 30 else None  # type: ignore[method-assign]
    assert net.run(lambda: other_is_due() and all(peer.pending is None for peer in net.peers))
    victim = node_of(net, match.setup.seats[next(iter(match.rules.to_act(match.state)))].author)
    held: list[Statement] = []
    says_no(net, match.orderer, held)
    act(victim)
    net.flush(victim)
    quiet(net)
    peer = peer_of(victim)
    assert peer.pending is not None
    first, rejected = peer.pending, list(peer.rejections)
    net.run(lambda: False, 8)
    assert held and {statement.hash for statement in held} == {first.hash}
    assert peer.pending == first and peer.rejections == rejected
    with pytest.raises(RuntimeError):
        peer.say("resign", {"seat": first.body["seat"]})
    net.meddle = lambda sender, to, data: data
    net.act = act  # type: ignore[method-assign]
    assert net.run(net.finished)
    check_finished(net)
    assert any(entry.statement.hash == first.hash for entry in match.entries)


def test_a_leave_that_died_is_remembered_beside_what_is_said_after_it() -> None:
    net = network(ONE_DEAL, 3, 416)
    node = net.nodes[1]
    assert calm(net, node)
    net.meddle = lambda sender, to, data: None if sender == node.author and b'"t":"say"' in data else data
    peer = peer_of(node)
    peer.leave()
    assert peer.pending is not None and peer.pending.kind == "leave"
    peer._give_up("too late")
    share = replace(signed(node, "resign", {"seat": 1}), count=peer.state.count)
    peer.state.set_pending(share)
    net.flush(node)
    assert node.disk.pending == share and [one.kind for one in node.disk.dead] == ["leave"]
    node.disk.pending = None
    node.peer = None
    again = node.start(net.genesis, restarted=True)
    assert (again.membership.is_leaving, again.membership.leave_is_signed) == (True, True)


def test_a_statement_of_long_ago_is_dead() -> None:
    net = Network(MANY_HANDS, 3, 418, options=lasting(MANY_HANDS))
    assert net.run(lambda: net.agreed() and len(net.peers[0].match.entries) > 200)
    match = net.peers[0].match
    player = next(node for node in net.nodes if node.author in match.snapshot.live)
    body = {"seat": net.nodes.index(player), "to": match.setup.seats[net.nodes.index(player)].to_json()}
    late = signed(player, "seat", body, head=match.entries[3].hash)
    refusal = match.refusal(late)
    assert refusal is not None and refusal.key == "kernel.log.too_late"


def test_an_older_log_is_judged_as_it_was() -> None:
    """A match that an older program began goes on: there what is late is judged where it stands."""
    net = Network(MANY_HANDS, 3, 418, options=lasting(MANY_HANDS))
    assert net.run(lambda: net.agreed() and len(net.peers[0].match.entries) > 200)
    match = net.peers[0].match
    player = net.nodes[0]
    body = {"seat": 0, "to": match.setup.seats[0].to_json()}
    late = signed(player, "seat", body, head=match.entries[3].hash)
    match.snapshot.setup = replace(match.snapshot.setup, extra={})
    assert match.refusal(late) is None


def test_a_match_of_an_unknown_protocol_is_not_begun() -> None:
    from tabletin.peers.replication.evidence import peer_match
    from tabletin.registry import rules_of

    net = network(ONE_DEAL, 2, 419)
    statement = replace(net.setup, extra={"protocol": 99}).statement(net.nodes[0].author)
    with pytest.raises(Refused, match=r"peers\.protocol"):
        peer_match(Entry.create(0, statement.head, statement), rules_of(ONE_DEAL), net.verifier, net.checker)
