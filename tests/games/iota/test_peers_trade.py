"""A traded card goes under the pile closed; in a sealed match its author masks it anew, and cannot make another card of it."""

from __future__ import annotations

from dataclasses import replace

from tabletin.peers.sealed.messages import Remask, encode
from tabletin.peers.sealed.requests import RemaskDuty
from tests.support.forging import FAST, Scene
from tests.support.peer_sim import Node


def trade(node: Node) -> None:
    """Put a card of one's hand under the pile."""
    peer = node.peer
    if peer is None or not peer.ready or peer.pending is not None:
        return
    match = peer.match
    for seat in match.rules.to_act(match.state):
        if match.setup.seats[seat].author == node.author:
            peer.move(seat, ("pass", (), (match.state.hands[seat][0],)))


def test_a_remask_into_another_card_convicts() -> None:
    scene = Scene("iota", 0, RemaskDuty, act=trade)
    message = scene.honest()
    assert isinstance(message, Remask)
    moved = tuple(card._replace(b=FAST.sum([(1, card.b), (1, FAST.base)])) for card in message.output)
    scene.say(encode(replace(message, output=moved)))
    assert scene.convicted() <= {"statement", "place"}
