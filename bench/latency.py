"""How long from a tap to what it brought about being painted, at Iota's table as it fills, beside a bare
button's in the same run.

``python3 bench/latency.py [--matches 2] [--phone]`` in our environment. A tap's time is the browser's own stamp
on the event; painted is the first task after the next frame. *choose*: a card is picked up and its places
light; *lay*: it lies there, with score and new places; *confirm*: the turn is in the match, and the cards
drawn. Hard bots think in their worker meanwhile; tasks of the page's own thread over 50 ms are counted.
Milliseconds.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import Locator, Page

from bench.browser import site_and_browser, until_ready

MEDIAN: Final = 50.0
P95: Final = 100.0
HAND: Final = ".over > .piece.can-tap"
SPOT: Final = ".spot.on-plane"
QUICK: Final = "localStorage.setItem('tabletin.settings', '{\"pace\":\"instant\",\"own_taps\":true,\"sound_asked\":true}');"
WATCH: Final = """
window.taps = [];
window.until = () => true;
window.long = [];
new PerformanceObserver((list) => window.long.push(...list.getEntries().map((entry) => entry.duration)))
  .observe({ type: "longtask" });
addEventListener("click", (event) => {
  const begun = event.timeStamp;
  const frame = () => requestAnimationFrame(() => {
    if (!window.until()) return frame();
    const channel = new MessageChannel();
    channel.port1.onmessage = () => window.taps.push(performance.now() - begun);
    channel.port2.postMessage(0);
  });
  frame();
}, true);
"""
BARE: Final = """<!doctype html><title>bare</title><button onclick="this.textContent = Math.random()">tap</button>"""


def tap(page: Page, target: Locator, until: str = "true", *, force: bool = False) -> float:
    """Tap ``target`` (``force``: itself, whatever lies over its middle); ms until what followed was painted."""
    page.evaluate(f"() => {{ window.taps.length = 0; window.until = () => {until}; }}")
    if force:
        target.evaluate("(each) => each.click()")
    else:
        target.click()
    page.wait_for_function("window.taps.length")
    took: float = page.evaluate("window.taps[0]")
    return took


def bare(page: Page, times: int) -> list[float]:
    """The same on a page with one button and no Python."""
    page.set_content(BARE)
    page.evaluate(f"() => {{ {WATCH} }}")
    button = page.locator("button")
    return [tap(page, button) for _ in range(times)]


def match(page: Page, address: str, seed: int, took: dict[str, list[float]]) -> list[float]:
    """Play one match by taps; the page's long tasks while it was played."""
    page.goto("about:blank")
    page.goto(f"{address}#/iota/new?seats=me,hard,hard,hard&seed={seed}")
    until_ready(page)
    page.locator("form.newmatch button[type=submit]").click()
    page.wait_for_selector(".table-screen .stage")
    page.wait_for_timeout(1500)
    page.evaluate("window.long.length = 0")
    for _ in range(60):
        page.wait_for_selector(".table-screen.my-turn, .actions [data-key=result]", timeout=60_000)
        if page.locator(".actions [data-key=result]").count():
            break
        turn(page, lambda kind, target, until="true": took[kind].append(tap(page, target, until)))
    found: list[float] = page.evaluate("window.long")
    return found


def turn(page: Page, timed: Callable[..., None]) -> None:
    """One turn: cards laid one by one, each tap timed; or a trade."""
    for _ in range(4):
        usable = page.locator(f"{HAND}.is-legal")
        if not usable.count():
            break
        timed("choose", usable.first)
        if not page.locator(SPOT).count():
            break
        timed("lay", page.locator(SPOT).first)
    moved = "!document.querySelector('.my-turn')"
    if page.locator(".actions [data-key=play]").count():
        timed("confirm", page.locator(".actions [data-key=play]"), moved)
        return
    if page.locator(".actions [data-key=trade]").count():
        page.locator(".actions [data-key=trade]").click()
    timed("confirm", page.locator(".actions [data-key=do_trade]"), moved)


def table(rows: dict[str, list[float]]) -> None:
    print(f"\n| {'act':<12} | taps | median | 95th | most |\n|{'-' * 14}|-----:|-------:|-----:|-----:|")
    for name, values in rows.items():
        ordered = sorted(values)
        print(f"| {name:<12} | {len(ordered):4} | {statistics.median(ordered):6.1f} | "
              f"{ordered[int(len(ordered) * 0.95)]:4.0f} | {ordered[-1]:4.0f} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--matches", type=int, default=1)
    parser.add_argument("--phone", action="store_true", help="a phone's screen instead of a desk's")
    wanted = parser.parse_args()
    took: dict[str, list[float]] = {"choose": [], "lay": [], "confirm": []}
    long: list[float] = []
    with site_and_browser() as (address, browser):
        screen = {"width": 390, "height": 844} if wanted.phone else {"width": 1280, "height": 800}
        page = browser.new_page(viewport=screen)  # type: ignore[arg-type]
        rows = {"bare button": bare(page, 40)}
        page.add_init_script(QUICK + WATCH)
        for seed in range(wanted.matches):
            long += match(page, address, seed + 1, took)
    rows |= took
    table(rows)
    laid = sorted(took["choose"] + took["lay"])
    median, high = statistics.median(laid), laid[int(len(laid) * 0.95)]
    met = median < MEDIAN and high < P95
    print(f"\nlaying a card: median {median:.1f} ms (goal < {MEDIAN:.0f}), 95th {high:.1f} ms (goal < {P95:.0f}): "
          f"{'met' if met else 'missed'}")
    print(f"tasks over 50 ms on the page's thread: {len(long)}{f', the longest {max(long):.0f} ms' if long else ''}")
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
