"""A device among peers in this very process: the worker's side with real cryptography, as a page asks it."""

from __future__ import annotations

import asyncio

from tabletin.kernel.log import Hash
from tabletin.peers.identity import Ed25519, Ed25519Verifier
from tabletin.peers.sealed.group import PrimeGroup
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.worker import calls
from tabletin.peers.worker.answer import WorkerAnswer
from tabletin.peers.worker.results import DeviceAuthor, Signature, SignatureCheck
from tabletin.peers.worker.service import ReplicaService


class ReplicaHere:
    """A ``PeerDevice`` without a worker. ``number`` makes its key; ``calls``: what it was asked, by name."""

    def __init__(self, number: int, group: PrimeGroup | None = None) -> None:
        self._service = ReplicaService(group or SodiumGroup(), Ed25519Verifier(), Ed25519)
        self.author = self.ask(calls.Identify(bytes([number]).hex() * 32)).result_as(DeviceAuthor).author
        self.is_stored = True
        self.calls: list[str] = []

    def ask(self, call: calls.Call, match: Hash | None = None) -> WorkerAnswer:
        """One call, answered at once."""
        return WorkerAnswer.decode(self._service.call(calls.encode(call, match)))

    async def call(self, call: calls.Call, match: Hash | None = None) -> WorkerAnswer:
        await asyncio.sleep(0)
        self.calls.append(type(call).__name__)
        return self.ask(call, match)

    async def sign(self, text: str) -> str:
        return (await self.call(calls.SignGreeting(text))).result_as(Signature).signature

    async def check(self, author: str, text: str, sig: str) -> bool:
        return (await self.call(calls.CheckGreeting(author, text, sig))).result_as(SignatureCheck).holds
