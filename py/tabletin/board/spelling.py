"""Moves with other words in place of their cards: faces for a guide, names for a list, the cards alone. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tabletin.kernel.schema import CARD, Maybe, Move, Seq, Shape, Tree, Tup, Verbs


def spell(verbs: Verbs, move: Move, word: Callable[[Any], Any]) -> Move:
    """``move`` with ``word(card)`` in place of each card (or card for face)."""
    return (move[0], *(_spelled(shape, value, word) for shape, value in zip(verbs[move[0]], move[1:], strict=True)))


def _spelled(shape: Shape, value: Any, word: Callable[[Any], Any]) -> Any:
    if shape == CARD:
        return word(value)
    if isinstance(shape, Seq):
        return tuple(_spelled(shape.item, item, word) for item in value)
    if isinstance(shape, Tup):
        return tuple(_spelled(of, item, word) for of, item in zip(shape.items, value, strict=True))
    if isinstance(shape, Maybe):
        return None if value is None else _spelled(shape.item, value, word)
    if isinstance(shape, Tree):
        label = tuple(_spelled(of, item, word) for of, item in zip(shape.label, value[:-1], strict=True))
        return (*label, tuple(_spelled(shape, child, word) for child in value[-1]))
    return value


def cards_in(verbs: Verbs, move: Move) -> list[Any]:
    """What ``move`` names in the places of cards, in the order in which it is spelled."""
    found: list[Any] = []
    spell(verbs, move, found.append)
    return found
