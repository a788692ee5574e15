"""What a page keeps of the room it was in, and of which room its matches belong to: small texts that outlive the page.

Whatever is damaged, of another version or long ago is as if it were not there.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from time import time
from typing import Final, Protocol

from tabletin.kernel.log import Hash, Json
from tabletin.kernel.shapes import Malformed
from tabletin.peers.room import Room
from tabletin.peers.roomstate import RoomState

from .opened import local_id

ROOM_KEPT: Final = "tabletin.room"
MATCHES_KEPT: Final = "tabletin.rooms"
MOST_MATCHES: Final = 30
KEPT_FOR: Final = 12 * 3600  # seconds


class Memory(Protocol):
    """Small texts on this device."""

    def keep(self, key: str, text: str | None) -> None: ...

    def recall(self, key: str) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Kept:
    """A room as it was last seen: its ``state``, the ``link`` between its devices, whether this one only watched."""

    state: RoomState
    link: str
    watching: bool
    genesis: Json


class Remembered:
    """What ``memory`` keeps of rooms."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def room(self) -> Kept | None:
        """The room this device was in when the page was closed, unless that is long ago."""
        try:
            found = json.loads(self._memory.recall(ROOM_KEPT) or "null")
            if not isinstance(found, dict) or not 0 <= time() - float(found["at"]) < KEPT_FOR:
                return None
            return Kept(RoomState.from_json(found["state"]), str(found["room"]), found["watching"] is True, found["genesis"])
        except (ValueError, KeyError, TypeError, Malformed):
            return None

    def keep(self, room: Room, link: str) -> None:
        assert room.state is not None
        kept = {"at": time(), "room": link, "watching": room.watching, "state": room.state.to_json(), "genesis": room.genesis}
        self._memory.keep(ROOM_KEPT, json.dumps(kept))

    def forget(self) -> None:
        self._memory.keep(ROOM_KEPT, None)

    def keep_match(self, match: Hash, link: str) -> None:
        """``match`` is played over ``link``."""
        links = self._links()
        links[local_id(match)] = link
        self._memory.keep(MATCHES_KEPT, json.dumps(dict(list(links.items())[-MOST_MATCHES:])))

    def link_of(self, match: Hash) -> str | None:
        return self._links().get(local_id(match))

    def _links(self) -> dict[str, str]:
        try:
            found = json.loads(self._memory.recall(MATCHES_KEPT) or "{}")
        except ValueError:
            return {}
        return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}
