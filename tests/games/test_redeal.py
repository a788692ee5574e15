"""A void hand: dealt anew with the totals kept, or the match broken off, at any moment of every game."""

from __future__ import annotations

from random import Random

import pytest

from tabletin.bots.determinize import deal_on
from tabletin.kernel.rules import Rules
from tabletin.registry import GAMES, rules_of
from tests.support.cases import CASES, Case
from tests.support.random_matches import MOST_MOVES, begin, each_case, step


@each_case
@pytest.mark.parametrize("after", [0, 20])
def test_a_void_hand_is_dealt_anew_or_ends_the_match(case: Case, after: int) -> None:
    """Whatever was going on, play goes on to an end, and nobody's written score has changed by the redeal."""
    table, rng = begin(case, 40 + after), Random(after)
    match, rules = table.match, table.match.rules
    for _ in range(after):
        if not step(table, rng):
            return
    state = match.state.copy()
    state.requests = ()
    before = rules.standings(state)
    rules.redeal(state)
    outcome = rules.result(state)
    if outcome is not None:
        assert outcome.unfinished and outcome.reason == "kernel.broken_off" and outcome.scores == before
        return
    world = match.knowledge.copy()
    deal_on(rules, state, world, rng)
    for _ in range(MOST_MOVES):
        acting = rules.to_act(state)
        if not acting:
            break
        seat = rng.choice(acting)
        assert rules.make(state, seat, rules.random_move(state, seat, world, rng), world) is None
        deal_on(rules, state, world, rng)
    ended = rules.result(state)
    assert ended is not None and not ended.unfinished


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_says_it_has_several_hands_deals_anew(game: str) -> None:
    rules = rules_of(game)
    assert rules.several_hands == (rules.redeal is not Rules.redeal)


def test_every_game_is_tried() -> None:
    assert len({game for game, _, _ in CASES}) == len(GAMES)
