"""Invariant 7 for every game and level: bots decide from their seat's view alone, legally, and whatever time they get."""

from __future__ import annotations

import json
from itertools import count
from random import Random

import pytest

from tabletin.bots.decision import Decision, Position
from tabletin.kernel.faces import Faces
from tabletin.kernel.match import Match
from tabletin.kernel.setup import LEVELS
from tabletin.registry import GAMES
from tabletin.words import load
from tests.support.cases import CASES, Case
from tests.support.random_matches import begin, step

WORDS = load()
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}-{json.dumps(case[2])}")
each_level = pytest.mark.parametrize("level", LEVELS)


def decision(match: Match, seat: int, level: str, budget: int) -> Decision:
    """What a bot decides by a clock that ticks once whenever it is looked at; ``budget`` in ticks."""
    clock = count()
    position = Position(match.view((seat,)), seat, level, Random(7), budget, lambda: next(clock))
    found: Decision = GAMES[match.setup.game].module("bot").choose(position)
    return found


def lied_to(match: Match, seat: int, rng: Random) -> None:
    """Every face that ``seat`` does not know becomes another one's."""
    known = match.view((seat,)).faces
    hidden = [card for card in match.knowledge if card not in known]
    faces = [match.knowledge[card] for card in hidden]
    rng.shuffle(faces)
    match.knowledge = Faces({**match.knowledge, **dict(zip(hidden, faces, strict=True))})


@each_level
@each_case
def test_invariant_7_bots_decide_from_their_own_view_alone_and_in_any_time(case: Case, level: str) -> None:
    """The same move whatever the closed cards are; a legal one, with a reason in words, even where no time is left."""
    table, rng = begin(case, 12), Random(13)
    match, rules = table.match, table.match.rules
    for number in range(48):
        acting = rules.to_act(match.state)
        if not acting:
            break
        if number % 4 == 0:
            seat, truth, before = rng.choice(acting), match.knowledge, match.state.copy()
            found = decision(match, seat, level, 8)
            lied_to(match, seat, rng)
            assert decision(match, seat, level, 8) == found
            match.knowledge = truth
            faces = match.view((seat,)).faces
            for one in (found, decision(match, seat, level, 0)):
                assert one.why in WORDS
                assert rules.own_refusal(match.state, seat, one.move, faces) is None
                assert rules.make(match.state.copy(), seat, one.move, faces) is None
            assert match.state == before
        step(table, rng)
