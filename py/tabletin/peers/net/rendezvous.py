"""Where the people of one link meet: everything that a random secret in a link stands for.

From the secret follow the topic under which relays hand messages on, the key that seals them, and the room. A secret to play
leads to the secret to watch, and not the other way round: so one link is for players, another for spectators, and both meet
in the same place. Nothing here knows a relay or a browser.
"""

from __future__ import annotations

import hmac
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, replace
from enum import Enum
from hashlib import sha256
from typing import Final

from tabletin.peers.net.code import ROOM_BYTES

SECRET_BYTES: Final = 16
KEY_BYTES: Final = 32
TOKEN_LENGTH: Final = 22
TOKEN: Final = re.compile(rf"[\w-]{{{TOKEN_LENGTH}}}", re.ASCII)
HOST_DIGITS: Final = 16  # by which a link names a device: of 64 bits nobody finds a second key
HOST: Final = re.compile(rf"[0-9a-f]{{{HOST_DIGITS}}}", re.ASCII)
SALT: Final = b"tabletin meeting 1"


def hkdf(secret: bytes, purpose: bytes, count: int) -> bytes:
    """HKDF by SHA-256 (RFC 5869): ``count`` ≤ 32 bytes for ``purpose``."""
    return hmac.digest(hmac.digest(SALT, secret, "sha256"), purpose + b"\x01", "sha256")[:count]


class Access(Enum):
    """What a link lets people do."""

    PLAY = "play"
    WATCH = "watch"


def proof(secret: bytes, access: Access, author: str) -> str:
    return hmac.digest(secret, f"{access.value} {author}".encode(), "sha256").hex()[:32]


@dataclass(frozen=True, slots=True)
class Rendezvous:
    """``watch_secret``: who knows it finds the others; ``play_secret``: who knows it may take a chair; b"" where it is unknown.

    ``is_named``: a name leads here, which can be guessed. ``host``: how the author of the device begins that the link leads to;
    "" where that is not known. Anybody who has the link is found there, and could say that the room is theirs.
    """

    watch_secret: bytes
    play_secret: bytes = b""
    is_named: bool = False
    host: str = ""

    @classmethod
    def new(cls) -> Rendezvous:
        """A rendezvous that nobody else knows yet."""
        return cls.of_play_secret(secrets.token_bytes(SECRET_BYTES))

    @classmethod
    def of_play_secret(cls, secret: bytes) -> Rendezvous:
        return cls(hkdf(secret, b"watch", SECRET_BYTES), secret)

    @classmethod
    def from_name(cls, name: str) -> Rendezvous:
        """The rendezvous of all who use the same name. It can be guessed, so rooms do not believe its proofs: guests knock."""
        return cls(hkdf(name.encode(), b"name", SECRET_BYTES), is_named=True)

    @classmethod
    def from_token(cls, token: str, *, watch: bool) -> Rendezvous:
        """The rendezvous that a link's token leads to. Raises ``ValueError``."""
        if not TOKEN.fullmatch(token):
            raise ValueError("a token has 22 characters")
        secret = urlsafe_b64decode(token + "==")
        if encode_secret(secret) != token:
            raise ValueError("no token")
        return cls(secret) if watch else cls.of_play_secret(secret)

    def token(self, *, watch: bool = False) -> str:
        """What a link carries. Raises ``ValueError`` for a link to play where that secret is unknown."""
        if not watch and not self.play_secret:
            raise ValueError("only known to watch")
        return encode_secret(self.watch_secret if watch else self.play_secret)

    # ---- what follows from the secret ----

    @property
    def topic(self) -> str:
        """Under which relays hand the messages on, in hexadecimal."""
        return hkdf(self.watch_secret, b"topic", SECRET_BYTES).hex()

    @property
    def key(self) -> bytes:
        """What seals the messages, by AES-256-GCM."""
        return hkdf(self.watch_secret, b"seal", KEY_BYTES)

    @property
    def room(self) -> str:
        """The room's id, in hexadecimal."""
        return hkdf(self.watch_secret, b"room", ROOM_BYTES).hex()

    # ---- who may come in ----

    def led_to(self, host: str) -> Rendezvous:
        """The same as a link names it that leads to ``host``; what is no beginning of an author counts as left out."""
        return replace(self, host=host if HOST.fullmatch(host) else "")

    def leads_to(self, author: str) -> bool:
        """Whether the link says that it leads to the device ``author``."""
        return bool(self.host) and author.startswith(self.host)

    def proof(self, author: str) -> str:
        """Shows which secret ``author`` knows, without telling it."""
        secret, access = (self.play_secret, Access.PLAY) if self.play_secret else (self.watch_secret, Access.WATCH)
        return proof(secret, access, author)

    def access(self, author: str, shown: str) -> Access | None:
        """What ``author`` may do, who has shown this proof; None for nothing."""
        for secret, access in ((self.play_secret, Access.PLAY), (self.watch_secret, Access.WATCH)):
            if secret and hmac.compare_digest(proof(secret, access, author).encode(), shown.encode()):
                return access
        return None

    # ---- on the disk ----

    def to_text(self) -> str:
        kind = "n" if self.is_named else "p" if self.play_secret else "w"
        return f"{kind}{self.token(watch=not self.play_secret)}{self.host}"

    @classmethod
    def from_text(cls, text: str) -> Rendezvous:
        """Reads what ``to_text`` wrote. Raises ``ValueError``."""
        if text[:1] not in ("n", "p", "w"):
            raise ValueError("no meeting")
        token, host = text[1:1 + TOKEN_LENGTH], text[1 + TOKEN_LENGTH:]
        if host and not HOST.fullmatch(host):
            raise ValueError("no meeting")
        return replace(cls.from_token(token, watch=text[0] != "p"), is_named=text[0] == "n", host=host)


def encode_secret(secret: bytes) -> str:
    return urlsafe_b64encode(secret).decode().rstrip("=")


def transfer_proof(transfer: str, author: str) -> str:
    """Shows that ``author`` knows the secret ``transfer`` of a link to go on on another device."""
    return sha256(f"tabletin transfer {transfer} {author}".encode()).hexdigest()
