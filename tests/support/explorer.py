"""Every order in which what happens in a small scene can come: real replicas, with one altered client, searched to the end.

A *world* is three or four devices, what is on its way between them, and what may still happen. A *step* delivers what waits
first on one link, lets clocks go on, crashes and restarts a device, ends a link, or is something that the altered client does.
From the first world on every step of every world is taken, and worlds that are alike are one. ``Bounds`` says how often clocks
go on and how much goes wrong, so the search comes to an end, or stops after so many worlds; it says which of the two.

*The network.* Between two devices there is one data channel, ordered and reliable, as WebRTC gives it. So each direction of a
link is a queue: nothing in it is lost, doubled or overtaken. Between links there is no order at all. A link that ends
(``breaks``) and a device that crashes lose what is on its way, in both directions. The altered client does as it likes: it
leaves out, repeats or puts off what it sends, and ignores what it is sent; that counts as misdeeds. What comes twice by way of
others replicas send themselves.

*Time.* All clocks go on at once, by ``STEP``; with ``apart`` each by itself, at most one step before another.

*What is merged and left out, and why that loses nothing.* ``test_explorer_reductions`` compares it with the search without.

- What a device does follows from itself and the message, for a replica knows no clock and no chance of its own. So each such step
  is done once and remembered.
- Devices with one print (``replica_prints``) do the same with whatever comes. Worlds are one where the prints, the links, the
  clocks, what may still happen, and what was said, heard and settled before are the same.
- The altered client does something of its own only right after a step of its device, or a crash. What it does follows from that
  device and what it heard, and waits on its links; so done later, behind steps of others, it comes to the same.
- Deliveries to different devices may change places. Where only deliveries are left, and all devices but one would say nothing,
  whatever they hear of what waits for them and in whatever order, that one hears first; if all would say nothing, the first of
  them. Nothing new can come to it meanwhile, so every order that is left out ends where one does that is taken (persistent sets;
  Godefroid, 1996). Each device is met as it is in the worlds that are passed over, with no less having been said.

*What must hold* in every world: nobody honest is convicted; what convicts the altered client is proven by its file; no two
devices ever hold different settled histories; no honest author has two statements that some log would take. And from every
world, once the altered client behaves and nothing fails any more, the match comes to rest: honest logs are the same, nothing
waits for a place and no promise binds; or somebody is convicted. That is tried in one order, link by link, from each world.
From the first world, and from one in thirty-two of those in which nothing is left to happen, the altered client also falls silent
for good, and the others, who want it gone, go on without it.
"""

from __future__ import annotations

from array import array
from bisect import bisect
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

from tabletin.kernel.log import Hash, Statement, parse
from tabletin.kernel.options import Refused
from tabletin.peers.replication.authority import BEGINS_EPOCH
from tabletin.peers.replication.evidence import Accusation, judge
from tabletin.peers.replication.replica import Replica
from tests.support.altered_client import MISDEEDS, AlteredClient, Messages
from tests.support.peer_sim import Network, Node
from tests.support.replica_prints import Constants, fingerprint, freeze, thaw

STEP: Final = 4.0  # seconds by which a clock goes on
MOST_ROUNDS: Final = 40  # steps of the clocks in which a match comes to rest
AT_REST: Final = 2  # … in a row, that it rests
EACH: Final = 32  # of the worlds in which nothing is left to happen: from one in so many the altered client falls silent

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Bounds:
    """How often the clocks go on, the altered client does something, a device crashes, and a link between honest devices ends;
    whether each clock goes on ``apart``; and after how many ``worlds`` the search stops if it is not at its end.

    ``told``: the clocks have just gone on before the first world, and the heads of that moment were lost. ``reduced``: whether
    orders are left out; ``test_explorer_reductions`` searches without that, too."""

    times: int
    misdeeds: int = 0
    crashes: int = 0
    breaks: int = 0
    apart: bool = False
    told: bool = False
    reduced: bool = True
    worlds: int = 10**9


class World(NamedTuple):
    """Each part is a number in a table of the explorer, or counts. ``nodes`` and ``clocks`` by device; ``links`` by sender and
    receiver. ``misdeeds``, ``crashes`` and ``breaks`` are those that may still come. ``said``: what honest authors have signed;
    ``settled``: the longest history that any honest device has known as settled; ``heard``: what honest authors signed and the
    altered client has heard; ``acts``: whether that client may do something of its own now."""

    nodes: tuple[int, ...]
    links: tuple[int, ...]
    clocks: tuple[int, ...]
    misdeeds: int
    crashes: int
    breaks: int
    said: int
    settled: int
    heard: int
    acts: bool


