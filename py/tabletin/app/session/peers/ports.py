"""What a match among peers needs of its page: this device among others, and the way back to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from tabletin.kernel.log import Hash
from tabletin.kernel.setup import Setup
from tabletin.peers.net.transport import Transport


class PeerDevice(Protocol):
    """This device among others: its key and its replica, in a worker. ``kept``: whether its key outlives the page."""

    author: str
    kept: bool

    async def call(self, **asked: Any) -> dict[str, Any]:
        """See ``peers/remote.py``."""
        ...


class PeerGateway(Protocol):
    """What brings a stored match back among its peers."""

    async def device(self) -> PeerDevice: ...

    async def net_for(self, setup: Setup, match: Hash) -> Transport:
        """The links of that match's room, opened anew where they must be. Raises ``Blocked``."""
        ...


if TYPE_CHECKING:
    from tabletin.app.session.session import SessionContext
    from tabletin.kernel.match import Match


class PeerMatch(Protocol):
    """What a part of a peer session (undo requests, votes, leaving, coming back, another device) may use of it."""

    context: SessionContext
    net: Transport | None
    device: PeerDevice | None
    sending: bool

    @property
    def match(self) -> Match: ...

    @property
    def author(self) -> str: ...

    @property
    def people(self) -> tuple[int, ...]: ...

    async def ask_worker(self, **asked: Any) -> dict[str, Any]: ...

    async def speak(self, **asked: Any) -> None: ...

    async def news(self) -> None: ...

    async def flushed(self) -> None: ...

    async def consent(self, seat: int, to: int) -> None: ...

    async def undo(self, seat: int, to: int, practice: bool = False) -> None: ...

    def aside(self, to: str | None, text: str) -> None: ...

    def status_changed(self) -> None: ...

    def settled(self) -> None: ...

    def later(self, work: Any) -> None: ...
