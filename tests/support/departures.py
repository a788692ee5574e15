"""Matches in which seats leave the hand being played: what the tests of such hands share.

The rules are driven directly, with every face known to the driver, and what must hold is checked after every step.
"""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from tabletin.bots.determinize import deal_on
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.match import View
from tabletin.kernel.rules import Rules
from tabletin.kernel.schema import Move
from tabletin.registry import GAMES, rules_of
from tests.support.cases import Case
from tests.support.examples import departures

CASES: list[Case] = [(game, seats, dict(options)) for game in GAMES for seats, options in departures(game)]
MOST_MOVES = 20_000
SELDOM = frozenset({"reply", "counter", "counted", "scored", "show"})  # phases of some game in which few moves are made

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}-{json.dumps(case[2])}")


class Played:
    """A match by random moves in which seats leave. ``taken``: the faces that went with who left the hand being played."""

    def __init__(self, case: Case, seed: int) -> None:
        game, seats, options = case
        self.rules: Rules[Any] = rules_of(game)(seats, options)
        self.rng = Random(seed)
        self.world = Faces()
        self.state: Any = self.rules.start()
        self.taken: Counter[Face] = Counter()
        self.deal()

    def deal(self) -> None:
        deal_on(self.rules, self.state, self.world, self.rng)
        if not self.state.absentees:
            self.taken.clear()

    def cards(self) -> list[Card]:
        return [card for zone in self.rules.zones(self.state).values() for card in zone]

    def view(self, seat: int) -> View:
        """What ``seat`` sees."""
        state = self.state
        faces = Faces((card, self.world[card]) for card, shown in state.viewers.items() if shown >> seat & 1)
        faces.update(state.public)
        return View(self.rules, state, (seat,), faces)

    def leave(self, *seats: int) -> None:
        """``seats`` leave together, as ``can_depart`` says they may."""
        rules, state = self.rules, self.state
        held = {card for seat in seats for card in rules.zones(state).get(("hand", str(seat)), ())}
        before, scores = set(self.cards()), rules.standings(state)
        rules.depart(state, *seats)
        assert set(seats) <= state.absentees or any(request.purpose == "deck" for request in state.requests)
        if state.absentees:
            assert before - set(self.cards()) == held, "their hands leave the table, and nothing else"
            self.taken += Counter(self.world[card] for card in held)
            if rules.result(state) is None:
                assert rules.standings(state) == scores, "nobody's score changes by it"  # unless it was the last waited for
        self.deal()

    def check(self) -> None:
        """What must hold at any moment."""
        rules, state = self.rules, self.state
        cards = self.cards()
        assert len(cards) == len(set(cards))
        assert Counter(self.world[card] for card in cards) + self.taken == Counter(rules.deck())
        assert not set(rules.actors(state)) & state.absentees
        assert all(not cards for zone, cards in rules.zones(state).items()
                   if isinstance(zone, tuple) and zone[0] == "hand" and int(zone[1]) in state.absentees)

    def step(self) -> bool:
        """One move by a seat that may act, now and then the one a timer would make; False when the match is over."""
        rules, state, rng = self.rules, self.state, self.rng
        acting = rules.to_act(state)
        if not acting:
            return False
        seat = rng.choice(acting)
        move = rules.default(state, seat) if rng.random() < 0.1 else None
        if move is None:
            faces = self.view(seat).faces
            move = rules.random_move(state, seat, faces, rng)
            assert rules.own_refusal(state, seat, move, faces) is None
        self.move(seat, move)
        return True

    def move(self, seat: int, move: Move) -> None:
        refusal = self.rules.make(self.state, seat, move, self.world)
        assert refusal is None, (move, refusal)
        self.deal()
        self.check()

    def maybe_leave(self) -> tuple[int, ...]:
        """Now and then one or two seats leave, likelier in a moment that is seldom met; who they are."""
        often = 0.25 if getattr(self.state, "phase", "") in SELDOM else 0.025
        if self.rng.random() >= often:
            return ()
        here = [seat for seat in range(self.rules.seats) if seat not in self.state.absentees]
        group = tuple(self.rng.sample(here, min(len(here), self.rng.choice((1, 1, 1, 2)))))
        if not self.rules.can_depart(self.state, *group):
            return ()
        self.leave(*group)
        self.check()
        return group

    def to_the_end(self) -> None:
        for _ in range(MOST_MOVES):
            if not self.step():
                break
        outcome = self.rules.result(self.state)
        assert outcome is not None and not outcome.unfinished
        assert outcome.winners and not set(outcome.winners) & self.state.absentees
        assert self.rules.sheet(self.state) is not None
