"""DO-5: a match goes to its target, 100 or (Tiddle-A-Wink) 200 unless chosen otherwise; one seat scores a round."""

from __future__ import annotations

import pytest

from tabletin.kernel.options import Refused
from tabletin.registry import rules_of
from tests.support.random_matches import played

CASES = [("dominoes", 3, 40), ("matador", 3, 40), ("tiddle-a-wink", 6, 60)]


@pytest.mark.parametrize(("game", "target"), [("dominoes", 100), ("matador", 100), ("tiddle-a-wink", 200)])
def test_the_printed_target_is_the_default(game: str, target: int) -> None:
    """DO-5."""
    rules = rules_of(game)
    assert rules(rules.seat_counts.start).option_values["target"] == target
    with pytest.raises(Refused):
        rules(rules.seat_counts.start, {"target": 0})


@pytest.mark.parametrize(("game", "seats", "target"), CASES)
def test_one_seat_scores_a_round_and_the_target_ends_the_match(game: str, seats: int, target: int) -> None:
    """DO-5: until somebody reaches the target, and no further. Honest random play: nobody loses points."""
    match = played((game, seats, {"target": target}))
    scores = (0,) * seats
    for _, state, _ in match.story():
        now = match.rules.standings(state)
        assert sum(new != old for new, old in zip(now, scores, strict=True)) <= 1
        assert all(new >= old for new, old in zip(now, scores, strict=True))
        if now != scores:
            assert max(scores) < target
        scores = now
    outcome = match.outcome
    assert outcome is not None and max(scores) >= target
    assert outcome.winners == tuple(seat for seat, score in enumerate(scores) if score == max(scores))
