"""Invite and reply codes: what two browsers must know of each other, in about a hundred characters.

Most of a WebRTC session description is the same every time. A code keeps the rest: flags, ICE user and password, the
certificate's fingerprint and the candidates. It adds a version, the room and the number of its invite, when it expires, and
a checksum. The whole description is rebuilt from it. Nothing here knows a browser.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode, urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final
from uuid import UUID

from tabletin.kernel.options import Failure, Refusal

VERSION: Final = 2
ROOM_BYTES: Final = 6
NUMBER_BYTES: Final = 2  # distinguishes the invites of a room
EXPIRY_BYTES: Final = 3  # minutes since EPOCH
EPOCH: Final = 1_767_225_600  # seconds: the beginning of 2026
CHECK_BYTES: Final = 3
HEAD: Final = 1 + ROOM_BYTES + NUMBER_BYTES + EXPIRY_BYTES
MOST_CANDIDATES: Final = 8
MOST_CODE: Final = 800  # characters
LEAST_CODE: Final = 74  # characters of one without candidates
LETTERS: Final = re.compile(r"[\w-]+", re.ASCII)
PASSIVE: Final = 0x80
LOCAL: Final = ".local"
IN_LINK: Final = re.compile(r"(?:join|reply|code)=([\w-]*)", re.ASCII)
TYPES: Final = ("host", "srflx", "relay")
PREFERENCE: Final[dict[str, int]] = {"host": 126, "srflx": 100, "relay": 0}  # RFC 8445
ICE_ALPHABET: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")


class Kind(Enum):
    """An invite asks, a reply answers."""

    INVITE = 0
    REPLY = 1


class BadCode(Failure, ValueError):
    """A code that cannot be used.

    Reasons: "empty"; "damaged": a part is missing or was changed; "version"; "form": it never was a code; "kind": an invite
    where a reply is wanted, or the reverse; "used", "expired"; "own": this device's own invite; "of_another": it belongs to
    another room, or answers an invite of another page.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(Refusal(f"peers.code.{reason}"))


@dataclass(frozen=True, slots=True)
class Candidate:
    """Where a browser can be reached: an IP address or an mDNS name, and a port.

    ``kind`` as in a session description: "host", "srflx" (as a STUN server saw it), "relay" (at a TURN server).
    """

    address: str
    port: int
    kind: str = "host"


@dataclass(frozen=True, slots=True)
class Description:
    """The part of a session description that differs from any other.

    ``fingerprint``: the certificate's SHA-256 (32 bytes). ``passive``: an answer of the side that waits for the handshake of
    the other one, as when an open connection is mended.
    """

    user: str
    password: str
    fingerprint: bytes
    candidates: tuple[Candidate, ...]
    passive: bool = False

    def to_text(self) -> str:
        """The description alone in base64url, as devices carry it for each other."""
        return urlsafe_b64encode(_packed(self)).decode().rstrip("=")

    @classmethod
    def from_text(cls, text: str) -> Description:
        """Raises ``BadCode``."""
        return _unpacked(_bytes(text))


@dataclass(frozen=True, slots=True)
class Code:
    """An invite or a reply: the room, the number of the invite, when it expires (seconds since 1970, whole minutes), and a
    description."""

    kind: Kind
    room: bytes
    number: int
    expires: int
    description: Description

    def to_text(self) -> str:
        """The code in base64url, without padding."""
        minutes = (self.expires - EPOCH) // 60
        body = (bytes([VERSION << 4 | self.kind.value]) + self.room + self.number.to_bytes(NUMBER_BYTES, "big")
                + minutes.to_bytes(EXPIRY_BYTES, "big") + _packed(self.description))
        return urlsafe_b64encode(body + sha256(body).digest()[:CHECK_BYTES]).decode().rstrip("=")

    @classmethod
    def from_text(cls, text: str) -> Code:
        """Reads a code, also from a whole link, or with spaces and line breaks in it. Raises ``BadCode``."""
        text = "".join(text.split())
        found = IN_LINK.findall(text)
        text = (found[-1] if found else text).rstrip("=")
        if not text:
            raise BadCode("empty")
        if not LETTERS.fullmatch(text) or (len(text) < LEAST_CODE and text[0] != FIRST_LETTER):
            raise BadCode("form")
        data = _bytes(text)
        body, check = data[:-CHECK_BYTES], data[-CHECK_BYTES:]
        if not body or sha256(body).digest()[:CHECK_BYTES] != check:
            raise BadCode("damaged")
        if body[0] >> 4 != VERSION:
            raise BadCode("version")
        if body[0] & 15 not in (0, 1):
            raise BadCode("form")
        room, number = body[1:1 + ROOM_BYTES], body[1 + ROOM_BYTES:HEAD - EXPIRY_BYTES]
        expires = EPOCH + 60 * int.from_bytes(body[HEAD - EXPIRY_BYTES:HEAD], "big")
        if len(body) <= HEAD:
            raise BadCode("form")
        code = cls(Kind(body[0] & 15), room, int.from_bytes(number, "big"), expires, _unpacked(body[HEAD:]))
        if code.to_text() != text:
            raise BadCode("damaged")
        return code


FIRST_LETTER: Final = urlsafe_b64encode(bytes([VERSION << 4])).decode()[0]  # of every code, also of one that was cut short


def _bytes(text: str) -> bytes:
    if len(text) > MOST_CODE:
        raise BadCode("damaged")
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (ValueError, Base64Error) as error:
        raise BadCode("damaged") from error


