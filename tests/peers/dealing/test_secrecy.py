"""Secrecy of a sealed match, over the data that colluding opponents hold: every message ever sent, every log and memory.

A card's face follows from its ciphertext and everybody's share of it. So a hand is secret as long as its reader's own share
of each closed card never leaves the reader: without it, any face in the deck fits what the others hold. These tests look at
all that left a victim, placed in the log or not, in whole matches of every game.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tabletin.kernel.log import canonical, parse
from tabletin.kernel.match import Match
from tabletin.kernel.requests import Roll
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.sealed.deck import unmask
from tabletin.peers.sealed.messages import Leave, Message, Play, Share, decode
from tabletin.peers.sealed.party import Party
from tabletin.peers.sealed.pending import Rolling
from tabletin.registry import GAMES, rules_of
from tests.support.examples import ONE_DEAL, example_of, one_a_family
from tests.support.peer_matches import network
from tests.support.peer_sim import BAD, Network
from tests.support.sent import statements_sent


def dealing_messages(net: Network, statement: dict[str, Any]) -> Iterator[Message]:
    """The dealing messages inside one statement: its own, and that of a move's openings."""
    body = statement["body"]
    if statement["kind"] == "deal" and body:
        yield decode(net.checker.group, b64decode(body["sealed"] if "sealed" in body else body["ahead"]))
    elif statement["kind"] == "leave" and body["sealed"]:
        yield decode(net.checker.group, b64decode(body["sealed"]))
    elif statement["kind"] == "move" and body["open"]:
        yield decode(net.checker.group, b64decode(body["open"][0][2]))


def shared_by(net: Network, author: str) -> set[tuple[str, tuple[int, ...]]]:
    """What ``author`` gave its share of, in any message it ever sent to anybody: (kind, handles)."""
    shared: set[tuple[str, tuple[int, ...]]] = set()
    for sender, statement in statements_sent(net):
        if sender == author and statement["by"] == author:
            for told in dealing_messages(net, statement):
                if isinstance(told, Share | Play | Leave):
                    shared.add((type(told).__name__, told.handles))
    return shared


@pytest.mark.parametrize("game", GAMES)
def test_no_share_of_a_closed_card_ever_leaves_its_reader(game: str) -> None:
    net = network(game, 3, 21, replace(BAD, leaves=int(rules_of(game).plays_on)))
    assert net.run(net.finished)
    for victim in net.nodes:
        assert victim.peer is not None
        match = victim.peer.match
        closed: set[int] = set()  # handles that were shown to this peer alone and never to all
        opened: set[int] = set()
        for _, state, _ in match.story():
            opened |= set(state.public)
            mine = sum(1 << seat for seat, player in enumerate(match.setup.seats) if player.author == victim.author)
            closed |= {card for card, shown in state.viewers.items() if shown & mine}
        for kind, handles in shared_by(net, victim.author):
            leaked = set(handles) & (closed - opened)
            for handle in leaked:
                assert not was_readers_own(match, victim.author, handle), f"{kind} of {handle}"


def was_readers_own(match: Any, author: str, handle: int) -> bool:
    """Whether at some entry ``handle`` was closed, read by ``author``'s peer, and yet carried that peer's share."""
    for entry in match.entries:
        dealing = match.snapshot_at(entry.index).dealing
        assert isinstance(dealing, SealedDealing)
        ceremony = dealing.deal
        if ceremony is None or author not in dealing.authors:
            continue
        card = ceremony.cards.get(handle)
        peer = dealing.authors.index(author)
        if card is not None and card.face is None and card.reader == peer and peer in card.shares:
            return True
    return False


def keeps_hands(match: Match) -> bool:
    """Whether a card was shown to one seat alone and stayed closed while another entry came."""
    return any(len(seats) == 1 for _, state, _ in match.story() for card, mask in state.viewers.items()
               if card not in state.public and (seats := f"{mask:b}".replace("0", "")))


@pytest.mark.parametrize("game", one_a_family(3))
def test_the_replicated_deal_never_holds_a_readers_own_share_of_a_closed_card(game: str) -> None:
    net = network(game, 3, 22)
    assert net.run(net.finished)
    match = net.peers[0].match
    checked = 0
    for index in range(len(match.entries)):
        dealing = match.snapshot_at(index).dealing
        assert isinstance(dealing, SealedDealing)
        if dealing.deal is None:
            continue
        for card in dealing.deal.cards.values():
            if card.face is None and card.reader is not None:
                assert card.reader not in card.shares
                checked += 1
    assert checked or not keeps_hands(match)


@pytest.mark.parametrize("game", one_a_family(3))
def test_no_message_names_a_private_face_or_a_secret(game: str) -> None:
    """Faces stand in messages only as openings and public results; seeds and knowledge never do."""
    net = network(game, 2, 23)
    assert net.run(net.finished)
    match = net.peers[0].match
    deck = set(match.rules.deck())
    for sender, _, data in net.sent:
        for seed in (node.dealer._seed for node in net.nodes):
            assert seed not in data and seed.hex().encode() not in data
        message = parse(data)
        for entry in message["e"] if message.get("t") == "put" else ():
            body = dict(entry["say"]["body"])
            openings = body.pop("open", [])
            body.pop("sealed", None)
            body.pop("ahead", None)
            if entry["say"]["kind"] in ("deal", "order"):
                assert not faces_in(body, deck), f"{sender} {body}"
            assert all(type(opening[0]) is int for opening in openings)


