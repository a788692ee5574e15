"""The faces of 52 playing cards, for the rules of every family that plays with them. It never knows what a card is worth.

A face is its rank and the letter of its suit: "AS", "10H", "QD". The drawings are in ``board.deck52``.
"""

from __future__ import annotations

from typing import Final

from tabletin.kernel.faces import Face

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = ("S", "H", "D", "C")  # spades, hearts, diamonds, clubs
FACES: Final[tuple[Face, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)


def rank_of(face: Face) -> str:
    """The rank of a card.

    >>> rank_of("10H"), suit_of("10H")
    ('10', 'H')
    """
    return face[:-1]


def suit_of(face: Face) -> str:
    """The suit of a card, by its letter."""
    return face[-1]
