"""The faces of playing cards: 52, each of one rank and one suit."""

from __future__ import annotations

from itertools import product

from tabletin.kernel.deck52 import FACES, RANKS, SUITS, rank_of, suit_of


def test_each_rank_is_there_in_each_suit_once() -> None:
    assert len(FACES) == len(set(FACES)) == 52
    assert {(rank_of(face), suit_of(face)) for face in FACES} == set(product(RANKS, SUITS))
    assert FACES[:2] == ("AS", "2S") and FACES[-1] == "KC"


def test_a_ten_has_two_digits() -> None:
    assert (rank_of("10H"), suit_of("10H")) == ("10", "H")
