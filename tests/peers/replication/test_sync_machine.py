"""Sync under whatever order of faults hypothesis thinks of, and decoders under whatever bytes.

Invariant 8: replicas hold prefixes of one log, or one of them holds proof of who forked it. ``--fuzz N`` sets how many inputs
each decoder gets (1,000,000 for a night's run).
"""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tabletin.kernel.log import Entry, Statement, canonical, parse
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.peers.dealing.dealing import read_bytes
from tabletin.peers.replication.evidence import Accusation
from tabletin.peers.sealed import wire
from tabletin.peers.sealed.messages import decode
from tabletin.registry import GAMES
from tests.support.examples import ONE_DEAL
from tests.support.peer_matches import seats_of
from tests.support.peer_sim import Faults, Network
from tests.support.standin_group import StandInGroup

CHOSEN = [game for game in GAMES if seats_of(game)[0] <= 3]


class Sync(RuleBasedStateMachine):
    """Three devices, or two where a game is for two, and a spare one that follows, on a network that does whatever it likes."""

    @initialize(game=st.sampled_from(CHOSEN), seed=st.integers(0, 50))
    def begin(self, game: str, seed: int) -> None:
        self.net = Network(game, min(3, seats_of(game)[-1]), seed, faults=Faults(jitter=0.4, loss=0.05, twice=0.1),
                           spectators=1)

    @rule(seconds=st.floats(0.05, 4))
    def time_passes(self, seconds: float) -> None:
        self.net.run(lambda: False, seconds)

    @rule(number=st.integers(0, 3))
    def a_device_crashes(self, number: int) -> None:
        self.net.nodes[number % len(self.net.nodes)].peer = None

    @rule(number=st.integers(0, 3))
    def a_device_comes_back(self, number: int) -> None:
        node = self.net.nodes[number % len(self.net.nodes)]
        if node.peer is None:
            node.start(self.net.genesis, restarted=True)

    @rule(number=st.integers(0, 3), seconds=st.floats(0.1, 5))
    def a_device_is_cut_off(self, number: int, seconds: float) -> None:
        one = self.net.nodes[number % len(self.net.nodes)]
        for two in self.net.nodes:
            if two is not one:
                self.net._cut[frozenset((one.author, two.author))] = self.net.now + seconds

    @rule(number=st.integers(0, 3), data=st.binary(max_size=60))
    def junk_arrives(self, number: int, data: bytes) -> None:
        node = self.net.nodes[number % len(self.net.nodes)]
        if node.peer is not None:
            node.peer.receive(self.net.nodes[0].author, data)

    @rule(number=st.integers(0, 3), pick=st.integers(0, 10**6))
    def something_old_arrives_again(self, number: int, pick: int) -> None:
        node = self.net.nodes[number % len(self.net.nodes)]
        if node.peer is not None and self.net.sent:
            sender, _, data = self.net.sent[pick % len(self.net.sent)]
            node.peer.receive(sender, data)
            self.net.flush(node)

    @rule(number=st.integers(0, 3))
    def a_person_goes_on_from_the_spare_device(self, number: int) -> None:
        old = self.net.nodes[number % len(self.net.nodes)].peer
        spare = next((peer for peer in self.net.peers if not peer.takes_part), None)
        if old is None or spare is None or not old.ready or old.pending is not None or old.match.outcome is not None:
            return
        with suppress(Refused):  # the deal may just be at a point where it has moved on
            old.move_to(spare.membership.offer(old.author))
        self.net.flush(self.net.nodes[number % len(self.net.nodes)])

    @rule(number=st.integers(0, 2))
    def a_person_goes_politely(self, number: int) -> None:
        """As long as somebody else stays; it may change its mind, or crash, before it is gone."""
        node = self.net.nodes[number % len(self.net.nodes)]
        peer = node.peer
        if peer is not None and peer.takes_part and len(self.net.staying) > 1 and peer.match.outcome is None:
            peer.leave()
            self.net.flush(node)

    @rule(number=st.integers(0, 3))
    def a_person_stays_after_all(self, number: int) -> None:
        peer = self.net.nodes[number % len(self.net.nodes)].peer
        if peer is not None and peer.membership.is_leaving:
            with suppress(Refused):  # it may be signed already
                peer.membership.stay()

    @invariant()
    def replicas_hold_prefixes_of_one_log(self) -> None:
        if not hasattr(self, "net"):
            return
        logs = sorted(([entry.hash for entry in node.disk.entries] for node in self.net.nodes), key=len)
        for shorter, longer in pairwise(logs):
            assert longer[:len(shorter)] == shorter
        for peer in self.net.peers:
            assert not peer.accusations

    def teardown(self) -> None:
        """Once the network is kind again, everybody comes to the same end."""
        if not hasattr(self, "net"):
            return
        self.net.faults = Faults()
        self.net._cut.clear()
        for node in self.net.nodes:
            if node.peer is None:
                node.start(self.net.genesis, restarted=True)
        assert self.net.run(self.net.finished)


TestSync = Sync.TestCase
TestSync.settings = settings(max_examples=12, stateful_step_count=20, deadline=None, derandomize=True,
                             suppress_health_check=list(HealthCheck))


def mutated(rng: Random, seeds: list[bytes]) -> bytes:
    """A known input with a few bytes changed, cut, doubled or joined to another; now and then noise."""
    if rng.random() < 0.1:
        return rng.randbytes(rng.randrange(200))
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.randrange(4)):
        where = rng.randrange(len(data) + 1)
        kind = rng.randrange(4)
        if kind == 0 and data:
            data[where % len(data)] = rng.randrange(256)
        elif kind == 1:
            del data[where:where + rng.randrange(8)]
        elif kind == 2:
            data[where:where] = rng.randbytes(rng.randrange(6))
        else:
            other = rng.choice(seeds)
            data[where:] = other[rng.randrange(len(other) + 1):]
    return bytes(data)


def test_no_input_breaks_a_decoder(fuzz: int) -> None:
    """Every decoder of what comes from outside raises its documented exception and nothing else."""
    net = Network(ONE_DEAL, 2, 1)
    assert net.run(lambda: len(net.peers[0].match.entries) >= 60)
    match = net.peers[0].match
    entries = [canonical(entry.to_json()) for entry in match.entries]
    messages = [data for _, _, data in net.sent[:200]]
    deals = [read_bytes(e.statement.body["sealed"]) for e in match.entries if "sealed" in e.statement.body]
    accusation = Accusation.of_log(match, "x", "shuffle").to_text().encode()
    rng, group, peer = Random(7), StandInGroup(), net.peers[0]
    read = refused = 0
    for _ in range(fuzz):
        kind = rng.randrange(4)
        try:
            if kind == 0:
                data = parse(mutated(rng, entries))
                Entry.from_json(data)
                Statement.from_json(data.get("say"))
            elif kind == 1:
                decode(group, mutated(rng, deals))
            elif kind == 2:
                peer.receive(net.peers[1].author, mutated(rng, messages))
            elif rng.random() < 0.02:
                Accusation.from_text(mutated(rng, [accusation]).decode("utf-8", "replace"))
            read += 1
        except (Malformed, wire.MalformedMessage, Refused):
            refused += 1
    assert refused > fuzz // 20 and read
    assert not any(accusation.culprit == net.peers[0].author for accusation in peer.accusations)
