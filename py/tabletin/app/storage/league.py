"""The family league of this device: which results it knows, whom it has met, who is hidden here. Kept as one text. Pure.

Results are only added, and only after the worker has checked their signatures. Who is hidden is this device's own business:
no other device learns of it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, Final, TypeVar

from tabletin.app.kept_text import kept_object
from tabletin.app.storage.texts import TextStore
from tabletin.kernel.schema import Malformed
from tabletin.kernel.user_text import NAME, clean
from tabletin.peers.identity import AUTHOR_DIGITS, digits
from tabletin.peers.league.collection import ResultCollection
from tabletin.peers.league.file import league_file
from tabletin.peers.league.season import Player, players_of
from tabletin.peers.league.signed_result import SignedResult
from tabletin.peers.worker.answer import WorkerAnswer
from tabletin.peers.worker.calls import CheckResults, DeviceCall
from tabletin.peers.worker.results import ResultsCheck

KEPT_AS: Final = "tabletin.league"
MOST_RESULTS: Final = 400
MOST_PLAYERS: Final = 64  # that are remembered as met, or as hidden
CLOCKS_DIFFER: Final = timedelta(days=1)

Ask = Callable[[DeviceCall], Awaitable[WorkerAnswer]]  # what the worker answers; raises ``Refused``


@dataclass(frozen=True, slots=True)
class League:
    """``is_on``: whether this device takes part; None before its people were asked. ``own``: its author, "" before it met
    anybody. ``met_authors``: of devices that it was in a room with. ``hidden_players``: who is not shown here."""

    is_on: bool | None = None
    own: str = ""
    met_authors: tuple[str, ...] = ()
    hidden_players: tuple[Player, ...] = ()
    results: ResultCollection = field(default_factory=ResultCollection)

    @property
    def shown_results(self) -> tuple[SignedResult, ...]:
        """The results without hidden players, the newest first."""
        shown = [one for one in self.results if not players_of(one).keys() & set(self.hidden_players)]
        return tuple(sorted(shown, key=lambda one: (one.day, one.result.hash), reverse=True))

    def wants(self, one: SignedResult, today: date) -> bool:
        """Whether a result that another device brings may come in: signed by all, one of them this device or met by it, no day
        yet to come, nobody hidden. One that is here already may bring some signatures only."""
        is_known = self.results.find(one.result.hash) is not None
        is_near = is_known or (one.is_complete and not self.everybody_met().isdisjoint(one.result.signers))
        return is_near and has_come(one.day, today) and not players_of(one).keys() & set(self.hidden_players)

    def has_met(self, author: str) -> bool:
        """Whether ``author`` is this device, or one that it was in a room with."""
        return author in self.everybody_met()

    def everybody_met(self) -> frozenset[str]:
        """This device, those that it was in a room with, and those with which it has finished a match."""
        return self._partners | {self.own, *self.met_authors}

    @property
    def _partners(self) -> frozenset[str]:
        """The devices with which this one has finished a match, and itself. However many others come, they count as met."""
        own = (one.result.signers for one in self.results if one.is_complete and self.own in one.result.signers)
        return frozenset(author for signers in own for author in signers)

    def add(self, results: Iterable[SignedResult]) -> League:
        """With ``results``, whose signatures hold. Where there are too many, own ones stay, then those among devices that this
        one has played with, then those among devices met."""
        merged = replace(self, results=self.results.merge(results))
        partners, met = merged._partners, merged.everybody_met()

        def rank(one: SignedResult) -> int:
            signers = set(one.result.signers)
            return 3 if self.own in signers else 2 if signers <= partners else int(signers <= met)

        return replace(self, results=merged.results.newest(MOST_RESULTS, rank, met))

    def meet(self, own: str, authors: Iterable[str] = ()) -> League:
        """This device, whose author is ``own``, is in a room with ``authors``."""
        return replace(self, own=own, met_authors=_newest((*self.met_authors, *authors)))

    def switch(self, *, is_on: bool) -> League:
        """Take part from now on, or no longer; what is known stays."""
        return replace(self, is_on=is_on)

    def hide(self, player: Player) -> League:
        others = tuple(one for one in self.hidden_players if one != player)
        return replace(self, hidden_players=(*others, player)[-MOST_PLAYERS:])

    def unhide(self, player: Player) -> League:
        return replace(self, hidden_players=tuple(one for one in self.hidden_players if one != player))

    def merge(self, other: League) -> League:
        """With what another copy of this device's own league has. Whether it takes part stays as here: no file says yes for the
        people here. Where there are too many, who was met or hidden here stays."""
        met = _newest((*other.met_authors, *self.met_authors))
        hidden = _newest((*other.hidden_players, *self.hidden_players))
        return replace(self, met_authors=met, hidden_players=hidden).add(other.results)

    def to_json(self) -> str:
        hidden = [[one.name, one.author] for one in self.hidden_players]
        return json.dumps({"on": self.is_on, "own": self.own, "met": list(self.met_authors), "hidden": hidden,
                           "results": [one.to_json() for one in self.results]})

    @classmethod
    def from_json(cls, text: str | None) -> League:
        """Whatever of ``text`` can be used."""
        found = kept_object(text)
        is_on, own = found.get("on"), found.get("own")
        met = tuple(one for one in _list(found, "met") if isinstance(one, str) and digits(one, AUTHOR_DIGITS) is not None)
        hidden = tuple(Player(one[0], one[1]) for one in _list(found, "hidden")
                       if isinstance(one, list) and len(one) == 2 and all(isinstance(part, str) for part in one)
                       and clean(one[0], NAME) == one[0] and digits(one[1], AUTHOR_DIGITS) is not None)
        return cls(is_on if isinstance(is_on, bool) else None, own if isinstance(own, str) else "", met[-MOST_PLAYERS:],
                   hidden[-MOST_PLAYERS:], ResultCollection.from_results(_results(_list(found, "results"))))


T = TypeVar("T")


def _newest(ones: Iterable[T]) -> tuple[T, ...]:
    """``ones`` without repetitions, each where it stands last; of too many the last ones."""
    return tuple(reversed(dict.fromkeys(reversed(tuple(ones)))))[-MOST_PLAYERS:]


def _list(data: dict[str, Any], name: str) -> list[Any]:
    value = data.get(name)
    return value if isinstance(value, list) else []


def _results(found: list[Any]) -> Iterable[SignedResult]:
    for one in found[-MOST_RESULTS:]:
        try:
            yield SignedResult.from_json(one)
        except Malformed:  # of another version
            continue


def has_come(day: str, today: date) -> bool:
    """Whether ``day`` is not later than tomorrow: clocks differ."""
    return day <= (today + CLOCKS_DIFFER).isoformat()


async def sound_results(results: Sequence[SignedResult], ask: Ask) -> list[SignedResult]:
    """Those of ``results`` whose signatures all hold, as the worker says. Raises ``Refused``."""
    if not results:
        return []
    check = (await ask(CheckResults(league_file(results)))).result_as(ResultsCheck)
    return [one for one, false in zip(results, check.false_signers, strict=True) if not false]


class LeagueBook:
    """The league as ``texts`` keep it. Each change begins with what is kept, and is made anew where another tab was faster: two
    tabs lose nothing of each other."""

    def __init__(self, texts: TextStore) -> None:
        self._texts = texts
        self._turn = asyncio.Lock()
        self._kept: tuple[str | None, League] = (None, League())
        self._listeners: list[Callable[[League], None]] = []

    async def current(self) -> League:
        text = await self._texts.recall_at_once(KEPT_AS)
        if text != self._kept[0]:
            self._kept = text, League.from_json(text)
        return self._kept[1]

    async def change(self, change: Callable[[League], League]) -> League:
        """Make a change, and tell who listens; the league after it, which is on the disk."""
        async with self._turn:
            while True:
                before = await self.current()
                after = change(before)
                if after == before:
                    return before
                text = after.to_json() if after != League() else None
                if await self._texts.swap_at_once(KEPT_AS, self._kept[0], text):
                    break  # else another tab has changed it meanwhile
            self._kept = text, after
        for listener in list(self._listeners):
            listener(after)
        return after

    def on_change(self, listener: Callable[[League], None]) -> Callable[[], None]:
        """Call ``listener`` with the league after each change in this tab. Returns what ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None
