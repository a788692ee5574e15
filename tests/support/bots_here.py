"""What session tests stand on: bots in this very process that go through the worker's texts, and a shelf that can fail."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from random import Random

from tabletin.app.session.local import LocalSession
from tabletin.app.session.seeded_dealer import dealer_for
from tabletin.app.session.session import SessionContext
from tabletin.app.storage.matches import MatchRecord, MemoryMatches, Row, SingleTab, StorageFailed
from tabletin.app.storage.persistence import row_of
from tabletin.bots.decision import Decision
from tabletin.bots.worker import BotWorker, SyncPoint, decode_reply, encode_request
from tabletin.kernel.envelope import unpack
from tabletin.kernel.match import Happening, Match
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import rules_of
from tabletin.words import load
from tests.support.examples import ONE_DEAL, short

ME = Seat("person", AUTHOR)
WORDS = load()


def bot(level: str = "easy") -> Seat:
    return Seat("bot", AUTHOR, name=level.title(), level=level)


class BotsHere:
    """Thinks in this process; keeps every request it was asked, and what was on the shelf then."""

    def __init__(self, shelf: MemoryMatches | None = None) -> None:
        self.worker = BotWorker()
        self.synced: dict[str, SyncPoint] = {}
        self.requests: list[str] = []
        self.shelf = shelf
        self.durable: list[bool] = []

    async def think(self, match: Match, seat: int, level: str, budget: float) -> Decision:
        synced = self.synced.setdefault(match.id, SyncPoint())
        request = encode_request(match, seat, level, 0.05, synced)
        self.requests.append(request)
        if self.shelf is not None:
            _, rows = await self.shelf.read(match.id[:16])
            self.durable.append(len(rows) >= synced.entries)
        await asyncio.sleep(0)
        decision = decode_reply(match, self.worker.think(request))
        if decision is None:
            self.synced[match.id] = SyncPoint()
            return await self.think(match, seat, level, budget)
        return decision

    def forget(self, match: Match) -> None:
        self.synced.pop(match.id, None)

    def lose_memory(self) -> None:
        """As if the worker had died and another one stood in its place."""
        self.worker = BotWorker()

    def entries_asked(self) -> list[int]:
        return [len(unpack(request)[1]) for request in self.requests]


class FullShelf(MemoryMatches):
    """A shelf without room, until ``room`` is set."""

    room = False

    async def append(self, name: str, at: int, rows: list[Row], record: MatchRecord, end: int | None = None) -> None:
        if not self.room:
            raise StorageFailed("shell.storage.full")
        await super().append(name, at, rows, record, end)


def context(shelf: MemoryMatches | None = None, bots: BotsHere | None = None, claims: SingleTab | None = None,
           trouble: Callable[[str], None] = lambda key: None) -> SessionContext:
    return SessionContext(shelf or MemoryMatches(), claims or SingleTab(), bots or BotsHere(), WORDS, trouble=trouble)


def short_match(*seats: Seat, seed: int = 5, game: str = ONE_DEAL) -> Setup:
    """A short match of one deal for ``seats``; seat 0 begins where that can be chosen."""
    return Setup(game, rules_of(game).version, short(game), seats, nonce="n", extra={"seed": seed})


async def settle() -> None:
    """Let every task that is due run."""
    for _ in range(30):
        await asyncio.sleep(0)


async def until(session: LocalSession, condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for ``condition``, looked at after every change of ``session``."""
    changed = asyncio.Event()
    end = session.on_change(lambda happenings: changed.set())
    try:
        async with asyncio.timeout(seconds):
            while not condition():
                await changed.wait()
                changed.clear()
    finally:
        end()


def played(turns: int = 1000, seed: int = 1, game: str = ONE_DEAL) -> tuple[Table, list[Row]]:
    """A short match of one deal, played by chance, with its rows."""
    rows: list[Row] = []
    setup = short_match(ME, bot(), seed=seed, game=game)
    setup.extra["me"] = 0  # type: ignore[index]  # a test's own dict
    table = Table.undealt(rules_of(setup.game), setup, dealer_for(setup))

    def note(happenings: Iterable[Happening]) -> None:
        rows.extend(row_of(one.entry, one.faces) for one in happenings)

    note([Happening(table.match.entries[0]), *table.settle()])
    rng = Random(seed)
    for _ in range(turns):
        match = table.match
        acting = match.rules.to_act(match.state)
        if not acting:
            break
        note(table.move(acting[0], match.rules.random_move(match.state, acting[0], match.view(acting).faces, rng)))
    return table, rows
