"""Reading picked cards as groups: nothing legal is missed, nothing illegal proposed."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletin.games.teeth_time.cards import RANKS
from tabletin.games.teeth_time.contracts import EIGHT
from tabletin.games.teeth_time.groups import RUN, SET, laid_refusal, meets
from tabletin.games.teeth_time.laying import contract_ways, group_ways
from tabletin.kernel.faces import Faces


def picked(text: str) -> Faces:
    return Faces(enumerate(text.split()))


@pytest.mark.parametrize(("text", "expected"), [
    ("r4 b4 implant", ["set 4", ]),
    ("r4 b5 implant", ["run 3", "run 4"]),
    ("r4 implant bridge", ["set 4", "run 2", "run 3", "run 4"]),
    ("r7 b8 implant", ["run 6"]),
    ("r1 b3 implant", ["run 1"]),
    ("rD rE r1", []),
    ("r4 b4", []),
    ("implant bridge implant", []),
    ("r4 b4 cavity", []),
    ("rA bB yC gD rE", ["run A"]),
])
def test_what_picked_cards_can_be(text: str, expected: list[str]) -> None:
    """TT-7: where wilds can stand is what is left to choose."""
    faces = picked(text)
    assert sorted(f"{kind} {base}" for kind, base, _ in group_ways(list(faces), faces, one_colour=False)) == sorted(expected)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(["r3", "b3", "r4", "b5", "y6", "rA", "gB", "implant", "bridge"]), min_size=3, max_size=5),
       st.booleans())
def test_readings_against_brute_force(shown: list[str], one_colour: bool) -> None:
    faces = Faces(enumerate(shown))
    legal = {(kind, base) for kind in (SET, RUN) for base in RANKS for order in permutations(faces)
             if laid_refusal((kind, base, order), faces, one_colour=one_colour) is None}
    found = group_ways(list(faces), faces, one_colour=one_colour)
    assert {(kind, base) for kind, base, _ in found} == legal
    assert all(laid_refusal(group, faces, one_colour=one_colour) is None and len(group[2]) == len(shown) for group in found)


@pytest.mark.parametrize(("text", "number"), [
    ("r4 b4 y4 g4 r4", 1), ("r2 b3 y4 g5 implant r7", 2), ("r4 b4 y4 rC bC yC gC implant", 3),
    ("r6 b6 g6 r2 b3 y4 g5 r1", 6), ("implant bridge r6 r6 rA implant rC rD rE", 8),
])
def test_tt_6_all_picked_cards_as_the_contract(text: str, number: int) -> None:
    faces, contract = picked(text), EIGHT[number - 1]
    found = contract_ways(list(faces), faces, contract, one_colour=False)
    assert found
    for groups in found:
        assert meets(contract, groups)
        assert sorted(card for group in groups for card in group[2]) == sorted(faces)
        assert all(laid_refusal(group, faces, one_colour=False) is None for group in groups)


@pytest.mark.parametrize(("text", "number"), [("r4 b4 y4 g5", 1), ("r4 b4 cavity", 1), ("r4 b4", 1), ("r6 b6 g6 r2 b3 y4 g8", 6),
                                            ("r4 b4 y4 g4 r4 b4 y4 g4 implant implant implant bridge bridge r8", 1)])
def test_tt_6_not_the_contract(text: str, number: int) -> None:
    faces = picked(text)
    assert contract_ways(list(faces), faces, EIGHT[number - 1], one_colour=False) == []
