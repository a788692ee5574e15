"""Picking cards up and laying them: what a choice of hand cards can be as one group, or as all that the contract asks for.

For pages, where a person picks cards and the wilds find their places, and for whoever wants longer groups than the finder's
shortest. It proposes from known faces; the rules judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from tabletin.kernel.faces import Card, Face

from .cards import COLOUR, PLACE, RANK, RANKS, SHORTEST, SUITE, WILDS
from .groups import RUN, SET, Contract, Laid, laid_refusal
from .melds import laid, sorted_hand, ways

Situation: TypeAlias = tuple[tuple[tuple[str, str, int], ...], tuple[Face, ...]]  # how the groups stand, faces left over


def readings(cards: Sequence[Card], faces: Mapping[Card, Face], *, one_colour: bool) -> list[Laid]:
    """Every group that exactly ``cards`` make: as a set, and as a run from each first rank it could have (TT-7).

    Wilds fill the gaps of a run first; those left over stand before or after it, which is what the readings differ in.
    """
    teeth = [card for card in cards if faces[card] in RANK]
    wilds = [card for card in cards if faces[card] in WILDS]
    if len(cards) < SHORTEST or len(teeth) + len(wilds) < len(cards) or not teeth:
        return []
    found: list[Laid] = []
    rank = RANK[faces[teeth[0]]]
    if all(RANK[faces[card]] == rank for card in teeth):
        found.append((SET, rank, (*teeth, *wilds)))
    by_place = {PLACE[RANK[faces[card]]]: card for card in teeth}
    suite = SUITE[rank]
    if len(by_place) == len(teeth) and all(RANK[faces[card]] in suite for card in teeth):
        for start in range(len(suite) - len(cards) + 1):
            places = range(start, start + len(cards))
            if by_place.keys() <= set(places):
                spare = iter(wilds)
                group = (RUN, suite[start], tuple(by_place[at] if at in by_place else next(spare) for at in places))
                if laid_refusal(group, faces, one_colour=one_colour) is None:
                    found.append(group)
    return found


def arranged(cards: Sequence[Card], faces: Mapping[Card, Face], contract: Contract, *,
             one_colour: bool) -> tuple[Laid, ...] | None:
    """``cards``, all of them, as the groups that ``contract`` asks for, or None if they are not that (TT-6)."""
    holding = sorted_hand(cards, faces, one_colour=one_colour)
    if sum(map(len, holding.of.values())) < len(cards):
        return None
    failed: set[Situation] = set()
    for way in ways(holding, contract):
        groups = laid(holding, way)
        used = {card for group in groups for card in group[2]}
        whole = _with_all(groups, [card for card in cards if card not in used], faces, failed, one_colour=one_colour)
        if whole is not None:
            return whole
    return None


def _with_all(groups: tuple[Laid, ...], left: list[Card], faces: Mapping[Card, Face], failed: set[Situation], *,
              one_colour: bool) -> tuple[Laid, ...] | None:
    """``groups`` lengthened by every card of ``left``, or None. ``failed``: situations that led nowhere."""
    if not left:
        return groups
    shapes = tuple((f"{kind} {_colour(cards, faces) if one_colour else ''}", base, len(cards)) for kind, base, cards in groups)
    situation = (shapes, tuple(sorted(faces[card] for card in left)))
    if situation in failed:
        return None
    failed.add(situation)
    for card in left:
        for at, group in enumerate(groups):
            for longer in _longer(group, card):
                if laid_refusal(longer, faces, one_colour=one_colour) is None:
                    whole = _with_all((*groups[:at], longer, *groups[at + 1:]), [other for other in left if other != card],
                                      faces, failed, one_colour=one_colour)
                    if whole is not None:
                        return whole
    return None


def _colour(cards: Sequence[Card], faces: Mapping[Card, Face]) -> str:
    """The colour of the first tooth."""
    return next(COLOUR[faces[card]] for card in cards if faces[card] in COLOUR)


def _longer(group: Laid, card: Card) -> Iterator[Laid]:
    """``group`` with ``card`` at either end."""
    kind, base, cards = group
    if kind == SET:
        yield SET, base, (*cards, card)
        return
    yield RUN, base, (*cards, card)
    if PLACE[base]:
        yield RUN, SUITE[base][PLACE[base] - 1], (card, *cards)


def sorted_for_reading(cards: Sequence[Card], faces: Mapping[Card, Face]) -> tuple[Card, ...]:
    """A hand in the order people hold it: letters, numbers, then wilds and the other face cards; unknown cards last."""
    order = {rank: at for at, rank in enumerate(RANKS)}

    def place(card: Card) -> tuple[int, int, str]:
        if card not in faces:
            return 3, 0, ""
        face = faces[card]
        if face in RANK:
            return 0, order[RANK[face]], COLOUR[face]
        return (1 if face in WILDS else 2), 0, face

    return tuple(sorted(cards, key=place))
