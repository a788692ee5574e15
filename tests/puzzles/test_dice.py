"""Numbers that follow from a text: the same everywhere, and spread evenly enough."""

from __future__ import annotations

from collections import Counter

from tabletin.puzzles.dice import Dice


def test_the_same_text_gives_the_same_numbers_everywhere() -> None:
    """Written down once: whoever changes them changes everybody's puzzle."""
    dice = Dice("2026-11-23")
    assert [dice.roll(1000) for _ in range(6)] == [963, 371, 133, 481, 153, 664]
    assert "".join(Dice("a").shuffle("abcdefgh")) == "heabdfgc"


def test_every_number_comes() -> None:
    dice = Dice("even")
    counts = Counter(dice.roll(6) for _ in range(6000))
    assert set(counts) == set(range(6)) and all(850 < count < 1150 for count in counts.values())


def test_shuffling_keeps_every_item() -> None:
    assert sorted(Dice("b").shuffle(range(50))) == list(range(50))
    assert Dice("b").shuffle(range(50)) != Dice("c").shuffle(range(50))
