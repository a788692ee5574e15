"""What must always hold (docs/architecture.md), tried on every mode and option of Teeth."""

from __future__ import annotations

import json

import pytest

from tests.games import test_properties as properties
from tests.support.cases import Case

CASES: list[Case] = [
    ("teeth", 2, {"columns": 1}), ("teeth", 2, {"columns": 6, "court": "ten"}),
    ("teeth", 2, {"mode": "continuous", "columns": 6}),
    ("teeth", 2, {"mode": "score_card", "columns": 5, "limit": 5, "joker": 13}), ("teeth", 2, {"limit": 60, "joker": -13}),
    ("teeth", 2, {"mode": "continuous", "columns": 1, "limit": 5}),
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
