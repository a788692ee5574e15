"""Reasons tell the truth: what a bot of any level gives as its reason is held against the table it decided at.

Whether a reason holds a family says in ``tests/games/<family>/reasons.py``: of each but its ``OPINIONS``, which say what the bot
thinks. A family without that file has reasons that need only have words.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random
from typing import Any

import pytest

from tabletin.bots.arena import decide
from tabletin.bots.decision import Decision, Position
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.setup import LEVELS, Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import GAMES, rules_of
from tabletin.words import load
from tabletin.words.wording import Wording
from tests.support.counted_clock import CountedClock
from tests.support.examples import declared, option_sets
from tests.support.positions import hand_of

WORDS = load()
reasons = partial(declared, module="reasons")
Told = tuple[Position, Decision]
CASES: list[tuple[str, int, dict[str, Any]]] = [
    case for game, entry in GAMES.items()
    for case in reasons(entry.family, "CASES", [(game, seats, dict(options)) for seats, options in option_sets(game)[:1]])
    if case[0] == game]


def told(game: str, seats: int, options: dict[str, Any], level: str, seed: int) -> list[Told]:
    """What bots of ``level`` decide in a match, or its beginning, and what they decided from."""
    family = GAMES[game].family
    budget, most = reasons(family, "BUDGET", 0.05), reasons(family, "MOST", 260)
    rules = rules_of(game)
    players = tuple(Seat("bot", AUTHOR, level=level, name=f"P{seat}") for seat in range(seats))
    table = Table.begin(rules, Setup(game, rules.version, options, players), OpenDealer(Random(seed)))
    match, rng = table.match, Random(seed)
    found: list[Told] = []
    wording = Wording(WORDS, match.setup)
    while (acting := match.rules.to_act(match.state)) and len(found) < most:
        answers = []
        for seat in acting:
            view = match.view((seat,))
            thought = Position(view, seat, level, rng, budget, CountedClock(2000))
            decision = decide(game, thought)
            assert wording.phrase(decision.why, dict(decision.params)), decision.why
            answers.append((decision.delay, seat, decision, thought))
        _, seat, decision, thought = min(answers, key=lambda answer: answer[:2])
        found.append((thought, decision))
        table.move(seat, decision.move)
    return found


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("game", "seats", "options"), CASES, ids=lambda value: value if isinstance(value, str) else None)
def test_reasons_are_true(game: str, seats: int, options: dict[str, Any], level: str) -> None:
    family = GAMES[game].family
    claim, opinions = reasons(family, "claim", None), reasons(family, "OPINIONS", frozenset())
    checked: Counter[str] = Counter()
    for thought, decision in told(game, seats, options, level, 4):
        if claim is None:
            continue
        held = claim(thought, decision)
        assert held is not False, (decision, hand_of(thought))
        assert (held is None) == (decision.why.rpartition(".")[2] in opinions), decision
        checked[decision.why] += held is True
    assert claim is None or checked.total() >= 3, checked
