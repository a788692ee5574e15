"""What a match among peers needs of the room where its people are, and what that room may read of the match. Protocols only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tabletin.kernel.log import Json

if TYPE_CHECKING:
    from tabletin.kernel.match import Match
    from tabletin.peers.net.transport import Transport


class SharedMatch(Protocol):
    """An open match among peers, to be read. ``author``: this device; ``people``: the seats of people at it; ``over``: whether
    nothing is played any more."""

    @property
    def id(self) -> str: ...

    @property
    def match(self) -> Match: ...

    @property
    def author(self) -> str: ...

    @property
    def people(self) -> tuple[int, ...]: ...

    @property
    def over(self) -> bool: ...

    @property
    def net(self) -> Transport | None: ...


class RoomLink(Protocol):
    """The room of this page, if there is one."""

    def follow(self, session: SharedMatch) -> None:
        """Who sits at which device, as the match's log says, holds for the room, too."""
        ...

    async def start_successor(self, session: SharedMatch, genesis: Json) -> None:
        """Move the room, and this page, on to the match of ``genesis``, which follows that of ``session``."""
        ...