@dataclass(frozen=True, slots=True)
class Device:
    """A device as it may be: the print that is its ``name``, its bytes, the ``number`` of its node, its log's ``head``, the
    number of the history that is ``settled`` there, whether it has ``accused`` somebody, and whether it ``rests``: nothing waits
    for a place, and no promise binds."""

    name: bytes
    frozen: bytes
    number: int
    head: Hash
    settled: int
    accused: bool
    rests: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a step makes of a device: it becomes ``node``, sends messages on links, and its author has ``said`` something; the
    altered client has heard that."""

    node: int
    sent: tuple[tuple[int, tuple[int, ...]], ...]
    said: frozenset[int]


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: how many ``worlds``, from each of which the way to rest was followed; whether these are all there are;
    how many steps it is to the ``deepest``, by the shortest way; how many ``steps`` of devices were computed, and how many
    ``devices`` differ."""

    worlds: int
    is_exhausted: bool
    deepest: int
    steps: int
    devices: int


class Table(Generic[Value]):
    """Values by number, each once."""

    def __init__(self) -> None:
        self._numbers: dict[Value, int] = {}
        self.values: list[Value] = []

    def __getitem__(self, number: int) -> Value:
        return self.values[number]

    def number(self, value: Value) -> int:
        found = self._numbers.setdefault(value, len(self.values))
        if found == len(self.values):
            self.values.append(value)
        return found


