"""A first visit on a slow phone: what is painted, when taps are answered, when Python is there, when the first match is dealt,
when a bot has moved.

``python3 bench/first_visit.py [--runs 3] [--line slow] [--beside FOLDER]`` in our environment. A new profile each time, a
processor four times slower, and a line of 1.6 Mbit/s with 150 ms (``--line fast``: none). A person taps Iota's tin as soon as
it is seen, lets the bot begin, then taps *Play* as soon as that is seen. ``--later``: not on the first visit, but when the device
keeps the site. ``--beside`` measures another built site by turns. Medians, in ms. Only the page's own
thread is slower: no browser slows a worker.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
from math import nan
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import Browser, Page, sync_playwright

from bench.browser import settled, until_ready
from workshop import packing, server, site
from workshop.chromium import FLAGS, chromium

SLOWER: Final = 4
LINES: Final = {"slow": (150, 1.6e6), "fast": (0, 0.0)}  # ms, bits a second; 0: as it is
PATIENCE: Final = 240_000
FIGURES: Final = ("first paint", "largest paint", "tin answered", "form", "play answered", "progress seen", "python", "dealt",
                  "thinks", "bot moved", "longest task", "longest task later", "blocking", "blocking after the first tap")
THE_BOT_BEGINS: Final = """() => {
    const seat = document.querySelector("[name=option-first_seat]");
    seat.value = "2";
    seat.dispatchEvent(new Event("change", { bubbles: true }));
}"""
WATCH: Final = """
window.seen = {tasks: []};
const note = (name) => { seen[name] ??= performance.now(); };
new PerformanceObserver((list) => { for (const one of list.getEntries()) seen.tasks.push([one.startTime, one.duration]); })
    .observe({ type: "longtask", buffered: true });
new PerformanceObserver((list) => { seen.largest = list.getEntries().at(-1).startTime; })
    .observe({ type: "largest-contentful-paint", buffered: true });
addEventListener("click", ({ target, timeStamp }) => {
    if (target.closest(".tin .open")) seen.tin ??= timeStamp;
    if (target.closest("#play")) seen.play ??= timeStamp;
}, true);
new MutationObserver(() => {
    if (seen.tin) requestAnimationFrame(() => note("tinAnswered"));
    if (seen.tin && document.querySelector("#play")) note("form");
    if (seen.play) requestAnimationFrame(() => note("playAnswered"));
    if (document.documentElement?.dataset.python === "ready") note("python");
    const bar = document.querySelector("#laying progress");
    if (seen.play && bar?.checkVisibility() && bar.position > 0) requestAnimationFrame(() => note("progress"));
    if (document.querySelector(".over > .piece")) note("dealt");
    if (document.querySelector(".plate.thinking")) note("thinks");
    else if (seen.thinks) note("moved");
}).observe(document, { attributes: true, childList: true, subtree: true });
"""


def slow_down(page: Page, line: str) -> None:
    """From now on ``page`` is on a slow phone, and on ``line``."""
    devtools = page.context.new_cdp_session(page)
    latency, bits = LINES[line]
    if bits:
        devtools.send("Network.enable")
        devtools.send("Network.emulateNetworkConditions", {
            "offline": False, "latency": latency, "downloadThroughput": bits / 8, "uploadThroughput": bits / 16})
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def visit(browser: Browser, address: str, line: str, later: bool) -> dict[str, float]:
    """One visit, from the address to the first hand."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, locale="en-GB")
    page = context.new_page()
    if later:
        page.goto(address)
        until_ready(page)
        settled(page)
        page.close()
        page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(WATCH)
    slow_down(page, line)
    page.goto(address, wait_until="commit")
    page.locator("[data-tin=iota] .open").tap()
    page.wait_for_selector("#play")
    page.evaluate(THE_BOT_BEGINS)
    page.locator("#play").tap()
    page.wait_for_function("window.seen.moved")
    seen = page.evaluate("seen")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    context.close()
    long = [(start, length) for start, length in seen["tasks"] if start < seen["dealt"]]
    later_tasks = [length for start, length in seen["tasks"] if seen["dealt"] < start < seen["moved"]]
    return {
        "first paint": paint, "largest paint": seen["largest"], "tin answered": seen["tinAnswered"] - seen["tin"],
        "form": seen["form"] - seen["tin"], "play answered": seen["playAnswered"] - seen["play"],
        "progress seen": seen.get("progress", nan) - seen["play"], "python": seen["python"], "dealt": seen["dealt"] - seen["tin"],
        "thinks": seen["thinks"] - seen["dealt"], "bot moved": seen["moved"] - seen["dealt"],
        "longest task": max((length for _, length in long), default=0.0), "longest task later": max(later_tasks, default=0.0),
        "blocking": sum(length - 50 for _, length in long),
        "blocking after the first tap": sum(length - 50 for start, length in long if start > seen["tin"]),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--line", choices=LINES, default="slow")
    parser.add_argument("--later", action="store_true", help="not the first visit")
    parser.add_argument("--beside", type=Path, help="another built site, which gets packed copies if it has none")
    chosen = parser.parse_args()
    folders = {"this": site.built()}
    if chosen.beside:
        folders = {"beside": chosen.beside, **folders}
        if not (chosen.beside / "index.html.br").exists():
            files = [path.relative_to(chosen.beside).as_posix() for path in chosen.beside.rglob("*") if path.is_file()]
            packing.pack(chosen.beside, files)
    found: dict[str, list[dict[str, float]]] = {name: [] for name in folders}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=list(FLAGS))
        for _ in range(chosen.runs):
            for name, folder in folders.items():
                with server.server(folder) as running:
                    threading.Thread(target=running.serve_forever, daemon=True).start()
                    found[name].append(visit(browser, f"http://localhost:{running.server_port}/", chosen.line, chosen.later))
                    running.shutdown()
        browser.close()
    print(f"{chosen.line:30}" + "".join(f"{name:>10}" for name in folders))
    for figure in FIGURES:
        print(f"{figure:30}" + "".join(f"{statistics.median(run[figure] for run in runs):10.0f}" for runs in found.values()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
