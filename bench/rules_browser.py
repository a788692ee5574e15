"""How fast the rules are in a real browser's worker: ``bench/rules.py``'s own rows, measured in Chromium.

    python bench/rules_browser.py [--seconds 2]
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import sync_playwright  # noqa: E402

from e2e.test_sealed import RUN_IN_WORKER, run  # noqa: E402
from tabletin.games import GAMES  # noqa: E402
from workshop import server, site  # noqa: E402
from workshop.chromium import FLAGS, chromium  # noqa: E402

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
    serving = server.server(site.built(), port=0, prefix="/")
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    print("| engine | game | matches/s | steps/s | copy of a state, µs |", "|---|---|---|---|---|", sep="\n")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=FLAGS)
        for game in (*GAMES, "turns"):
            page = browser.new_page()
            page.goto(f"http://localhost:{serving.server_port}/#/")
            page.wait_for_function("document.documentElement.dataset.python === 'ready'")
            result = run(page, RUN_IN_WORKER.format(source=json.dumps(source), game=f"{game} {chosen.seconds}"))
            if game == "turns":
                print(f"\nIota: {result[0]:,.0f} legal turns proposed a second.")
            else:
                matches, steps, copying = result
                print(f"| Tabletin in Chromium | {game} | {matches:,.1f} | {steps:,.0f} | {copying:.1f} |", flush=True)
            page.close()
        browser.close()
    serving.shutdown()


if __name__ == "__main__":
    main()
