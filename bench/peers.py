"""Matches among browsers, measured on loopback: how long until the first card, how long a move travels, what it weighs.

``python3 bench/peers.py [--peers 2 4 6 10] [--moves 40] [--pace 0.5]`` in our environment; all pages share this machine's cores.
*linked*: from the first invite's code until everybody is linked with everybody; *first card*: from the genesis until the first
hand is dealt at every table; *move*: from a person's act on one page until the table with it is painted on the others, and on
their own: a frame asked for after it was drawn. Whose turn it is moves by chance ``pace`` seconds after the last page could;
choosing is not counted. *long tasks*: of the pages' own threads over 50 ms from the genesis until the hand is dealt, and while it
is played. *log*: of one device; *sent*: by all, each message once a receiver. Milliseconds: median / 95th percentile / worst.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import threading
import time
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import Browser, sync_playwright

from e2e.support.peer_tables import Far, connect
from e2e.support.site import PEER_FLAGS, ready
from workshop import server, site
from workshop.chromium import FLAGS, chromium

GAMES: Final = {2: "iota", 4: "iota", 6: "teeth-time", 10: "teeth-time"}
PATIENCE: Final = 120_000  # ms
WATCH: Final = """
window.long = [];
new PerformanceObserver((list) => window.long.push(...list.getEntries().map((entry) => entry.duration)))
  .observe({ type: "longtask" });
"""


def of(times: list[float]) -> str:
    """Median, 95th percentile and worst."""
    if not times:
        return "–"
    ordered = sorted(times)
    late = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return f"{statistics.median(ordered):.0f} / {late:.0f} / {ordered[-1]:.0f}"


def measured(browser: Browser, address: str, peers: int, moves: int, pace: float) -> str:
    contexts = [browser.new_context(permissions=["camera", "microphone"]) for _ in range(peers)]
    try:
        return _measured([context.new_page() for context in contexts], address, peers, moves, pace)
    finally:
        for context in contexts:
            context.close()


def tasks(fars: list[Far]) -> str:
    """How many long tasks there were since the last time."""
    long = [task for far in fars for task in far.page.evaluate("window.long.splice(0)")]
    return f"{len(long)}{f' (longest {max(long):.0f})' if long else ''}"


def _measured(pages: list[Any], address: str, peers: int, moves: int, pace: float) -> str:
    for page in pages:
        page.add_init_script(WATCH)
        page.goto(address)
        ready(page)
    fars = [Far(page).open() for page in pages]
    begun = time.monotonic()
    connect(fars[0], *fars[1:])
    together = time.monotonic() - begun
    game = GAMES.get(peers, "iota")
    chairs = [[far.author, f"P{number}", "person", ""] for number, far in enumerate(fars)]
    for far in fars:
        far.do("prepare", game)
    genesis = fars[0].do("found", json.dumps({"game": game, "options": {}, "nonce": "n", "chairs": chairs}))
    for far in fars:
        far.page.evaluate("window.long.length = 0")
    begun = time.monotonic()
    for far in fars:
        far.page.evaluate("genesis => { window.sitting = far.sit(genesis); }", genesis)
    for far in fars:
        far.page.evaluate("() => window.sitting.then(() => null)")
        far.page.wait_for_function("document.querySelector('.table-screen .stage')", timeout=PATIENCE)
        far.until("state.requests === 0 && state.entries > 1", patience=PATIENCE)
    first = time.monotonic() - begun
    dealing = tasks(fars)
    time.sleep(2)
    tasks(fars)
    for far in fars:
        far.do("watch")
        far.do("pace", pace)
    each = max(1, moves // peers)
    for number, far in enumerate(fars):
        far.do("play", number, each)
    until = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < until and any(far.state["playing"] and not far.state["over"] for far in fars):
        time.sleep(0.5)
    time.sleep(1)
    playing = tasks(fars)
    acts: dict[str, float] = {}
    painted: list[dict[str, float]] = []
    for far in fars:
        told = json.loads(far.do("times"))
        acts.update(told["acts"])
        painted.append(told["painted"])
    own: list[float] = []
    others: list[float] = []
    for far_number, far in enumerate(fars):
        mine = json.loads(far.do("times"))["acts"]
        for index, when in acts.items():
            if index in painted[far_number]:
                (own if index in mine else others).append(painted[far_number][index] - when)
    state = fars[0].state
    sent = sum(far.state["sent"] for far in fars)
    return (f"| {peers} | {game} | {together * 1000:.0f} | {first * 1000:.0f} | {of(own)} | {of(others)} | {len(acts)} | "
            f"{dealing}; {playing} | {state['entries']} entries, {state['bytes'] // 1000} kB, {sent // 1000} kB |")


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--peers", type=int, nargs="+", default=[2, 4, 6, 10])
    asked.add_argument("--moves", type=int, default=40)
    asked.add_argument("--pace", type=float, default=0.5)
    chosen = asked.parse_args()
    serving = server.server(site.built(), port=0, prefix="/")
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    print("| peers | game | linked | first card | move, own page | move, others | moves | long tasks | log, sent |")
    print("|---|---|---|---|---|---|---|---|---|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=[*FLAGS, *PEER_FLAGS])
        for peers in chosen.peers:
            print(measured(browser, f"http://localhost:{serving.server_port}/", peers, chosen.moves, chosen.pace), flush=True)
        browser.close()
    serving.shutdown()


if __name__ == "__main__":
    main()
