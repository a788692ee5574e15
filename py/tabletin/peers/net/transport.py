"""What a room and a match may ask of the links between devices: who is there, send a text, invite a guest.

A protocol, so that everything above it runs under CPython with a stand-in; ``app/browser/transport.py`` is the one of the
browser. A sender's name is never taken from a message: each link is authenticated by a signed hello before anything else on
it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import Enum
from typing import Final, Protocol

from tabletin.kernel.options import Failure, Refusal

MATCH: Final = "match"
ROOM: Final = "room"
CHANNELS: Final = (MATCH, ROOM)

UNSTABLE_AFTER: Final = 5.0  # seconds without a sign of life
AWAY_AFTER: Final = 15.0


class Presence(Enum):
    """The presence of another device, judged by the messages that come from it, never by the browser's state of a connection."""

    HERE = "here"
    UNSTABLE = "unstable"  # silent for 5 s
    AWAY = "away"  # silent for 15 s; it may come back by itself
    LEFT = "left"  # it said goodbye; it may come back as well
    UNKNOWN = "unknown"  # there was never a link


class Unreachable(Failure):
    """No way to the other device was found.

    Reasons: "no_webrtc": the browser knows no WebRTC; "no_candidate": it offers no address to be reached at; "no_path": both
    devices have the codes, and still there is no connection; "closed": the link was given up; "other_tab": another tab of this
    device has the room's links. ``cause``: of "no_path", as in ``diagnosis``; "" where it is not known.
    """

    def __init__(self, reason: str, cause: str = "") -> None:
        super().__init__(Refusal(f"peers.wire.{reason}"))
        self.reason = reason
        self.cause = cause


class Invitation(Protocol):
    """An invite for one guest, to be used once."""

    @property
    def code(self) -> str:
        """The text to be handed over, in a link, a QR code or a message."""
        ...

    async def accept(self, reply: str) -> str:
        """Take the guest's reply; the guest's author once its link is authenticated. Raises ``BadCode``, ``Unreachable``.

        After ``BadCode`` the invite is still open and another reply may be tried; after ``Unreachable`` it is not.
        """
        ...

    def cancel(self) -> None:
        """Withdraw the invite: a reply to it is refused as "expired"."""
        ...


class InviteReply(Protocol):
    """A guest's answer to an invite."""

    @property
    def reply(self) -> str:
        """The text the host needs."""
        ...

    async def wait_connected(self) -> str:
        """The host's author, once the host has taken the reply and the link is authenticated. Raises ``Unreachable``.

        Waits until the invite expires. May be cancelled.
        """
        ...

    def cancel(self) -> None: ...


class Transport(Protocol):
    """The links of this device. Messages of one channel from one sender arrive in order, each once, while the link lasts.

    When a link is replaced, messages on their way may be lost. ``on_presence`` reports it, and the layers above send again
    what must arrive.
    """

    @property
    def author(self) -> str:
        """This device's public key, in hexadecimal."""
        ...

    def presence(self, author: str) -> Presence: ...

    def connected_authors(self) -> tuple[str, ...]:
        """Authors with an open, authenticated link, in the order in which they came."""
        ...

    def lost_authors(self) -> tuple[str, ...]:
        """Authors that will not come back by themselves: they need a new code."""
        ...

    def returns(self, author: str) -> bool:
        """Whether this device and ``author`` would find each other by themselves after either page is loaded again."""
        ...

    def send(self, to: str | None, channel: str, text: str) -> None:
        """Send ``text`` on "match" or "room" to one author, or to all connected ones. Never waits. Nobody connected: no error."""
        ...

    def on_text(self, channel: str, listener: Callable[[str, str], None]) -> None:
        """Call ``listener(author, text)`` for each text on ``channel``; it replaces the listener before."""
        ...

    def off_text(self, channel: str, listener: Callable[[str, str], None]) -> None:
        """End what ``on_text`` began. Does nothing if another listener has replaced this one."""
        ...

    def on_presence(self, listener: Callable[[str], None]) -> None:
        """Call ``listener(author)`` when ``presence``, ``connected_authors`` or ``lost_authors`` changed for an author, or its
        link was replaced.

        All listeners are called.
        """
        ...

    async def invite(self) -> Invitation:
        """A new invite. Raises ``Unreachable``."""
        ...

    async def answer(self, invite: str) -> InviteReply:
        """Answer an invite (a code, or a link that ends with one). Raises ``BadCode``, ``Unreachable``."""
        ...

    def admit(self, author: str) -> None:
        """Allow links with ``author`` again."""
        ...

    def refuse(self, author: str) -> None:
        """Close the links with ``author``, and make no others."""
        ...

    def retain(self, authors: Collection[str]) -> None:
        """Forget none of ``authors`` to make way for other devices, however long they are away. Replaces those named before."""
        ...

    def close(self) -> None:
        """Say goodbye and close everything, for good."""
        ...
