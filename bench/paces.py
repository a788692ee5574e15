"""Random play, timed: what ``bench/rules.py`` runs under CPython and ``bench/rules_browser.py`` in a browser's worker.

A step is: draw one random legal move, judge it and apply it, dealing what it asks for.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any

from tabletin.bots.determinize import deal_on
from tabletin.kernel.faces import Faces
from tabletin.registry import rules_of


def play(game: str, seed: int) -> tuple[int, Any]:
    """One random match of the game's fewest seats (two at least) and default options: its steps and last state."""
    rules = rules_of(game)(max(2, rules_of(game).seat_counts.start))
    rng, world = Random(seed), Faces()
    state = rules.start()
    deal_on(rules, state, world, rng)
    steps = 0
    while acting := rules.to_act(state):
        seat = acting[0] if len(acting) == 1 else rng.choice(acting)
        if rules.make(state, seat, rules.random_move(state, seat, world, rng), world) is not None:
            raise RuntimeError("a proposed move was refused")
        if state.requests:
            deal_on(rules, state, world, rng)
        steps += 1
    return steps, state


def measure(game: str, seconds: float, clock: Callable[[], float] = perf_counter) -> tuple[float, float, float]:
    """Matches a second, steps a second, and microseconds to copy a state at the end of a match, by ``clock``."""
    play(game, 0)
    begun, matches, steps = clock(), 0, 0
    while (spent := clock() - begun) < seconds:
        matches += 1
        taken, state = play(game, matches)
        steps += taken
    begun = clock()
    for _ in range(2000):
        state.copy()
    return matches / spent, steps / spent, (clock() - begun) / 2000 * 1e6


def turns_a_second(seconds: float, clock: Callable[[], float] = perf_counter) -> float:
    """How many legal turns of Iota are proposed a second, over the positions of random matches."""
    rules = rules_of("iota")(2)
    count, begun, seed = 0, clock(), 0
    while clock() - begun < seconds:
        seed += 1
        rng, world, state = Random(seed), Faces(), rules.start()
        deal_on(rules, state, world, rng)
        while (acting := rules.to_act(state)) and clock() - begun < seconds:
            count += sum(1 for _ in rules.moves(state, acting[0], world))
            rules.make(state, acting[0], rules.random_move(state, acting[0], world, rng), world)
            deal_on(rules, state, world, rng)
    return count / (clock() - begun)
