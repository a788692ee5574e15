"""Signatures: Ed25519 behind one small interface, with a CPython backend.

An author is the hexadecimal public key. The browser's backend is libsodium.js (``peers/identity_js``).
"""

from __future__ import annotations

from typing import Final, Protocol

AUTHOR_DIGITS: Final = 64
SIGNATURE_DIGITS: Final = 128


class Identity(Protocol):
    """A device's own key. ``author`` is its public half in hexadecimal."""

    @property
    def author(self) -> str: ...

    def sign(self, message: bytes) -> str:
        """The signature over ``message``, in hexadecimal."""
        ...


class Verifier(Protocol):
    """Checks signatures of any author."""

    def verify(self, author: str, message: bytes, signature: str) -> bool:
        """Whether ``signature`` is ``author``'s over ``message``; False for anything malformed."""
        ...


def digits(text: str, count: int) -> bytes | None:
    """The bytes that ``count`` lower-case hexadecimal digits spell, or None."""
    if len(text) != count:
        return None
    try:
        data = bytes.fromhex(text)
    except ValueError:
        return None
    return data if data.hex() == text else None  # capitals and spaces would spell the same bytes


class Ed25519:
    """An identity from a 32-byte seed, by libsodium (PyNaCl)."""

    def __init__(self, seed: bytes) -> None:
        from nacl.signing import SigningKey

        self._key = SigningKey(seed)
        self._author = bytes(self._key.verify_key).hex()

    @property
    def author(self) -> str:
        return self._author

    def sign(self, message: bytes) -> str:
        return bytes(self._key.sign(message).signature).hex()


class Ed25519Verifier:
    """Checks Ed25519 signatures by libsodium (PyNaCl)."""

    def __init__(self) -> None:
        from nacl.bindings import crypto_sign_open
        from nacl.exceptions import BadSignatureError

        self._open = crypto_sign_open
        self._bad = BadSignatureError

    def verify(self, author: str, message: bytes, signature: str) -> bool:
        key, signed = digits(author, AUTHOR_DIGITS), digits(signature, SIGNATURE_DIGITS)
        if key is None or signed is None:
            return False
        try:
            self._open(signed + message, key)
        except self._bad:
            return False
        return True
