"""From a tap to what it brought about being painted, on the fullest table of each game: most seats, most pieces, long hands.

``python3 bench/tables.py [--phone] [game …]`` in our environment. Each table is played on at random to where it is full, then a
person taps the cards of the hand, the lit places and the answers that come up, as ``bench/latency.py`` measures it, beside a
bare button's in the same run. Bots are held, so that only the page's own work is measured. Milliseconds.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import Page

from bench.browser import site_and_browser, until_ready
from bench.latency import MEDIAN, P95, WATCH, bare, tap
from e2e.support.page_python import get_inside, play_on

TAPS: Final = 40
FULL: Final[dict[str, tuple[dict[str, Any], int, str]]] = {  # how it is begun, moves until it is full, what must hold then
    "teeth-time": ({"seats": 10, "contracts": "one", "one": 1}, 420, "phase=play"),
    "teeth": ({"seats": 2, "columns": 6}, 1, "phase=turn"),
    "dominoes": ({"seats": 6, "set": 12, "target": 1000}, 44, "phase=playing"),
    "matador": ({"seats": 8, "set": 12}, 70, "phase=playing"),
    "tiddle-a-wink": ({"seats": 10, "set": 12, "target": 1000}, 88, "phase=playing"),
    "iota": ({"seats": 4}, 24, ""),
    "toot-progressive": ({"seats": 6, "last_round": 10}, 66, "size=10"),
    "toot-fluke": ({"seats": 6}, 30, ""),
    "toot-pursuit": ({"seats": 6}, 60, ""),
    "toot-speed": ({"seats": 6}, 12, "phase=go"),
}
QUICK: Final = "localStorage.setItem('tabletin.settings', '{\"pace\":\"instant\",\"own_taps\":true,\"sound_asked\":true}');"
HAND: Final = ".over > .piece.can-tap, .spot"


def full_table(page: Page, address: str, game: str) -> int:
    """Sit down at ``game`` as full as it gets; how many pieces lie there."""
    asked, moves, state = FULL[game]
    query = {**asked, "seats": ",".join(["me", *["easy"] * (asked["seats"] - 1)]), "seed": 7}
    page.goto("about:blank")
    page.goto(f"{address}#/{game}/new?" + "&".join(f"{key}={value}" for key, value in query.items()))
    until_ready(page)
    page.locator("form.newmatch button[type=submit]").click()
    page.wait_for_selector(".table-screen .stage")
    get_inside(page)
    play_on(page, moves, seed=7, asked=state)
    page.wait_for_timeout(800)
    return page.locator(".piece").count()


def taps(page: Page, asked: str) -> list[float]:
    """Tap what can be tapped in the hand and on the table, one after another; times of those that stayed in the turn. After a tap
    that was a move everybody plays on until ``asked`` holds again.
    """
    found: list[float] = []
    results = page.locator(".table-foot > .actions [data-key=next]")
    if results.count():  # the round before is still being looked at
        results.click()
    for number in range(TAPS * 3):
        things = page.locator(HAND)
        count = things.count()
        if len(found) >= TAPS or not count:
            break
        thing = things.nth(number % count)
        if not thing.evaluate("(each) => each.isConnected && each.matches('.piece')"):
            continue
        before = page.evaluate("inside.at()")
        took = tap(page, thing, force=True)
        if page.evaluate("inside.at()") != before:
            if play_on(page, 0, seed=number, asked=asked) == "over":
                break
            continue
        found.append(took)
        if page.locator(".prompt:not([hidden]) .button").count():
            page.keyboard.press("Escape")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="game", help=f"some of {', '.join(FULL)}; all without")
    parser.add_argument("--phone", action="store_true", help="a phone's screen instead of a desk's")
    wanted = parser.parse_args()
    met = True
    with site_and_browser() as (address, browser):
        page = browser.new_page(viewport={"width": 390, "height": 844} if wanted.phone else {"width": 1280, "height": 800})
        plain = bare(page, TAPS)
        page.add_init_script(QUICK + WATCH)
        print("| table | pieces | taps | median | 95th |\n|---|---|---|---|---|")
        print(row("bare button", 0, plain))
        for game in wanted.games or FULL:
            pieces = full_table(page, address, game)
            times = taps(page, FULL[game][2])
            print(row(f"{game}, {FULL[game][0]['seats']} seats", pieces, times), flush=True)
            met = met and bool(times) and statistics.median(times) < MEDIAN and high(times) < P95
    print(f"goal: median under {MEDIAN:.0f} ms, 95th under {P95:.0f} ms: {'met' if met else 'missed'}")
    return 0 if met else 1


def high(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


def row(name: str, pieces: int, times: list[float]) -> str:
    if not times:
        return f"| {name} | {pieces} | 0 | – | – |"
    return f"| {name} | {pieces or ''} | {len(times)} | {statistics.median(times):.1f} | {high(times):.1f} |"


if __name__ == "__main__":
    raise SystemExit(main())
