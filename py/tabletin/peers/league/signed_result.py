"""A result and who has signed it. A signature says: this device's own replica of the match came to this very end, on this day.

The signatures of two copies are joined: of one signer the earliest counts. Signatures that do not hold must never be joined in;
``false_signers`` finds them, and whoever takes results in asks it first. It never signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from tabletin.kernel.log import Hash, Json, canonical, digest
from tabletin.kernel.schema import Malformed
from tabletin.peers.identity import SIGNATURE_DIGITS, Verifier, digits
from tabletin.peers.league.result import LeagueResult

MARK: Final = b"tabletin result\n"  # before what is signed, so that it can never be a statement, a place or a greeting
DAY: Final = re.compile(r"20\d\d-\d\d-\d\d", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class ResultSignature:
    """``signature`` (hexadecimal) over a result and the ``day``, "2026-11-23", on which its device made it."""

    day: str
    signature: str


@dataclass(frozen=True, slots=True)
class SignedResult:
    """``result``, and the signatures that there are, by author; all of them of its ``signers``."""

    result: LeagueResult
    signatures: Mapping[str, ResultSignature]

    @property
    def missing_signers(self) -> tuple[str, ...]:
        return tuple(author for author in self.result.signers if author not in self.signatures)

    @property
    def is_complete(self) -> bool:
        """Whether everybody has signed. Only such a result counts."""
        return not self.missing_signers

    @property
    def day(self) -> str:
        """The day on which the last of them signed. So nobody alone can date it back."""
        return max(one.day for one in self.signatures.values())

    @property
    def marks(self) -> int:
        """Who has signed, as a number: bit n is the n-th of the signers."""
        return sum(1 << number for number, author in enumerate(self.result.signers) if author in self.signatures)

    def merge(self, other: SignedResult) -> SignedResult:
        """With the signatures of ``other``, which is of the same result; of one signer the earliest."""
        assert self.result.hash == other.result.hash
        joined = {author: min(one for one in (self.signatures.get(author), other.signatures.get(author)) if one is not None)
                  for author in self.result.signers if author in self.signatures or author in other.signatures}
        return SignedResult(self.result, joined)

    def false_signers(self, verifier: Verifier) -> tuple[str, ...]:
        """The signers whose signatures do not hold."""
        return tuple(author for author, one in self.signatures.items()
                     if not verifier.verify(author, signed_bytes(self.result.hash, one.day), one.signature))

    def to_json(self) -> dict[str, Json]:
        return {"result": self.result.to_json(),
                "signatures": {author: [one.day, one.signature] for author, one in self.signatures.items()}}

    @classmethod
    def from_json(cls, data: Json) -> SignedResult:
        """Raises ``Malformed``. The signatures are not checked."""
        if type(data) is not dict or data.keys() != {"result", "signatures"}:
            raise Malformed("expected a result with signatures")
        result, found = LeagueResult.from_json(data["result"]), data["signatures"]
        if type(found) is not dict or not found or not set(found) <= set(result.signers):
            raise Malformed("signatures: expected some of those who played")
        return cls(result, {author: _signature(found[author]) for author in result.signers if author in found})


def read_results(data: Iterable[Json]) -> tuple[tuple[SignedResult, ...], tuple[Hash, ...]]:
    """The results in ``data``, and the hashes of those that cannot be read: one of these takes none of the others with it."""
    results: list[SignedResult] = []
    unreadable: list[Hash] = []
    for one in data:
        try:
            results.append(SignedResult.from_json(one))
        except Malformed:
            unreadable.append(digest(one.get("result") if type(one) is dict else one))
    return tuple(results), tuple(unreadable)


def signed_bytes(result: Hash, day: str) -> bytes:
    """What a signature under the result of hash ``result`` is over."""
    return MARK + canonical({"day": day, "result": result})


def check_day(day: str) -> str:
    """``day``, if there is such a day. Raises ``Malformed``."""
    try:
        if DAY.fullmatch(day) is not None and date.fromisoformat(day):
            return day
    except ValueError:
        pass
    raise Malformed("expected a day")


def _signature(data: Json) -> ResultSignature:
    if type(data) is not list or len(data) != 2 or not all(type(one) is str for one in data):
        raise Malformed("expected a day and a signature")
    day, signature = data
    if digits(signature, SIGNATURE_DIGITS) is None:
        raise Malformed("expected a signature")
    return ResultSignature(check_day(day), signature)
