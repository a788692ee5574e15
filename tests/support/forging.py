"""Forging in a running match, for tests: a peer whose program says what it likes, and whether it is convicted everywhere."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tabletin.kernel.log import Entry, Statement, canonical, place
from tabletin.peers.dealing.dealer import SealedDealer
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.identity import Ed25519Verifier
from tabletin.peers.replication.evidence import Accusation, judge
from tabletin.peers.sealed.deal import DealState
from tabletin.peers.sealed.group import PrimeGroup
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.sealed.messages import decode
from tabletin.peers.sealed.party import Party
from tabletin.peers.sealed.pending import Checker
from tabletin.peers.sealed.requests import Duty, KeyDuty
from tabletin.registry import rules_of
from tests.support.peer_sim import Disk, Network, Node
from tests.support.standin_group import StandInGroup

REAL = SodiumGroup()
FAST = StandInGroup()  # all equations hold in it, and it is as strict


def signed(node: Node, kind: str, body: dict[str, Any], **changes: Any) -> Statement:
    assert node.peer is not None
    match = node.peer.match
    statement = Statement(match.id, node.author, node.peer.state.count + 50, match.head, kind, body)
    statement = replace(statement, **changes)
    return replace(statement, signature=node.identity.sign(canonical(statement.signed_fields())))


def tell(net: Network, sender: Node, message: dict[str, Any], *receivers: Node) -> None:
    """``receivers`` get ``message`` from ``sender`` at once."""
    for node in receivers:
        assert node.peer is not None
        node.peer.receive(sender.author, canonical(message))
        net.flush(node)


def put(node: Node, statement: Statement, index: int | None = None) -> Entry:
    """``statement`` at the next place (or another), signed by ``node``."""
    assert node.peer is not None
    match = node.peer.match
    at = len(match.entries) if index is None else index
    previous = match.entries[at - 1].hash
    return Entry.create(at, previous, statement, node.identity.sign(canonical(place(at, previous, statement.hash))))


class Holding(SealedDealer):
    """Owes no message of one kind, so that a test can say another in its place."""

    kind: type = KeyDuty

    def duties(self, state: Any, dealing: SealedDealing) -> list[Duty]:
        return [duty for duty in super().duties(state, dealing) if not isinstance(duty, self.kind)]

    def owed(self, state: Any, dealing: SealedDealing) -> Duty | None:
        return next((duty for duty in super().duties(state, dealing) if isinstance(duty, self.kind)), None)


class Scene:
    """A match that waits for one message of ``cheat``."""

    @classmethod
    def of(cls, net: Network, cheat: Node) -> Scene:
        """``net`` as it is, with a cheat in it who owes nothing just now."""
        scene = cls.__new__(cls)
        scene.net, scene.cheat = net, cheat
        return scene

    def __init__(self, game: str, number: int, kind: type, group: PrimeGroup = FAST,
                 act: Callable[[Node], None] | None = None) -> None:
        """``act``: how a device plays, where it is not to play at random."""
        self.net = Network(game, 3, 3, group=group, real_signatures=True)
        self.cheat = self.net.nodes[number]
        self.holding = Holding(self.cheat.author, bytes([number + 1]) * 32)
        self.holding.kind = kind
        self.cheat.dealer = self.holding
        for node in self.net.nodes:
            node.disk = Disk()
            node.start(self.net.genesis)
        if act is not None:
            self.net.act = act  # type: ignore[assignment, method-assign]
        assert self.net.run(lambda: self.net.agreed() and self.owed is not None, 2000)

    @property
    def owed(self) -> Duty | None:
        peer = self.cheat.peer
        assert peer is not None
        return self.holding.owed(peer.match.state, peer.current_dealing)

    @property
    def deal(self) -> DealState:
        peer = self.cheat.peer
        assert peer is not None and peer.current_dealing.deal is not None
        return peer.current_dealing.deal

    @property
    def party(self) -> Party:
        peer = self.cheat.peer
        assert peer is not None
        return self.holding._party(peer.current_dealing)

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
                assert accusation.culprit == self.cheat.author
                again = Accusation.from_text(accusation.to_text())
                assert judge(again, rules_of, Ed25519Verifier(), Checker(self.net.checker.group)) is not None
                kinds.add(accusation.why)
            assert not node.peer.ready
        return kinds
