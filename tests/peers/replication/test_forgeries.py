"""Forged shares, rolls, remasks, plays and places in a running match, with real signatures: whatever a changed program makes of a
message it owes, every honest peer refuses it, holds its author guilty, and can prove so to anybody by a file.

Forged keys and shuffles are in ``test_forged_shuffles.py``, forged leaves in ``test_forged_leaves.py``; what each forgery is
worth as mathematics is tried in ``sealed/test_forgeries.py``.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tabletin.kernel.log import Statement, canonical
from tabletin.peers.sealed.group import IDENTITY, L, Stream, encode_scalar
from tabletin.peers.sealed.judging import leave_handles
from tabletin.peers.sealed.messages import Leave, Play, RollShare, Share, decode, encode
from tabletin.peers.sealed.proofs import prove_shares
from tabletin.peers.sealed.requests import RollDuty, ShareDuty
from tabletin.registry import rules_of
from tests.support.examples import MANY_HANDS, ONE_DEAL
from tests.support.forging import FAST, REAL, Scene, put, signed
from tests.support.peer_matches import QUICK
from tests.support.peer_sim import Network, Node

# ---- shares ----

def wrong_share(scene: Scene, message: Share) -> Share:
    """Of another secret, and proven for it."""
    deal, peer = scene.deal, scene.party.peer
    points = [deal.cards[handle].cipher.a for handle in message.handles]
    shares = [deal.group.multiples(point, [99])[0] for point in points]
    proof = prove_shares(deal.group, deal.context(0, peer, "share"), 99, deal.keys[peer], points, shares, Stream(b"w"))
    return Share(message.handles, tuple(shares), proof)


def of_a_wrong_card(scene: Scene, message: Share) -> Share:
    """A true share of another card than the one asked for, proven for that one."""
    deal, party = scene.deal, scene.party
    other = next(handle for handle in deal.cards if handle not in message.handles)
    secret = party._secret(deal)
    points = [deal.cards[handle].cipher.a for handle in message.handles]
    shares = [deal.group.multiples(deal.cards[other].cipher.a, [secret])[0], *message.shares[1:]]
    ctx, key = deal.context(0, party.peer, "share"), deal.keys[party.peer]
    proof = prove_shares(deal.group, ctx, secret, key, points, shares, Stream(b"o"))
    return Share(message.handles, tuple(shares), proof)


def for_a_wrong_card(scene: Scene, message: Share) -> Share:
    """A true share with its true proof, for a card nobody asked for."""
    deal, party = scene.deal, scene.party
    other = max(handle for handle in deal.cards if handle not in message.handles)
    shares, proof = party._shares(deal, "share", (other,))
    return Share((other,), shares, proof)


def replayed_proof(scene: Scene, message: Share) -> Share:
    """Its own proof for another purpose."""
    _, proof = scene.party._shares(scene.deal, "leave", message.handles)
    return replace(message, proof=proof)


@pytest.mark.parametrize("change", [wrong_share, of_a_wrong_card, for_a_wrong_card, replayed_proof],
                         ids=lambda change: str(change.__name__))
@pytest.mark.parametrize("number", [0, 2])
def test_a_forged_share_convicts(change: Callable[[Scene, Share], Share], number: int) -> None:
    scene = Scene(MANY_HANDS, number, ShareDuty)
    scene.say(encode(change(scene, scene.honest())))
    assert scene.convicted() <= {"statement", "place"}


def larger(data: bytes, message: Share) -> bytes:
    """s + L: the same response, spelled another way."""
    response = message.proof.response
    return data[:-32] + (response + L).to_bytes(32, "little")


def high_bit(data: bytes, message: Share) -> bytes:
    point = message.shares[0]
    return data.replace(point, point[:31] + bytes([point[31] | 0x80]))


def identity(data: bytes, message: Share) -> bytes:
    return data.replace(message.shares[0], IDENTITY)


@pytest.mark.parametrize("change", [larger, high_bit, identity], ids=lambda change: str(change.__name__))
def test_another_encoding_convicts(change: Callable[[bytes, Share], bytes]) -> None:
    scene = Scene(MANY_HANDS, 2, ShareDuty, REAL)
    honest = scene.honest()
    data = encode(honest)
    assert encode_scalar(honest.proof.response) == data[-32:]
    assert change(data, honest) != data
    scene.say(change(data, honest))
    assert scene.convicted() == {"statement"}


# ---- rolls, remasks, plays ----

def test_a_forged_share_of_a_roll_convicts() -> None:
    scene = Scene(ONE_DEAL, 2, RollDuty)
    message = scene.honest()
    assert isinstance(message, RollShare)
    scene.say(encode(replace(message, share=FAST.sum([(1, message.share), (1, FAST.base)]))))
    assert scene.convicted() == {"statement"}


def holds_a_card(node: Node) -> bool:
    peer = node.peer
    assert peer is not None
    return not peer.match.state.requests and peer.match.outcome is None and any(
        peer.match.setup.seats[seat].author == node.author for seat in peer.match.rules.to_act(peer.match.state))


@pytest.mark.parametrize("number", range(3))
def test_a_false_face_convicts(number: int) -> None:
    """A move that opens a card under another face, with the card's true share."""
    net = Network(MANY_HANDS, 3, 5, group=FAST, real_signatures=True)
    cheat = net.nodes[number]
    act, found = net.act, list[dict[str, Any]]()

    def watch(node: Node) -> None:
        peer = node.peer
        if node is cheat and not found and peer is not None and peer.ready and peer.pending is None and holds_a_card(node):
            match = peer.match
            faces = match.view((number,)).faces
            for move in match.rules.moves(match.state, number, faces):
                openings = match.rules.openings(match.state, number, move, faces)
                if openings:
                    body = {"seat": number, "do": move, "open": peer.dealer.open(match.state, peer.current_dealing, openings)}
                    found.append(body)
                    return
        if not found:
            act(node)

    net.act = watch  # type: ignore[method-assign]
    assert net.run(lambda: bool(found) and net.agreed(), 2000)
    scene = Scene.of(net, cheat)
    body = found[0]
    card, face, proof = body["open"][0]
    other = next(name for name in net.peers[0].match.rules.deck() if name != face)
    said = decode(FAST, b64decode(proof))
    assert isinstance(said, Play)
    forged = encode(replace(said, faces=(other, *said.faces[1:])))
    scene.send("move", {**body, "open": [[card, other, b64encode(forged).decode()], *body["open"][1:]]})
    assert scene.convicted() <= {"statement", "place"}


