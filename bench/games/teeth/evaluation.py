"""Fits what open columns at Teeth are worth: ``python3 bench/games/teeth/evaluation.py [--matches 800] [--rounds 2]``.

The hard bot plays itself without imagining anything, and now and then does something by chance, so that much is seen. After each
turn every open column is noted as its seat sees it, and later whether the seat won it. A logistic regression over the features
gives new weights, with which the next round is played. Printed are the weights as
``tabletin.games.teeth.evaluation`` holds them, and how well they foretell the matches that were kept out of the fit, in nats a
column, beside the plain chance of winning it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from math import exp, log
from operator import mul
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from tabletin.bots.arena import play
from tabletin.bots.decision import Decision, Position
from tabletin.games.teeth import evaluation
from tabletin.games.teeth.bot import choose
from tabletin.games.teeth.columns import DECK
from tabletin.games.teeth.evaluation import SeenColumn
from tabletin.games.teeth.reckon import Belief, code_of, count_hidden, reckoner_of
from tabletin.games.teeth.rules import Teeth
from tabletin.games.teeth.state import PLACING, TURN, TeethState
from tabletin.kernel.table import Table

BY_CHANCE = 0.05  # of the decisions
HELD_OUT = 5  # every so many matches one is kept out of the fit
RIDGE = 1.0
STEPS = 8  # of Newton's method
PLAIN = 2  # so many features are a constant and the chance as the cards lie

Sample = tuple[tuple[float, ...], bool]  # a column's features, and whether the seat won it


def samples(seed: int) -> list[Sample]:
    """The open columns after each turn of a match, as the seat sees them whose turn it was."""
    rng, found = Random(seed), list[Sample]()
    noted: dict[int, list[tuple[tuple[float, ...], int]]] = {}  # by the handle of seat 0's card

    def mind(position: Position) -> Decision:
        state = position.state
        assert isinstance(state, TeethState)
        if state.phase in (TURN, PLACING) and rng.random() < BY_CHANCE:
            return Decision(rng.choice(list(position.view.moves(position.seat))), "")
        position.level = "hard"
        return choose(position)

    def look(table: Table) -> None:
        match, state = table.match, table.match.state
        rules = match.rules
        assert isinstance(rules, Teeth) and isinstance(state, TeethState)
        columns = [column for column in state.columns if column is not None]
        for gone in noted.keys() - {column.owns[0] for column in columns}:
            assert state.last is not None
            found.extend((said, seat == state.last.winner) for said, seat in noted.pop(gone))
        if state.phase != TURN:
            return
        seat, chosen = 1 - state.turn, rules.option_values
        reckoner, faces = reckoner_of(chosen["court"], chosen["joker"], chosen["limit"]), match.view((seat,)).faces
        live = [card for cards in rules.zones(state).values() for card in cards]
        belief = Belief(reckoner, count_hidden(reckoner, DECK, live, faces))
        for column in columns:
            seen = SeenColumn(reckoner.count[faces[column.owns[seat]]][0], code_of(reckoner.look(column, seat, faces)))
            noted.setdefault(column.owns[0], []).append((seen.features(belief, len(columns), len(state.pile)), seat))

    play("teeth", ("self", "self"), {}, seed, 0.0, watch=look, guests={"self": mind})
    return found


def fitted(known: Sequence[Sample]) -> tuple[float, ...]:
    """The weights under which what is ``known`` is likeliest, small ones preferred."""
    size = len(known[0][0])
    weights = [0.0] * size
    for _ in range(STEPS):
        slope = [-RIDGE * weight for weight in weights]
        bend = [[RIDGE * (row == column) for column in range(row + 1)] for row in range(size)]
        for said, won in known:
            chance = 1 / (1 + exp(-sum(map(mul, weights, said))))
            wrong, spread = won - chance, chance * (1 - chance)
            for row, feature in enumerate(said):
                slope[row] += wrong * feature
                if feature:
                    scale, line = spread * feature, bend[row]
                    for column in range(row + 1):
                        line[column] += scale * said[column]
        weights = [weight + step for weight, step in zip(weights, solved(bend, slope), strict=True)]
    return tuple(weights)


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """What times ``matrix`` gives ``right``; of the symmetric, positive matrix the lower half is given (Cholesky)."""
    root: list[list[float]] = []
    for row in matrix:
        line: list[float] = []
        for other in root:
            line.append((row[len(line)] - sum(map(mul, line, other))) / other[-1])
        line.append((row[-1] - sum(map(mul, line, line))) ** 0.5)
        root.append(line)
    forward: list[float] = []
    for line, value in zip(root, right, strict=True):
        forward.append((value - sum(map(mul, line, forward))) / line[-1])
    back = [0.0] * len(right)
    for at in reversed(range(len(right))):
        back[at] = (forward[at] - sum(root[row][at] * back[row] for row in range(at + 1, len(right)))) / root[at][at]
    return back


def surprise(weights: Sequence[float], known: Sequence[Sample]) -> float:
    """How badly ``weights`` foretell what is ``known``, in nats a column."""
    total = 0.0
    for said, won in known:
        chance = 1 / (1 + exp(-sum(map(mul, weights, said))))
        total -= log(chance if won else 1 - chance)
    return total / len(known)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=800)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--first", type=int, default=100_000, help="the seed of the first match")
    asked = parser.parse_args()
    kept: list[Sample] = []
    for again in range(asked.rounds):
        first = asked.first + again * asked.matches
        matches = [samples(seed) for seed in range(first, first + asked.matches)]
        kept += [one for number, match in enumerate(matches) if number % HELD_OUT for one in match]
        held_out = [one for match in matches[::HELD_OUT] for one in match]
        weights = fitted(kept)
        plain = fitted([(said[:PLAIN], won) for said, won in kept])
        print(f"{len(kept)} columns: {surprise(weights, held_out):.4f} nats, by the plain chance "
              f"{surprise(plain, [(said[:PLAIN], won) for said, won in held_out]):.4f}", flush=True)
        evaluation.WEIGHTS = weights  # type: ignore[misc]
        print(", ".join(f"{weight:.3f}" for weight in weights), flush=True)


if __name__ == "__main__":
    main()
