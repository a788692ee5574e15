"""Where a tap lays a card: where it makes sense, without a second tap.

It looks at what lies on the mat and never at what the rest of the hand could make, so that a tap gives nothing away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tabletin.board.board import Reply
from tabletin.games.toot.arrangement import Node, nodes, stated_as
from tabletin.games.toot.base import S
from tabletin.games.toot.cards import DECK, NUMBERS
from tabletin.games.toot.draft import TootDraft, half
from tabletin.games.toot.turn import ON_TABLE
from tabletin.kernel.faces import Card, Face, Faces


class OneTapDraft(TootDraft[S]):
    """A draft in which one tap lays a card. ``decides``: also where several places make sense; the best is taken."""

    decides = False

    def targets(self) -> list[Card] | None:
        """The one group that makes sense, or several if a number can carry them all; []: it lies by itself; None where several
        make sense and the player is to say which (TO-2, TO-3)."""
        chosen = self.selection
        assert chosen is not None
        found = {name: self.turn.groups[self.turn.group(name)] for name in self.joins() if not self._would_touch(chosen, [name])}
        if len(found) < 2:
            return [*found]
        face, best = self.faces[chosen], _best_first(self.faces[chosen], found, self.faces)
        taken = best[:int(face)] if face in NUMBERS else best[:1]
        if len(taken) < len(found) and not self.decides:
            return None
        return taken if not self._would_touch(chosen, taken) else best[:1]

    def _lay_onto(self, card: Card, targets: Iterable[Card]) -> Reply:
        reply = super()._lay_onto(card, targets)
        if self.decides:  # two X are a pair; whoever means one on top of the other carries it there
            self.asking, self.twins = None, False
        return reply

    def _would_touch(self, chosen: Card, names: list[Card]) -> bool:
        """Whether with ``chosen`` on ``names`` a number could only touch its like."""
        trial = self._trial()
        for name in names:
            self._put(trial, chosen, name)
        return any(self._carries_only_its_like(node) for node in nodes(trial.toots()) if node[0])

    def _carries_only_its_like(self, node: Node) -> bool:
        """Whether ``node`` is a number that carries as many as it must, each with the same number on top."""
        number = stated_as(node[0][0], self.faces)
        tops = [stated_as(child[0][-1], self.faces) if child[0] else self.top_face for child in node[1]]
        return number in NUMBERS and len(tops) == int(number) and set(tops) == {number}


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
