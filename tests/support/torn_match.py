"""A match at the pages of several devices whose last entries fall away again and again, while much else happens.

Links are torn and mended, people move, take back, agree, want others gone, leave and go on elsewhere; pages are loaded anew, and
other tabs go on. Whatever a page remembers of its log is looked at after each step: it agrees with what the replica holds.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any, cast

from tabletin.app.session.peers.continuation import BOT, WAIT
from tabletin.app.session.peers.device_transfer import DeviceTakeover
from tabletin.app.session.peers.session import PeerSession
from tabletin.app.storage.matches import MemoryMatches, SingleTab
from tabletin.app.storage.persistence import match_steps
from tabletin.app.table.controls import TableControls
from tabletin.app.table.narration import Narration, Reader
from tabletin.app.table.undo import available_undo
from tabletin.app.table.updates import TableUpdates
from tabletin.app.table.viewpoint import Viewpoint
from tabletin.board.scene import Scene
from tabletin.bots.decision import Decision
from tabletin.bots.worker import SyncPoint, encode_request
from tabletin.kernel.envelope import unpack
from tabletin.kernel.log import Hash
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.setup import Seat
from tabletin.kernel.stepwise import result_of
from tabletin.peers.net.transport import Presence
from tabletin.peers.replication.outbox import Pending
from tabletin.peers.replication.replica import Replica
from tests.support.bots_here import BotsHere
from tests.support.peer_tables import DeviceHere, GatewayHere, Tables, tables

STORMS = 2  # in one match
LASTING = 32.0  # seconds after which those who are left may go on in a newer epoch


class Shelf(MemoryMatches):
    """Writing takes a moment, in which much may happen."""

    async def append(self, *told: Any, **more: Any) -> None:
        await asyncio.sleep(0.01)
        await super().append(*told, **more)
        await asyncio.sleep(0.01)

    def copy(self) -> Shelf:
        """What a device finds that was switched off just now."""
        twin = Shelf()
        twin._matches = {name: (record, list(rows)) for name, (record, rows) in self._matches.items()}
        return twin


class Tabs(SingleTab):
    """Several tabs of one browser: each hears what another one wrote."""

    def __init__(self) -> None:
        super().__init__()
        self._listeners: list[Callable[[], None]] = []

    def announce(self, name: str) -> None:
        for listener in list(self._listeners):
            listener()

    def on_news(self, name: str, listener: Callable[[], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)


class QuickBots(BotsHere):
    """Bots that take in the log as a worker does, take some seconds, and decide by chance."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng

    async def think(self, match: Match, seat: int, level: str, budget: float) -> Decision:
        self.follow(match, seat)
        view = match.view((seat,))
        move = view.rules.random_move(view.state, seat, view.faces, self._rng) if seat in match.acting else ("pass",)
        await asyncio.sleep(self._rng.choice((0.0, 0.3, 4.0)))
        return Decision(move, "", {}, 0.0)

    def follow(self, match: Match, seat: int) -> None:
        """The bots' worker knows ``match`` as it is now."""
        synced = self.synced.setdefault(match.id, SyncPoint())
        asked, lines = unpack(encode_request(match, seat, "easy", 0.05, synced))
        followed = self.worker._follow(asked, lines)
        assert not isinstance(followed, int)
        assert followed.match.head == match.head and followed.match.state == match.state


