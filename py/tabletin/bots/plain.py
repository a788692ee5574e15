"""The bot of a family that has no ``bot`` module yet: at every level it makes a random legal move."""

from __future__ import annotations

from tabletin.bots.decision import Decision, Position
from tabletin.kernel.setup import LEVELS as LEVELS


def choose(position: Position) -> Decision:
    """A random move, after the delay that the rules give a random player."""
    rules, mean = position.rules, position.rules.random_delay
    delay = position.rng.expovariate(1 / mean) if mean else 0.0
    return Decision(rules.random_move(position.state, position.seat, position.faces, position.rng), "plain.why", delay=delay)
