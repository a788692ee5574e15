"""A device among peers in this very process: the worker's side with real cryptography, as a page asks it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from tabletin.kernel.envelope import pack
from tabletin.peers.identity import Ed25519, Ed25519Verifier
from tabletin.peers.sealed.group import Group
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.worker.answer import Answer
from tabletin.peers.worker.service import ReplicaService


class ReplicaHere:
    """A ``PeerDevice`` without a worker. ``number`` makes its key; ``calls``: what it was asked, by name."""

    def __init__(self, number: int, group: Group | None = None) -> None:
        self._service = ReplicaService(group or SodiumGroup(), Ed25519Verifier(), Ed25519)
        self.author = str(self.ask(do="identify", seed=bytes([number]).hex() * 32).result["author"])
        self.kept = True
        self.calls: list[str] = []

    def ask(self, texts: Sequence[str] = (), **asked: Any) -> Answer:
        """One call, answered at once."""
        return Answer.decode(self._service.call(pack(asked, texts)))

    async def call(self, texts: Sequence[str] = (), **asked: Any) -> Answer:
        await asyncio.sleep(0)
        self.calls.append(str(asked.get("do")))
        return self.ask(texts, **asked)

    async def sign(self, text: str) -> str:
        return str((await self.call(do="sign", text=text)).result["sig"])

    async def check(self, author: str, text: str, sig: str) -> bool:
        return bool((await self.call(do="check", author=author, text=text, sig=sig)).result["ok"])