def faces_in(value: Any, deck: set[str]) -> set[str]:
    text = canonical(value).decode()
    return {face for face in deck if len(face) > 2 and f'"{face}"' in text}


@pytest.mark.parametrize("game", one_a_family(3))
def test_what_colluders_can_compute_opens_no_closed_card(game: str) -> None:
    """All shares the others hold of a victim's closed card, taken off it, leave no face's point; with the victim's own
    share, which never left it, they leave the card's."""
    net = network(game, 3, 24)
    assert net.run(lambda: bool(closed_cards(net)) and net.agreed() and not net.state().requests)
    victim = net.nodes[0]
    assert victim.peer is not None
    ceremony = victim.peer.dealing.deal
    assert ceremony is not None
    group = net.checker.group
    points = {group.card_point(face) for face in victim.peer.match.rules.deck()}
    party = Party(victim.peer.dealing.authors.index(victim.author), victim.dealer._seed)
    for handle in closed_cards(net):
        card = ceremony.cards[handle]
        assert set(card.shares) == set(ceremony.peers) - {party.peer}
        (left,) = unmask(group, [card.cipher], [list(card.shares.values())])
        assert left not in points
        assert group.card_point(party.read(ceremony, (handle,))[handle]) in points
    for other in net.nodes[1:]:
        assert other.peer is not None
        assert not set(closed_cards(net)) & set(other.peer.match.knowledge)


def left_behind(match: Any) -> tuple[str, dict[int, Any], Any] | None:
    """Of the first hand that was played on without somebody: who left, and the sealed cards that only it had been shown."""
    index = next((entry.index for entry in match.entries if entry.statement.kind == "leave"), None)
    if index is None or match.entries[index].statement.body["sealed"] is None:
        return None
    author, dealing = match.entries[index].statement.author, match.snapshot_at(index - 1).dealing
    number, deal = dealing.authors.index(author), dealing.deal
    return author, {handle: card for handle, card in deal.cards.items() if card.face is None and card.reader == number}, deal


@pytest.mark.parametrize("game", [game for game in one_a_family(3) if rules_of(game).plays_on])
def test_the_hand_of_who_left_stays_unknown_to_all_others(game: str) -> None:
    """They hold everybody's share of it but the leaver's own, which was in no message it ever sent; so nothing they hold opens
    it. And what the leaver gave of the cards that stay opens none of them: each lacks everybody who stayed."""
    held = 0
    for seed in range(4):
        net = network(game, 3, 26 + seed)
        node = net.nodes[seed % 3]
        net.run(lambda net=net, seed=seed: len(net.peers[0].match.entries) >= 25 + 9 * seed)  # type: ignore[misc]
        if node.peer is not None and node.peer.match.outcome is None:
            node.peer.leave()
            net.flush(node)
        assert net.run(net.finished)
        match = net.peers[0].match
        found = left_behind(match)
        if found is None:
            continue
        author, hand, deal = found
        index = next(entry.index for entry in match.entries if entry.statement.kind == "leave")
        points = {deal.group.card_point(face) for face in match.rules.deck()}
        shared = {handle for kind, handles in shared_by(net, author) for handle in handles if kind == "Leave"}
        assert shared.isdisjoint(hand)
        opened = {card for _, state, _ in match.story() for card in state.public}
        for handle, card in hand.items():
            held += 1
            (left,) = unmask(deal.group, [card.cipher], [list(card.shares.values())])
            assert left not in points and handle not in opened
            assert all(handle not in peer.match.knowledge for peer in net.peers if peer.author != author)
        dealing = match.snapshot_at(index).dealing
        assert isinstance(dealing, SealedDealing) and dealing.deal is not None
        after = dealing.deal
        for handle in shared & after.cards.keys():
            card = after.cards[handle]
            if card.face is None and card.reader is None:
                assert after.missing(handle) == set(after.peers) - card.shares.keys() and not card.shares
                assert card.cipher.b not in points
    assert held or example_of(game).open_hands


def closed_cards(net: Network) -> list[int]:
    """The closed cards that only the first node's peer can read."""
    peer = net.nodes[0].peer
    assert peer is not None
    ceremony = peer.dealing.deal
    if ceremony is None:
        return []
    me = peer.dealing.authors.index(peer.author)
    return [handle for handle, card in ceremony.cards.items()
            if card.face is None and card.reader == me and not ceremony.missing(handle) - {me}]


def test_a_roll_hangs_on_the_entry_that_asked_for_it() -> None:
    """So shares of a roll that two histories collected have nothing to do with each other."""
    net = network(ONE_DEAL, 2, 25)
    assert net.run(net.finished)
    match = net.peers[0].match
    rolls = 0
    for index in range(len(match.entries)):
        dealing = match.snapshot_at(index).dealing
        assert isinstance(dealing, SealedDealing)
        for pending in dealing.deal.requests if dealing.deal is not None else ():
            if isinstance(pending, Rolling):
                asked = next(i for i, entry in enumerate(match.entries) if entry.hash == pending.head.hex())
                assert asked <= index
                assert any(isinstance(request, Roll) for request in match.snapshot_at(asked).state.requests)
                rolls += 1
    assert rolls
