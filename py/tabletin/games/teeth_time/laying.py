"""What picked cards make, all of them together: the groups they could be, and the ways to meet a contract.

It works on faces that its caller knows, and proposes moves; the rules judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Final

from tabletin.games.teeth_time.cards import COLOUR, COLOURS, PLACE, RANK, RANKS, SHORTEST, SUITE, SUITES, WILDS
from tabletin.games.teeth_time.groups import SET, Contract, NamedGroup
from tabletin.kernel.faces import Card, Face

MOST_WAYS: Final = 24


def group_ways(cards: Sequence[Card], faces: Mapping[Card, Face], *, one_colour: bool) -> list[NamedGroup]:
    """Every group that takes all of ``cards``: as a set, then as runs, those that begin with a tooth first.

    Empty if they make none (TT-7). ``one_colour``: runs are of one colour.
    """
    teeth = [card for card in cards if faces[card] in RANK]
    wilds = [card for card in cards if faces[card] in WILDS]
    if len(cards) < SHORTEST or not teeth or len(teeth) + len(wilds) < len(cards):
        return []
    ranks = [RANK[faces[card]] for card in teeth]
    found: list[NamedGroup] = []
    if len(set(ranks)) == 1:
        found.append((SET, ranks[0], (*teeth, *wilds)))
    suite = SUITE[ranks[0]]
    plain = len(set(ranks)) == len(ranks) and all(rank in suite for rank in ranks)
    if plain and not (one_colour and len({COLOUR[faces[card]] for card in teeth}) > 1):
        at = {PLACE[rank]: card for rank, card in zip(ranks, teeth, strict=True)}
        low, high, count = min(at), max(at), len(cards)
        for start in range(min(low, len(suite) - count), max(0, high - count + 1) - 1, -1):
            left = iter(wilds)
            run = tuple(at[place] if place in at else next(left) for place in range(start, start + count))
            found.append(("run", suite[start], run))
    return found


def contract_ways(cards: Sequence[Card], faces: Mapping[Card, Face], contract: Contract, *,
                  one_colour: bool) -> list[tuple[NamedGroup, ...]]:
    """The ways to meet ``contract`` with exactly ``cards``, a few of them (TT-6)."""
    if any(faces[card] not in RANK and faces[card] not in WILDS for card in cards):
        return []
    asked = sorted(contract, reverse=True)  # sets first: there are fewer of them
    found: dict[tuple[tuple[str, str, int], ...], tuple[NamedGroup, ...]] = {}
    for way in islice(_ways(tuple(cards), faces, asked, one_colour), 400):
        found.setdefault(tuple(sorted((kind, base, len(group)) for kind, base, group in way)), way)
        if len(found) == MOST_WAYS:
            break
    return list(found.values())


def _ways(cards: tuple[Card, ...], faces: Mapping[Card, Face], asked: Sequence[tuple[str, int]],
          one_colour: bool) -> Iterator[tuple[NamedGroup, ...]]:
    kind, least = asked[0]
    rest = asked[1:]
    if not rest:
        if len(cards) >= least:
            for group in group_ways(cards, faces, one_colour=one_colour):
                if group[0] == kind:
                    yield (group,)
        return
    most = len(cards) - sum(length for _, length in rest)
    parts = _sets(cards, faces, least, most) if kind == SET else _runs(cards, faces, least, most, one_colour)
    for part in parts:
        left = tuple(card for card in cards if card not in part[2])
        for others in _ways(left, faces, rest, one_colour):
            yield (part, *others)


def _sets(cards: Sequence[Card], faces: Mapping[Card, Face], least: int, most: int) -> Iterator[NamedGroup]:
    """The sets of ``least`` to ``most`` of ``cards``, those with most teeth first."""
    wilds = [card for card in cards if faces[card] in WILDS]
    for rank in RANKS:
        teeth = [card for card in cards if RANK.get(faces[card]) == rank]
        for count in range(len(teeth), 0, -1):
            for chosen in combinations(teeth, count):
                for extra in range(max(0, least - count), min(len(wilds), most - count) + 1):
                    yield (SET, rank, (*chosen, *wilds[:extra]))


def _runs(cards: Sequence[Card], faces: Mapping[Card, Face], least: int, most: int,
          one_colour: bool) -> Iterator[NamedGroup]:
    """The runs of ``least`` to ``most`` of ``cards``, a wild only where no tooth is at hand."""
    wilds = [card for card in cards if faces[card] in WILDS]
    for colour in COLOURS if one_colour else ("",):
        of = {RANK[faces[card]]: card for card in cards
              if faces[card] in RANK and (not colour or COLOUR[faces[card]] == colour)}
        for suite in SUITES:
            for length in range(min(most, len(suite)), least - 1, -1):
                for start in range(len(suite) - length + 1):
                    ranks = suite[start:start + length]
                    gaps = sum(rank not in of for rank in ranks)
                    if gaps <= len(wilds) and gaps < length:
                        spare = iter(wilds)
                        yield ("run", ranks[0], tuple(of[rank] if rank in of else next(spare) for rank in ranks))
