"""What must always hold (docs/architecture.md), tried on every mode and option of Teeth."""

from __future__ import annotations

import json

import pytest

from tests.support import invariants
from tests.support.cases import Case

CASES: list[Case] = [
    ("teeth", 2, {"columns": 1}), ("teeth", 2, {"columns": 6, "court": "ten"}),
    ("teeth", 2, {"mode": "continuous", "columns": 6}),
    ("teeth", 2, {"mode": "score_card", "columns": 5, "limit": 5, "joker": 13}), ("teeth", 2, {"limit": 60, "joker": -13}),
    ("teeth", 2, {"mode": "continuous", "columns": 1, "limit": 5}),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}-{json.dumps(case[2])}")
def test_invariants_hold_for_every_option_set(case: Case) -> None:
    invariants.ends_and_audits(case, 0)
    for holds in invariants.EACH:
        holds(case)
