"""What sealed dealing costs one peer in a real browser's worker: ``bench/sealed.py``'s table, measured in Chromium.

    python bench/sealed_browser.py [--quick]
"""

from __future__ import annotations

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
    source = (ROOT / "bench" / "sealed.py").read_text("utf-8").partition('if __name__ == "__main__"')[0] + IN_WORKER
    which = "quick" if "--quick" in sys.argv else "all"
    with site_and_browser() as (address, browser):
        print(*in_worker(address, browser, source, which), sep="\n")


if __name__ == "__main__":
    main()
