"""Laying off: which cards of a hand that is down can be laid, as a sequence of moves, and which stay stuck.

Greedy and quick, for bots and hints, from one seat's known faces: natural groups, hits, taking wilds, then wilds where they
free the most. It proposes legal moves; the rules judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tabletin.games.teeth_time.cards import COLOUR, IN_HAND, PLACE, RANK, SHORTEST, SUITE, WILDS
from tabletin.games.teeth_time.groups import RUN, SET, Group, NamedGroup, group_of
from tabletin.games.teeth_time.melds import Holding, Way, extra_groups, lay_out, sorted_hand, swaps, ways
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.schema import Move

WAYS_WEIGHED: Final = 40  # of going down, at most


@dataclass(slots=True)
class Layoff:
    """``moves`` in order; ``stuck_cards``: teeth that fit nowhere; ``wilds``: still in hand, each of which could be laid."""

    moves: list[Move] = field(default_factory=list)
    stuck_cards: list[Card] = field(default_factory=list)
    wilds: list[Card] = field(default_factory=list)
    points: int = 0  # of what is stuck

    @property
    def stuck_count(self) -> int:
        return len(self.stuck_cards)


class Field:
    """The groups as they would be after moves tried in thought."""

    def __init__(self, groups: Mapping[int, Group], next_group: int, faces: Mapping[Card, Face], *, one_colour: bool,
                 takes_wilds: bool) -> None:
        self.groups = dict(groups)
        self.next_group = next_group
        self.faces = faces
        self.one_colour = one_colour
        self.takes_wilds = takes_wilds
        self._open = {number: (group.open_ranks(), group.colour) for number, group in self.groups.items()}

    def copy(self) -> Field:
        other = Field.__new__(Field)
        other.groups, other.next_group, other.faces = self.groups.copy(), self.next_group, self.faces
        other.one_colour, other.takes_wilds, other._open = self.one_colour, self.takes_wilds, self._open.copy()
        return other

    def _put(self, number: int, group: Group) -> None:
        self.groups[number] = group
        self._open[number] = (group.open_ranks(), group.colour)

    def lay(self, group: NamedGroup) -> Move:
        self._put(self.next_group, group_of(group, self.faces, 0, one_colour=self.one_colour))
        self.next_group += 1
        return ("group", *group)

    def hit(self, number: int, rank: str, card: Card) -> Move:
        self._put(number, self.groups[number].with_card(rank, card))
        return ("hit", number, rank, card)

    def swap(self, number: int, rank: str, card: Card) -> tuple[Move, Card]:
        wild = self.groups[number].cards[PLACE[rank]]
        assert wild is not None
        self._put(number, self.groups[number].with_card(rank, card))
        return ("swap", number, rank, card), wild

    def place_for(self, card: Card, mates: Iterable[Card]) -> tuple[int, str] | None:
        """Where the tooth ``card`` fits: on a run if a mate could follow there, else on a set, else on any run."""
        face = self.faces[card]
        rank, colour = RANK[face], COLOUR[face]
        best: tuple[int, str] | None = None
        for number, (ranks, group_colour) in self._open.items():
            if rank in ranks and (not group_colour or group_colour == colour):
                group = self.groups[number]
                if group.kind == SET:
                    best = (number, rank)
                elif any(_next_to(RANK[self.faces[mate]], rank) and (not colour or not group_colour
                                                                    or COLOUR[self.faces[mate]] == group_colour)
                         for mate in mates if mate != card):
                    return number, rank
                elif best is None:
                    best = (number, rank)
        return best

    def wild_places(self) -> Iterable[tuple[int, str]]:
        """Everywhere a wild can be laid, sets first (there it opens nothing to others)."""
        for kind in (SET, RUN):
            for number, (ranks, _) in self._open.items():
                if self.groups[number].kind == kind:
                    for rank in ranks:
                        yield number, rank

    def bridge(self, stuck: list[Card]) -> tuple[int, str] | None:
        """A run place for a wild that lets the dearest stuck tooth follow."""
        best: tuple[int, str] | None = None
        worth = 0
        for number, (ranks, colour) in self._open.items():
            if self.groups[number].kind == SET:
                continue
            for rank in ranks:
                gain = sum(IN_HAND[self.faces[card]] for card in stuck if _next_to(RANK[self.faces[card]], rank)
                           and (not colour or COLOUR[self.faces[card]] == colour)
                           and RANK[self.faces[card]] not in self._taken(number))
                if gain > worth:
                    best, worth = (number, rank), gain
        return best

    def _taken(self, number: int) -> str:
        group = self.groups[number]
        return "".join(rank for rank, card in zip(group.suite, group.cards, strict=True) if card is not None)


def _next_to(rank: str, other: str) -> bool:
    return SUITE[rank] is SUITE[other] and abs(PLACE[rank] - PLACE[other]) == 1


def lay_off(hand: Iterable[Card], table: Field) -> Layoff:
    """The better of laying groups first and hitting first."""
    cards = [card for card in hand if table.faces[card] in RANK or table.faces[card] in WILDS]
    if not table.groups and len(cards) < SHORTEST:
        return _finished(Layoff(stuck_cards=[c for c in cards if table.faces[c] in RANK],
                                wilds=[c for c in cards if table.faces[c] in WILDS]), table)
    first = _tried(cards, table.copy(), groups_first=True)
    if not first.stuck_cards:
        return first
    second = _tried(cards, table.copy(), groups_first=False)
    return second if (second.points, -len(second.wilds)) < (first.points, -len(first.wilds)) else first


def _tried(cards: list[Card], table: Field, *, groups_first: bool) -> Layoff:
    faces = table.faces
    found = Layoff(stuck_cards=[c for c in cards if faces[c] in RANK], wilds=[c for c in cards if faces[c] in WILDS])
    if groups_first:
        _natural_groups(found, table)
    while _hits(found, table) or _natural_groups(found, table) or (table.takes_wilds and _swap(found, table)) \
            or _use_wild(found, table):
        pass
    return _finished(found, table)


def _finished(found: Layoff, table: Field) -> Layoff:
    found.points = sum(IN_HAND[table.faces[card]] for card in found.stuck_cards)
    return found


def _hits(found: Layoff, table: Field) -> bool:
    done = False
    for card in list(found.stuck_cards):
        place = table.place_for(card, found.stuck_cards)
        if place is not None:
            found.moves.append(table.hit(*place, card))
            found.stuck_cards.remove(card)
            done = True
    return done


def _natural_groups(found: Layoff, table: Field) -> bool:
    return _group(found, table, 0)


def _group(found: Layoff, table: Field, wilds: int) -> bool:
    """Lay a further group with exactly so many wilds, the one that takes most points."""
    if len(found.stuck_cards) + wilds < SHORTEST or len(found.wilds) < wilds:
        return False
    cards = found.stuck_cards + found.wilds[:wilds]
    for group in extra_groups(sorted_hand(cards, table.faces, one_colour=table.one_colour)):
        used = sum(table.faces[card] in WILDS for card in group[2])
        if used > wilds:
            return False
        if used == wilds:
            found.moves.append(table.lay(group))
            found.stuck_cards = [card for card in found.stuck_cards if card not in group[2]]
            found.wilds = [card for card in found.wilds if card not in group[2]]
            return True
    return False


def _swap(found: Layoff, table: Field) -> bool:
    for number, rank, card in swaps(found.stuck_cards, table.faces, table.groups):
        move, wild = table.swap(number, rank, card)
        found.moves.append(move)
        found.stuck_cards.remove(card)
        found.wilds.append(wild)
        return True
    return False


def _use_wild(found: Layoff, table: Field) -> bool:
    """Spend a wild (or two) where it frees stuck teeth."""
    if not found.wilds or not found.stuck_cards:
        return False
    if _group(found, table, 1):
        return True
    place = table.bridge(found.stuck_cards)
    if place is not None:
        found.moves.append(table.hit(*place, found.wilds.pop()))
        return True
    return _group(found, table, 2)


def best_way(hand: tuple[Card, ...], holding: Holding, contract: tuple[tuple[str, int], ...], table: Field,
             most: int = WAYS_WEIGHED) -> tuple[tuple[NamedGroup, ...], Layoff] | None:
    """The way of going down that leaves least stuck, with what can be laid after it; None if there is no way."""
    best: tuple[tuple[float, int], tuple[NamedGroup, ...], Layoff] | None = None
    for count, way in enumerate(ways(holding, contract)):
        if count >= most:
            break
        groups = lay_out(holding, way)
        after = lay_off_rest(hand, groups, table)
        worth = (after.points - 8.0 * len(after.wilds), _spread(way))
        if best is None or worth < best[0]:
            best = (worth, groups, after)
            if not after.stuck_cards:
                break
    return None if best is None else best[1:]


def lay_off_rest(hand: tuple[Card, ...], groups: tuple[NamedGroup, ...], table: Field) -> Layoff:
    """What can be laid once ``groups`` lie."""
    then = table.copy()
    used: set[Card] = set()
    for group in groups:
        then.lay(group)
        used.update(group[2])
    return lay_off([card for card in hand if card not in used], then)


def _spread(way: Way) -> int:
    """Runs whose ends lie inside their suite can be hit by everybody: prefer few open ends."""
    return sum(piece.kind == RUN for piece in way)
