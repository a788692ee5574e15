"""Which tasks of the page's own thread are long, from the first byte to a bot's first move: a trace, in processor time.

``python3 bench/tasks.py [--game iota] [--runs 3] [--later] [--look 0] [--beside FOLDER] [--seats hard,hard]`` in our
environment. A person taps the game's tin as soon as it is seen, then *Play*; ``--look``: after so many seconds on home and on the
form. ``--later``: on a device that keeps the site and the memory of a start. ``--seats``: who sits there, by the form's address.
``--beside`` measures another built site by turns. Nothing is slowed down: on a processor four times slower a task takes four
times as long, so under 50 ms is under 200 there. For each stretch: the longest tasks, each a median of the runs by its rank; and
the sum of all.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import Browser, sync_playwright

from bench.browser import settled, until_ready
from bench.startup import served
from workshop import site
from workshop.chromium import FLAGS, chromium

RANKS: Final = 5
PATIENCE: Final = 240_000
CATEGORIES: Final = ("toplevel", "devtools.timeline", "blink.user_timing", "__metadata")
STRETCHES: Final = ("until the tin's tap", "until Play's tap", "until Python and the hand", "until a bot has moved")
MARK: Final = """
const noted = new Set();
const note = (name) => { if (!noted.has(name)) { noted.add(name); performance.mark("stretch " + name); } };
note(0);
addEventListener("pointerdown", ({ target }) => {
    if (target.closest(".tin .open")) note(1);
    if (target.closest("#play")) note(2);
}, true);
let thinks = false;
new MutationObserver(() => {
    if (noted.has(2) && document.querySelector(".stage .piece") && document.documentElement.dataset.python === "ready") note(3);
    const now = Boolean(document.querySelector(".plate.thinking"));
    if (thinks && !now) note(4);
    thinks = now;
    if (document.querySelector(".my-turn")) note(4);
}).observe(document, { attributes: true, childList: true, subtree: true });
"""


def trace(browser: Browser, address: str, chosen: argparse.Namespace) -> list[list[float]]:
    """Processor milliseconds of every task of the page's thread, by stretch."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    if chosen.later:
        page.goto(address)
        until_ready(page)
        settled(page)
        page.close()
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
    page.add_init_script(MARK)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        browser.start_tracing(page=page, path=path, categories=list(CATEGORIES))
        page.goto(address, wait_until="commit")
        tin = page.locator(f"[data-tin={chosen.game}] .open")
        if chosen.seats:
            tin.evaluate("(link, seats) => { link.hash += `?seats=${seats}`; }", chosen.seats)
        page.wait_for_timeout(1000 * chosen.look)
        tin.tap()
        page.wait_for_selector("#play")
        page.wait_for_timeout(1000 * chosen.look)
        page.locator("#play").tap()
        page.wait_for_function("performance.getEntriesByName('stretch 4').length")
        page.wait_for_timeout(500)
        browser.stop_tracing()
        context.close()
        return by_stretch(json.loads(path.read_text("utf-8"))["traceEvents"])


def by_stretch(events: Iterable[dict[str, Any]]) -> list[list[float]]:
    """The tasks of the thread on which the marks were made."""
    events = list(events)
    marks = {event["name"]: event for event in events if str(event["name"]).startswith("stretch ")}
    thread = marks["stretch 0"]["pid"], marks["stretch 0"]["tid"]
    tasks = [(event["ts"], event.get("tdur", 0) / 1000) for event in events
             if event["name"].endswith("RunTask") and event.get("ph") == "X" and (event["pid"], event["tid"]) == thread]
    bounds = [0, *(marks[f"stretch {number}"]["ts"] for number in (1, 2, 3, 4))]
    return [[length for start, length in tasks if since <= start < until] for since, until in pairwise(bounds)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="iota")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--later", action="store_true", help="not the first visit")
    parser.add_argument("--look", type=float, default=0.0, help="seconds before each tap")
    parser.add_argument("--seats", default="", help="who sits there, such as me,hard,hard")
    parser.add_argument("--beside", type=Path, help="another built site")
    chosen = parser.parse_args()
    folders = {"this": site.built()}
    if chosen.beside:
        folders = {"beside": chosen.beside, **folders}
    found: dict[str, list[list[list[float]]]] = {name: [] for name in folders}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=list(FLAGS))
        for _ in range(chosen.runs):
            for name, folder in folders.items():
                with served(folder) as port:
                    found[name].append(trace(browser, f"http://localhost:{port}/", chosen))
        browser.close()
    print(f"| {chosen.game}: the longest tasks; all, ms of processor | {' | '.join(folders)} |\n|{'---|' * (1 + len(folders))}")
    for at, stretch in enumerate(STRETCHES):
        cells = []
        for runs in found.values():
            ordered = [sorted(run[at], reverse=True)[:RANKS] for run in runs]
            longest = [statistics.median(run[rank] for run in ordered) for rank in range(min(map(len, ordered)))]
            whole = statistics.median(sum(run[at]) for run in runs)
            cells.append(f"{', '.join(f'{length:.0f}' for length in longest)}; {whole:.0f}")
        print(f"| {stretch} | {' | '.join(cells)} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
