"""What a lead in columns is worth at Teeth: the last columns decide, and nothing is worth anything once it is decided."""

from __future__ import annotations

from itertools import product

import pytest

from tabletin.games.teeth.win_chance import Standing, win_chance
from tests.games.teeth.deals import Deal


def test_a_lead_wins_as_often_as_all_ways_to_play_on_say() -> None:
    for lead, columns in product(range(-4, 5), range(7)):
        ends = [lead + sum(ways) for ways in product((-1, 1), repeat=columns)]
        assert win_chance(lead, columns) == pytest.approx(sum(end > 0 for end in ends) / len(ends)
                                                          + sum(end == 0 for end in ends) / len(ends) / 2)


def test_te_5_what_is_still_to_come() -> None:
    whole_deck, continuous, score_card = (Standing(0, mode, 3, 2) for mode in ("whole_deck", "continuous", "score_card"))
    assert [whole_deck.columns_to_come(pile) for pile in (0, 8, 9, 22, 23, 45)] == [0, 0, 3, 3, 6, 9]
    assert [continuous.columns_to_come(pile) for pile in (0, 14)] == [0, 3]
    assert [score_card.columns_to_come(pile) for pile in (0, 45)] == [6, 6]


def test_the_last_columns_are_worth_most_and_a_match_that_is_won_nothing() -> None:
    level, won = Standing(0, "whole_deck", 3, 0), Standing(6, "whole_deck", 3, 0)
    assert 0 < level.worth(45) < level.worth(0)
    assert won.worth(0) == 0
    assert Standing(1, "whole_deck", 3, 0).chance(-1, 0) == 0.5


def test_a_standing_counts_from_its_seat() -> None:
    deal = Deal("2H KS 9C 3D 4D 5D 7S 8S 10S")
    deal.state.column_counts = (4, 1)
    options = {"mode": "whole_deck", "columns": 3, "rounds": 5}
    assert [Standing.of_state(deal.state, seat, options).lead for seat in range(2)] == [3, -3]
