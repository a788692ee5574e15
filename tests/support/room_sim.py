"""A room before the deal, among devices in one process, for tests: guests that come, the host, what each of them sees."""

from __future__ import annotations

import json

from tabletin.kernel.log import NOTHING, Entry, Hash, Json, canonical, place
from tabletin.kernel.setup import Setup
from tabletin.peers.room.room import Room
from tabletin.peers.room.state import PERSON, Chair, RoomState
from tests.support.examples import ONE_DEAL
from tests.support.memory_net import FakeNet, FakeTown
from tests.support.standin import StandIn


class House:
    """Rooms of several devices; ``a`` hosts a game for two.

    ``geneses``: device → of the matches that began there since its page was opened. ``begun``: device → the hashes of all that
    ever did. ``setups``: of the matches that all agreed to.
    """

    def __init__(self, chairs: int = 2, game: str = ONE_DEAL) -> None:
        self.town = FakeTown()
        self.rooms: dict[str, Room] = {}
        self.geneses: dict[str, list[Json]] = {}
        self.begun: dict[str, set[Hash]] = {}
        self.setups: list[Setup] = []
        net = self.town.net(author("a"))
        seats = (Chair(PERSON, net.author), *(Chair() for _ in range(chairs - 1)))
        self.add("a", Room.open(net, "Ada", game, {}, seats, now=self.now))

    def now(self) -> float:
        return self.town.now

    def add(self, who: str, room: Room) -> Room:
        self.rooms[who] = room
        self.geneses[who] = []
        begun = self.begun.setdefault(who, set())

        def begin(genesis: Json) -> None:
            self.geneses[who].append(genesis)
            begun.add(hash_of(genesis))

        room.on_genesis = begin
        room.has_begun = begun.__contains__
        room.on_agreed = self.setups.append
        return room

    def __getitem__(self, who: str) -> Room:
        return self.rooms[who]

    def net(self, who: str) -> FakeNet:
        return self.town.nets[author(who)]

    async def come(self, who: str, name: str = "", *, by: str = "a", watching: bool = False) -> Room:
        """A guest is invited, answers and enters."""
        net = self.town.net(author(who))
        if self[by].hosting:
            self[by].as_host().open_door()
        await self.town.introduce(self.net(by), net)
        if self[by].hosting:
            self[by].as_host().expect(net.author, watching=watching)
        room = self.add(who, Room.join(net, name or who.upper(), self.state.host, now=self.now))
        self.town.run()
        return room

    @property
    def state(self) -> RoomState:
        """The host's state."""
        state = next(room.state for room in self.rooms.values() if room.hosting)
        assert state is not None
        return state

    def is_same(self) -> bool:
        """Whether all members see the same room."""
        return len({json.dumps(room.state.to_json(), sort_keys=True) for room in self.rooms.values()
                    if room.state is not None and room.inside}) == 1

    def all_ready(self) -> None:
        self.town.run()
        for room in self.rooms.values():
            room.set_ready(True)
        self.town.run()

    def found(self, who: str = "a") -> Json:
        """Found the match as the host's worker does."""
        genesis = entry_of(self.setups[-1], self[who].author)
        self[who].as_host().begin_match(genesis)
        self.town.run()
        return genesis


def author(name: str) -> str:
    return StandIn(name.encode()).author


def entry_of(setup: Setup, by: str) -> Json:
    """A genesis of ``setup``; its signature is made up, for a room does not check it."""
    statement = setup.statement(by)
    return Entry.create(0, NOTHING, statement, canonical(place(0, NOTHING, statement.hash)).hex()[:8]).to_json()


def hash_of(genesis: Json) -> Hash:
    return Entry.from_json(genesis).statement.hash


def ready(room: Room) -> bool:
    return room.ready


def inside(room: Room) -> bool:
    return room.inside


def hosting(room: Room) -> bool:
    return room.hosting
