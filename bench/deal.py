"""How many frames a deal drops, beside an animation of one empty element in the same run.

``python3 bench/deal.py [--deals 5]`` in our environment: Teeth Time for ten, whose two decks of 123 cards are shuffled and
dealt. Frames are counted from the table's first drawing until its cards lie; a frame is dropped where the next one comes later
than one and a half of the display's. The goal is under a tenth.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from itertools import pairwise
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import Page

from bench.browser import site_and_browser, until_ready

GOAL: Final = 0.1
SECONDS: Final = 1.3
COUNT: Final = """(seconds) => new Promise((done) => {
    const times = [];
    const frame = (time) => {
        times.push(time);
        if (time - times[0] < seconds * 1000) requestAnimationFrame(frame); else done(times);
    };
    requestAnimationFrame(frame);
})"""
AT_THE_TABLE: Final = f"""
window.dealt = new Promise((done) => {{
    new MutationObserver((_, observer) => {{
        if (document.querySelector(".stage .piece")) {{ observer.disconnect(); ({COUNT})({SECONDS}).then(done); }}
    }}).observe(document, {{ childList: true, subtree: true }});
}});
"""
EMPTY: Final = """<!doctype html><style>@keyframes go { to { transform: translateX(500px); } }
div { width: 60px; height: 84px; background: #888; animation: go 1.3s ease-out; }</style><div></div>"""


def dropped(times: list[float], frame: float) -> float:
    """The share of frames that never came."""
    gaps = [after - before for before, after in pairwise(times)]
    missed = sum(round(gap / frame) - 1 for gap in gaps if gap > 1.5 * frame)
    return missed / (missed + len(gaps))


def empty(page: Page) -> list[float]:
    page.set_content(EMPTY)
    times: list[float] = page.evaluate(COUNT, SECONDS)
    return times


def deal(page: Page, address: str, seed: int) -> list[float]:
    page.goto("about:blank")
    page.goto(f"{address}#/teeth-time/new?seats=me{',easy' * 9}&seed={seed}")
    until_ready(page)
    page.wait_for_timeout(2500)  # what the table needs is loaded ahead
    page.locator("form.newmatch button[type=submit]").click()
    times: list[float] = page.evaluate("window.dealt")
    return times


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=5)
    deals = parser.parse_args().deals
    with site_and_browser() as (address, browser):
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        still = [empty(page) for _ in range(deals)]
        page.add_init_script(AT_THE_TABLE)
        moved = [deal(page, address, number + 1) for number in range(deals)]
    frame = statistics.median(after - before for times in still for before, after in pairwise(times))
    plain = statistics.median(dropped(times, frame) for times in still)
    own = statistics.median(dropped(times, frame) for times in moved)
    print(f"| | frames | dropped |\n|---|---|---|\n| empty animation | {statistics.median(map(len, still)):.0f} | {plain:.1%} |")
    print(f"| deal for ten | {statistics.median(map(len, moved)):.0f} | {own:.1%} |")
    print(f"\na frame takes {frame:.1f} ms; goal: under {GOAL:.0%} more than the empty animation: "
          f"{'met' if own - plain < GOAL else 'missed'}")
    return int(own - plain >= GOAL)


if __name__ == "__main__":
    raise SystemExit(main())
