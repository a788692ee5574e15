"""Every order in which the messages of a small scene can come: real replicas, searched depth first, with one altered client.

A world is three or four devices and what is on its way between them, each device frozen as bytes. A step delivers the oldest
message of one link, lets time pass, crashes and restarts an honest device, or is something that the altered client does. Worlds
that differ in nothing that replicas show are visited once. What must hold is asserted in every world; in some of them the
altered client behaves from there on, or falls silent for good, and everything is delivered, to see that the match goes on.
"""

from __future__ import annotations

import io
import pickle
from bisect import bisect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from random import Random
from typing import Any

from tabletin.kernel.log import Hash, Json, Statement, canonical, parse
from tabletin.peers.replication.authority import ballot_vote
from tabletin.peers.replication.epoch_vote import EpochVote
from tabletin.peers.replication.evidence import Accusation, judge
from tabletin.peers.replication.replica import Replica
from tests.support.forging import put, signed
from tests.support.peer_sim import Network, Node

STEP = 4.0  # seconds that pass at once
Link = tuple[int, int]


@dataclass(frozen=True)
class World:
    """Frozen ``nodes``, ``links`` with what is on its way on each, and what may still happen."""

    nodes: tuple[bytes, ...]
    links: dict[Link, tuple[bytes, ...]]
    now: float
    times: int  # how often time may still pass
    misdeeds: int  # how often the altered client may still act
    crashes: int
    lied: tuple[str, ...] = ()
    settled: dict[int, Hash] = field(default_factory=dict)
    said: dict[Hash, bytes] = field(default_factory=dict)  # what honest authors signed, but messages of the dealing
    path: tuple[str, ...] = ()


NAMES: dict[type, tuple[str, ...]] = {}
"""The fields of each class of values; () for any other class."""


def names_of(kind: type) -> tuple[str, ...]:
    if kind not in NAMES:
        found = getattr(kind, "__dataclass_params__", None)
        NAMES[kind] = tuple(one.name for one in fields(kind)) if found is not None and found.frozen else ()
    return NAMES[kind]


def rebuilt(kind: type[Any], *values: object) -> object:
    made: object = object.__new__(kind)
    for name, value in zip(names_of(kind), values, strict=True):
        object.__setattr__(made, name, value)
    return made


class Freezer(pickle.Pickler):
    """Writes values by their fields. Their own way looks all fields up each time, which takes most of the time."""

    def reducer_override(self, value: Any) -> Any:
        names = names_of(type(value))
        return (rebuilt, (type(value), *(getattr(value, name) for name in names))) if names else NotImplemented


