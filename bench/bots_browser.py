"""How long the hard bots think in a real browser's worker: every game, with the fewest seats and with the most.

    python3 bench/bots_browser.py [--seconds 10] [--games iota,teeth]

Prints a Markdown table; the budget is 800 ms.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from bench.browser import in_worker, site_and_browser
from tabletin.registry import GAMES, rules_of

IN_WORKER = """

from pyscript import sync


def told(asked):
    game, seats, seconds = asked.split()
    return decisions(game, int(seats), "hard", float(seconds))


sync.play = told
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="for each table")
    parser.add_argument("--games", default=",".join(GAMES))
    chosen = parser.parse_args()
    source = (ROOT / "bench" / "deciding.py").read_text("utf-8") + IN_WORKER
    print("| game | seats | decisions | mean, ms | 95 % under | slowest |", "|---|---|---|---|---|---|", sep="\n")
    with site_and_browser() as (address, browser):
        for game in chosen.games.split(","):
            counts = rules_of(game).seat_counts
            for seats in sorted({max(2, counts.start), min(6, counts.stop - 1)}):
                times = sorted(in_worker(address, browser, source, f"{game} {seats} {chosen.seconds}"))
                print(f"| {game} | {seats} | {len(times)} | {fmean(times):.1f} | {times[len(times) * 95 // 100]:.0f} "
                      f"| {times[-1]:.0f} |", flush=True)


if __name__ == "__main__":
    main()
