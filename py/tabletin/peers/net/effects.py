"""What a mesh asks of the one who drives it: one value for each command. Data only.

Where a command has an answer, its docstring names the method of ``Mesh`` that takes it.
"""

from __future__ import annotations

from dataclasses import dataclass

from tabletin.peers.net.link import Ticket


@dataclass(frozen=True, slots=True)
class Dial:
    """Make an offer on a new connection; with ``mend`` an ICE restart of the present one.

    Answer: ``description_made``, and ``addresses_found`` for what is found later.
    """

    link: int
    mend: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer ``offer``, on a new connection or the present one. Answers as to ``Dial``."""

    link: int
    offer: str


@dataclass(frozen=True, slots=True)
class Finish:
    """Take the answer to an offer."""

    link: int
    answer: str


@dataclass(frozen=True, slots=True)
class Extend:
    """Try further addresses of the other device: a description that has no others."""

    link: int
    description: str


@dataclass(frozen=True, slots=True)
class Arm:
    """Make a connection that waits for the device with this certificate. Answer: ``ticket_made``."""

    link: int
    fingerprint: bytes


@dataclass(frozen=True, slots=True)
class Redeem:
    """Connect to a connection that waits at the other device."""

    link: int
    ticket: Ticket


@dataclass(frozen=True, slots=True)
class Keep:
    """Store that ``author`` is a neighbour, with these tickets instead of the earlier ones. Answer: ``tickets_stored``."""

    author: str
    tickets: tuple[Ticket, ...]


@dataclass(frozen=True, slots=True)
class Publish:
    """Hand a text to the relays, sealed, for all who meet there."""

    text: str


@dataclass(frozen=True, slots=True)
class Close:
    """Close the connection of a link that has ended."""

    link: int


@dataclass(frozen=True, slots=True)
class Flush:
    """Send what waits: ``Mesh.piece`` gives the pieces."""

    link: int


@dataclass(frozen=True, slots=True)
class Sign:
    """Sign ``text``. Answer: ``signature_made``."""

    link: int
    text: str


@dataclass(frozen=True, slots=True)
class Check:
    """Check a signature. Answer: ``signature_checked``."""

    link: int
    author: str
    text: str
    signature: str


@dataclass(frozen=True, slots=True)
class Welcome:
    """A link is authenticated: ``author`` is at its other end."""

    link: int
    author: str


@dataclass(frozen=True, slots=True)
class Deliver:
    """Hand over a text that came in."""

    author: str
    channel: str
    text: str


@dataclass(frozen=True, slots=True)
class Notify:
    """Say that the presence, the links or the way back of ``author`` changed."""

    author: str


Effect = (Dial | Reply | Finish | Extend | Arm | Redeem | Keep | Publish | Close | Flush | Sign | Check | Welcome | Deliver
          | Notify)
