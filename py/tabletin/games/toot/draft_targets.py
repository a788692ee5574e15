"""Where a tap lays a card: where it makes sense, without a second tap.

It looks at what lies on the mat and never at what the rest of the hand could make, so that a tap gives nothing away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from tabletin.games.toot.arrangement import Node, nodes, stated_as
from tabletin.games.toot.cards import DECK, NUMBERS, PRIMARIES, WILD
from tabletin.games.toot.turn import ON_TABLE
from tabletin.kernel.faces import Card, Face, Faces


def likeliest(face: Face, groups: Mapping[Card, Node], faces: Faces, would_touch: Callable[[Iterable[Card]], bool], *,
              decides: bool) -> list[Card] | None:
    """Of ``groups``, by name, which a card with ``face`` may join: the one that makes sense, or several if a number can carry
    them all; []: it lies by itself. None where several make sense and the player is to say which, unless this ``decides``
    (TO-2, TO-3).

    ``would_touch``: whether on these groups a number could only touch its like.
    """
    found = {name: group for name, group in groups.items() if not would_touch([name])}
    if len(found) < 2:
        return [*found]
    best = _best_first(face, found, faces)
    taken = best[:int(face)] if face in NUMBERS else best[:1]
    if len(taken) < len(found) and not decides:
        return None
    return taken if not would_touch(taken) else best[:1]


def carries_only_its_like(node: Node, faces: Faces, table_face: Face | None) -> bool:
    """Whether ``node``, which has a card, is a number that carries as many as it must, each with the same number on top;
    ``table_face``: the top of the TooT on the table."""
    number = stated_as(node[0][0], faces)
    tops = [stated_as(child[0][-1], faces) if child[0] else table_face for child in node[1]]
    return number in NUMBERS and len(tops) == int(number) and set(tops) == {number}


def half(node: Node, faces: Faces) -> bool:
    """Whether ``node`` is a primary colour, or an X, by itself."""
    return len(node[0]) == 1 and not node[1] and stated_as(node[0][0], faces) in (*PRIMARIES, WILD)


def _best_first(face: Face, found: Mapping[Card, Node], faces: Faces) -> list[Card]:
    """The names of the groups ``found`` that a card with ``face`` may join, the likeliest first: a number tops the largest;
    anything else makes a pair, then fills a number that lacks most. The TooT on the table is the largest."""
    def rank(name: Card) -> tuple[int, ...]:
        if name == ON_TABLE:
            return -len(DECK), 0, 0
        cards = sum(len(node[0]) for node in nodes((found[name],)))
        if face in NUMBERS:
            return (-cards,)
        pairs = any(half(node, faces) for node in nodes((found[name],)))
        return not pairs, -max(_lacks(found[name], faces), default=0), cards
    return sorted(found, key=rank)


def _lacks(group: Node, faces: Faces) -> Iterator[int]:
    """How many TooTs each number of ``group`` lacks."""
    for node in nodes((group,)):
        number = stated_as(node[0][0], faces) if len(node[0]) == 1 else ""
        if number in NUMBERS:
            yield int(number) - len(node[1])
