"""How fast the rules are: random matches a second and steps a second of every game, beside public engines in the same run.

    python bench/rules.py [--seconds 3] [--games iota,dominoes] [--set-up]

A step is: draw one random legal move, judge it and apply it, dealing what it asks for. Baselines live in an environment of
their own (``--set-up`` makes it from package registries): RLCard's gin rummy, OpenSpiel's Python and C++ games, and a match
of boardgame.io's. Also times copying a state and proposing Iota's turns. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "py"))

from tabletin.games import GAMES, rules_of  # noqa: E402
from tabletin.kernel.faces import Faces  # noqa: E402
from tabletin.search.worlds import deal_on, random_move  # noqa: E402

BASELINES = ROOT / ".build" / "baselines"
PACKAGES = ("rlcard==1.2.0", "open_spiel==2.0.2")
NODE_PACKAGE = "boardgame.io@0.50.2"


def play(game: str, seed: int) -> tuple[int, Any]:
    """One random match of the game's fewest seats (two at least) and default options: its steps and last state."""
    rules = rules_of(game)(max(2, rules_of(game).seat_counts.start))
    rng, world = Random(seed), Faces()
    state = rules.start()
    deal_on(rules, state, world, rng)
    steps = 0
    while acting := rules.to_act(state):
        seat = rng.choice(acting)
        if rules.make(state, seat, random_move(rules, state, seat, world, rng), world) is not None:
            raise RuntimeError("a proposed move was refused")
        deal_on(rules, state, world, rng)
        steps += 1
    return steps, state


def measure(game: str, seconds: float) -> tuple[float, float, float]:
    """Matches a second, steps a second, and microseconds to copy a state at the end of a match."""
    play(game, 0)
    begun, matches, steps = perf_counter(), 0, 0
    while (spent := perf_counter() - begun) < seconds:
        matches += 1
        taken, state = play(game, matches)
        steps += taken
    begun = perf_counter()
    for _ in range(2000):
        state.copy()
    return matches / spent, steps / spent, (perf_counter() - begun) / 2000 * 1e6


def turns_a_second(seconds: float) -> float:
    """How many legal turns of Iota are proposed a second, over the positions of random matches."""
    rules = rules_of("iota")(2)
    count, begun, seed = 0, perf_counter(), 0
    while perf_counter() - begun < seconds:
        seed += 1
        rng, world, state = Random(seed), Faces(), rules.start()
        deal_on(rules, state, world, rng)
        while (acting := rules.to_act(state)) and perf_counter() - begun < seconds:
            count += sum(1 for _ in rules.moves(state, acting[0], world))
            rules.make(state, acting[0], random_move(rules, state, acting[0], world, rng), world)
            deal_on(rules, state, world, rng)
    return count / (perf_counter() - begun)


def set_up() -> None:
    """Make the baselines' own environment."""
    subprocess.run([sys.executable, "-m", "venv", BASELINES], check=True)
    subprocess.run([BASELINES / "bin" / "pip", "install", "--quiet", *PACKAGES], check=True)
    subprocess.run(["npm", "install", "--silent", "--no-save", "--prefix", BASELINES, NODE_PACKAGE], check=True)


def baselines(seconds: float) -> list[dict[str, Any]]:
    """The public engines' figures, measured now; nothing where they are not set up."""
    rows: list[dict[str, Any]] = []
    here = Path(__file__).parent
    if (BASELINES / "bin" / "python").exists():
        done = subprocess.run([BASELINES / "bin" / "python", here / "baselines.py", str(seconds)],
                              check=True, capture_output=True, text=True)
        rows += [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if (BASELINES / "node_modules" / "boardgame.io").exists():
        done = subprocess.run(["node", here / "baseline-boardgame.cjs", str(seconds)], check=True, capture_output=True,
                              text=True, env={**os.environ, "NODE_PATH": str(BASELINES / "node_modules")})
        rows += [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each game")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--set-up", action="store_true", help="install the baselines first")
    chosen = parser.parse_args()
    if chosen.set_up:
        set_up()
    print("| engine | game | matches/s | steps/s | copy of a state, µs |")
    print("|---|---|---|---|---|")
    for game in chosen.games.split(","):
        matches, steps, copying = measure(game, chosen.seconds)
        print(f"| Tabletin | {game} | {matches:,.1f} | {steps:,.0f} | {copying:.1f} |", flush=True)
    for row in baselines(chosen.seconds):
        print(f"| {row['engine']} | {row['game']} | {row['matches']:,.1f} | {row['steps']:,.0f} | |", flush=True)
    if "iota" in chosen.games.split(","):
        print(f"\nIota: {turns_a_second(chosen.seconds):,.0f} legal turns proposed a second.")


if __name__ == "__main__":
    main()
