"""TooTs and tables written by hand: ``2[1[yellow+blue], X=orange]`` is a 2 on a 1 on a pair and, uppermost, an X.

``table`` is the TooT on the table; a row of TooTs is separated by commas.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

from tabletin.games.toot.arrangement import Node, Toots, as_faces, flaw, top, write
from tabletin.kernel.dealing import answer
from tabletin.kernel.faces import Card, Faces
from tabletin.kernel.options import Refusal
from tabletin.kernel.schema import Move, read_move
from tabletin.registry import rules_of

TOKENS = re.compile(r"[A-Za-z0-9]+|[=+,\[\]]")


def parsed(text: str, card_of: Callable[[str], Card]) -> Toots:
    """The row of TooTs that ``text`` spells; ``card_of`` gives a handle for each face in turn."""
    tokens = TOKENS.findall(text)

    def row() -> Toots:
        found: list[Node] = []
        while tokens and tokens[0] != "]":
            found.append(node())
            if tokens and tokens[0] == ",":
                tokens.pop(0)
        return tuple(found)

    def piece() -> tuple[Card, str | None]:
        card = card_of(tokens.pop(0))
        if tokens and tokens[0] == "=":
            tokens.pop(0)
            return card, tokens.pop(0)
        return card, None

    def node() -> Node:
        if tokens[0] == "table":
            tokens.pop(0)
            pieces: tuple[tuple[Card, str | None], ...] = ()
        else:
            pieces = (piece(),)
            if tokens and tokens[0] == "+":
                tokens.pop(0)
                pieces += (piece(),)
        children: Toots = ()
        if tokens and tokens[0] == "[":
            tokens.pop(0)
            children = row()
            tokens.pop(0)
        return pieces, children

    return row()


def laid(text: str) -> tuple[Toots, dict[Card, str]]:
    """``text`` as TooTs with fresh handles, and the faces of these."""
    faces: dict[Card, str] = {}

    def fresh(face: str) -> Card:
        faces[len(faces)] = face
        return len(faces) - 1

    return parsed(text, fresh), faces


def refusal(text: str, shown: str | None = None) -> Refusal | None:
    toots, faces = laid(text)
    return flaw(toots, faces, shown)


def key(text: str, shown: str | None = None) -> str | None:
    """Why ``text`` is not one TooT: the refusal's key without its prefix, or None."""
    found = refusal(text, shown)
    return None if found is None else found.key.removeprefix("toot.refuse.")


def shows(text: str) -> str:
    """What the TooT ``text`` has on top."""
    toots, faces = laid(text)
    return top(toots[0], faces, None)


class Scene:
    """A match set up by hand: ``hands`` as faces, one text a seat; ``pile`` as faces, next first. All known."""

    def __init__(self, game: str, *hands: str, pile: str = "", **options: Any) -> None:
        self.rules: Any = rules_of(game)(len(hands), options)
        self.state: Any = self.rules.start()
        self.faces = Faces()
        self.state.requests = ()
        self.state.hands = tuple(self.cards(hand) for hand in hands)
        self.state.pile = self.cards(pile)

    def cards(self, faces: str) -> tuple[Card, ...]:
        first = self.state.next_card
        for face in faces.split():
            self.faces[self.state.next_card] = face
            self.state.next_card += 1
        return tuple(range(first, self.state.next_card))

    def toots(self, seat: int, text: str) -> Toots:
        """``text`` laid with cards of ``seat``; a face it does not hold is somebody else's card."""
        hand: list[Card] = list(self.state.hands[seat])

        def held(face: str) -> Card:
            card = next((card for card in hand if self.faces[card] == face), None)
            if card is None:
                return self.cards(face)[0]
            hand.remove(card)
            return card

        return parsed(text, held)

    def move(self, seat: int, *move: Any) -> str | None:
        """Make a move; a text after the verb is an arrangement. The key of the refusal without its prefix, or None."""
        done: Move = (move[0], *(self.toots(seat, part) if isinstance(part, str) else part for part in move[1:]))
        found = self.rules.make(self.state, seat, read_move(self.rules.verbs, done), self.faces)
        return None if found is None else found.key.removeprefix("toot.refuse.")

    def answer(self, roll: int = 1) -> None:
        """Answer every request honestly; a die shows ``roll``."""
        while self.state.requests:
            self.answer_one(roll)

    def answer_one(self, roll: int = 1) -> None:
        result, fresh = answer(self.state, self.state.requests[0], self.faces, Random(1))
        self.faces.update(fresh)
        result = roll if type(result) is int else result
        request, cards = self.state.settle(result)
        self.rules.take_answer(self.state, request, cards, result)

    def hand(self, seat: int) -> str:
        return " ".join(self.faces[card] for card in self.state.hands[seat])

    @property
    def table(self) -> str:
        return "" if self.state.table is None else write(as_faces(self.state.table, self.faces))
