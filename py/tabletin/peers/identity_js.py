"""The browser's half of a peer's arithmetic: Ed25519 by libsodium.js behind the shim ``web/crypto/sodium.js``.

It runs in the worker. Together with ``sealed.group_js`` it is the only code of a peer that touches a browser's objects.
"""

from __future__ import annotations

from typing import Any

from pyodide.ffi import to_js

from tabletin.peers.identity import AUTHOR_DIGITS, SIGNATURE_DIGITS, digits


class JsIdentity:
    """An Ed25519 key from a 32-byte seed. ``shim``: what ``openGroup()`` of web/crypto/sodium.js resolves to."""

    def __init__(self, shim: Any, seed: bytes) -> None:
        self._shim = shim
        self._key = shim.signingKey(to_js(seed))
        self._author = bytes(self._key.to_bytes())[32:].hex()

    @property
    def author(self) -> str:
        return self._author

    def sign(self, message: bytes) -> str:
        return bytes(self._shim.sign(to_js(message), self._key).to_bytes()).hex()


class JsVerifier:
    """Checks Ed25519 signatures."""

    def __init__(self, shim: Any) -> None:
        self._shim = shim

    def verify(self, author: str, message: bytes, signature: str) -> bool:
        key, signed = digits(author, AUTHOR_DIGITS), digits(signature, SIGNATURE_DIGITS)
        if key is None or signed is None:
            return False
        return bool(self._shim.verify(to_js(key + signed + message)))
