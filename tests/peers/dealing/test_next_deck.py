"""The next hand prepared while this one is played: said early, checked alike, opened by nobody before it is asked for."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any

import pytest

from tabletin.kernel.options import Refused
from tabletin.kernel.requests import Shuffle as ShuffleAsked
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.replication.evidence import judge
from tabletin.peers.replication.replica import Replica
from tabletin.peers.sealed.messages import Key, ShuffleTurn, decode
from tabletin.peers.sealed.pending import Checker
from tabletin.registry import rules_of
from tests.support.examples import MANY_HANDS, ONE_DEAL, lasting
from tests.support.false_shuffles import FalseAhead
from tests.support.peer_matches import check_finished, network
from tests.support.peer_sim import Disk, Faults, Network
from tests.support.standin_group import StandInGroup


def hands(seed: int = 61, peers: int = 3, **more: Any) -> Network:
    return Network(MANY_HANDS, peers, seed, options=lasting(MANY_HANDS), **more)


def dealing_at(net: Network, index: int) -> SealedDealing:
    dealing = net.peers[0].match.snapshot_at(index).dealing
    assert isinstance(dealing, SealedDealing)
    return dealing


def prepared(net: Network) -> bool:
    """Whether everybody holds the same next hand, shuffled and checked, while this one is played."""
    aheads = [peer.dealing.next_deck for peer in net.peers]
    return net.agreed() and aheads[0] is not None and not aheads[0].deal.requests and not net.state().requests


def test_a_prepared_hand_needs_no_key_and_no_shuffle_when_it_is_asked_for() -> None:
    net = hands()
    assert net.run(net.finished)
    check_finished(net)
    match = net.peers[0].match
    asked = prepared_ones = 0
    for index, entry in enumerate(match.entries):
        requests = match.snapshot_at(index).state.requests
        fresh = [request for request in requests if isinstance(request, ShuffleAsked) and not request.cards]
        if not fresh or index == 0 or entry.statement.kind != "move":
            continue
        asked += 1
        ahead = dealing_at(net, index).next_deck
        if ahead is None or ahead.deal.requests:
            continue
        prepared_ones += 1
        for later in match.entries[index + 1:]:
            body = later.statement.body
            if later.statement.kind == "move":
                break
            if "sealed" in body:
                assert not isinstance(decode(net.checker.group, b64decode(body["sealed"])), Key | ShuffleTurn)
    assert asked and prepared_ones


def test_nothing_of_a_prepared_hand_is_shared_or_read() -> None:
    net = hands(62)
    assert net.run(lambda: prepared(net))
    for peer in net.peers:
        ahead = peer.dealing.next_deck
        assert ahead is not None and len(ahead.deal.cards) == len(ahead.faces)
        assert all(not card.shares and card.reader is None and card.face is None for card in ahead.deal.cards.values())
        assert not peer.dealer.prepare(peer.dealing)
    keys = [dealing.deal.keys for dealing in (net.peers[0].dealing,) if dealing.deal is not None]
    ahead = net.peers[0].dealing.next_deck
    assert ahead is not None and not set(ahead.deal.keys.values()) & set(keys[0].values()), "keys are new for every deal"


def test_numbers_of_deals_never_repeat() -> None:
    net = Network(MANY_HANDS, 3, 63, options=lasting(MANY_HANDS))
    assert net.run(net.finished)
    numbers: list[int] = []
    for index in range(len(net.peers[0].match.entries)):
        ceremony = dealing_at(net, index).deal
        if ceremony is not None and (not numbers or numbers[-1] != ceremony.number):
            numbers.append(ceremony.number)
    assert len(numbers) > 1 and numbers == sorted(set(numbers))


def test_a_game_of_one_deal_prepares_nothing() -> None:
    net = network(ONE_DEAL, 2, 64)
    assert net.run(net.finished)
    assert all("ahead" not in entry.statement.body for entry in net.peers[0].match.entries)


@pytest.mark.parametrize("seed", range(3))
def test_a_peer_gone_drops_what_was_prepared_with_it(seed: int) -> None:
    net = hands(65 + seed)
    assert net.run(lambda: prepared(net))
    lost = net.nodes.pop(1)
    for peer in net.peers:
        peer.choices.removals.add(lost.author)
    assert net.run(lambda: all(peer.match.former_authors for peer in net.peers))
    first = net.peers[0].match
    index = next(i for i, entry in enumerate(first.entries) if entry.statement.kind == "gone")
    assert dealing_at(net, index).next_deck is None
    assert net.run(net.finished)
    check_finished(net)


def refusal_of(peer: Replica, author: str, body: dict[str, Any]) -> str:
    with pytest.raises(Refused) as caught:
        list(peer.dealing.copy().read(peer.match.state, author, body))
    return caught.value.refusal.key


def test_only_keys_and_shuffles_are_said_early_and_only_in_turn() -> None:
    net = hands(68)
    assert net.run(lambda: prepared(net))
    peer = net.peers[0]
    sealed = [entry.statement for entry in peer.match.entries if "sealed" in entry.statement.body]
    early = [entry.statement for entry in peer.match.entries if "ahead" in entry.statement.body]
    assert len(early) == 6
    group = net.checker.group
    share = next(s for s in sealed if not isinstance(decode(group, b64decode(s.body["sealed"])), Key | ShuffleTurn))
    before = peer.dealing.copy()
    assert refusal_of(peer, share.author, {"ahead": share.body["sealed"]}) == "sealed.not_due"
    for statement in early:  # each of them a second time
        assert refusal_of(peer, statement.author, statement.body) == "sealed.not_due"
    assert refusal_of(peer, "f" * 64, early[0].body) in ("sealed.stranger", "kernel.stranger")
    assert refusal_of(peer, share.author, {"ahead": b64encode(b"\x07\x00").decode()}) == "sealed.not_due"
    assert refusal_of(peer, share.author, {"ahead": 3}) == "sealed.malformed"
    assert peer.dealing == before


def test_a_move_made_while_the_next_hand_is_prepared_is_kept_and_said() -> None:
    """Nobody waits for it: a person may move at any time."""
    net = Network(MANY_HANDS, 2, 69, options=lasting(MANY_HANDS), faults=Faults(latency=0.2, jitter=0.0))
    tried: list[tuple[int, str, Any]] = []
    act = net.act

    def press(node: Any) -> None:
        peer = node.peer
        if peer is not None and peer.pending is not None and "ahead" in peer.pending.body and not tried:
            match = peer.match
            own = [seat for seat in match.rules.to_act(match.state) if match.setup.seats[seat].author == node.author]
            if own:
                move = next(iter(match.view(own).moves(own[0])))
                peer.move(own[0], move)
                assert peer.pending is not None and "ahead" in peer.pending.body
                tried.append((len(match.entries), node.author, move))
        act(node)

    net.act = press  # type: ignore[method-assign]
    assert net.run(lambda: bool(tried), seconds=10**4)
    assert net.run(net.finished)
    check_finished(net)
    ((index, author, move),) = tried
    said = [entry.statement for entry in net.peers[0].match.entries[index:] if entry.statement.author == author]
    assert list(next(statement for statement in said if statement.kind == "move").body["do"]) == list(move)


def test_undo_may_cross_what_only_prepares_the_next_hand() -> None:
    net = hands(70)
    assert net.run(lambda: prepared(net))
    match = net.peers[0].match
    early = [i for i, entry in enumerate(match.entries) if "ahead" in entry.statement.body]
    chances = [i for i, entry in enumerate(match.entries) if entry.statement.kind == "deal" and i not in early]
    last_chance = max(index for index in chances if index < early[-1])
    index = max(last_chance, early[-1] - 1)
    assert index < len(match.entries) - 1
    refusal = match.undo_refusal(0, index)
    assert refusal is None or refusal.key != "kernel.undo.chance"
    crossing = match.undo_refusal(0, chances[0] - 1)
    assert crossing is not None and crossing.key in ("kernel.undo.chance", "kernel.undo.target")


@pytest.mark.parametrize("number", range(3))
def test_a_false_shuffle_of_the_next_hand_convicts_its_author(number: int) -> None:
    net = hands(71)
    cheat = net.nodes[number]
    cheat.dealer = FalseAhead(cheat.author, bytes([number + 1]) * 32)
    for node in net.nodes:
        node.disk = Disk()
        node.start(net.genesis)
    def accused() -> bool:
        return any(peer.accusations for peer in net.peers if peer.author != cheat.author)

    if number == 2:  # the last of a chain is judged at once, and its own program would not sign it
        with pytest.raises(Refused):
            net.run(accused, 600)
        return
    assert net.run(accused, 600)
    for peer in net.peers:
        for accusation in peer.accusations:
            assert accusation.culprit == cheat.author
            proven = judge(accusation, rules_of, net.verifier, Checker(StandInGroup()))
            assert proven is not None
