"""How long until the page is ready for a tap, beside PyScript's plain hello-world page on stock files, in the same run.

``python3 bench/startup.py [--runs 5] [--engine chromium]`` in our environment. Ready is when Python has started the app
(``data-python``); in the baseline when Python has touched the page. Cold: a new profile. Warm: a new browser process on a used
profile. Running: a second visit in the same browser. Offline: a new process on a used profile, server stopped. Medians, in ms.
WebKitGTK keeps nothing for a new process, so it has no warm start, and goes offline in the same one.
``--processor`` measures what the page's own thread cost the processor instead, which a busy machine does not blur.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright

from bench.browser import ACTIVE, settled, until
from e2e.support import firefox
from workshop import runtime, server, site
from workshop.chromium import FLAGS, chromium
from workshop.paths import WORK

GOAL: Final = 0.40
KINDS: Final = ("cold", "warm", "running", "offline")
HELLO: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Hello</title>
<script type="module" src="./pyscript/core.js"></script>
<script>
addEventListener("py:done", () => navigator.serviceWorker.register("./service-worker.js"), { once: true });
</script>
</head>
<body>
<script type="py" config='{"interpreter": "./pyodide/pyodide.mjs"}'>
from pyscript import document
document.documentElement.dataset.python = "ready"
</script>
</body>
</html>
"""
WATCH: Final = """
addEventListener("DOMContentLoaded", () => dispatchEvent(new Event("wheel")));  // a first page waits for a touch
new MutationObserver(() => {
  if (!window.readyAfter && document.documentElement?.dataset.python === "ready") window.readyAfter = performance.now();
}).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-python"] });
"""


def baseline() -> Path:
    """PyScript's hello world on the files as npm ships them, with a service worker that keeps them."""
    folder = WORK / "hello"
    shutil.rmtree(folder, ignore_errors=True)
    hello = site.Site(folder)
    for source, name in ((runtime.PYODIDE, "pyodide"), (runtime.PYSCRIPT / "dist", "pyscript")):
        for path in sorted(source.iterdir()):
            if path.suffix in {".js", ".mjs", ".wasm", ".zip", ".json", ".css"}:
                hello.add(f"{name}/{path.name}", path.read_bytes(), for_ever=True)
    hello.add("index.html", HELLO.encode())
    site.service_worker(hello, "hello")
    (folder / "hashed.json").write_text(json.dumps(sorted(hello.hashed)), "utf-8")
    return folder


@contextmanager
def served(folder: Path, port: int = 0, sent: list[int] | None = None) -> Iterator[int]:
    """The port where ``folder`` is served; how many bytes each reply had is added to ``sent``."""
    running = server.server(folder, port=port)

    class Counted(running.RequestHandlerClass):  # type: ignore[name-defined, misc]
        def reply(self, status: Any, content: bytes, headers: dict[str, str], *, body: bool = True) -> None:
            if body and sent is not None:
                sent.append(len(content))
            super().reply(status, content, headers, body=body)

    running.RequestHandlerClass = Counted
    threading.Thread(target=running.serve_forever, daemon=True).start()
    try:
        yield running.server_port
    finally:
        running.shutdown()
        running.server_close()


def ready_after(page: Page, address: str) -> float:
    """Milliseconds from navigation until Python is ready."""
    page.add_init_script(WATCH)
    page.goto(address)
    page.wait_for_function("window.readyAfter", timeout=60_000)
    return float(page.evaluate("window.readyAfter"))


def in_chromium(playwright: Playwright, profile: str) -> BrowserContext:
    return playwright.chromium.launch_persistent_context(
        profile, executable_path=chromium(), args=list(FLAGS), headless=True)


def in_firefox(playwright: Playwright, profile: str) -> BrowserContext:
    return playwright.firefox.launch_persistent_context(profile, headless=True, **firefox.launch_arguments())


