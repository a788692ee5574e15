"""How long the hard bots think in a real browser's worker: every game, with the fewest seats and with the most.

    python bench/bots_browser.py [--seconds 10] [--games iota,teeth]

Prints a Markdown table; the budget is 800 ms.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import sync_playwright  # noqa: E402

from e2e.test_sealed import RUN_IN_WORKER, run  # noqa: E402
from tabletin.games import GAMES, rules_of  # noqa: E402
from workshop import server, site  # noqa: E402
from workshop.chromium import FLAGS, chromium  # noqa: E402

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
    serving = server.server(site.built(), port=0, prefix="/")
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    print("| game | seats | decisions | mean, ms | 95 % under | slowest |", "|---|---|---|---|---|---|", sep="\n")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=FLAGS)
        for game in chosen.games.split(","):
            counts = rules_of(game).seat_counts
            for seats in sorted({max(2, counts.start), min(6, counts.stop - 1)}):
                page = browser.new_page()
                page.goto(f"http://localhost:{serving.server_port}/#/")
                page.wait_for_function("document.documentElement.dataset.python === 'ready'")
                asked = f"{game} {seats} {chosen.seconds}"
                times = sorted(run(page, RUN_IN_WORKER.format(source=json.dumps(source), game=asked)))
                print(f"| {game} | {seats} | {len(times)} | {fmean(times):.1f} | {times[len(times) * 95 // 100]:.0f} "
                      f"| {times[-1]:.0f} |", flush=True)
                page.close()
        browser.close()
    serving.shutdown()


if __name__ == "__main__":
    main()