class Explorer:
    """``scene`` sets a network up; ``altered``: the number of the node whose client is altered, or None."""

    def __init__(self, net: Network, altered: int | None, seed: int) -> None:
        self.net = net
        self.altered = altered
        self.rng = Random(seed)
        self.authors = [node.author for node in net.nodes]
        self.seen: set[str] = set()
        self.worlds = 0
        self.ends = 0
        self.silences = 0  # how often it was seen where it leads that the altered client falls silent …
        self.goings_on = 0  # … and that the others go on
        self._prints: dict[bytes, bytes] = {}

    # ---- worlds ----

    def begin(self, act: Callable[[], None], *, times: int = 5, misdeeds: int = 2, crashes: int = 0) -> World:
        """The world after ``act``, with whatever it made the devices send."""
        for node in self.net.nodes:
            self._drain(node)
        act()
        links: dict[Link, tuple[bytes, ...]] = {}
        for number, node in enumerate(self.net.nodes):
            links = self._sent(links, number, self._drain(node))
        nodes = tuple(map(self._freeze, self.net.nodes))
        now = max(node.peer.state.time for node in self.net.nodes if node.peer is not None)
        return World(nodes, links, now, times, misdeeds, crashes)

    def _drain(self, node: Node) -> list[tuple[str | None, bytes]]:
        assert node.peer is not None
        output = node.peer.take()
        node.disk.store(output)
        return list(output.messages)

    def _sent(self, links: dict[Link, tuple[bytes, ...]], sender: int,
              messages: list[tuple[str | None, bytes]]) -> dict[Link, tuple[bytes, ...]]:
        links = dict(links)
        for to, data in messages:
            for number, author in enumerate(self.authors):
                if number != sender and to in (None, author):
                    waiting = links.get((sender, number), ())
                    if b'"t":"head"' in data:  # only the newest head of a device says anything
                        waiting = tuple(one for one in waiting if b'"t":"head"' not in one)
                    links[sender, number] = (*waiting, data)
        return links

    def _freeze(self, node: Node) -> bytes:
        frozen = io.BytesIO()
        Freezer(frozen, -1).dump((node.disk, node.peer))
        return frozen.getvalue()

    def thaw(self, world: World, number: int) -> Node:
        """Node ``number`` as it is in ``world``."""
        node = self.net.nodes[number]
        node.disk, node.peer = pickle.loads(world.nodes[number])
        return node

    def _store(self, world: World, number: int, what: str, *, links: dict[Link, tuple[bytes, ...]] | None = None,
               extra: list[tuple[str | None, bytes]] | None = None, **changes: Any) -> World:
        """``world`` after node ``number``, thawed, has done something."""
        node = self.net.nodes[number]
        messages = [*self._drain(node), *(extra or [])]
        frozen = self._freeze(node)
        nodes = (*world.nodes[:number], frozen, *world.nodes[number + 1:])
        said = world.said if number == self.altered else self._note(world.said, node, messages)
        sent = self._sent(world.links if links is None else links, number, messages)
        after = replace(world, nodes=nodes, links=sent, said=said, path=(*world.path, what), **changes)
        return after if number == self.altered else self._check(after, node)

    def _note(self, said: dict[Hash, bytes], node: Node, messages: list[tuple[str | None, bytes]]) -> dict[Hash, bytes]:
        found = dict(said)
        for _, data in messages:
            message = parse(data)
            entries = message["e"] if message["t"] == "put" else []
            for one in [message.get("s"), *(entry["say"] for entry in entries)]:
                if one is not None and one["by"] == node.author and one["kind"] not in ("deal", "genesis"):
                    statement = Statement.from_json(one)
                    found[statement.hash] = pickle.dumps(statement, -1)
        return found

    # ---- what must hold ----

    def _check(self, world: World, node: Node) -> World:
        peer = node.peer
        assert peer is not None
        cheat = None if self.altered is None else self.authors[self.altered]
        for accusation in peer.accusations:
            assert accusation.culprit == cheat, ("an honest peer is convicted", accusation.why, world.path[:60])
        self._check_commitments(world, peer)
        return replace(world, settled=self._settled(world, peer))

    def _settled(self, world: World, peer: Replica) -> dict[int, Hash]:
        """What this peer's log holds settled; it never differs from what was settled anywhere, nor falls away."""
        match, settled = peer.match, dict(world.settled)
        # what is settled behind some entry is settled behind every one before it
        last = bisect(range(1, len(match.entries)), False, key=lambda index: not peer.state.settled_behind(index))
        for index in range(max(0, last - 12), last + 1):
            known = settled.setdefault(index, match.entries[index].hash)
            assert known == match.entries[index].hash, ("two settled histories", index, world.path[:60])
        return settled

    def _check_commitments(self, world: World, peer: Replica) -> None:
        """No honest author has two statements that this log would take, and both of which it has signed."""
        match = peer.match
        placed = {entry.statement.hash for entry in match.entries}
        usable: dict[str, list[Statement]] = {}
        for name, frozen in world.said.items():
            if name not in placed:
                statement: Statement = pickle.loads(frozen)
                if match.refusal(statement) is None:
                    usable.setdefault(statement.author, []).append(statement)
        for statements in usable.values():
            assert len(statements) < 2, ("two usable commitments", [one.kind for one in statements], world.path[:60])

    def accused(self, world: World) -> bool:
        """Whether any honest device holds something proven against the altered client."""
        return any(bool(self._peer(world, number).accusations) for number in self.honest)

    def _peer(self, world: World, number: int) -> Replica:
        peer = self.thaw(world, number).peer
        assert peer is not None
        return peer

    @property
    def honest(self) -> list[int]:
        return [number for number in range(len(self.authors)) if number != self.altered]

    # ---- steps ----

    def steps(self, world: World) -> Iterator[Callable[[], World]]:
        for link, waiting in world.links.items():
            if waiting:
                yield lambda link=link: self.deliver(world, link)  # type: ignore[misc]
                if self.altered in link and world.misdeeds:
                    yield lambda link=link: self._lose(world, link)  # type: ignore[misc]
        if world.times:
            yield lambda: self.wait(world)
        if world.crashes:
            for number in self.honest:
                yield lambda number=number: self._restart(world, number)  # type: ignore[misc]
        if self.altered is not None and world.misdeeds:
            for misdeed in MISDEEDS:
                yield lambda misdeed=misdeed: self._do(world, misdeed)  # type: ignore[misc]

    def deliver(self, world: World, link: Link) -> World:
        sender, to = link
        data, *rest = world.links[link]
        node = self.thaw(world, to)
        assert node.peer is not None
        node.peer.receive(self.authors[sender], data)
        return self._store(world, to, f"{sender}>{to} {kind_of(data)}", links={**world.links, link: tuple(rest)})

    def _lose(self, world: World, link: Link) -> World:
        _, *rest = world.links[link]
        return replace(world, links={**world.links, link: tuple(rest)}, misdeeds=world.misdeeds - 1,
                       path=(*world.path, f"lost {link}"))

    def wait(self, world: World, *, is_alone: bool = False) -> World:
        """``is_alone``: the altered client does nothing."""
        now = world.now + STEP
        for number in self.honest if is_alone else range(len(self.authors)):
            node = self.thaw(world, number)
            assert node.peer is not None
            node.peer.tick(now)
            world = self._store(world, number, f"tick {number}", now=now)
        return replace(world, times=world.times - 1)

    def _restart(self, world: World, number: int) -> World:
        node = self.thaw(world, number)
        node.start(self.net.genesis, restarted=True)
        assert node.peer is not None
        node.peer.tick(world.now)
        links = {link: () if number in link else waiting for link, waiting in world.links.items()}
        return self._store(world, number, f"restart {number}", links=links, crashes=world.crashes - 1)

    def _do(self, world: World, misdeed: Misdeed) -> World:
        assert self.altered is not None
        node = self.thaw(world, self.altered)
        messages = misdeed(self, world, node)
        if not messages:
            return world
        return self._store(world, self.altered, misdeed.__name__, extra=messages, misdeeds=world.misdeeds - 1,
                           lied=(*world.lied, misdeed.__name__))

    # ---- the search ----

    def explore(self, start: World, most: int, check_end: int = 40) -> None:
        """Visit up to ``most`` worlds, depth first and in a shuffled order; see from every ``check_end``-th where it leads."""
        stack = [start]
        while stack and self.worlds < most:
            world = stack.pop()
            name = self._name(world)
            if name in self.seen:
                continue
            self.seen.add(name)
            self.worlds += 1
            if self.worlds % check_end == 0:
                self.finish(world)
                self.fall_silent(world)
            steps = list(self.steps(world))
            self.rng.shuffle(steps)
            stack += [after for after in (step() for step in steps[:4]) if after is not world]

    def _name(self, world: World) -> str:
        prints = []
        for number, frozen in enumerate(world.nodes):
            if frozen not in self._prints:
                self._prints[frozen] = fingerprint(self._peer(world, number))
            prints.append(self._prints[frozen])
        links = repr(sorted((link, waiting) for link, waiting in world.links.items() if waiting)).encode()
        rest = repr((world.now, world.times, world.misdeeds, world.crashes, world.lied)).encode()
        return sha256(b"|".join([*prints, links, rest])).hexdigest()

    def finish(self, world: World) -> None:
        """The altered client behaves from here on, and everything is delivered: unless it is convicted, all agree in the end and
        whatever an honest author has said stands or is dead."""
        world = self._pass_time(replace(world, misdeeds=0, crashes=0))
        self.ends += 1
        if self.accused(world):
            self._check_accusations(world)
        else:
            self._check_agreed(world)
            self._check_free(world)

    def fall_silent(self, world: World) -> None:
        """The altered client does nothing more, whatever of it is on its way is lost, and all others want it gone. Unless it is
        convicted they agree in the end; and it is gone, what an honest author has said stands or is dead, and one who is there
        orders. They wait if they are no majority, or if one of them has given its vote away by what got no place."""
        if self.altered is None:
            return
        cheat = self.authors[self.altered]
        world = replace(world, misdeeds=0, crashes=0)
        for number in self.honest:
            node = self.thaw(world, number)
            _peer_of(node).choices.removals.add(cheat)
            world = self._store(world, number, f"{number} wants {self.altered} gone")
        world = self._pass_time(world, is_alone=True)
        self.silences += 1
        if self.accused(world):
            return self._check_accusations(world)
        self._check_agreed(world)
        peers = [self._peer(world, number) for number in self.honest]
        snapshot = peers[0].match.snapshot
        there = [voter for voter in snapshot.live_voters if voter != cheat]
        if 2 * len(there) > len(snapshot.voters) and not any(peer.state.has_given_vote_away for peer in peers):
            assert cheat not in snapshot.live, ("who is silent stays", world.path[:60])
            assert snapshot.orderer in there, ("nobody orders", world.path[:60])
            self._check_free(world)
            self.goings_on += 1
        return None

    def _pass_time(self, world: World, *, is_alone: bool = False) -> World:
        """Two minutes pass, or less if somebody is accused. Everything is delivered, but ``is_alone``: nothing of the altered
        client, nor to it."""
        for _ in range(30):
            for _ in range(2000):
                links = [link for link, waiting in world.links.items() if waiting and not (is_alone and self.altered in link)]
                if not links:
                    break
                world = self.deliver(world, links[0])
            if self.accused(world):
                break
            world = self.wait(replace(world, times=1), is_alone=is_alone)
        return world

    def _check_agreed(self, world: World) -> None:
        ends = {self._peer(world, number).match.head for number in self.honest}
        assert len(ends) == 1, ("honest logs differ for good", world.path[:60])

    def _check_free(self, world: World) -> None:
        for number in self.honest:
            peer = self._peer(world, number)
            assert peer.pending is None, ("a statement waits for ever", world.path[:60])
            assert not peer.state.is_bound, ("a promise binds for ever", world.path[:60])

    def _check_accusations(self, world: World) -> None:
        """What is held against the altered client is proven to anybody by its file."""
        for number in self.honest:
            for accusation in self._peer(world, number).accusations:
                again = Accusation.from_text(accusation.to_text())
                assert judge(again, rules_for(self.net), self.net.verifier, self.net.checker) is not None, world.path


