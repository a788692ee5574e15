"""How fast the rules are in a real browser's worker: ``bench/rules.py``'s own rows, measured in Chromium.

    python3 bench/rules_browser.py [--seconds 2] [--games iota,teeth] [--beside FOLDER --turns 3]

``--beside`` measures the same in another built site by turns: steps a second there and here, and the ratio, medians of the turns.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from bench.browser import in_worker, site_and_browser
from bench.startup import served
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


def beside(folder: Path, games: list[str], seconds: float, turns: int) -> None:
    """Print the steps a second of ``folder`` and of this site."""
    source = (ROOT / "bench" / "paces.py").read_text("utf-8") + IN_WORKER
    print("| game | beside, steps/s | this, steps/s | ratio |", "|---|---|---|---|", sep="\n")
    with site_and_browser() as (address, browser), served(folder) as port:
        for game in games:
            found: dict[str, list[float]] = {f"http://localhost:{port}/": [], address: []}
            for _ in range(turns):
                for site, steps in found.items():
                    steps.append(in_worker(site, browser, source, f"{game} {seconds}")[1])
            before, now = found.values()
            ratios = sorted(own / other for other, own in zip(before, now, strict=True))
            ratio = f"{median(ratios):.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f})"
            print(f"| {game} | {median(before):,.0f} | {median(now):,.0f} | {ratio} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each game")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--beside", type=Path, help="another built site")
    parser.add_argument("--turns", type=int, default=3)
    chosen = parser.parse_args()
    games = chosen.games.split(",")
    if chosen.beside:
        beside(chosen.beside, games, chosen.seconds, chosen.turns)
        return
    source = (ROOT / "bench" / "paces.py").read_text("utf-8") + IN_WORKER
    print("| engine | game | matches/s | steps/s | copy of a state, µs |", "|---|---|---|---|---|", sep="\n")
    with site_and_browser() as (address, browser):
        for game in (*games, "turns"):
            result = in_worker(address, browser, source, f"{game} {chosen.seconds}")
            if game == "turns":
                print(f"\nIota: {result[0]:,.0f} legal turns proposed a second.")
            else:
                matches, steps, copying = result
                print(f"| Tabletin in Chromium | {game} | {matches:,.1f} | {steps:,.0f} | {copying:.1f} |", flush=True)


if __name__ == "__main__":
    main()
