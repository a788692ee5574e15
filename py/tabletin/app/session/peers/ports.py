"""What a match among peers needs of its page, and what its parts may use of it. Protocols only, but for ``SessionPart``.

The page gives the device's replica (``PeerDevice``) and the way back to the others (``PeerGateway``). A part of a peer session
knows that session as a ``PeerMatch``, and its siblings from its constructor.
"""

from __future__ import annotations

from collections.abc import Awaitable, Coroutine
from typing import TYPE_CHECKING, Any, Protocol

from tabletin.kernel.log import Entry, Hash
from tabletin.kernel.setup import Setup
from tabletin.peers.worker.status import WorkerStatus

if TYPE_CHECKING:
    from tabletin.app.session.session import SessionContext
    from tabletin.kernel.match import Match
    from tabletin.peers.net.transport import Transport
    from tabletin.peers.worker.answer import WorkerAnswer
    from tabletin.peers.worker.calls import Call, MatchCall, Speech


class PeerDevice(Protocol):
    """This device among others: its key and its replica, in a worker. ``is_stored``: whether its key outlives the page."""

    author: str
    is_stored: bool

    async def call(self, call: Call, match: Hash | None = None) -> WorkerAnswer:
        """The worker's answer to ``call``; refused where the worker holds another match than ``match``."""
        ...


class PeerGateway(Protocol):
    """What brings a stored match back among its peers."""

    def device(self) -> Awaitable[PeerDevice]:
        """This device, whose worker starts at once if it has not."""
        ...

    async def net_for(self, setup: Setup, match: Hash) -> Transport:
        """The links of that match's room, opened anew where they must be. Raises ``Unreachable``."""
        ...


class PeerMatch(Protocol):
    """An open match among peers, as its parts see it. ``device`` and ``net`` are None until this device is back in it.

    ``sending``: whether a person's act is on its way to the peer that orders.
    """

    context: SessionContext
    net: Transport | None
    device: PeerDevice | None
    sending: bool

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

    async def ask_worker(self, call: MatchCall) -> WorkerAnswer:
        """One call about this match, and its answer. What is new in it has been taken in."""
        ...

    async def speak(self, speech: Speech) -> None:
        """Sign what the worker is asked to say, and wait until it stands in the log. Raises ``Refused``."""
        ...

    async def next_answer(self) -> None:
        """Wait until the worker has answered once more."""
        ...

    async def flush(self) -> None: ...

    async def consent(self, seat: int, to: int) -> None: ...

    async def undo(self, seat: int, to: int, practice: bool = False) -> None: ...

    def send_aside(self, to: str | None, text: str) -> None:
        """Send ``text``, which is no part of the match, to the table of ``to``, or to all of them."""
        ...

    def status_changed(self) -> None:
        """Something beside the match has changed that a table shows."""
        ...

    def publish(self) -> None: ...

    def start_task(self, work: Coroutine[Any, Any, Any]) -> object:
        """Do ``work`` in the background."""
        ...


class SessionPart:
    """A part of a peer session: it hears of all that happens, and of nothing else."""

    def on_entry(self, entry: Entry) -> None:
        """The match has grown by ``entry``."""

    def on_status(self, status: WorkerStatus) -> None:
        """The worker has answered: so its replica stands now."""

    def on_tick(self, now: float) -> None:
        """Time has come to ``now``, in seconds; about twice a second."""