@pytest.mark.parametrize("kind", ["leave", "gone", "play"])
def test_what_has_another_way_of_being_said_is_no_part_of_a_deal(kind: str) -> None:
    """A leave in the middle of a hand would take cards out of the deal that the rules still count on."""
    scene = Scene(MANY_HANDS, 1, ShareDuty)
    scene.net.run(lambda: False, 5)
    deal, party = scene.deal, scene.party
    mine = {party.peer}
    held = tuple(handle for handle, card in deal.cards.items() if {card.reader} == mine and not deal.missing(handle) - mine)
    face = rules_of(MANY_HANDS)(3).deck()[0]
    if kind == "leave":
        handles = leave_handles(deal, party.peer)
        data = encode(Leave(handles, *party._shares(deal, "leave", handles)))
    else:
        data = b"\x08\x00" if kind == "gone" else encode(Play(held[:1], (face,), *party._shares(deal, "play", held[:1])))
    scene.say(data)
    assert scene.convicted() <= {"statement"}


# ---- places and turns ----

def test_two_different_places_at_one_index_convict_at_every_table() -> None:
    """One peer sees both; it tells the others, and each of them can prove it."""
    net = Network(ONE_DEAL, 3, 8, group=FAST, real_signatures=True)
    assert net.run(lambda: net.agreed() and len(net.peers[0].match.entries) > 20)
    scene = Scene.of(net, next(node for node in net.nodes if node.author == net.peers[0].match.orderer))
    at = len(net.peers[0].match.entries) - 1
    mine = net.nodes.index(scene.cheat)
    other = put(scene.cheat, signed(scene.cheat, "resign", {"seat": mine}), at)
    witness = scene.others[0].peer
    assert witness is not None
    scene.cheat.peer = None
    witness.receive(scene.cheat.author, canonical({"t": "put", "e": [other.to_json()]}))
    net.flush(scene.others[0])
    assert scene.convicted() == {"fork"}


@pytest.mark.parametrize("message", [
    {}, {"x": []}, {"why": "statement", "x": [1]}, {"why": "fork", "x": []}, {"why": "place", "x": [{}]}, {"why": "x", "x": []},
    {"why": "shuffle", "x": []},
])
def test_junk_accuses_nobody(message: dict[str, Any]) -> None:
    net = Network(ONE_DEAL, 3, 9)
    net.run(lambda: len(net.peers[0].match.entries) > 20)
    net.peers[0].receive(net.peers[1].author, canonical({"t": "blame", **message}))
    assert not net.peers[0].accusations and net.peers[0].refusal_counts["malformed"] == 1


def test_what_was_honestly_signed_accuses_nobody() -> None:
    """Every statement and place of a whole match, brought forward as if it were a misdeed."""
    net = Network(MANY_HANDS, 3, 10, options=QUICK[MANY_HANDS])
    assert net.run(net.finished)
    peer, liar = net.peers[0], net.peers[1].author
    for entry in peer.match.entries[1:]:
        said = entry.statement.to_json()
        for message in ({"why": "statement", "x": [said]}, {"why": "counter", "x": [said, said]},
                        {"why": "twice", "x": [said, said]}, {"why": "place", "x": [entry.to_json()]},
                        {"why": "fork", "x": [entry.to_json(), entry.to_json()]}):
            peer.receive(liar, canonical({"t": "blame", **message}))
    assert not peer.accusations


def test_a_strangers_misdeed_stops_nobody() -> None:
    """A device that only follows can sign what it likes: it is refused, and the match goes on."""
    net = Network(ONE_DEAL, 2, 11, spectators=1, real_signatures=True)
    net.run(lambda: len(net.peers[0].match.entries) > 20 and net.agreed())
    stranger = net.nodes[2]
    assert stranger.peer is not None
    statement: Statement = signed(stranger, "move", {"seat": 0, "do": ["win"], "open": []})
    for peer in net.peers[:2]:
        for message in ({"t": "say", "s": statement.to_json()}, {"t": "blame", "why": "statement", "x": [statement.to_json()]}):
            peer.receive(stranger.author, canonical(message))
        assert not peer.accusations and peer.refusal_counts["kernel.stranger"]
    assert net.run(net.finished)
