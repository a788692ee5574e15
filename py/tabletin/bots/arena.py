"""The arena: levels of a bot against each other, seats rotated and deals mirrored, on all cores.

Each deal is played once for every rotation of the two sides over the seats, with the same shuffles, so that the luck of
the deal cancels. What is reported is the mean over deals with a 95 % interval. It plays through ``Table`` like a person,
and bots' time is the processor's, so that a busy machine neither weakens them nor makes them look slow.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import fmean, stdev
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from tabletin.bots import plain
from tabletin.bots.decision import BUDGET, Decision, Position
from tabletin.bots.matchups import Bout
from tabletin.bots.results import Record, mark
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.match import Match
from tabletin.kernel.setup import ALL_LEVELS, RANDOM, SEER, USUAL_LEVEL, Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import GAMES, rules_of

CLOCK: Final[Callable[[], float]] = getattr(time, "thread_time", time.process_time)
"""Seconds of the processor. That of a thread is the cheaper one to look at; a browser has none."""
MOST_MOVES = 20_000  # a match that goes on longer is a defect
Mind: TypeAlias = Callable[[Position], Decision]
NO_GUESTS: Final[Mapping[str, Mind]] = MappingProxyType({})


class ThinkingCost(NamedTuple):
    """What a level's decisions took: how many, seconds in all, the longest."""

    decisions: int
    total: float
    longest: float

    def plus(self, other: ThinkingCost) -> ThinkingCost:
        return ThinkingCost(self.decisions + other.decisions, self.total + other.total, max(self.longest, other.longest))


NO_TIME = ThinkingCost(0, 0.0, 0.0)


@dataclass(slots=True)
class MatchResult:
    """One match: scores by seat, winners, and what its decisions took by level."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    low_wins: bool
    costs: dict[str, ThinkingCost] = field(default_factory=dict)


def decide(game: str, thought: Position) -> Decision:
    """What the bot of ``game`` decides; level "random" needs no bot."""
    if thought.level == RANDOM:
        return plain.choose(thought)
    decision: Decision = GAMES[game].module("bot").choose(thought)
    return decision


def play(game: str, levels: tuple[str, ...], options: Mapping[str, Any], seed: int, budget: float = BUDGET,
         watch: Callable[[Table], None] | None = None, guests: Mapping[str, Mind] = NO_GUESTS) -> tuple[Table, MatchResult]:
    """A whole match between bots. Where several may act, simulated time decides: who is ready sooner, then seat. What a bot
    takes its time for it does then, unless that no longer fits, as at a table.

    ``guests``: players that are no level of the game's bot, by a name that may stand among ``levels``.
    """
    seats = tuple(Seat("bot", AUTHOR, level=level if level in ALL_LEVELS else USUAL_LEVEL) for level in levels)
    rules = rules_of(game)
    table = Table.begin(rules, Setup(game, rules.version, options, seats), OpenDealer(Random(seed)))
    match = table.match
    minds = [Random(f"{seed} {seat} {level}") for seat, level in enumerate(levels)]
    spent = dict.fromkeys(levels, NO_TIME)
    now, pending = 0.0, dict[int, tuple[float, Decision]]()  # when, in simulated seconds, and what
    for _ in range(MOST_MOVES):
        acting = match.rules.to_act(match.state)
        if not acting:
            break
        pending = {seat: kept for seat, kept in pending.items() if _still_fits(match, seat, kept[1])}
        for seat in acting:
            if seat in pending:
                continue
            level, begun = levels[seat], CLOCK()
            view = match.view(None if level == SEER else (seat,))
            mind = "hard" if level == SEER else level
            position = Position(view, seat, mind, minds[seat], budget, CLOCK)
            decision = guests[level](position) if level in guests else decide(game, position)
            took = CLOCK() - begun
            spent[level] = spent[level].plus(ThinkingCost(1, took, took))
            pending[seat] = now + decision.delay, decision
            if not decision.delay and len(acting) > 1:
                break  # it answers at once: nobody is faster
        seat = min(pending, key=lambda seat: (pending[seat][0], seat))
        now, decision = pending.pop(seat)
        table.move(seat, decision.move)
        if watch is not None:
            watch(table)
    outcome = match.outcome
    if outcome is None:
        raise RuntimeError(f"{game} with seed {seed} did not end")
    return table, MatchResult(outcome.scores, outcome.winners, outcome.low_wins, spent)


def _still_fits(match: Match, seat: int, decision: Decision) -> bool:
    """Whether ``seat`` can still do what it takes its time for; what needs none is thought of anew."""
    return bool(decision.delay) and seat in match.rules.to_act(match.state) and \
        match.view((seat,)).refusal(seat, decision.move) is None


class Task(NamedTuple):
    bout: Bout
    seed: int
    budget: float


class Deal(NamedTuple):
    """One deal's result for the first of a pair: its share of wins (0…1) and its score margin, over all rotations."""

    share: float
    margin: float
    costs: dict[str, ThinkingCost]


