"""The meld finder: every way a hand can meet a contract, best first, with wilds; further groups and hits after it.

It works on one seat's known faces and proposes; the rules judge. Cards that differ in nothing the rules look at are one
*kind*: the rank alone, and at the advanced level the face. A way lays groups of exactly the length asked for – what
could make them longer follows as hits in the same turn, so nothing is out of reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from tabletin.games.teeth_time.cards import (
    COLOUR,
    COLOURS,
    IN_HAND,
    PLACE,
    RANK,
    RANKS,
    SHORTEST,
    SUITES,
    TEETH,
    WILDS,
)
from tabletin.games.teeth_time.groups import RUN, SET, Contract, Group, NamedGroup
from tabletin.kernel.faces import Card, Face

Kind: TypeAlias = str  # a rank, or at the advanced level a face; WILD for any wild
WILD: Final[Kind] = ""

# A hand is packed into one number, six bits a kind: five for its count, and a guard bit that a borrow would clear.
_BITS: Final = 6
_UNIT: Final[dict[Kind, int]] = {kind: 1 << _BITS * at for at, kind in enumerate((WILD, *RANKS, *TEETH))}
_GUARDS: Final = sum(unit << _BITS - 1 for unit in _UNIT.values())
_POINTS: Final = {WILD: 0, **{rank: IN_HAND["r" + rank] for rank in RANKS}, **{face: IN_HAND[face] for face in TEETH}}
EXTRA: Final[Contract] = ((SET, SHORTEST), (RUN, SHORTEST))  # the shortest of either kind
_RANK_KIND: Final[dict[Face, Kind]] = {**RANK, **dict.fromkeys(WILDS, WILD)}
_FACE_KIND: Final[dict[Face, Kind]] = {**{face: face for face in TEETH}, **dict.fromkeys(WILDS, WILD)}
_BIT: Final[dict[Kind, int]] = {WILD: 0, **{kind: 1 << RANKS.index(kind[-1]) for kind in (*RANKS, *TEETH)}}  # by rank


class Holding(NamedTuple):
    """A hand sorted: ``cards_by_kind``, kind → its cards (wilds under ``WILD``); ``one_colour``: runs are of one colour."""

    cards_by_kind: dict[Kind, list[Card]]
    one_colour: bool

    @property
    def wilds(self) -> int:
        return len(self.cards_by_kind.get(WILD, ()))

    def pack(self) -> int:
        return sum(_UNIT[kind] * len(cards) for kind, cards in self.cards_by_kind.items())


class MeldPlan(NamedTuple):
    """One group that a hand could lay: a kind for each place; what it needs of the hand; how good it is."""

    kind: str
    base: str
    places: tuple[Kind, ...]
    need: int
    wilds: int
    points: int


Way: TypeAlias = tuple[MeldPlan, ...]


def sorted_hand(hand: Sequence[Card], faces: Mapping[Card, Face], *, one_colour: bool) -> Holding:
    """The tooth cards and wilds of ``hand`` by kind; other face cards meld with nothing."""
    of: dict[Kind, list[Card]] = {}
    kinds = _FACE_KIND if one_colour else _RANK_KIND
    for card in hand:
        kind = kinds.get(faces[card])
        if kind is None:
            continue
        if kind in of:
            of[kind].append(card)
        else:
            of[kind] = [card]
    return Holding(of, one_colour)


def ways(holding: Holding, contract: Contract) -> Iterator[Way]:
    """Every way to meet ``contract``, up to cards of a kind: fewest wilds first, then most points laid.

    Lazy by number of wilds, so the first ones come at once even from a rich hand.
    """
    asked = sorted(contract)
    options: list[list[MeldPlan]] = []
    for item in asked:
        found = options[-1] if options and item == asked[len(options) - 1] else sorted(pieces(holding, *item), key=_wilds_of)
        if not found:
            return
        options.append(found)
    packed = holding.pack() | _GUARDS
    for wilds in range(holding.wilds + 1):
        found_ways = list(_combined(asked, options, 0, packed, wilds, 0))
        found_ways.sort(key=_points_of, reverse=True)
        yield from found_ways


def _wilds_of(piece: MeldPlan) -> int:
    return piece.wilds


def _points_of(way: Way) -> int:
    return sum(piece.points for piece in way)


def _combined(asked: Contract | list[tuple[str, int]], options: list[list[MeldPlan]], at: int, packed: int, wilds: int,
              start: int) -> Iterator[Way]:
    """Ways for the groups from ``at`` on that use exactly ``wilds`` wilds; of equal items in one order only."""
    last = at == len(options) - 1
    pieces_here = options[at]
    same_next = not last and asked[at + 1] == asked[at]
    for number in range(start, len(pieces_here)):
        piece = pieces_here[number]
        if piece.wilds > wilds:
            return
        if last:
            if piece.wilds == wilds and (packed - piece.need) & _GUARDS == _GUARDS:
                yield (piece,)
            continue
        left = packed - piece.need
        if left & _GUARDS == _GUARDS:
            for rest in _combined(asked, options, at + 1, left, wilds - piece.wilds, number if same_next else 0):
                yield (piece, *rest)


def pieces(holding: Holding, kind: str, length: int) -> Iterator[MeldPlan]:
    """Every group of exactly ``length`` cards that the hand could lay by itself."""
    return _sets(holding, length) if kind == SET else _runs(holding, length)


@lru_cache(1 << 14)
def _piece(kind: str, base: str, places: tuple[Kind, ...]) -> MeldPlan:
    return MeldPlan(kind, base, places, sum(_UNIT[place] for place in places), places.count(WILD),
                 sum(_POINTS[place] for place in places))


def _sets(holding: Holding, length: int) -> Iterator[MeldPlan]:
    of = holding.cards_by_kind
    least = max(1, length - holding.wilds)
    if not holding.one_colour:
        for rank, cards in of.items():
            if len(cards) >= least and rank != WILD:
                for teeth in range(min(length, len(cards)), least - 1, -1):
                    yield _piece(SET, rank, (rank,) * teeth + (WILD,) * (length - teeth))
        return
    for rank in RANKS:
        kinds = [colour + rank for colour in COLOURS]
        counts = [len(of.get(kind, ())) for kind in kinds]
        for teeth in range(min(length, sum(counts)), least - 1, -1):
            for chosen in _chosen(kinds, counts, teeth):
                yield _piece(SET, rank, (*chosen, *(WILD,) * (length - teeth)))


def _chosen(kinds: list[Kind], counts: list[int], total: int) -> Iterator[tuple[Kind, ...]]:
    """Every choice of ``total`` cards out of so many of each kind."""
    if not kinds:
        if total == 0:
            yield ()
        return
    for count in range(min(counts[0], total), -1, -1):
        for rest in _chosen(kinds[1:], counts[1:], total - count):
            yield (*(kinds[0],) * count, *rest)


def _runs(holding: Holding, length: int) -> Iterator[MeldPlan]:
    of, wilds = holding.cards_by_kind, holding.wilds
    if not holding.one_colour:
        yield from _runs_of("", sum([_BIT[kind] for kind in of]), wilds, length)
        return
    for colour in COLOURS:
        yield from _runs_of(colour, sum([_BIT[kind] for kind in of if kind[:1] == colour]), wilds, length)


@lru_cache(1 << 14)
def _runs_of(colour: str, held: int, wilds: int, length: int) -> tuple[MeldPlan, ...]:
    """Runs of one colour, or "" where that does not matter; ``held``: a bit for each rank that is in the hand."""
    found = []
    for bits, ranks in _stretches(length):
        count = (held & bits).bit_count()
        spare = wilds - (length - count)
        if count and spare >= 0:
            own = [at for at, rank in enumerate(ranks) if held & _BIT[rank]]
            for replaced in range(min(spare, count - 1) + 1):
                for out in combinations(own, replaced):
                    teeth = set(own).difference(out)
                    places = tuple([colour + rank if at in teeth else WILD for at, rank in enumerate(ranks)])
                    found.append(_piece(RUN, ranks[0], places))
    return tuple(found)


@cache
def _stretches(length: int) -> tuple[tuple[int, str], ...]:
    """Every stretch of ``length`` ranks that follow each other, with a bit for each of them before it."""
    found = [suite[start:start + length] for suite in SUITES for start in range(len(suite) - length + 1)]
    return tuple((sum(_BIT[rank] for rank in ranks), ranks) for ranks in found)


def lay_out(holding: Holding, way: Way) -> tuple[NamedGroup, ...]:
    """``way`` with cards of the hand, as a move names its groups."""
    left = {kind: list(cards) for kind, cards in holding.cards_by_kind.items()}
    return tuple((piece.kind, piece.base, tuple(left[place].pop() for place in piece.places)) for piece in way)


def extra_pieces(holding: Holding) -> list[MeldPlan]:
    """Every further group of three that the hand can lay once it is down, in no order."""
    return [piece for kind, length in EXTRA for piece in pieces(holding, kind, length)]


def extra_groups(holding: Holding) -> Iterator[NamedGroup]:
    """The same with cards of the hand, fewest wilds first."""
    for piece in sorted(extra_pieces(holding), key=lambda piece: (piece.wilds, -piece.points)):
        yield lay_out(holding, (piece,))[0]


def hits(hand: Sequence[Card], faces: Mapping[Card, Face], groups: Mapping[int, Group]) -> Iterator[tuple[int, str, Card]]:
    """Every hit the hand can make: group, the rank the card is or stands for, card."""
    for card in hand:
        face = faces[card]
        own = RANK.get(face)
        if own is not None:
            for number, group in groups.items():
                if group.takes(own) and (not group.colour or group.colour == COLOUR[face]):
                    yield number, own, card
        elif face in WILDS:
            for number, group in groups.items():
                for rank in group.open_ranks():
                    yield number, rank, card


def swaps(hand: Sequence[Card], faces: Mapping[Card, Face], groups: Mapping[int, Group]) -> Iterator[tuple[int, str, Card]]:
    """Every wild the hand can take from a run: group, the rank it stands for, the tooth to put down (TT-9)."""
    runs = [(number, group) for number, group in groups.items() if group.kind == RUN]
    for card in hand:
        face = faces[card]
        own = RANK.get(face)
        if own is not None:
            for number, group in runs:
                there = group.cards[PLACE[own]] if own in group.suite else None
                if there is not None and faces[there] in WILDS and (not group.colour or group.colour == COLOUR[face]):
                    yield number, own, card
