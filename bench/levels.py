"""How each level of a game's bot plays among its equals: ``python3 bench/levels.py GAME [--matches 10]``.

It prints the mean score of a seat, and how often a seat made each kind of move in a match.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from tabletin.bots.arena import decide, play
from tabletin.bots.decision import Decision, Position
from tabletin.bots.matchups import ARENA_BUDGET, measurement_of
from tabletin.kernel.setup import LEVELS, RANDOM
from tabletin.registry import GAMES


class VerbCount:
    """A level at the table; it counts its moves by their verbs."""

    def __init__(self, game: str, level: str) -> None:
        self.game = game
        self.level = level
        self.verbs: Counter[str] = Counter()

    def __call__(self, position: Position) -> Decision:
        position.level = self.level
        decision = decide(self.game, position)
        self.verbs[decision.move[0]] += 1
        return decision


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--matches", type=int, default=10)
    asked = parser.parse_args()
    measurement = measurement_of(asked.game)
    for level in (RANDOM, *LEVELS):
        count = VerbCount(asked.game, level)
        scores: list[float] = []
        for seed in range(1, asked.matches + 1):
            _, result = play(asked.game, ("guest",) * measurement.seats, dict(measurement.options), seed, ARENA_BUDGET,
                             guests={"guest": count})
            scores += result.scores
        moves = ", ".join(f"{verb} {number / len(scores):.1f}" for verb, number in sorted(count.verbs.items()))
        print(f"{level:7} {fmean(scores):8.1f} points   {moves}", flush=True)


if __name__ == "__main__":
    main()
