"""Results of a family league for tests: devices with real keys, matches that they say they played, texts kept in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from tabletin.kernel.setup import Seat
from tabletin.peers.identity import Ed25519, Ed25519Verifier
from tabletin.peers.league.result import LeagueResult
from tabletin.peers.league.signed_result import ResultSignature, SignedResult, signed_bytes
from tests.support.examples import ONE_DEAL, short

DAY: Final = "2026-11-23"
VERIFIER: Final = Ed25519Verifier()
KEYS: Final = {name: Ed25519(bytes([number]) * 32) for number, name in enumerate(("Ada", "Bo", "Cleo", "Dan"), 1)}
"""Devices, by the name of their person. They have the numbers 1, 2, …, as those of ``worker_here``."""


def author(name: str) -> str:
    return KEYS[name].author


def result(*names: str, match: str = "a match", scores: Iterable[int] | None = None, winners: Iterable[int] = (0,),
           bots: int = 0) -> LeagueResult:
    """A match of the people ``names`` that the first of them won; ``bots`` play at the first one's device."""
    names = names or ("Ada", "Bo")
    people = [Seat("person", author(name), name, "", "red") for name in names]
    others = [Seat("bot", author(names[0]), f"Bot {number}", "easy", "blue") for number in range(bots)]
    seats = (*people, *others)
    counted = tuple(scores) if scores is not None else tuple(range(len(seats) * 10, 0, -10))
    return LeagueResult(digest(match), digest(f"{match}, its end"), ONE_DEAL, 1, short(ONE_DEAL), seats, counted,
                       tuple(winners))


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def signed(of: LeagueResult, *names: str, day: str = DAY) -> SignedResult:
    """``of``, signed by ``names``; by all of its people where nobody is named."""
    by_author = {key.author: key for key in KEYS.values()}
    signers = [author(name) for name in names] if names else list(of.signers)
    return SignedResult(of, {one: ResultSignature(day, by_author[one].sign(signed_bytes(of.hash, day))) for one in signers})


def with_result(one: SignedResult, **changes: Any) -> SignedResult:
    """The same signatures under another result."""
    return replace(one, result=replace(one.result, **changes))


class TextsHere:
    """Small texts in memory, as a page keeps them."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        self.texts = dict(texts or {})

    def keep(self, key: str, text: str | None) -> None:
        if text is None:
            self.texts.pop(key, None)
        else:
            self.texts[key] = text

    def recall(self, key: str) -> str | None:
        return self.texts.get(key)

    async def keep_at_once(self, key: str, text: str | None) -> None:
        self.keep(key, text)

    async def swap_at_once(self, key: str, before: str | None, text: str | None) -> bool:
        if self.recall(key) != before:
            return False
        await self.keep_at_once(key, text)
        return True

    async def recall_at_once(self, key: str) -> str | None:
        return self.recall(key)
