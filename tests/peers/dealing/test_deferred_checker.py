"""Catching up: shuffles of finished hands are checked in the background, those of the hand under way before anything is said."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import replace

import pytest

from tabletin.kernel.log import Entry, canonical, place
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.dealing.deferred_checker import DeferredChecker
from tabletin.peers.replication.authority import SignedAuthority
from tabletin.peers.replication.backfill import BATCH
from tabletin.peers.replication.evidence import judge, peer_match
from tabletin.peers.replication.replica import Replica
from tabletin.peers.replication.sync import MANY, VERSION
from tabletin.peers.sealed.group import L
from tabletin.peers.sealed.messages import Share, decode, encode
from tabletin.peers.sealed.pending import Checker
from tabletin.registry import rules_of
from tests.support.examples import MANY_HANDS, lasting
from tests.support.false_shuffles import let_cheat
from tests.support.peer_matches import QUICK
from tests.support.peer_sim import Network
from tests.support.standin_group import StandInGroup


def late_peer(net: Network, number: int) -> Replica:
    """A replica of node ``number`` that has nothing yet and puts shuffles off."""
    node = net.nodes[number]
    match = peer_match(net.genesis, rules_of(net.setup.game), net.verifier, DeferredChecker(StandInGroup()))
    return Replica(node.identity, SignedAuthority(net.setup, net.verifier), match, node.dealer, restarted=True)


def feed(peer: Replica, net: Network, source: Replica) -> None:
    entries = source.match.entries
    for start in range(1, len(entries), BATCH):
        batch = [entry.to_json() for entry in entries[start:start + BATCH]]
        peer.receive(source.author, canonical({"t": "put", "e": batch}))


def test_finished_hands_are_checked_in_the_background() -> None:
    net = Network(MANY_HANDS, 3, 31, options=lasting(MANY_HANDS))
    assert net.run(net.finished)
    source = net.peers[0]
    assert source.dealing.deals > 2
    peer = late_peer(net, 1)
    feed(peer, net, source)
    assert peer.match.head == source.match.head
    assert peer.unchecked_count > 0 and peer.deferred_checker is not None and peer.deferred_checker.urgent == 0
    now = 0.0
    while peer.unchecked_count:
        left = peer.unchecked_count
        now += 1.5
        peer.tick(now)
        assert peer.unchecked_count < left
    assert not peer.accusations


@pytest.mark.parametrize("number", range(2))
def test_a_false_shuffle_of_a_finished_hand_is_found_and_proven(number: int) -> None:
    """Whoever dealt from that deck all the same is accused, too, and what stands behind it falls away."""
    net = Network(MANY_HANDS, 3, 32, options=lasting(MANY_HANDS))
    let_cheat(net, number)
    assert net.run(net.finished)
    peer = late_peer(net, (number + 1) % 3)
    peer._sync.check_deferred = lambda: None  # type: ignore[method-assign]
    feed(peer, net, net.peers[0])
    assert peer.match.head == net.peers[0].match.head
    del peer._sync.check_deferred
    now = 0.0
    while peer.unchecked_count:
        now += 1.5
        peer.tick(now)
    (accusation,) = [one for one in peer.accusations if one.why == "shuffle"]
    assert accusation.culprit == net.nodes[number].author
    assert peer.match.head == accusation.prefix[-1].hash
    proven = judge(accusation, rules_of, net.verifier, Checker(StandInGroup()))
    assert proven is not None and proven.key == "peers.why.shuffle"
    honest = replace(accusation, culprit=net.nodes[(number + 1) % 3].author)
    assert judge(honest, rules_of, net.verifier, Checker(StandInGroup())) is None


def test_shuffles_said_a_hand_early_are_checked_before_anything_is_said() -> None:
    """The hand under way may have been shuffled while the one before was played; it is no finished hand's for that."""
    net = Network(MANY_HANDS, 3, 33, options=lasting(MANY_HANDS))

    def in_a_prepared_hand() -> bool:
        dealing = net.peers[0].dealing
        return dealing.deals > 2 and net.agreed() and not net.state().requests and prepared_early(net)

    assert net.run(in_a_prepared_hand)
    peer = late_peer(net, 1)
    peer._sync.check_deferred = lambda: None  # type: ignore[method-assign]
    feed(peer, net, net.peers[0])
    late, deal = peer.deferred_checker, peer.dealing.deal
    assert late is not None and deal is not None and not peer.ready
    waiting = {claim.ctx for hand, claim in late._deferred.values() if hand == late.hand}
    assert len(waiting) + sum(hand > late.hand for hand, _ in late._deferred.values()) == late.urgent
    assert {deal.context(0, number, "shuffle") for number in (0, 2)} <= waiting
    assert deal.context(0, 1, "shuffle") not in waiting, "its own program checked that before it signed it"
    ahead = peer.dealing.next_deck
    early = {claim.ctx for hand, claim in late._deferred.values() if hand > late.hand}
    if ahead is not None and not ahead.deal.requests:
        assert early == {ahead.deal.context(0, number, "shuffle") for number in (0, 2)}
    late.work(late.urgent)
    assert not early.intersection(claim.ctx for _, claim in late._deferred.values()), "so are those of a prepared deck"
    assert late.urgent == 0 and not late.failed


