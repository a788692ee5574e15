"""A device among peers in this very process: the worker's side with real cryptography, as a page asks it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tabletin.peers.identity import Ed25519, Ed25519Verifier
from tabletin.peers.sealed.group import Group
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.worker.service import ReplicaService


class PeeringHere:
    """``page.peering.Peering`` without a worker. ``number`` makes its key."""

    def __init__(self, number: int, group: Group | None = None) -> None:
        self._remote = ReplicaService(group or SodiumGroup(), Ed25519Verifier(), Ed25519)
        self._asked = {"do": "identify", "seed": bytes([number]).hex() * 32}
        self.author = str(json.loads(self._remote.call(json.dumps(self._asked)))["author"])
        self.kept = True
        self.calls: list[str] = []

    async def call(self, **asked: Any) -> dict[str, Any]:
        await asyncio.sleep(0)
        self.calls.append(str(asked.get("do")))
        answer: dict[str, Any] = json.loads(self._remote.call(json.dumps(asked)))
        return answer

    async def sign(self, text: str) -> str:
        return str((await self.call(do="sign", text=text))["sig"])

    async def check(self, author: str, text: str, sig: str) -> bool:
        return bool((await self.call(do="check", author=author, text=text, sig=sig))["ok"])
