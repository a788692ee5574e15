"""A hand played on without a seat that left it, on a toy game: the kernel's part, and what every game's part must keep."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletin.bots.determinize import deal_on
from tabletin.kernel.faces import Faces
from tests.support.highcard import HighCard, HighCardState


def begun(seed: int, seats: int, turns: int) -> tuple[HighCard, HighCardState, Faces, Random]:
    rules, rng, world = HighCard(seats, {"turns": turns}), Random(seed), Faces()
    state = rules.start()
    deal_on(rules, state, world, rng)
    return rules, state, world, rng


def play_one(rules: HighCard, state: HighCardState, world: Faces, rng: Random) -> None:
    seat = rules.to_act(state)[0]
    assert rules.make(state, seat, rng.choice(list(rules.moves(state, seat, world))), world) is None
    deal_on(rules, state, world, rng)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 4), st.integers(1, 2), st.integers(0, 6), st.booleans())
def test_a_hand_is_played_on_without_who_leaves(seed: int, seats: int, turns: int, after: int, together: bool) -> None:
    """At any moment one seat leaves, or two of four, one after the other or at once: the rest play to the end."""
    rules, state, world, rng = begun(seed, seats, turns)
    for _ in range(after):
        if rules.result(state) is None:
            play_one(rules, state, world, rng)
    leavers = rng.sample(range(seats), seats - 2)
    before = state.points
    for group in [leavers] if together else [[seat] for seat in leavers]:
        if not rules.can_depart(state, *group):
            assert rules.result(state) is not None
            return
        rules.depart(state, *group)
        assert state.absentees >= set(group) and not any(state.hands[seat] for seat in group)
        assert state.points == before
        deal_on(rules, state, world, rng)
    while rules.result(state) is None:
        assert not set(rules.to_act(state)) & state.absentees
        play_one(rules, state, world, rng)
    outcome = rules.result(state)
    assert outcome is not None and not outcome.unfinished and not set(outcome.winners) & state.absentees
    assert all(outcome.scores[seat] == before[seat] for seat in state.absentees)  # a lie among the others is nobody's here


def test_two_must_be_left_and_nothing_be_asked() -> None:
    rules, state, world, rng = begun(1, 3, 2)
    assert rules.can_depart(state, 0) and rules.can_depart(state, 2)
    assert not rules.can_depart(state, 0, 1), "one alone plays no hand"
    assert not rules.can_depart(rules.start(), 0), "the dealer is at work"
    rules.depart(state, 0)
    deal_on(rules, state, world, rng)
    assert not rules.can_depart(state, 1)
    state.broken_off = True
    assert not rules.can_depart(state, 0), "it is over"


def test_the_turn_passes_over_who_left() -> None:
    rules, state, _, _ = begun(2, 4, 2)
    state.turn = 1
    rules.depart(state, 1)
    assert rules.to_act(state) == (2,)
    rules.depart(state, 3)
    assert [rules.next_seat(state, seat) for seat in range(4)] == [2, 2, 0, 0]
    assert [rules.next_seat(state, seat, -1) for seat in range(4)] == [2, 0, 0, 2]


def test_claims_of_who_left_are_not_checked() -> None:
    rules, state, world, rng = begun(3, 3, 1)
    liar = state.turn
    state.claims = ((liar, state.hands[liar]),)
    rules.depart(state, liar)
    assert not state.copy().claims and rules.audit(state, world) == []
    while rules.result(state) is None:
        play_one(rules, state, world, rng)
    assert state.points[liar] == 0


def test_who_left_does_not_win_what_is_given_up_or_broken_off() -> None:
    rules, state, _, _ = begun(4, 4, 1)
    state.points = (9, 4, 4, 7)
    rules.depart(state, 0)
    assert rules.broken_off_outcome(state).winners == (3,)
    state.resigner = 3
    assert rules.resignation_outcome(state, 3).winners == (1, 2)


def test_with_a_new_deck_everybody_plays() -> None:
    rules, state, _, _ = begun(5, 3, 1)
    rules.depart(state, 1)
    assert state.copy().absentees == {1} and list(rules.playing(state)) == [0, 2]
    state.new_deck(rules.deck())
    assert not state.absentees and list(rules.playing(state)) == [0, 1, 2]


def test_a_game_that_does_not_play_on_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, state, _, _ = begun(6, 3, 1)
    monkeypatch.setattr(HighCard, "plays_on", False)
    assert not rules.can_depart(state, 0)
