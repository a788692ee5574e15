"""What a hint says of a tooth: what it goes with in a hand that is not down, or why it helps little there."""

from __future__ import annotations

from typing import Any

import pytest

from tabletin.games.teeth_time.groups import RUN, SET, Contract
from tabletin.games.teeth_time.hint_facts import good_use, little_use
from tabletin.kernel.faces import Card, Face

SETS: Contract = ((SET, 3),)
TWO_SETS: Contract = ((SET, 3), (SET, 3))
RUNS: Contract = ((RUN, 4),)
BOTH: Contract = ((SET, 3), (RUN, 3))


def held(faces: str) -> tuple[tuple[Card, ...], dict[Card, Face]]:
    """Cards with these faces, and what each shows."""
    by_card = dict(enumerate(faces.split()))
    return tuple(by_card), by_card


@pytest.mark.parametrize(("hand", "contract", "said", "params"), [
    ("g8 r5 b5 yA", SETS, "single", {"rank": "8"}),
    ("g8 y8 r5 b1", SETS, None, {}),
    ("g8 y8 r5 b5 g5", SETS, "set", {"rank": "5"}),
    ("g8 y8 r5 b5 gA b1", TWO_SETS, None, {}),
    ("g8 y8 r5 b5 g5 gA bA rA", TWO_SETS, "sets", {"rank": "A", "second": "5"}),
    ("g5 r5 r6 b7", RUNS, "twice", {"rank": "5"}),
    ("gA r5 r6 b7", RUNS, "far", {}),
    ("g3 r5 r6 b7 b8", RUNS, "run", {"first": "5", "last": "8"}),
    ("gA r5 r6 b8 y8", BOTH, "alone", {"rank": "A"}),
    ("g4 r6 r7 b8 yA bA rA", BOTH, "set_run", {"rank": "A", "first": "6", "last": "8"}),
    ("cavity r5 r6 b8", BOTH, None, {}),
])
def test_why_the_first_card_helps_little(hand: str, contract: Contract, said: str | None, params: dict[str, Any]) -> None:
    (card, *others), faces = held(hand)
    assert little_use(card, others, faces, contract, one_colour=False) == (None if said is None else (said, params))


def test_a_run_of_one_colour_needs_no_tooth_of_another() -> None:
    (card, *others), faces = held("g6 r5 r6 r7")
    assert little_use(card, others, faces, RUNS, one_colour=False) == ("twice", {"rank": "6"})
    assert little_use(card, others, faces, RUNS, one_colour=True) == ("far", {})


@pytest.mark.parametrize(("left", "said"), [(3, "single"), (2, "rare"), (0, "gone")])
def test_who_counts_knows_how_many_can_still_come(left: int, said: str) -> None:
    (card, *others), faces = held("g8 r5 b5 yA")
    fact = little_use(card, others, faces, SETS, one_colour=False, unseen={"r8": left, "b1": 2})
    assert fact is not None and fact[0] == said and fact[1].get("n", left) == left


@pytest.mark.parametrize(("hand", "contract", "said"), [
    ("g8 r8 b5", SETS, ("set", {"rank": "8", "n": 2})),
    ("g8 r7 b5", RUNS, ("run", {"first": "5", "last": "8", "n": 3})),
    ("g8 rA b1", SETS, None),
])
def test_what_the_first_card_goes_with(hand: str, contract: Contract, said: Any) -> None:
    (card, *others), faces = held(hand)
    assert good_use(card, others, faces, contract, one_colour=False) == said