def rules_for(net: Network) -> Callable[[str], Any]:
    rules = type(net.peers[0].match.rules)
    return lambda game: rules


def kind_of(data: bytes) -> str:
    return str(parse(data).get("t"))


def fingerprint(peer: Replica) -> bytes:
    """All of ``peer`` that can bear on what it does next."""
    state, ballots = peer.state, peer._ballots
    acknowledged = tuple(sorted(state.acknowledgements._up_to.items()))
    votes = {epoch: sorted(of) for epoch, of in ballots._votes.items()}
    shown = (peer.match.head, len(peer.match.entries), state.pending and state.pending.hash, state.count,
             tuple(one.statement.hash for one in state.dead), state.promise, acknowledged, votes,
             tuple(sorted((author, wish.subjects, wish.time) for author, wish in ballots._wishes.items())),
             tuple((one.culprit, one.why) for one in state.accusations), sorted(state._heard.items()), state.time,
             peer.membership.is_leaving, sorted(peer._sync._early), sorted(peer._backfill._ends.items()))
    return sha256(repr(shown).encode()).digest()


# ---- what the altered client does ----

Misdeed = Callable[[Explorer, World, Node], list[tuple[str | None, bytes]]]


def _peer_of(node: Node) -> Replica:
    assert node.peer is not None
    return node.peer