class TableHere:
    """What a table remembers of ``session``, without its page."""

    def __init__(self, session: PeerSession) -> None:
        self.session = session
        self.narration = Narration(session.match)
        self.scene = Scene()
        self.log: list[int] = []  # the entries whose events stand in the log
        self.updates = TableUpdates(self, self, self)
        self.viewpoint = Viewpoint(session)
        self.controls = TableControls(cast(Any, SimpleNamespace(session=session, viewpoint=self.viewpoint)))
        self.write_log(anew=True)

    def show_news(self) -> None:
        self.updates.take()
        self.updates.follow()

    def tell(self, sentences: Iterable[str]) -> None:
        pass

    def forget(self) -> None:
        pass

    def ask(self, *, anew: bool = False) -> None:
        pass

    def write_log(self, *, anew: bool = False) -> None:
        if anew or self.narration.is_rewound(Reader.LOG):
            self.narration.rewind(Reader.LOG)
            self.log.clear()
        self.log += [told.index for told in self.narration.take(Reader.LOG)]

    def check(self) -> None:
        session, match = self.session, self.session.match
        if not (self.updates.is_due or self.updates.is_speaking or session._untold):
            told = Narration(match).events
            assert [(one.index, one.event) for one in self.narration.events] == [(one.index, one.event) for one in told]
            assert self.log == [one.index for one in told]
        self.viewpoint.view()
        self.viewpoint.words("")
        for seat in session.people:
            assert self.controls._undo_of(seat) == available_undo(match, seat, partial(session.forced_moves.was_made, seat))