@pytest.mark.parametrize("author", [0, 1])
def test_a_false_share_is_found_at_once_however_far_behind_one_is(author: int) -> None:
    """What is put off is shuffles. Another's share is checked before it is taken in; what this device (number 1) signed itself
    it takes for its own."""
    net = Network(MANY_HANDS, 3, 34, options=QUICK[MANY_HANDS])
    assert net.run(net.finished)
    entries = list(net.peers[0].match.entries)
    node = net.nodes[author]
    index, said = next((entry.index, message) for entry in entries if entry.index > MANY and entry.statement.author == node.author
                       and entry.statement.kind == "deal" and "sealed" in entry.statement.body
                       and isinstance(message := decode(net.checker.group, b64decode(entry.statement.body["sealed"])), Share))
    proof = said.proof._replace(response=(said.proof.response + 1) % L)
    statement = replace(entries[index].statement, body={"sealed": b64encode(encode(replace(said, proof=proof))).decode()})
    statement = replace(statement, signature=node.identity.sign(canonical(statement.signed_fields())))
    orderer = next(one.identity for one in net.nodes if one.author == net.peers[0].match.snapshot_at(index - 1).orderer)
    signature = orderer.sign(canonical(place(index, entries[index - 1].hash, statement.hash)))
    entries[index] = Entry.create(index, entries[index - 1].hash, statement, signature)
    peer = late_peer(net, 1)
    peer.receive(net.nodes[0].author, canonical({"t": "put", "e": [entry.to_json() for entry in entries[1:index + 1]][-BATCH:]}))
    assert len(peer.match.entries) == index + author and index < BATCH
    assert [accusation.why for accusation in peer.accusations] == (["place"] if author == 0 else [])


def prepared_early(net: Network) -> bool:
    """Whether the shuffles of the hand under way stand in the log as prepared ones."""
    entries = net.peers[0].match.entries
    deal = net.peers[0].dealing.deal
    numbers = [number for number, entry in enumerate(entries) if "ahead" in entry.statement.body]
    for number in reversed(numbers):
        dealing = net.peers[0].match.snapshot_at(number).dealing
        assert isinstance(dealing, SealedDealing)
        if deal is not None and dealing.next_deck is not None and dealing.next_deck.deal.number == deal.number:
            return not dealing.next_deck.deal.requests
    return False


def test_nobodys_unsigned_word_puts_off_what_is_urgent() -> None:
    """Whoever says that its log is much longer does not keep the shuffles of the hand under way from being checked at once."""
    net = Network(MANY_HANDS, 3, 36, options=lasting(MANY_HANDS))
    assert net.run(lambda: net.agreed() and net.peers[0].match.state.turn >= 0)
    source = net.peers[0]
    peer = late_peer(net, 1)
    head = {"t": "head", "i": 10**6, "h": "0" * 64, "m": peer.match.id, "v": VERSION}
    for entry in source.match.entries[1:]:
        peer.receive(source.author, canonical(head))
        peer.receive(source.author, canonical({"t": "put", "e": [entry.to_json()]}))
        assert peer.unchecked_count == 0
    assert peer.match.head == source.match.head
