"""The solver against trying everything, and its witnesses against the validator."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.games.toot.arrangement import cards_of, flaw, top
from tabletin.games.toot.cards import COUNTS, DECK, STATED, kinds
from tabletin.games.toot.solver import best_use, build, fitting_faces, solve, uses
from tabletin.kernel.faces import Face
from tests.games.toot import exhaustive

REDUCED = {"1": 3, "2": 3, "3": 1, "4": 1, "X": 2, "red": 4, "purple": 4}
TABLES = (None, "1", "2", "3", "red")
HANDS = st.lists(st.sampled_from(sorted(COUNTS)), min_size=1, max_size=16)


def most_cards(faces: Iterable[Face], shown: Face | None = None) -> int:
    """How many of ``faces`` fit into one TooT, with the TooT on the table if one is ``shown``."""
    use = best_use(kinds(faces), shown)
    return 0 if use is None else use.size


def test_cards_that_two_leaves_can_hold() -> None:
    assert most_cards(["2", "2", "orange", "red", "blue", "yellow"]) == 4


@pytest.mark.parametrize("shown", TABLES)
@pytest.mark.parametrize("size", range(1, 7))
def test_equals_exhaustive_search_on_every_hand_of_a_reduced_deck(size: int, shown: str | None) -> None:
    """TO-2, TO-3, TO-4."""
    for hand in exhaustive.hands(REDUCED, size):
        assert most_cards(hand, shown) == exhaustive.most(hand, shown), (hand, shown)


@pytest.mark.parametrize("shown", TABLES)
def test_equals_exhaustive_search_on_random_hands_of_eight(shown: str | None) -> None:
    rng = Random(8)
    for _ in range(60):
        hand = tuple(rng.sample(DECK, 8))
        assert most_cards(hand, shown) == exhaustive.most(hand, shown), (hand, shown)


@given(hand=HANDS, shown=st.sampled_from(TABLES))
def test_the_witness_is_one_toot_of_so_many_cards(hand: list[str], shown: str | None) -> None:
    faces = dict(enumerate(hand))
    node = solve(faces.items(), shown)
    if node is None:
        assert most_cards(hand, shown) == 0
    else:
        assert flaw((node,), faces, shown) is None
        assert len(set(cards_of((node,)))) == len(cards_of((node,))) == most_cards(hand, shown)


@given(hand=HANDS, shown=st.sampled_from(TABLES), one_on_top=st.booleans())
def test_every_use_can_be_laid(hand: list[str], shown: str | None, one_on_top: bool) -> None:
    """Every use the solver knows is a TooT, takes what it says it takes, and shows a 1 only when it must or should."""
    faces, own = dict(enumerate(hand)), kinds(hand)
    found = list(uses(own, shown))[:60]
    assert len(set(found)) == len(found)
    for use in found:
        node = build(use, faces.items(), shown, one_on_top=one_on_top)
        assert flaw((node,), faces, shown) is None
        used = cards_of((node,))
        assert len(used) == use.size
        assert kinds(faces[card] for card in used) == use.cost(own)
        assert kinds(face for card, face in faces.items() if card not in used) == use.rest(own)
        shows_one = top(node, faces, shown) == "1"
        assert shows_one == (bool(use.ones) if one_on_top else not use.may_show_other(shown))


@given(hand=HANDS, shown=st.sampled_from(TABLES))
def test_no_use_beats_the_best(hand: list[str], shown: str | None) -> None:
    own = kinds(hand)
    best = best_use(own, shown)
    assert max((use.size for use in uses(own, shown)), default=0) == (best.size if best else 0)


def test_the_whole_deck() -> None:
    """57 cards: how many of them one TooT can hold, with a witness."""
    faces = dict(enumerate(DECK))
    node = solve(faces.items())
    assert node is not None
    assert flaw((node,), faces) is None
    assert len(cards_of((node,))) == most_cards(DECK) == 57


@pytest.mark.parametrize(("hand", "most"), [
    ((), 0), (("red",), 0), (("1",), 0), (("X",), 1), (("purple",), 1), (("red", "red"), 2),
    (("1", "1", "purple"), 2), (("X", "1"), 2), (("X", "X"), 2), (("1", "red", "X"), 3), (("4", "X", "X", "X", "X"), 5),
    (("1", "1", "2", "purple", "green"), 5), (("2", "2", "orange", "orange"), 3), (("1", "1", "1", "X"), 2)])
def test_small_hands(hand: tuple[str, ...], most: int) -> None:
    assert most_cards(hand) == most


def test_what_an_x_may_stand_for() -> None:
    """TO-2: any other card."""
    assert set(STATED) == set(COUNTS) - {"X"}


@pytest.mark.parametrize(("hand", "shown", "faces"), [
    ("", None, "purple orange green"),
    ("red", None, "purple orange green red yellow blue"),
    ("red", "1", ""),
    ("", "2", "1"),
    ("2", "1", "purple orange green"),
    ("2 red", "1", "purple orange green red yellow blue"),
    ("purple", "1", "2"),
    ("purple 2", "1", ""),  # it fits already
])
def test_what_single_card_would_fit(hand: str, shown: str | None, faces: str) -> None:
    assert fitting_faces(kinds(hand.split()), shown) == tuple(faces.split())
