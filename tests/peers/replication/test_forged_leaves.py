"""Forged leaves in a running match, with real signatures: incomplete, wrong, at the wrong moment, or for the wrong seats. Every
honest peer refuses them, nothing of them comes about, and where somebody has signed what is wrong it is proven to anybody.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tabletin.kernel.log import Statement, canonical
from tabletin.kernel.membership import LATER, leaving
from tabletin.peers.sealed.group import L, Stream
from tabletin.peers.sealed.messages import Leave, Share, decode, encode
from tabletin.peers.sealed.proofs import prove_shares
from tests.support.device_moves import calm, peer_of
from tests.support.examples import MANY_HANDS, lasting
from tests.support.forging import FAST, REAL, Scene, put, signed
from tests.support.peer_sim import Network, Node

Body = dict[str, Any]


def scene_of(number: int, group: Any = FAST) -> Scene:
    """A hand under way in which nothing is asked for, and ``number`` is about to forge a leave."""
    net = Network(MANY_HANDS, 3, 11, options=lasting(MANY_HANDS), group=group, real_signatures=True)
    scene = Scene.of(net, net.nodes[number])
    assert net.run(lambda: calm(net, scene.cheat, 25) and bool(own_hand(scene)))
    return scene


def honest_body(scene: Scene) -> Body:
    body = peer_of(scene.cheat).membership.leave_body()
    assert body is not None and body["sealed"] is not None
    return body


def honest(scene: Scene) -> Leave:
    message = decode(scene.deal.group, b64decode(honest_body(scene)["sealed"]))
    assert isinstance(message, Leave) and len(message.handles) > 2
    return message


def spelled(message: Leave | Share) -> str:
    return b64encode(encode(message)).decode()


def made_for(scene: Scene, handles: tuple[int, ...], purpose: str = "leave") -> Leave:
    """Shares of these cards with a proof that holds."""
    peer = peer_of(scene.cheat)
    party = peer.dealer._party(peer.current_dealing)
    return Leave(handles, *party._shares(scene.deal, purpose, handles))


def own_hand(scene: Scene) -> tuple[int, ...]:
    number = peer_of(scene.cheat).current_dealing.authors.index(scene.cheat.author)
    return tuple(handle for handle, card in scene.deal.cards.items() if card.reader == number and card.face is None)


# ---- shares ----

def one_card_missing(scene: Scene) -> Body:
    return {"sealed": spelled(made_for(scene, honest(scene).handles[1:]))}


def nothing_shared(scene: Scene) -> Body:
    return {"sealed": b64encode(b"\x07\x00" + bytes(64)).decode()}


def a_card_of_its_hand_with_it(scene: Scene) -> Body:
    handles = sorted({*honest(scene).handles, own_hand(scene)[0]})
    return {"sealed": spelled(made_for(scene, tuple(handles)))}


def shares_exchanged(scene: Scene) -> Body:
    message = honest(scene)
    return {"sealed": spelled(replace(message, shares=(message.shares[1], message.shares[0], *message.shares[2:])))}


def of_another_secret(scene: Scene) -> Body:
    deal, message = scene.deal, honest(scene)
    number = peer_of(scene.cheat).current_dealing.authors.index(scene.cheat.author)
    points = [deal.cards[handle].cipher.a for handle in message.handles]
    shares = [deal.group.multiples(point, [99])[0] for point in points]
    proof = prove_shares(deal.group, deal.context(0, number, "leave"), 99, deal.keys[number], points, shares, Stream(b"w"))
    return {"sealed": spelled(Leave(message.handles, tuple(shares), proof))}


def one_share_wrong(scene: Scene) -> Body:
    deal, message = scene.deal, honest(scene)
    wrong = deal.group.sum([(1, message.shares[0]), (1, deal.group.base)])
    return {"sealed": spelled(replace(message, shares=(wrong, *message.shares[1:])))}


def proof_for_another_purpose(scene: Scene) -> Body:
    return {"sealed": spelled(made_for(scene, honest(scene).handles, "share"))}


def proof_moved(scene: Scene) -> Body:
    message = honest(scene)
    moved = message.proof._replace(response=(message.proof.response + 1) % L)
    return {"sealed": spelled(replace(message, proof=moved))}


def of_somebody_else(scene: Scene) -> Body:
    """What another peer would say if it went."""
    other = scene.others[0]
    sealed = peer_of(other).membership.leave_body()
    assert sealed is not None
    return {"sealed": sealed["sealed"]}


def no_leave_at_all(scene: Scene) -> Body:
    message = honest(scene)
    return {"sealed": spelled(Share(message.handles, message.shares, message.proof))}


def a_byte_too_many(scene: Scene) -> Body:
    return {"sealed": b64encode(b64decode(spelled(honest(scene))) + b"\0").decode()}


# ---- what comes of it ----

def to_void_the_hand(scene: Scene) -> Body:
    """Its people would like a bad hand dealt again."""
    return {"sealed": None}


def itself_the_heir(scene: Scene) -> Body:
    return {"heir": scene.cheat.author}


def a_stranger_orders(scene: Scene) -> Body:
    return {"order": "f" * 64}


def more_in_it(scene: Scene) -> Body:
    return {"then": "without"}


FORGED: list[Callable[[Scene], Body]] = [
    one_card_missing, nothing_shared, a_card_of_its_hand_with_it, shares_exchanged, of_another_secret, one_share_wrong,
    proof_for_another_purpose, proof_moved, of_somebody_else, no_leave_at_all, a_byte_too_many, to_void_the_hand,
    itself_the_heir, a_stranger_orders, more_in_it]


def check_refused(scene: Scene, body: Body) -> None:
    before = {node.author: peer_of(node).match.snapshot for node in scene.others}
    scene.send("leave", body)
    assert scene.convicted() <= {"statement", "place"}
    for node in scene.others:
        match = peer_of(node).match
        assert all(entry.statement.kind != "leave" for entry in match.entries)
        assert match.snapshot == before[node.author] and scene.cheat.author not in match.former_authors


@pytest.mark.parametrize("forge", FORGED, ids=lambda forge: str(forge.__name__))
@pytest.mark.parametrize("number", [0, 2])
def test_a_forged_leave_convicts_and_changes_nothing(forge: Callable[[Scene], Body], number: int) -> None:
    scene = scene_of(number)
    check_refused(scene, {**honest_body(scene), **forge(scene)})


@pytest.mark.parametrize("forge", [one_share_wrong, one_card_missing, of_another_secret], ids=lambda forge: str(forge.__name__))
def test_in_the_real_group(forge: Callable[[Scene], Body]) -> None:
    scene = scene_of(1, REAL)
    check_refused(scene, {**honest_body(scene), **forge(scene)})


def test_another_one_orders_than_does() -> None:
    scene = scene_of(2)
    match = peer_of(scene.cheat).match
    other = next(node.author for node in scene.others if node.author != match.orderer)
    assert match.orderer != scene.cheat.author
    check_refused(scene, {**honest_body(scene), "order": other})


@pytest.mark.parametrize("void", [False, True])
def test_to_leave_in_the_middle_of_a_deal_convicts(void: bool) -> None:
    """Nobody leaves while a card is waited for: who orders could look at it first, and the others would wait for ever."""
    net = Network(MANY_HANDS, 3, 12, options=lasting(MANY_HANDS), real_signatures=True)
    cheat = net.nodes[2]
    assert net.run(lambda: net.agreed() and len(net.peers[0].match.entries) > 40 and bool(net.state().requests)
                   and peer_of(cheat).pending is None)
    scene, peer = Scene.of(net, cheat), peer_of(cheat)
    assert leaving(peer.match.rules, peer.match.snapshot, cheat.author) == LATER and peer.membership.leave_body() is None
    heir = next(node.author for node in scene.others)
    order = peer.match.orderer if peer.match.orderer != cheat.author else heir
    sealed = None if void else b64encode(b"\x07\x00" + bytes(64)).decode()
    scene.send("leave", {"order": order, "heir": heir, "sealed": sealed})
    assert scene.convicted() <= {"statement", "place"}


def test_nobody_leaves_in_anothers_name() -> None:
    """The statement is somebody else's, or signed by somebody else: it is refused, and the one it names stays."""
    net = Network(MANY_HANDS, 3, 13, options=lasting(MANY_HANDS), real_signatures=True, spectators=1)
    victim, forger = net.nodes[1], net.nodes[2]
    assert calm(net, victim, 40)
    body = peer_of(victim).membership.leave_body()
    assert body is not None
    right = signed(victim, "leave", body)
    stranger = signed(net.nodes[3], "leave", body)
    said: list[Statement] = [replace(right, signature=forger.identity.sign(canonical(right.signed_fields()))), stranger]
    orderer = next(node for node in net.nodes[:3] if peer_of(node).orders)
    for statement in said:
        peer_of(orderer).receive(forger.author, canonical({"t": "say", "s": statement.to_json()}))
    net.run(lambda: False, 5)
    assert all(not peer.match.former_authors and not peer.accusations for peer in net.peers)
    assert peer_of(orderer).refusal_counts["peers.unsigned"]


