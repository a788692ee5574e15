"""Meshes of several devices over simulated connections: latency, cuts, links that break, crashes and reloads, by one seed.

A connection is what a browser's is to the mesh: descriptions lead to it, pieces arrive in order while the path holds, wait
while it is cut, and need mending after a cut of 20 s. Time passes only in ``Air.run``.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from functools import partial
from random import Random

from tabletin.peers.net import effects
from tabletin.peers.net.effects import Effect
from tabletin.peers.net.framing import LANE_COUNT
from tabletin.peers.net.link import Ticket
from tabletin.peers.net.mesh import Mesh
from tests.support.standin import StandIn, StandInVerifier

TICK = 0.5
BROKEN_AFTER = 20.0  # seconds of a cut after which a connection must be mended


class Wire:
    """One end of a simulated connection."""

    def __init__(self, device: Device, link: int) -> None:
        self.device, self.link = device, link
        self.other: Wire | None = None
        self.ticket: Ticket | None = None
        self.waiting: list[tuple[int, bytes]] = []
        self.open = self.broken = self.closed = False
        self.at = 0.0  # when the last piece arrives


class Device:
    """A mesh and its driver. ``texts``: (author, channel, text) as they came. ``stored``: what a reload finds.

    ``extensions``: further addresses for a link, as they came.
    """

    def __init__(self, air: Air, name: str) -> None:
        self.air = air
        air.all_devices.append(self)
        self.identity = StandIn(name.encode())
        self.stored: dict[str, tuple[Ticket, ...]] = {}
        self.life = 0
        self.alive = False
        self.has_relay = self.seeks = False
        self.begin()

    def begin(self) -> None:
        """A page is opened, for the first time or again."""
        self.alive = True
        self.life += 1
        self.mesh = Mesh(self.author, self.air.room, can_redeem=self.air.can_redeem,
                         token=lambda: f"{self.air.random.getrandbits(64):016x}")
        self.wires: dict[int, Wire] = {}
        self.texts: list[tuple[str, str, str]] = []
        self.welcomes: list[str] = []
        self.changes: list[str] = []
        self.extensions: list[tuple[int, str]] = []
        self.mesh.tick(self.air.now)
        for author, tickets in self.stored.items():
            self.mesh.expect(author, tickets)
        if self.has_relay:
            self.mesh.use_relays(seeks=self.seeks)
            self.perform()
        self.air.after(self.air.random.random() * TICK, self, self.ticking)

    def use_relays(self, *, seeks: bool = True) -> None:
        """Hear the relays from now on, also after a reload."""
        self.has_relay, self.seeks = True, seeks
        self.mesh.use_relays(seeks=seeks)
        self.perform()

    def relayed(self, text: str) -> None:
        self.mesh.relay_received(text)
        self.perform()

    @property
    def author(self) -> str:
        return self.identity.author

    def ticking(self) -> None:
        self.mesh.tick(self.air.now)
        self.perform()
        self.air.after(TICK, self, self.ticking)

    def send(self, to: str | None, channel: str, text: str) -> None:
        self.mesh.send(to, channel, text)
        self.perform()

    def perform(self) -> None:
        while (effect := self.mesh.next_effect()) is not None:
            self.do(effect)

    def wire(self, link: int) -> Wire:
        return self.wires.setdefault(link, Wire(self, link))

    def describe(self, made: Callable[[], None]) -> None:
        """Call ``made`` once the browser has a description."""
        self.later(self.air.describing, made)

    def later(self, seconds: float, done: Callable[[], None]) -> None:
        """Call ``done`` after a moment, or what a slow device takes for it."""
        self.air.after(seconds, self, lambda: self.air.soon(self, done))

    def do(self, effect: Effect) -> None:
        soon = self.air.soon
        match effect:
            case effects.Flush(link):
                for lane in range(LANE_COUNT):
                    while (piece := self.mesh.piece(link, lane)) is not None:
                        self.air.carry(self.wire(link), lane, piece)
            case effects.Deliver(author, channel, text):
                self.texts.append((author, channel, text))
            case effects.Welcome(_, author):
                self.welcomes.append(author)
            case effects.Notify(author):
                self.changes.append(author)
            case effects.Keep(author, tickets):
                self.stored[author] = tickets
                asking = self.mesh  # a page that is loaded again has another mesh, which has asked for nothing
                soon(self, lambda: asking.tickets_stored(author))
            case effects.Publish(text):
                self.air.publish(self, text)
            case effects.Sign(link, text):
                self.later(self.air.signing, lambda: self.mesh.signature_made(link, self.identity.sign(text.encode())))
            case effects.Check(link, author, text, signature):
                self.later(self.air.signing, lambda: self.mesh.signature_checked(
                    link, StandInVerifier().verify(author, text.encode(), signature)))
            case effects.Dial(link):
                name = self.air.named(self.wire(link))
                self.describe(lambda: self.mesh.description_made(link, name))
            case effects.Reply(link, offer):
                mine, theirs = self.wire(link), self.air.wires.get(offer)
                if theirs is not None:
                    mine.other = theirs
                    self.describe(lambda: self.mesh.description_made(link, self.air.named(mine)))
            case effects.Finish(link, answer):
                theirs = self.air.wires.get(answer)
                if theirs is not None and link in self.wires:
                    self.air.join(self.wire(link), theirs)
            case effects.Extend(link, description):
                self.extensions.append((link, description))
            case effects.Arm(link):
                waits = self.wire(link)
                waits.ticket = Ticket(self.air.named(waits), "user", "password")
                soon(self, lambda: self.mesh.ticket_made(link, waits.ticket or Ticket("", "", "")))
            case effects.Redeem(link, ticket):
                theirs = self.air.wires.get(ticket.offer)
                if theirs is not None and theirs.device.alive and not theirs.closed and theirs.other is None:
                    self.air.join(self.wire(link), theirs)
            case effects.Close(link):
                wire = self.wires.pop(link, None)
                if wire is not None:
                    self.air.close(wire)


class Air:
    """All devices, and what lies between them."""

    def __init__(self, seed: int = 0, *, can_redeem: bool = True) -> None:
        self.random = Random(seed)
        self.can_redeem = can_redeem
        self.can_mend = True  # whether connections that were open before open again
        self.describing = 0.0  # seconds until a browser has a description
        self.signing = 0.0  # seconds until a device has signed a text, or checked a signature
        self.finding = 0.0  # seconds from both descriptions until a way is found …
        self.opening = 0.0  # … and from there until it is open
        self.relaying = 0.0  # seconds that a relay takes, beside the moment that it takes anyway
        self.room = "0123456789ab"
        self.now = 1000.0
        self.wires: dict[str, Wire] = {}
        self.published: list[str] = []
        self.all_devices: list[Device] = []
        self.unheard: set[Device] = set()  # those whose relays hand nothing on
        self.cuts: dict[frozenset[str], float] = {}
        self._queue: list[tuple[float, int, Device, int, Callable[[], None]]] = []
        self._count = itertools.count()

    def after(self, seconds: float, device: Device, act: Callable[[], None]) -> None:
        heapq.heappush(self._queue, (self.now + seconds, next(self._count), device, device.life, act))

    def soon(self, device: Device, act: Callable[[], None]) -> None:
        def done() -> None:
            act()
            device.perform()
        self.after(self.random.uniform(0.001, 0.05), device, done)

    def run(self, seconds: float) -> None:
        """Let time pass."""
        until = self.now + seconds
        while self._queue and self._queue[0][0] <= until:
            self.now, _, device, life, act = heapq.heappop(self._queue)
            if device.alive and device.life == life:
                act()
        self.now = until

    # ---- relays ----

    def publish(self, sender: Device, text: str) -> None:
        """The relays hand a text to all who are there, not always at once."""
        self.published.append(text)
        for device in self.all_devices:
            if device is not sender and device.has_relay and device.alive and sender not in self.unheard:
                self.after(self.relaying + self.random.uniform(0.05, 0.6), device, partial(device.relayed, text))

    # ---- connections ----

    def named(self, wire: Wire) -> str:
        name = f"wire-{next(self._count)}"
        self.wires[name] = wire
        return name

    def pair(self, one: Device, two: Device) -> frozenset[str]:
        return frozenset((one.author, two.author))

    def join(self, mine: Wire, theirs: Wire) -> None:
        """ICE has both descriptions: it looks for a path, which then opens."""
        if not self.finding and not self.opening:
            self.open(mine, theirs)
            return
        for one in (mine, theirs):
            self.after(self.finding, one.device, partial(one.device.mesh.way_found, one.link))
        self.after(self.finding + self.opening, mine.device, partial(self.open, mine, theirs))

    def open(self, mine: Wire, theirs: Wire) -> None:
        """The path opens, or opens again, unless it is cut now."""
        if mine.closed or theirs.closed or not theirs.device.alive or self.pair(mine.device, theirs.device) in self.cuts:
            return
        if not self.can_mend and (mine.open or theirs.open):
            return
        mine.other, theirs.other = theirs, mine
        for one, other in ((mine, theirs), (theirs, mine)):
            one.broken = False
            if not one.open:
                one.open = True
                self.soon(one.device, partial(one.device.mesh.link_opened, one.link, one.device.author.encode(),
                                              other.device.author.encode()))
            self.release(one)

    def carry(self, wire: Wire, lane: int, piece: bytes) -> None:
        wire.waiting.append((lane, piece))
        self.release(wire)

    def release(self, wire: Wire) -> None:
        """What waits on one end goes, if the path holds."""
        other = wire.other
        if other is None or not wire.open or other.closed or self.pair(wire.device, other.device) in self.cuts or wire.broken:
            return
        pieces, wire.waiting = wire.waiting, []
        if pieces and other.device.alive:
            def arrive() -> None:
                for lane, piece in pieces if not other.closed else ():
                    other.device.mesh.piece_received(other.link, lane, piece)
                other.device.perform()
            at = max(self.now + self.random.uniform(0.001, 0.03), other.at + 1e-6)
            other.at = at
            self.after(at - self.now, other.device, arrive)

    def close(self, wire: Wire) -> None:
        wire.closed = True
        other = wire.other
        if other is not None and not other.closed and self.pair(wire.device, other.device) not in self.cuts:
            self.after(0.05, other.device, lambda: self.hear_close(other))

    def hear_close(self, wire: Wire) -> None:
        if not wire.closed:
            wire.device.mesh.link_ended(wire.link)
            wire.device.perform()

    # ---- faults ----

    def cut(self, one: Device, two: Device) -> None:
        self.cuts[self.pair(one, two)] = self.now

    def heal(self, one: Device, two: Device) -> None:
        since = self.cuts.pop(self.pair(one, two), None)
        for wire in [*one.wires.values(), *two.wires.values()]:
            if wire.other is not None and self.pair(wire.device, wire.other.device) == self.pair(one, two):
                wire.broken = wire.broken or (since is not None and self.now - since > BROKEN_AFTER)
                self.release(wire)

    def sever(self, one: Device, two: Device) -> None:
        """The paths between two are gone for good, as when one has a new address: connections must be mended."""
        for wire in [*one.wires.values(), *two.wires.values()]:
            if wire.other is not None and self.pair(wire.device, wire.other.device) == self.pair(one, two):
                wire.broken = True

    def drop(self, one: Device, two: Device) -> None:
        """All connections between two are closed, as the browser's ``close`` does it."""
        for wire in list(one.wires.values()):
            if wire.other is not None and wire.other.device is two:
                one.mesh.link_ended(wire.link)
                one.perform()

    def crash(self, device: Device) -> None:
        """The device stops without a goodbye, with all its connections."""
        device.alive = False
        for wire in device.wires.values():
            wire.closed = True

    def leave(self, device: Device) -> None:
        """The page is closed: goodbye, as far as it gets."""
        device.mesh.leave()
        device.perform()
        self.crash(device)

    # ---- beginning ----

    def devices(self, count: int) -> list[Device]:
        return [Device(self, f"device {number}") for number in range(count)]

    def introduce(self, host: Device, guest: Device) -> None:
        """By invite and reply."""
        mine, theirs = host.mesh.make_link(), guest.mesh.make_link(newcomer=True)
        self.join(host.wire(mine), guest.wire(theirs))

    def mesh(self, count: int) -> list[Device]:
        """A whole mesh: each newcomer connects to the device before it."""
        made = self.devices(count)
        for host, guest in itertools.pairwise(made):
            self.introduce(host, guest)
            self.run(2)
        self.run(10)
        return made
