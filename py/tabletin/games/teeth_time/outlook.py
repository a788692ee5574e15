"""How promising a hand is before it goes down: what it still lacks for its contract, and how probably that comes.

It sums over the groups a hand could grow into, each weighed by the chance that what is missing turns up. A rule of thumb for
bots and hints, from one seat's known faces; the rules never ask it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import prod
from typing import Final, NamedTuple

from tabletin.games.teeth_time.cards import COLOURS, ONE_DECK, RANK, RANKS, SUITES, WILDS
from tabletin.games.teeth_time.groups import SET, Contract
from tabletin.kernel.faces import Face

LOOKS: Final = 7.0  # cards that go by in the turns one looks ahead, by trial
SURE: Final = 0.9  # no single card is likelier than this to come
KEPT: Final = 12  # of the possible groups for each part of a contract, the most promising


class Hope(NamedTuple):
    """A group that may come about: chances of the cards it lacks, whether it has no tooth yet, the teeth it uses by rank."""

    lacking: tuple[float, ...]
    toothless: int
    uses: Mapping[str, int]


class Outlook:
    """Chances for hands of one seat at one moment. ``unseen``: the faces that may still come, counted or supposed."""

    def __init__(self, contract: Contract, unseen: Mapping[Face, int], *, one_colour: bool,
                 looks: float = LOOKS) -> None:
        self.contract = tuple(sorted(contract))
        self.one_colour = one_colour
        total = max(1, sum(unseen.values()))
        self._chance = {face: min(SURE, looks * count / total) for face, count in unseen.items()}
        by_rank: Counter[str] = Counter()
        for face, count in unseen.items():
            if face in RANK:
                by_rank[RANK[face]] += count
        self._rank_chance = {rank: min(SURE, looks * by_rank[rank] / total) for rank in RANKS}
        self._known: dict[tuple[Face, ...], float] = {}

    def promise(self, hand: Iterable[Face]) -> float:
        """How promising the faces of ``hand`` are: 1 or more once the contract can be met, else less the more it lacks."""
        teeth = sorted(face for face in hand if face in RANK or face in WILDS)
        key = tuple(teeth)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._promise(key)
        return known

    def _promise(self, hand: tuple[Face, ...]) -> float:
        counts = Counter(RANK[face] for face in hand if face in RANK)
        wilds = len(hand) - counts.total()
        faces = frozenset(hand)
        hopes: list[Hope] = [Hope((), 0, {})]
        for kind, length in self.contract:
            options = self._sets(counts, length) if kind == SET else self._runs(counts, faces, length)
            hopes = [self._joined(hope, option, counts) for hope in hopes for option in options]
            if len(self.contract) > 2:
                hopes = sorted(hopes, key=_hopefulness, reverse=True)[:KEPT * 3]
        return sum(_weight(hope, wilds) for hope in hopes)

    def _sets(self, counts: Counter[str], length: int) -> list[Hope]:
        found = []
        for rank in RANKS:
            teeth = min(length, counts[rank])
            found.append(Hope((self._rank_chance[rank],) * (length - teeth), not teeth, {rank: teeth}))
        return sorted(found, key=_hopefulness, reverse=True)[:KEPT]

    def _runs(self, counts: Counter[str], faces: frozenset[Face], length: int) -> list[Hope]:
        found = []
        for suite in SUITES:
            for start in range(len(suite) - length + 1):
                ranks = suite[start:start + length]
                for colour in COLOURS if self.one_colour else ("",):
                    if colour:
                        uses = {rank: 1 for rank in ranks if colour + rank in faces}
                        lacking = tuple(self._chance.get(colour + rank, 0.0) for rank in ranks if rank not in uses)
                    else:
                        uses = {rank: 1 for rank in ranks if counts[rank]}
                        lacking = tuple(self._rank_chance[rank] for rank in ranks if rank not in uses)
                    found.append(Hope(lacking, not uses, uses))
        return sorted(found, key=_hopefulness, reverse=True)[:KEPT]

    def _joined(self, hope: Hope, other: Hope, counts: Counter[str]) -> Hope:
        """Both groups together; a tooth that both would use is lacking once."""
        lacking = hope.lacking + other.lacking
        uses = hope.uses
        if uses:
            for rank, count in other.uses.items():
                if rank in uses:
                    short = uses[rank] + count - counts[rank]
                    if short > 0:
                        lacking += (self._rank_chance[rank],) * short
            merged = dict(uses)
            for rank, count in other.uses.items():
                merged[rank] = merged.get(rank, 0) + count
        else:
            merged = dict(other.uses)
        return Hope(lacking, hope.toothless + other.toothless, merged)


def _hopefulness(hope: Hope) -> float:
    return prod(hope.lacking)


def _weight(hope: Hope, wilds: int) -> float:
    """The chance of the hope: wilds stand in for what is least likely to come, but a group needs a tooth (TT-7)."""
    lacking = hope.lacking
    needed = max(len(lacking) - wilds, hope.toothless)
    if needed <= 0:
        return 1.0
    if needed == len(lacking):
        return prod(lacking)
    return prod(sorted(lacking)[-needed:])


def whole_deck(decks: int) -> Counter[Face]:
    """The deck counted."""
    return Counter({face: count * decks for face, count in Counter(ONE_DECK).items()})
