"""Forgeries in a running match, with real signatures: whatever a changed program makes of a message it owes,
every honest peer refuses it, holds its author guilty, and can prove so to anybody by a file.

What each forgery is worth as mathematics is tried in ``sealed/test_sealed_forgeries.py``; here it is said into a match.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tabletin.games import rules_of
from tabletin.kernel.log import Statement, canonical
from tabletin.peers.evidence import Accusation, judge
from tabletin.peers.identity import Ed25519Verifier
from tabletin.peers.sealed.ceremony import Ceremony
from tabletin.peers.sealed.deck import open_cards, reencrypt
from tabletin.peers.sealed.group import IDENTITY, Group, L, Stream, encode_scalar
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.sealed.group_standin import StandInGroup
from tabletin.peers.sealed.judging import leave_handles
from tabletin.peers.sealed.messages import Key, Leave, Play, Remask, RollShare, Share, Shuffled, decode, encode
from tabletin.peers.sealed.party import Party
from tabletin.peers.sealed.pending import Checker
from tabletin.peers.sealed.proofs import prove_key, prove_shares
from tabletin.peers.sealed.requests import Duty, KeyDuty, RemaskDuty, RollDuty, ShareDuty, ShuffleDuty
from tabletin.peers.sealed.shuffle import shuffle
from tabletin.peers.sealed_dealer import SealedDealer
from tabletin.peers.sealed_dealing import SealedDealing
from tests.peers.network import Disk, Network, Node
from tests.peers.test_evidence import put, signed

REAL = SodiumGroup()
FAST = StandInGroup()  # all equations hold in it, and it is as strict


class Holding(SealedDealer):
    """Owes no message of one kind, so that a test can say another in its place."""

    kind: type = KeyDuty

    def duties(self, state: Any, dealing: SealedDealing) -> list[Duty]:
        return [duty for duty in super().duties(state, dealing) if not isinstance(duty, self.kind)]

    def owed(self, state: Any, dealing: SealedDealing) -> Duty | None:
        return next((duty for duty in super().duties(state, dealing) if isinstance(duty, self.kind)), None)


class Scene:
    """A match that waits for one message of ``cheat``."""

    def __init__(self, game: str, number: int, kind: type, group: Group = FAST) -> None:
        self.net = Network(game, 3, 3, group=group, real_signatures=True)
        self.cheat = self.net.nodes[number]
        self.holding = Holding(self.cheat.author, bytes([number + 1]) * 32)
        self.holding.kind = kind
        self.cheat.dealer = self.holding
        for node in self.net.nodes:
            node.disk = Disk()
            node.start(self.net.genesis)
        act = self.net.act
        self.net.act = lambda node: act(node) if kind is not RemaskDuty else trade(node)  # type: ignore[method-assign]
        assert self.net.run(lambda: self.net.agreed() and self.owed is not None, 2000)

    @property
    def owed(self) -> Duty | None:
        peer = self.cheat.peer
        assert peer is not None
        return self.holding.owed(peer.match.state, peer.dealt)

    @property
    def deal(self) -> Ceremony:
        peer = self.cheat.peer
        assert peer is not None and peer.dealt.ceremony is not None
        return peer.dealt.ceremony

    @property
    def party(self) -> Party:
        peer = self.cheat.peer
        assert peer is not None
        return self.holding._party(peer.dealt)

    def honest(self) -> Any:
        """The message that an honest program would say."""
        assert self.owed is not None
        return decode(self.deal.group, self.party.fulfil(self.deal, self.owed))

    def say(self, data: bytes) -> None:
        self.send("deal", {"sealed": b64encode(data).decode()})

    def send(self, kind: str, body: dict[str, Any]) -> None:
        """Sign and send past the cheat's own program: to the peer that orders, or, if it orders itself, at the next place."""
        assert self.cheat.peer is not None
        statement = signed(self.cheat, kind, body)
        orders = self.cheat.author == self.cheat.peer.match.orderer
        self.deliver([canonical({"t": "put", "e": [put(self.cheat, statement).to_json()]}) if orders
                      else canonical({"t": "say", "s": statement.to_json()})])

    def deliver(self, messages: list[bytes]) -> None:
        self.cheat.peer = None  # it says nothing more
        for node in self.others:
            for message in messages:
                assert node.peer is not None
                node.peer.receive(self.cheat.author, message)
                self.net.flush(node)

    @property
    def others(self) -> list[Node]:
        return [node for node in self.net.nodes if node is not self.cheat]

    def convicted(self) -> set[str]:
        """Wait until every honest peer accuses the cheat; of what. Each accusation is proven from its file alone, and no
        honest peer holds anything against another."""
        assert self.net.run(lambda: all(node.peer is not None and node.peer.accusations for node in self.others), 60)
        kinds: set[str] = set()
        for node in self.others:
            assert node.peer is not None
            for accusation in node.peer.accusations:
                assert accusation.against == self.cheat.author
                again = Accusation.from_text(accusation.to_text())
                assert judge(again, rules_of, Ed25519Verifier(), Checker(self.net.checker.group)) is not None
                kinds.add(accusation.why)
            assert not node.peer.ready
        return kinds


