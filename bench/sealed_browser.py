"""What sealed dealing costs one peer in a real browser's worker: ``bench/sealed.py``'s table, measured in Chromium.

    python bench/sealed_browser.py [--quick]
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import sync_playwright  # noqa: E402

from e2e.test_sealed import RUN_IN_WORKER, run  # noqa: E402
from workshop import server, site  # noqa: E402
from workshop.chromium import FLAGS, chromium  # noqa: E402

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
    serving = server.server(site.built(), port=0, prefix="/")
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=FLAGS)
        page = browser.new_page()
        page.goto(f"http://localhost:{serving.server_port}/#/")
        page.wait_for_function("document.documentElement.dataset.python === 'ready'")
        print(*run(page, RUN_IN_WORKER.format(source=json.dumps(source), game=which)), sep="\n")
        browser.close()
    serving.shutdown()


if __name__ == "__main__":
    main()
