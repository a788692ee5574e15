"""What a room and a match may ask of the links between devices: who is there, say something, invite somebody.

A description of ``page/wire.py``, so that everything above it runs under CPython with a stand-in. It knows no browser. A
sender's name is never taken from what was sent: each channel is authenticated by a signed hello before a word of it is heard.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final, Protocol

from tabletin.kernel.options import Failure, Refusal

MATCH: Final = "match"
ROOM: Final = "room"
CHANNELS: Final = (MATCH, ROOM)

UNSTABLE_AFTER: Final = 5.0  # seconds without a sign of life
AWAY_AFTER: Final = 15.0


class Presence(Enum):
    """How another device stands: by what was heard of it, never by what the browser says of the connection."""

    HERE = "here"
    UNSTABLE = "unstable"  # nothing heard for 5 s
    AWAY = "away"  # nothing heard for 15 s; it may come back by itself
    LEFT = "left"  # it said goodbye; it may come back, too
    UNKNOWN = "unknown"  # never met


class Unreachable(Failure):
    """No way to the other device was found.

    Reasons: "no_webrtc": the browser knows no WebRTC; "no_candidate": it offers no address to be reached at; "no_path": both
    devices have the codes, and still there is no connection; "closed": the link was given up.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(Refusal(f"peers.wire.{reason}"))


class Invitation(Protocol):
    """An invite for one guest, to be used once."""

    @property
    def code(self) -> str:
        """The text to be handed over; room for it in a link, a QR code, a message."""
        ...

    async def accept(self, reply: str) -> str:
        """Take the guest's reply; the guest's author once its channel is authenticated. Raises ``BadCode``, ``Blocked``.

        After ``BadCode`` the invitation still stands and another reply may be tried; after ``Blocked`` it does not.
        """
        ...

    def cancel(self) -> None:
        """The invite is void; a reply to it is refused as "expired"."""
        ...


class Answering(Protocol):
    """A guest's answer to an invite."""

    @property
    def reply(self) -> str:
        """The text the host needs."""
        ...

    async def connected(self) -> str:
        """The host's author, once the host has taken the reply and the channel is authenticated. Raises ``Blocked``.

        Waits as long as the invite lives. May be cancelled.
        """
        ...

    def cancel(self) -> None: ...


class Transport(Protocol):
    """The links of this device. Messages of one channel from one sender arrive in order, each once, while its link lives.

    When a link had to be replaced, what was on its way may be lost: ``on_presence`` tells of it, and whoever keeps something
    in step says it again.
    """

    @property
    def author(self) -> str:
        """One's own public key, in hexadecimal."""
        ...

    def presence(self, author: str) -> Presence: ...

    def connected(self) -> tuple[str, ...]:
        """Authors with an open, authenticated link, in the order they came."""
        ...

    def lost(self) -> tuple[str, ...]:
        """Authors whom nothing brings back by itself any more: they need a fresh code."""
        ...

    def returns(self, author: str) -> bool:
        """Whether this device and ``author``'s would find each other again after a reload of either, with nobody's help."""
        ...

    def send(self, to: str | None, channel: str, text: str) -> None:
        """Say ``text`` on "match" or "room" to one author, or to everybody connected. Never waits; to nobody is no error."""
        ...

    def on_text(self, channel: str, heard: Callable[[str, str], None]) -> None:
        """``heard(author, text)`` for what comes in on ``channel``; a new listener takes the place of the one before."""
        ...

    def off_text(self, channel: str, heard: Callable[[str, str], None]) -> None:
        """``heard`` listens on ``channel`` no more; nothing is done where another has taken its place."""
        ...

    def on_presence(self, heard: Callable[[str], None]) -> None:
        """``heard(author)`` when ``presence``, ``connected`` or ``lost`` changed for that author, or its link was replaced.
        Every listener is kept."""
        ...

    async def invite(self) -> Invitation:
        """A new invite. Raises ``Blocked``."""
        ...

    async def answer(self, invite: str) -> Answering:
        """Answer an invite (a code, or a link that ends with one). Raises ``BadCode``, ``Blocked``."""
        ...

    def admit(self, author: str) -> None:
        """Take back ``refuse``."""
        ...

    def refuse(self, author: str) -> None:
        """Close the links with ``author`` and make none again."""
        ...

    def close(self) -> None:
        """Say goodbye and close everything, for good."""
        ...
