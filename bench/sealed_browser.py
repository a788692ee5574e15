"""What sealed dealing costs one peer in a real browser's worker: the table of ``bench/sealed.py``, measured in Chromium.

    python3 bench/sealed_browser.py [--quick]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from bench.browser import in_worker, site_and_browser

IN_WORKER = """

from pyodide.code import run_js
from pyscript import config, sync
from tabletin.peers.sealed.group_js import JsGroup


async def play(which):
    module = await run_js("address => import(address)")(config["sodium"])
    return [run(JsGroup(await module.openGroup()), time.perf_counter, QUICK if which == "quick" else DEALS)]


sync.play = play
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the two smallest deals alone")
    source = (ROOT / "bench" / "dealing_costs.py").read_text("utf-8") + IN_WORKER
    which = "quick" if parser.parse_args().quick else "all"
    with site_and_browser() as (address, browser):
        print(*in_worker(address, browser, source, which), sep="\n")


if __name__ == "__main__":
    main()
