"""What Lighthouse says of the home page, as on a phone: ``python3 bench/lighthouse.py [--runs 3]`` in our environment.

Lighthouse is installed from the lock file in ``bench/npm``. It loads the page with its own settings for a phone
(a processor four times slower, slow 4G, both simulated). It prints the median of each score and measure, and what costs points
beside speed. Nothing else should run meanwhile.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import threading
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from bench.packages import installed
from workshop import server, setup, site
from workshop.chromium import FLAGS, chromium
from workshop.console import run
from workshop.paths import WORK

GOALS: Final = {"performance": 0.9, "accessibility": 1.0, "best-practices": 1.0, "seo": 1.0}
MEASURES: Final = (
    "first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift", "interactive",
)


def report(address: str, target: Path) -> dict[str, Any]:
    """What Lighthouse finds at ``address``; written to ``target`` on the way."""
    program = installed() / "lighthouse" / "cli" / "index.js"
    run([setup.node(), program, address, "--output=json", f"--output-path={target}", "--quiet",
         f"--only-categories={','.join(GOALS)}", f"--chrome-flags=--headless=new {' '.join(FLAGS)}"],
        "Lighthouse did not come to an end.", env={"CHROME_PATH": str(chromium())})
    found: dict[str, Any] = json.loads(target.read_text("utf-8"))
    return found


def wanting(found: dict[str, Any]) -> list[str]:
    """The audits that cost points in what is not about speed."""
    weighed = {audit["id"] for name, category in found["categories"].items() if name != "performance"
               for audit in category["auditRefs"] if audit["weight"]}
    return sorted(audit for audit in weighed if found["audits"][audit]["score"] not in (None, 1))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=3)
    chosen = parser.parse_args()
    with server.server(site.built()) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        address, target = f"http://localhost:{running.server_port}/", WORK / "lighthouse.json"
        reports = [report(address, target) for _ in range(chosen.runs)]
        running.shutdown()
    for name, goal in GOALS.items():
        score = statistics.median(found["categories"][name]["score"] for found in reports)
        print(f"{name:28}{score:8.2f}   goal {goal:.2f}")
    for name in MEASURES:
        value = statistics.median(found["audits"][name]["numericValue"] for found in reports)
        print(f"{name:28}{value:8.3g}" if name.endswith("shift") else f"{name:28}{value:8.0f} ms")
    print("costs points:", ", ".join(wanting(reports[-1])) or "nothing")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
