"""Two deals that colluders cannot tell apart, for every game, in the real group, over all the data they hold.

The colluders have every message ever sent and the secrets of all peers but one, and so can take everybody's share but the
victim's off any card. What is left is the face's point and the victim's share x·a. For each face that could be there is one
value of that share with which it would be there; a deal with another face is told from this one only by such a value, or by one
of the victim's own secrets. So none of them may stand anywhere in what was sent: looked for at every byte of every message.
"""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as Base64Error
from collections import defaultdict
from typing import Any

import pytest

from tabletin.kernel.log import parse
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.replication.evidence import peer_match
from tabletin.peers.sealed.group import Stream, encode_scalar
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.registry import rules_of
from tests.support.all_pairs import texts_in
from tests.support.examples import MANY_HANDS, lasting, one_a_family
from tests.support.peer_matches import QUICK
from tests.support.peer_sim import Network, Node

GROUP = SodiumGroup()
ENTRIES = 70  # of a longer match


def everything_sent(net: Network) -> set[bytes]:
    """Every 32 bytes in a row of every message: as it was sent, and of what it spells in base64 or hexadecimal."""
    spelled: set[bytes] = set()
    for data in {data for _, _, data in net.sent}:
        for text in set(texts_in(parse(data))):
            spelled.add(text.encode())
            for read in (lambda text: b64decode(text, validate=True), bytes.fromhex):
                try:
                    spelled.add(read(text))
                except (ValueError, Base64Error):
                    continue
    return {data[at:at + 32] for data in spelled for at in range(len(data) - 31)}


def sealed_for(net: Network, victim: Node) -> dict[tuple[int, int, bytes], tuple[bytes, dict[str, int], tuple[str, ...]]]:
    """By deal, handle and a: b, the secret of each author whose key it is under, and the faces of the deck – for each card that
    only the victim may have seen, or nobody, and that no opening made public; of a victim that left, its hand alone, for of the
    other cards it gave its share."""
    match = peer_match(net.genesis, rules_of(net.setup.game), net.verifier, net.checker)
    found: dict[tuple[int, int, bytes], tuple[bytes, dict[str, int], tuple[str, ...]]] = {}
    for entry in net.peers[0].match.entries[1:]:
        match.append(entry)
        dealing = match.dealing
        assert isinstance(dealing, SealedDealing)
        deal = dealing.deal
        if deal is None or deal.key is None:
            continue
        me = dealing.authors.index(victim.author) if victim.author in dealing.authors else None
        inside = {dealing.authors[number] for number in deal.peers}
        secrets = {node.author: node.dealer._party(dealing)._secret(deal) for node in net.nodes if node.author in inside}
        for handle, card in deal.cards.items():
            name = deal.number, handle, card.cipher.a
            if card.face is None and me in deal.peers and card.reader in (None, me) and me not in card.shares:
                found[name] = card.cipher.b, secrets, tuple(deal.faces.values())
            else:
                found.pop(name, None)
    assert isinstance(match.dealing, SealedDealing)
    last = match.dealing.with_requests(match.state).deal
    asked = set() if last is None else {(last.number, handle) for _, handle in last.wanted_shares()}
    return {name: what for name, what in found.items() if name[:2] not in asked}  # those shares are on their way


def played(game: str, leaves: bool, seed: int) -> Network | None:
    """A match that has gone on for a while; None if somebody has no closed cards, if whoever wanted to go could not, or if a
    statement died in it: who said it has shown the peer that orders what it opens, though the log has nothing of it."""
    peers = min(3, rules_of(game).seat_counts.stop - 1)
    net = Network(game, peers, seed, options=(lasting(game) or QUICK[game]) if leaves else QUICK[game], group=GROUP)
    leaver = net.nodes[1] if leaves else None
    if leaver is not None:
        net.run(lambda: len(net.peers[0].match.entries) >= ENTRIES // 3)
        assert leaver.peer is not None
        leaver.peer.leave()
        net.flush(leaver)
    assert net.run(lambda: net.finished() or (net.agreed() and len(net.peers[0].match.entries) >= ENTRIES))
    if leaver is not None and leaver.author not in net.peers[0].match.former_authors:
        return None  # the match was over before it could go
    net.act = lambda node: None  # type: ignore[method-assign]
    net.run(lambda: False, 5)  # what is on its way arrives
    is_good = not any(peer.rejections for peer in net.peers) and all(sealed_for(net, victim) for victim in net.nodes)
    return net if is_good else None


CASES = [(game, False) for game in one_a_family(3)] + [(game, True) for game in one_a_family(3) if rules_of(game).plays_on]


@pytest.mark.parametrize(("game", "leaves"), CASES)
def test_colluders_cannot_tell_two_deals_apart(game: str, leaves: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """``leaves``: somebody goes politely on the way, and the others play the hand on."""
    drawn: defaultdict[bytes, set[bytes]] = defaultdict(set)  # by seed: every secret scalar drawn from it
    begin, draw = Stream.__init__, Stream.scalar

    def begun(self: Any, seed: bytes, *purpose: bytes) -> None:
        begin(self, seed, *purpose)
        self.seed = seed

    def scalar(self: Any) -> int:
        value = draw(self)
        drawn[self.seed].add(encode_scalar(value))
        return value

    monkeypatch.setattr(Stream, "__init__", begun)
    monkeypatch.setattr(Stream, "scalar", scalar)
    net = next(found for seed in range(27, 40) if (found := played(game, leaves, seed)) is not None)
    sent = everything_sent(net)
    for victim in net.nodes:
        closed = sealed_for(net, victim)
        assert closed
        for (_, handle, a), (b, secrets, faces) in closed.items():
            theirs = [(-secret, a) for author, secret in secrets.items() if author != victim.author]
            left = GROUP.sum([(1, b), *theirs])
            candidates = {GROUP.sum([(1, left), (-1, GROUP.card_point(face))]) for face in set(faces)}
            assert GROUP.sum([(secrets[victim.author], a)]) in candidates, "the right one is among them"
            assert not candidates & sent, f"card {handle} of {victim.author}"
            assert encode_scalar(secrets[victim.author]) not in sent
        mine = drawn[victim.dealer._seed]
        assert mine and not mine & sent
        assert victim.dealer._seed not in sent


def test_a_share_that_was_sent_is_found() -> None:
    """The search sees what it is meant to see: the shares that the rules asked the victim for."""
    net = Network(MANY_HANDS, 3, 28, options=QUICK[MANY_HANDS], group=GROUP)
    net.run(lambda: net.agreed() and len(net.peers[0].match.entries) >= 40)
    sent = everything_sent(net)
    victim = net.nodes[0]
    assert victim.peer is not None and victim.peer.dealing.deal is not None
    dealing, deal = victim.peer.dealing, victim.peer.dealing.deal
    me, secret = dealing.authors.index(victim.author), victim.dealer._party(dealing)._secret(deal)
    shared = [card for card in deal.cards.values() if me in card.shares]
    assert shared and all(GROUP.sum([(secret, card.cipher.a)]) in sent for card in shared)
