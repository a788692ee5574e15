"""All results that a device knows: a set that only grows, by hash, with the signatures of each joined.

Merging is commutative, associative and idempotent, so it does not matter who met whom in which order. Only results whose
signatures were checked may come in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tabletin.kernel.log import Hash
from tabletin.peers.league.signed_result import SignedResult


@dataclass(frozen=True, slots=True)
class ResultCollection:
    """``results``: by hash."""

    results: Mapping[Hash, SignedResult] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def from_results(cls, results: Iterable[SignedResult]) -> ResultCollection:
        joined: dict[Hash, SignedResult] = {}
        for one in results:
            known = joined.get(one.result.hash)
            joined[one.result.hash] = one if known is None else known.merge(one)
        return cls(joined)

    def __iter__(self) -> Iterator[SignedResult]:
        return iter(self.results.values())

    def __len__(self) -> int:
        return len(self.results)

    def find(self, name: Hash) -> SignedResult | None:
        return self.results.get(name)

    def merge(self, other: Iterable[SignedResult]) -> ResultCollection:
        return ResultCollection.from_results([*self, *other])

    def news_for(self, before: ResultCollection) -> tuple[SignedResult, ...]:
        """What is here and was not in ``before``, or with fewer signatures."""
        return tuple(one for name, one in self.results.items() if before.results.get(name) != one)

    def newest(self, most: int, rank: Callable[[SignedResult], int], known: Collection[str] = ()) -> ResultCollection:
        """At most ``most`` of them: those of the highest ``rank``; of one rank as many of each signer, and of those the ones of
        the latest days. So a few signers with many results push out few of others, whichever of their keys sign together. Where
        some of the signers are ``known``, these alone take turns: anybody has as many other keys as it likes."""
        if len(self) <= most:
            return self
        turns: Counter[str] = Counter()
        ordered: list[tuple[int, int, SignedResult]] = []
        for one in sorted(self, key=lambda one: (one.day, one.result.hash), reverse=True):
            taking = [signer for signer in one.result.signers if signer in known] or one.result.signers
            ordered.append((-rank(one), min(turns[signer] for signer in taking), one))
            turns.update(taking)
        best = sorted(ordered, key=lambda placed: placed[:2])[:most]
        return ResultCollection.from_results(one for _, _, one in best)