def trade(node: Node) -> None:
    """In Iota: put a card of one's hand under the pile."""
    peer = node.peer
    if peer is None or not peer.ready or peer.saying is not None:
        return
    match = peer.match
    for seat in match.rules.to_act(match.state):
        if match.setup.seats[seat].by == node.author:
            peer.move(seat, ("pass", (), (match.state.hands[seat][0],)))


# ---- keys ----

@pytest.mark.parametrize("number", [1, 2])
def test_a_rogue_key_convicts(number: int) -> None:
    """z·G minus the others' keys, so that the joint key would be z·G, with a proof of z."""
    scene = Scene("dominoes", number, KeyDuty, REAL)
    deal, z = scene.deal, 777
    group = deal.group
    rogue = group.sum([(z, group.base), *((-1, key) for key in deal.keys.values())])
    proof = prove_key(group, deal.context(0, number, "key"), z, rogue, Stream(b"rogue"))
    scene.say(encode(Key(rogue, proof)))
    scene.convicted()


# ---- shuffles ----

Change = Callable[[Shuffled, Ceremony], Shuffled]


def swapped(message: Shuffled, deal: Ceremony) -> Shuffled:
    return replace(message, after=(message.after[1], message.after[0], *message.after[2:]))


def duplicated(message: Shuffled, deal: Ceremony) -> Shuffled:
    assert deal.key is not None
    return replace(message, after=(*message.after[:-1], reencrypt(deal.group, deal.key, [message.after[0]], [5])[0]))


def slipped_in(message: Shuffled, deal: Ceremony) -> Shuffled:
    assert deal.key is not None
    own = reencrypt(deal.group, deal.key, open_cards(deal.group, deal.key, ["6-6"]), [5])[0]
    return replace(message, after=(own, *message.after[1:]))


def dropped(message: Shuffled, deal: Ceremony) -> Shuffled:
    """A deck without its last card, with a proof that is true of what is left."""
    assert deal.key is not None
    before = [card for pending in deal.current() for card in getattr(pending, "input", ())][:-1]
    ctx = deal.context(message.step, deal_author(deal), "shuffle")
    after, proof = shuffle(deal.group, ctx, deal.key, before, Stream(b"short"))
    return replace(message, after=tuple(after), proof=proof)


def of_another_deck(message: Shuffled, deal: Ceremony) -> Shuffled:
    """A true proof: of a shuffle of other cards."""
    assert deal.key is not None
    ctx = deal.context(message.step, deal_author(deal), "shuffle")
    deck = open_cards(deal.group, deal.key, ["0-0"] * len(message.after))
    after, proof = shuffle(deal.group, ctx, deal.key, deck, Stream(b"other"))
    return replace(message, after=tuple(after), proof=proof)


def replayed(message: Shuffled, deal: Ceremony) -> Shuffled:
    """The true proof of a shuffle of this very deck, made for another place in the match."""
    assert deal.key is not None
    before = [card for pending in deal.current() for card in getattr(pending, "input", ())]
    ctx = deal.context(message.step + 1, deal_author(deal), "shuffle")
    after, proof = shuffle(deal.group, ctx, deal.key, before, Stream(b"again"))
    return replace(message, after=tuple(after), proof=proof)


def deal_author(deal: Ceremony) -> int:
    """Whose turn it is to shuffle."""
    return next(peer for peer in deal.peers if any(isinstance(duty, ShuffleDuty) for duty in deal.duties(peer)))


