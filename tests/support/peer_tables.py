"""Tables of several devices in this very process: sealed dealing, a network that carries what is sent at once.

The group is ristretto255, or a stand-in where a test is of what a page does and its deck is long.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from random import Random
from typing import Any

from tabletin.app.session.peers.session import PeerSession
from tabletin.app.storage.matches import MemoryMatches, SingleTab
from tabletin.kernel.log import Hash
from tabletin.kernel.options import Refused
from tabletin.kernel.setup import Seat, Setup
from tabletin.peers.worker.calls import FoundMatch
from tabletin.peers.worker.results import Genesis
from tests.support.bots_here import BotsHere, context
from tests.support.memory_net import FakeNet, FakeTown
from tests.support.standin_group import StandInGroup
from tests.support.worker_here import ReplicaHere

PAUSE = 0.002  # seconds, while nothing is on its way: a loop without one keeps a processor busy


class DeviceHere:
    """One device: key, shelf, links, and the match that is open on it. ``secure``: whether its group is the real one."""

    def __init__(self, town: FakeTown, number: int, *, secure: bool = True) -> None:
        self.town = town
        self.number = number
        self._group = None if secure else StandInGroup()
        self.replica = ReplicaHere(number, self._group)
        self.shelf = MemoryMatches()
        self.claims = SingleTab()
        self.troubles: list[str] = []
        self.bots = BotsHere()
        self.link = town.net(self.replica.author)
        self.session: PeerSession

    @property
    def author(self) -> str:
        return self.replica.author

    @property
    def context(self) -> Any:
        return context(self.shelf, self.bots, self.claims, self.troubles.append)

    async def begin(self, genesis: Any, *, was_here: bool = False) -> None:
        self.session = await PeerSession.begin(genesis, self.context, self.replica, self.link, was_here=was_here)

    async def restart(self, *, flush: bool = True) -> None:
        """The page was reloaded: only what lies on the shelf is left."""
        name = self.session.id
        await self._reload(flush=flush)
        self.session = await PeerSession.resume(name, self.context)
        self.session.come_back(GatewayHere(self))

    async def delete_and_return(self) -> None:
        """The page was closed, the match deleted, and its room entered again."""
        name, genesis = self.session.id, self.session.match.entries[0].to_json()
        await self._reload(flush=True)
        await self.shelf.remove(name)
        await self.begin(genesis, was_here=True)

    async def _reload(self, *, flush: bool) -> None:
        if flush:
            await self.session.flush()
        self.session.close()
        self.claims = type(self.claims)()
        self.town.crash(self.link)
        others = [net for net in self.town.nets.values() if net.author != self.author and not net.gone]
        self.replica = ReplicaHere(self.number, self._group)
        self.link = self.town.net(self.author)
        for net in others:
            net.links.pop(self.author, None)
            self.town.link(self.link, net)


class GatewayHere:
    """The ``PeerGateway`` of ``device``: brings its stored match back. ``asked``: how often it was asked for links; ``started``:
    how often for the device."""

    def __init__(self, device: DeviceHere) -> None:
        self._device = device
        self.asked = self.started = 0

    def device(self) -> Awaitable[ReplicaHere]:
        self.started += 1
        return asyncio.ensure_future(self._here())

    async def _here(self) -> ReplicaHere:
        return self._device.replica

    async def net_for(self, setup: Setup, match: Hash) -> FakeNet:
        self.asked += 1
        return self._device.link


class Tables:
    """All devices of one match."""

    def __init__(self, town: FakeTown, devices: list[DeviceHere]) -> None:
        self.town = town
        self.devices = devices

    @property
    def sessions(self) -> list[PeerSession]:
        return [device.session for device in self.devices]

    def agreed(self) -> bool:
        return len({session.match.head for session in self.sessions}) == 1

    async def until(self, condition: Callable[[], bool], seconds: float = 60) -> None:
        """Let everybody go on until ``condition`` holds."""
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.001)

    def dealt(self) -> bool:
        """Whether everybody is at one point where people are to act, or the match is over."""
        return self.agreed() and all(not session.match.state.requests and (session.acting or session.match.outcome)
                                     for session in self.sessions)

    async def play(self, turns: int, rng: Random) -> None:
        """``turns`` acts of people, by chance, wherever they sit."""
        for _ in range(turns):
            await self.until(self.dealt)
            if self.sessions[0].match.outcome is not None:
                return
            seat = self.sessions[0].acting[0]
            session = next(one for one in self.sessions if seat in one.seats_here)
            if seat not in session.people:  # its bot does it
                head = session.match.head
                await self.until(lambda s=session, h=head: s.match.head != h)  # type: ignore[misc]
                continue
            view, head = session.match.view((seat,)), session.match.head
            try:
                await session.move(seat, view.rules.random_move(view.state, seat, view.faces, rng))
            except Refused:  # somebody else, or a bot, was first: then the match has gone on
                await self.until(lambda s=session, h=head: s.match.head != h)  # type: ignore[misc]


    async def lay(self, rng: Random) -> tuple[int, int]:
        """Play on until somebody's last act opened a card and drew none; the seat, and the entry before that act."""
        while True:
            before = len(self.sessions[0].match.entries) - 1
            await self.play(1, rng)
            await self.until(self.dealt)
            fresh = [entry.statement for entry in self.sessions[0].match.entries[before + 1:]]
            said = [one for one in fresh if "ahead" not in one.body]  # what is made for the next hand meanwhile
            if [one.kind for one in said] == ["move"] and said[0].body["open"]:
                return said[0].body["seat"], before


@asynccontextmanager
async def tables(game: str, seats: Sequence[Seat | int], *, options: dict[str, Any] | None = None,
                 secure: bool = True, device: Callable[[FakeTown, int], DeviceHere] | None = None,
                 pause: float = PAUSE) -> AsyncIterator[Tables]:
    """A match of ``game``: a number in ``seats`` is a person on that device; a ``Seat`` of ``by`` "1" is a bot of device 1.
    ``device``: makes each device; ``pause``: seconds, as ``PAUSE``."""
    town = FakeTown()
    make = device or partial(DeviceHere, secure=secure)
    numbers = sorted({seat if isinstance(seat, int) else int(seat.author) for seat in seats})
    devices = {number: make(town, number) for number in numbers}
    first, *rest = devices.values()
    for other in rest:
        await town.introduce(first.link, other.link)
    chairs = [Seat("person", devices[seat].author, f"P{place}") if isinstance(seat, int) else
              Seat(seat.kind, devices[int(seat.author)].author, seat.name, seat.level) for place, seat in enumerate(seats)]

    async def deliver() -> None:
        while True:
            await asyncio.sleep(0 if town.run() else pause)

    delivering = asyncio.ensure_future(deliver())
    genesis = (await first.replica.call(FoundMatch(game, options or {}, tuple(chairs), "n", {}))).result_as(Genesis).entry
    for one in devices.values():
        await one.begin(genesis)
    match = Tables(town, list(devices.values()))
    try:
        yield match
    finally:
        for one in {*devices.values(), *match.devices}:
            one.session.close()
        await asyncio.sleep(0.01)
        delivering.cancel()


async def without(match: Tables, gone: DeviceHere, then: str) -> None:
    """``gone`` is gone without a word, and all others choose ``then`` about it."""
    await gone.session.flush()
    match.devices.remove(gone)
    gone.session.close()
    match.town.crash(gone.link)
    match.town.wait(20)
    for session in match.sessions:
        await session.continuation.choose(gone.author, then)
    await match.until(lambda: all(gone.author in session.match.former_authors for session in match.sessions))
