"""Sorts a hand: cards that serve the contract together, or could be laid together, stand side by side.

It takes one seat's known faces and returns cards in groups. It draws nothing and decides nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from tabletin.games.teeth_time.cards import COLOUR, COLOURS, FACE_CARDS, RANK, RANKS, SUITES, WILDS
from tabletin.games.teeth_time.groups import RUN, SET, Contract, Group, NamedGroup
from tabletin.games.teeth_time.layoff import Field, best_way, lay_off
from tabletin.games.teeth_time.melds import hits, sorted_hand, swaps
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.schema import Move

WAYS_WEIGHED: Final = 12
KEPT: Final = 9  # possible groups for each part of a contract, those with most cards

_SUIT_ORDER: Final = {rank: at for at, rank in enumerate(RANKS)}
_FACE_ORDER: Final = {face: at for at, face in enumerate(FACE_CARDS)}


class HandGroup(NamedTuple):
    """One group that comes together: its contract entry, the cards that are there, the faces' ranks wanted in order.

    ``slots``: for each place the card there or None; ``ranks``: the rank each place stands for.
    """

    kind: str
    minimum: int
    slots: tuple[Card | None, ...]
    ranks: tuple[str, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(card for card in self.slots if card is not None)

    @property
    def full(self) -> bool:
        return all(card is not None for card in self.slots)


class Order(NamedTuple):
    """A hand in order: ``parts`` first, then ``teeth`` by rank, wilds, ``specials``.

    ``way_down``: the best way of going down, if there is one. ``moves``: what could be laid now, in order, once down.
    ``fits``: the cards that could be laid by themselves.
    """

    parts: tuple[HandGroup, ...]
    teeth: tuple[Card, ...]
    wilds: tuple[Card, ...]
    specials: tuple[Card, ...]
    way_down: tuple[NamedGroup, ...] | None
    moves: tuple[Move, ...]
    fits: frozenset[Card]

    def groups(self) -> list[tuple[Card, ...]]:
        """The cards as they stand beside each other."""
        return [group for group in (*(part.cards for part in self.parts), self.teeth, self.wilds, self.specials)
                if group]


class Terms(NamedTuple):
    """What laying is judged by here: the level, the contract, whether the seat is down, the field."""

    contract: Contract
    down: bool
    one_colour: bool
    takes_wilds: bool
    groups: tuple[tuple[int, Group], ...]
    public: tuple[tuple[Card, Face], ...]
    next_group: int


@lru_cache(maxsize=64)
def in_order(hand: tuple[tuple[Card, Face], ...], terms: Terms) -> Order:
    """``hand`` (card and face each) in order."""
    faces: dict[Card, Face] = {**dict(terms.public), **dict(hand)}
    cards = tuple(card for card, _ in hand)
    groups = dict(terms.groups)
    field = Field(groups, terms.next_group, faces, one_colour=terms.one_colour, takes_wilds=terms.takes_wilds)
    down: tuple[NamedGroup, ...] | None = None
    moves: tuple[Move, ...] = ()
    fits: frozenset[Card] = frozenset()
    if terms.down:
        plan = lay_off(cards, field)
        moves = tuple(plan.moves)
        laid = [HandGroup(move[1], 0, move[3], ()) for move in moves if move[0] == "group" and set(move[3]) <= set(cards)]
        parts = tuple(laid)
        fitting = {card for _, _, card in hits(cards, faces, groups)}
        if terms.takes_wilds:
            fitting |= {card for _, _, card in swaps(cards, faces, groups)}
        fits = frozenset(fitting).union(*(part.cards for part in parts))
    else:
        holding = sorted_hand(cards, faces, one_colour=terms.one_colour)
        best = best_way(cards, holding, terms.contract, field, most=WAYS_WEIGHED)
        if best is not None:
            down = best[0]
            fits = frozenset(card for group in down for card in group[2])
            parts = tuple(_as_part(group, least) for group, (_, least) in _matched(down, terms.contract))
        else:
            parts = gathering(cards, faces, terms.contract, one_colour=terms.one_colour)
    used = {card for part in parts for card in part.cards}
    rest = [card for card in cards if card not in used]
    return Order(parts, tuple(sorted((c for c in rest if faces[c] in RANK), key=lambda c: _by_rank(faces[c]))),
                 tuple(card for card in rest if faces[card] in WILDS),
                 tuple(sorted((c for c in rest if faces[c] in FACE_CARDS and faces[c] not in WILDS),
                              key=lambda c: (_FACE_ORDER[faces[c]], c))), down, moves, fits)


def _by_rank(face: Face) -> tuple[int, str]:
    return _SUIT_ORDER[RANK[face]], COLOUR[face]


def _matched(laid: tuple[NamedGroup, ...], contract: Contract) -> list[tuple[NamedGroup, tuple[str, int]]]:
    """Each group with the contract's entry that it meets, in the contract's order."""
    left = list(laid)
    found = []
    for kind, least in contract:
        group = next(group for group in left if group[0] == kind and len(group[2]) >= least)
        left.remove(group)
        found.append((group, (kind, least)))
    return found


def _as_part(laid: NamedGroup, least: int) -> HandGroup:
    kind, base, cards = laid
    if kind == SET:
        return HandGroup(kind, least, cards, (base,) * len(cards))
    suite = next(suite for suite in SUITES if base in suite)
    start = suite.index(base)
    return HandGroup(kind, least, cards, tuple(suite[start:start + len(cards)]))


def gathering(cards: Sequence[Card], faces: Mapping[Card, Face], contract: Contract, *,
              one_colour: bool) -> tuple[HandGroup, ...]:
    """What of ``cards`` comes closest to ``contract``: one part an entry, as many teeth as can be, then wilds."""
    of: dict[Face, list[Card]] = {}
    for card in cards:
        if faces[card] in RANK:
            of.setdefault(faces[card], []).append(card)
    counts = Counter({face: len(held) for face, held in of.items()})
    options = [_hopes(counts, kind, least, one_colour)[:KEPT if len(contract) < 3 else 5] for kind, least in contract]
    best = max(product(*options), key=lambda chosen: _teeth_in(chosen, counts))
    left = {face: list(held) for face, held in of.items()}
    wilds = [card for card in cards if faces[card] in WILDS]
    parts = []
    for (kind, least), (ranks, colour) in zip(contract, best, strict=True):
        slots: list[Card | None] = []
        for rank in ranks:
            face = next((c + rank for c in ([colour] if colour else COLOURS) if left.get(c + rank)), None)
            slots.append(left[face].pop() if face else None)
        if kind == SET:
            slots.sort(key=lambda card: card is None)
        parts.append((kind, least, slots, ranks))
    for _, _, slots, _ in sorted(parts, key=lambda part: sum(card is None for card in part[2])):
        empty = [place for place, card in enumerate(slots) if card is None]
        if len(empty) < len(slots):  # a group needs a tooth
            for place, wild in zip(empty, wilds, strict=False):
                slots[place] = wild
            del wilds[:len(empty)]
    return tuple(HandGroup(kind, least, tuple(slots), ranks) for kind, least, slots, ranks in parts)


def _hopes(counts: Counter[Face], kind: str, least: int, one_colour: bool) -> list[tuple[tuple[str, ...], str]]:
    """Groups a hand could grow into, as ranks and colour, those with most teeth first."""
    by_rank = Counter[str]()
    for face, count in counts.items():
        by_rank[RANK[face]] += count
    if kind == SET:
        return [((rank,) * max(least, by_rank[rank]), "") for rank in sorted(RANKS, key=lambda r: -by_rank[r])]
    assert kind == RUN
    found: list[tuple[int, tuple[str, ...], str]] = []
    for colour in COLOURS if one_colour else ("",):
        for suite in SUITES:
            for start in range(len(suite) - least + 1):
                ranks = tuple(suite[start:start + least])
                held = sum(bool(counts[colour + rank] if colour else by_rank[rank]) for rank in ranks)
                found.append((held, ranks, colour))
    found.sort(key=lambda option: -option[0])
    return [(ranks, colour) for _, ranks, colour in found]


def _teeth_in(chosen: Sequence[tuple[tuple[str, ...], str]], counts: Counter[Face]) -> tuple[int, int]:
    """How many teeth these groups would hold together, none twice; and how many of the fullest."""
    left = Counter(counts)
    held = []
    for ranks, colour in chosen:
        here = 0
        for rank in ranks:
            for face in [colour + rank] if colour else [c + rank for c in COLOURS]:
                if left[face]:
                    left[face] -= 1
                    here += 1
                    break
        held.append(here)
    return sum(held), max(held)