def play_deal(task: Task, guests: Mapping[str, Mind] = NO_GUESTS) -> Deal:
    """One deal played with both sides in each other's places. ``guests``: as for ``play``."""
    bout = task.bout
    shares, margins = [], []
    spent = dict.fromkeys(bout.pair, NO_TIME)
    for turn in range(2):
        levels = tuple(bout.pair[(seat + turn) % 2] for seat in range(bout.seats))
        _, played = play(bout.game, levels, dict(bout.options), task.seed, task.budget, guests=guests)
        mine = [seat for seat in range(bout.seats) if (seat + turn) % 2 == 0]
        others = [seat for seat in range(bout.seats) if seat not in mine]
        sign = -1 if played.low_wins else 1
        margins.append(sign * (fmean(played.scores[s] for s in mine) - fmean(played.scores[s] for s in others)))
        weight = {seat: 1 / len(mine) if seat in mine else 1 / len(others) for seat in range(bout.seats)}
        total = sum(weight[seat] for seat in played.winners)
        shares.append(sum(weight[seat] for seat in played.winners if seat in mine) / total if total else 0.5)
        for level, took in played.costs.items():
            spent[level] = spent[level].plus(took)
    return Deal(fmean(shares), fmean(margins), spent)


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with the half-width of its 95 % interval."""

    mean: float
    half: float

    @classmethod
    def of_values(cls, values: list[float]) -> Interval:
        half = 1.96 * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("inf")
        return cls(fmean(values), half)

    def apart(self, point: float) -> bool:
        """Whether the whole interval lies above ``point``."""
        return self.mean - self.half > point


@dataclass(frozen=True, slots=True)
class ArenaRow:
    """One line of the arena's table. ``milliseconds``: a decision of each level takes; ``slowest`` of all of them."""

    bout: Bout
    share: Interval
    margin: Interval
    milliseconds: Mapping[str, float]
    slowest: float


def run(bouts: Iterable[Bout], *, budget: float, seed: int = 1, workers: int | None = None, record: Record | None = None,
        progress: Callable[[int, int], None] | None = None) -> Iterator[ArenaRow]:
    """A row for every bout, as soon as it is complete. Deals that ``record`` holds are not played again."""
    bouts = list(bouts)
    for game in {bout.game for bout in bouts}:
        GAMES[game].module("bot")  # now, so that all deals are played with the code that is marked now
        mark(game)
    for bout in bouts:
        key = (*bout._replace(deals=0), budget)
        done = {} if record is None else record.deals(bout.game, key)
        seeds = range(seed, seed + bout.deals)
        tasks = [Task(bout, number, budget) for number in seeds if number not in done]
        found = {number: Deal(share, margin, {level: ThinkingCost(*took) for level, took in spent.items()})
                 for number, (share, margin, spent) in done.items() if number in seeds}
        if tasks:
            with ProcessPoolExecutor(workers or os.cpu_count()) as pool:
                for task, deal in zip(tasks, pool.map(play_deal, tasks), strict=True):
                    found[task.seed] = deal
                    if record is not None:
                        record.keep(bout.game, key, task.seed, deal)
                    if progress is not None:
                        progress(len(found), bout.deals)
        yield _row(bout, list(found.values()))


def _row(bout: Bout, deals: list[Deal]) -> ArenaRow:
    spent = dict.fromkeys(bout.pair, NO_TIME)
    for deal in deals:
        for level, took in deal.costs.items():
            spent[level] = spent[level].plus(took)
    return ArenaRow(bout, Interval.of_values([deal.share for deal in deals]), Interval.of_values([deal.margin for deal in deals]),
               {level: 1000 * took.total / max(1, took.decisions) for level, took in spent.items()},
               1000 * max(took.longest for took in spent.values()))