class Explorer:
    """``altered``: the number of the node whose client is altered, or None."""

    def __init__(self, net: Network, altered: int | None, bounds: Bounds) -> None:
        self.net = net
        self.altered = altered
        self.bounds = bounds
        self.authors = [node.author for node in net.nodes]
        self.honest = [number for number in range(len(net.nodes)) if number != altered]
        self.links = [(one, two) for one in range(len(net.nodes)) for two in range(len(net.nodes)) if one != two]
        self.devices: list[Device] = []
        self.worlds: list[World] = []
        self.depth = 0  # of the world that is looked at
        self.silences = 0  # how often the altered client fell silent for good
        self.steps = 0
        self._start = 0.0
        self._numbers = {link: number for number, link in enumerate(self.links)}
        self._links_to = [[link for link, (_, to) in enumerate(self.links) if to == number] for number in range(len(net.nodes))]
        self._silent: dict[tuple[int, tuple[int, ...]], bool] = {}
        self.constants = Constants()
        self._prints: dict[bytes, int] = {}
        self._messages: Table[bytes] = Table()
        self._kinds: list[str] = []
        self._queues: Table[tuple[int, ...]] = Table()
        self._statements: Table[Statement] = Table()
        self._said: Table[frozenset[int]] = Table()
        self._settled: Table[tuple[Hash, ...]] = Table()
        self._known: dict[tuple[Any, ...], Outcome] = {}  # what a step of a device leads to
        self._done: dict[tuple[int, int], list[tuple[str, Outcome]]] = {}  # what the altered client can do
        self._longer: dict[tuple[int, int], int] = {}
        self._is_usable: dict[tuple[Hash, int], bool] = {}  # whether a log, by its head, would take a statement
        self._keeps_word: set[tuple[Hash, int]] = set()  # logs and what was said, looked at before
        self._proven: set[str] = set()
        self._good: set[World] = set()  # worlds that come to rest
        self._gone_on: set[World] = set()  # worlds in which the others go on without the altered client
        self._queues.number(())
        self._settled.number(())

    # ---- the first world ----

    def begin(self, act: Callable[[], None]) -> World:
        """The world after ``act``, with whatever it made the devices send."""
        for node in self.net.nodes:
            self._drain(node)
        act()
        self._start = max(node.peer.state.time for node in self.net.nodes if node.peer is not None)
        messages = [self._drain(node) for node in self.net.nodes]
        if self.bounds.told:
            self._start += STEP
            for number, node in enumerate(self.net.nodes):
                assert node.peer is not None
                node.peer.tick(self._start)
                messages[number] += [one for one in self._drain(node) if parse(one[1])["t"] != "head"]
        outcomes = [self._outcome(number, said) for number, said in enumerate(messages)]
        links = (0,) * len(self.links)
        said: frozenset[int] = frozenset()
        for outcome in outcomes:
            links = self._send(links, outcome.sent)
            said |= outcome.said
        nodes, bounds = tuple(outcome.node for outcome in outcomes), self.bounds
        world = World(nodes, links, (0,) * len(nodes), bounds.misdeeds, bounds.crashes, bounds.breaks,
                      self._said.number(said), 0, self._said.number(frozenset()), self.altered is not None)
        for number in self.honest:
            world = self._checked(world, number)
        return world

    # ---- steps of one device ----

    def _drain(self, node: Node) -> Messages:
        assert node.peer is not None
        self._say_again(node.peer)
        output = node.peer.take()
        node.disk.store(output)
        return list(output.messages)

    def _say_again(self, peer: Replica) -> None:
        """An honest person whose statement was refused says something else at once, if the program allows it."""
        refused = [statement for statement, _ in peer.rejections if statement.kind != "deal"]
        peer.rejections.clear()
        seats = peer.match.snapshot.seats_of(peer.author)
        may_say = peer.ready and peer.pending is None and not peer.membership.is_leaving and peer.match.outcome is None
        if refused and seats and may_say and self.altered != self.authors.index(peer.author):
            player = peer.match.setup.seats[seats[0]]
            with suppress(Refused):  # there may be nothing to be said just now but by who orders
                peer.say("seat", {"seat": seats[0], "to": {**player.to_json(), "name": f"{player.name}+"}})

    def thaw(self, device: int) -> Node:
        """The node of that device, as it was."""
        found = self.devices[device]
        node = self.net.nodes[found.number]
        thaw(node, found.frozen, self.constants)
        return node

    def _outcome(self, number: int, messages: Messages, heard: bytes | None = None) -> Outcome:
        """What node ``number`` has become, and what it sends, after it ``heard`` a message or something else."""
        self.steps += 1
        sent: dict[int, list[int]] = {}
        said: set[int] = set()
        for to, data in messages:
            name = self._messages.number(data)
            if name == len(self._kinds):
                self._kinds.append(str(parse(data).get("t")))
            for other, author in enumerate(self.authors):
                if other != number and to in (None, author):
                    sent.setdefault(self._numbers[number, other], []).append(name)
            if number != self.altered:
                said.update(self._statements.number(one) for one in self._told(data) if one.author == self.authors[number])
        if heard is not None and number == self.altered:
            said.update(self._statements.number(one) for one in self._told(heard) if one.author != self.authors[number])
        return Outcome(self._keep(number), tuple((link, tuple(names)) for link, names in sent.items()), frozenset(said))

    @staticmethod
    def _told(data: bytes) -> Iterator[Statement]:
        """The statements in a message, but messages of the dealing, which leave no choice, and what begins an epoch: votes choose
        that, and not its author."""
        message = parse(data)
        entries = message["e"] if message["t"] == "put" else []
        for one in [message.get("s"), *(entry["say"] for entry in entries)]:
            if one is not None and "apart" not in message and one["kind"] not in ("deal", *BEGINS_EPOCH):
                yield Statement.from_json(one)

    def _keep(self, number: int) -> int:
        """The number of node ``number`` as it is now, among all devices that were met."""
        node = self.net.nodes[number]
        name = fingerprint(node, self.constants)
        known = self._prints.get(name)
        if known is None:
            peer = node.peer
            assert peer is not None
            settled, rests = self._settled_there(peer), peer.pending is None and not peer.state.is_bound
            if number != self.altered:
                self._check_accusations(peer)
            known = self._prints[name] = len(self.devices)
            self.devices.append(Device(name, freeze(node, self.constants), number, peer.match.head, settled,
                                       bool(peer.accusations), rests))
        return known

    def _settled_there(self, peer: Replica) -> int:
        """What this peer's log holds settled. What is settled behind some entry is settled behind every one before it."""
        entries = peer.match.entries
        last = bisect(range(1, len(entries)), False, key=lambda index: not peer.state.settled_behind(index))
        return self._settled.number(tuple(entry.hash for entry in entries[1:last + 1]))

    def _receive(self, device: int, sender: int, message: int) -> Outcome:
        known = self._known.get((device, sender, message))
        if known is None:
            node = self.thaw(device)
            assert node.peer is not None
            node.peer.receive(self.authors[sender], self._messages[message])
            known = self._outcome(self.devices[device].number, self._drain(node), self._messages[message])
            self._known[device, sender, message] = known
        return known

    def _tick(self, device: int, clock: int) -> Outcome:
        """``clock``: how often the device's clock has gone on."""
        known = self._known.get((device, clock))
        if known is None:
            node = self.thaw(device)
            assert node.peer is not None
            node.peer.tick(self._start + clock * STEP)
            known = self._known[device, clock] = self._outcome(self.devices[device].number, self._drain(node))
        return known

    def _restart(self, device: int, clock: int) -> Outcome:
        known = self._known.get(("restart", device, clock))
        if known is None:
            node = self.thaw(device)
            node.start(self.net.genesis, restarted=True).tick(self._start + clock * STEP)
            known = self._known["restart", device, clock] = self._outcome(self.devices[device].number, self._drain(node))
        return known

    def _misdeeds(self, device: int, heard: int) -> list[tuple[str, Outcome]]:
        known = self._done.get((device, heard))
        if known is None:
            known = self._done[device, heard] = []
            assert self.altered is not None
            node = self.thaw(device)
            statements = sorted((self._statements[one] for one in self._said[heard]), key=lambda one: (one.author, one.count))
            client = AlteredClient(node, tuple(self.authors[number] for number in self.honest), tuple(statements))
            for misdeed in MISDEEDS:
                for messages in misdeed(client):
                    if messages:
                        known.append((misdeed.__name__, self._outcome(self.altered, messages)))
        return known

    # ---- steps of a world ----

    def _send(self, links: tuple[int, ...], sent: tuple[tuple[int, tuple[int, ...]], ...]) -> tuple[int, ...]:
        changed = list(links)
        for link, messages in sent:
            changed[link] = self._queues.number(self._queues[changed[link]] + messages)
        return tuple(changed)

    def _after(self, world: World, number: int, outcome: Outcome, links: tuple[int, ...], **changes: int) -> World:
        """``world`` with ``links``, after node ``number`` has done something."""
        nodes = (*world.nodes[:number], outcome.node, *world.nodes[number + 1:])
        said, heard, acts = world.said, world.heard, number == self.altered
        if outcome.said and acts:
            heard = self._said.number(self._said[heard] | outcome.said)
        elif outcome.said:
            said = self._said.number(self._said[said] | outcome.said)
        misdeeds = changes.get("misdeeds", world.misdeeds)
        after = World(nodes, self._send(links, outcome.sent) if outcome.sent else links, world.clocks, misdeeds,
                      changes.get("crashes", world.crashes), world.breaks, said, world.settled, heard,
                      acts and misdeeds > 0)
        return after if acts else self._checked(after, number)

    def successors(self, world: World) -> Iterator[tuple[str, World]]:
        """The steps that are to be taken, and the world that each leads to."""
        alone = self._who_speaks(world) if self.bounds.reduced else None
        if alone is not None:
            for link in self._links_to[alone]:
                if world.links[link]:
                    yield self._deliver(world, link)
                    if world.misdeeds and self.altered in self.links[link]:
                        yield from self._tampered(world, link)
        else:
            yield from self.all_successors(world)

    def _who_speaks(self, world: World) -> int | None:
        """A device to which something is to be delivered, where nothing else than deliveries is left and all other devices would
        say nothing, whatever of what waits for them now they hear, in any order. None where there is none."""
        if world.acts or world.crashes or world.breaks or min(world.clocks) < self.bounds.times:
            return None
        waiting = [number for number, links in enumerate(self._links_to) if any(world.links[link] for link in links)]
        speaking = [number for number in waiting if self._may_be_tampered(world, number)
                    or not self._stays_silent(world.nodes[number], tuple(world.links[link] for link in self._links_to[number]))]
        return None if len(speaking) > 1 or not waiting else (speaking or waiting)[0]

    def _may_be_tampered(self, world: World, number: int) -> bool:
        """Whether the altered client may change what ``number`` hears, or act because of what it hears itself."""
        return world.misdeeds > 0 and (number == self.altered or any(
            world.links[link] for link in self._links_to[number] if self.links[link][0] == self.altered))

    def _stays_silent(self, device: int, queues: tuple[int, ...]) -> bool:
        """Whether ``device`` sends nothing, whatever of ``queues``, those of the links to it, it hears in whatever order."""
        known = self._silent.get((device, queues))
        if known is None:
            links = self._links_to[self.devices[device].number]
            known = True
            for place, queue in enumerate(queues):
                if queue and known:
                    first, *rest = self._queues[queue]
                    outcome = self._receive(device, self.links[links[place]][0], first)
                    left = (*queues[:place], self._queues.number(tuple(rest)), *queues[place + 1:])
                    known = not outcome.sent and self._stays_silent(outcome.node, left)
            self._silent[device, queues] = known
        return known

    def all_successors(self, world: World) -> Iterator[tuple[str, World]]:
        """Every step that can be taken, and the world that it leads to."""
        for link, queue in enumerate(world.links):
            if queue:
                yield self._deliver(world, link)
                if world.misdeeds and self.altered in self.links[link]:
                    yield from self._tampered(world, link)
                if world.breaks and self.altered not in self.links[link]:
                    yield self._break(world, link)
        yield from self._clocks(world)
        if world.crashes:
            for number in self.honest:
                yield self._crash(world, number)
        if self.altered is not None and world.misdeeds and (world.acts or not self.bounds.reduced):
            for name, outcome in self._misdeeds(world.nodes[self.altered], world.heard):
                yield name, self._after(world, self.altered, outcome, world.links, misdeeds=world.misdeeds - 1)

    def _with_queue(self, world: World, link: int, queue: tuple[int, ...]) -> tuple[int, ...]:
        return (*world.links[:link], self._queues.number(queue), *world.links[link + 1:])

    def _deliver(self, world: World, link: int) -> tuple[str, World]:
        first, *rest = self._queues[world.links[link]]
        sender, to = self.links[link]
        outcome = self._receive(world.nodes[to], sender, first)
        return (f"{sender}>{to} {self._kinds[first]}",
                self._after(world, to, outcome, self._with_queue(world, link, tuple(rest))))

    def _tampered(self, world: World, link: int) -> Iterator[tuple[str, World]]:
        """The altered client leaves out what waits first, and of what it sends repeats that or sends the next one before it."""
        queue = self._queues[world.links[link]]
        sender, to = self.links[link]
        fewer = world.misdeeds - 1
        yield f"lost {sender}>{to}", world._replace(links=self._with_queue(world, link, queue[1:]), misdeeds=fewer,
                                                     acts=world.acts and fewer > 0)
        if sender == self.altered:
            first = self._receive(world.nodes[to], sender, queue[0])
            yield f"repeated {sender}>{to}", self._after(world, to, first, world.links, misdeeds=fewer)
            if len(queue) > 1 and queue[0] != queue[1]:
                second = self._receive(world.nodes[to], sender, queue[1])
                left = self._with_queue(world, link, (queue[0], *queue[2:]))
                yield f"overtaken {sender}>{to}", self._after(world, to, second, left, misdeeds=fewer)

    def _break(self, world: World, link: int) -> tuple[str, World]:
        """Two honest devices lose each other, and are linked anew at once: what was on its way is lost."""
        one, two = self.links[link]
        both = (link, self._numbers[two, one])
        links = tuple(0 if number in both else queue for number, queue in enumerate(world.links))
        return f"broken {one}-{two}", world._replace(links=links, breaks=world.breaks - 1, acts=False)

    def _crash(self, world: World, number: int) -> tuple[str, World]:
        outcome = self._restart(world.nodes[number], world.clocks[number])
        links = tuple(0 if number in link else queue for link, queue in zip(self.links, world.links, strict=True))
        after = self._after(world, number, outcome, links, crashes=world.crashes - 1)
        return f"restart {number}", after._replace(acts=self.altered is not None and world.misdeeds > 0)

    def _clocks(self, world: World) -> Iterator[tuple[str, World]]:
        least = min(world.clocks)
        if least == self.bounds.times:
            return
        if not self.bounds.apart:
            yield "tick", self._tick_all(world)
            return
        for number, clock in enumerate(world.clocks):
            if clock == least:
                yield f"tick {number}", self._tick_one(world, number)

    def _tick_one(self, world: World, number: int) -> World:
        clock = world.clocks[number] + 1
        clocks = (*world.clocks[:number], clock, *world.clocks[number + 1:])
        return self._after(world._replace(clocks=clocks), number, self._tick(world.nodes[number], clock), world.links)

    def _tick_all(self, world: World) -> World:
        """Every clock that is behind goes on; where none is, all do."""
        goal = max(world.clocks) if len(set(world.clocks)) > 1 else world.clocks[0] + 1
        for number, clock in enumerate(world.clocks):
            if clock < goal:
                world = self._tick_one(world, number)
        return world._replace(acts=self.altered is not None and world.misdeeds > 0)

    # ---- what must hold ----

    def _checked(self, world: World, number: int) -> World:
        """``world``, in which the honest node ``number`` has just done something. It knows what is settled there now."""
        device = world.nodes[number]
        for other in self.honest:
            pair = self.devices[world.nodes[other]].head, world.said
            if pair not in self._keeps_word:
                self._check_commitments(world.nodes[other], world.said)
                self._keeps_word.add(pair)
        settled = self._join(world.settled, self.devices[device].settled)
        return world if settled == world.settled else world._replace(settled=settled)

    def _join(self, one: int, other: int) -> int:
        """The longer one of two settled histories, of which one goes on with the other."""
        if one == other:
            return one
        known = self._longer.get((one, other))
        if known is None:
            shorter, longer = sorted((one, other), key=lambda number: len(self._settled[number]))
            short = self._settled[shorter]
            assert self._settled[longer][:len(short)] == short, "two settled histories"
            known = self._longer[one, other] = longer
        return known

    def _check_commitments(self, device: int, said: int) -> None:
        """No honest author has two statements that this log would take, and both of which it has signed. Verdicts follow from the
        log (``tests/kernel/test_prefix.py``), so one device of those that hold it tells."""
        head = self.devices[device].head
        lacking = [one for one in self._said[said] if (head, one) not in self._is_usable]
        if lacking:
            match = self._peer(device).match
            placed = {entry.statement.hash for entry in match.entries}
            for one in lacking:
                statement = self._statements[one]
                self._is_usable[head, one] = statement.hash not in placed and match.refusal(statement) is None
        usable = [self._statements[one] for one in self._said[said] if self._is_usable[head, one]]
        assert len({one.author for one in usable}) == len(usable), ("two usable commitments", [one.kind for one in usable])

    def _check_accusations(self, peer: Replica) -> None:
        """Nobody honest is convicted, and what is held against the altered client is proven to anybody by its file."""
        cheat = None if self.altered is None else self.authors[self.altered]
        for accusation in peer.accusations:
            assert accusation.culprit == cheat, ("an honest peer is convicted", accusation.why)
            text = accusation.to_text()
            if text not in self._proven:
                again = Accusation.from_text(text)
                assert judge(again, rules_for(self.net), self.net.verifier, self.net.checker) is not None, "proves nothing"
                self._proven.add(text)

    def _peer(self, device: int) -> Replica:
        peer = self.thaw(device).peer
        assert peer is not None
        return peer

    # ---- the search ----

    def explore(self, start: World) -> Found:
        """Take every step of every world, breadth first: where the search stops early, all worlds up to some depth were met.
        Raises ``AssertionError`` with the shortest way to a world in which something does not hold."""
        self.worlds = worlds = [start]
        met = {start}
        came_from, depths, names = array("l", [-1]), array("l", [0]), [""]
        index = ended = 0
        try:
            while index < len(worlds) and index < self.bounds.worlds:
                self.depth = depths[index]
                self._come_to_rest(worlds[index])
                ended += self.ends(worlds[index])
                if self.altered is not None and (not index or (self.ends(worlds[index]) and ended % EACH == 1)):
                    self._go_on_without(worlds[index])
                for name, after in self.successors(worlds[index]):
                    if after not in met:
                        met.add(after)
                        worlds.append(after)
                        came_from.append(index)
                        depths.append(depths[index] + 1)
                        names.append(name)
                index += 1
        except AssertionError as error:
            way = []
            while index:
                way.append(names[index])
                index = came_from[index]
            error.add_note("after: " + ", ".join(reversed(way)))
            raise
        return Found(index, index == len(worlds), self.depth, self.steps, len(self.devices))

    # ---- what was found ----

    def name_of(self, device: int) -> bytes:
        """The print of ``device``."""
        return self.devices[device].name

    def history(self, settled: int) -> tuple[Hash, ...]:
        """The hashes of the entries behind the first one in that settled history."""
        return self._settled[settled]

    def words(self, said: int) -> frozenset[Hash]:
        """The hashes of those statements."""
        return frozenset(self._statements[one].hash for one in self._said[said])

    def ends(self, world: World) -> bool:
        """Whether nothing can be delivered and the clocks do not go on any more."""
        return not any(world.links) and min(world.clocks) == self.bounds.times

    def _come_to_rest(self, world: World) -> None:
        """The altered client behaves from here on, and nothing fails: see that the match comes to rest."""
        world = world._replace(misdeeds=0, crashes=0, breaks=0, acts=False)
        way: list[World] = []
        resting, last = 0, max(world.clocks) + MOST_ROUNDS
        while resting < AT_REST and world not in self._good:
            way.append(world)
            if self.is_convicted(world):
                break
            link = next((link for link, queue in enumerate(world.links) if queue), None)
            if link is not None:
                _, world = self._deliver(world, link)
                continue
            resting = resting + 1 if self._rests(world) else 0
            assert max(world.clocks) < last, ("it does not come to rest", self._why(world))
            world = self._tick_all(world)
        self._good.update(way)

    def _go_on_without(self, world: World) -> None:
        """The altered client does nothing more, what is on its way from it or to it is lost, and all others want it gone. Unless
        it is convicted they agree in the end; and it is gone, one who is there orders, and the match comes to rest. They wait if
        they are no majority, or if one of them has given its vote away by what got no place."""
        world = world._replace(misdeeds=0, crashes=0, breaks=0, acts=False, links=tuple(
            0 if self.altered in link else queue for link, queue in zip(self.links, world.links, strict=True)))
        for number in self.honest:
            world = self._after(world, number, self._want_gone(world.nodes[number]), world.links)
        way: list[World] = []
        self.silences += 1
        for _ in range(MOST_ROUNDS):
            while (link := self._open_link(world)) is not None:
                _, world = self._deliver(world, link)
            if world in self._gone_on or self.is_convicted(world) or self._is_free(world):
                self._gone_on.update(way)
                return
            way.append(world)
            for number in self.honest:
                world = self._tick_one(world, number)
        peers = [self._peer(world.nodes[number]) for number in self.honest]
        assert len({peer.match.head for peer in peers}) == 1, ("honest logs differ for good", self._why(world))
        assert not self._can_decide(peers), ("who is silent stays, or nobody orders, or something waits", self._why(world))
        self._gone_on.update(way)

    def _want_gone(self, device: int) -> Outcome:
        """Its people want the altered client gone."""
        known = self._known.get(("gone", device))
        if known is None:
            assert self.altered is not None
            node = self.thaw(device)
            assert node.peer is not None
            node.peer.choices.removals.add(self.authors[self.altered])
            known = self._known["gone", device] = self._outcome(self.devices[device].number, self._drain(node))
        return known

    def _open_link(self, world: World) -> int | None:
        """The first link on which something waits, but for those of the altered client."""
        return next((link for link, queue in enumerate(world.links) if queue and self.altered not in self.links[link]), None)

    def _can_decide(self, peers: list[Replica]) -> bool:
        """Whether those who are there are a majority, and all may vote."""
        assert self.altered is not None
        snapshot = peers[0].match.snapshot
        there = [voter for voter in snapshot.live_voters if voter != self.authors[self.altered]]
        return 2 * len(there) > len(snapshot.voters) and not any(peer.state.has_given_vote_away for peer in peers)

    def _is_free(self, world: World) -> bool:
        """Whether the match goes on without the altered client."""
        assert self.altered is not None
        if not self._rests(world):
            return False
        peers = [self._peer(world.nodes[number]) for number in self.honest]
        snapshot, cheat = peers[0].match.snapshot, self.authors[self.altered]
        return self._can_decide(peers) and cheat not in snapshot.live and snapshot.orderer in snapshot.live_voters

    def is_convicted(self, world: World) -> bool:
        """Whether any honest device holds something proven against the altered client."""
        return any(self.devices[world.nodes[number]].accused for number in self.honest)

    def _rests(self, world: World) -> bool:
        found = [self.devices[world.nodes[number]] for number in self.honest]
        return len({one.head for one in found}) == 1 and all(one.rests for one in found)

    def _why(self, world: World) -> str:
        """Why ``world`` does not rest."""
        peers = [(number, self._peer(world.nodes[number])) for number in self.honest]
        return "; ".join(f"{number}: {len(peer.match.entries)} entries, head {peer.match.head[:6]}, "
                         f"{'bound, ' if peer.state.is_bound else ''}waits with {peer.pending and peer.pending.kind}"
                         for number, peer in peers)


def rules_for(net: Network) -> Callable[[str], Any]:
    rules = type(net.peers[0].match.rules)
    return lambda game: rules