def off_by_one(field: str) -> Change:
    def change(message: Shuffled, deal: Ceremony) -> Shuffled:
        value = getattr(message.proof, field)
        moved: Any = (value + 1) % L if isinstance(value, int) else ((value[0] + 1) % L, *value[1:])
        changed: Any = {field: moved}
        return replace(message, proof=replace(message.proof, **changed))
    change.__name__ = f"{field}_moved"
    return change


SCALARS = ("challenge", "s1", "s2", "s3", "s4", "s_hat", "s_prime")
SHUFFLES = [swapped, duplicated, slipped_in, dropped, of_another_deck, replayed, *map(off_by_one, SCALARS)]


@pytest.mark.parametrize("change", SHUFFLES, ids=lambda change: str(change.__name__))
def test_a_forged_shuffle_in_the_middle_of_the_chain_convicts(change: Change) -> None:
    """It stands in the log until the chain is complete; then every replica finds whose it was."""
    scene = Scene("dominoes", 1, ShuffleDuty)
    scene.say(encode(change(scene.honest(), scene.deal)))
    assert scene.convicted() <= {"shuffle", "statement"}


@pytest.mark.parametrize("change", [swapped, duplicated, slipped_in, dropped, of_another_deck, replayed])
@pytest.mark.parametrize("number", [0, 2])
def test_a_forged_shuffle_first_or_last_convicts(change: Change, number: int) -> None:
    scene = Scene("dominoes", number, ShuffleDuty)
    scene.say(encode(change(scene.honest(), scene.deal)))
    assert scene.convicted() <= {"shuffle", "statement", "place"}


def test_another_authors_shuffle_said_again_convicts() -> None:
    scene = Scene("dominoes", 1, ShuffleDuty)
    said = [entry.statement.body for entry in scene.net.peers[0].match.entries if entry.statement.kind == "deal"]
    before = next(body for body in reversed(said) if "sealed" in body)
    scene.send("deal", {"sealed": before["sealed"]})
    scene.convicted()


def test_two_different_valid_shuffles_of_one_deck_convict() -> None:
    """Each is right by itself, and only one of them can be placed; whoever has both has the proof."""
    scene = Scene("dominoes", 1, ShuffleDuty)
    deal, first = scene.deal, scene.honest()
    assert deal.key is not None and scene.cheat.peer is not None
    before = [card for pending in deal.current() for card in getattr(pending, "input", ())]
    after, proof = shuffle(deal.group, deal.context(first.step, 1, "shuffle"), deal.key, before, Stream(b"second"))
    second = replace(first, after=tuple(after), proof=proof)
    count = scene.cheat.peer._count
    statements = [signed(scene.cheat, "deal", {"sealed": b64encode(encode(message)).decode()}, count=count + number)
                  for number, message in enumerate((first, second))]
    scene.deliver([canonical({"t": "say", "s": statement.to_json()}) for statement in statements])
    assert scene.convicted() == {"twice"}


def test_one_shuffle_signed_twice_convicts_nobody() -> None:
    """A page that crashed says the same again, under another number."""
    scene = Scene("dominoes", 1, ShuffleDuty)
    assert scene.cheat.peer is not None
    body = {"sealed": b64encode(encode(scene.honest())).decode()}
    statements = [signed(scene.cheat, "deal", body, count=scene.cheat.peer._count + number) for number in range(2)]
    scene.deliver([canonical({"t": "say", "s": statement.to_json()}) for statement in statements])
    scene.net.run(lambda: False, 10)
    assert not any(peer.accusations for peer in scene.net.peers)


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
    scene = Scene("dominoes", number, ShareDuty)
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
    scene = Scene("dominoes", 2, ShareDuty, REAL)
    honest = scene.honest()
    data = encode(honest)
    assert encode_scalar(honest.proof.response) == data[-32:]
    assert change(data, honest) != data
    scene.say(change(data, honest))
    assert scene.convicted() == {"statement"}


# ---- rolls, remasks, plays ----

def test_a_forged_share_of_a_roll_convicts() -> None:
    scene = Scene("toot-fluke", 2, RollDuty)
    message = scene.honest()
    assert isinstance(message, RollShare)
    scene.say(encode(replace(message, share=FAST.sum([(1, message.share), (1, FAST.base)]))))
    assert scene.convicted() == {"statement"}


