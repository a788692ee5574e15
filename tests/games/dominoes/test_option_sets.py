"""What must always hold (docs/architecture.md), tried on further sets, seats and options of the domino games."""

from __future__ import annotations

import json

import pytest

from tests.games import test_properties as properties
from tests.support.cases import Case

CASES: list[Case] = [
    ("dominoes", 2, {"set": 6, "target": 30}), ("dominoes", 4, {"set": 6, "target": 1}), ("dominoes", 2, {"set": 12}),
    ("matador", 3, {"set": 12, "target": 150}), ("matador", 6, {"six_hand": 5}), ("matador", 8, {"set": 12, "total": 13}),
    ("tiddle-a-wink", 10, {}), ("tiddle-a-wink", 7, {"set": 12, "target": 20}),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}-{json.dumps(case[2])}")
def test_invariants_hold_for_every_option_set(case: Case) -> None:
    properties.test_matches_end_and_audit((case, range(1)))
    properties.test_invariant_1_state_is_a_function_of_the_log(case)
    properties.test_invariant_2_the_public_part_needs_no_knowledge(case)
    properties.test_invariant_3_events_name_no_face_their_reader_lacks(case)
    properties.test_invariant_4_every_card_in_one_zone_and_the_deck_complete(case)
    properties.test_invariant_5_an_illegal_move_changes_nothing_and_says_why(case)
    properties.test_proposed_moves_are_legal(case)