def late(net: Network, leaver: Node) -> Statement:
    """An honest leave that is wrong by now: other cards are sealed than those it names."""
    body = peer_of(leaver).membership.leave_body()
    assert body is not None
    statement = signed(leaver, "leave", body)
    length = len(peer_of(leaver).match.entries)
    assert net.run(lambda: net.agreed() and len(peer_of(leaver).match.entries) > length + 1 and not net.state().requests
                   and peer_of(leaver).match.refusal_at(len(peer_of(leaver).match.entries) - 1, statement) is not None)
    return statement


def test_who_orders_cannot_place_a_leave_that_came_too_late_and_its_author_did_nothing_wrong() -> None:
    net = Network(MANY_HANDS, 3, 14, real_signatures=True)
    leaver = net.nodes[1]
    assert calm(net, leaver, 30)
    statement = late(net, leaver)
    orderer = next(node for node in net.nodes if peer_of(node).orders)
    scene = Scene.of(net, orderer)
    if orderer is leaver:
        pytest.fail("the tale needs another one to order")
    scene.deliver([canonical({"t": "put", "e": [put(orderer, statement).to_json()]})])
    assert scene.convicted() == {"place"}


def test_a_leave_said_twice_convicts_nobody() -> None:
    """A page that crashed says it again; by then it is a stranger's."""
    net = Network(MANY_HANDS, 3, 15, options=lasting(MANY_HANDS), real_signatures=True)
    leaver = net.nodes[1]
    assert calm(net, leaver, 40)
    body = peer_of(leaver).membership.leave_body()
    assert body is not None
    again = signed(leaver, "leave", body)
    peer_of(leaver).leave()
    net.flush(leaver)
    assert net.run(lambda: all(leaver.author in peer.match.former_authors for peer in net.peers))
    for peer in net.peers:
        peer.receive(leaver.author, canonical({"t": "say", "s": again.to_json()}))
        peer.receive(leaver.author, canonical({"t": "blame", "why": "statement", "x": [again.to_json()]}))
    assert net.run(net.finished)
    assert not any(peer.accusations for peer in net.peers)
