"""What must always hold (docs/architecture.md), tried on further sets, seats and options of the domino games."""

from __future__ import annotations

import json

import pytest

from tests.support import invariants
from tests.support.cases import Case

CASES: list[Case] = [
    ("dominoes", 2, {"set": 6, "target": 30}), ("dominoes", 4, {"set": 6, "target": 1}), ("dominoes", 2, {"set": 12}),
    ("matador", 3, {"set": 12, "target": 150}), ("matador", 6, {"six_hand": 5}), ("matador", 8, {"set": 12, "total": 13}),
    ("tiddle-a-wink", 10, {}), ("tiddle-a-wink", 7, {"set": 12, "target": 20}),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}-{json.dumps(case[2])}")
def test_invariants_hold_for_every_option_set(case: Case) -> None:
    invariants.ends_and_audits(case, 0)
    for holds in invariants.EACH:
        holds(case)
