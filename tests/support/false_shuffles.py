"""How a log with a false shuffle comes about: one program that spoils a proof, and others that believe everything."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tabletin.peers.dealing.dealer import SealedDealer
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.sealed.group import L
from tabletin.peers.sealed.messages import ShuffleTurn, decode, encode
from tabletin.peers.sealed.pending import Checker
from tabletin.peers.sealed.requests import Duty
from tabletin.peers.sealed.shuffle import ShuffleClaim
from tests.support.peer_sim import Disk, Network
from tests.support.standin_group import StandInGroup


class Gullible(Checker):
    """Believes every shuffle: how a log with a false one could come about."""

    def shuffles(self, claims: Sequence[ShuffleClaim]) -> list[bool]:
        return [True] * len(claims)


class FalseDealer(SealedDealer):
    """Spoils the proof of its first shuffle."""

    has_cheated = False

    def fulfil(self, state: Any, dealing: SealedDealing, duty: Duty) -> Any:
        body = super().fulfil(state, dealing, duty)
        if self.has_cheated:
            return body
        message = decode(dealing.checker.group, b64decode(body["sealed"]))
        if not isinstance(message, ShuffleTurn):
            return body
        self.has_cheated = True
        proof = replace(message.proof, s1=(message.proof.s1 + 1) % L)
        return {"sealed": b64encode(encode(replace(message, proof=proof))).decode()}


class FalseAhead(SealedDealer):
    """Spoils the proofs of its shuffles of the next hand, but for the time in which it ``is_honest``."""

    is_honest = False

    def prepare(self, dealing: SealedDealing) -> dict[str, Any] | None:
        body = super().prepare(dealing)
        message = None if body is None else decode(dealing.checker.group, b64decode(body["ahead"]))
        if self.is_honest or not isinstance(message, ShuffleTurn):
            return body
        proof = replace(message.proof, s1=(message.proof.s1 + 1) % L)
        return {"ahead": b64encode(encode(replace(message, proof=proof))).decode()}


def let_cheat(net: Network, number: int) -> None:
    """Begin ``net`` anew: peer ``number`` makes a false shuffle, and everybody believes it."""
    net.checker = Gullible(StandInGroup())
    for node in net.nodes:
        if net.nodes.index(node) == number:
            node.dealer = FalseDealer(node.author, bytes([number + 1]) * 32)
        node.disk = Disk()
        node.start(net.genesis)
