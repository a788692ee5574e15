"""Identities without security, for simulations that sign thousands of entries: anybody can forge them.

Standard library alone, so that a page under test can run it, too.
"""

from __future__ import annotations

from hashlib import sha256

SIGNATURE_DIGITS = 128


class StandIn:
    """An identity without security, for simulations: the signature is a hash that anybody can compute."""

    def __init__(self, seed: bytes) -> None:
        self._author = sha256(b"stand-in " + seed).hexdigest()

    @property
    def author(self) -> str:
        return self._author

    def sign(self, message: bytes) -> str:
        return stand_in_signature(self._author, message)


class StandInVerifier:
    """Checks ``StandIn`` signatures. As the real one, it takes texts alone: who asks has looked at what came."""

    def verify(self, author: str, message: bytes, signature: str) -> bool:
        return len(signature) == SIGNATURE_DIGITS and signature == stand_in_signature(author, message)


def stand_in_signature(author: str, message: bytes) -> str:
    return sha256(author.encode() + message).hexdigest() * 2
