"""How fast the rules are in a real browser's worker: ``bench/rules.py``'s own rows, measured in Chromium.

    python3 bench/rules_browser.py [--seconds 2]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from bench.browser import in_worker, site_and_browser
from tabletin.registry import GAMES

IN_WORKER = """

from pyscript import sync


def told(asked):
    game, seconds = asked.split()
    if game == "turns":
        return [turns_a_second(float(seconds))]
    return list(measure(game, float(seconds)))


sync.play = told
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each game")
    chosen = parser.parse_args()
    source = (ROOT / "bench" / "paces.py").read_text("utf-8") + IN_WORKER
    print("| engine | game | matches/s | steps/s | copy of a state, µs |", "|---|---|---|---|---|", sep="\n")
    with site_and_browser() as (address, browser):
        for game in (*GAMES, "turns"):
            result = in_worker(address, browser, source, f"{game} {chosen.seconds}")
            if game == "turns":
                print(f"\nIota: {result[0]:,.0f} legal turns proposed a second.")
            else:
                matches, steps, copying = result
                print(f"| Tabletin in Chromium | {game} | {matches:,.1f} | {steps:,.0f} | {copying:.1f} |", flush=True)


if __name__ == "__main__":
    main()
