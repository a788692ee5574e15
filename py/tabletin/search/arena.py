"""The arena: levels of a bot against each other, seats rotated and deals mirrored, on all cores.

Each deal is played once for every rotation of the two sides over the seats, with the same shuffles, so that the luck of
the deal cancels. What is reported is the mean over deals with a 95 % interval. It plays through ``Table`` like a person.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import fmean, stdev
from time import monotonic
from typing import Any

from tabletin.games import GAMES, rules_of
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table

from .bots import BUDGET, RANDOM, Decision, Thought
from .worlds import random_move

MOST_MOVES = 20_000  # a match that goes on longer is a defect


@dataclass(slots=True)
class Played:
    """One match: scores by seat, winners, and what its decisions took (seconds) by level."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    low_wins: bool
    seconds: dict[str, list[float]] = field(default_factory=dict)


def decide(game: str, thought: Thought) -> Decision:
    """What the bot of ``game`` decides; level "random" needs no bot."""
    if thought.level == RANDOM:
        mean = getattr(GAMES[game].module("bot"), "RANDOM_DELAY", 0.0)  # seconds, in a game where speed counts
        delay = thought.rng.expovariate(1 / mean) if mean else 0.0
        return Decision(random_move(thought.rules, thought.state, thought.seat, thought.faces, thought.rng), delay=delay)
    decision: Decision = GAMES[game].module("bot").choose(thought)
    return decision


def play(game: str, levels: tuple[str, ...], options: Mapping[str, Any], seed: int, budget: float = BUDGET,
         watch: Callable[[Table], None] | None = None) -> tuple[Table, Played]:
    """A whole match between bots. Where several may act, simulated time decides: shorter delay first, then seat."""
    seats = tuple(Seat("bot", AUTHOR, level=level) for level in levels)
    rules = rules_of(game)
    table = Table.begin(rules, Setup(game, rules.version, options, seats), OpenDealer(Random(seed)))
    match = table.match
    minds = [Random(f"{seed} {seat} {level}") for seat, level in enumerate(levels)]
    seconds: dict[str, list[float]] = {level: [] for level in levels}
    for _ in range(MOST_MOVES):
        acting = match.rules.to_act(match.state)
        if not acting:
            break
        thoughts = []
        for seat in acting:
            begun = monotonic()
            decision = decide(game, Thought(match.view((seat,)), seat, levels[seat], minds[seat], budget))
            seconds[levels[seat]].append(monotonic() - begun)
            thoughts.append((decision.delay, seat, decision))
            if not decision.delay and len(acting) > 1:
                break  # it answers at once: nobody is faster
        _, seat, decision = min(thoughts, key=lambda thought: thought[:2])
        table.move(seat, decision.move)
        if watch is not None:
            watch(table)
    outcome = match.outcome
    if outcome is None:
        raise RuntimeError(f"{game} with seed {seed} did not end")
    return table, Played(outcome.scores, outcome.winners, outcome.low_wins, seconds)


@dataclass(frozen=True, slots=True)
class Task:
    game: str
    pair: tuple[str, str]
    seats: int
    options: tuple[tuple[str, Any], ...]
    seed: int
    budget: float


@dataclass(slots=True)
class Deal:
    """One deal's result for the first of a pair: its share of wins (0…1) and its score margin, over all rotations."""

    pair: tuple[str, str]
    share: float
    margin: float
    seconds: dict[str, list[float]]


def play_deal(task: Task) -> Deal:
    """One deal played with both sides in each other's places."""
    shares, margins = [], []
    seconds: dict[str, list[float]] = {}
    for turn in range(2):
        levels = tuple(task.pair[(seat + turn) % 2] for seat in range(task.seats))
        _, played = play(task.game, levels, dict(task.options), task.seed, task.budget)
        mine = [seat for seat in range(task.seats) if (seat + turn) % 2 == 0]
        others = [seat for seat in range(task.seats) if seat not in mine]
        sign = -1 if played.low_wins else 1
        margins.append(sign * (fmean(played.scores[s] for s in mine) - fmean(played.scores[s] for s in others)))
        weight = {seat: 1 / len(mine) if seat in mine else 1 / len(others) for seat in range(task.seats)}
        total = sum(weight[seat] for seat in played.winners)
        shares.append(sum(weight[seat] for seat in played.winners if seat in mine) / total if total else 0.5)
        for level, spent in played.seconds.items():
            seconds.setdefault(level, []).extend(spent)
    return Deal(task.pair, fmean(shares), fmean(margins), seconds)


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with the half-width of its 95 % interval."""

    mean: float
    half: float

    @classmethod
    def of(cls, values: list[float]) -> Interval:
        half = 1.96 * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("inf")
        return cls(fmean(values), half)

    def apart(self, point: float) -> bool:
        """Whether the whole interval lies above ``point``."""
        return self.mean - self.half > point


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the arena's table."""

    game: str
    pair: tuple[str, str]
    seats: int
    deals: int
    share: Interval
    margin: Interval
    milliseconds: Mapping[str, float]  # mean time a decision of each level
    slowest: float  # milliseconds


def run(game: str, pairs: list[tuple[str, str]], deals: int, *, seats: int | None = None, options: Mapping[str, Any],
        budget: float = BUDGET, seed: int = 1, workers: int | None = None,
        progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """Play ``deals`` deals for every pair of levels and give a row each."""
    count = seats or max(2, rules_of(game).seat_counts.start)
    tasks = [Task(game, pair, count, tuple(options.items()), seed + number, budget) for pair in pairs for number in range(deals)]
    done: dict[tuple[str, str], list[Deal]] = {pair: [] for pair in pairs}
    with ProcessPoolExecutor(workers or os.cpu_count()) as pool:
        for number, deal in enumerate(pool.map(play_deal, tasks), 1):
            done[deal.pair].append(deal)
            if progress is not None:
                progress(number, len(tasks))
            if len(done[deal.pair]) == deals:
                yield _row(game, deal.pair, count, done[deal.pair])


def _row(game: str, pair: tuple[str, str], seats: int, deals: list[Deal]) -> Row:
    spent = {level: [s for deal in deals for s in deal.seconds.get(level, [])] for level in pair}
    return Row(game, pair, seats, len(deals), Interval.of([deal.share for deal in deals]),
               Interval.of([deal.margin for deal in deals]),
               {level: 1000 * fmean(values) if values else 0.0 for level, values in spent.items()},
               1000 * max((s for values in spent.values() for s in values), default=0.0))