def _others(explorer: Explorer) -> list[str]:
    return [explorer.authors[number] for number in explorer.honest]


def _seat_statement(explorer: Explorer, node: Node, name: str) -> Statement:
    match = _peer_of(node).match
    seats = match.snapshot.seats_of(node.author)
    seat = seats[0] if seats else 0
    return signed(node, "seat", {"seat": seat, "to": {**match.setup.seats[seat].to_json(), "name": name}})


def false_no(explorer: Explorer, world: World, node: Node) -> list[tuple[str | None, bytes]]:
    """It answers everything that anybody said with a "no"."""
    return [(None, canonical({"t": "no", "h": name, "k": "kernel.turn"})) for name in list(world.said)[-3:]]


def two_statements(explorer: Explorer, world: World, node: Node) -> list[tuple[str | None, bytes]]:
    """Two statements with one counter, each to somebody else."""
    return [(to, canonical({"t": "say", "s": _seat_statement(explorer, node, f"name {number}").to_json()}))
            for number, to in enumerate(_others(explorer)[:2])]


def fork(explorer: Explorer, world: World, node: Node) -> list[tuple[str | None, bytes]]:
    """Two entries for one place, each to somebody else."""
    if not _peer_of(node).orders:
        return []
    return [(to, canonical({"t": "put", "e": [put(node, _seat_statement(explorer, node, f"fork {number}")).to_json()]}))
            for number, to in enumerate(_others(explorer)[:2])]


