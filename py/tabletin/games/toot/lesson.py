"""What a hint says about a TooT before it is laid out: what lies on top, what belongs under it, and where on the table it goes.

It reads a draft in which the turn is composed, and knows no more than its reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tabletin.board.board import Reason
from tabletin.board.scene import Key, Sight
from tabletin.games.toot.arrangement import Node, Piece, cards_of, nodes
from tabletin.games.toot.cards import word_key
from tabletin.games.toot.draft import TootDraft
from tabletin.games.toot.turn import ON_TABLE
from tabletin.kernel.faces import Card

TABLE_STACK: Final[Key] = f"stack{ON_TABLE}"  # where the TooT on the table lies …
MANY: Final = 5  # cards in a TooT from which it is told in parts
EMPTY: Final[tuple[Key, ...]] = ("first", "place")  # … and where one lies that has nothing to do with it


def lesson(sight: Sight, draft: TootDraft[Any]) -> Reason | None:
    """The TooT that ``draft`` has composed, told from the top; or the 1 that is better not covered (TO-7); or None."""
    toot = next((node for node in draft.groups() if cards_of((node,))), None)
    if toot is not None:
        return _Lesson(sight).tell(toot)
    table = draft.state.table
    if table is None or draft.top_face != "1" or draft.rules.low_wins or not draft.best():
        return None
    return Reason("", turn=(table[0][0][0],), nudge=sight.say("toot.board.lesson.cover"))


class _Lesson:
    def __init__(self, sight: Sight) -> None:
        self._sight = sight

    def tell(self, toot: Node) -> Reason:
        pieces, under = _natural_first(toot[0]), toot[1]
        top, nudge = self._piece(pieces[0]), ""
        if under:
            nudge = self._say("first_number", card=top, n=len(under))
            told = self._say("number", card=top, under=self._list(under))
        elif len(pieces) > 1:
            nudge = self._say("first_half", card=top)
            told = self._say("alone", toot=self._part(toot))
        else:
            told = self._say("alone", toot=top)
        lit = tuple(card for card, _ in (*pieces, *(piece for part in under for piece in self._named(part))))
        cards = dict.fromkeys((*(card for card, _ in pieces), *reversed(cards_of((toot,)))))
        parts: tuple[tuple[str, tuple[Card, ...]], ...] = ()
        if len(cards) >= MANY and not _joins_table(toot):
            parts = self._parts(toot) if self._has_time else ((told, lit),)
        return Reason(told, turn=tuple(cards), nudge=nudge, places=(TABLE_STACK,) if _joins_table(toot) else EMPTY, parts=parts)

    @property
    def _has_time(self) -> bool:
        """Whether nobody plays against the clock, so that there is time for one part after another."""
        return not self._sight.view.rules.random_delay

    def _parts(self, toot: Node) -> tuple[tuple[str, tuple[Card, ...]], ...]:
        """``toot`` in the order in which it is built, from below."""
        told: list[tuple[str, tuple[Card, ...]]] = []
        for node in _in_parts(toot):
            (card, *_), under = node[0], node[1]
            if _is_part(node):
                told.append((self._say("part_then" if told else "part_first", part=self._part(node)), cards_of((node,))))
            else:
                told.append((self._say("part_top", n=len(under), card=self._piece(card)), cards_of((node,))))
        return tuple(told)

    def _say(self, key: str, **params: object) -> str:
        return self._sight.say(f"toot.board.lesson.{key}", **params)

    def _piece(self, piece: Piece) -> str:
        """A card by its name, an X with what it stands for."""
        card, stated = piece
        name = self._sight.words.card(card, self._sight.view.faces)
        return name if stated is None else self._sight.say("toot.board.stands_for", card=name, face=word_key(stated))

    def _part(self, node: Node) -> str:
        """A TooT that lies under a number: what it is made of, one level deep."""
        pieces, under = _natural_first(node[0]), node[1]
        if not pieces:
            return self._sight.say("toot.board.table_there")
        if len(pieces) > 1:
            return self._say("pair", first=self._piece(pieces[0]), second=self._piece(pieces[1]))
        own = self._piece(pieces[0])
        if not under:
            return own
        if len(under) == 1 and under[0][0]:
            return self._say("on", card=own, under=self._part(under[0]))
        return self._say("on_table" if _joins_table(node) else "on_several", card=own, n=len(under))

    def _named(self, node: Node) -> tuple[Piece, ...]:
        """The cards that ``_part`` names."""
        return (*node[0], *(self._named(node[1][0]) if len(node[1]) == 1 else ()))

    def _list(self, parts: tuple[Node, ...]) -> str:
        return self._sight.catalogue.join_names(self._part(part) for part in parts)


def _in_parts(node: Node) -> Iterator[Node]:
    """The TooTs in ``node`` that can be told in a few words, and the numbers on top of them, in the order of building."""
    if not _is_part(node):
        for child in node[1]:
            yield from _in_parts(child)
    yield node


def _is_part(node: Node) -> bool:
    """Whether ``node`` is a card or a pair, with nothing or one number on it."""
    return not node[1] or (len(node[1]) == 1 and not node[1][0][1])


def _joins_table(toot: Node) -> bool:
    """Whether the TooT on the table is part of it."""
    return any(not node[0] for node in nodes((toot,)))


def _natural_first(pieces: tuple[Piece, ...]) -> list[Piece]:
    """The halves of a pair, an X last."""
    return sorted(pieces, key=lambda piece: piece[1] is not None)
