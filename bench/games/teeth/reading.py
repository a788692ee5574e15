"""What reading an opponent at Teeth brings: ``python3 bench/games/teeth/reading.py [--matches 12]``.

Matches of two equals of each level are played; at some turns the seat's belief of each closed card across is compared with the
truth. Printed is by how many bits the true card is likelier than by the plain odds, in the mean: below 0, reading would mislead.
"""

from __future__ import annotations

import argparse
import sys
from math import log2
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from tabletin.bots.arena import Interval, play
from tabletin.games.teeth.columns import DECK
from tabletin.games.teeth.reading import beliefs, draw_worlds, history, weigh
from tabletin.games.teeth.reckon import Belief, Reckoner, count_hidden
from tabletin.games.teeth.rules import Teeth
from tabletin.games.teeth.state import TURN
from tabletin.kernel.setup import LEVELS
from tabletin.kernel.table import Table

BUDGET = 0.04  # seconds of processor time for a decision
WORLDS = 100
LOOKED_AT = 0.4  # of the turns


def bits(level: str, matches: int) -> list[float]:
    """How much likelier the truth was, card by card."""
    rng, found = Random(1), list[float]()

    def look(table: Table) -> None:
        match, state = table.match, table.match.state
        rules = match.rules
        assert isinstance(rules, Teeth)
        if state.phase != TURN or rng.random() > LOOKED_AT:
            return
        seat, reckoner = state.turn, Reckoner(rules.values)
        faces = match.view((seat,)).faces
        befores = history(reckoner, state, seat, faces)
        if not any(before.hidden_columns for before in befores):
            return
        live = [card for cards in rules.zones(state).values() for card in cards]
        pool = count_hidden(reckoner, DECK, live, faces)
        truth = {at: reckoner.count[match.knowledge[column.owns[1 - seat]]] for at, column in enumerate(state.columns) if column}
        worlds = weigh(draw_worlds(pool, list(truth), WORLDS, rng), befores, Belief(reckoner, pool))
        for at, belief in beliefs(reckoner, worlds, list(truth), pool).items():
            found.append(log2(dict(belief.weights)[truth[at]] * sum(pool.values()) / pool[truth[at]]))

    for seed in range(1, matches + 1):
        play("teeth", (level, level), {}, seed, BUDGET, watch=look)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=12)
    asked = parser.parse_args()
    for level in LEVELS:
        found = bits(level, asked.matches)
        mean = Interval.of_values(found)
        print(f"{level:7} {mean.mean:+.2f} ± {mean.half:.2f} bits, {len(found)} cards", flush=True)


if __name__ == "__main__":
    main()