def replay(explorer: Explorer, world: World, node: Node) -> list[tuple[str | None, bytes]]:
    """What others said comes once more, to everybody."""
    return [(None, canonical({"t": "say", "s": pickle.loads(one).to_json()})) for one in list(world.said.values())[-3:]]


def place_what_is_dead(explorer: Explorer, world: World, node: Node) -> list[tuple[str | None, bytes]]:
    """It places whatever it ever heard of, if that would stand."""
    peer = _peer_of(node)
    if peer.orders:
        for one in world.said.values():
            statement: Statement = pickle.loads(one)
            if peer.match.refusal(statement) is None:
                return [(to, canonical({"t": "put", "e": [put(node, statement).to_json()]})) for to in _others(explorer)[:1]]
    return []


def _vote(node: Node, epoch: int, subject: dict[str, Json], back: int) -> bytes:
    match = _peer_of(node).match
    entry = match.entries[max(0, len(match.entries) - 1 - back)]
    seen = (match.snapshot_at(entry.index).epoch, entry.index, entry.hash)
    signature = node.identity.sign(ballot_vote(match.id, epoch, subject, list(seen)))
    return canonical({"t": "ballot", **EpochVote(node.author, epoch, subject, seen, signature).to_json()})


def _subjects(explorer: Explorer, node: Node) -> list[dict[str, Json]]:
    snapshot = _peer_of(node).match.snapshot
    found: list[dict[str, Json]] = [{"kind": "pass", "against": None, "order": snapshot.orderer}]
    for lost in _others(explorer):
        order = snapshot.orderer if snapshot.orderer != lost else node.author
        found.append({"kind": "gone", "peer": lost, "order": order, "heir": order, "then": "bot"})
    return found


def _next_ballot(node: Node) -> int:
    """A number that nobody's vote has that ``node`` knows."""
    ballots = _peer_of(node)._ballots
    return max(ballots._newest_ballot, *ballots._votes, 0) + 1


def two_votes(explorer: Explorer, world: World, node: Node) -> list[tuple[str | None, bytes]]:
    """It tells each that it wants the other gone, and votes for both in the next ballot."""
    messages: list[tuple[str | None, bytes]] = []
    epoch = _next_ballot(node)
    subjects = _subjects(explorer, node)[1:]
    for to, subject in zip(_others(explorer), reversed(subjects), strict=False):
        messages += [(to, canonical({"t": "wish", "what": [subject], "e": epoch - 1})), (to, _vote(node, epoch, subject, 0))]
    return messages


def vote_that_hides(explorer: Explorer, world: World, node: Node) -> list[tuple[str | None, bytes]]:
    """It wants whatever can be wanted, and votes as if it had not seen the last entries."""
    epoch = _next_ballot(node)
    subjects = _subjects(explorer, node)
    wish = canonical({"t": "wish", "what": subjects, "e": epoch - 1})
    return [(None, wish), (None, _vote(node, epoch, explorer.rng.choice(subjects), 3))]


def stale_consent(explorer: Explorer, world: World, node: Node) -> list[tuple[str | None, bytes]]:
    """It agrees to going back, naming what it saw long ago; if it orders, it places that."""
    match = _peer_of(node).match
    seats = match.snapshot.seats_of(node.author)
    if not seats or len(match.entries) < 3:
        return []
    body = {"seat": seats[0], "to": len(match.entries) - 2}
    consent = signed(node, "consent", body, head=match.entries[-2].hash)
    if not _peer_of(node).orders:
        return [(None, canonical({"t": "say", "s": consent.to_json()}))]
    return [(None, canonical({"t": "put", "e": [put(node, consent).to_json()]}))]


MISDEEDS: tuple[Misdeed, ...] = (false_no, two_statements, fork, replay, place_what_is_dead, two_votes, vote_that_hides,
                                 stale_consent)
