"""Passes results of the family league on between the devices in a room: when they meet, and when one learns something new.

Only members of the room are told or listened to, and only while the people here keep a league. What comes in is bounded and
checked by the worker before it is kept. It knows no match and no screen.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from typing import Final

from tabletin.app.storage.league import Ask, League, LeagueBook, sound_results
from tabletin.kernel.log import Hash, Json
from tabletin.kernel.schema import Malformed
from tabletin.peers.league.collection import ResultCollection
from tabletin.peers.league.exchange import MOST_MARKS, SHOWN, Inventory, Parcel, inventory, parcel, read_message
from tabletin.peers.league.signed_result import SignedResult
from tabletin.peers.room.chat import TokenBucket
from tabletin.peers.room.room import Room

BURST: Final = 12.0  # messages of one device at once: each may cost some tens of signatures to check
REFILL: Final = 1.0  # a second
MOST_REJECTED: Final = 100  # results that are remembered as not wanted


class LeagueLink:
    """Of the page's room. ``ask``: what the worker answers; ``start_task`` runs work that nobody waits for.

    ``refusals``: how often something wrong came in.
    """

    def __init__(self, book: LeagueBook, ask: Ask, start_task: Callable[[Awaitable[None]], None], *,
                 now: Callable[[], float] = time.monotonic, today: Callable[[], date] = date.today) -> None:
        self.refusals = 0
        self._book = book
        self._ask = ask
        self._start_task = start_task
        self._now = now
        self._today = today
        self._room: Room | None = None
        self._end_listening: Callable[[], None] = lambda: None
        self._greeted: set[str] = set()  # members who know what is here
        self._offered: ResultCollection | None = None  # what they have been told of
        self._rejected: dict[str, int] = {}
        self._buckets: dict[str, TokenBucket] = {}
        self._turn = asyncio.Lock()
        book.on_change(lambda league: self._start_task(self._tell_news(league)))

    def attach(self, room: Room) -> None:
        """Pass results on in ``room`` from now on, and in no other one."""
        self._end_listening()
        self._room = room
        self._greeted.clear()
        room.on_league = self._hear
        self._end_listening = room.on_change(lambda what: self._look_around() if what != "chat" else None)
        self._look_around()

    def _members_here(self) -> tuple[str, ...]:
        """The members of the room that this device has a link with."""
        room = self._room
        if room is None or room.state is None or not room.inside:
            return ()
        return tuple(one for one in room.transport.connected_authors() if room.state.member(one) is not None)

    def _look_around(self) -> None:
        here = self._members_here()
        self._greeted.intersection_update(here)
        fresh = [one for one in here if one not in self._greeted]
        if fresh:
            self._greeted.update(fresh)
            self._start_task(self._greet(fresh))

    async def _greet(self, authors: Sequence[str]) -> None:
        """Tell ``authors`` what is here, and remember that this device has met them."""
        room = self._room
        if room is None or not (await self._book.current()).is_on:
            self._greeted.difference_update(authors)
            return
        league = await self._book.change(lambda league: league.meet(room.author, authors))
        self._offered = self._offered or league.results
        for author in authors:
            self._send(author, inventory(league.shown_results, self._rejected, is_greeting=True))

    async def _tell_news(self, league: League) -> None:
        """The league has changed here: tell everybody what is new in it."""
        if not league.is_on or self._room is None:
            return
        news = () if self._offered is None else league.results.news_for(self._offered)
        self._offered = league.results
        self._look_around()
        for author in self._members_here() if news else ():
            told = parcel(_fit_for(author, [one for one in news if one in league.shown_results]), Inventory({}))
            if told is not None:
                self._send(author, told)

    def _send(self, to: str, said: Inventory | Parcel) -> None:
        if self._room is not None and not self._room.end_reason:
            self._room.send(to, "league", league=said.to_json())

    # ---- what comes in ----

    def _hear(self, sender: str, said: Json) -> None:
        """What a member says. Something wrong is counted, and is harmless."""
        bucket = self._buckets.setdefault(sender, TokenBucket(BURST, REFILL, self._now()))
        try:
            message = read_message(said) if bucket.take(self._now()) else None
        except Malformed:
            message = None
        if message is None:
            self.refusals += 1
        elif isinstance(message, Inventory):
            self._start_task(self._answer(sender, message))
        else:
            self.refusals += len(message.unreadable)
            self._start_task(self._take_in(sender, message))

    async def _answer(self, sender: str, wanted: Inventory) -> None:
        league = await self._book.current()
        if not league.is_on:
            return
        told, own = parcel(_fit_for(sender, league.shown_results), wanted), inventory(league.shown_results, self._rejected)
        if told is not None:
            self._send(sender, told)
        if wanted.is_greeting and wanted.exceeds(own):
            self._send(sender, own)

    async def _take_in(self, sender: str, brought: Parcel) -> None:
        """Keep what may come in and holds; ask for more as long as that brings something new."""
        async with self._turn:
            room = self._room
            if room is None or not (await self._book.current()).is_on:
                return
            # That we have met may not be on the disk yet: a greeting is answered at once, its own answer may overtake ours.
            league = await self._book.change(lambda league: league.meet(room.author, [sender]))
            today = self._today()
            wanted = [one for one in brought.results if league.wants(one, today)]
            sound = await sound_results(wanted, self._ask)
            for one in brought.results:
                if one not in sound:
                    self._reject(one.result.hash, one.marks)
            for name in brought.unreadable:
                self._reject(name, MOST_MARKS - 1)
            after = await self._book.change(lambda league: league.add(sound))
        is_new = after.results.news_for(league.results) or (brought.unreadable and len(self._rejected) < MOST_REJECTED)
        if brought.more and is_new:
            self._send(sender, inventory(after.shown_results, self._rejected))

    def _reject(self, name: Hash, marks: int) -> None:
        """The result of hash ``name``, with the signatures ``marks``, is not to be asked for again while this page is open."""
        key = name[:SHOWN]
        self._rejected[key] = self._rejected.get(key, 0) | marks
        if len(self._rejected) > MOST_REJECTED:
            del self._rejected[next(iter(self._rejected))]


def _fit_for(author: str, results: Sequence[SignedResult]) -> list[SignedResult]:
    """What the device ``author`` may be told: results that all have signed, and those that it is to sign itself."""
    return [one for one in results if one.is_complete or author in one.result.signers]