def test_a_remask_into_another_card_convicts() -> None:
    scene = Scene("iota", 0, RemaskDuty)
    message = scene.honest()
    assert isinstance(message, Remask)
    moved = tuple(card._replace(b=FAST.sum([(1, card.b), (1, FAST.base)])) for card in message.after)
    scene.say(encode(replace(message, after=moved)))
    assert scene.convicted() <= {"statement", "place"}


def holds_a_card(node: Node) -> bool:
    peer = node.peer
    assert peer is not None
    return not peer.match.state.requests and peer.match.outcome is None and any(
        peer.match.setup.seats[seat].by == node.author for seat in peer.match.rules.to_act(peer.match.state))


@pytest.mark.parametrize("number", range(3))
def test_a_false_face_convicts(number: int) -> None:
    """A move that opens a card under another face, with the card's true share."""
    net = Network("dominoes", 3, 5, group=FAST, real_signatures=True)
    cheat = net.nodes[number]
    act, found = net.act, list[dict[str, Any]]()

    def watch(node: Node) -> None:
        peer = node.peer
        if node is cheat and not found and peer is not None and peer.ready and peer.saying is None and holds_a_card(node):
            match = peer.match
            faces = match.view((number,)).faces
            for move in match.rules.moves(match.state, number, faces):
                openings = match.rules.openings(match.state, number, move, faces)
                if openings:
                    body = {"seat": number, "do": move, "open": peer.dealer.open(match.state, peer.dealt, openings)}
                    found.append(body)
                    return
        if not found:
            act(node)

    net.act = watch  # type: ignore[method-assign]
    assert net.run(lambda: bool(found) and net.agreed(), 2000)
    scene = Scene.__new__(Scene)
    scene.net, scene.cheat = net, cheat
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
    scene = Scene("dominoes", 1, ShareDuty)
    scene.net.run(lambda: False, 5)
    deal, party = scene.deal, scene.party
    mine = {party.peer}
    held = tuple(handle for handle, card in deal.cards.items() if {card.reader} == mine and not deal.missing(handle) - mine)
    if kind == "leave":
        handles = leave_handles(deal, party.peer)
        data = encode(Leave(handles, *party._shares(deal, "leave", handles)))
    else:
        data = party.agree_gone(0) if kind == "gone" else encode(Play(held[:1], ("6-6",), *party._shares(deal, "play", held[:1])))
    scene.say(data)
    assert scene.convicted() <= {"statement"}


# ---- places and turns ----

def test_two_different_places_at_one_index_convict_at_every_table() -> None:
    """One peer sees both; it tells the others, and each of them can prove it."""
    net = Network("iota", 3, 8, group=FAST, real_signatures=True)
    assert net.run(lambda: net.agreed() and len(net.peers[0].match.entries) > 20)
    scene = Scene.__new__(Scene)
    scene.net = net
    scene.cheat = next(node for node in net.nodes if node.author == net.peers[0].match.orderer)
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
    net = Network("iota", 3, 9)
    net.run(lambda: len(net.peers[0].match.entries) > 20)
    net.peers[0].receive(net.peers[1].author, canonical({"t": "blame", **message}))
    assert not net.peers[0].accusations and net.peers[0].refused["malformed"] == 1


def test_what_was_honestly_signed_accuses_nobody() -> None:
    """Every statement and place of a whole match, brought forward as if it were a misdeed."""
    net = Network("dominoes", 3, 10, options={"target": 20})
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
    """Whoever only follows can sign what it likes: it is refused, and the match goes on."""
    net = Network("iota", 2, 11, spectators=1, real_signatures=True)
    net.run(lambda: len(net.peers[0].match.entries) > 20 and net.agreed())
    stranger = net.nodes[2]
    assert stranger.peer is not None
    statement: Statement = signed(stranger, "move", {"seat": 0, "do": ["win"], "open": []})
    for peer in net.peers[:2]:
        for message in ({"t": "say", "s": statement.to_json()}, {"t": "blame", "why": "statement", "x": [statement.to_json()]}):
            peer.receive(stranger.author, canonical(message))
        assert not peer.accusations and peer.refused["kernel.stranger"]
    assert net.run(net.finished)