def _packed(description: Description) -> bytes:
    user = _ice(description.user)
    parts = [bytes([user[0] | PASSIVE * description.passive]), user[1:], _ice(description.password), description.fingerprint]
    for candidate in description.candidates[:MOST_CANDIDATES]:
        kind, address = _address(candidate.address)
        parts.append(bytes([kind | TYPES.index(candidate.kind) << 2]) + address + candidate.port.to_bytes(2, "big"))
    return b"".join(parts)


def _unpacked(data: bytes) -> Description:
    passive = bool(data and data[0] & PASSIVE)
    user, data = _read_ice(bytes([data[0] & ~PASSIVE]) + data[1:] if data else data)
    password, data = _read_ice(data)
    fingerprint, data = data[:32], data[32:]
    if len(fingerprint) != 32:
        raise BadCode("form")
    candidates: list[Candidate] = []
    while data:
        kind, known_as = data[0] & 3, data[0] >> 2
        size = (4, 16, 16)[kind] if kind < 3 and known_as < len(TYPES) else -1
        if size < 0 or len(data) < 3 + size or len(candidates) == MOST_CANDIDATES:
            raise BadCode("form")
        raw, port = data[1:1 + size], int.from_bytes(data[1 + size:3 + size], "big")
        address = str(IPv4Address(raw)) if kind == 0 else str(IPv6Address(raw)) if kind == 1 else f"{UUID(bytes=raw)}{LOCAL}"
        candidates.append(Candidate(address, port, TYPES[known_as]))
        data = data[3 + size:]
    return Description(user, password, fingerprint, tuple(candidates), passive)


def _address(address: str) -> tuple[int, bytes]:
    if address.endswith(LOCAL):
        return 2, UUID(address.removesuffix(LOCAL)).bytes
    parsed = ip_address(address)
    return (0 if isinstance(parsed, IPv4Address) else 1), parsed.packed


def _ice(text: str) -> bytes:
    """Four characters of the ICE alphabet in three bytes; the first byte says how many groups."""
    if len(text) % 4 or not set(text) <= ICE_ALPHABET or len(text) > 256:
        raise BadCode("form")
    return bytes([len(text) // 4]) + b64decode(text)


def _read_ice(data: bytes) -> tuple[str, bytes]:
    size = 3 * data[0] if data else 0
    if not size or len(data) < 1 + size:
        raise BadCode("form")
    return b64encode(data[1:1 + size]).decode(), data[1 + size:]


# ---- session descriptions ----

def shrink(sdp: str) -> Description:
    """The part that differs of a browser's session description of one data channel. Raises ``BadCode`` for any other."""
    user = password = ""
    fingerprint = b""
    passive = False
    candidates: dict[tuple[str, int], Candidate] = {}
    for line in sdp.splitlines():
        name, _, value = line.removeprefix("a=").partition(":")
        if name == "ice-ufrag":
            user = value
        elif name == "ice-pwd":
            password = value
        elif name == "fingerprint" and value.lower().startswith("sha-256 "):
            fingerprint = bytes.fromhex(value[8:].replace(":", ""))
        elif name == "setup":
            passive = value == "passive"
        elif name == "candidate":
            found = _candidate(value)
            if found is not None:
                candidates.setdefault((found.address, found.port), found)
    if not user or not password or len(fingerprint) != 32:
        raise BadCode("form")
    return Description(user, password, fingerprint, tuple(candidates.values())[:MOST_CANDIDATES], passive)


def _candidate(value: str) -> Candidate | None:
    """A UDP candidate of the data channel's one component; None for any other."""
    words = value.split()
    if len(words) < 8 or words[1] != "1" or words[2].lower() != "udp" or words[7] not in TYPES:
        return None
    try:
        _address(words[4])
    except ValueError:
        return None
    return Candidate(words[4], int(words[5]), words[7])


def candidate_lines(description: Description, generation: int = 0, first: int = 1) -> list[str]:
    """The candidates as ``addIceCandidate`` takes them. A browser tries one that it knows anew if its generation is higher.

    ``first``: the number of the first one; browsers tell addresses apart by their numbers.
    """
    lines = []
    for number, candidate in enumerate(description.candidates, first):
        priority = PREFERENCE[candidate.kind] << 24 | (65535 - number) << 8 | 255
        lines.append(f"candidate:{number} 1 udp {priority} {candidate.address} {candidate.port} typ {candidate.kind}"
                     + ("" if candidate.kind == "host" else " raddr 0.0.0.0 rport 0")
                     + (f" generation {generation}" if generation else ""))
    return lines


def expand(description: Description, kind: Kind) -> str:
    """The whole session description, for ``setRemoteDescription``."""
    lines = [
        "v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0", "a=msid-semantic: WMS",
        "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0",
    ]
    lines += [f"a={line}" for line in candidate_lines(description)]
    setup = "actpass" if kind is Kind.INVITE else "passive" if description.passive else "active"
    lines += [
        f"a=ice-ufrag:{description.user}", f"a=ice-pwd:{description.password}", "a=ice-options:trickle",
        "a=fingerprint:sha-256 " + description.fingerprint.hex(":").upper(),
        f"a=setup:{setup}", "a=mid:0", "a=sctp-port:5000",
        "a=max-message-size:262144",
    ]
    return "\r\n".join(lines) + "\r\n"
