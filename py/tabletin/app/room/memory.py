"""Remembers the room of this page, its rendezvous, and which room each match belongs to, for when the page is opened again.

All are small texts on the disk, where they are even if the browser is killed the moment after. A text that is damaged, of
another version or too old counts as missing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import time
from typing import Final

from tabletin.app.connection_servers import Servers
from tabletin.app.storage.matches import local_id
from tabletin.app.storage.texts import TextStore
from tabletin.kernel.log import Hash, Json
from tabletin.kernel.schema import Malformed
from tabletin.peers.net.rendezvous import Rendezvous
from tabletin.peers.room.room import Room
from tabletin.peers.room.state import RoomState

ROOM_KEY: Final = "tabletin.room"
MATCHES_KEY: Final = "tabletin.rooms"
MEETINGS_KEY: Final = "tabletin.meetings"
MOST_MATCHES: Final = 30
LIFE: Final = 24 * 3600  # seconds


@dataclass(frozen=True, slots=True)
class RememberedRoom:
    """A room as it was when the page was closed. ``link``: its id for the links between its devices, in hexadecimal.
    ``agreement``: to the match that the person here was ready for."""

    state: RoomState
    link: str
    watching: bool
    genesis: Json
    agreement: Hash


class RoomMemory:
    """Remembers rooms in ``texts``. ``later`` runs work that nobody waits for."""

    def __init__(self, texts: TextStore, later: Callable[[Awaitable[None]], None]) -> None:
        self._texts = texts
        self._later = later
        self._turn = asyncio.Lock()
        self._writing = 0  # rooms on their way to the disk; below, the latest of them
        self._room: str | None = None
        self._matches: dict[str, str] = {}  # over which links each was played, as that was read last

    async def room(self) -> RememberedRoom | None:
        """The room this device was in when the page was closed, unless that is long ago."""
        text = self._room if self._writing else await self._texts.recall_at_once(ROOM_KEY)
        try:
            found = json.loads(text or "null")
            if not isinstance(found, dict) or not abs(time() - float(found["at"])) < LIFE:  # a clock may be set back
                return None
            return RememberedRoom(RoomState.from_json(found["state"]), str(found["room"]), found["watching"] is True,
                                  found["genesis"], str(found.get("agreement", "")))
        except (ValueError, KeyError, TypeError, Malformed):
            return None

    def keep(self, room: Room, link: str) -> None:
        assert room.state is not None
        text = {"at": time(), "room": link, "watching": room.watching, "state": room.state.to_json(), "genesis": room.genesis,
                "agreement": room.own_agreement}
        self._keep(json.dumps(text))

    def forget(self) -> None:
        self._keep(None)

    def _keep(self, room: str | None) -> None:
        self._room = room
        self._writing += 1
        self._later(self._write())

    async def _write(self) -> None:
        try:
            async with self._turn:
                if self._writing == 1:  # else a newer one follows
                    await self._texts.keep_at_once(ROOM_KEY, self._room)
        finally:
            self._writing -= 1

    async def keep_rendezvous(self, rendezvous: Rendezvous, servers: Servers | None) -> None:
        """The room of ``rendezvous`` is found there again; ``servers``: those of its link, None for those of the settings."""
        async with self._turn:
            meetings = await self._texts_of(MEETINGS_KEY)
            given = json.dumps(servers.to_link()) if servers is not None else ""
            text = f"{rendezvous.to_text()} {given}".strip()
            if meetings.pop(rendezvous.room, None) != text or meetings:
                meetings[rendezvous.room] = text
                await self._texts.keep_at_once(MEETINGS_KEY, json.dumps(dict(list(meetings.items())[-MOST_MATCHES:])))

    async def rendezvous_of(self, room: str) -> tuple[Rendezvous | None, Servers | None]:
        """The rendezvous of the room ``room`` (hexadecimal), and the servers of its link."""
        async with self._turn:
            text, _, given = (await self._texts_of(MEETINGS_KEY)).get(room, "").partition(" ")
        try:
            return Rendezvous.from_text(text), Servers.from_link(json.loads(given)) if given else None
        except (ValueError, AttributeError, TypeError):
            return None, None

    async def keep_match(self, match: Hash, link: str) -> None:
        """``match`` is played over ``link``: on the disk on return."""
        async with self._turn:
            links = await self._texts_of(MATCHES_KEY)
            self._matches[local_id(match)] = link
            if links.get(local_id(match)) != link:
                links[local_id(match)] = link
                text = json.dumps(dict(list(links.items())[-MOST_MATCHES:]))
                await self._texts.keep_at_once(MATCHES_KEY, text)

    async def link_of(self, match: Hash) -> str | None:
        async with self._turn:
            return (await self._texts_of(MATCHES_KEY)).get(local_id(match))

    async def read_matches(self) -> None:
        """Read which matches were played here, for ``has_match``."""
        async with self._turn:
            self._matches = await self._texts_of(MATCHES_KEY)

    def has_match(self, match: Hash, link: str) -> bool:
        """Whether ``match`` was played over ``link`` when ``read_matches`` was called, or since."""
        return self._matches.get(local_id(match)) == link

    async def _texts_of(self, key: str) -> dict[str, str]:
        try:
            found = json.loads(await self._texts.recall_at_once(key) or "{}")
        except ValueError:
            return {}
        return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}
