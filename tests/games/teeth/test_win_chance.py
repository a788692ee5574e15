"""What a lead in columns is worth at Teeth: the last columns decide, and nothing is worth anything once it is decided."""

from __future__ import annotations

from itertools import product
from operator import eq, gt

import pytest

from tabletin.games.teeth.win_chance import CARDS_CAPTURED, Standing, win_chance
from tests.games.teeth.deals import Deal


def test_a_lead_wins_as_often_as_all_ways_to_play_on_say() -> None:
    for lead, columns in product(range(-4, 5), range(7)):
        ends = [lead + sum(ways) for ways in product((-1, 1), repeat=columns)]
        ahead, level = (sum(compared(end, 0) for end in ends) / len(ends) for compared in (gt, eq))
        assert win_chance(lead, CARDS_CAPTURED * lead, columns) == pytest.approx(ahead + level / 2)


def test_te_5_where_columns_are_level_most_cards_win() -> None:
    assert [win_chance(0, cards, 0) for cards in (-1, 0, 1)] == [0, 0.5, 1]
    assert [win_chance(lead, 9, 0) for lead in (-1, 1)] == [0, 1]
    chances = [win_chance(0, cards, 2) for cards in range(-20, 21)]
    assert chances == sorted(chances)
    assert chances[0] == pytest.approx(0.25, abs=0.001) and chances[20] == 0.5  # it may still win both columns
    assert win_chance(0, 3, 2) > win_chance(0, 3, 8)


def test_te_5_what_is_still_to_come() -> None:
    whole_deck, continuous, score_card = (Standing(0, mode, 3, 2) for mode in ("whole_deck", "continuous", "score_card"))
    assert [whole_deck.columns_to_come(pile) for pile in (0, 8, 9, 22, 23, 45)] == [0, 0, 3, 3, 6, 9]
    assert [continuous.columns_to_come(pile) for pile in (0, 14)] == [0, 3]
    assert [score_card.columns_to_come(pile) for pile in (0, 45)] == [6, 6]


def test_the_last_columns_are_worth_most_and_a_match_that_is_won_nothing() -> None:
    level, won = Standing(0, "whole_deck", 3, 0), Standing(6, "whole_deck", 3, 0)
    assert 0 < level.worth(45) < level.worth(0)
    assert won.worth(0) == 0
    assert Standing(1, "whole_deck", 3, 0).chance(-1, 0, 0) == 0.5
    assert Standing(1, "whole_deck", 3, 0, cards=-2).chance(-1, 3, 0) == 1


def test_a_standing_counts_from_its_seat() -> None:
    deal = Deal("2H KS 9C 3D 4D 5D 7S 8S 10S")
    deal.state.column_counts = (4, 1)
    options = {"mode": "whole_deck", "columns": 3, "rounds": 5}
    deal.state.capture_counts = (18, 5)
    standings = [Standing.of_state(deal.state, seat, options) for seat in range(2)]
    assert [(standing.lead, standing.cards) for standing in standings] == [(3, 13), (-3, -13)]
