"""Whether the page keeps anything of the matches that were played: memory after forced collection, match after match.

``python3 bench/memory.py [--matches 50] [--game iota]`` in our environment. Matches are begun on the page, drawn move by move,
played to the end and left for home. Counted are the browser's heap, the elements of the page, and what Python holds: living
objects, and the WebAssembly memory, which never shrinks. Growth is a straight line through the second half, in % a match.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import CDPSession, Page

from bench.browser import site_and_browser, until_ready
from e2e.support.page_python import get_inside, play_on

MOST: Final = 1.0  # % a match
QUICK: Final = "localStorage.setItem('tabletin.settings', '{\"pace\":\"instant\",\"own_taps\":true,\"sound_asked\":true}');"
COUNTED: Final = ("heap MB", "elements", "Python objects", "WebAssembly MB")


def match(page: Page, game: str, seed: int) -> None:
    """One match from home to home."""
    page.evaluate("(address) => { location.hash = address; }", f"#/{game}/new?seats=me,easy,easy&seed={seed}&half_deck=1")
    page.locator("form.newmatch button[type=submit]").click()
    page.wait_for_selector(".table-screen .stage")
    play_on(page, 10_000, seed=seed, each=True)
    page.wait_for_selector(".actions [data-key=result]")
    page.evaluate("location.hash = '#/'")
    page.wait_for_selector("#home:not([hidden])")


def counted(page: Page, devtools: CDPSession) -> tuple[float, float, float, float]:
    """What is held after everything that can be collected has been."""
    for _ in range(2):
        page.evaluate("inside.collect()")
        devtools.send("HeapProfiler.collectGarbage")
    used = devtools.send("Runtime.getHeapUsage")["usedSize"]
    objects, wasm = page.evaluate("inside.collect()")
    return used / 1e6, page.evaluate("document.querySelectorAll('*').length"), objects, wasm / 1e6


def growth(values: list[float]) -> float:
    """% a match of a straight line through the second half of ``values``."""
    half = values[len(values) // 2:]
    slope = statistics.linear_regression(range(len(half)), half).slope
    return 100 * slope / statistics.mean(half)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--game", default="iota")
    wanted = parser.parse_args()
    seen: list[tuple[float, float, float, float]] = []
    with site_and_browser() as (address, browser):
        page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        page.add_init_script(QUICK)
        page.goto(address)
        until_ready(page)
        get_inside(page)
        devtools = page.context.new_cdp_session(page)
        for number in range(wanted.matches):
            match(page, wanted.game, number + 1)
            seen.append(counted(page, devtools))
    print(f"{wanted.matches} matches of {wanted.game}\n\n| after match | {' | '.join(COUNTED)} |\n|---|---|---|---|---|")
    for number in sorted({1, 2, max(1, len(seen) // 4), max(1, len(seen) // 2), 3 * len(seen) // 4, len(seen)}):
        print(f"| {number} | {' | '.join(f'{value:,.1f}'.removesuffix('.0') for value in seen[number - 1])} |")
    grown = [growth([each[what] for each in seen]) for what in range(len(COUNTED))]
    print(f"| growth, % a match | {' | '.join(f'{value:+.2f}' for value in grown)} |")
    met = all(value < MOST for value in grown)
    print(f"\ngoal: under {MOST:.0f} % a match: {'met' if met else 'missed'}")
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
