"""TooTs being composed: groups of cards on a mat, joined by dropping one on another, with a verdict at each step.

A page needs this while a player tries things out. It knows the player's hand and what the TooT on the table shows. It works on
its own trees and never touches the match; the rules judge the whole again when it is laid. Where the order of cards or the
place of an X leaves a choice, it chooses for the player (TO-2, TO-3).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tabletin.games.toot.arrangement import (
    TABLE,
    Node,
    Piece,
    Toots,
    canonical,
    cards_of,
    evident,
    flaw,
    nodes,
    single,
    stated_as,
)
from tabletin.games.toot.cards import NUMBERS, PRIMARIES, WILD
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.options import Refusal

ON_TABLE: Final = -1  # names the TooT on the table where a card names a group


class TootTurn:
    """The mat of a player who holds ``hand``. ``groups``: trees in the making, the TooT on the table first if there is one.

    A group is named by any card in it, or by ``ON_TABLE``.
    """

    def __init__(self, hand: Iterable[Card], faces: Faces, shown: Face | None = None) -> None:
        self.hand = tuple(hand)
        self.groups: list[Node] = [] if shown is None else [TABLE]
        self._faces = faces
        self._shown = shown

    # ---- reading ----

    @property
    def mat_cards(self) -> tuple[Card, ...]:
        """Cards on the mat."""
        return cards_of(tuple(self.groups))

    @property
    def hand_left(self) -> list[Card]:
        """What is still in hand."""
        laid = set(self.mat_cards)
        return [card for card in self.hand if card not in laid]

    def group(self, name: Card) -> int:
        """The place in ``groups`` of the one with ``name``. Raises ``KeyError``."""
        for index, group in enumerate(self.groups):
            if any(card == name for node in nodes((group,)) for card in _names(node)):
                return index
        raise KeyError(name)

    def toots(self) -> Toots:
        """The mat as a move spells it: X stated where it is evident, the TooTs under a number in an order it may touch."""
        return tuple(canonical(group, self._faces, self._shown) for group in evident(tuple(self.groups), self._faces))

    def flaw(self) -> Refusal | None:
        """Why the mat is not one TooT yet, or None."""
        return flaw(self.toots(), self._faces, self._shown)

    def states(self, card: Card) -> Face | None:
        """What an X on the mat stands for: as stated, or as is evident. None for any other card."""
        found = {own: stated for node in nodes(evident(tuple(self.groups), self._faces)) for own, stated in node[0]}
        return found.get(card)

    # ---- composing ----

    def lay(self, card: Card, onto: Card | None = None) -> Refusal | None:
        """Put ``card`` of the hand on the mat by itself, or join it with the group ``onto``."""
        if card not in self.hand_left:
            return Refusal("toot.refuse.not_held")
        self.groups.append(single(card))
        if onto is None:
            return None
        refusal = self.join(card, onto)
        if refusal is not None:
            self.groups.pop()
        return refusal

    def join(self, name: Card, onto: Card) -> Refusal | None:
        """Drop one group on another: two halves pair up, a number goes on top, a TooT under a number that lacks one."""
        one, other = self.group(name), self.group(onto)
        if one == other:
            return Refusal("toot.refuse.no_join", rule="TO-2")
        joined = self._joined(self.groups[one], self.groups[other])
        if joined is None:
            return Refusal("toot.refuse.no_join", rule="TO-2")
        self.groups[other] = joined
        del self.groups[one]
        return None

    def _joined(self, upper: Node, lower: Node) -> Node | None:
        if self._half(upper) and self._half(lower) and WILD not in (self._face(upper), self._face(lower)):
            return (*lower[0], *upper[0]), ()
        for number, toot in ((upper, lower), (lower, upper)):
            if self._lacks(number) and self._face(number) != WILD:
                return number[0], (*number[1], toot)
        if self._half(upper) and self._half(lower):
            return (*lower[0], *upper[0]), ()
        for number, toot in ((upper, lower), (lower, upper)):
            if self._lacks(number):
                return number[0], (*number[1], toot)
        return None

    def _face(self, node: Node) -> Face:
        """What a group shows by a single card; an X without a statement is an X; "" for a pair and the table."""
        return stated_as(node[0][0], self._faces) if len(node[0]) == 1 else ""

    def _half(self, node: Node) -> bool:
        return not node[1] and self._face(node) in (*PRIMARIES, WILD)

    def _lacks(self, node: Node) -> bool:
        """Whether a number, or an X that may be one, could lie on one more TooT."""
        face = self._face(node)
        most = int(face) if face in NUMBERS else len(NUMBERS) if face == WILD else 0
        return len(node[1]) < most

    def state(self, card: Card, face: Face | None) -> None:
        """Say what the X ``card`` stands for; None leaves it to its place."""
        self.groups = [_stated(group, card, face) for group in self.groups]

    def lift(self, card: Card) -> None:
        """Take the TooT with ``card`` on top, with all that lies under it, out from under its number: a group of its own."""
        index = self.group(card)
        whole, part = _without(self.groups[index], card)
        if whole is not None and part is not None:
            self.groups[index] = whole
            self.groups.append(part)

    def take_back(self, card: Card) -> None:
        """``card`` goes back to the hand; what lay under it, or the other half of its pair, stays as groups of its own."""
        self.lift(card)
        index = self.group(card)
        pieces, children = self.groups.pop(index)
        self.groups[index:index] = [*children, *(((piece,), ()) for piece in pieces if piece[0] != card)]

    def clear(self) -> None:
        """Everything back to the hand."""
        self.groups = [] if self._shown is None else [TABLE]


def _names(node: Node) -> tuple[Card, ...]:
    return tuple(card for card, _ in node[0]) or (ON_TABLE,)


def _stated(node: Node, card: Card, face: Face | None) -> Node:
    pieces: tuple[Piece, ...] = tuple((own, face if own == card else stated) for own, stated in node[0])
    return pieces, tuple(_stated(child, card, face) for child in node[1])


def _without(node: Node, card: Card) -> tuple[Node | None, Node | None]:
    """``node`` less the TooT that has ``card`` on top, and that TooT; (None, node) if it is node itself."""
    if card in _names(node):
        return None, node
    for index, child in enumerate(node[1]):
        whole, part = _without(child, card)
        if part is not None:
            rest = () if whole is None else (whole,)
            return (node[0], (*node[1][:index], *rest, *node[1][index + 1:])), part
    return node, None
