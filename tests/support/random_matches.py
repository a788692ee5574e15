"""Random matches of every game: begun, played on by random moves, finished ones kept to be read. Moves for a purpose, found
from the rules."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

import pytest

from tabletin.bots import arena
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.logfile import audit, export, load
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.rules import Rules
from tabletin.kernel.schema import Malformed, Move, read_move, sample_move
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import rules_of
from tests.support.cases import CASES, Case

MOST_MOVES = 20_000
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}-{json.dumps(case[2])}")


def begin(case: Case, seed: int) -> Table:
    game, seats, options = case
    rules = rules_of(game)
    return Table.begin(rules, Setup(game, rules.version, options, (Seat("person", AUTHOR),) * seats), OpenDealer(Random(seed)))


def step(table: Table, rng: Random) -> bool:
    """One random move by a random seat that may act, from that seat's view; False when the match is over."""
    match = table.match
    acting = match.rules.to_act(match.state)
    if not acting:
        return False
    seat = rng.choice(acting)
    view = match.view((seat,))
    table.move(seat, match.rules.random_move(match.state, seat, view.faces, rng))
    return True


def play(case: Case, seed: int) -> Match:
    table, rng = begin(case, seed), Random(seed + 1)
    for _ in range(MOST_MOVES):
        if not step(table, rng):
            assert table.match.outcome is not None
            return table.match
    raise AssertionError(f"no end after {MOST_MOVES} moves: {case} {seed}")


@cache
def _played(key: str) -> Match:
    game, seats, options = json.loads(key)
    return play((game, seats, options), 11)


def played(case: Case) -> Match:
    """A finished random match of ``case``, made once and only read."""
    return _played(json.dumps(case))


def check_ended(match: Match) -> None:
    """No finished state asks for anything; the file of the match loads to the same end, and the audit finds nothing."""
    assert match.outcome is not None
    for _, state, _ in match.story():
        assert match.rules.result(state) is None or not state.requests
    again = load(export(match), rules_of)
    assert again.outcome == match.outcome and again.state == match.state
    assert audit(again) == []


@cache
def between_bots(game: str) -> Match:
    """A match between easy bots."""
    table, _ = arena.play(game, ("easy",) * max(2, rules_of(game).seat_counts[0]), {}, seed=3, budget=0.01)
    return table.match


def bare_move(rules: Rules[Any]) -> Move:
    """A move of the right form that names nothing: each part of it is empty, or no number, or 0."""
    for verb in sorted(rules.verbs, key=lambda verb: len(rules.verbs[verb])):
        for blank in ((), None, 0):
            with suppress(Malformed):
                return read_move(rules.verbs, (verb, *(blank for _ in rules.verbs[verb])))
    raise AssertionError("no such move")


def wrong_move(match: Match, seat: int) -> Move:
    """A move of the right form that opens nothing and that ``seat`` may not make."""
    for number in range(1000):
        move = sample_move(match.rules.verbs, Random(number))
        with suppress(Refused):
            read, openings = match.view((seat,)).prepare(seat, move)
            if not openings and match.rules.judge(match.state, seat, read) is not None:
                return move
    raise AssertionError("no such move")


def asking_move(match: Match, seat: int) -> Move | None:
    """A move of ``seat`` after which the dealer is asked for something; None where there is no such move."""
    view = match.view((seat,))
    for move in view.moves(seat):
        read, openings = view.prepare(seat, move)
        state = match.state.copy()
        state.public.update(openings)
        match.rules.apply(state, seat, read)
        if state.requests:
            return move
    return None
