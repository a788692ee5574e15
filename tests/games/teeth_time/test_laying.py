"""What picked cards make: against trying every order of the rules' own judgement."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from tabletin.games.teeth_time.cards import RANK, RANKS, TEETH, WILDS
from tabletin.games.teeth_time.groups import Contract, laid_refusal, meets
from tabletin.games.teeth_time.laying import contract_ways, group_ways

WILD_FACES = tuple(sorted(WILDS))


def dealt(rng: Random, count: int, *, near: bool) -> dict[int, str]:
    """Some cards, close to each other so that they often make something."""
    ranks = rng.choice(("ABCDE", "1234", "45678")) if near else "".join(RANKS)
    faces = [face for face in TEETH if RANK[face] in ranks]
    return {card: rng.choice(WILD_FACES) if rng.random() < 0.25 else rng.choice(faces) for card in range(count)}


@pytest.mark.parametrize("one_colour", [False, True])
def test_every_group_is_found_and_every_found_group_is_legal(one_colour: bool) -> None:
    rng = Random(7)
    made = 0
    for _ in range(150):
        faces = dealt(rng, rng.choice((3, 4)), near=True)
        cards = tuple(faces)
        found = {(kind, base) for kind, base, _ in group_ways(cards, faces, one_colour=one_colour)}
        legal = {(kind, base) for kind in ("set", "run") for base in RANKS for order in permutations(cards)
                 if laid_refusal((kind, base, order), faces, one_colour=one_colour) is None}
        assert found == legal, faces
        for group in group_ways(cards, faces, one_colour=one_colour):
            assert laid_refusal(group, faces, one_colour=one_colour) is None
            assert sorted(group[2]) == sorted(cards)
        made += bool(legal)
    assert made > 20


@pytest.mark.parametrize("one_colour", [False, True])
def test_ways_to_meet_a_contract_take_every_picked_card(one_colour: bool) -> None:
    rng = Random(9)
    contracts: tuple[Contract, ...] = ((("set", 3), ("run", 4)), (("set", 3), ("set", 3)), (("run", 3), ("run", 4)))
    found = 0
    for _ in range(300):
        contract = rng.choice(contracts)
        faces = dealt(rng, sum(least for _, least in contract) + rng.choice((0, 1)), near=True)
        for way in contract_ways(tuple(faces), faces, contract, one_colour=one_colour):
            found += 1
            assert meets(contract, way)
            assert sorted(card for _, _, cards in way for card in cards) == sorted(faces)
            assert all(laid_refusal(group, faces, one_colour=one_colour) is None for group in way)
    assert found > 20


def test_face_cards_make_nothing() -> None:
    assert group_ways((0, 1, 2), {0: "r6", 1: "b6", 2: "dentist"}, one_colour=False) == []
    assert contract_ways((0, 1, 2), {0: "r6", 1: "b6", 2: "cavity"}, (("set", 3),), one_colour=False) == []
