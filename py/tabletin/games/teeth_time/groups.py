"""Sets and runs on the field: what a group is, whether cards make one, what may be added to it or taken from it.

It judges faces that are open already, and knows neither turns nor seats. A group is an immutable value, so that states copy fast.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from tabletin.games.teeth_time.cards import COLOUR, PLACE, RANK, SUITE, WILDS
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.options import Refusal

SET: Final = "set"
RUN: Final = "run"
Contract: TypeAlias = tuple[tuple[str, int], ...]  # (kind, least number of cards), one entry a group
NamedGroup: TypeAlias = tuple[str, str, tuple[Card, ...]]  # as a move names a group: kind, rank (a run: of its first card), cards


class Group(NamedTuple):
    """A set or run on the field.

    ``rank``: of a set; of a run "". ``suite``: the ranks a run can have ("ABCDE" or "12345678"); of a set the suite of its
    rank. ``colour``: of a run at the advanced level, else "". ``cards``: of a set in any order; of a run one entry a place,
    None where no card lies. ``owner``: the seat that laid it.
    """

    kind: str
    rank: str
    suite: str
    colour: str
    cards: tuple[Card | None, ...]
    owner: int

    @property
    def cards_held(self) -> tuple[Card, ...]:
        """The cards of the group, in order."""
        return tuple(card for card in self.cards if card is not None)

    def open_ranks(self) -> str:
        """Ranks with which the group may be hit: a set's own; a run's free places next to a card that is left (TT-13)."""
        if self.kind == SET:
            return self.rank
        cards = self.cards
        last = len(cards) - 1
        return "".join(rank for place, rank in enumerate(self.suite) if cards[place] is None
                       and ((place > 0 and cards[place - 1] is not None) or (place < last and cards[place + 1] is not None)))

    def takes(self, rank: str) -> bool:
        """Whether ``rank`` is one of ``open_ranks``."""
        if self.kind == SET:
            return rank == self.rank
        if rank not in self.suite:
            return False
        place, cards = PLACE[rank], self.cards
        return cards[place] is None and ((place > 0 and cards[place - 1] is not None)
                                         or (place + 1 < len(cards) and cards[place + 1] is not None))

    def with_card(self, rank: str, card: Card) -> Group:
        """The group with ``card`` added as ``rank`` (in a run: at that place, in place of whatever lies there)."""
        if self.kind == SET:
            return self._replace(cards=(*self.cards, card))
        place = PLACE[rank]
        return self._replace(cards=(*self.cards[:place], card, *self.cards[place + 1:]))

    def without_cards(self, cards: frozenset[Card] | set[Card]) -> Group | None:
        """What is left when ``cards`` are gone, in rank, place and colour as before (TT-13); None if nothing is."""
        if self.kind == SET:
            left: tuple[Card | None, ...] = tuple(card for card in self.cards if card not in cards)
        else:
            left = tuple(None if card in cards else card for card in self.cards)
        return self._replace(cards=left) if any(card is not None for card in left) else None


def laid_refusal(laid: NamedGroup, faces: Mapping[Card, Face], *, one_colour: bool) -> Refusal | None:
    """Why these cards make no such group (TT-7), or None. ``one_colour``: runs are of one colour (advanced)."""
    kind, base, cards = laid
    shown = [faces[card] for card in cards]
    teeth = 0
    for face in shown:
        if face in RANK:
            teeth += 1
        elif face not in WILDS:
            return Refusal("teeth_time.refuse.no_tooth_card", rule="TT-7")
    if kind == SET:
        if any(RANK.get(face, base) != base for face in shown):
            return Refusal("teeth_time.refuse.set_rank", {"rank": base}, rule="TT-7")
    else:
        suite, start = SUITE[base], PLACE[base]
        if start + len(cards) > len(suite):
            return Refusal("teeth_time.refuse.run_bounds", {"first": suite[0], "last": suite[-1]}, rule="TT-7")
        if any(RANK.get(face, suite[start + place]) != suite[start + place] for place, face in enumerate(shown)):
            return Refusal("teeth_time.refuse.run_order", rule="TT-7")
        if one_colour and len({COLOUR[face] for face in shown if face in COLOUR}) > 1:
            return Refusal("teeth_time.refuse.run_colour", rule="TT-7")
    if not teeth:
        return Refusal("teeth_time.refuse.all_wild", rule="TT-7")
    return None


def group_of(laid: NamedGroup, faces: Mapping[Card, Face], owner: int, *, one_colour: bool) -> Group:
    """The group that ``laid`` (which makes one) becomes on the field."""
    kind, base, cards = laid
    suite = SUITE[base]
    if kind == SET:
        return Group(SET, base, suite, "", cards, owner)
    start = PLACE[base]
    colour = next(COLOUR[faces[card]] for card in cards if faces[card] in COLOUR) if one_colour else ""
    places: tuple[Card | None, ...] = (*(None,) * start, *cards, *(None,) * (len(suite) - start - len(cards)))
    return Group(RUN, "", suite, colour, places, owner)


def meets(contract: Contract, laid: Sequence[NamedGroup]) -> bool:
    """Whether these are exactly the contract's groups, in any order, each as long as one likes (TT-6)."""
    if len(laid) != len(contract):
        return False
    for kind in (SET, RUN):
        asked = sorted(least for k, least in contract if k == kind)
        lengths = sorted(len(cards) for k, _, cards in laid if k == kind)
        if len(asked) != len(lengths) or any(length < least for length, least in zip(lengths, asked, strict=True)):
            return False
    return True


def hit_refusal(group: Group, rank: str, face: Face) -> Refusal | None:
    """Why a card showing ``face`` cannot be added to ``group`` as ``rank`` (TT-7, TT-13), or None."""
    own = RANK.get(face)
    if own is None and face not in WILDS:
        return Refusal("teeth_time.refuse.no_tooth_card", rule="TT-7")
    if own is not None and own != rank:
        return Refusal("teeth_time.refuse.hit_rank", {"rank": rank}, rule="TT-7")
    if not group.takes(rank):
        if group.kind == SET:
            return Refusal("teeth_time.refuse.set_rank", {"rank": group.rank}, rule="TT-7")
        return Refusal("teeth_time.refuse.hit_place", {"rank": rank}, rule="TT-7")
    if own is not None and group.colour and COLOUR[face] != group.colour:
        return Refusal("teeth_time.refuse.run_colour", rule="TT-7")
    return None


def swap_refusal(group: Group, rank: str, face: Face, faces: Mapping[Card, Face]) -> Refusal | None:
    """Why ``face`` cannot take the place of a wild standing for ``rank`` in ``group`` (TT-9), or None."""
    if group.kind == SET:
        return Refusal("teeth_time.refuse.wild_in_set", rule="TT-9")
    there = group.cards[PLACE[rank]] if rank in group.suite else None
    if there is None or faces[there] not in WILDS:
        return Refusal("teeth_time.refuse.no_wild_there", rule="TT-9")
    if RANK.get(face) != rank or (group.colour and COLOUR[face] != group.colour):
        return Refusal("teeth_time.refuse.not_the_tooth", {"rank": rank}, rule="TT-9")
    return None
