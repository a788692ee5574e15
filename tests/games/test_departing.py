"""Seats that leave a hand being played, in every game: the others play on to an end, and nothing of theirs is touched."""

from __future__ import annotations

from collections import Counter
from itertools import count

import pytest

from tabletin.bots.decision import Decision, Position
from tabletin.bots.determinize import HiddenCards
from tabletin.kernel.setup import LEVELS
from tabletin.registry import GAMES, rules_of
from tabletin.words import load
from tests.support.cases import Case
from tests.support.departures import CASES, MOST_MOVES, Played, each_case

WORDS = load()


@each_case
def test_a_match_is_played_on_whoever_leaves(case: Case, matches: int) -> None:
    for seed in range(max(1, matches // 10)):
        played = Played(case, seed)
        for _ in range(MOST_MOVES):
            if played.maybe_leave():
                for seat in played.rules.playing(played.state):
                    worlds_fit(played, seat)
            if not played.step():
                break
        played.to_the_end()


def worlds_fit(played: Played, seat: int) -> None:
    """A world imagined by ``seat`` gives every live card a face, as many of each as there are, and what is seen stays."""
    view = played.view(seat)
    world = HiddenCards(view).draw(played.rng)
    cards = played.cards()
    assert all(world[card] == view.faces[card] for card in cards if card in view.faces)
    imagined = Counter(world[card] for card in cards)
    assert imagined <= Counter(played.rules.deck())
    assert not imagined & Counter() and len(cards) == imagined.total()
    gone = Counter(face for card, face in view.faces.items() if card not in set(cards))
    assert imagined + gone <= Counter(played.rules.deck()), "what left the table open is nowhere else"


@each_case
@pytest.mark.parametrize("level", LEVELS)
def test_bots_play_on_whoever_leaves(case: Case, level: str) -> None:
    """A legal move with a reason in words, with some time to think and with none."""
    played = Played(case, 77)
    choose = GAMES[case[0]].module("bot").choose
    decided = 0
    for number in range(150):
        played.maybe_leave()
        acting = played.rules.to_act(played.state)
        if not acting or decided > 25:
            break
        if not played.state.absentees:
            played.step()
            continue
        seat = played.rng.choice(acting)
        position = Position(played.view(seat), seat, level, played.rng, number % 2 * 8, count().__next__)
        decision: Decision = choose(position)
        assert decision.why in WORDS
        assert played.rules.own_refusal(played.state, seat, decision.move, played.view(seat).faces) is None
        played.move(seat, decision.move)
        decided += 1


@each_case
def test_a_hand_that_somebody_left_can_still_be_void(case: Case) -> None:
    """Another peer is gone for good: the hand is dealt anew to every seat, or the match ends and who left does not win it."""
    met = 0
    for seed in range(60):
        played = Played(case, 300 + seed)
        while not played.state.absentees and played.step():
            played.maybe_leave()
        if not played.state.absentees or played.rules.result(played.state) is not None:
            continue
        if met == 3:
            break
        met += 1
        before, between = played.rules.standings(played.state), getattr(played.state, "phase", "") in ("counted", "scored")
        played.rules.redeal(played.state)
        assert played.rules.standings(played.state) == before
        outcome = played.rules.result(played.state)
        if outcome is not None:
            assert outcome.unfinished and not set(outcome.winners) & played.state.absentees
            continue
        assert not played.state.absentees or between
        played.deal()
        played.to_the_end()
    assert met == 3


def test_every_game_that_can_be_played_on_is_tried() -> None:
    assert {game for game, _, _ in CASES} == {game for game in GAMES if rules_of(game).plays_on}
    assert all(rules_of(game).seat_counts.stop > 3 for game, _, _ in CASES)