def measured(launch: Callable[[Playwright, str], BrowserContext]) -> Callable[[Path], dict[str, float]]:
    """What measures a folder's page in the engine that ``launch`` starts."""
    def measure(folder: Path) -> dict[str, float]:
        """One time of every kind, on a profile of its own; and the bytes of the first visit, until the site is kept."""
        found: dict[str, float] = {}
        os.environ["NODE_OPTIONS"] = f"--require={firefox.LACKING_COMMANDS}"
        with tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
            def visit(address: str, *kinds: str, settle: bool = False) -> None:
                context = launch(playwright, profile)
                for kind in kinds:
                    page = context.new_page()
                    found[kind] = ready_after(page, address)
                    if settle:
                        settled(page)
                        time.sleep(1)
                    page.close()
                context.close()

            sent: list[int] = []
            with served(folder, sent=sent) as port:
                address = f"http://localhost:{port}/"
                visit(address, "cold", settle=True)
                found["bytes"] = sum(sent)
                visit(address, "warm", "running")
            visit(address, "offline")
        return found
    return measure


def measure_in_webkit(folder: Path) -> dict[str, float]:
    """One time of every kind but warm, in one process; and the bytes of the first visit, until the site is kept."""
    from e2e.support.webkit import webkit_page  # it needs Selenium
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as log, webkit_page(Path(log) / "console.log") as page:
        def visit(address: str, kind: str) -> None:
            page.goto("about:blank")
            page.goto(address)  # until it is loaded: this driver runs nothing before
            page.evaluate(f"() => {{ {WATCH} dispatchEvent(new Event('wheel')); }}")
            until(lambda: page.evaluate("window.readyAfter || document.documentElement.dataset.python === 'ready'"), 0.05)
            found[kind] = float(page.evaluate("window.readyAfter ?? performance.now()"))

        sent: list[int] = []
        with served(folder, sent=sent) as port:
            address = f"http://localhost:{port}/"
            visit(address, "cold")
            page.evaluate(ACTIVE)
            found["bytes"] = sum(sent)
            visit(address, "running")
        visit(address, "offline")
    return found


MEASURES: Final[dict[str, Callable[[Path], dict[str, float]]]] = {
    "chromium": measured(in_chromium), "firefox": measured(in_firefox), "webkit": measure_in_webkit}


def by_turns(engine: str, runs: int) -> dict[str, dict[str, float]]:
    """Medians of every kind for hello world and for our page."""
    pages = {"hello": baseline(), "ours": site.built()}
    found: dict[str, list[dict[str, float]]] = {name: [] for name in pages}
    for _ in range(runs):
        for name, folder in pages.items():
            found[name].append(MEASURES[engine](folder))
    return {name: {kind: statistics.median(run[kind] for run in all_runs) for kind in all_runs[0]}
            for name, all_runs in found.items()}


def processor(folder: Path, runs: int) -> float:
    """Milliseconds of processor time of the page's thread until Python is ready, in fresh profiles of one browser; median."""
    costs: list[float] = []
    with served(folder) as port, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=list(FLAGS))
        for _ in range(runs):
            context = browser.new_context()
            page = context.new_page()
            devtools = context.new_cdp_session(page)
            devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
            ready_after(page, f"http://localhost:{port}/")
            found = {each["name"]: each["value"] for each in devtools.send("Performance.getMetrics")["metrics"]}
            costs.append(1000 * found["TaskDuration"])
            context.close()
        browser.close()
    return statistics.median(costs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--engine", choices=MEASURES, default="chromium")
    parser.add_argument("--processor", action="store_true", help="processor time of the page's thread, not time passed")
    chosen = parser.parse_args()
    if chosen.processor:
        stock, own = (processor(folder, chosen.runs) for folder in (baseline(), site.built()))
        print(f"processor {stock:17.0f} ms{own:9.0f} ms{own / stock:8.2f}")
        return 0
    found = by_turns(chosen.engine, chosen.runs)
    print(f"{'':10}{'hello world, stock':>20}{'Tabletin':>12}{'ratio':>8}   goal {GOAL}")
    worst = 0.0
    for kind in (kind for kind in KINDS if kind in found["ours"]):
        stock, own = found["hello"][kind], found["ours"][kind]
        worst = max(worst, own / stock)
        print(f"{kind:10}{stock:17.0f} ms{own:9.0f} ms{own / stock:8.2f}")
    return int(worst > GOAL)


if __name__ == "__main__":
    raise SystemExit(main())