class TornMatch:
    """``seed`` chooses what happens. ``fell``: how many entries fell away so far."""

    def __init__(self, match: Tables, seed: int) -> None:
        self.match = match
        self.town = match.town
        self.rng = Random(seed)
        self.tables: dict[str, TableHere] = {}
        self.acts: dict[asyncio.Task[None], PeerSession] = {}
        self.path: list[str] = []
        self.fell: Counter[str] = Counter()
        self._heads: dict[str, list[Hash]] = {}
        self._spare = 8

    # ---- what happens ----

    async def go_on(self, seconds: float) -> None:
        """So much time passes, for the links, too."""
        while seconds > 0:
            part = min(seconds, 1.0)
            await asyncio.sleep(part)
            self.town.wait(part)
            seconds -= part
            for device in self.match.devices:
                self._note_fallen(device)

    def _note_fallen(self, device: DeviceHere) -> None:
        heads = [entry.hash for entry in device.session.match.entries]
        before = self._heads.get(device.author, [])
        self.fell[device.author] += sum(head not in heads for head in before)
        self._heads[device.author] = heads

    def _begin(self, session: PeerSession, act: Coroutine[Any, Any, Any]) -> None:
        """Somebody does something at the page of ``session``, and may be refused."""
        async def doing() -> None:
            with suppress(Refused):
                await act

        task = asyncio.create_task(doing(), name=str(act))
        self.acts[task] = session

    async def step(self) -> None:
        device = self.rng.choice(self.match.devices)
        acts = (self.move, self.move, self.rename, self.take_back, self.answer, self.time_out, self.want_gone, self.look_back,
                self.hint, self.leave_table, self.load_anew, self.switch_off, self.other_tab, self.change_device, self.leave)
        act = self.rng.choice(acts)
        self.path.append(f"{act.__name__} {device.number}")
        await act(device)
        await self.go_on(self.rng.choice((0.02, 0.1, 1.0, 3.0)))
        await self.check()

    async def storm(self) -> None:
        """Whoever orders hears nobody, or but one, and goes on alone; so do the others, until they are heard again."""
        rng, devices = self.rng, list(self.match.devices)
        orderer = next(one for one in devices if one.author == one.session.match.orderer)
        others = [one for one in devices if one is not orderer]
        self.path.append(f"storm {orderer.number}")
        for other in others if rng.random() < 0.8 else others[1:]:
            self.town.cut(orderer.author, other.author)
        for device in rng.sample(devices, len(devices)):
            await rng.choice((self.move, self.rename, self.rename, self.take_back))(device)
            await self.go_on(rng.choice((0.0, 0.1, 0.6)))
        for _ in range(rng.randrange(3)):
            await self.step()
        await self.go_on(rng.choice((LASTING, LASTING, 12.0)))
        for _ in range(rng.randrange(3)):
            await self.step()
        self.path.append("mend")
        await self.mend()
        await self.go_on(rng.choice((0.02, 0.1, 1.0, 4.0)))
        await self.check()

    async def mend(self) -> None:
        self.town.cuts.clear()
        self.town.wait(0)

    async def move(self, device: DeviceHere) -> None:
        for one in self.match.devices:
            session = one.session
            seat = next((seat for seat in session.acting if seat in session.people), None)
            if seat is not None and not session.sending and session.owner:
                view = session.match.view((seat,))
                self._begin(session, session.move(seat, view.rules.random_move(view.state, seat, view.faces, self.rng)))

    async def rename(self, device: DeviceHere) -> None:
        session = device.session
        if session.people:
            seat = session.people[0]
            name = f"N{self.rng.randrange(1000)}"
            self._begin(session, session.replace(seat, Seat("person", session.author, name)))

    async def take_back(self, device: DeviceHere) -> None:
        session = device.session
        for seat in session.people:
            back = available_undo(session.match, seat)
            if back is not None and not back.approvers:
                self._begin(session, session.undo(seat, back.target))
            elif back is not None:
                session.ask_back(seat, back.target)

    async def answer(self, device: DeviceHere) -> None:
        for session in self.match.sessions:
            if session.side_channel.request is not None and session.people:
                self._begin(session, session.side_channel.answer(agree=self.rng.random() < 0.8))

    async def time_out(self, device: DeviceHere) -> None:
        for session in self.match.sessions:
            for author in session.status.other_authors:
                for seat in session.status.skippable(author):
                    if session.device is not None and session._beating is not None:
                        self._begin(session, session.time_out(seat))

    async def want_gone(self, device: DeviceHere) -> None:
        for session in self.match.sessions:
            if session is not device.session and session._beating is not None and device.author in session.status.other_authors:
                away = session.status.presence(device.author) is not Presence.HERE
                if session.continuation.is_majority_without(device.author):
                    self._begin(session, session.continuation.choose(device.author, BOT if away else WAIT))

    async def look_back(self, device: DeviceHere) -> None:
        table = self.tables[device.author]
        table.viewpoint.index = self.rng.randrange(len(device.session.match.entries))

    async def hint(self, device: DeviceHere) -> None:
        session = device.session
        for seat in session.people:
            if seat in session.acting:
                self._begin(session, session.hint(seat))

    async def leave_table(self, device: DeviceHere) -> None:
        """Whoever acts goes to another page in that moment: what the table began is begun no more."""
        await self.move(device)
        await asyncio.sleep(0)
        for task in self.acts:
            task.cancel()

    async def load_anew(self, device: DeviceHere) -> None:
        await device.session.flush()
        await self.switch_off(device)

    async def switch_off(self, device: DeviceHere) -> None:
        """What is on its way to the disk is lost."""
        device.shelf = cast(Shelf, device.shelf).copy()
        device.link.links.clear()
        await device.restart(flush=False)
        self._sit_down(device)

    async def other_tab(self, device: DeviceHere) -> None:
        """A second tab looks on for a while, and then goes on."""
        first = device.session
        await first.flush()
        second = await PeerSession.resume(first.id, device.context)
        second.come_back(GatewayHere(device))
        table = TableHere(second)
        await self.go_on(self.rng.uniform(0.1, 12.0))
        table.check()
        first.close()
        await first.flush()
        async with asyncio.timeout(60):
            while not second.owner:
                await asyncio.sleep(0.05)
        device.session = second
        self._sit_down(device)

    async def change_device(self, device: DeviceHere) -> None:
        """The person at ``device`` goes on at another one."""
        session = device.session
        if not session.people or self._spare > 8 or self.town.cuts:
            return
        self._spare += 1
        new = DeviceHere(self.town, self._spare, secure=False)
        new.shelf, new.claims, new.bots = Shelf(), Tabs(), QuickBots(self.rng)
        await self.town.introduce(device.link, new.link)
        session.device_transfer.begin()
        session.device_transfer.expect(new.author, None)
        takeover = DeviceTakeover(new.link, device.author)
        offer = await takeover.offer()
        await new.begin(offer.genesis)
        self._begin(new.session, takeover.take_over(new.session, new.session.side_channel, offer))
        self.match.devices.append(new)
        self._sit_down(new)

    async def leave(self, device: DeviceHere) -> None:
        session = device.session
        if len(session.status.other_authors) > 2 and session.people and session._beating is not None:
            self._begin(session, session.leave.go())

    def _sit_down(self, device: DeviceHere) -> None:
        """The page of ``device`` is a new one: what was begun at the old one is over."""
        for task, session in self.acts.items():
            if session not in self.match.sessions:
                task.cancel()
        self.tables[device.author] = TableHere(device.session)

    # ---- what must hold ----

    async def check(self) -> None:
        for device in self.match.devices:
            session = device.session
            async with asyncio.timeout(60):
                while session._beating is None:
                    await self.go_on(0.5)
            async with session._turn:
                self._check_mirrors(device)
            self._note_fallen(device)
            assert not set(device.troubles) - {"peer_match.overtaken", "kernel.undo.consent", "kernel.over"}, device.troubles
            await session.flush()
            async with session.persistence.lock, session._turn:
                await self._check_disk(device)
        assert not any(session.status.culprits for session in self.match.sessions)

    def _check_mirrors(self, device: DeviceHere) -> None:
        session, replica = device.session, replica_of(device)
        assert [entry.hash for entry in session.match.entries] == [entry.hash for entry in replica.match.entries]
        assert session.match.state == replica.match.state
        assert session.match.events(len(session.match.entries) - 1) == replica.match.events(len(replica.match.entries) - 1)
        own = session.seats_here
        assert session.match.view(own).faces == replica.match.view(own).faces
        cast(QuickBots, device.bots).follow(session.match, 0)
        self.tables[device.author].check()

    async def _check_disk(self, device: DeviceHere) -> None:
        session, replica = device.session, replica_of(device)
        if session._unsaved:  # something came since
            return
        record, rows = await device.shelf.read(session.id)
        assert [line for line, _ in rows] == [entry.line for entry in session.match.entries]
        read = result_of(match_steps(rows))
        assert read.state == session.match.state and record.entries == len(rows)
        own = session.seats_here
        assert read.view(own).faces == session.match.view(own).faces
        known, kept = replica.state.to_keep.to_json(), Pending.from_json(record.saying)
        kept = replace(kept, count=max(kept.count, read.count(device.author)))
        assert json.dumps(kept.to_json()) == json.dumps(known)

    async def finish(self) -> None:
        """Everybody is back: all go on with one log, and nobody waits for anything that will never come."""
        await self.mend()
        for session in self.match.sessions:
            for author in list(session.status.removals):
                await session.continuation.choose(author, WAIT)
        for _ in range(20):
            await self.go_on(5)
            if self.match.agreed() and all(task.done() for task in self.acts):
                break
        assert self.match.agreed(), [len(session.match.entries) for session in self.match.sessions]
        assert all(task.done() for task in self.acts), [task.get_name() for task in self.acts if not task.done()]
        assert not any(session.sending for session in self.match.sessions)
        await self.check()
        for task in self.acts:
            if not task.cancelled():
                task.result()


def replica_of(device: DeviceHere) -> Replica:
    replica = device.replica._service._replica
    assert replica is not None
    return replica


async def tear_apart(game: str, seed: int, options: dict[str, Any]) -> Counter[str]:
    """Play a match that is torn by ``seed``; how many entries fell away at each device."""
    rng = Random(seed)
    bot = Seat("bot", "2", "Bo", "easy")
    seats: list[Seat | int] = [1, 2, 3] if rng.random() < 0.5 else [1, 2, 3, bot]
    async with tables(game, seats, options=options, device=lambda town, number: _device(town, number, rng), pause=0.02) as match:
        torn = TornMatch(match, seed)
        for device in match.devices:
            torn._sit_down(device)
        try:
            await torn.go_on(3)
            for _ in range(STORMS):
                for _ in range(rng.randrange(3)):
                    await torn.step()
                await torn.storm()
            await torn.finish()
        except BaseException:
            print(seed, torn.path)
            raise
        return torn.fell


def _device(town: Any, number: int, rng: Random) -> DeviceHere:
    made = DeviceHere(town, number, secure=False)
    made.shelf, made.claims, made.bots = Shelf(), Tabs(), QuickBots(rng)
    return made
