"""How fast the rules are: random matches a second and steps a second of every game, beside public engines in the same run.

    python3 bench/rules.py [--seconds 3] [--games iota,dominoes] [--set-up]

Baselines live in an environment of their own (``--set-up`` makes it from package registries): RLCard's gin rummy,
OpenSpiel's Python and C++ games, and a match of boardgame.io's. Also times copying a state and proposing Iota's turns.
All are measured by the processor's time, ours and theirs alike. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from bench.paces import measure, turns_a_second
from tabletin.registry import GAMES

BASELINES = ROOT / ".build" / "baselines"
PACKAGES = ("rlcard==1.2.0", "open_spiel==2.0.2")
NODE_PACKAGE = "boardgame.io@0.50.2"


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
        matches, steps, copying = measure(game, chosen.seconds, process_time)
        print(f"| Tabletin | {game} | {matches:,.1f} | {steps:,.0f} | {copying:.1f} |", flush=True)
    for row in baselines(chosen.seconds):
        print(f"| {row['engine']} | {row['game']} | {row['matches']:,.1f} | {row['steps']:,.0f} | |", flush=True)
    if "iota" in chosen.games.split(","):
        print(f"\nIota: {turns_a_second(chosen.seconds, process_time):,.0f} legal turns proposed a second.")


if __name__ == "__main__":
    main()
