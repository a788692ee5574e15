"""TooTs laid out as trees: how they are written, what makes one, and why something is none.

A *node* is ``(pieces, children)``. Pieces are ``(card, stated)``; ``stated`` says what an X stands for and is None for
any other card. One piece is a card by itself, or a number on top of its children, the undermost first: the number
touches the last (TO-3). Two pieces are a pair of primary colours. No piece at all is the TooT that lies on the table
(TO-4). A play is a row of nodes, so that two TooTs can be laid and refused as such. Faces come from the caller; nothing
here knows a seat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final, TypeAlias

from tabletin.games.toot.cards import NUMBERS, PRIMARIES, SECONDARIES, STATED, WILD, word_key
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.options import Refusal, Refused, refused
from tabletin.kernel.schema import CARD, Maybe, OneOf, Seq, Tree, Tup

Piece: TypeAlias = tuple[Card, Face | None]
Node: TypeAlias = tuple[tuple[Piece, ...], tuple["Node", ...]]
Toots: TypeAlias = tuple[Node, ...]
FaceNode: TypeAlias = tuple[tuple[tuple[Face, Face | None], ...], tuple["FaceNode", ...]]  # a node with faces for cards

TABLE: Final[Node] = ((), ())
MOST_DEPTH: Final = 40  # each level but the lowest holds a number, and one deck has 25 with its X
TOOTS: Final = Seq(Tree((Seq(Tup((CARD, Maybe(OneOf(STATED)))), 2),), most_children=12, most_depth=MOST_DEPTH), max_length=40)


def single(card: Card, stated: Face | None = None) -> Node:
    return ((card, stated),), ()


def pair(first: Piece, second: Piece) -> Node:
    return (first, second), ()


def stack(number: Piece, *under: Node) -> Node:
    """``number`` on top of ``under``, the undermost first."""
    return (number,), under


def nodes(toots: Toots) -> Iterator[Node]:
    """Every node of ``toots``."""
    for node in toots:
        yield from nodes(node[1])
        yield node


def cards_of(toots: Toots) -> tuple[Card, ...]:
    """Every card of ``toots``, from below upward."""
    return tuple(card for card, _ in pieces_of(toots))


def pieces_of(toots: Toots) -> tuple[Piece, ...]:
    """The same, each with what it was stated as."""
    return tuple(piece for pieces, _ in nodes(toots) for piece in pieces)


def stated_as(piece: Piece, faces: Mapping[Card, Face]) -> Face:
    """What ``piece`` counts as: its face, or what an X was stated as. An X without a statement is an X."""
    card, stated = piece
    face = faces[card]
    return stated if face == WILD and stated is not None else face


# ---- judging ----

def flaw(toots: Toots, faces: Mapping[Card, Face], shown: Face | None = None) -> Refusal | None:
    """Why ``toots`` are not one TooT, as the rulebook would say it; None if they are (TO-2, TO-3, TO-4).

    ``shown``: what the TooT on the table has on top, None without one; then it must be part of what is laid, and
    something must be added to it.
    """
    try:
        for node in toots:
            top(node, faces, shown)
    except Refused as error:
        return error.refusal
    return _not_one(toots, shown)


def _not_one(toots: Toots, shown: Face | None) -> Refusal | None:
    bases = sum(node == TABLE for node in nodes(toots))
    if all(node == TABLE for node in toots):
        return Refusal("toot.refuse.nothing_laid")
    if bases > 1:
        return Refusal("toot.refuse.table_twice", rule="TO-4")
    count = len(toots) + (shown is not None and not bases)
    if count == 1:
        return None
    key = "not_one_table" if shown is not None else "not_one"
    if count > len(NUMBERS):
        key = "far_from_one"
    return Refusal(f"toot.refuse.{key}", {"n": count}, "TO-2")


def top(node: Node, faces: Mapping[Card, Face], shown: Face | None) -> Face:
    """What the TooT ``node`` shows on top: a number matters to the next one, of a pair either colour will do.

    Raises ``Refused`` if it is no TooT.
    """
    pieces, children = node
    under = [top(child, faces, shown) for child in children]
    if not pieces:
        if shown is None:
            raise refused("toot.refuse.no_table", "TO-2")
        if children:
            raise refused("toot.refuse.only_number", "TO-2")
        return shown
    own = [_face(piece, faces) for piece in pieces]
    if len(own) == 1 and own[0] in NUMBERS:
        _check_number(own[0], under)
    elif children:
        raise refused("toot.refuse.only_number", "TO-2")
    elif len(own) == 2:
        if any(face not in PRIMARIES for face in own):
            raise refused("toot.refuse.no_pair", "TO-2", first=word_key(own[0]), second=word_key(own[1]))
    elif own[0] in PRIMARIES:
        raise refused("toot.refuse.lone_primary", "TO-2", colour=word_key(own[0]))
    return own[-1]


def _face(piece: Piece, faces: Mapping[Card, Face]) -> Face:
    card, stated = piece
    if (faces[card] == WILD) != (stated is not None):
        raise refused("toot.refuse.not_stated" if stated is None else "toot.refuse.not_wild", "TO-2")
    return stated_as(piece, faces)


def _check_number(number: Face, under: list[Face]) -> None:
    """A number lies on exactly as many TooTs as it says and touches only the uppermost, which must not be its like."""
    if not under:
        raise refused("toot.refuse.lone_number", "TO-2", number=int(number))
    if len(under) != int(number):
        key = "count_one" if number == "1" else "count"
        raise refused(f"toot.refuse.{key}", "TO-2", number=int(number), n=len(under))
    if under[-1] != number:
        return
    better = next((face for face in under if face != number), None)
    if better is not None:
        raise refused("toot.refuse.touch", "TO-3", number=int(number), top=word_key(better))
    raise refused("toot.refuse.touch_one" if number == "1" else "toot.refuse.touch_all", "TO-3", number=int(number))


# ---- writing ----

def evident(toots: Toots, faces: Mapping[Card, Face]) -> Toots:
    """``toots`` with each X stated where its place says what it is: a half, a TooT alone, the number on top of so many.

    Which colour of a kind an X stands for changes nothing, so the first of the kind is stated.
    """
    return tuple(_evident(node, faces) for node in toots)


def _evident(node: Node, faces: Mapping[Card, Face]) -> Node:
    pieces, children = node
    guess = PRIMARIES[0] if len(pieces) == 2 else SECONDARIES[0]
    if children and len(children) <= len(NUMBERS):
        guess = NUMBERS[len(children) - 1]
    own = tuple((card, guess) if stated is None and faces[card] == WILD else (card, stated) for card, stated in pieces)
    return own, evident(children, faces)


def canonical(node: Node, faces: Mapping[Card, Face], shown: Face | None = None) -> Node:
    """The one spelling of all arrangements that differ only in the order of halves and of TooTs under one number.

    TooTs that the number above may not touch come undermost, else the lower cards; so an order that can be mended is.
    """
    pieces, children = node
    own = stated_as(pieces[0], faces) if len(pieces) == 1 else ""
    ordered = sorted((canonical(child, faces, shown) for child in children),
                     key=lambda child: (_shows(child, faces, shown) != own, child != TABLE, cards_of((child,))))
    return tuple(sorted(pieces)), tuple(ordered)


def _shows(node: Node, faces: Mapping[Card, Face], shown: Face | None) -> Face | None:
    return stated_as(node[0][-1], faces) if node[0] else shown


def join_table(node: Node, table: Node | None) -> Node:
    """``node`` with the TooT that lay on the table in its place."""
    if node == TABLE:
        assert table is not None
        return table
    pieces, children = node
    return pieces, tuple(join_table(child, table) for child in children)


def as_faces(node: Node, faces: Mapping[Card, Face]) -> FaceNode:
    """``node`` with the face of each card in its place: what is kept of a TooT whose cards are gathered in."""
    pieces, children = node
    return tuple((faces[card], stated) for card, stated in pieces), tuple(as_faces(child, faces) for child in children)


def write(node: FaceNode) -> str:
    """A TooT in a line of text.

    >>> write(((("2", None),), (((("X", "red"), ("blue", None)), ()), ((), ()))))
    '2[X=red+blue, table]'
    """
    pieces, children = node
    own = "+".join(face if stated is None else f"{face}={stated}" for face, stated in pieces) or "table"
    return f"{own}[{', '.join(map(write, children))}]" if children else own


def laid_on_table(toots: Toots, held: Collection[Card]) -> Refusal | None:
    """Why a seat with ``held`` in hand cannot lay these cards: it does not hold all, or one is named twice."""
    cards = cards_of(toots)
    if not set(held).issuperset(cards):
        return Refusal("toot.refuse.not_held")
    return Refusal("toot.refuse.twice") if len(set(cards)) != len(cards) else None


def wilds_stated(toots: Toots) -> Iterator[tuple[Card, Face]]:
    """Each X of ``toots`` and what it was stated as."""
    for pieces, _ in nodes(toots):
        for card, stated in pieces:
            if stated is not None:
                yield card, stated
