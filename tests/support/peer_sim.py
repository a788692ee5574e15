"""A simulated network of peers: seeded latency, jitter, loss, duplication, reordering, partitions, crashes and restarts.

Time is simulated; nothing sleeps. A node that crashes loses its memory and keeps its disk, to which a peer writes before it
tells anybody. Every random choice comes from one seed, so that a failing seed replays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from random import Random
from typing import Any

from tabletin.kernel.log import NOTHING, Entry, Statement, canonical, place
from tabletin.kernel.match import Match
from tabletin.kernel.rules import Rules
from tabletin.kernel.setup import PROTOCOL, Seat, Setup
from tabletin.peers.dealing.dealer import SealedDealer
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.identity import Ed25519, Ed25519Verifier, Identity, Verifier
from tabletin.peers.replication.authority import LogEnd, SignedAuthority
from tabletin.peers.replication.epoch_vote import EpochVote, read_end
from tabletin.peers.replication.evidence import peer_match
from tabletin.peers.replication.outbox import Output
from tabletin.peers.replication.replica import Replica
from tabletin.peers.sealed.group import PrimeGroup
from tabletin.peers.sealed.pending import Checker
from tabletin.registry import rules_of
from tests.support.standin import StandIn, StandInVerifier
from tests.support.standin_group import StandInGroup

TICK = 0.5  # seconds between two looks at a node's clock


@dataclass
class Disk:
    """What survives a crash."""

    entries: list[Entry] = field(default_factory=list)
    pending: Statement | None = None
    count: int = 0
    dead: list[Statement] = field(default_factory=list)
    promise: EpochVote | None = None
    bound_end: LogEnd | None = None
    dead_lengths: tuple[int, ...] = ()
    begun_epoch: int = 0

    def store(self, output: Output) -> None:
        if output.length is not None:
            del self.entries[output.length:]
        self.entries += [new.entry for new in output.entries]
        if output.pending is not None:
            said = output.pending.statement
            self.pending, self.count = None if said is None else Statement.from_json(said), output.pending.count
            promise = output.pending.promise
            self.promise = None if promise is None else EpochVote.from_json(promise)
            bound_end = output.pending.bound_end
            self.bound_end = None if bound_end is None else read_end(bound_end)
            self.dead = [Statement.from_json(one) for one in output.pending.dead]
            self.dead_lengths = output.pending.dead_lengths
            self.begun_epoch = output.pending.begun_epoch


@dataclass(frozen=True)
class Faults:
    """How bad the network is. ``loss`` and ``twice`` are probabilities; ``partitions`` and ``crashes`` how many there are, and
    ``leaves`` how many would like to go politely (as long as another one stays)."""

    latency: float = 0.02
    jitter: float = 0.05
    loss: float = 0.0
    twice: float = 0.0
    partitions: int = 0
    crashes: int = 0
    leaves: int = 0


BAD = Faults(latency=0.05, jitter=0.5, loss=0.08, twice=0.08, partitions=2, crashes=2)


class Node:
    """One device: identity, secret seed, disk, and a running peer unless it has crashed."""

    def __init__(self, network: Network, number: int, identity: Identity) -> None:
        self.network = network
        self.identity = identity
        self.dealer = SealedDealer(identity.author, bytes([number + 1]) * 32)
        self.disk = Disk()
        self.peer: Replica | None = None

    @property
    def author(self) -> str:
        return self.identity.author

    def start(self, genesis: Entry, *, restarted: bool = False) -> Replica:
        """Fold what the disk holds and go on from there."""
        network = self.network
        match = peer_match(genesis, network.rules, network.verifier, network.checker)
        if not self.disk.entries:
            self.disk.entries.append(genesis)
        for entry in self.disk.entries[1:]:
            match.append(entry)
            assert isinstance(match.dealing, SealedDealing)
            match.learn(self.dealer.read(match.dealing, match.knowledge))
        self.peer = Replica(
            self.identity,
            SignedAuthority(network.setup, network.verifier),
            match,
            self.dealer,
            pending=self.disk.pending,
            count=self.disk.count,
            dead=self.disk.dead,
            promise=self.disk.promise,
            bound_end=self.disk.bound_end,
            dead_lengths=self.disk.dead_lengths,
            begun_epoch=self.disk.begun_epoch,
            restarted=restarted,
        )
        return self.peer


class Network:
    """``peers`` nodes that play ``game``; spectators follow with the public knowledge only."""

    def __init__(
        self,
        game: str,
        peers: int,
        seed: int,
        *,
        seats: int | None = None,
        options: dict[str, Any] | None = None,
        faults: Faults = Faults(),
        group: PrimeGroup | None = None,
        real_signatures: bool = False,
        spectators: int = 0,
        rules: type[Rules[Any]] | None = None,
        node_type: type[Node] = Node,
    ) -> None:
        self.rng = Random(f"{game} {peers} {seed}")
        self.faults = faults
        self.checker = Checker(group or StandInGroup())
        self.verifier: Verifier = Ed25519Verifier() if real_signatures else StandInVerifier()
        make: Callable[[bytes], Identity] = Ed25519 if real_signatures else StandIn
        self.rules = rules = rules or rules_of(game)
        count = seats or max(peers, rules.seat_counts.start)
        self.nodes = [
            node_type(self, number, make(bytes([number, seed % 256]) + bytes(30))) for number in range(peers + spectators)
        ]
        players = self.nodes[:peers]
        self.setup = Setup(
            game,
            rules.version,
            options or {},
            tuple(Seat("person", players[seat % peers].author) for seat in range(count)),
            "sealed",
            str(seed),
            {"protocol": PROTOCOL},
        )
        host = players[0].identity
        statement = self.setup.statement(host.author)
        statement = replace(statement, signature=host.sign(canonical(statement.signed_fields())))
        signature = host.sign(canonical(place(0, NOTHING, statement.hash)))
        self.genesis = Entry.create(0, NOTHING, statement, signature)
        self.now = 0.0
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._number = 0
        self._cut: dict[frozenset[str], float] = {}
        self.sent: list[tuple[str, str, bytes]] = []
        self.meddle: Callable[[str, str, bytes], bytes | None] = lambda sender, to, data: data
        for node in self.nodes:
            node.start(self.genesis)
            self.later(self.rng.random() * TICK, self._ticker(node))
        for _ in range(faults.partitions):
            self.later(self.rng.uniform(0, 20), self._partition)
        for _ in range(faults.crashes):
            self.later(self.rng.uniform(0.5, 20), self._crash)
        for _ in range(faults.leaves):
            self.later(self.rng.uniform(0.5, 12), self._leave)

    def later(self, delay: float, act: Callable[[], None]) -> None:
        self._number += 1
        heappush(self._queue, (self.now + delay, self._number, act))

    # ---- faults ----

    def _partition(self) -> None:
        side = {node.author for node in self.nodes if self.rng.random() < 0.5}
        until = self.now + self.rng.uniform(1, 15)
        for one in self.nodes:
            for two in self.nodes:
                if (one.author in side) != (two.author in side):
                    self._cut[frozenset((one.author, two.author))] = until

    def _crash(self) -> None:
        node = self.rng.choice(self.nodes)
        node.peer = None

        def restart() -> None:
            if node.peer is None:
                node.start(self.genesis, restarted=True)

        self.later(self.rng.uniform(0.5, 8), restart)

    def _leave(self) -> None:
        """Somebody wants to go; it says so as soon as nothing is asked for."""
        node = self.rng.choice(self.nodes)
        peer = node.peer
        if peer is not None and peer.takes_part and len(self.staying) > 1 and peer.match.outcome is None:
            peer.leave()
            self.flush(node)

    @property
    def staying(self) -> list[Replica]:
        """Who plays and does not mean to go."""
        return [peer for peer in self.peers if peer.takes_part and not peer.membership.is_leaving]

    # ---- time ----

    def _ticker(self, node: Node) -> Callable[[], None]:
        def tick() -> None:
            if node.peer is not None:
                node.peer.tick(self.now)
                self.act(node)
                self.flush(node)
            self.later(TICK, self._ticker(node))

        return tick

    def flush(self, node: Node) -> None:
        """Store what a peer must not forget, and hand what it wants to send to the network."""
        if node.peer is None:
            return
        output = node.peer.take()
        node.disk.store(output)
        for to, data in output.messages:
            for other in self.nodes:
                if other is not node and to in (None, other.author):
                    self._send(node.author, other, data)

    def _send(self, sender: str, to: Node, data: bytes) -> None:
        changed = self.meddle(sender, to.author, data)
        if changed is None:
            return
        self.sent.append((sender, to.author, changed))
        faults, rng = self.faults, self.rng
        for _ in range(1 + (rng.random() < faults.twice)):
            if rng.random() >= faults.loss:
                self.later(faults.latency + rng.random() * faults.jitter, lambda: self._deliver(sender, to, changed))

    def _deliver(self, sender: str, to: Node, data: bytes) -> None:
        if to.peer is None or self._cut.get(frozenset((sender, to.author)), -1.0) > self.now:
            return
        to.peer.receive(sender, data)
        self.act(to)
        self.flush(to)

    def act(self, node: Node) -> None:
        """Let the seats of ``node`` play, at random."""
        peer = node.peer
        if peer is None or not peer.ready or peer.pending is not None or peer.membership.is_leaving:
            return
        match = peer.match
        own = [seat for seat in match.rules.to_act(match.state) if match.setup.seats[seat].author == node.author]
        if own:
            seat = self.rng.choice(own)
            faces = match.view((seat,)).faces
            peer.move(seat, match.rules.random_move(match.state, seat, faces, self.rng))

    def run(self, until: Callable[[], bool], seconds: float = 3000.0) -> bool:
        """Let simulated time pass until ``until()`` holds; False if it does not within ``seconds``."""
        end = self.now + seconds
        while self._queue and self.now < end:
            if until():
                return True
            self.now, _, act = heappop(self._queue)
            act()
        return until()

    # ---- what tests ask ----

    @property
    def peers(self) -> list[Replica]:
        return [node.peer for node in self.nodes if node.peer is not None]

    def finished(self) -> bool:
        """Whether everybody is there and holds the same finished log."""
        return (
            all(node.peer is not None for node in self.nodes)
            and len({peer.match.head for peer in self.peers}) == 1
            and self.peers[0].match.outcome is not None
        )

    def agreed(self) -> bool:
        return len({peer.match.head for peer in self.peers}) == 1

    def state(self) -> Any:
        match: Match = self.peers[0].match
        return match.state
